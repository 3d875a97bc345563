//! The words of scenarios about people, money from and to the outside, and operators.

use engine::amount::Rate;
use engine::backoffice::acts::{AuditAction, AuditNote, AuditObject, Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::funding::{Chain, Network};
use engine::command::Command;
use engine::feature::Feature;
use engine::funding::deposits::{Claimed, Observed};
use engine::funding::payouts::{Paid, PayoutReport};
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{
    AddressId, CardId, CommitmentId, ConversionId, DepositId, Digest, LoanId, ObservationId, OperatorId, OptionId, PlanOrderId, PositionId,
    ProposalId, QuoteId, SubmissionId, UserId, WithdrawalId,
};
use engine::ledger::HouseAccount;
use engine::listing::change::{CatalogChange, TextKind};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};
use engine::product::Product;
use engine::reject::CodeFault;
use engine::reply::Reply;
use engine::security::{FreezeScope, FundPasswordChange, ReferralRole};
use engine::self_limits::{PendingLimit, SelfLimit};
use engine::time::Time;

use super::{Parsed, Stage, duration, equal, plain, text_number};

/// The object behind a name of the story.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    Address(UserId, AddressId, Chain),
    Card(CardId),
    Deposit(DepositId),
    Payment(ObservationId),
    Withdrawal(WithdrawalId),
    Identity(SubmissionId),
    Proposal(ProposalId),
    Option(OptionId),
    Contract(PositionId),
    Quote(UserId, QuoteId),
    Conversion(ConversionId),
    Loan(LoanId),
    Commitment(CommitmentId),
    Plan(PlanOrderId),
}

pub fn digest(text: &str) -> Digest {
    let number = text_number(text).to_be_bytes();
    Digest(std::array::from_fn(|at| number[at % 16] ^ (at as u8)))
}

fn chain(word: &str) -> Parsed<Chain> {
    Chain::ALL.into_iter().find(|chain| chain.name() == word).ok_or(format!("no chain {word}"))
}

fn level(word: &str) -> Parsed<KycLevel> {
    match word {
        "basic" => Ok(KycLevel::Basic),
        "advanced" => Ok(KycLevel::Advanced),
        _ => Err(format!("no level {word}")),
    }
}

fn account(word: &str) -> Parsed<HouseAccount> {
    match word {
        "fee" => Ok(HouseAccount::Fee),
        "insurance" => Ok(HouseAccount::Insurance),
        "flash_pool" => Ok(HouseAccount::FlashPool),
        "option_pool" => Ok(HouseAccount::OptionPool),
        "contract_pool" => Ok(HouseAccount::ContractPool),
        "loan_treasury" => Ok(HouseAccount::LoanTreasury),
        "sub_escrow" => Ok(HouseAccount::SubEscrow),
        "sub_proceeds" => Ok(HouseAccount::SubProceeds),
        "plan_treasury" => Ok(HouseAccount::PlanTreasury),
        "external" => Ok(HouseAccount::External),
        _ => Err(format!("no account {word}")),
    }
}

fn product(word: &str) -> Parsed<Product> {
    match word {
        "spot" => Ok(Product::Spot),
        "coin_deposits" => Ok(Product::CoinDeposit),
        "bank_deposits" => Ok(Product::BankDeposit),
        "options" => Ok(Product::Option),
        "contracts" => Ok(Product::Contract),
        "conversions" => Ok(Product::Flash),
        "loans" => Ok(Product::Loan),
        "subscriptions" => Ok(Product::Subscription),
        "plans" => Ok(Product::Plan),
        _ => Err(format!("no product {word}")),
    }
}

/// Percent with up to six decimals.
fn percent(text: &str) -> Parsed<Rate> {
    engine::amount::parse_decimal(text, 6, u64::MAX).map(Rate).map_err(|why| format!("{text}: {why:?}"))
}

fn limit(word: &str) -> Parsed<SelfLimit> {
    match word {
        "stakes" => Ok(SelfLimit::OptionStakeDay),
        "losses" => Ok(SelfLimit::LossDay),
        "multiple" => Ok(SelfLimit::LeverageMax),
        "pause" => Ok(SelfLimit::PauseUntil),
        _ => Err(format!("no limit {word}")),
    }
}

fn limit_value(limit: SelfLimit, text: &str) -> Parsed<u64> {
    let scale = if limit == SelfLimit::LeverageMax { 0 } else { 6 };
    engine::amount::parse_decimal(text, scale, u64::MAX).map_err(|why| format!("{text}: {why:?}"))
}

fn verification(words: &[&str]) -> Parsed<Verification> {
    let right = Verification { fund_password_right: true, code: None };
    match words {
        [] => Ok(right),
        ["wrong", "password"] => Ok(Verification { fund_password_right: false, ..right }),
        ["wrong", "code"] => Ok(Verification { code: Some(CodeFault::Wrong), ..right }),
        _ => Err(format!("unknown words {words:?}")),
    }
}

impl Stage {
    pub fn outside(&mut self, line: &[&str]) -> Parsed<Option<Command>> {
        if let [who, rest @ ..] = line
            && who.starts_with("op")
        {
            return self.operator(who, rest).map(|operate| Some(Command::Operate(Box::new(operate))));
        }
        Ok(Some(match line {
            [name, "sets", "fund", "password"] => Command::SetFundPassword { user: self.member(name), change: FundPasswordChange::First },
            [name, "changes", "fund", "password", rest @ ..] => {
                let change = FundPasswordChange::Change { old_right: rest.is_empty() };
                Command::SetFundPassword { user: self.member(name), change }
            }
            [name, "resets", "fund", "password"] => Command::SetFundPassword { user: self.member(name), change: FundPasswordChange::Reset },
            [name, "changes", "security"] => Command::RecordSecurityChange { user: self.member(name) },
            [name, "freezes", "self"] => Command::FreezeSelf { user: self.member(name), until: None },
            [name, "freezes", "self", "for", amount, unit] => {
                let until = Time(self.now().0 + duration(amount, unit)?);
                Command::FreezeSelf { user: self.member(name), until: Some(until) }
            }
            [name, "limits", which, value] => {
                let limit = limit(which)?;
                let value = if *value == "none" { None } else { Some(limit_value(limit, value)?) };
                Command::SetSelfLimits { user: self.member(name), changes: vec![(limit, value)] }
            }
            [name, "pauses", "for", amount, unit] => {
                let until = self.now().0 + duration(amount, unit)?;
                Command::SetSelfLimits { user: self.member(name), changes: vec![(SelfLimit::PauseUntil, Some(until))] }
            }
            [name, "submits", kind, document] => {
                let (document, content) = (digest(document), digest(&format!("content of {document}")));
                Command::SubmitIdentity { user: self.member(name), level: level(kind)?, document, content }
            }
            [name, "stores", "address", text, code, "on", way, rest @ ..] => Command::AddAddress {
                user: self.member(name),
                asset: self.money("0", code)?.1,
                chain: chain(way)?,
                destination: digest(text),
                verification: verification(rest)?,
            },
            [name, "stores", "card", number] => {
                Command::AddCard { user: self.member(name), number: digest(number), destination: digest(&format!("card {number}")) }
            }
            [name, "removes", stored] => match self.named(stored) {
                Some(Named::Card(card)) => Command::RemoveCard { user: self.member(name), card },
                Some(Named::Address(_, address, _)) => Command::RemoveAddress { user: self.member(name), address },
                _ => Command::RemoveAddress { user: self.member(name), address: AddressId(9_999) },
            },
            [name, "claims", dollars, "USD"] => {
                let cents = engine::amount::parse_decimal(dollars, 2, u64::MAX).map_err(|why| format!("{why:?}"))?;
                Command::ClaimDeposit { user: self.member(name), claimed: Claimed::Bank { cents }, proof: digest("voucher") }
            }
            [name, "claims", amount, code, "on", way] => {
                let (amount, asset) = self.money(amount, code)?;
                let claimed = Claimed::Coin { asset, chain: chain(way)?, amount };
                Command::ClaimDeposit { user: self.member(name), claimed, proof: digest("picture") }
            }
            [name, "withdraws", amount, code, "to", to, rest @ ..] => {
                let (amount, asset) = self.money(amount, code)?;
                let (other, rest) = match rest {
                    ["on", way, rest @ ..] => (Some(chain(way)?), rest),
                    rest => (None, rest),
                };
                let destination = match self.named(to) {
                    Some(Named::Card(card)) => Destination::Card(card),
                    Some(Named::Address(_, address, own)) => Destination::Address { address, chain: other.unwrap_or(own) },
                    _ => Destination::Address { address: AddressId(9_999), chain: other.unwrap_or(Chain::Trc20) },
                };
                let (arrives, rest) = match rest {
                    ["expecting", sum, rest @ ..] => (Some(self.money(sum, code)?.0), rest),
                    rest => (None, rest),
                };
                let verification = verification(rest)?;
                Command::Withdraw(Withdraw { user: self.member(name), asset, amount, destination, verification, arrives })
            }
            [name, "cancels", "withdrawal", paper] => {
                Command::CancelWithdrawal { user: self.member(name), withdrawal: self.withdrawal(paper) }
            }
            ["activate", "registry"] => Command::Activate(Feature::OperatorRegistry),
            ["activate", "terms"] => Command::Activate(Feature::ProposalTerms),
            ["activate", "compact", "requests"] => Command::Activate(Feature::CompactRequests),
            ["activate", "payments"] => Command::Activate(Feature::Payments),
            ["activate", "final", "payments"] => Command::Activate(Feature::FinalPayments),
            ["activate", "confirmed", "payouts"] => Command::Activate(Feature::ConfirmedPayouts),
            ["activate", "newest", "word"] => Command::Activate(Feature::NewestWord),
            ["activate", "fixed", "links"] => Command::Activate(Feature::FixedLinks),
            ["activate", "contract", "corrections"] => Command::Activate(Feature::ContractCorrections),
            ["activate", "product", "corrections"] => Command::Activate(Feature::ProductCorrections),
            ["activate", "signers", "as", "known"] => Command::Activate(Feature::SignersAsKnown),
            ["activate", "risk", "bounds"] => Command::Activate(Feature::RiskBounds),
            ["activate", "signatures"] => Command::Activate(Feature::Signatures),
            ["machine", "declares", number, roles, "as", member, rest @ ..] => Command::DeclareOperator(Declared {
                operator: OperatorId(number.parse().map_err(|_| "which?")?),
                name: digest(&format!("operator {number}")),
                roles: self.roles(roles)?,
                active: !rest.contains(&"off"),
                member: self.linked(member),
                cause: match rest.first() {
                    Some(&"before") => Cause::Before,
                    Some(&"rescue") => Cause::Rescue,
                    Some(&"sandbox") => Cause::Sandbox,
                    Some(&"linked") => Cause::Linked,
                    _ => Cause::Machine,
                },
            }),
            ["watcher", "sees", "no", "payout", "of", name, "by", tx] => self.report(name, tx, None, 0),
            ["watcher", "sees", "payout", "of", name, "by", tx, amount, code, "to", text, "with", count, "confirmations"] => {
                let (amount, asset) = self.money(amount, code)?;
                let paid = Paid { asset, amount, destination: digest(text) };
                self.report(name, tx, Some(paid), count.parse().map_err(|_| "how many?")?)
            }
            ["watcher", "sees", tx, rest @ ..] => {
                let (observed, confirmations) = self.payment(rest)?;
                Command::ObserveDeposit { tx: digest(tx), observed, confirmations }
            }
            ["watcher", "loses", tx] => Command::ReportReorganisation { tx: digest(tx) },
            _ => return Ok(None),
        }))
    }

    fn report(&self, name: &str, tx: &str, paid: Option<Paid>, confirmations: u32) -> Command {
        Command::ReportPayout(PayoutReport { withdrawal: self.withdrawal(name), tx: digest(tx), paid, confirmations })
    }

    /// `treasury,admin`.
    fn roles(&self, words: &str) -> Parsed<Roles> {
        let one = |word| Roles::parse(word).ok_or(format!("no role {word}"));
        words.split(',').try_fold(Roles(0), |all, word| Ok(all.or(one(word)?)))
    }

    /// `none`, or a member's name.
    fn linked(&self, name: &str) -> Option<UserId> {
        (name != "none").then(|| self.member(name))
    }

    fn named(&self, name: &str) -> Option<Named> {
        self.names.get(name).copied()
    }

    fn withdrawal(&self, name: &str) -> WithdrawalId {
        if let Some(Named::Withdrawal(id)) = self.named(name) { id } else { WithdrawalId(9_999) }
    }

    fn proposal(&self, name: &str) -> ProposalId {
        if let Some(Named::Proposal(id)) = self.named(name) { id } else { ProposalId(9_999) }
    }

    /// `25 USDT on TRC20 for ann with 20 confirmations`.
    fn payment(&self, words: &[&str]) -> Parsed<(Observed, u32)> {
        let [amount, code, "on", way, "for", name, "with", confirmations, "confirmations"] = words else {
            return Err("which payment?".to_owned());
        };
        let (amount, asset) = self.money(amount, code)?;
        let confirmations = confirmations.parse().map_err(|_| "how many?")?;
        Ok((Observed { user: self.member(name), asset, chain: chain(way)?, amount }, confirmations))
    }

    /// `op1`, or `op1(ann)` for an operator who is also a member.
    fn operator(&mut self, who: &str, rest: &[&str]) -> Parsed<Operate> {
        let (number, member) = match who.trim_start_matches("op").trim_end_matches(')').split_once('(') {
            Some((number, name)) => (number, Some(self.member(name))),
            None => (who.trim_start_matches("op"), None),
        };
        let by = Reviewer { operator: OperatorId(number.parse().map_err(|_| format!("no operator {who}"))?), member };
        let reason = digest("reason");
        let act = match rest {
            ["approves", name, words @ ..] => self.decide(name, words, None)?,
            ["rejects", name, words @ ..] => self.decide(name, words, Some(Decision::Reject { reason }))?,
            ["enters", tx, payment @ ..] => {
                let (observed, confirmations) = self.payment(payment)?;
                OperatorAct::EnterDeposit { tx: digest(tx), observed, confirmations }
            }
            ["sends", name, "as", tx] => OperatorAct::MarkSent { withdrawal: self.withdrawal(name), tx: digest(tx) },
            ["freezes", name, scope] => {
                let scope = if *scope == "all" { FreezeScope::All } else { FreezeScope::Withdrawals };
                OperatorAct::Freeze { user: self.member(name), scope, reason }
            }
            [word @ ("pauses" | "resumes"), of, market @ ..] => {
                let market = market.first().map(|symbol| self.market(symbol).map(|market| market.id)).transpose()?;
                OperatorAct::Pause { product: product(of)?, market, on: *word == "pauses", reason }
            }
            ["proposes", words @ ..] => OperatorAct::Propose { proposed: self.proposed(words)?, reason },
            ["confirms", name, seen @ ..] => {
                let proposal = self.proposal(name);
                let hash = self.engine.proposal(proposal).filter(|_| seen.is_empty()).map_or(digest("another"), |found| found.hash());
                OperatorAct::Confirm { proposal, hash }
            }
            ["releases", number] => OperatorAct::ReleaseOperator { subject: OperatorId(number.parse().map_err(|_| "which?")?) },
            ["cancels", name] => OperatorAct::CancelProposal { proposal: self.proposal(name) },
            ["looks", "at", name] => {
                let id = self.member(name).0;
                OperatorAct::Record(AuditNote { action: AuditAction::View, object: AuditObject::Member, id, reason })
            }
            _ => return Err("unknown act".to_owned()),
        };
        Ok(Operate { by, act })
    }

    /// `[with payment | reference text] [seeing another version | hash]`.
    fn decide(&self, name: &str, words: &[&str], decision: Option<Decision>) -> Parsed<OperatorAct> {
        let (item, present) = match self.named(name) {
            Some(Named::Deposit(id)) => (Item::Deposit(id), self.engine.deposit(id).map(|found| found.seen())),
            Some(Named::Withdrawal(id)) => (Item::Withdrawal(id), self.engine.withdrawal(id).map(|found| found.seen())),
            Some(Named::Identity(id)) => (Item::Identity(id), self.engine.submission(id).map(|found| found.seen())),
            Some(Named::Loan(id)) => (Item::Loan(id), self.engine.loan(id).map(|found| found.seen())),
            _ => (Item::Withdrawal(WithdrawalId(9_999)), None),
        };
        let mut seen = present.unwrap_or(SignedVersion { version: 1, hash: digest("nothing") });
        let (evidence, rest) = match words {
            ["with", payment, rest @ ..] => {
                let Some(Named::Payment(id)) = self.named(payment) else { return Err(format!("no payment {payment}")) };
                (Decision::ApproveWith(id), rest)
            }
            ["reference", text, rest @ ..] => (Decision::ApproveBank(digest(text)), rest),
            rest => (Decision::Approve, rest),
        };
        match rest {
            [] => {}
            ["seeing", "another", "version"] => seen.version += 1,
            ["seeing", "another", "hash"] => seen.hash = digest("another"),
            _ => return Err(format!("unknown words {rest:?}")),
        }
        Ok(OperatorAct::Decide { item, decision: decision.unwrap_or(evidence), seen })
    }

    fn proposed(&self, words: &[&str]) -> Parsed<Proposed> {
        let (words, wait) = match words {
            [front @ .., "in", amount, unit] => (front, duration(amount, unit)?),
            words => (words, 0),
        };
        let change = |change| Ok(Proposed::ChangeCatalog { change, effective: Time(self.now().0 + wait) });
        if let Some(proposed) = self.option_terms(words)? {
            return Ok(proposed);
        }
        if let Some(proposed) = self.loan_terms(words)? {
            return Ok(proposed);
        }
        if let Some(proposed) = self.contract_terms(words)? {
            return Ok(proposed);
        }
        if let Some(proposed) = self.conversion_terms(words)? {
            return Ok(proposed);
        }
        if let Some(proposed) = self.offering_proposed(words)? {
            return Ok(proposed);
        }
        if let Some(proposed) = self.plan_terms(words)? {
            return Ok(proposed);
        }
        match words {
            ["move", amount, code, "from", from, "to", to] => {
                let (amount, asset) = self.money(amount, code)?;
                Ok(Proposed::TreasuryMove { asset, from: account(from)?, to: account(to)?, amount })
            }
            ["fee", symbol, "maker", maker, "taker", taker] => {
                change(CatalogChange::Fee { market: self.market(symbol)?.id, maker: percent(maker)?, taker: percent(taker)? })
            }
            ["smallest", "value", least, symbol] => {
                let market = self.market(symbol)?;
                let quote = self.catalog().asset(market.quote).map_or("", |asset| asset.code.as_str());
                let least = self.money(least, quote)?.0;
                change(CatalogChange::MarketFilters {
                    market: market.id,
                    quantity: (market.min_quantity, market.max_quantity),
                    notional: (least, market.max_notional),
                    band_buy: market.band_buy,
                    band_sell: market.band_sell,
                })
            }
            ["network", code, way, what @ ..] => {
                let asset = self.money("0", code)?.1;
                let present = self.catalog().funding.network(asset, chain(way)?).copied();
                let first = self.catalog().funding.networks[0];
                let network = present.unwrap_or(Network { asset, chain: chain(way)?, ..first });
                change(CatalogChange::Network(match what {
                    ["withdrawal", "fee", fee] => Network { withdraw_fee: self.money(fee, code)?.0, ..network },
                    ["confirmations", count] => Network { confirmations: count.parse().map_err(|_| "how many?")?, ..network },
                    ["withdrawals", "off"] => Network { withdraw_on: false, ..network },
                    ["deposits", "off"] => Network { deposit_on: false, ..network },
                    _ => return Err(format!("unknown change {what:?}")),
                }))
            }
            ["withdrawals", "a", "day", count] => {
                let mut limits = self.catalog().funding.limits.clone();
                limits.withdrawals_per_day = count.parse().map_err(|_| "how many?")?;
                change(CatalogChange::Limits(limits))
            }
            ["payout", "rate", rate] => {
                let payout_rate = super::price_of(rate)?;
                change(CatalogChange::Bank(engine::catalog::funding::BankTerms { payout_rate, ..self.catalog().funding.bank }))
            }
            ["sources", symbol, names @ ..] => {
                let sources = names.iter().map(|name| (*name).to_owned()).collect();
                change(CatalogChange::IndexSources { market: self.market(symbol)?.id, sources })
            }
            ["receiving", "key", way, text] => {
                change(CatalogChange::Text { kind: TextKind::ReceivingKey(chain(way)?), id: 0, digest: digest(text) })
            }
            ["bank", "account", text] => change(CatalogChange::Text { kind: TextKind::BankAccount, id: 0, digest: digest(text) }),
            ["reverse", name] => match self.named(name) {
                Some(Named::Payment(observation)) => Ok(Proposed::ReverseDeposit { observation }),
                _ => Ok(Proposed::ReverseDeposit { observation: ObservationId(9_999) }),
            },
            ["return", name] => Ok(Proposed::ReturnWithdrawal { withdrawal: self.withdrawal(name) }),
            ["unmark", name] => Ok(Proposed::UnmarkSent { withdrawal: self.withdrawal(name) }),
            ["unfreeze", name] => Ok(Proposed::Unfreeze { user: self.member(name) }),
            ["revoke", name, kind] => Ok(Proposed::RevokeIdentity { user: self.member(name), level: level(kind)? }),
            ["role", "user", name] => Ok(Proposed::SetReferralRole { user: self.member(name), role: ReferralRole::User }),
            ["partner", name] => Ok(Proposed::SetReferralRole { user: self.member(name), role: ReferralRole::Partner }),
            ["promoter", name] => Ok(Proposed::SetReferralRole { user: self.member(name), role: ReferralRole::Promoter }),
            ["retire", symbol] => Ok(Proposed::RetireMarket { market: self.market(symbol)?.id, at: Time(self.now().0 + wait) }),
            ["appoint", number, roles, "as", member, rest @ ..] => Ok(Proposed::AppointOperator {
                subject: OperatorId(number.parse().map_err(|_| "which?")?),
                name: digest(&format!("operator {number}")),
                roles: self.roles(roles)?,
                active: !rest.contains(&"off"),
                member: self.linked(member),
                mail: Some(digest("mail")),
            }),
            ["stop", name] => Ok(Proposed::StopProposal { proposal: self.proposal(name) }),
            ["operator", number] => {
                let subject = OperatorId(number.parse().map_err(|_| "which?")?);
                Ok(Proposed::SetOperator { subject, name: digest("name"), roles: 3, active: true })
            }
            _ => Err(format!("unknown proposal {words:?}")),
        }
    }

    /// Gives what a command made its name.
    pub fn name_made(&mut self, name: &str, reply: &Reply) -> bool {
        let named = match reply {
            Reply::Address(address) => Named::Address(address.user, address.id, address.chain),
            Reply::Card(card) => Named::Card(card.id),
            Reply::Deposit(deposit) => Named::Deposit(deposit.id),
            Reply::Observation(seen) => {
                // The claim that a payment matched or opened is `<name>-claim`.
                if let Some(claim) = seen.claim {
                    self.names.insert(format!("{name}-claim"), Named::Deposit(claim));
                }
                Named::Payment(seen.id)
            }
            Reply::Withdrawal(withdrawal) => Named::Withdrawal(withdrawal.id),
            Reply::Identity(identity) => Named::Identity(identity.submission),
            Reply::Proposal(proposal) => Named::Proposal(proposal.id),
            Reply::Option(option) => Named::Option(option.id),
            Reply::Contract(position) => Named::Contract(position.id),
            Reply::Quote(quote) => Named::Quote(quote.user, quote.id),
            Reply::Conversion(done) => Named::Conversion(done.id),
            Reply::Loan(loan) => Named::Loan(loan.id),
            Reply::Commitment(commitment) => Named::Commitment(commitment.id),
            Reply::Plan(order) => Named::Plan(order.id),
            Reply::Done
            | Reply::SpotOrderPlaced(_)
            | Reply::SpotOrderCancelled(_)
            | Reply::SpotOrdersCancelled(_)
            | Reply::SpotOrderMoved { .. }
            | Reply::Transferred(_)
            | Reply::Credited { .. }
            | Reply::Priced { .. }
            | Reply::Security(_)
            | Reply::SelfLimits(..)
            | Reply::Operator(_)
            | Reply::LoanRepaid(..) => return false,
        };
        self.names.insert(name.to_owned(), named);
        true
    }

    pub fn check_outside(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["house", name, amount, code] => self
                .money(amount, code)
                .and_then(|(expected, asset)| equal(&self.engine.house_balance(account(name)?, asset).to_string(), &expected.to_string())),
            ["free", name, amount, code] => self
                .money(amount, code)
                .and_then(|(expected, asset)| equal(&self.engine.free_capital(account(name)?, asset).to_string(), &expected.to_string())),
            ["operator", number, rest @ ..] => {
                let known = self.engine.operators().find(|known| known.id.0.to_string() == *number);
                let text = known.map_or("unknown".to_owned(), |known| {
                    let member =
                        self.members.iter().find(|(_, user)| known.member == Some(**user)).map_or("none", |(name, _)| name.as_str());
                    let waits = known.waits_for.map(|by| format!(" waits for {}", by.0)).unwrap_or_default();
                    format!("{} {} as {member}{waits}", known.roles.words().join(","), if known.active { "on" } else { "off" })
                });
                equal(&text, &rest.join(" "))
            }
            ["incident", name, rest @ ..] => match self.named(name) {
                Some(Named::Payment(id)) => equal(&self.incident(id), &rest.join(" ")),
                _ => Err(format!("no payment {name}")),
            },
            ["payments", rest @ ..] => {
                equal(&format!("{} final {}", self.engine.observations().count(), self.engine.finals()), &rest.join(" "))
            }
            ["dispute", name, rest @ ..] => {
                let found = self.engine.payout_dispute(self.withdrawal(name)).map(|dispute| dispute.paid);
                let seen = |paid: Option<Paid>| paid.map_or("missing".to_owned(), |paid| plain(paid.amount, 6));
                equal(&found.map_or("none".to_owned(), seen), &rest.join(" "))
            }
            ["notes", count] => equal(&self.engine.audited().to_string(), count),
            ["pair", symbol, state] => self.market(symbol).map(|market| market.id).and_then(|market| {
                let state_of = match (self.engine.retired_at(market), self.engine.retires_at(market)) {
                    (Some(_), _) => "retired",
                    (None, Some(_)) => "retiring",
                    (None, None) => "open",
                };
                equal(state_of, state)
            }),
            ["limit", name, which, rest @ ..] => limit(which).and_then(|limit| {
                let (own, now) = (self.engine.self_limits(self.member(name)), self.engine.time());
                let shown = |value: Option<u64>| match (limit, value) {
                    (_, None) => "none".to_owned(),
                    (SelfLimit::PauseUntil, Some(until)) => format!("{} ms", until - now.0),
                    (SelfLimit::LeverageMax, Some(value)) => value.to_string(),
                    (SelfLimit::OptionStakeDay | SelfLimit::LossDay, Some(value)) => plain(value, 6),
                };
                let waits = |coming: PendingLimit| format!(" then {} in {} ms", shown(coming.value), coming.at.since(now));
                let text = format!("{}{}", shown(own.value(limit, now)), own.coming(limit, now).map(waits).unwrap_or_default());
                equal(&text, &rest.join(" "))
            }),
            ["versions", count] => equal(&self.engine.catalog_versions().len().to_string(), count),
            ["today", name, rest @ ..] => {
                let day = self.engine.withdrawal_day(self.member(name));
                equal(&format!("{} value {}", day.count, plain(day.value, 6)), &rest.join(" "))
            }
            ["level", name, kind, state] => level(kind).and_then(|level| {
                let found = self.engine.identity(self.member(name), level);
                equal(&found.map_or("Unverified".to_owned(), |identity| format!("{:?}", identity.status)), state)
            }),
            ["fund", "password", name, rest @ ..] => {
                let state = self.engine.security(self.member(name)).unwrap_or_default().fund_password;
                let locked = state.check_lock(self.engine.time()).is_err();
                equal(&format!("set {} wrong {} locked {locked}", state.set, state.wrong), &rest.join(" "))
            }
            ["object", name, rest @ ..] => equal(&self.shown(name), &rest.join(" ")),
            _ => return None,
        })
    }

    /// The last incident of a payment, and what may be taken back now.
    fn incident(&self, id: ObservationId) -> String {
        let (last, part) = (self.engine.incidents().rev().find(|incident| incident.observation == id), self.engine.reversible(id));
        let scale = |asset| self.catalog().scale(asset);
        let asset = self.engine.observation(id).map_or(0, |seen| scale(seen.observed.asset));
        let text = last.map_or("none".to_owned(), |incident| {
            format!("{:?} contradicted {}", incident.status, plain(incident.contradicted(), scale(incident.credited.asset)))
        });
        format!("{text} reversible {}", part.map_or("nothing".to_owned(), |part| plain(part, asset)))
    }

    fn shown(&self, name: &str) -> String {
        let Some(named) = self.named(name) else { return "nothing".to_owned() };
        let scale = |asset| self.catalog().scale(asset);
        match named {
            Named::Withdrawal(id) => self.engine.withdrawal(id).map(|w| {
                let cents = w.payout_cents.map(|cents| format!(" payout {}", plain(cents, 2))).unwrap_or_default();
                let (fee, received) = (plain(w.fee, scale(w.asset)), plain(w.received(), scale(w.asset)));
                format!("{:?} fee {fee} received {received} value {}{cents}", w.status, plain(w.value, 6))
            }),
            Named::Deposit(id) => self.engine.deposit(id).map(|deposit| {
                let asset = match deposit.claimed {
                    Claimed::Coin { asset, .. } => asset,
                    Claimed::Bank { .. } => self.catalog().funding.bank.asset,
                };
                let credited = deposit.credited.map(|atoms| format!(" credited {}", plain(atoms, scale(asset)))).unwrap_or_default();
                format!("{:?}{credited} approvals {}", deposit.status, deposit.approvals.len())
            }),
            Named::Payment(id) => self.engine.observation(id).map(|seen| {
                let taken = seen.taken_back.map(|atoms| format!(" taken {}", plain(atoms, scale(seen.observed.asset)))).unwrap_or_default();
                let vanished = if seen.vanished { " vanished" } else { "" };
                format!("{:?} confirmations {}{vanished}{taken}", seen.status, seen.confirmations)
            }),
            Named::Proposal(id) => self.engine.proposal(id).map(|proposal| {
                let refused = proposal.refused.as_ref().map(|reject| format!(" {}", reject.name())).unwrap_or_default();
                format!("{:?}{refused}", proposal.status)
            }),
            Named::Identity(id) => self.engine.submission(id).map(|identity| format!("{:?}", identity.status)),
            Named::Address(user, id, _) => self.engine.address(user, id).map(|_| "stored".to_owned()),
            Named::Card(_)
            | Named::Option(_)
            | Named::Contract(_)
            | Named::Quote(..)
            | Named::Conversion(_)
            | Named::Loan(_)
            | Named::Commitment(_)
            | Named::Plan(_) => None,
        }
        .unwrap_or("gone".to_owned())
    }
}

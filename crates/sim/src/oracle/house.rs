//! Acts of operators by the rules (0.4 L-3, 0.6): decisions, proposals and due work.

mod due;

use std::collections::{BTreeMap, BTreeSet};

use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::Catalog;
use engine::catalog::funding::{BankTerms, Chain, Limits, Network};
use engine::identity::KycLevel;
use engine::ids::Digest;
use engine::ledger::HouseAccount;
use engine::listing::change::{CatalogChange, FirstReference, TextKind};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;
use engine::product::Product;

use super::funding::{Claim, Paper, Payment};
use super::limits::Asked;
use super::operators::{Operator, Operators};
use super::people::{DAY, Level, Person, Stored};
use super::spot::{Pair, State};
use super::{AMOUNT_LIMIT, Done, Oracle, Refusal, need, refuse};

/// A hash that no object has, as if another version had been seen.
pub const WRONG_HASH: Digest = Digest([0; 32]);

/// A proposal.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) id: u64,
    proposer: u32,
    pub(super) proposed: Proposed,
    pub(super) state: &'static str,
    created: u64,
    effective: Option<u64>,
    confirmer: Option<u32>,
}

impl Proposal {
    pub(super) fn summary(&self) -> String {
        let Proposal { id, state, effective, .. } = self;
        format!("proposal {id} {state} {effective:?}")
    }
}

/// Everything about people, external money, and the house.
#[derive(Debug)]
pub(super) struct World {
    pub(super) people: BTreeMap<u64, Person>,
    pub(super) levels: BTreeMap<(u64, KycLevel), Level>,
    pub(super) stored: Vec<Stored>,
    pub(super) claims: Vec<Claim>,
    pub(super) payments: Vec<Payment>,
    /// Keys of payments that are final.
    pub(super) finals: Vec<Digest>,
    pub(super) papers: Vec<Paper>,
    pub(super) sent: Vec<Digest>,
    pub(super) proposals: Vec<Proposal>,
    paused: Vec<(Product, Option<u32>)>,
    pub(super) networks: BTreeMap<(u32, Chain), Network>,
    pub(super) bank: BankTerms,
    pub(super) limits: Limits,
    /// Maker's and taker's fee of each pair that was changed.
    pub(super) fee_rates: BTreeMap<u32, (i128, i128)>,
    /// Pairs with their present filters.
    pub(super) filters: BTreeMap<u32, Pair>,
    /// Trading fees of each UTC day and coin.
    pub(super) day_fees: BTreeMap<(u64, u32), i128>,
    /// House capital moved into the fee account, net, for each coin.
    moved_fees: BTreeMap<u32, i128>,
    /// Other house accounts.
    pub(super) pools: BTreeMap<(HouseAccount, u32), i128>,
    pub(super) versions: usize,
    /// Coins and pairs listed after genesis; the workload trades none of them.
    pub(super) coins: BTreeSet<u32>,
    pub(super) pairs: BTreeSet<u32>,
    /// Members' requests for their own limits, in order.
    pub(super) asked_limits: BTreeMap<u64, Vec<Asked>>,
    /// Pairs that were retired.
    pub(super) retired: BTreeSet<u32>,
    pub(super) audited: u64,
    /// The instant of the proposal that is acting.
    pub(super) acts_at: u64,
    pub(super) operators: Operators,
    /// Texts that two operators have agreed on before.
    texts: BTreeSet<(TextKind, u32)>,
}

impl Default for World {
    fn default() -> World {
        let terms = Catalog::standard().funding;
        World {
            people: BTreeMap::new(),
            levels: BTreeMap::new(),
            stored: Vec::new(),
            claims: Vec::new(),
            payments: Vec::new(),
            finals: Vec::new(),
            papers: Vec::new(),
            sent: Vec::new(),
            proposals: Vec::new(),
            paused: Vec::new(),
            networks: terms.networks.iter().map(|network| ((network.asset.0, network.chain), *network)).collect(),
            bank: terms.bank,
            limits: terms.limits,
            fee_rates: BTreeMap::new(),
            filters: BTreeMap::new(),
            day_fees: BTreeMap::new(),
            moved_fees: BTreeMap::new(),
            pools: BTreeMap::new(),
            versions: 0,
            coins: BTreeSet::new(),
            pairs: BTreeSet::new(),
            asked_limits: BTreeMap::new(),
            retired: BTreeSet::new(),
            audited: 0,
            acts_at: 0,
            operators: Operators::new(),
            texts: BTreeSet::new(),
        }
    }
}

impl Oracle {
    pub(super) fn check_pause(&self, product: &str, pair: Option<u32>) -> Result<(), Refusal> {
        let product = match product {
            "spot" => Product::Spot,
            "coins" => Product::CoinDeposit,
            "option" => Product::Option,
            "contract" => Product::Contract,
            "flash" => Product::Flash,
            "loan" => Product::Loan,
            "subscription" => Product::Subscription,
            "plan" => Product::Plan,
            _ => Product::BankDeposit,
        };
        let paused = |(of, at): &(Product, Option<u32>)| *of == product && (at.is_none() || *at == pair);
        need(!self.world.paused.iter().any(paused), "E_DISABLED")
    }

    pub(super) fn operate(&mut self, id: u64, operate: &Operate) -> Result<Done, Refusal> {
        self.may(operate.by, &operate.act)?;
        let done = self.do_act(id, operate.by, &operate.act)?;
        self.learn(operate.by);
        Ok(done)
    }

    fn do_act(&mut self, id: u64, by: Reviewer, act: &OperatorAct) -> Result<Done, Refusal> {
        match act {
            OperatorAct::Decide { item, decision, seen } => self.decide(by, *item, *decision, *seen),
            OperatorAct::EnterDeposit { tx, observed, confirmations } => self.enter(id, by, *tx, *observed, *confirmations),
            OperatorAct::MarkSent { withdrawal, tx } => self.mark_sent(by, withdrawal.0, *tx),
            OperatorAct::Freeze { user, scope, .. } => {
                self.not_about(by, user.0)?;
                self.freeze(user.0, *scope)
            }
            OperatorAct::Pause { product, market, on, .. } => {
                let pair = market.map(|market| market.0);
                let of_pairs = matches!(product, Product::Spot | Product::Option | Product::Contract);
                need(pair.is_none_or(|pair| of_pairs && (1..=6).contains(&pair)), "E_MARKET")?;
                let present = self.world.paused.contains(&(*product, pair));
                need(present != *on, "E_STATE")?;
                self.world.paused.retain(|paused| *paused != (*product, pair));
                if *on {
                    self.world.paused.push((*product, pair));
                }
                Ok(Done::Nothing)
            }
            OperatorAct::Propose { proposed, .. } => {
                self.check_possible(proposed)?;
                self.check_person(by, proposed)?;
                self.check_last_word(proposed)?;
                let (proposer, created) = (by.operator.0, self.now);
                let proposal =
                    Proposal { id, proposer, proposed: proposed.clone(), state: "Waiting", created, effective: None, confirmer: None };
                self.world.proposals.push(proposal);
                Ok(self.proposal_done(id))
            }
            OperatorAct::Confirm { proposal, hash } => self.confirm(by, proposal.0, *hash),
            OperatorAct::CancelProposal { proposal } => {
                let own = self.world.proposals.iter_mut().find(|found| found.id == proposal.0 && found.proposer == by.operator.0);
                let Some(own) = own else { return refuse("E_NOT_FOUND") };
                need(own.state == "Waiting", "E_STATE")?;
                own.state = "Cancelled";
                Ok(self.proposal_done(proposal.0))
            }
            OperatorAct::Record(_) => {
                self.world.audited += 1;
                Ok(Done::Nothing)
            }
            OperatorAct::ReleaseOperator { subject } => self.release(by, subject.0),
        }
    }

    fn decide(&mut self, by: Reviewer, item: Item, decision: Decision, seen: SignedVersion) -> Result<Done, Refusal> {
        let found = match item {
            Item::Loan(id) => return self.decide_loan(by, id.0, decision, seen),
            Item::Deposit(id) => {
                self.world.claims.iter().find(|claim| claim.id == id.0).map(|claim| (claim.state, claim.version, claim.user))
            }
            Item::Withdrawal(id) => {
                self.world.papers.iter().find(|paper| paper.id == id.0).map(|paper| (paper.state, paper.version, paper.user))
            }
            Item::Identity(id) => {
                self.world.levels.iter().find(|(_, level)| level.id == id.0).map(|((user, _), level)| (level.state, level.version, *user))
            }
        };
        let Some((state, version, user)) = found else { return refuse("E_NOT_FOUND") };
        need(state == "UnderReview", "E_STATE")?;
        need(seen.version == version && seen.hash != WRONG_HASH, "E_VERSION")?;
        self.not_about(by, user)?;
        match (item, decision) {
            (Item::Deposit(id), Decision::Approve) => {
                let linked = self.world.claims.iter().find(|claim| claim.id == id.0).and_then(|claim| claim.seen);
                let Some(linked) = linked else { return refuse("E_NOT_FOUND") };
                self.credit(id.0, linked, Some(by.operator.0))
            }
            (Item::Deposit(id), Decision::ApproveWith(payment)) => self.credit(id.0, payment.0, Some(by.operator.0)),
            (Item::Deposit(id), Decision::ApproveBank(reference)) => self.approve_bank(id.0, reference, by),
            (Item::Deposit(id), Decision::Reject { .. }) => self.reject_claim(id.0),
            (Item::Withdrawal(id), Decision::Approve) => {
                let now = self.now;
                self.person(user)?.check_frozen(now, false)?;
                need(self.verified(user, KycLevel::Basic), "E_KYC_BASIC")?;
                self.approve_paper(id.0, by)
            }
            (Item::Withdrawal(id), Decision::Reject { .. }) => {
                let paper = self.paper(id.0)?;
                (paper.state, paper.version) = ("Rejected", paper.version + 1);
                Ok(self.paper_done(id.0))
            }
            (Item::Identity(id), Decision::Approve | Decision::Reject { .. }) => {
                let present = self.world.levels.values().find(|level| level.id == id.0).map(|level| level.approvals.clone());
                let approvals = match decision {
                    Decision::Approve => self.approved(by, &present.unwrap_or_default(), user, Roles::VERIFIER, None)?,
                    _ => Vec::new(),
                };
                let found = self.world.levels.iter_mut().find(|(_, level)| level.id == id.0);
                let Some((&(user, kind), level)) = found else { return refuse("E_NOT_FOUND") };
                if matches!(decision, Decision::Approve) {
                    level.approvals = approvals;
                    let enough = level.approvals.len() == if kind == KycLevel::Basic { 1 } else { 2 };
                    level.state = if enough { "Verified" } else { "UnderReview" };
                } else {
                    level.state = "Rejected";
                }
                level.version += 1;
                Ok(self.level_done(user, kind))
            }
            (Item::Withdrawal(_) | Item::Identity(_), Decision::ApproveWith(_) | Decision::ApproveBank(_)) | (Item::Loan(_), _) => {
                refuse("E_STATE")
            }
        }
    }

    fn proposal_done(&self, id: u64) -> Done {
        Done::Object(self.world.proposals.iter().find(|proposal| proposal.id == id).map(Proposal::summary).unwrap_or_default())
    }

    fn check_possible(&mut self, proposed: &Proposed) -> Result<(), Refusal> {
        match proposed {
            Proposed::TreasuryMove { asset, from, to, amount } => self.check_move(asset.0, *from, *to, i128::from(*amount)),
            Proposed::ChangeCatalog { change, effective } => {
                self.check_change(change)?;
                self.check_instant(effective.0, self.waits(change))
            }
            Proposed::ReverseDeposit { observation } => self.may_reverse(observation.0).map(drop),
            Proposed::ReturnWithdrawal { withdrawal } => self.may_return(withdrawal.0).map(drop),
            Proposed::UnmarkSent { withdrawal } => self.may_unmark(withdrawal.0).map(drop),
            Proposed::Unfreeze { user } => self.may_unfreeze(user.0),
            Proposed::RevokeIdentity { user, level } => {
                self.member(user.0)?;
                need(self.verified(user.0, *level), "E_STATE")
            }
            Proposed::SetReferralRole { user, .. } => self.member(user.0),
            Proposed::RetireMarket { market, at } => {
                need((1..=6).contains(&market.0), "E_MARKET")?;
                let same = |other: &Proposal| matches!(other.proposed, Proposed::RetireMarket { market: of, .. } if of == *market);
                let agreed = self.world.proposals.iter().any(|other| same(other) && matches!(other.state, "Confirmed" | "Done"));
                need(!agreed, "E_STATE")?;
                self.check_instant(at.0, false)
            }
            Proposed::SetOperator { .. } => need(!self.knows_operators(), "E_STATE"),
            Proposed::AppointOperator { subject, name, member, .. } => {
                need(self.knows_operators(), "E_STATE")?;
                self.check_appointed(subject.0, *name, *member)
            }
            Proposed::StopProposal { proposal } => {
                need(self.has_terms(), "E_STATE")?;
                let found = self.world.proposals.iter().find(|found| found.id == proposal.0);
                need(found.is_some(), "E_NOT_FOUND")?;
                need(found.is_some_and(|found| found.state == "Confirmed"), "E_STATE")
            }
            Proposed::LaunchOffering { offering } => self.check_launch(offering.0),
        }
    }

    pub(super) fn check_person(&mut self, by: Reviewer, proposed: &Proposed) -> Result<(), Refusal> {
        match proposed {
            Proposed::ReverseDeposit { observation } => {
                let owner = self.may_reverse(observation.0)?;
                self.not_about(by, owner)
            }
            Proposed::ReturnWithdrawal { withdrawal } => {
                let owner = self.may_return(withdrawal.0)?;
                self.not_about(by, owner)
            }
            Proposed::UnmarkSent { withdrawal } => {
                let owner = self.may_unmark(withdrawal.0)?;
                self.not_about(by, owner)
            }
            Proposed::Unfreeze { user } | Proposed::RevokeIdentity { user, .. } | Proposed::SetReferralRole { user, .. } => {
                self.not_about(by, user.0)
            }
            Proposed::SetOperator { subject, .. } => need(!self.is_one(by, subject.0), "E_SELF_REVIEW"),
            Proposed::AppointOperator { subject, member, .. } => {
                need(!self.is_one(by, subject.0), "E_SELF_REVIEW")?;
                member.map_or(Ok(()), |member| self.not_about(by, member.0))
            }
            Proposed::TreasuryMove { .. }
            | Proposed::ChangeCatalog { .. }
            | Proposed::RetireMarket { .. }
            | Proposed::LaunchOffering { .. }
            | Proposed::StopProposal { .. } => Ok(()),
        }
    }

    /// Whether a change waits a day: those that redirect or limit money do, except a first value.
    fn waits(&self, change: &CatalogChange) -> bool {
        match change {
            CatalogChange::Limits(_)
            | CatalogChange::IndexSources { .. }
            | CatalogChange::ListMarket { reference: FirstReference::Index { .. }, .. } => true,
            CatalogChange::Text { kind: kind @ (TextKind::ReceivingKey(_) | TextKind::BankAccount), id, .. } => {
                self.world.texts.contains(&(*kind, *id))
            }
            _ => false,
        }
    }

    fn check_instant(&self, at: u64, waits: bool) -> Result<(), Refusal> {
        let good = at <= self.now.saturating_add(90 * DAY) && (!waits || at >= self.now.saturating_add(DAY));
        need(good || !self.has_terms(), "E_TIME")
    }

    /// L-3. For the fee account: trading fees of earlier days, fees of sent withdrawals, and capital that was added.
    pub fn free(&self, account: HouseAccount, coin: u32) -> i128 {
        if account != HouseAccount::Fee {
            let all = self.world.pools.get(&(account, coin)).copied().unwrap_or(0);
            let bound = self.bound_by_options(account, coin) + self.bound_by_contracts(account, coin);
            let wealth =
                self.bound_by_plans(account, coin) + self.bound_by_loans(account, coin) + self.bound_by_subscriptions(account, coin);
            return all - bound - wealth;
        }
        let today = self.now / DAY;
        let traded: i128 = self.world.day_fees.iter().filter(|((day, of), _)| *day < today && *of == coin).map(|(_, fees)| fees).sum();
        let sent: i128 = self
            .world
            .papers
            .iter()
            .filter(|paper| paper.coin == coin && matches!(paper.state, "Sent" | "Confirmed"))
            .map(|paper| paper.fee)
            .sum();
        traded - self.shared_fees(coin) + sent + self.world.moved_fees.get(&coin).copied().unwrap_or(0)
    }

    fn check_move(&mut self, coin: u32, from: HouseAccount, to: HouseAccount, amount: i128) -> Result<(), Refusal> {
        need(from != to, "E_ACCOUNT")?;
        need((1..=4).contains(&coin) || self.is_token(coin), "E_ASSET")?;
        need(amount > 0 && amount < AMOUNT_LIMIT, "E_AMOUNT")?;
        if from == HouseAccount::External {
            return need(self.outside.get(&coin).copied().unwrap_or(0) + amount < AMOUNT_LIMIT, "E_OVERFLOW");
        }
        need(amount <= self.free(from, coin), "E_FREE_SHORT")
    }

    fn confirm(&mut self, by: Reviewer, id: u64, hash: Digest) -> Result<Done, Refusal> {
        let Some(at) = self.world.proposals.iter().position(|proposal| proposal.id == id) else { return refuse("E_NOT_FOUND") };
        let Proposal { state, proposer, proposed, created, .. } = self.world.proposals[at].clone();
        need(state == "Waiting", "E_STATE")?;
        need(hash != WRONG_HASH, "E_VERSION")?;
        need(!self.is_one(by, proposer), "E_SAME_OPERATOR")?;
        let terms = self.has_terms();
        let mut possible = self.check_possible(&proposed);
        if terms && possible.is_ok() && !self.signs(proposer, self.roles_of(&proposed)) {
            possible = refuse("E_STATE");
        }
        if possible.is_ok() && self.persons_fall() {
            possible = self.check_person(Oracle::as_known(proposer), &proposed);
        }
        if possible.is_ok() {
            self.check_person(by, &proposed)?;
        } else if !terms {
            return possible.map(|()| Done::Nothing);
        }
        let mut effective = self.now;
        if let Proposed::ChangeCatalog { change, effective: asked } = &proposed {
            let wait = if !terms && matches!(change, CatalogChange::IndexSources { .. }) { DAY } else { 0 };
            effective = asked.0.max(self.now.saturating_add(wait));
        }
        if let Proposed::RetireMarket { at, .. } = &proposed {
            effective = at.0.max(self.now.saturating_add(DAY));
        }
        let next = match possible {
            Ok(()) if effective > self.now => "Confirmed",
            Ok(()) => match self.act(proposer, created, &proposed) {
                Ok(()) => self.end_others(&proposed, id),
                Err(_) if terms => "Refused",
                Err(refusal) => return Err(refusal),
            },
            Err(_) => "Refused",
        };
        let proposal = &mut self.world.proposals[at];
        proposal.effective = Some(if next == "Confirmed" { effective } else { self.now });
        proposal.confirmer = Some(by.operator.0);
        proposal.state = next;
        Ok(self.proposal_done(id))
    }

    fn act(&mut self, proposer: u32, created: u64, proposed: &Proposed) -> Result<(), Refusal> {
        match proposed {
            Proposed::TreasuryMove { asset, from, to, amount } => {
                let (coin, amount) = (asset.0, i128::from(*amount));
                self.check_move(coin, *from, *to, amount)?;
                for (account, signed) in [(*from, -amount), (*to, amount)] {
                    match account {
                        HouseAccount::External => *self.outside.entry(coin).or_default() -= signed,
                        HouseAccount::Fee => {
                            *self.fees.entry(coin).or_default() += signed;
                            *self.world.moved_fees.entry(coin).or_default() += signed;
                        }
                        _ => {
                            *self.world.pools.entry((account, coin)).or_default() += signed;
                            self.pool_moved(account, coin, signed);
                            self.option_pool_moved(account, coin, signed);
                        }
                    }
                }
                self.escrow_moved(coin);
            }
            Proposed::ChangeCatalog { change, .. } => {
                self.check_change(change)?;
                match change {
                    CatalogChange::Fee { market, maker, taker } => {
                        self.world.fee_rates.insert(market.0, (i128::from(maker.0), i128::from(taker.0)));
                    }
                    CatalogChange::Network(network) => {
                        self.world.networks.insert((network.asset.0, network.chain), *network);
                    }
                    CatalogChange::Bank(bank) => self.world.bank = *bank,
                    CatalogChange::Limits(limits) => self.world.limits = limits.clone(),
                    CatalogChange::IndexSources { market, sources } => {
                        self.set_sources(market.0, sources.len());
                        self.options.sources.insert(market.0, sources.clone());
                    }
                    CatalogChange::MarketFilters { market, quantity, notional, band_buy, band_sell } => {
                        self.set_filters(*market, *quantity, *notional, [*band_buy, *band_sell]);
                    }
                    CatalogChange::Text { kind, id, .. } => drop(self.world.texts.insert((*kind, *id))),
                    CatalogChange::ListCoin(coin) => drop(self.world.coins.insert(coin.id.0)),
                    CatalogChange::ListMarket { market, .. } => drop(self.world.pairs.insert(market.id.0)),
                    CatalogChange::OptionDuration(terms) => self.set_length(terms),
                    CatalogChange::OptionShared(terms) => self.set_shared(terms),
                    CatalogChange::ContractTerms(terms) => self.set_terms(terms),
                    CatalogChange::ConversionTerms(terms) => self.set_conversion_terms(terms),
                    CatalogChange::LoanProduct(product) => self.set_loan_product(product),
                    CatalogChange::LoanShared(shared) => self.set_loan_shared(shared),
                    CatalogChange::Offering(terms) => self.list_offering(terms),
                    CatalogChange::Plan(plan) => self.set_plan(plan),
                }
                self.world.versions += 1;
            }
            Proposed::ReverseDeposit { observation } => self.reverse(observation.0, self.agreed(created))?,
            Proposed::ReturnWithdrawal { withdrawal } => self.return_paper(withdrawal.0)?,
            Proposed::UnmarkSent { withdrawal } => self.unmark(withdrawal.0, self.agreed(created))?,
            Proposed::Unfreeze { user } => self.unfreeze(user.0)?,
            Proposed::RevokeIdentity { user, level } => self.revoke(user.0, *level)?,
            Proposed::SetReferralRole { user, role } => self.set_role(user.0, *role)?,
            Proposed::RetireMarket { market, .. } => {
                self.world.retired.insert(market.0);
                let open: Vec<u64> = self.spot.live.values().filter(|order| order.pair == market.0).map(|order| order.id).collect();
                open.iter().for_each(|id| self.spot.finish(*id, State::Cancelled, Some("RETIRED")));
                self.retire_contracts(market.0);
            }
            Proposed::LaunchOffering { offering } => self.launch(offering.0)?,
            Proposed::SetOperator { .. } => {}
            Proposed::AppointOperator { subject, name, roles, active, member, .. } => {
                let member = member.map(|member| member.0);
                let appointed = Operator { name: *name, roles: roles.0, active: *active, member, waits_for: None };
                self.appoint(proposer, subject.0, appointed)?;
            }
            Proposed::StopProposal { proposal } => {
                let stopped = self.world.proposals.iter_mut().find(|found| found.id == proposal.0 && found.state == "Confirmed");
                let Some(stopped) = stopped else { return refuse("E_STATE") };
                stopped.state = "Cancelled";
            }
        }
        Ok(())
    }

    /// Every object as text, as on the engine's side: people first, then withdrawals by number.
    pub fn objects(&self) -> Vec<String> {
        let people = self.members.iter().map(|user| self.world.people.get(user).cloned().unwrap_or_default().summary());
        let levels =
            self.members.iter().flat_map(|user| [KycLevel::Basic, KycLevel::Advanced].map(|level| self.level_summary(*user, level)));
        let limits = self.members.iter().map(|user| self.limits_summary(*user));
        let mut all: Vec<String> = people.chain(levels.flatten()).chain(limits).collect();
        all.extend(self.world.claims.iter().map(Claim::summary));
        all.extend(self.world.payments.iter().map(Payment::summary));
        all.extend(self.world.papers.iter().map(Paper::summary));
        all.extend(self.disputes());
        all.extend(self.world.proposals.iter().map(Proposal::summary));
        let operators: Vec<u32> = self.world.operators.keys().copied().collect();
        all.extend(operators.into_iter().map(|id| self.operator_summary(id)));
        all.extend(self.option_summaries());
        all.extend(self.contract_summaries());
        all.extend(self.conversion_summaries());
        all.extend(self.loan_summaries());
        all.extend(self.subscription_summaries());
        all.extend(self.referral_summaries());
        all.extend(self.plan_summaries());
        all.push(format!("{} versions, {} notes", self.world.versions, self.world.audited));
        all
    }

    /// Numbers of objects that can be decided or changed; those that wait for a person come last.
    pub fn numbers(&self) -> Numbers {
        let waiting_last = |mut all: Vec<(bool, u64)>| {
            all.sort_unstable();
            all.into_iter().map(|(_, id)| id).collect()
        };
        let world = &self.world;
        Numbers {
            claims: waiting_last(world.claims.iter().map(|claim| (claim.state == "UnderReview", claim.id)).collect()),
            payments: world.payments.iter().map(|payment| payment.id).collect(),
            reversible: world.payments.iter().filter(|payment| self.part(payment).is_some()).map(|payment| payment.id).collect(),
            credited: self.credited(),
            papers: waiting_last(world.papers.iter().map(|paper| (matches!(paper.state, "UnderReview" | "Passed"), paper.id)).collect()),
            unsent: world.papers.iter().filter(|paper| paper.state == "Passed").map(|paper| paper.id).collect(),
            marked: world.papers.iter().filter(|paper| paper.state == "Sent").map(|paper| paper.id).collect(),
            frozen: world.people.iter().filter(|(_, person)| person.needs_two()).map(|(user, _)| *user).collect(),
            submissions: waiting_last(world.levels.values().map(|level| (level.state == "UnderReview", level.id)).collect()),
            proposals: waiting_last(world.proposals.iter().map(|found| (found.state == "Waiting", found.id)).collect()),
            confirmed: world.proposals.iter().filter(|found| found.state == "Confirmed").map(|found| found.id).collect(),
            addresses: world.stored.iter().filter_map(|s| s.way.map(|(coin, chain)| (s.user, s.id, coin, chain))).collect(),
            cards: world.stored.iter().filter(|s| s.way.is_none()).map(|s| (s.user, s.id)).collect(),
        }
    }

    pub(super) fn pair_rates(&self, pair: u32) -> (i128, i128) {
        self.world.fee_rates.get(&pair).copied().unwrap_or((80_000, 100_000))
    }
}

/// Numbers of objects, for generating commands.
#[derive(Debug, Default)]
pub struct Numbers {
    /// Deposit claims.
    pub claims: Vec<u64>,
    /// Observed payments.
    pub payments: Vec<u64>,
    /// Payments that can be reversed (D-7).
    pub reversible: Vec<u64>,
    /// Transactions of credited payments.
    pub credited: Vec<Digest>,
    /// Withdrawals.
    pub papers: Vec<u64>,
    /// Withdrawals that passed and were not sent.
    pub unsent: Vec<u64>,
    /// Withdrawals marked as sent.
    pub marked: Vec<u64>,
    /// Members whose freeze only two operators can lift.
    pub frozen: Vec<u64>,
    /// Identity submissions.
    pub submissions: Vec<u64>,
    /// Proposals.
    pub proposals: Vec<u64>,
    /// Proposals that wait for their instant.
    pub confirmed: Vec<u64>,
    /// Owner, number, coin and chain of addresses.
    pub addresses: Vec<(u64, u64, u32, Chain)>,
    /// Owner and number of cards.
    pub cards: Vec<(u64, u64)>,
}

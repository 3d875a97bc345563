//! Random commands about people, external money, and operators.

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{AuditAction, AuditNote, AuditObject, Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::funding::{BankTerms, Chain, Limits, Network};
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::command::Command;
use engine::funding::deposits::{Claimed, Observed};
use engine::funding::payouts::{Paid, PayoutReport};
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{
    AddressId, AssetId, CardId, DepositId, Digest, MarketId, ObservationId, OperatorId, ProposalId, SubmissionId, UserId, WithdrawalId,
};
use engine::ledger::HouseAccount;
use engine::listing::change::{CatalogChange, FirstReference, TextKind};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};
use engine::product::Product;
use engine::reject::CodeFault;
use engine::security::{FreezeScope, FundPasswordChange, ReferralRole};
use engine::self_limits::SelfLimit;
use engine::time::{DAY_MS, HOUR_MS, Time};

use super::Workload;
use crate::oracle::{Numbers, Oracle, WRONG_HASH};

/// The usual coins on their chains, and one that does not exist.
const WAYS: [(u32, Chain); 7] =
    [(1, Chain::Btc), (2, Chain::Erc20), (3, Chain::Trc20), (3, Chain::Erc20), (4, Chain::Erc20), (4, Chain::Trc20), (1, Chain::Trc20)];

impl Workload {
    fn digest(&mut self, different: u8) -> Digest {
        Digest([self.rng.u8(1..=different); 32])
    }

    fn one_of(&mut self, numbers: &[u64]) -> u64 {
        // The newest ones can still change.
        match numbers.len() {
            0 => self.garbage(),
            length if self.rng.u8(..4) != 0 => numbers[length - 1 - self.rng.usize(..length.min(4))],
            length => numbers[self.rng.usize(..length)],
        }
    }

    fn network(&mut self) -> (AssetId, Chain) {
        let (coin, chain) = if self.rng.bool() { WAYS[2] } else { WAYS[self.rng.usize(..WAYS.len())] };
        (AssetId(coin), chain)
    }

    /// Mostly between the minimums and a day's limits.
    fn sum(&mut self, coin: u32) -> u64 {
        let unit = if coin < 3 { 100_000 } else { 1_000_000 };
        let sum = match self.rng.u8(..8) {
            0 => unit * [1, 10, 20, 50][self.rng.usize(..4)],
            1 => unit * [1, 10, 20, 50][self.rng.usize(..4)] - 1,
            2 => unit * self.rng.u64(1..12_000),
            3 => unit * self.rng.u64(1..120_000),
            _ => unit * self.rng.u64(10..3_000) + self.rng.u64(..3),
        };
        self.or_garbage(sum)
    }

    fn verification(&mut self) -> Verification {
        let faults = [CodeFault::Wrong, CodeFault::Locked, CodeFault::SecondFactorMissing, CodeFault::SecondFactorWrong];
        let code = (self.rng.u8(..30) == 0).then(|| faults[self.rng.usize(..4)]);
        Verification { fund_password_right: self.rng.u8(..8) > if self.options.careless { 5 } else { 0 }, code }
    }

    fn level(&mut self) -> KycLevel {
        if self.rng.u8(..3) == 0 { KycLevel::Advanced } else { KycLevel::Basic }
    }

    /// A member's or a watcher's command.
    pub(super) fn person(&mut self, oracle: &Oracle, user: UserId) -> Command {
        // One careless member acts again and again, because a day's limits are per member.
        let user = if self.options.careless && self.rng.bool() { UserId(1) } else { user };
        let numbers = oracle.numbers();
        let cards: Vec<u64> = numbers.cards.iter().filter(|(owner, _)| *owner == user.0).map(|(_, id)| *id).collect();
        let ways: Vec<(u64, u32, Chain)> =
            numbers.addresses.iter().filter(|(owner, ..)| *owner == user.0).map(|(_, id, coin, chain)| (*id, *coin, *chain)).collect();
        let addresses: Vec<u64> = ways.iter().map(|(id, ..)| *id).collect();
        let (unverified, no_fund_password) = oracle.lacks(user.0);
        if unverified && (self.options.careless || self.rng.u8(..3) == 0) {
            return Command::SubmitIdentity { user, level: KycLevel::Basic, document: self.digest(60), content: self.digest(200) };
        }
        if no_fund_password && self.rng.u8(..3) == 0 {
            return Command::SetFundPassword { user, change: FundPasswordChange::First };
        }
        let kind = if self.options.careless && self.rng.u8(..8) == 0 { 5 } else { self.rng.u8(..24) };
        match kind {
            0 | 1 => {
                let level = self.level();
                Command::SubmitIdentity { user, level, document: self.digest(6), content: self.digest(200) }
            }
            2 => {
                let change = match self.rng.u8(..10) {
                    0 if self.rng.u8(..4) == 0 => FundPasswordChange::Reset,
                    1 if self.rng.u8(..4) == 0 => FundPasswordChange::Change { old_right: true },
                    2..=6 => FundPasswordChange::Change { old_right: false },
                    _ => FundPasswordChange::First,
                };
                Command::SetFundPassword { user, change }
            }
            3 | 4 => {
                let (asset, chain) = self.network();
                Command::AddAddress { user, asset, chain, destination: self.digest(30), verification: self.verification() }
            }
            5 => Command::AddCard { user, number: self.digest(12), destination: self.digest(200) },
            6 => match self.rng.bool() {
                true => Command::RemoveAddress { user, address: AddressId(self.one_of(&addresses)) },
                false => Command::RemoveCard { user, card: CardId(self.one_of(&cards)) },
            },
            7 | 8 => {
                let (asset, chain) = self.network();
                let amount = self.sum(asset.0);
                let claimed = match self.rng.u8(..3) {
                    0 => Claimed::Bank { cents: self.or_garbage(self.options.seed % 3 * 999 + 1_000) },
                    _ => Claimed::Coin { asset, chain, amount },
                };
                Command::ClaimDeposit { user, claimed, proof: self.digest(200) }
            }
            9 | 10 => Command::CancelWithdrawal { user, withdrawal: WithdrawalId(self.one_of(&numbers.papers)) },
            11 | 12 if self.rng.u8(..3) == 0 => Command::SetSelfLimits { user, changes: self.limits() },
            11 if self.rng.u8(..8) == 0 => Command::RecordSecurityChange { user },
            11 if self.rng.u8(..20) == 0 => {
                let until = self.rng.bool().then(|| Time((self.time + self.rng.u64(..3 * DAY_MS)).saturating_sub(HOUR_MS)));
                Command::FreezeSelf { user, until }
            }
            14 | 15 if self.rng.bool() && !oracle.payouts().is_empty() => self.payout(oracle),
            11..=14 => {
                let (asset, chain) = self.network();
                let observed = Observed { user, asset, chain, amount: self.sum(asset.0) };
                // The first few include those that operators enter by hand.
                let few = [8, 40][self.rng.usize(..2)];
                Command::ObserveDeposit { tx: self.digest(few), observed, confirmations: self.rng.u32(..40) }
            }
            15 => {
                let credited = &numbers.credited;
                let any = credited.is_empty() || self.rng.bool();
                let tx = if any { self.digest(40) } else { credited[self.rng.usize(..credited.len())] };
                Command::ReportReorganisation { tx }
            }
            _ => self.withdrawal(oracle, user, &ways, &cards),
        }
    }

    /// One to three limits, around the earlier values.
    fn limits(&mut self) -> Vec<(SelfLimit, Option<u64>)> {
        (0..self.rng.u8(1..4))
            .map(|_| {
                let limit = SelfLimit::ALL[self.rng.usize(..4)];
                let around = match limit {
                    SelfLimit::PauseUntil => (self.time + self.rng.u64(..3 * DAY_MS)).saturating_sub(HOUR_MS),
                    SelfLimit::OptionStakeDay | SelfLimit::LossDay | SelfLimit::LeverageMax => self.rng.u64(..6),
                };
                let value = (self.rng.u8(..4) != 0).then_some(around).map(|value| self.or_garbage(value));
                (limit, value)
            })
            .collect()
    }

    fn withdrawal(&mut self, oracle: &Oracle, user: UserId, ways: &[(u64, u32, Chain)], cards: &[u64]) -> Command {
        let (asset, destination) = if !cards.is_empty() && self.rng.u8(..4) == 0 {
            (AssetId(if self.rng.u8(..9) == 0 { 1 } else { 3 }), Destination::Card(CardId(self.one_of(cards))))
        } else if !ways.is_empty() && self.rng.u8(..8) != 0 {
            let (address, coin, chain) = ways[self.rng.usize(..ways.len())];
            (AssetId(coin), Destination::Address { address: AddressId(address), chain })
        } else if self.rng.bool() {
            let (asset, chain) = self.network();
            return Command::AddAddress { user, asset, chain, destination: self.digest(30), verification: self.verification() };
        } else {
            let (asset, chain) = self.network();
            let address = ways.first().map_or_else(|| self.garbage(), |(address, ..)| *address);
            (asset, Destination::Address { address: AddressId(address), chain })
        };
        let sum = self.sum(asset.0);
        let available = oracle.balance(user.0, Wallet::Spot, asset.0).map_or(0, |(available, _)| available);
        let available = u64::try_from(available).unwrap_or(0);
        let amount = if self.rng.u8(..8) == 0 { available } else { sum };
        if available < amount && self.rng.u8(..4) != 0 {
            return Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount: self.rng.u64(1..100_000_000_000) };
        }
        let way = match destination {
            Destination::Address { chain, .. } => Some((asset.0, chain)),
            Destination::Card(_) => None,
        };
        // Every other one states the amount that arrives by the model; other sums are in the scenarios.
        let arrives = u64::try_from(oracle.brings(way, amount.into())).ok().filter(|_| amount.is_multiple_of(2));
        Command::Withdraw(Withdraw { user, asset, amount, destination, verification: self.verification(), arrives })
    }

    /// A chain's report about one of the last payouts, mostly true.
    fn payout(&mut self, oracle: &Oracle) -> Command {
        let payouts = oracle.payouts();
        let newest = payouts.len() - payouts.len().min(5);
        let known = (newest < payouts.len()).then(|| payouts[self.rng.usize(newest..payouts.len())]);
        let nothing = Paid { asset: AssetId(3), amount: self.garbage(), destination: self.digest(30) };
        let (id, mut tx, mut paid) = known.unwrap_or_else(|| (self.garbage(), self.digest(60), nothing));
        let kind = self.rng.u8(..8);
        match kind {
            0 => tx = self.digest(60),
            1 => paid.amount = self.or_garbage(paid.amount.saturating_sub(1)),
            2 => paid.destination = self.digest(30),
            3 => paid.asset = AssetId(self.rng.u32(1..5)),
            _ => {}
        }
        let paid = (kind < 6).then_some(paid);
        let confirmations = self.rng.u32(..60);
        Command::ReportPayout(PayoutReport { withdrawal: WithdrawalId(id), tx, paid, confirmations })
    }

    fn reviewer(&mut self) -> Reviewer {
        let member = (self.rng.u8(..10) == 0).then(|| UserId(1 + self.rng.u64(..self.options.members)));
        // The first three always have all roles. Of the others two are one person, one is unknown, and some come and go.
        let operator = if self.rng.u8(..8) == 0 { self.rng.u32(4..10) } else { self.rng.u32(1..4) };
        Reviewer { operator: OperatorId(operator), member }
    }

    /// An operator declared before the log knows operators.
    pub(super) fn first_operator(number: u32) -> Declared {
        Declared {
            operator: OperatorId(number),
            name: operator_name(number),
            roles: Roles::ANY,
            active: true,
            member: (number > 3).then_some(UserId(1)),
            cause: Cause::Before,
        }
    }

    /// The machine's declaration of an operator who is not among the first.
    fn declared(&mut self, user: UserId) -> Declared {
        let number = self.rng.u32(4..10);
        let last = if number.is_multiple_of(2) { Cause::Linked } else { Cause::Sandbox };
        Declared {
            operator: OperatorId(number),
            name: operator_name(if self.rng.u8(..12) == 0 { 4 } else { number }),
            roles: Roles(self.rng.u8(..64)),
            active: self.rng.bool(),
            member: self.rng.bool().then_some(user),
            cause: [Cause::Before, Cause::Machine, Cause::Rescue, last][self.rng.usize(..4)],
        }
    }

    /// Mostly the proposer of a new operator releases them.
    fn release(&mut self, engine: &Engine, by: Reviewer) -> Command {
        let waiting = engine.operators().find_map(|known| Some((known.id, known.waits_for?)));
        let (subject, by) = match waiting.filter(|_| self.rng.u8(..4) != 0) {
            Some((subject, operator)) => (subject, Reviewer { operator, member: None }),
            None => (OperatorId(self.rng.u32(4..10)), by),
        };
        Command::Operate(Box::new(Operate { by, act: OperatorAct::ReleaseOperator { subject } }))
    }

    /// The signed version is mostly the present one.
    pub(super) fn seen(&mut self, present: Option<SignedVersion>) -> SignedVersion {
        // What the engine does not show yet cannot be signed: its first version may be on its way.
        let present = present.unwrap_or(SignedVersion { version: 1, hash: WRONG_HASH });
        match self.rng.u8(..25) {
            0 => SignedVersion { version: present.version + 1_000, ..present },
            1 => SignedVersion { hash: WRONG_HASH, ..present },
            _ => present,
        }
    }

    /// An operator's act.
    pub(super) fn operator(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        let by = self.reviewer();
        let numbers = oracle.numbers();
        let reason = Digest([7; 32]);
        let act = match self.rng.u8(..38) {
            36 => return Command::DeclareOperator(self.declared(user)),
            37 => return self.release(engine, by),
            0..=17 => self.decision(&numbers, engine),
            18 | 19 => {
                let (asset, chain) = self.network();
                let amount = if self.rng.bool() { 25_000_000 } else { self.sum(asset.0) };
                let observed = Observed { user, asset, chain, amount };
                OperatorAct::EnterDeposit { tx: self.digest(8), observed, confirmations: self.rng.u32(..40) }
            }
            20 | 21 => {
                let papers = if self.rng.bool() { &numbers.papers } else { &numbers.unsent };
                OperatorAct::MarkSent { withdrawal: WithdrawalId(self.one_of(papers)), tx: self.digest(60) }
            }
            22 if self.rng.u8(..12) == 0 => {
                let scope = if self.rng.bool() { FreezeScope::All } else { FreezeScope::Withdrawals };
                OperatorAct::Freeze { user, scope, reason }
            }
            22 => OperatorAct::Record(AuditNote { action: AuditAction::View, object: AuditObject::Member, id: user.0, reason }),
            23 => {
                let paused: Vec<Product> = Product::ALL.into_iter().filter(|product| product.may_pause()).collect();
                let product = paused[self.rng.usize(..paused.len())];
                let market = (self.rng.u8(..3) == 0).then(|| MarketId(self.rng.u32(..8)));
                OperatorAct::Pause { product, market, on: self.rng.u8(..4) == 0, reason }
            }
            24..=27 => OperatorAct::Propose { proposed: self.proposed(oracle, user), reason },
            28 => OperatorAct::CancelProposal { proposal: ProposalId(self.one_of(&numbers.proposals)) },
            _ => {
                let proposal = ProposalId(self.one_of(&numbers.proposals));
                let present = engine.proposal(proposal).map(|found| SignedVersion { version: 1, hash: found.hash() });
                OperatorAct::Confirm { proposal, hash: self.seen(present).hash }
            }
        };
        Command::Operate(Box::new(Operate { by, act }))
    }

    fn decision(&mut self, numbers: &Numbers, engine: &Engine) -> OperatorAct {
        // Careless members' documents are often rejected.
        let kind = if self.options.careless && self.rng.u8(..4) != 0 { 2 } else { self.rng.u8(..4) };
        let (item, present) = match kind {
            0 => {
                let id = DepositId(self.one_of(&numbers.claims));
                (Item::Deposit(id), engine.deposit(id).map(|found| found.seen()))
            }
            1 | 3 => {
                let id = WithdrawalId(self.one_of(&numbers.papers));
                (Item::Withdrawal(id), engine.withdrawal(id).map(|found| found.seen()))
            }
            _ => {
                let id = SubmissionId(self.one_of(&numbers.submissions));
                (Item::Identity(id), engine.submission(id).map(|found| found.seen()))
            }
        };
        let of_ten = match item {
            // Three rejected papers a day are the limit.
            Item::Identity(_) if self.options.careless => 9,
            _ if self.options.careless => 7,
            _ => 1,
        };
        let reject = self.rng.u8(..10) < of_ten;
        let decision = match item {
            _ if reject => Decision::Reject { reason: Digest([8; 32]) },
            Item::Deposit(_) => match self.rng.u8(..3) {
                0 => Decision::Approve,
                1 => Decision::ApproveWith(ObservationId(self.one_of(&numbers.payments))),
                _ => Decision::ApproveBank(self.digest(3)),
            },
            Item::Withdrawal(_) | Item::Identity(_) | Item::Loan(_) if self.rng.u8(..40) == 0 => Decision::ApproveBank(self.digest(3)),
            Item::Withdrawal(_) | Item::Identity(_) | Item::Loan(_) => Decision::Approve,
        };
        OperatorAct::Decide { item, decision, seen: self.seen(present) }
    }

    fn proposed(&mut self, oracle: &Oracle, user: UserId) -> Proposed {
        let numbers = oracle.numbers();
        if let Some(correction) = self.correction(&numbers) {
            return correction;
        }
        // Few are confirmed ahead of their instant, and not by much.
        if oracle.knows_operators() && !numbers.confirmed.is_empty() && self.rng.u8(..3) == 0 {
            return Proposed::StopProposal { proposal: ProposalId(self.one_of(&numbers.confirmed)) };
        }
        match self.rng.u8(..24) {
            20 | 21 if oracle.knows_operators() => {
                let number = self.rng.u32(4..10);
                let (name, roles) = (operator_name(number), Roles(self.rng.u8(..64)));
                let member = self.rng.bool().then_some(user);
                Proposed::AppointOperator { subject: OperatorId(number), name, roles, active: self.rng.u8(..4) != 0, member, mail: None }
            }
            22 | 23 if oracle.knows_operators() => Proposed::StopProposal { proposal: ProposalId(self.one_of(&numbers.confirmed)) },
            13..=15 => Proposed::RetireMarket { market: MarketId(self.rng.u32(..8)), at: Time(self.time + self.rng.u64(..2 * DAY_MS)) },
            0..=2 => {
                let mut account = || {
                    let pools = [
                        HouseAccount::OptionPool,
                        HouseAccount::ContractPool,
                        HouseAccount::FlashPool,
                        HouseAccount::LoanTreasury,
                        HouseAccount::PlanTreasury,
                    ];
                    let accounts =
                        [HouseAccount::Fee, HouseAccount::Insurance, HouseAccount::External, pools[self.rng.usize(..pools.len())]];
                    accounts[self.rng.usize(..4)]
                };
                let (from, to) = (account(), account());
                let asset = AssetId(self.rng.u32(1..6));
                let free = u64::try_from(oracle.free(from, asset.0)).unwrap_or(0);
                let amount = match self.rng.u8(..4) {
                    0 => free + 1,
                    1 => free,
                    _ => self.rng.u64(..=free.min(1 << 40) + 1_000),
                };
                Proposed::TreasuryMove { asset, from, to, amount: self.or_garbage(amount) }
            }
            3..=6 | 16..=19 => {
                let change = self.catalog_change();
                // A change that waits a day is mostly signed early enough.
                let ahead = match self.rng.u8(..12) {
                    0 => 91 * DAY_MS,
                    1 | 2 => self.rng.u64(..2 * DAY_MS),
                    3..=10
                        if matches!(change, CatalogChange::Limits(_) | CatalogChange::IndexSources { .. } | CatalogChange::Text { .. }) =>
                    {
                        DAY_MS + self.rng.u64(..2 * DAY_MS)
                    }
                    _ => 0,
                };
                Proposed::ChangeCatalog { change, effective: Time(self.time + ahead) }
            }
            7 => Proposed::ReverseDeposit { observation: ObservationId(self.one_of(&numbers.payments)) },
            8 => Proposed::ReturnWithdrawal { withdrawal: WithdrawalId(self.one_of(&numbers.papers)) },
            9 | 10 => Proposed::Unfreeze { user },
            11 => Proposed::RevokeIdentity { user, level: self.level() },
            12 => {
                let role = [ReferralRole::User, ReferralRole::Promoter, ReferralRole::Partner][self.rng.usize(..3)];
                Proposed::SetReferralRole { user, role }
            }
            _ => Proposed::SetOperator {
                subject: OperatorId(self.rng.u32(1..6)),
                name: self.digest(9),
                roles: self.rng.u8(..),
                active: self.rng.bool(),
            },
        }
    }

    /// Occasionally corrects something that is wrong.
    fn correction(&mut self, numbers: &Numbers) -> Option<Proposed> {
        let kind = self.rng.u8(..6);
        let mut one = |all: &[u64]| (!all.is_empty()).then(|| self.one_of(all));
        match kind {
            0 => one(&numbers.reversible).map(|id| Proposed::ReverseDeposit { observation: ObservationId(id) }),
            1 | 2 => one(&numbers.unsent).map(|id| Proposed::ReturnWithdrawal { withdrawal: WithdrawalId(id) }),
            4 | 5 => one(&numbers.marked).map(|id| Proposed::UnmarkSent { withdrawal: WithdrawalId(id) }),
            3 => one(&numbers.frozen).map(|user| Proposed::Unfreeze { user: UserId(user) }),
            _ => None,
        }
    }

    fn filters(&mut self) -> CatalogChange {
        let pair = self.pair();
        let step = u64::try_from(pair.step).unwrap_or(1);
        let mut band = || (Rate(100_000_000 - self.rng.u64(..2_000_000)), Rate(100_000_000 + self.rng.u64(..2_000_000)));
        let (band_buy, band_sell) = (band(), band());
        let least = self.rng.u64(..40) * step;
        CatalogChange::MarketFilters {
            market: MarketId(if self.rng.u8(..6) == 0 { self.rng.u32(..8) } else { pair.id }),
            quantity: (least, (least + step) * self.rng.u64(1..10_000)),
            notional: (self.rng.u64(..20_000_000), self.rng.u64(1..1_000_000) * 1_000_000),
            band_buy,
            band_sell,
        }
    }

    fn listing(&mut self) -> CatalogChange {
        let id = [1, 101, 101, 101][self.rng.usize(..4)];
        let code = format!("TOK{id}");
        if self.rng.bool() {
            let wallets = vec![Wallet::Spot, Wallet::Earn];
            return CatalogChange::ListCoin(Box::new(Asset { id: AssetId(id), code, scale: 8, wallets, faucet_max: 0 }));
        }
        let id = id.max(101);
        let like = Catalog::standard().markets[0].clone();
        // Half of them are too small for their fees.
        let min_quantity = like.min_quantity * self.rng.u64(1..=2);
        let market = Market { id: MarketId(id), symbol: format!("TOK{id}/USDT"), base: AssetId(id), min_quantity, ..like };
        CatalogChange::ListMarket { market: Box::new(market), reference: FirstReference::IssuePrice(Price(10_000_000)) }
    }

    fn catalog_change(&mut self) -> CatalogChange {
        let terms = Catalog::standard().funding;
        match self.rng.u8(..28) {
            24 | 25 => self.plan_terms(),
            20 | 21 => self.conversion_terms(),
            22 | 23 | 26 | 27 => self.loan_terms(),
            18 | 19 => self.contract_terms(),
            16 | 17 => self.option_terms(),
            0 | 1 => CatalogChange::Fee {
                market: MarketId(self.rng.u32(..8)),
                maker: Rate(self.rng.u64(..300_000)),
                taker: Rate(if self.rng.u8(..6) == 0 { 100_000_001 } else { self.rng.u64(..300_000) }),
            },
            2 | 3 => {
                let (asset, chain) = self.network();
                let mut network = terms.network(asset, chain).copied().unwrap_or(Network { asset, chain, ..terms.networks[0] });
                network.confirmations = self.rng.u32(..40);
                network.withdraw_fee = network.withdraw_min * self.rng.u64(..6) / 4;
                network.deposit_on = self.rng.u8(..8) != 0;
                network.withdraw_on = self.rng.u8(..8) != 0;
                CatalogChange::Network(network)
            }
            4 => CatalogChange::Bank(BankTerms {
                payout_rate: Price(self.rng.u64(..200_000_000)),
                deposit_rate: Price(self.rng.u64(1..200_000_000)),
                withdraw_fee_min: self.rng.u64(..60_000_000),
                withdraw_on: self.rng.u8(..8) != 0,
                ..terms.bank
            }),
            5 | 13 => {
                let withdraw_day_basic = self.rng.u64(1..60) * 1_000_000_000;
                let unattended = self.rng.u64(..3) * 1_000_000_000;
                CatalogChange::Limits(Limits { withdraw_day_basic, deposit_unattended_below: unattended, ..terms.limits })
            }
            6 | 14 => {
                let names = ["alder", "birch", "cedar", "hazel", "maple", "rowan"];
                let sources = names
                    .iter()
                    .take(if self.rng.u8(..4) == 0 { 2 } else { self.rng.usize(3..7) })
                    .map(|name| (*name).to_owned())
                    .collect();
                CatalogChange::IndexSources {
                    market: MarketId(if self.rng.u8(..4) == 0 { self.rng.u32(..7) } else { self.rng.u32(1..3) }),
                    sources,
                }
            }
            7 | 8 => self.filters(),
            9 | 10 | 12 => self.listing(),
            _ => CatalogChange::Text { kind: TextKind::Country, id: self.rng.u32(..9), digest: self.digest(200) },
        }
    }
}

fn operator_name(number: u32) -> Digest {
    Digest([100 + number.to_le_bytes()[0]; 32])
}

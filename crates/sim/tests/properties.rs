//! Properties of money arithmetic, of the written form of entries, and of snapshots.

use engine::Engine;
use engine::amount::{MAX_AMOUNT, Price, Rate, format_decimal, parse_decimal};
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::funding::{Chain, FundingTerms, Network};
use engine::catalog::{Catalog, Wallet};
use engine::codec::{Encoded, KINDS, decode, encode};
use engine::command::{Command, Entry, Genesis, Mode, Request};
use engine::feature::Feature;
use engine::funding::deposits::{Claimed, Observed};
use engine::funding::payouts::{Paid, PayoutReport};
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{
    AddressId, AssetId, CardId, ClientOrderId, DepositId, Digest, MarketId, ObservationId, OperatorId, OrderId, ProposalId, Seq,
    SubmissionId, UserId, WithdrawalId,
};
use engine::index::{MarketQuotes, Quote};
use engine::ledger::HouseAccount;
use engine::liabilities::{CoinRoot, RecordLiabilities};
use engine::listing::change::CatalogChange;
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};
use engine::product::Product;
use engine::reject::CodeFault;
use engine::security::{FreezeScope, FundPasswordChange};
use engine::self_limits::SelfLimit;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::time::Time;
use engine::units::{charge_on_running_total, rate_up};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use sim::options::Options;
use sim::oracle::Oracle;
use sim::workload::Workload;

/// A failure prints its smallest input; none is stored in a file.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn an_amount_reads_back_as_it_was_printed(value in 0..MAX_AMOUNT, scale in 0_u8..=8) {
        prop_assert_eq!(parse_decimal(&format_decimal(value, scale, scale), scale, MAX_AMOUNT), Ok(value));
    }

    #[test]
    fn a_text_that_reads_prints_as_the_same_amount(text in "(0|[1-9][0-9]{0,11})(\\.[0-9]{1,8})?") {
        let value = parse_decimal(&text, 8, u64::MAX);
        if let Ok(value) = value {
            prop_assert_eq!(parse_decimal(&format_decimal(value, 8, 8), 8, u64::MAX), Ok(value));
            let digits = |text: &str| { let (whole, part) = text.split_once('.').unwrap_or((text, "")); format!("{whole}.{part:0<8}") };
            prop_assert_eq!(digits(&text), format_decimal(value, 8, 8));
        }
    }

    #[test]
    fn any_text_reads_or_is_refused(text in any::<String>(), scale in 0_u8..=18, limit in any::<u64>()) {
        if let Ok(value) = parse_decimal(&text, scale, limit) {
            prop_assert!(value < limit && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        }
    }

    /// however a total is split, the charges are those of the whole, and each is between 0 and the part.
    #[test]
    fn the_fee_does_not_depend_on_the_split(parts in vec(prop_oneof![1_u64..10, 0_u64..1_000_000_000_000], 1..40), rate in 0..=100_000_000_u64) {
        let (mut total, mut paid) = (0, 0);
        for part in parts {
            let charge = charge_on_running_total(total, part, Rate(rate)).unwrap();
            prop_assert!(charge <= part);
            total += part;
            paid += charge;
        }
        let exact = u128::from(total) * u128::from(rate);
        prop_assert_eq!(u128::from(paid), exact.div_ceil(100_000_000));
        prop_assert_eq!(Some(paid), rate_up(total, Rate(rate)));
    }
}

/// A market where one atom of the base is one step; at its only price an atom of the base is worth `unit` atoms of the quote.
struct Bench {
    engine: Engine,
    market: MarketId,
    base: AssetId,
    quote: AssetId,
    price: Price,
    unit: u64,
}

const USER: UserId = UserId(1);
const OTHER: UserId = UserId(2);

impl Bench {
    fn new(btc: bool) -> Bench {
        let mut catalog = Catalog::standard();
        let (at, tick, price, unit) =
            if btc { (0, Price(10_000_000_000), Price(10_000_000_000_000), 1_000) } else { (2, Price(100_000_000), Price(100_000_000), 1) };
        let market = &mut catalog.markets[at];
        (market.tick, market.step, market.min_quantity, market.min_notional) = (tick, 1, 1, 1);
        let (market, base, quote) = (market.id, market.base, market.quote);
        let mut bench = Bench { engine: Engine::default(), market, base, quote, price, unit };
        bench.apply(Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() })));
        for user in [USER, OTHER] {
            bench.apply(Command::RegisterMember { user, house: false });
            for (asset, amount) in [(base, 1_000_000), (quote, 1_000_000_000)] {
                bench.apply(Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount });
            }
        }
        bench.apply(Command::SandboxPrice { market, price });
        bench
    }

    fn apply(&mut self, command: Command) -> bool {
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time: Time(1), request: None, command };
        self.engine.apply(&entry, &mut Vec::new()).result.is_ok()
    }

    fn order(&mut self, user: UserId, side: Side, kind: OrderKind) -> bool {
        let place = PlaceSpotOrder { user, market: self.market, side, kind, client_order_id: None };
        self.apply(Command::PlaceSpotOrder(place))
    }

    fn base_of(&self, user: UserId) -> u64 {
        self.engine.balance(user, Wallet::Spot, self.base).map_or(0, |balance| balance.total())
    }

    /// Everything in atoms of the quote, exactly.
    fn worth(&self, user: UserId) -> u64 {
        self.base_of(user) * self.unit + self.engine.balance(user, Wallet::Spot, self.quote).map_or(0, |balance| balance.total())
    }

    fn fees(&self) -> u64 {
        let fee = |asset| self.engine.house_balance(HouseAccount::Fee, asset);
        fee(self.base) * self.unit + fee(self.quote)
    }

    /// One trade between the two, as taker or maker, at the only price; sometimes a market order.
    fn trade(&mut self, buys: bool, takes: bool, quantity: u64, at_market: bool) -> bool {
        let (side, other) = if buys { (Side::Buy, Side::Sell) } else { (Side::Sell, Side::Buy) };
        let limit = OrderKind::Limit { price: self.price, quantity, time_in_force: TimeInForce::GoodTillCancelled };
        let size = if buys { quantity * self.unit } else { quantity };
        let last = if at_market && takes { OrderKind::Market { size } } else { limit };
        let done = if takes {
            self.order(OTHER, other, limit) && self.order(USER, side, last)
        } else {
            self.order(USER, side, limit) && self.order(OTHER, other, limit)
        };
        for user in [USER, OTHER] {
            self.apply(Command::CancelAllSpotOrders { user, base: None, quote: None });
        }
        done
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// A07: at a constant price no closed loop of trades raises a user's worth, not even with amounts of a few atoms.
    #[test]
    fn no_closed_loop_of_trades_pays(
        btc in any::<bool>(),
        steps in vec((any::<bool>(), any::<bool>(), prop_oneof![1_u64..=10, 1_u64..5_000], any::<bool>()), 1..60),
    ) {
        let mut bench = Bench::new(btc);
        let (start, base) = (bench.worth(USER), bench.base_of(USER));
        let everything = start + bench.worth(OTHER);
        let mut before = start;
        for (buys, takes, quantity, at_market) in steps {
            let (fees, done) = (bench.fees(), bench.trade(buys, takes, quantity, at_market));
            let now = bench.worth(USER);
            prop_assert!(now <= before, "{now} after {before}");
            // Every order pays at least one atom in each role.
            prop_assert!(!done || bench.fees() > fees);
            before = now;
            prop_assert_eq!(now + bench.worth(OTHER) + bench.fees(), everything);
        }
        let (held, surplus) = (bench.base_of(USER), bench.base_of(USER) > base);
        if held != base {
            bench.trade(!surplus, true, held.abs_diff(base), false);
        }
        prop_assert!(bench.worth(USER) <= start);
        prop_assert_eq!(bench.engine.check_invariants(), Ok(()));
    }
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Buy), Just(Side::Sell)]
}

fn wallet() -> impl Strategy<Value = Wallet> {
    prop_oneof![Just(Wallet::Spot), Just(Wallet::Futures), Just(Wallet::BinaryOptions), Just(Wallet::Earn)]
}

fn order_kind() -> impl Strategy<Value = OrderKind> {
    let time_in_force = prop_oneof![
        Just(TimeInForce::GoodTillCancelled),
        Just(TimeInForce::ImmediateOrCancel),
        Just(TimeInForce::FillOrKill),
        Just(TimeInForce::PostOnly)
    ];
    (any::<[u64; 3]>(), time_in_force, 0..3_u8).prop_map(|([stop, price, quantity], time_in_force, which)| match which {
        0 => OrderKind::Market { size: quantity },
        1 => OrderKind::Limit { price: Price(price), quantity, time_in_force },
        _ => OrderKind::StopLimit { stop: Price(stop), price: Price(price), quantity, time_in_force },
    })
}

fn digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 32]>().prop_map(Digest)
}

fn chain() -> impl Strategy<Value = Chain> {
    (0..3_usize).prop_map(|at| Chain::ALL[at])
}

fn observed() -> impl Strategy<Value = Observed> {
    let facts = (any::<u64>(), any::<u32>(), chain(), any::<u64>());
    facts.prop_map(|(user, asset, chain, amount)| Observed { user: UserId(user), asset: AssetId(asset), chain, amount })
}

fn operator_act() -> impl Strategy<Value = OperatorAct> {
    let seen = (any::<u32>(), digest()).prop_map(|(version, hash)| SignedVersion { version, hash });
    let item = (any::<u64>(), 0..3_u8).prop_map(|(id, which)| match which {
        0 => Item::Deposit(DepositId(id)),
        1 => Item::Withdrawal(WithdrawalId(id)),
        _ => Item::Identity(SubmissionId(id)),
    });
    let decision = prop_oneof![
        Just(Decision::Approve),
        any::<u64>().prop_map(|id| Decision::ApproveWith(ObservationId(id))),
        digest().prop_map(Decision::ApproveBank),
        digest().prop_map(|reason| Decision::Reject { reason }),
    ];
    let change = prop_oneof![
        (any::<u32>(), any::<u64>(), any::<u64>()).prop_map(|(market, maker, taker)| CatalogChange::Fee {
            market: MarketId(market),
            maker: Rate(maker),
            taker: Rate(taker)
        }),
        (0..6_usize, any::<u64>()).prop_map(|(at, withdraw_fee)| {
            CatalogChange::Network(Network { withdraw_fee, ..Catalog::standard().funding.networks[at] })
        }),
        Just(CatalogChange::Limits(Catalog::standard().funding.limits)),
        vec(any::<String>(), 0..5).prop_map(|sources| CatalogChange::IndexSources { market: MarketId(1), sources }),
    ];
    let proposed = prop_oneof![
        (any::<u32>(), any::<u64>()).prop_map(|(asset, amount)| Proposed::TreasuryMove {
            asset: AssetId(asset),
            from: HouseAccount::Fee,
            to: HouseAccount::External,
            amount
        }),
        (change, any::<u64>()).prop_map(|(change, at)| Proposed::ChangeCatalog { change, effective: Time(at) }),
        any::<u64>().prop_map(|user| Proposed::Unfreeze { user: UserId(user) }),
        any::<u64>().prop_map(|id| Proposed::ReturnWithdrawal { withdrawal: WithdrawalId(id) }),
        any::<u64>().prop_map(|id| Proposed::StopProposal { proposal: ProposalId(id) }),
        (any::<u32>(), digest(), any::<u8>(), any::<bool>(), option::of(any::<u64>()), option::of(digest())).prop_map(
            |(subject, name, roles, active, member, mail)| Proposed::AppointOperator {
                subject: OperatorId(subject),
                name,
                roles: Roles(roles),
                active,
                member: member.map(UserId),
                mail
            }
        ),
    ];
    prop_oneof![
        (item, decision, seen).prop_map(|(item, decision, seen)| OperatorAct::Decide { item, decision, seen }),
        (digest(), observed(), any::<u32>()).prop_map(|(tx, observed, confirmations)| OperatorAct::EnterDeposit {
            tx,
            observed,
            confirmations
        }),
        (any::<u64>(), digest()).prop_map(|(id, reason)| OperatorAct::Freeze { user: UserId(id), scope: FreezeScope::All, reason }),
        (any::<bool>(), option::of(any::<u32>()), digest()).prop_map(|(on, market, reason)| OperatorAct::Pause {
            product: Product::Spot,
            market: market.map(MarketId),
            on,
            reason
        }),
        (proposed, digest()).prop_map(|(proposed, reason)| OperatorAct::Propose { proposed, reason }),
        any::<u32>().prop_map(|subject| OperatorAct::ReleaseOperator { subject: OperatorId(subject) }),
        (any::<u64>(), digest()).prop_map(|(id, hash)| OperatorAct::Confirm { proposal: ProposalId(id), hash }),
    ]
}

/// Commands about people, external money, and operators.
fn outside_command() -> impl Strategy<Value = Command> {
    let user = || any::<u64>().prop_map(UserId);
    let verification = || {
        (any::<bool>(), any::<bool>()).prop_map(|(fund_password_right, wrong)| Verification {
            fund_password_right,
            code: wrong.then_some(CodeFault::SecondFactorWrong),
        })
    };
    let level = prop_oneof![Just(KycLevel::Basic), Just(KycLevel::Advanced)];
    prop_oneof![
        (user(), any::<u32>(), chain(), digest(), verification()).prop_map(|(user, asset, chain, destination, verification)| {
            Command::AddAddress { user, asset: AssetId(asset), chain, destination, verification }
        }),
        (user(), any::<u64>()).prop_map(|(user, id)| Command::RemoveAddress { user, address: AddressId(id) }),
        (user(), digest(), digest()).prop_map(|(user, number, destination)| Command::AddCard { user, number, destination }),
        (user(), any::<u64>()).prop_map(|(user, id)| Command::RemoveCard { user, card: CardId(id) }),
        (user(), any::<u64>(), digest()).prop_map(|(user, cents, proof)| Command::ClaimDeposit {
            user,
            claimed: Claimed::Bank { cents },
            proof
        }),
        (user(), any::<u32>(), any::<u64>(), any::<u64>(), verification()).prop_map(|(user, asset, amount, id, verification)| {
            let destination = Destination::Address { address: AddressId(id), chain: Chain::Erc20 };
            Command::Withdraw(Withdraw { user, asset: AssetId(asset), amount, destination, verification, arrives: None })
        }),
        (user(), any::<u64>()).prop_map(|(user, id)| Command::CancelWithdrawal { user, withdrawal: WithdrawalId(id) }),
        (user(), any::<bool>())
            .prop_map(|(user, old_right)| Command::SetFundPassword { user, change: FundPasswordChange::Change { old_right } }),
        user().prop_map(|user| Command::RecordSecurityChange { user }),
        (user(), option::of(any::<u64>())).prop_map(|(user, until)| Command::FreezeSelf { user, until: until.map(Time) }),
        (user(), vec((any::<prop::sample::Index>(), option::of(any::<u64>())), 0..5)).prop_map(|(user, changes)| {
            let changes = changes.into_iter().map(|(at, value)| (*at.get(&SelfLimit::ALL), value)).collect();
            Command::SetSelfLimits { user, changes }
        }),
        (user(), level, digest(), digest()).prop_map(|(user, level, document, content)| Command::SubmitIdentity {
            user,
            level,
            document,
            content
        }),
        (digest(), observed(), any::<u32>()).prop_map(|(tx, observed, confirmations)| Command::ObserveDeposit {
            tx,
            observed,
            confirmations
        }),
        digest().prop_map(|tx| Command::ReportReorganisation { tx }),
        (any::<u64>(), digest(), option::of((any::<u32>(), any::<u64>(), digest())), any::<u32>()).prop_map(
            |(id, tx, paid, confirmations)| {
                let paid = paid.map(|(asset, amount, destination)| Paid { asset: AssetId(asset), amount, destination });
                Command::ReportPayout(PayoutReport { withdrawal: WithdrawalId(id), tx, paid, confirmations })
            }
        ),
        (any::<u64>(), any::<u16>(), digest()).prop_map(|(seq, form, hash)| Command::RecordState { seq: Seq(seq), form, hash }),
        (any::<u64>(), any::<u64>(), digest(), any::<[u64; 3]>(), digest()).prop_map(|(seq, time, seed, [came_in, total, users], root)| {
            let coins = vec![CoinRoot { asset: AssetId(3), came_in, total, users, root }];
            Command::RecordLiabilities(Box::new(RecordLiabilities { seq: Seq(seq), time: Time(time), coins, seed }))
        }),
        (any::<u32>(), digest(), any::<u8>(), any::<bool>(), option::of(any::<u64>())).prop_map(
            |(operator, name, roles, active, member)| {
                let (operator, roles, member) = (OperatorId(operator), Roles(roles), member.map(UserId));
                Command::DeclareOperator(Declared { operator, name, roles, active, member, cause: Cause::Machine })
            }
        ),
        any::<prop::sample::Index>().prop_map(|at| Command::Activate(*at.get(&Feature::ALL))),
        (any::<u32>(), option::of(any::<u64>()), operator_act()).prop_map(|(operator, member, act)| {
            Command::Operate(Box::new(Operate { by: Reviewer { operator: OperatorId(operator), member: member.map(UserId) }, act }))
        }),
    ]
}

fn client_id() -> impl Strategy<Value = ClientOrderId> {
    any::<String>().prop_filter_map("1 to 36 bytes", |text| ClientOrderId::new(&text))
}

fn command() -> impl Strategy<Value = Command> {
    let user = || any::<u64>().prop_map(UserId);
    let asset = || any::<u32>().prop_map(AssetId);
    let market = || any::<u32>().prop_map(MarketId);
    let quote = any::<(u8, u64, u32)>().prop_map(|(source, price, age_ms)| Quote { source, price: Price(price), age_ms });
    let quotes = (market(), vec(quote, 0..6)).prop_map(|(market, quotes)| MarketQuotes { market, quotes });
    let order_ref = prop_oneof![any::<u64>().prop_map(|id| OrderRef::Id(OrderId(id))), client_id().prop_map(OrderRef::Client)];
    prop_oneof![
        Just(Command::Genesis(Box::new(Genesis {
            mode: Mode::Sandbox,
            catalog: Catalog::standard(),
            endowments: vec![(HouseAccount::Fee, AssetId(1), 5)]
        }))),
        // A log of the first release says nothing about external money.
        Just(Command::Genesis(Box::new(Genesis {
            mode: Mode::Live,
            catalog: Catalog { funding: FundingTerms::default(), ..Catalog::standard() },
            endowments: Vec::new()
        }))),
        Just(Command::Clock),
        (user(), any::<bool>()).prop_map(|(user, house)| Command::RegisterMember { user, house }),
        (user(), user()).prop_map(|(user, inviter)| Command::RegisterInvited { user, inviter }),
        vec(quotes, 0..4).prop_map(Command::PublishQuotes),
        (user(), market(), side(), order_kind(), option::of(client_id())).prop_map(|(user, market, side, kind, client_order_id)| {
            Command::PlaceSpotOrder(PlaceSpotOrder { user, market, side, kind, client_order_id })
        }),
        (user(), order_ref).prop_map(|(user, order)| Command::CancelSpotOrder { user, order }),
        (user(), any::<u64>(), any::<u64>()).prop_map(|(user, order, price)| Command::MoveSpotOrder {
            user,
            order: OrderId(order),
            price: Price(price)
        }),
        (user(), option::of(asset()), option::of(asset())).prop_map(|(user, base, quote)| Command::CancelAllSpotOrders {
            user,
            base,
            quote
        }),
        (user(), asset(), wallet(), wallet(), any::<u64>()).prop_map(|(user, asset, from, to, amount)| Command::Transfer {
            user,
            asset,
            from,
            to,
            amount
        }),
        (user(), asset(), wallet(), any::<u64>()).prop_map(|(user, asset, wallet, amount)| Command::SandboxFaucet {
            user,
            asset,
            wallet,
            amount
        }),
        outside_command(),
        Just(Command::SandboxClock),
        (market(), any::<u64>()).prop_map(|(market, price)| Command::SandboxPrice { market, price: Price(price) }),
        (market(), any::<bool>()).prop_map(|(market, halt)| Command::SandboxFeed { market, halt }),
    ]
}

/// The feed and the node itself send these; they are never repeated with a key.
fn carries_a_request(command: &Command) -> bool {
    command.may_repeat()
}

/// Snapshots of states with orders in every condition.
fn snapshot(seed: u64) -> Vec<u8> {
    let options = Options { live: false, ..Options::new(seed, 0) };
    let (mut engine, mut oracle, mut work) = (Engine::default(), Oracle::default(), Workload::new(&options));
    for seq in 1..=150 {
        let entry = work.next(seq, &oracle, &engine);
        engine.apply(&entry, &mut Vec::new());
        oracle.apply(&entry);
    }
    engine.snapshot()
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn an_entry_reads_back_as_it_was_written(seq in any::<u64>(), time in any::<u64>(), request in option::of(any::<(u128, u128)>()), command in command()) {
        let request = request.filter(|_| carries_a_request(&command)).map(|(key, content)| Request { key, content });
        let entry = Entry { seq: Seq(seq), time: Time(time), request, command };
        let encoded = encode(entry.request, &entry.command);
        prop_assert_eq!(decode(entry.seq, entry.time, &encoded), Ok(entry));
        for longer in [Encoded { public: [&encoded.public[..], &[0]].concat(), ..encoded.clone() }, Encoded { private: [&encoded.private[..], &[0]].concat(), ..encoded }] {
            prop_assert!(decode(Seq(seq), Time(time), &longer).is_err(), "a byte too many was overlooked");
        }
    }

    #[test]
    fn any_bytes_are_an_entry_or_refused(kind in prop_oneof![any::<u16>(), (0..KINDS.len()).prop_map(|at| KINDS[at].0)], version in prop_oneof![Just(1), any::<u8>()], public in vec(any::<u8>(), 0..60), private in vec(any::<u8>(), 0..60)) {
        if let Ok(entry) = decode(Seq(1), Time(1), &Encoded { kind, version, public, private }) {
            let again = encode(entry.request, &entry.command);
            prop_assert_eq!(decode(Seq(1), Time(1), &again), Ok(entry));
        }
    }

    #[test]
    fn any_bytes_are_a_snapshot_or_refused(bytes in vec(any::<u8>(), 0..400)) {
        if let Some(engine) = Engine::restore(&bytes) {
            prop_assert!(Engine::restore(&engine.snapshot()).is_some());
        }
    }

    #[test]
    fn a_damaged_snapshot_restores_or_is_refused(seed in 0..40_u64, changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), cut in option::of(any::<prop::sample::Index>())) {
        let mut bytes = snapshot(seed);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // Whatever it contains, reading it must not stop the node.
        let _ = Engine::restore(&bytes).is_some();
    }
}

//! One value of every kind of entry, version and variant that a log may hold, each under the name that its golden line has.
//!
//! A new kind, version or variant gets a value here and a line in the folder of the release that brings it. A renamed variant changes this
//! file only: the golden lines are bytes.

use engine::amount::{Price, Rate};
use engine::backoffice::acts::{AuditAction, AuditNote, AuditObject, Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::funding::{BankTerms, Chain, FundingTerms, Limits, Network};
use engine::catalog::{Asset, Catalog, IndexMarket, IndexOrigin, Market, Wallet};
use engine::command::{Command, Genesis, Mode, Request};
use engine::contracts::formulas;
use engine::contracts::position::OpenContract;
use engine::contracts::terms::{Terms as ContractTerms, Tier};
use engine::convert::conversion::Convert;
use engine::convert::terms::ConversionTerms;
use engine::feature::Feature;
use engine::funding::deposits::{Claimed, Observed};
use engine::funding::payouts::{Paid, PayoutReport};
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{
    AddressId, AssetId, CardId, ClientOrderId, DepositId, Digest, LoanId, MarketId, ObservationId, OfferingId, OperatorId, OrderId, PlanId,
    PlanOrderId, PositionId, ProposalId, QuoteId, Seq, SubmissionId, UserId, WithdrawalId,
};
use engine::index::{MarketQuotes, Quote};
use engine::ledger::HouseAccount;
use engine::liabilities::{CoinRoot, RecordLiabilities};
use engine::listing::change::{CatalogChange, FirstReference, TextKind};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};
use engine::options::option::{BuyOption, Direction, TieRule};
use engine::options::terms::{DurationTerms, SharedTerms, StakeCoin, StakeMax};
use engine::plans::order::{BuyPlan, RedeemPlan, Terms as PlanTerms};
use engine::plans::terms::Plan;
use engine::product::Product;
use engine::reject::CodeFault;
use engine::security::{FreezeScope, FundPasswordChange, ReferralRole};
use engine::self_limits::SelfLimit;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::subscriptions::offering::{Commit, Terms as Offering};
use engine::time::Time;

pub type Named = (String, Option<Request>, Command);

const USER: UserId = UserId(300);
const REASON: Digest = Digest([0xab; 32]);

/// Every value.
pub fn all() -> Vec<Named> {
    let mut all = Vec::new();
    for (name, command) in house()
        .into_iter()
        .chain(orders())
        .chain(wallets())
        .chain(people())
        .chain(outside())
        .chain(operators())
        .chain(options())
        .chain(contracts())
        .chain(conversions())
        .chain(super::loans::entries())
        .chain(subscriptions())
        .chain(plans())
    {
        let request = Request { key: 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef, content: 0xfeed };
        if command.may_repeat() {
            all.push((format!("{name}, with a key"), Some(request), command.clone()));
        }
        all.push((name, None, command));
    }
    all
}

fn named(name: &str, command: Command) -> (String, Command) {
    (name.to_owned(), command)
}

fn network(asset: u32, chain: Chain) -> Network {
    Network {
        asset: AssetId(asset),
        chain,
        deposit_min: 1_001,
        confirmations: 12,
        withdraw_min: 5_005,
        withdraw_fee: 77,
        deposit_on: true,
        withdraw_on: false,
    }
}

fn bank() -> BankTerms {
    BankTerms {
        asset: AssetId(3),
        deposit_min_cents: 1_000,
        deposit_max_cents: 2_000_000,
        deposit_rate: Price(99_000_000),
        withdraw_min: 10_000_000,
        withdraw_fee_min: 1_000_000,
        withdraw_fee: Rate(250_000),
        payout_rate: Price(98_000_000),
        deposit_on: false,
        withdraw_on: true,
    }
}

fn limits() -> Limits {
    Limits {
        withdrawals_per_day: 3,
        withdraw_day_basic: 10_000_000_000,
        withdraw_day_advanced: 100_000_000_000,
        deposit_unattended_below: 5_000_000_000,
        hand_entry_max: vec![(AssetId(1), 9), (AssetId(3), 300)],
        open_claims: 5,
        addresses: 20,
        cards: 4,
    }
}

/// Written out, so that a change of the standard catalog changes no golden line.
fn catalog(funding: FundingTerms) -> Catalog {
    let asset = |id, code: &str, wallets: &[Wallet]| Asset {
        id: AssetId(id),
        code: code.to_owned(),
        scale: 8,
        wallets: wallets.to_vec(),
        faucet_max: 1_000_000_000,
    };
    let market = |id, symbol: &str, base, quote| Market {
        id: MarketId(id),
        symbol: symbol.to_owned(),
        base: AssetId(base),
        quote: AssetId(quote),
        tick: Price(1_000_000),
        step: 1_000,
        min_quantity: 10_000,
        max_quantity: 100_000_000_000,
        min_notional: 5_000_000,
        max_notional: 1_000_000_000_000,
        maker_fee: Rate(80_000),
        taker_fee: Rate(100_000),
        band_buy: (Rate(50_000_000), Rate(105_000_000)),
        band_sell: (Rate(95_000_000), Rate(200_000_000)),
    };
    let sources = IndexOrigin::Sources(vec!["alder".to_owned(), "birch".to_owned(), "cedar".to_owned()]);
    let cross = IndexOrigin::Cross { numerator: MarketId(1), denominator: MarketId(2) };
    Catalog {
        assets: vec![asset(1, "BTC", &Wallet::ALL), asset(2, "ETH", &[Wallet::Spot]), asset(3, "USDT", &Wallet::ALL)],
        markets: vec![market(1, "BTC/USDT", 1, 3), market(2, "ETH/USDT", 2, 3), market(3, "BTC/ETH", 1, 2)],
        indices: vec![
            IndexMarket { market: MarketId(1), tick: Price(10_000), origin: sources },
            IndexMarket { market: MarketId(3), tick: Price(1), origin: cross },
        ],
        max_open_orders: 100,
        funding,
    }
}

fn declared(cause: Cause, member: Option<UserId>) -> Command {
    Command::DeclareOperator(Declared {
        operator: OperatorId(300),
        name: Digest([8; 32]),
        roles: Roles(0b10_0101),
        active: true,
        member,
        cause,
    })
}

fn liabilities() -> Command {
    let coin = |asset, total, users| CoinRoot { asset: AssetId(asset), came_in: total + 7, total, users, root: Digest([9; 32]) };
    let coins = vec![coin(1, 0, 0), coin(3, 999_999_999_999_999_000, 1_000_000)];
    Command::RecordLiabilities(Box::new(RecordLiabilities { seq: Seq(70_001), time: Time(1_767_225_600_123), coins, seed: REASON }))
}

/// The house's own: genesis, time, members, prices.
fn house() -> Vec<(String, Command)> {
    let terms = FundingTerms { networks: vec![network(1, Chain::Btc), network(3, Chain::Trc20)], bank: bank(), limits: limits() };
    let accounts = [
        HouseAccount::Fee,
        HouseAccount::OptionPool,
        HouseAccount::ContractPool,
        HouseAccount::Insurance,
        HouseAccount::PlanTreasury,
        HouseAccount::LoanTreasury,
        HouseAccount::SubEscrow,
        HouseAccount::SubProceeds,
        HouseAccount::FlashPool,
        HouseAccount::External,
    ];
    let endowments: Vec<_> = accounts.into_iter().zip(1..).map(|(account, amount)| (account, AssetId(3), amount)).collect();
    let genesis = |mode, catalog, endowments: &[(HouseAccount, AssetId, u64)]| {
        Command::Genesis(Box::new(Genesis { mode, catalog, endowments: endowments.to_vec() }))
    };
    let quotes = [0, 1, 255].map(|source| Quote { source, price: Price(10_000_000_000_000 + u64::from(source)), age_ms: 70_000 });
    let market = |id, quotes: &[Quote]| MarketQuotes { market: MarketId(id), quotes: quotes.to_vec() };
    vec![
        named("genesis of a sandbox without terms", genesis(Mode::Sandbox, catalog(FundingTerms::default()), &endowments)),
        named("genesis live without terms", genesis(Mode::Live, catalog(FundingTerms::default()), &[])),
        named("genesis of a sandbox", genesis(Mode::Sandbox, catalog(terms.clone()), &endowments)),
        named("genesis live", genesis(Mode::Live, catalog(terms), &[])),
        named("clock", Command::Clock),
        named("activate frozen cards", Command::Activate(Feature::FrozenCards)),
        named("state", Command::RecordState { seq: Seq(70_000), form: 3, hash: REASON }),
        named("liabilities", liabilities()),
        named("activate operator registry", Command::Activate(Feature::OperatorRegistry)),
        named("activate proposal terms", Command::Activate(Feature::ProposalTerms)),
        named("activate compact requests", Command::Activate(Feature::CompactRequests)),
        named("activate due work", Command::Activate(Feature::DueWork)),
        named("activate index ring", Command::Activate(Feature::IndexRing)),
        named("activate payments", Command::Activate(Feature::Payments)),
        named("activate final payments", Command::Activate(Feature::FinalPayments)),
        named("activate confirmed payouts", Command::Activate(Feature::ConfirmedPayouts)),
        named("activate newest word", Command::Activate(Feature::NewestWord)),
        named("activate signatures", Command::Activate(Feature::Signatures)),
        named("activate options", Command::Activate(Feature::Options)),
        named("activate contracts", Command::Activate(Feature::Contracts)),
        named("activate conversions", Command::Activate(Feature::Conversions)),
        named("activate loans", Command::Activate(Feature::Loans)),
        named("activate subscriptions", Command::Activate(Feature::Subscriptions)),
        named("activate plans", Command::Activate(Feature::Plans)),
        named("activate fixed links", Command::Activate(Feature::FixedLinks)),
        named("activate contract corrections", Command::Activate(Feature::ContractCorrections)),
        named("activate product corrections", Command::Activate(Feature::ProductCorrections)),
        named("activate signers as known", Command::Activate(Feature::SignersAsKnown)),
        named("activate risk bounds", Command::Activate(Feature::RiskBounds)),
        named("operator before", declared(Cause::Before, Some(USER))),
        named("operator of the machine", declared(Cause::Machine, None)),
        named("operator rescued", declared(Cause::Rescue, None)),
        named("operator of a sandbox", declared(Cause::Sandbox, Some(USER))),
        named("operator linked", declared(Cause::Linked, Some(USER))),
        named("member", Command::RegisterMember { user: USER, house: false }),
        named("house liquidity", Command::RegisterMember { user: USER, house: true }),
        named("invited member", Command::RegisterInvited { user: USER, inviter: UserId(41) }),
        named("quotes", Command::PublishQuotes(vec![market(1, &quotes), market(2, &quotes[..1]), market(3, &[])])),
        named("no quotes", Command::PublishQuotes(Vec::new())),
        named("sandbox clock", Command::SandboxClock),
        named("sandbox price", Command::SandboxPrice { market: MarketId(2), price: Price(400_000_000_000) }),
        named("sandbox feed halted", Command::SandboxFeed { market: MarketId(2), halt: true }),
        named("sandbox feed released", Command::SandboxFeed { market: MarketId(2), halt: false }),
    ]
}

fn orders() -> Vec<(String, Command)> {
    let tifs = [
        ("GTC", TimeInForce::GoodTillCancelled),
        ("IOC", TimeInForce::ImmediateOrCancel),
        ("FOK", TimeInForce::FillOrKill),
        ("post only", TimeInForce::PostOnly),
    ];
    let place = |side, kind, id: Option<&str>| {
        let client_order_id = id.and_then(ClientOrderId::new);
        Command::PlaceSpotOrder(PlaceSpotOrder { user: USER, market: MarketId(6), side, kind, client_order_id })
    };
    let (price, quantity) = (Price(10_000_000_000_000), 123_000);
    let mut all = Vec::new();
    for (side_name, side) in [("buy", Side::Buy), ("sell", Side::Sell)] {
        for (name, time_in_force) in tifs {
            let limit = OrderKind::Limit { price, quantity, time_in_force };
            let stop = OrderKind::StopLimit { stop: Price(price.0 + 5_000_000), price, quantity, time_in_force };
            all.push((format!("limit {side_name} {name}"), place(side, limit, None)));
            all.push((format!("stop {side_name} {name}"), place(side, stop, Some("mine-1"))));
        }
        all.push((format!("market {side_name}"), place(side, OrderKind::Market { size: 7_000 }, Some("ü"))));
    }
    let order = OrderRef::Id(OrderId(70_000));
    let client = ClientOrderId::new("mine-1").map(OrderRef::Client).unwrap();
    let coins = [("all pairs", None, None), ("a base", Some(1), None), ("a quote", None, Some(3)), ("a pair", Some(1), Some(3))];
    all.push(named("cancel by number", Command::CancelSpotOrder { user: USER, order }));
    all.push(named("cancel by own id", Command::CancelSpotOrder { user: USER, order: client }));
    all.push(named("move", Command::MoveSpotOrder { user: USER, order: OrderId(70_000), price }));
    for (name, base, quote) in coins {
        let (base, quote) = (base.map(AssetId), quote.map(AssetId));
        all.push((format!("cancel {name}"), Command::CancelAllSpotOrders { user: USER, base, quote }));
    }
    all
}

/// Short-term options.
fn options() -> Vec<(String, Command)> {
    let bets = [("up", Direction::Up), ("down", Direction::Down), ("flat", Direction::Flat)];
    let buy = |direction| {
        let (market, asset, rule) = (MarketId(2), AssetId(3), Digest([0xcd; 32]));
        Command::BuyOption(BuyOption { user: USER, market, direction, asset, seconds: 3_600, stake: 5_000_000, rule })
    };
    bets.map(|(name, direction)| (format!("option {name}"), buy(direction))).into()
}

/// Commitments to offerings.
fn subscriptions() -> Vec<(String, Command)> {
    let commit = Commit { user: USER, offering: OfferingId(11), asset: AssetId(3), amount: 100_000_000 };
    vec![("commitment".to_owned(), Command::CommitToOffering(commit))]
}

/// Contracts.
fn contracts() -> Vec<(String, Command)> {
    let (user, market, position) = (USER, MarketId(1), PositionId(70_000));
    let open = |direction, limit, take_profit, stop_loss| {
        Command::OpenContract(OpenContract { user, market, direction, lots: 10, multiple: 50, limit, take_profit, stop_loss })
    };
    let (high, low) = (Price(11_000_000_000_000), Price(9_500_000_000_000));
    let named = |name: &str, command| (name.to_owned(), command);
    vec![
        named("contract long", open(formulas::Direction::Long, None, None, None)),
        named("contract short at a limit", open(formulas::Direction::Short, Some(high), Some(low), Some(high))),
        named("close contract", Command::CloseContract { user, position }),
        named("stops of a contract", Command::SetContractStops { user, position, take_profit: Some(high), stop_loss: Some(low) }),
        named("no stops of a contract", Command::SetContractStops { user, position, take_profit: None, stop_loss: None }),
        named("cancel contract", Command::CancelContract { user, position }),
    ]
}

/// Conversions.
fn conversions() -> Vec<(String, Command)> {
    let wanted = Convert { user: USER, from: AssetId(3), to: AssetId(1), amount: 1_000_000_000 };
    let named = |name: &str, command| (name.to_owned(), command);
    vec![
        named("quote of a conversion", Command::QuoteConversion(wanted)),
        named("accept a quote", Command::AcceptQuote { user: USER, quote: QuoteId(70_000) }),
        named("convert", Command::Convert { wanted, min_net: None }),
        named("convert for at least", Command::Convert { wanted, min_net: Some(998_001) }),
    ]
}

/// Plans.
fn plans() -> Vec<(String, Command)> {
    let buy = |agreed, rule| Command::BuyPlan(BuyPlan { user: USER, plan: PlanId(2), amount: 1_000_000_000, agreed, rule });
    let redeem = |max_deduction| Command::RedeemPlan(RedeemPlan { user: USER, order: PlanOrderId(80_000), max_deduction });
    let named = |name: &str, command| (name.to_owned(), command);
    vec![
        named("plan", buy(true, None)),
        named("plan as shown", buy(true, Some(Digest([8; 32])))),
        named("plan without agreement", buy(false, None)),
        named("redeem plan", redeem(None)),
        named("redeem plan for at most", redeem(Some(66_000_000))),
    ]
}

fn wallets() -> Vec<(String, Command)> {
    let names = [("spot", Wallet::Spot), ("futures", Wallet::Futures), ("options", Wallet::BinaryOptions), ("earn", Wallet::Earn)];
    let mut all = Vec::new();
    for (at, (from_name, from)) in names.into_iter().enumerate() {
        let (to_name, to) = names[(at + 1) % 4];
        let amount = u64::MAX;
        all.push((format!("transfer {from_name} to {to_name}"), Command::Transfer { user: USER, asset: AssetId(3), from, to, amount }));
        let faucet = Command::SandboxFaucet { user: USER, asset: AssetId(4), wallet: from, amount: 1_000_000 };
        all.push((format!("faucet to {from_name}"), faucet));
    }
    all
}

/// Requests of members other than trading.
fn people() -> Vec<(String, Command)> {
    let (user, document, content) = (USER, Digest([1; 32]), Digest([2; 32]));
    let codes = [
        ("all right", true, None),
        ("a wrong fund password", false, None),
        ("a wrong code", true, Some(CodeFault::Wrong)),
        ("a locked code", true, Some(CodeFault::Locked)),
        ("no second factor", true, Some(CodeFault::SecondFactorMissing)),
        ("a wrong second factor", true, Some(CodeFault::SecondFactorWrong)),
    ];
    let mut all = Vec::new();
    for (name, fund_password_right, code) in codes {
        let verification = Verification { fund_password_right, code };
        let destination = Destination::Card(CardId(5_000));
        let withdraw = Withdraw { user, asset: AssetId(3), amount: 25_000_000, destination, verification, arrives: None };
        all.push((format!("withdrawal with {name}"), Command::Withdraw(withdraw)));
    }
    let right = Verification { fund_password_right: true, code: None };
    for chain in Chain::ALL {
        let destination = Destination::Address { address: AddressId(400), chain };
        let withdraw = Withdraw { user, asset: AssetId(3), amount: 25_000_000, destination, verification: right, arrives: None };
        all.push((format!("withdrawal on {}", chain.name()), Command::Withdraw(withdraw)));
        let withdraw = Withdraw { arrives: Some(24_000_000), ..withdraw };
        all.push((format!("withdrawal on {} of which is said what arrives", chain.name()), Command::Withdraw(withdraw)));
        let address = Command::AddAddress { user, asset: AssetId(3), chain, destination: content, verification: right };
        all.push((format!("address on {}", chain.name()), address));
        let claimed = Claimed::Coin { asset: AssetId(3), chain, amount: 1 };
        all.push((format!("claim on {}", chain.name()), Command::ClaimDeposit { user, claimed, proof: document }));
    }
    for (name, level) in [("basic", KycLevel::Basic), ("advanced", KycLevel::Advanced)] {
        all.push((format!("papers {name}"), Command::SubmitIdentity { user, level, document, content }));
    }
    let passwords = [
        ("first fund password", FundPasswordChange::First),
        ("fund password changed", FundPasswordChange::Change { old_right: true }),
        ("fund password not changed", FundPasswordChange::Change { old_right: false }),
        ("fund password reset", FundPasswordChange::Reset),
    ];
    all.extend(passwords.map(|(name, change)| named(name, Command::SetFundPassword { user, change })));
    let changes = SelfLimit::ALL.into_iter().zip([Some(1), None, Some(50), Some(1_767_225_600_000)]).collect();
    all.extend([
        named("remove an address", Command::RemoveAddress { user, address: AddressId(400) }),
        named("card", Command::AddCard { user, number: document, destination: content }),
        named("remove a card", Command::RemoveCard { user, card: CardId(500) }),
        named("claim of a bank transfer", Command::ClaimDeposit { user, claimed: Claimed::Bank { cents: 12_345 }, proof: document }),
        named("cancel a withdrawal", Command::CancelWithdrawal { user, withdrawal: WithdrawalId(600) }),
        named("security change", Command::RecordSecurityChange { user }),
        named("freeze oneself", Command::FreezeSelf { user, until: None }),
        named("freeze oneself for a while", Command::FreezeSelf { user, until: Some(Time(1_767_225_600_001)) }),
        named("own limits", Command::SetSelfLimits { user, changes }),
        named("no own limits", Command::SetSelfLimits { user, changes: Vec::new() }),
    ]);
    all
}

/// Reports of chain watchers.
fn outside() -> Vec<(String, Command)> {
    let tx = Digest([3; 32]);
    let observed = |chain| Observed { user: USER, asset: AssetId(3), chain, amount: 700_000_000 };
    let seen = |chain: Chain| {
        (format!("payment on {}", chain.name()), Command::ObserveDeposit { tx, observed: observed(chain), confirmations: 300 })
    };
    let mut all: Vec<_> = Chain::ALL.into_iter().map(seen).collect();
    all.push(named("payment dropped", Command::ReportReorganisation { tx }));
    let report = |paid, confirmations| Command::ReportPayout(PayoutReport { withdrawal: WithdrawalId(702), tx, paid, confirmations });
    all.push(named("payout seen", report(Some(Paid { asset: AssetId(3), amount: 99_000_000, destination: Digest([6; 32]) }), 300)));
    all.push(named("payout missing", report(None, 0)));
    all
}

fn operators() -> Vec<(String, Command)> {
    let seen = SignedVersion { version: 2, hash: Digest([4; 32]) };
    let (user, reason, tx) = (USER, REASON, Digest([5; 32]));
    let observed = Observed { user, asset: AssetId(3), chain: Chain::Erc20, amount: 700_000_000 };
    let items = [
        ("deposit", Item::Deposit(DepositId(700))),
        ("withdrawal", Item::Withdrawal(WithdrawalId(701))),
        ("identity", Item::Identity(SubmissionId(702))),
        ("loan", Item::Loan(LoanId(70_000))),
    ];
    let decisions = [
        ("approve", Decision::Approve),
        ("approve with a payment", Decision::ApproveWith(ObservationId(703))),
        ("approve with a reference", Decision::ApproveBank(Digest([6; 32]))),
        ("reject", Decision::Reject { reason }),
    ];
    let mut acts = Vec::new();
    for (item_name, item) in items {
        acts.extend(decisions.map(|(name, decision)| (format!("{name} a {item_name}"), OperatorAct::Decide { item, decision, seen })));
    }
    let products = [("spot", Product::Spot), ("coin deposits", Product::CoinDeposit), ("bank deposits", Product::BankDeposit)];
    for (name, product) in products {
        acts.push((format!("pause {name}"), OperatorAct::Pause { product, market: Some(MarketId(2)), on: true, reason }));
        acts.push((format!("resume {name}"), OperatorAct::Pause { product, market: None, on: false, reason }));
    }
    for (name, scope) in [("withdrawals", FreezeScope::Withdrawals), ("all", FreezeScope::All)] {
        acts.push((format!("freeze {name}"), OperatorAct::Freeze { user, scope, reason }));
    }
    let plain = [
        ("enter a deposit", OperatorAct::EnterDeposit { tx, observed, confirmations: 20 }),
        ("mark sent", OperatorAct::MarkSent { withdrawal: WithdrawalId(701), tx }),
        ("confirm", OperatorAct::Confirm { proposal: ProposalId(704), hash: Digest([7; 32]) }),
        ("cancel a proposal", OperatorAct::CancelProposal { proposal: ProposalId(704) }),
        ("release an operator", OperatorAct::ReleaseOperator { subject: OperatorId(10) }),
    ];
    acts.extend(plain.map(|(name, act)| (name.to_owned(), act)));
    acts.extend(proposals().into_iter().map(|(name, proposed)| (format!("propose {name}"), OperatorAct::Propose { proposed, reason })));
    acts.extend(notes().into_iter().map(|(name, note)| (name, OperatorAct::Record(note))));
    let operate = |(name, act): (String, OperatorAct)| {
        let operate = |member| Command::Operate(Box::new(Operate { by: Reviewer { operator: OperatorId(9), member }, act: act.clone() }));
        [(name.clone(), operate(None)), (format!("{name}, by a member"), operate(Some(UserId(8))))]
    };
    acts.into_iter().flat_map(operate).collect()
}

fn proposals() -> Vec<(String, Proposed)> {
    let at = Time(1_767_225_600_002);
    let change = |(name, change): (String, CatalogChange)| (name, Proposed::ChangeCatalog { change, effective: at });
    let mut all: Vec<_> = changes().into_iter().map(change).collect();
    for (from, to) in [
        (HouseAccount::Fee, HouseAccount::OptionPool),
        (HouseAccount::ContractPool, HouseAccount::Insurance),
        (HouseAccount::PlanTreasury, HouseAccount::LoanTreasury),
        (HouseAccount::SubEscrow, HouseAccount::SubProceeds),
        (HouseAccount::FlashPool, HouseAccount::External),
    ] {
        all.push((format!("a move {}", all.len()), Proposed::TreasuryMove { asset: AssetId(3), from, to, amount: 1_234 }));
    }
    for (name, role) in [("user", ReferralRole::User), ("promoter", ReferralRole::Promoter), ("partner", ReferralRole::Partner)] {
        all.push((format!("role {name}"), Proposed::SetReferralRole { user: USER, role }));
    }
    for (name, level) in [("basic", KycLevel::Basic), ("advanced", KycLevel::Advanced)] {
        all.push((format!("to revoke {name}"), Proposed::RevokeIdentity { user: USER, level }));
    }
    for (name, active) in [("on", true), ("off", false)] {
        let operator = Proposed::SetOperator { subject: OperatorId(10), name: Digest([8; 32]), roles: 0b1010_0101, active };
        all.push((format!("an operator {name}"), operator));
    }
    for (name, member, mail) in [("with a member", Some(USER), None), ("with a mail", None, Some(Digest([9; 32])))] {
        let (subject, name_digest, roles) = (OperatorId(10), Digest([8; 32]), Roles(0b10_0101));
        let appointed = Proposed::AppointOperator { subject, name: name_digest, roles, active: true, member, mail };
        all.push((format!("to appoint {name}"), appointed));
    }
    let plain = [
        ("to stop another", Proposed::StopProposal { proposal: ProposalId(704) }),
        ("a reversal", Proposed::ReverseDeposit { observation: ObservationId(703) }),
        ("to take back a mark", Proposed::UnmarkSent { withdrawal: WithdrawalId(701) }),
        ("a return", Proposed::ReturnWithdrawal { withdrawal: WithdrawalId(701) }),
        ("to unfreeze", Proposed::Unfreeze { user: USER }),
        ("to retire a pair", Proposed::RetireMarket { market: MarketId(2), at }),
        ("to launch", Proposed::LaunchOffering { offering: OfferingId(11) }),
    ];
    all.extend(plain.map(|(name, proposed)| (name.to_owned(), proposed)));
    all.extend(listings().into_iter().map(change));
    all.extend(option_terms().into_iter().map(change));
    all.extend(super::loans::terms().into_iter().map(change));
    all.push(change(("terms of contracts".to_owned(), CatalogChange::ContractTerms(Box::new(contract_terms())))));
    let conversions = ConversionTerms { spread: Rate(1), fee: Rate(2), min: 3, max: 4, day: 5, life_ms: 6 };
    all.push(change(("terms of conversions".to_owned(), CatalogChange::ConversionTerms(conversions))));
    all.push(change(("an offering".to_owned(), CatalogChange::Offering(Box::new(offering())))));
    all.push(change(("terms of plans".to_owned(), CatalogChange::Plan(plan_terms()))));
    let paper = CatalogChange::Text { kind: TextKind::WhitePaper, id: 11, digest: Digest([9; 32]) };
    all.push(change(("text white paper".to_owned(), paper)));
    all
}

fn changes() -> Vec<(String, CatalogChange)> {
    let filters = CatalogChange::MarketFilters {
        market: MarketId(2),
        quantity: (1, 2),
        notional: (3, 4),
        band_buy: (Rate(5), Rate(6)),
        band_sell: (Rate(7), Rate(8)),
    };
    let sources = vec!["maple".to_owned(), "rowan".to_owned()];
    let mut all = vec![
        ("a fee".to_owned(), CatalogChange::Fee { market: MarketId(2), maker: Rate(1), taker: Rate(2) }),
        ("filters".to_owned(), filters),
        ("bank terms".to_owned(), CatalogChange::Bank(bank())),
        ("limits".to_owned(), CatalogChange::Limits(limits())),
        ("sources".to_owned(), CatalogChange::IndexSources { market: MarketId(2), sources }),
    ];
    let texts = [("country", TextKind::Country), ("risk text", TextKind::RiskText), ("bank account", TextKind::BankAccount)];
    let keys = Chain::ALL.map(|chain| (chain.name(), TextKind::ReceivingKey(chain)));
    for (name, kind) in texts.into_iter().chain(keys) {
        all.push((format!("text {name}"), CatalogChange::Text { kind, id: 99, digest: Digest([9; 32]) }));
    }
    all.extend(Chain::ALL.map(|chain| (format!("network {}", chain.name()), CatalogChange::Network(network(4, chain)))));
    all
}

/// Catalog changes that list something, since 2.6.
fn listings() -> Vec<(String, CatalogChange)> {
    let mut all = Vec::new();
    let coin = Asset { id: AssetId(101), code: "TOK".to_owned(), scale: 6, wallets: Wallet::ALL.to_vec(), faucet_max: 5 };
    all.push(("list coin".to_owned(), CatalogChange::ListCoin(Box::new(coin))));
    let market = Box::new(Market { id: MarketId(101), ..Catalog::standard().markets[0].clone() });
    let index = FirstReference::Index { tick: Price(10_000), sources: vec!["alder".to_owned(), "birch".to_owned()] };
    for (name, reference) in [("index", index), ("issue price", FirstReference::IssuePrice(Price(50_000_000)))] {
        all.push((format!("list market by {name}"), CatalogChange::ListMarket { market: market.clone(), reference }));
    }
    all
}

/// Terms of options.
fn option_terms() -> Vec<(String, CatalogChange)> {
    let max = StakeMax { asset: AssetId(3), directed: 1_000_000_000, flat: 100_000_000 };
    let (profit, profit_flat, tolerance, max) = (Rate(70_000_000), Rate(900_000_000), Rate(5_000), vec![max]);
    let refund = DurationTerms { seconds: 60, profit, profit_flat, tolerance, tie: TieRule::Refund, on: true, max };
    let lose = DurationTerms { tie: TieRule::Lose, on: false, max: Vec::new(), ..refund.clone() };
    let coins = vec![StakeCoin { asset: AssetId(3), min: 5_000_000, open_max: 5_000_000_000 }];
    vec![
        ("a length of options".to_owned(), CatalogChange::OptionDuration(refund)),
        ("a length of options off".to_owned(), CatalogChange::OptionDuration(lose)),
        ("terms of options".to_owned(), CatalogChange::OptionShared(SharedTerms { fee: Rate(500_000), open_options: 20, coins })),
    ]
}

fn offering() -> Offering {
    let token = Asset { id: AssetId(103), code: "TOK".to_owned(), scale: 8, wallets: vec![Wallet::Spot], faucet_max: 0 };
    let like = Catalog::standard().markets[0].clone();
    Offering {
        id: OfferingId(11),
        market: Market { id: MarketId(103), symbol: "TOK/USDT".to_owned(), base: token.id, ..like },
        token,
        supply: 10_000_000_000_000,
        price: Price(50_000_000),
        pay: vec![AssetId(3), AssetId(1)],
        start: Time(1_767_225_600_000),
        close: Time(1_767_312_000_000),
        launch: Time(1_767_398_400_000),
        release: vec![(7, Rate(50_000_000)), (30, Rate(100_000_000))],
        min: 10_000_000,
        user_cap: 10_000_000_000,
        oversub: 10,
    }
}

fn plan_terms() -> Plan {
    let terms = PlanTerms { cycle: 60, day_yield: Rate(500_000), damage: Rate(300_000), agreement: 2 };
    Plan { id: PlanId(13), asset: AssetId(1), terms, min: 200_000, max: 50_000_000, on: false }
}

fn contract_terms() -> ContractTerms {
    let tier = |bound, max_multiple, maintenance| Tier { bound, max_multiple, maintenance: Rate(maintenance) };
    ContractTerms {
        market: MarketId(2),
        lot: 1_000_000,
        tick: Price(1_000_000),
        multiples: vec![1, 50],
        fee: Rate(50_000),
        spread: Rate(10_000),
        liquidation_fee: Rate(300_000),
        overnight: Rate(30_000),
        cap_roi: 10,
        max_lots: 100_000,
        tiers: vec![tier(50_000_000_000, 50, 500_000), tier(250_000_000_000, 25, 1_000_000)],
    }
}

fn notes() -> Vec<(String, AuditNote)> {
    let actions = [
        ("log in", AuditAction::LogIn),
        ("log out", AuditAction::LogOut),
        ("view", AuditAction::View),
        ("search", AuditAction::Search),
        ("reply", AuditAction::Reply),
        ("save", AuditAction::Save),
        ("delete", AuditAction::Delete),
        ("change a secret", AuditAction::ChangeSecret),
    ];
    let objects = [
        ("console", AuditObject::Console),
        ("queue", AuditObject::Queue),
        ("deposit", AuditObject::Deposit),
        ("observation", AuditObject::Observation),
        ("withdrawal", AuditObject::Withdrawal),
        ("identity", AuditObject::Identity),
        ("file", AuditObject::File),
        ("member", AuditObject::Member),
        ("treasury", AuditObject::Treasury),
        ("catalog", AuditObject::Catalog),
        ("proposal", AuditObject::Proposal),
        ("operator", AuditObject::Operator),
        ("ticket", AuditObject::Ticket),
        ("chat", AuditObject::Chat),
        ("article", AuditObject::Article),
        ("audit", AuditObject::Audit),
        ("incident", AuditObject::Incident),
        ("loan", AuditObject::Loan),
    ];
    let note = |action, object| AuditNote { action, object, id: 1 << 40, reason: REASON };
    let mut all: Vec<_> = actions.into_iter().map(|(name, action)| (format!("note {name}"), note(action, AuditObject::Ticket))).collect();
    all.extend(objects.into_iter().map(|(name, object)| (format!("note on {name}"), note(AuditAction::View, object))));
    all
}

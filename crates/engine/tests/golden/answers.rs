//! One first answer of every kind that the history may hold, each under the name that its golden line has. They are kept for a day, so the
//! release that wrote one need not be the one that reads it.

use engine::amount::{Price, Rate};
use engine::backoffice::proposals::{Proposal, Proposed, status};
use engine::catalog::Wallet;
use engine::catalog::funding::Chain;
use engine::contracts::figures::Stops;
use engine::contracts::formulas::{self, Requirement, TickPrice, TickValue};
use engine::contracts::position::{EndReason, FixedTerms, Position, Status as ContractStatus};
use engine::convert::conversion::{Conversion, Deal, FirmQuote};
use engine::convert::terms::ConversionTerms;
use engine::event::{Event, Trade, TradeParty, Transfer};
use engine::funding::deposits::{Claimed, Deposit, HandEntry, Observation, Observed};
use engine::funding::destinations::{Address, Card};
use engine::funding::status::{DepositStatus, ObservationStatus, WithdrawalStatus};
use engine::funding::withdrawals::{Destination, Withdrawal};
use engine::ids::{
    AddressId, AssetId, CardId, ClientOrderId, CommitmentId, ConversionId, DepositId, Digest, MarketId, ObservationId, OfferingId,
    OperatorId, OptionId, OrderId, PlanId, PlanOrderId, PositionId, ProposalId, QuoteId, Seq, TradeId, UserId, WithdrawalId,
};
use engine::index::Sample;
use engine::index::ring::Made;
use engine::operators::Operator;
use engine::operators::approval::Approval;
use engine::operators::roles::Roles;
use engine::options::option::{BinaryOption, Direction, Quote, Settlement, Status as OptionStatus, Terms, TieRule};
use engine::plans::order::{Ending, PlanOrder, Terms as PlanTerms};
use engine::plans::status::Status as PlanStatus;
use engine::reject::FrozenBy;
use engine::reject::Reject;
use engine::reply::{FirstAnswer, Reply};
use engine::security::{AccountControls, FreezeScope, Freezes, FundPassword, ReferralRole};
use engine::self_limits::SelfLimits;
use engine::spot::{CancelReason, SpotOrder, status::Status};
use engine::spot::{OrderKind, Side, TimeInForce};
use engine::subscriptions::offering::Commitment;
use engine::subscriptions::status::CommitmentStatus;
use engine::time::Time;

const USER: UserId = UserId(300);
const APPROVAL: Approval = Approval { operator: OperatorId(9), at: Time(1_767_225_600_003) };

fn digest(byte: u8) -> Digest {
    Digest([byte; 32])
}

fn at(ms: u64) -> Time {
    Time(1_767_225_600_000 + ms)
}

/// Every value. A reply or refusal that the lists forget is found by its number.
pub fn all() -> Vec<(String, FirstAnswer)> {
    let done = |(name, reply, facts): (&str, Reply, Vec<Event>)| (name.to_owned(), FirstAnswer { result: Ok(reply), facts });
    let refused = |(name, reject): (String, Reject)| (name, FirstAnswer { result: Err(reject), facts: Vec::new() });
    let mut all: Vec<_> = orders().into_iter().chain(wallets()).chain(funding()).chain(people()).map(done).collect();
    let numbered = super::numbers::with_ones().into_iter().enumerate().map(|(number, reject)| (format!("refusal {number}"), reject));
    let named = rejects().into_iter().map(|(name, reject)| (name.to_owned(), reject));
    all.extend(numbered.chain(named).map(refused));
    all
}

/// Refusals whose fields have one type, so that their order matters.
fn rejects() -> Vec<(&'static str, Reject)> {
    vec![
        ("refused, short", Reject::Insufficient { asset: AssetId(3), available: 1_000, needed: 2_000 }),
        ("refused, band", Reject::Band { low: Price(10), high: Price(1_000), reference: Price(500) }),
        ("refused, frozen for a while", Reject::Frozen { by: FrozenBy::Member, until: Some(at(1)) }),
        ("refused, frozen", Reject::Frozen { by: FrozenBy::Operator, until: None }),
        ("refused, day limit", Reject::WithdrawLimit { left: 77, upgrade: true }),
        ("refused, confirmations", Reject::Confirmations { seen: 2, needed: 12 }),
        ("refused, changed", Reject::ChangedSince { version: 3, hash: digest(4) }),
    ]
}

fn order() -> SpotOrder {
    SpotOrder {
        id: OrderId(70_000),
        user: USER,
        market: MarketId(6),
        side: Side::Sell,
        kind: OrderKind::StopLimit { stop: Price(1_001), price: Price(1_000), quantity: 900, time_in_force: TimeInForce::FillOrKill },
        client_order_id: ClientOrderId::new("mine-1"),
        status: Status::Cancelled,
        reason: Some(CancelReason::User),
        filled: 100,
        filled_value: 101,
        received_as_taker: 60,
        received_as_maker: 40,
        fee: 3,
        fee_rates: (Rate(80_000), Rate(100_000)),
        held: 800,
        reference: Price(999),
        priority: 12,
        created: at(1),
        updated: at(2),
    }
}

fn orders() -> Vec<(&'static str, Reply, Vec<Event>)> {
    let party = |order, user, fee, house| TradeParty { order: OrderId(order), user: UserId(user), fee, house };
    let trade = Trade {
        id: TradeId(8),
        market: MarketId(6),
        price: Price(1_000),
        quantity: 100,
        value: 101,
        taker_side: Side::Sell,
        taker: party(70_000, 300, 3, false),
        maker: party(69_000, 1, 2, true),
        time: at(2),
    };
    let market = SpotOrder { kind: OrderKind::Market { size: 900 }, client_order_id: None, reason: None, side: Side::Buy, ..order() };
    let changed = |order| Event::SpotOrderChanged(order);
    vec![
        ("order placed", Reply::SpotOrderPlaced(OrderId(70_000)), vec![Event::Traded(trade), changed(order())]),
        ("market order placed", Reply::SpotOrderPlaced(OrderId(70_000)), vec![changed(market)]),
        ("order cancelled", Reply::SpotOrderCancelled(OrderId(70_000)), vec![changed(order())]),
        (
            "order moved",
            Reply::SpotOrderMoved { order: OrderId(70_000), replaced: OrderId(69_500) },
            vec![changed(SpotOrder { reason: Some(CancelReason::Moved), ..order() })],
        ),
        ("orders cancelled", Reply::SpotOrdersCancelled(vec![OrderId(1), OrderId(70_000)]), Vec::new()),
    ]
}

fn wallets() -> Vec<(&'static str, Reply, Vec<Event>)> {
    let transfer = Transfer {
        id: 7,
        user: USER,
        asset: AssetId(3),
        from: Wallet::Spot,
        to: Wallet::Earn,
        amount: 5,
        from_available: u64::MAX,
        to_available: 6,
    };
    vec![
        ("done", Reply::Done, Vec::new()),
        ("transferred", Reply::Transferred(transfer), Vec::new()),
        ("credited", Reply::Credited { available: 1_000_000 }, Vec::new()),
        ("priced", Reply::Priced { price: Price(400_000_000_000) }, Vec::new()),
    ]
}

fn funding() -> Vec<(&'static str, Reply, Vec<Event>)> {
    let chain = Chain::Erc20;
    let address = Address { id: AddressId(4), user: USER, asset: AssetId(3), chain, destination: digest(1), created: at(1) };
    let card = Card { id: CardId(5), user: USER, number: digest(1), destination: digest(2), created: at(1) };
    let deposit = Deposit {
        id: DepositId(700),
        user: USER,
        claimed: Claimed::Coin { asset: AssetId(3), chain, amount: 25 },
        rate: Price(99),
        proof: Some(digest(1)),
        observation: Some(ObservationId(703)),
        status: DepositStatus::Rejected,
        approvals: vec![APPROVAL],
        reference: Some(digest(2)),
        credited: Some(24),
        reason: Some(digest(3)),
        created: at(1),
        decided: Some(at(2)),
        version: 3,
    };
    let bank = Deposit { claimed: Claimed::Bank { cents: 12_345 }, proof: None, decided: None, ..deposit.clone() };
    let observed = Observed { user: USER, asset: AssetId(3), chain, amount: 25 };
    let observation = Observation {
        id: ObservationId(703),
        tx: digest(1),
        observed,
        confirmations: 12,
        watched: true,
        entries: vec![HandEntry { by: APPROVAL, observed }],
        status: ObservationStatus::Reversed,
        claim: Some(DepositId(700)),
        vanished: true,
        taken_back: Some(20),
    };
    let withdrawal = Withdrawal {
        id: WithdrawalId(701),
        user: USER,
        asset: AssetId(3),
        amount: 25,
        fee: 2,
        destination: Destination::Address { address: AddressId(4), chain },
        destination_digest: digest(1),
        payout_cents: None,
        value: 26,
        submitted: at(1),
        status: WithdrawalStatus::Sent,
        approvals: vec![APPROVAL],
        reason: Some(digest(2)),
        tx: Some(digest(3)),
        version: 4,
    };
    let to_card = Withdrawal { destination: Destination::Card(CardId(5)), payout_cents: Some(99), tx: None, ..withdrawal.clone() };
    vec![
        ("address", Reply::Address(Box::new(address)), Vec::new()),
        ("card", Reply::Card(Box::new(card)), Vec::new()),
        ("claim of coins", Reply::Deposit(Box::new(deposit)), Vec::new()),
        ("claim of a bank transfer", Reply::Deposit(Box::new(bank)), Vec::new()),
        ("observation", Reply::Observation(Box::new(observation)), Vec::new()),
        ("withdrawal", Reply::Withdrawal(Box::new(withdrawal)), Vec::new()),
        ("withdrawal to a card", Reply::Withdrawal(Box::new(to_card)), Vec::new()),
    ]
}

/// An option as bought, and its other possible states.
fn option() -> BinaryOption {
    let made = |ms| Made { at: at(ms), sample: Sample { time: at(ms - 1), price: Price(10_000_000_000_000) } };
    let terms = Terms { profit: Rate(70_000_000), fee: Rate(500_000), tolerance: Rate(5_000), tie: TieRule::Lose, rule: digest(7) };
    let settled =
        Settlement { seq: Seq(70_001), time: at(60_002), delivery: Some(made(60_001)), outcome: Some(Direction::Down), received: 9 };
    BinaryOption {
        id: OptionId(70_000),
        user: USER,
        market: MarketId(6),
        direction: Direction::Flat,
        asset: AssetId(3),
        quote: Quote { stake: 100, profit: 70, fee: 1 },
        terms,
        seconds: 60,
        bought: at(1),
        open: made(1),
        value: 101,
        status: OptionStatus::Pushed,
        settled: Some(settled),
    }
}

/// A contract as opened, and its other possible states.
fn contract() -> Position {
    let required = Requirement { maintenance: Rate(500_000), liquidation_fee: Rate(300_000), deduction: 250 };
    let terms = FixedTerms {
        asset: AssetId(3),
        lot: 100_000,
        tick: Price(1_000_000),
        value: TickValue(100),
        fee: Rate(50_000),
        spread: Rate(10_000),
        overnight: Rate(30_000),
        required,
    };
    Position {
        id: PositionId(70_000),
        user: USER,
        market: MarketId(1),
        direction: formulas::Direction::Short,
        lots: 10,
        multiple: 50,
        terms,
        version: 1,
        status: ContractStatus::Closed,
        reason: Some(EndReason::Deleveraged),
        limit: Some(TickPrice(10_100_000)),
        origin: TickPrice(10_200_000),
        entry: TickPrice(10_198_980),
        stops: Stops { take_profit: Some(TickPrice(9_000_000)), stop_loss: Some(TickPrice(10_300_000)) },
        initial_margin: 20_397_960,
        held: 1,
        open_fee: 509_949,
        cap: 203_979_600,
        overnight_paid: 2,
        close: TickPrice(10_199_000),
        profit: -2_000,
        close_fee: 509_950,
        returned: 19_886_010,
        created: at(1),
        opened: Some(at(2)),
        ended: Some(at(3)),
        due: at(4),
    }
}

fn quote() -> FirmQuote {
    let deal = Deal {
        from: AssetId(3),
        to: AssetId(1),
        amount: 1_000_000_000,
        value: 1_000_000_001,
        gross: 999_000,
        fee: 999,
        from_price: Price(100_000_000),
        to_price: Price(10_000_000_000_000),
    };
    let terms = ConversionTerms { spread: Rate(100_000), fee: Rate(100_001), min: 1, max: 2, day: 3, life_ms: 4 };
    FirmQuote { id: QuoteId(70_000), user: USER, deal, terms, expires: at(1), used: true }
}

fn conversion() -> Conversion {
    Conversion { id: ConversionId(70_001), user: USER, quote: Some(QuoteId(70_000)), deal: quote().deal, time: at(1) }
}
/// A commitment as made, and its other possible states.
fn commitment() -> Commitment {
    Commitment {
        id: CommitmentId(70_000),
        user: USER,
        offering: OfferingId(11),
        token: AssetId(103),
        asset: AssetId(1),
        paid: 100_000_000,
        value: 100_000_000_000,
        status: CommitmentStatus::Locked,
        tokens: 9_990_009_990_009,
        cost: 49_950_049_951,
        charge: 49_950_050,
        refund: 50_049_950,
        released: 1,
        created: at(1),
        changed: at(2),
    }
}

/// A plan order as redeemed.
fn plan() -> PlanOrder {
    let terms = PlanTerms { cycle: 15, day_yield: Rate(400_000), damage: Rate(400_000), agreement: 2 };
    let amount = 1_000_000_000;
    let redemption = terms.redemption(amount, at(0), at(6 * 86_400_000));
    let (interest, returned) = redemption.map(|found| (found.interest, found.payout)).unwrap();
    PlanOrder {
        id: PlanOrderId(80_000),
        user: USER,
        plan: PlanId(2),
        asset: AssetId(3),
        terms,
        amount,
        interest: 60_000_000,
        bought: at(0),
        status: PlanStatus::Redeemed,
        ended: Some(Ending { seq: Seq(90_000), time: at(6 * 86_400_000), redemption, interest, returned }),
    }
}

fn people() -> Vec<(&'static str, Reply, Vec<Event>)> {
    let security = AccountControls {
        fund_password: FundPassword { set: true, wrong: 2, locked_until: Some(at(1)) },
        changed: Some(at(2)),
        freezes: Freezes { by_operator: Some(FreezeScope::All), self_until: Some(at(3)), self_open: true },
        role: ReferralRole::Partner,
    };
    let proposal = Proposal {
        id: ProposalId(704),
        proposer: OperatorId(9),
        proposed: Proposed::UnmarkSent { withdrawal: WithdrawalId(701) },
        reason: digest(1),
        status: status::Status::Refused,
        created: at(1),
        confirmed: Some(APPROVAL),
        effective: Some(at(2)),
        refused: Some(Reject::FreeShort { free: 5 }),
    };
    let operator = Operator {
        id: OperatorId(10),
        name: digest(1),
        roles: Roles(0b10_0101),
        active: true,
        member: Some(USER),
        waits_for: Some(OperatorId(9)),
    };
    // Their fields are private, so they are decoded from bytes that set every field.
    let identity = super::numbers::of_ones();
    let limits: SelfLimits = super::numbers::of_ones();
    vec![
        ("identity", Reply::Identity(Box::new(identity)), Vec::new()),
        ("security", Reply::Security(security), Vec::new()),
        ("proposal", Reply::Proposal(Box::new(proposal)), Vec::new()),
        ("own limits", Reply::SelfLimits(Box::new(limits), at(1)), Vec::new()),
        ("operator", Reply::Operator(operator), Vec::new()),
        ("option", Reply::Option(Box::new(option())), Vec::new()),
        ("contract", Reply::Contract(Box::new(contract())), Vec::new()),
        ("quote", Reply::Quote(Box::new(quote())), Vec::new()),
        ("conversion", Reply::Conversion(Box::new(conversion())), Vec::new()),
        ("commitment", Reply::Commitment(Box::new(commitment())), Vec::new()),
        ("plan", Reply::Plan(Box::new(plan())), Vec::new()),
    ]
    .into_iter()
    .chain(super::loans::answers().into_iter().map(|(name, reply)| (name, reply, Vec::new())))
    .collect()
}

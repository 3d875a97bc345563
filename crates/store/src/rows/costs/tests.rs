use engine::amount::MAX_AMOUNT;
use engine::catalog::Wallet;
use engine::ids::{MarketId, Seq};
use engine::ledger::{HouseAccount, ObjectKind, Part, PostingSide};
use engine::time::Time;

use super::book::{Book, Move, Priced};
use super::flows::Flow;
use super::*;
use crate::costs::{Cost, Holding};

const ANN: UserId = UserId(2);
const BTC: Key = (ANN, AssetId(1));
const SCALES: Scales = Scales { base: 8, quote: 6 };

/// A member's holdings after these moves, each in an entry of its own.
fn after(moves: &[Move]) -> (Book, Cost) {
    let mut book = Book::default();
    (1..).zip(moves).for_each(|(seq, moved)| book.apply(seq, *moved));
    let cost = book.of(BTC);
    (book, cost)
}

fn cost(quantity: u64, uncosted: u64, cost: u64, realised: i64) -> Cost {
    Cost { holding: Holding { quantity, uncosted, cost }, realised }
}

#[test]
fn what_is_sold_makes_a_profit_and_what_leaves_makes_none() {
    let bought = [Move::In(BTC, 300, Some(1_000)), Move::In(BTC, 100, Some(1_000))];
    let then = |last: Move| after(&[bought[0], bought[1], last]).1;
    assert_eq!(then(Move::Sold(BTC, 100, Some(700))), cost(300, 0, 1_500, 200));
    assert_eq!(then(Move::Sold(BTC, 400, Some(700))), cost(0, 0, 0, -1_300));
    assert_eq!(then(Move::Sold(BTC, 100, None)), cost(300, 0, 1_500, 0));
    assert_eq!(then(Move::Out(BTC, 100)), cost(300, 0, 1_500, 0));
    assert_eq!(then(Move::In(BTC, 400, None)), cost(400, 400, 2_000, 0));
}

#[test]
fn what_comes_back_brings_its_cost_and_only_more_than_that_is_new() {
    let price = Some(Priced(Price(5_000_000_000_000), SCALES));
    let stake = Aside::Option(9);
    let begun = [Move::In(BTC, 300, Some(1_000)), Move::SetAside(BTC, 100, stake)];
    let then = |last: &[Move]| after(&[&begun[..], last].concat()).1;
    assert_eq!(then(&[]), cost(200, 0, 667, 0));
    // Returned in two parts, and returned with a gain: 200 atoms at 50 000 are worth 100 000.
    let parts = [Move::Back(BTC, 60, stake, price), Move::Back(BTC, 40, stake, price)];
    assert_eq!(then(&parts), cost(300, 0, 1_000, 0));
    assert_eq!(then(&[Move::Back(BTC, 300, stake, price), Move::Closed(stake, None)]), cost(500, 0, 101_000, 0));
    assert_eq!(then(&[Move::Back(BTC, 300, stake, None)]), cost(300, 200, 1_000, 0));
    // Lost: the cost is gone, and the coin has no profit or loss.
    assert_eq!(then(&[Move::Closed(stake, None)]), cost(200, 0, 667, 0));
    // The coins paid for a new coin.
    assert_eq!(then(&[Move::Closed(stake, Some(400))]), cost(200, 0, 667, 67));
    // A fee goes into the same object, and everything comes back.
    let fee = [Move::SetAside(BTC, 50, stake), Move::Back(BTC, 150, stake, price)];
    assert_eq!(then(&fee), cost(300, 0, 1_000, 0));
    // Nothing was set aside for this other object.
    assert_eq!(then(&[Move::Back(BTC, 10, Aside::Commitment(9), price)]), cost(210, 0, 5_667, 0));
}

#[test]
fn a_worth_that_is_no_amount_is_no_cost() {
    let dear = Priced(Price(9_999_999_999_999_999), SCALES);
    assert_eq!((dear.worth(100_000_000), dear.worth(MAX_AMOUNT - 1)), (Some(99_999_999_999_999), None));
}

/// This many atoms of BTC are credited to Ann, or debited, for this purpose.
fn posted(kind: LineKind, object: ObjectKind, amount: Amount, comes: bool) -> Event {
    let ann = PostingSide { owner: Owner::Member(ANN, Wallet::Spot, Part::Available), after: 0, object_id: 7 };
    let house = PostingSide { owner: Owner::House(HouseAccount::External), after: 0, object_id: 7 };
    let (debit, credit) = if comes { (house, ann) } else { (ann, house) };
    Event::Posted(Posting { asset: BTC.1, amount, kind, object, debit, credit })
}

fn priced(price: u64) -> Event {
    let price = Price(price * 100_000_000);
    Event::IndexSampled(IndexSample { market: MarketId(1), time: Time(1), price, quotes: Vec::new(), sandbox: false })
}

#[test]
fn what_a_line_is_for_says_whether_it_is_new() {
    let coin = 100_000_000;
    let then = |events: Vec<Event>| {
        let mut costs = Costs::default();
        let begun = [priced(10), posted(LineKind::Deposit, ObjectKind::Deposit, 2 * coin, true)];
        let events = begun.into_iter().chain(events).collect();
        let facts = Published { seq: Seq(1), time: Time(1), events, balances: Vec::new(), answer: None, stops: None };
        costs.take(&Catalog::standard(), &facts);
        after(&costs.moves.iter().map(|(_, moved)| *moved).collect::<Vec<_>>()).1
    };
    assert_eq!(then(Vec::new()), cost(2 * coin, 0, 20_000_000, 0));
    assert_eq!(then(vec![priced(30), posted(LineKind::Rebate, ObjectKind::Rebate, coin, true)]), cost(3 * coin, 0, 50_000_000, 0));
    assert_eq!(then(vec![posted(LineKind::PlanDeduction, ObjectKind::Plan, coin, false)]), cost(coin, 0, 10_000_000, 0));
    // The price has moved meanwhile; coins that come back keep their cost.
    for (gone, back, object) in [
        (LineKind::OptionBought, LineKind::OptionSettled, ObjectKind::Option),
        (LineKind::OptionBought, LineKind::OptionRefunded, ObjectKind::Option),
        (LineKind::SubscriptionPaid, LineKind::SubscriptionRefunded, ObjectKind::Commitment),
        (LineKind::WithdrawalDone, LineKind::WithdrawalBack, ObjectKind::Withdrawal),
        (LineKind::WithdrawalFee, LineKind::WithdrawalBack, ObjectKind::Withdrawal),
    ] {
        let lies = vec![posted(gone, object, coin, false)];
        assert_eq!(then(lies), cost(coin, 0, 10_000_000, 0), "{gone:?}");
        let comes = vec![posted(gone, object, coin, false), priced(30), posted(back, object, coin, true)];
        assert_eq!(then(comes), cost(2 * coin, 0, 20_000_000, 0), "{back:?}");
    }
}

#[test]
fn what_came_in_and_went_out_has_the_price_of_its_instant_and_what_stayed_is_no_flow() {
    let coin = 100_000_000;
    let mut costs = Costs::default();
    let mut at = |seq, events| {
        let facts = Published { seq: Seq(seq), time: Time(seq * 10), events, balances: Vec::new(), answer: None, stops: None };
        costs.take(&Catalog::standard(), &facts);
    };
    let deposit = |amount| posted(LineKind::Deposit, ObjectKind::Deposit, amount, true);
    let left = |kind, amount| posted(kind, ObjectKind::Withdrawal, amount, false);
    at(1, vec![deposit(5)]);
    // Each at another price, in one entry. Its second part has its own instant.
    at(2, vec![priced(10), deposit(coin), priced(30), deposit(2 * coin), Event::HappenedAt(Time(7)), deposit(coin)]);
    at(3, vec![left(LineKind::WithdrawalDone, 2 * coin), left(LineKind::WithdrawalFee, coin)]);
    at(4, vec![posted(LineKind::DepositCorrection, ObjectKind::Deposit, coin, false)]);
    // Payments of other members, releases of held coins, and money of the house do not count.
    let mut held = left(LineKind::WithdrawalBack, coin);
    let mut of_house = deposit(coin);
    if let (Event::Posted(held), Event::Posted(of_house)) = (&mut held, &mut of_house) {
        held.credit.owner = Owner::Member(ANN, Wallet::Spot, Part::Held);
        of_house.credit.owner = Owner::Member(HOUSE, Wallet::Spot, Part::Available);
    }
    at(5, vec![held, of_house, posted(LineKind::Rebate, ObjectKind::Rebate, coin, true)]);
    let flows: Vec<_> = costs.flows.0.iter().map(|((user, at, seq, _), flow)| (*user, at.0, *seq, *flow)).collect();
    let coins = |number: i64| number * 100_000_000;
    let flow = |atoms, usdt, withdrawal| Flow { atoms, usdt, withdrawal };
    assert_eq!(
        flows,
        [
            (ANN, 7, 2, flow(coins(1), Some(30_000_000), None)),
            (ANN, 10, 1, flow(5, None, None)),
            (ANN, 20, 2, flow(coins(3), Some(70_000_000), None)),
            (ANN, 30, 3, flow(coins(-3), Some(-90_000_000), Some(7))),
            (ANN, 40, 4, flow(coins(-1), Some(-30_000_000), None)),
        ]
    );
}

//! Index samples at the bounds of prices, and the sources recorded for them (X-1, X-2, 0.1).

#![allow(clippy::unwrap_used, reason = "a state that cannot be reached has failed")]
use engine::Engine;
use engine::amount::{MAX_PRICE, Price};
use engine::catalog::{Catalog, IndexOrigin};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::Event;
use engine::ids::{MarketId, Seq};
use engine::index::IndexSample;
use engine::index::{MarketQuotes, Quote};
use engine::reject::Reject;
use engine::time::Time;

const END: u64 = MAX_PRICE.0;
const BTC_USDT: MarketId = MarketId(1);
const ETH_USDT: MarketId = MarketId(2);
const ETH_BTC: MarketId = MarketId(6);

/// The standard catalog, with this tick for every index.
fn engine(tick: u64) -> Engine {
    let mut catalog = Catalog::standard();
    catalog.indices.iter_mut().for_each(|index| index.tick = Price(tick));
    let mut engine = Engine::default();
    samples(&mut engine, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() }))).unwrap();
    engine
}

/// The samples of one command.
fn samples(engine: &mut Engine, command: Command) -> Result<Vec<IndexSample>, Reject> {
    let mut events = Vec::new();
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time: Time(1_767_225_600_000), request: None, command };
    engine.apply(&entry, &mut events).result?;
    let sample = |event| if let Event::IndexSampled(sample) = event { Some(sample) } else { None };
    Ok(events.into_iter().filter_map(sample).collect())
}

/// The price that three equal quotes make.
fn quoted(tick: u64, price: u64) -> Option<u64> {
    let quotes = (0..3).map(|source| Quote { source, price: Price(price), age_ms: 0 }).collect();
    let made = samples(&mut engine(tick), Command::PublishQuotes(vec![MarketQuotes { market: BTC_USDT, quotes }])).unwrap();
    made.first().map(|sample| sample.price.0)
}

/// The computed price of ETH/BTC from two sandbox prices.
fn computed(tick: u64, eth: u64, btc: u64) -> Option<u64> {
    let mut engine = engine(tick);
    samples(&mut engine, Command::SandboxPrice { market: BTC_USDT, price: Price(btc) }).unwrap();
    let made = samples(&mut engine, Command::SandboxPrice { market: ETH_USDT, price: Price(eth) }).unwrap();
    made.iter().find(|sample| sample.market == ETH_BTC).map(|sample| sample.price.0)
}

#[test]
fn a_sample_is_above_0_and_below_the_largest_price() {
    assert_eq!(quoted(1, 1), Some(1));
    assert_eq!(quoted(1, 0), None);
    assert_eq!(quoted(1, END - 1), Some(END - 1));
    assert_eq!(quoted(1, END), None);
    // Good quotes whose price is not on the tick.
    assert_eq!(quoted(10, 6), Some(10));
    assert_eq!(quoted(10, 5), None);
    assert_eq!(quoted(10, END - 6), Some(END - 10));
    assert_eq!(quoted(10, END - 1), None);
}

#[test]
fn a_computed_sample_is_above_0_and_below_the_largest_price() {
    assert_eq!(computed(1, 1, 100_000_000), Some(1));
    assert_eq!(computed(1, 1, 1_000_000_000), None);
    assert_eq!(computed(1, END - 1, 100_000_000), Some(END - 1));
    assert_eq!(computed(1, 100_000_000, 1), None);
    assert_eq!(computed(1, END - 1, 1), None);
}

#[test]
fn a_sandbox_price_is_above_0_and_below_the_largest_price() {
    let set = |price| {
        let price = Price(price);
        samples(&mut engine(1), Command::SandboxPrice { market: BTC_USDT, price }).map(|made| made.first().map(|it| it.price.0))
    };
    assert_eq!([0, END].map(set), [Err(Reject::BadAmount), Err(Reject::BadAmount)]);
    assert_eq!([1, END - 1].map(set), [Ok(Some(1)), Ok(Some(END - 1))]);
}

#[test]
fn only_the_sample_of_a_sandbox_price_itself_is_marked_as_one() {
    let mut engine = engine(1);
    assert!(matches!(engine.catalog().index(ETH_BTC).unwrap().origin, IndexOrigin::Cross { .. }));
    samples(&mut engine, Command::SandboxPrice { market: BTC_USDT, price: Price(100_000) }).unwrap();
    let made = samples(&mut engine, Command::SandboxPrice { market: ETH_USDT, price: Price(3_000) }).unwrap();
    let marks: Vec<(MarketId, bool)> = made.iter().map(|sample| (sample.market, sample.sandbox)).collect();
    assert_eq!(marks, [(ETH_USDT, true), (ETH_BTC, false)]);
    let quotes = (0..3).map(|source| Quote { source, price: Price(5), age_ms: 0 }).collect();
    samples(&mut engine, Command::SandboxFeed { market: BTC_USDT, halt: false }).unwrap();
    let made = samples(&mut engine, Command::PublishQuotes(vec![MarketQuotes { market: MarketId(3), quotes }])).unwrap();
    assert!(made.iter().all(|sample| !sample.sandbox) && !made.is_empty());
}

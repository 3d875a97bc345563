//! The book and the whole spot command of the engine against the bare book: CPU time for the same commands, trades equal by hash.

use std::hash::{DefaultHasher, Hash, Hasher};

use cpu_time::ThreadTime;
use engine::Engine;
use engine::amount::Price;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::Event;
use engine::feature::Feature;
use engine::ids::{AssetId, MarketId, MemberIndex, OrderId, Seq, UserId};
use engine::spot::book::{Book, NodeId};
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::time::Time;
use engine::units::{Steps, Ticks};

use crate::bare_book::{BareBook, Fill, Op};
use crate::report::{Ratios, Section};
use crate::workload::{LEVELS, MIX_A, MIX_B, Mix, Workload, generate};

const MEMBERS: u64 = 1_000;
const SEED: u64 = 42;
const BATCH: usize = 512;
/// BTC/USDT: a middle price of 100,000.0, in ticks of 0.1.
const MIDDLE_TICKS: u32 = 1_000_000;

/// Runs both mixes.
pub fn run(rounds: usize, commands: usize) -> Vec<Section> {
    [MIX_A, MIX_B].into_iter().map(|mix| run_mix(mix, rounds, commands)).collect()
}

fn run_mix(mix: Mix, rounds: usize, commands: usize) -> Section {
    let workload = generate(mix, SEED, commands);
    let entries = entries(&workload);
    let mut book = Ratios::new("book alone / bare book", 1.5);
    let mut whole = Ratios::bounded("whole spot command / bare book", 5.0, 6.5);
    let mut nanoseconds = 0.0;
    for _ in 0..rounds {
        let (bare_time, bare_fills) = bare(&workload);
        let (book_time, book_fills) = ours(&workload);
        let (whole_time, whole_fills) = engine(&entries);
        assert_eq!(hash(&bare_fills), hash(&book_fills), "the book's trades differ from the yardstick's");
        assert_eq!(hash(&bare_fills), hash(&whole_fills), "the engine's trades differ from the yardstick's");
        nanoseconds = bare_time * 1e9 / workload.timed.len() as f64;
        book.add(book_time / bare_time);
        whole.add(whole_time / bare_time);
    }
    let note = format!("{} commands; yardstick {nanoseconds:.0} ns CPU a command; trades equal by hash", workload.timed.len());
    Section { title: format!("Order book, mix {}", mix.name), note, ratios: vec![book, whole] }
}

fn hash(fills: &[Fill]) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    for fill in fills {
        (fill.taker, fill.maker, fill.price, fill.steps).hash(&mut hasher);
    }
    (fills.len(), hasher.finish())
}

/// CPU seconds of `step` over all inputs. They come in batches that are already in the cache, like commands from a queue.
fn timed<T: Clone>(inputs: &[T], mut step: impl FnMut(&T)) -> f64 {
    let mut batch = Vec::with_capacity(BATCH);
    let mut seconds = 0.0;
    for part in inputs.chunks(BATCH) {
        batch.clear();
        batch.extend_from_slice(part);
        let start = ThreadTime::now();
        batch.iter().for_each(&mut step);
        seconds += start.elapsed().as_secs_f64();
    }
    seconds
}

/// CPU seconds of the bare book for one command of the first mix.
pub fn bare_command(commands: usize) -> f64 {
    let workload = generate(MIX_A, SEED, commands);
    bare(&workload).0 / workload.timed.len() as f64
}

fn bare(workload: &Workload) -> (f64, Vec<Fill>) {
    let mut book = BareBook::new(LEVELS);
    let mut fills = Vec::with_capacity(workload.timed.len());
    book.reserve(workload.warm_up.len() + workload.timed.len());
    for op in &workload.warm_up {
        book.apply(*op, &mut fills);
    }
    (timed(&workload.timed, |op| book.apply(*op, &mut fills)), fills)
}

/// The engine's book with only a table of order numbers around it.
struct Alone {
    book: Book,
    nodes: Vec<Option<NodeId>>,
    sides: Vec<Side>,
}

impl Alone {
    fn apply(&mut self, op: Op, fills: &mut Vec<Fill>) {
        match op {
            Op::Place { id, buy, price, steps, immediate } => {
                self.sides.push(if buy { Side::Buy } else { Side::Sell });
                self.nodes.push(None);
                self.enter(id, price, Steps(u64::from(steps)), !immediate, fills);
            }
            Op::Cancel { id } => {
                if let Some(node) = self.nodes[id as usize].take() {
                    self.book.remove(self.sides[id as usize], node);
                }
            }
            Op::Move { id, price } => {
                if let Some(node) = self.nodes[id as usize].take() {
                    let left = self.book.get(node).left;
                    self.book.remove(self.sides[id as usize], node);
                    self.enter(id, price, left, true, fills);
                }
            }
        }
    }

    fn enter(&mut self, id: u32, price: u32, mut left: Steps, rests: bool, fills: &mut Vec<Fill>) {
        let side = self.sides[id as usize];
        let price = Ticks(price + MIDDLE_TICKS);
        while left > Steps(0) {
            let Some((node, resting)) = self.book.best(side.opposite()) else { break };
            let worse = if side == Side::Buy { resting.price > price } else { resting.price < price };
            if worse {
                break;
            }
            let (steps, maker) = (left.min(resting.left), resting.tag);
            fills.push(Fill { taker: id, maker, price: resting.price.0 - MIDDLE_TICKS, steps: steps.0 as u32 });
            left.0 -= steps.0;
            if steps == resting.left {
                self.book.remove(side.opposite(), node);
                self.nodes[maker as usize] = None;
            } else {
                self.book.reduce(side.opposite(), node, steps);
            }
        }
        if left > Steps(0) && rests {
            self.nodes[id as usize] = Some(self.book.insert(side, id, MemberIndex(id % 2), price, left).0);
        }
    }
}

fn ours(workload: &Workload) -> (f64, Vec<Fill>) {
    let orders = workload.warm_up.len() + workload.timed.len();
    let mut alone = Alone { book: Book::default(), nodes: Vec::with_capacity(orders), sides: Vec::with_capacity(orders) };
    let mut fills = Vec::with_capacity(workload.timed.len());
    for op in &workload.warm_up {
        alone.apply(*op, &mut fills);
    }
    (timed(&workload.timed, |op| alone.apply(*op, &mut fills)), fills)
}

/// The same commands as log entries: with guards, holds, double entry, fees, events and answers, but without request keys and journal.
struct Entries {
    set_up: Vec<Entry>,
    timed: Vec<Entry>,
    /// Workload number of each order, by entry.
    order_of_seq: Vec<u32>,
}

struct Writer {
    entries: Vec<Entry>,
    order_of_seq: Vec<u32>,
    /// Current number and side of each workload order.
    current: Vec<(OrderId, bool)>,
    book: Alone,
}

impl Writer {
    fn push(&mut self, command: Command, order: u32) -> Seq {
        let seq = Seq(self.order_of_seq.len() as u64);
        self.order_of_seq.push(order);
        self.entries.push(Entry { seq, time: Time(1_767_225_600_000), request: None, command });
        seq
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Place { id, buy, price, steps, immediate } => {
                self.current.push((OrderId(0), buy));
                self.place(id, price, Steps(u64::from(steps)), immediate);
            }
            Op::Cancel { id } => {
                if self.book.nodes[id as usize].is_some() {
                    self.cancel(id);
                }
            }
            Op::Move { id, price } => {
                if self.book.nodes[id as usize].is_some() {
                    self.move_to(id, price);
                }
            }
        }
        self.book.apply(op, &mut Vec::new());
    }

    fn user(&self, id: u32) -> UserId {
        let parity = u64::from(self.current[id as usize].1);
        UserId(100 + u64::from(id) * 2 % MEMBERS + parity)
    }

    fn place(&mut self, id: u32, price: u32, steps: Steps, immediate: bool) {
        let side = if self.current[id as usize].1 { Side::Buy } else { Side::Sell };
        let time_in_force = if immediate { TimeInForce::ImmediateOrCancel } else { TimeInForce::GoodTillCancelled };
        let kind = OrderKind::Limit { price: price_of(price), quantity: steps.0 * 1_000, time_in_force };
        let place = PlaceSpotOrder { user: self.user(id), market: MarketId(1), side, kind, client_order_id: None };
        let seq = self.push(Command::PlaceSpotOrder(place), id);
        self.current[id as usize].0 = OrderId(seq.0);
    }

    fn move_to(&mut self, id: u32, price: u32) {
        let order = self.current[id as usize].0;
        let seq = self.push(Command::MoveSpotOrder { user: self.user(id), order, price: price_of(price) }, id);
        self.current[id as usize].0 = OrderId(seq.0);
    }

    fn cancel(&mut self, id: u32) {
        let order = OrderRef::Id(self.current[id as usize].0);
        self.push(Command::CancelSpotOrder { user: self.user(id), order }, id);
    }
}

/// The price of a level.
fn price_of(level: u32) -> Price {
    Price(u64::from(level + MIDDLE_TICKS) * 10_000_000)
}

fn entries(workload: &Workload) -> Entries {
    let alone = Alone { book: Book::default(), nodes: Vec::new(), sides: Vec::new() };
    let mut writer = Writer { entries: Vec::new(), order_of_seq: vec![0], current: Vec::new(), book: alone };
    writer.push(Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() })), 0);
    for feature in Feature::ALL {
        writer.push(Command::Activate(feature), 0);
    }
    for user in (0..=MEMBERS).map(|member| UserId(100 + member)) {
        writer.push(Command::RegisterMember { user, house: false }, 0);
        for (asset, amount) in [(AssetId(1), 10_000_000_000), (AssetId(3), 1_000_000_000_000)] {
            for _ in 0..5 {
                writer.push(Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount }, 0);
            }
        }
    }
    let price = Price(u64::from(MIDDLE_TICKS + LEVELS / 2) * 10_000_000);
    writer.push(Command::SandboxPrice { market: MarketId(1), price }, 0);
    workload.warm_up.iter().for_each(|op| writer.op(*op));
    let set_up = std::mem::take(&mut writer.entries);
    workload.timed.iter().for_each(|op| writer.op(*op));
    Entries { set_up, timed: writer.entries, order_of_seq: writer.order_of_seq }
}

fn engine(entries: &Entries) -> (f64, Vec<Fill>) {
    let mut engine = Engine::default();
    let mut events = Vec::with_capacity(1_024);
    let mut trades = Vec::with_capacity(entries.timed.len());
    for entry in &entries.set_up {
        engine.apply(entry, &mut events).result.expect("set-up is sound");
        trades.extend(events.iter().filter_map(trade));
        events.clear();
    }
    let mut refused = 0u64;
    let elapsed = timed(&entries.timed, |entry| {
        refused += u64::from(engine.apply(entry, &mut events).result.is_err());
        trades.extend(events.iter().filter_map(trade));
        events.clear();
    });
    assert_eq!(refused, 0, "every command of the workload is sound");
    let order = |id: OrderId| entries.order_of_seq[id.0 as usize];
    let fill = |(taker, maker, price, quantity): &(OrderId, OrderId, Price, u64)| Fill {
        taker: order(*taker),
        maker: order(*maker),
        price: (price.0 / 10_000_000) as u32 - MIDDLE_TICKS,
        steps: (quantity / 1_000) as u32,
    };
    (elapsed, trades.iter().map(fill).collect())
}

fn trade(event: &Event) -> Option<(OrderId, OrderId, Price, u64)> {
    match event {
        Event::Traded(trade) => Some((trade.taker.order, trade.maker.order, trade.price, trade.quantity)),
        _ => None,
    }
}

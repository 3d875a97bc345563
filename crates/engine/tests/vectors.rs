//! The published cases of the rules (`docs/rules.md`). `MERIDIAN_VECTORS=<dir>` runs another set of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::candles::{Candle, Period, RollingDay, fill_gaps, merge_candles};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::Event;
use engine::ids::{AssetId, MarketId, OrderId, Seq, UserId};
use engine::index::Quote;
use engine::index::{JumpFilter, index_price};
use engine::ledger::HouseAccount;
use engine::reply::Reply;
use engine::spot::SpotOrder;
use engine::spot::status::Status;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::time::Time;
use engine::units::{Base, Scales, charge_on_running_total};
use serde_json::{Map, Value, json};

#[path = "vectors/harness.rs"]
mod harness;

use harness::{Expected, amount, check, number, text};

#[test]
fn vectors_spot() {
    check("spot.json", &[("spot_fee", spot_fee), ("spot_notional", spot_notional), ("spot_book", spot_book)]);
}

fn spot_fee(input: &Value) -> Expected {
    let rate = Rate(number(&input["rate"]));
    let (mut total, mut paid) = (0, 0);
    let mut fees = Vec::new();
    for received in input["received"].as_array().unwrap() {
        let fee = charge_on_running_total(total, number(received), rate).unwrap();
        total += number(received);
        paid += fee;
        fees.push(text(fee));
    }
    Ok(json!({"fees": fees, "total": text(paid), "net": text(total - paid)}))
}

/// An engine with the standard catalog, a fresh index at `reference`, and members a, b, c with these spot balances.
struct Fixture {
    engine: Engine,
    events: Vec<Event>,
    market: MarketId,
    users: BTreeMap<String, UserId>,
}

const START_MS: u64 = 1_767_225_600_000;

impl Fixture {
    fn new(symbol: &str) -> Fixture {
        let catalog = Catalog::standard();
        let market = catalog.markets.iter().find(|market| market.symbol == symbol).unwrap().id;
        let mut fixture = Fixture { engine: Engine::default(), events: Vec::new(), market, users: BTreeMap::new() };
        let genesis = Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() };
        fixture.apply(Command::Genesis(Box::new(genesis))).unwrap();
        fixture
    }

    fn apply(&mut self, command: Command) -> Expected {
        self.run(command).map(|_| Value::Null)
    }

    fn run(&mut self, command: Command) -> Result<Reply, String> {
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time: Time(START_MS), request: None, command };
        let outcome = self.engine.apply(&entry, &mut self.events);
        self.engine.check_invariants().unwrap();
        outcome.result.map_err(|reject| reject.name().to_owned())
    }

    fn user(&mut self, name: &str) -> UserId {
        if let Some(user) = self.users.get(name) {
            return *user;
        }
        let user = UserId(100 + self.users.len() as u64);
        self.users.insert(name.to_owned(), user);
        self.apply(Command::RegisterMember { user, house: false }).unwrap();
        user
    }

    fn fund(&mut self, user: UserId, asset: AssetId, wallet: Wallet, mut amount: u64) {
        let most = self.engine.catalog().asset(asset).unwrap().faucet_max;
        while amount > 0 {
            let part = amount.min(most);
            self.apply(Command::SandboxFaucet { user, asset, wallet, amount: part }).unwrap();
            amount -= part;
        }
    }

    /// Sets the index of the pair; for a computed one by its legs at 1 and the price.
    fn price(&mut self, price: u64) {
        use engine::catalog::IndexOrigin;
        let index = self.engine.catalog().index(self.market).unwrap().clone();
        let commands = match index.origin {
            IndexOrigin::Sources(_) => vec![(self.market, price)],
            IndexOrigin::Cross { numerator, denominator } => vec![(denominator, 100_000_000_000), (numerator, price * 1_000)],
        };
        for (market, price) in commands {
            self.apply(Command::SandboxPrice { market, price: Price(price) }).unwrap();
        }
        assert_eq!(self.engine.reference_price(self.market), Some(Price(price)), "the index of the pair must show the case's price");
    }

    fn place(&mut self, user: &str, side: &str, kind: OrderKind) -> Result<OrderId, String> {
        let side = match side {
            "BUY" => Side::Buy,
            "SELL" => Side::Sell,
            _ => return Err("E_SIDE".to_owned()),
        };
        let (user, market) = (self.user(user), self.market);
        match self.run(Command::PlaceSpotOrder(PlaceSpotOrder { user, market, side, kind, client_order_id: None }))? {
            Reply::SpotOrderPlaced(id) => Ok(id),
            other => panic!("{other:?}"),
        }
    }
}

fn spot_notional(input: &Value) -> Expected {
    let mut fixture = Fixture::new(input["market"].as_str().unwrap());
    if let Some(reference) = input["ref"].as_str() {
        fixture.price(reference.parse().unwrap());
    }
    let facts = fixture.engine.catalog().market(fixture.market).unwrap().clone();
    let user = fixture.user("a");
    for asset in [facts.base, facts.quote] {
        fixture.fund(user, asset, Wallet::Spot, 10_000_000_000_000);
    }
    let (price, quantity) = (Price(amount(&input["price"])?), amount(&input["qty"])?);
    let kind = OrderKind::Limit { price, quantity, time_in_force: TimeInForce::GoodTillCancelled };
    fixture.place("a", input["side"].as_str().unwrap(), kind)?;
    let scale = |asset| fixture.engine.catalog().asset(asset).unwrap().scale;
    let notional = Base(quantity).value_floor(price, Scales { base: scale(facts.base), quote: scale(facts.quote) }).unwrap().0;
    Ok(json!({"notional": text(notional)}))
}

fn spot_book(input: &Value) -> Expected {
    let mut fixture = Fixture::new(input["market"].as_str().unwrap());
    let facts = fixture.engine.catalog().market(fixture.market).unwrap().clone();
    let assets: BTreeMap<String, AssetId> = fixture.engine.catalog().assets.iter().map(|asset| (asset.code.clone(), asset.id)).collect();
    for (name, balances) in input["balances"].as_object().unwrap() {
        let user = fixture.user(name);
        for (code, parts) in balances.as_object().unwrap() {
            assert_eq!(number(&parts[1]), 0, "cases start without holds");
            fixture.fund(user, assets[code], Wallet::Spot, number(&parts[0]));
        }
    }
    if let Some(reference) = input["ref"].as_str() {
        fixture.price(reference.parse().unwrap());
    }
    // The case numbers its orders 1, 2, 3 ... as they are accepted; a triggered stop takes a number of its own for its priority.
    let mut numbers: BTreeMap<u64, OrderId> = BTreeMap::new();
    let mut next = 1;
    let mut results = Vec::new();
    for command in input["commands"].as_array().unwrap() {
        results.push(Value::String(spot_command(&mut fixture, command, &mut numbers, &mut next)));
    }
    let name_of = |id: OrderId| numbers.iter().find(|(_, order)| **order == id).map(|(number, _)| text(*number)).unwrap();
    let fee_of = |asset: AssetId| {
        let code = assets.iter().find(|(_, id)| **id == asset).unwrap().0.clone();
        (code, text(fixture.engine.house_balance(HouseAccount::Fee, asset)))
    };
    let fees: Map<String, Value> = [facts.base, facts.quote].map(fee_of).into_iter().collect();
    Ok(json!({
        "balances": balances_of(&fixture, input, &assets),
        "fee": fees,
        "bids": side_of_book(&fixture, Side::Buy, &name_of),
        "asks": side_of_book(&fixture, Side::Sell, &name_of),
        "orders": orders_of(&fixture, &numbers),
        "trades": trades_of(&fixture, &name_of),
        "results": results,
    }))
}

fn spot_command(fixture: &mut Fixture, command: &Value, numbers: &mut BTreeMap<u64, OrderId>, next: &mut u64) -> String {
    let atoms = |field: &str| if command[field].is_null() { Ok(0) } else { amount(&command[field]) };
    let user = command["user"].as_str().unwrap_or("a").to_owned();
    let result = match command["do"].as_str().unwrap() {
        "index" => {
            let triggered_before = waiting(fixture);
            fixture.price(number(&command["price"]));
            *next += (triggered_before - waiting(fixture)) as u64;
            return "OK".to_owned();
        }
        "cancel" => {
            let order = numbers.get(&number(&command["id"])).copied().unwrap_or(OrderId(u64::MAX));
            let user = fixture.user(&user);
            fixture.apply(Command::CancelSpotOrder { user, order: OrderRef::Id(order) }).map(|_| None)
        }
        "place" => (|| {
            let side = command["side"].as_str().unwrap();
            let time_in_force = match command["tif"].as_str().unwrap_or("GTC") {
                "GTC" => TimeInForce::GoodTillCancelled,
                "IOC" => TimeInForce::ImmediateOrCancel,
                "FOK" => TimeInForce::FillOrKill,
                "POST_ONLY" => TimeInForce::PostOnly,
                _ => return Err("E_TIF".to_owned()),
            };
            let (price, quantity, stop) = (Price(atoms("price")?), atoms("qty")?, Price(atoms("stop")?));
            let kind = match command["type"].as_str().unwrap() {
                "LIMIT" => OrderKind::Limit { price, quantity, time_in_force },
                "STOP_LIMIT" => OrderKind::StopLimit { stop, price, quantity, time_in_force },
                "MARKET" => OrderKind::Market { size: if side == "BUY" { atoms("funds")? } else { quantity } },
                _ => return Err("E_TYPE".to_owned()),
            };
            fixture.place(&user, side, kind).map(Some)
        })(),
        other => panic!("unknown step {other}"),
    };
    match result {
        Ok(None) => "OK".to_owned(),
        Ok(Some(id)) => {
            numbers.insert(*next, id);
            *next += 1;
            format!("OK:{}", *next - 1)
        }
        Err(name) => name,
    }
}

fn waiting(fixture: &Fixture) -> usize {
    let live = fixture.users.values().flat_map(|user| fixture.engine.live_spot_orders(*user));
    live.filter(|order| order.status == Status::Waiting).count()
}

fn balances_of(fixture: &Fixture, input: &Value, assets: &BTreeMap<String, AssetId>) -> Value {
    let of_user = |name: &String, codes: &Value| {
        let balance = |code: &String| {
            let balance = fixture.engine.balance(fixture.users[name], Wallet::Spot, assets[code]).unwrap();
            (code.clone(), json!([text(balance.available), text(balance.held)]))
        };
        (name.clone(), Value::Object(codes.as_object().unwrap().keys().map(balance).collect()))
    };
    Value::Object(input["balances"].as_object().unwrap().iter().map(|(name, codes)| of_user(name, codes)).collect())
}

fn side_of_book(fixture: &Fixture, side: Side, name_of: &dyn Fn(OrderId) -> Value) -> Value {
    let (book, grid) = fixture.engine.book(fixture.market).unwrap();
    let (mut orders, mut shown) = (Vec::<&SpotOrder>::new(), Vec::new());
    for user in fixture.users.values() {
        orders.extend(fixture.engine.live_spot_orders(*user).filter(|order| order.status == Status::Open && order.side == side));
    }
    orders.sort_by_key(|order| {
        let price = order.price().unwrap().0;
        (if side == Side::Buy { u64::MAX - price } else { price }, order.priority)
    });
    for (order, resting) in orders.iter().zip(book.orders(side)) {
        assert_eq!((grid.price(resting.price), grid.quantity(resting.left).0), (order.price().unwrap(), order.left().unwrap()));
        shown.push(json!([name_of(order.id), text(order.price().unwrap().0), text(order.left().unwrap())]));
    }
    assert_eq!(orders.len(), book.orders(side).count());
    Value::Array(shown)
}

fn orders_of(fixture: &Fixture, numbers: &BTreeMap<u64, OrderId>) -> Value {
    let shown = |(number, id): (&u64, &OrderId)| {
        let found = fixture.users.values().find_map(|user| fixture.engine.spot_order(*user, &OrderRef::Id(*id))).unwrap();
        let status = match found.status {
            Status::Waiting => "WAITING",
            Status::Open => "OPEN",
            Status::Completed => "COMPLETED",
            Status::Cancelled => "CANCELLED",
        };
        (number.to_string(), json!([status, found.reason.map(|reason| reason.name()), text(found.filled), text(found.filled_value)]))
    };
    Value::Object(numbers.iter().map(shown).collect())
}

fn trades_of(fixture: &Fixture, name_of: &dyn Fn(OrderId) -> Value) -> Value {
    let shown = |event: &Event| {
        let Event::Traded(trade) = event else { return None };
        let figures = [trade.price.0, trade.quantity, trade.value, trade.maker.fee, trade.taker.fee].map(text);
        let mut row = vec![name_of(trade.maker.order), name_of(trade.taker.order)];
        row.extend(figures);
        Some(Value::Array(row))
    };
    Value::Array(fixture.events.iter().filter_map(shown).collect())
}

#[test]
fn vectors_index() {
    check("index.json", &[("index", index), ("jump", jump)]);
}

fn index(input: &Value) -> Expected {
    let sources = input["sources"].as_array().unwrap();
    let quote = |(position, source): (usize, &Value)| {
        // A source that sends a negative price is dropped like one that sends 0.
        let price = source[1].as_str().unwrap().parse::<i128>().unwrap();
        Quote { source: position as u8, price: Price(u64::try_from(price).unwrap_or(0)), age_ms: number(&source[2]) as u32 }
    };
    let quotes: Vec<Quote> = sources.iter().enumerate().map(quote).collect();
    let (price, uses) = index_price(&quotes, Price(number(&input["tick"])));
    let price = price.ok_or("E_INDEX_QUORUM")?;
    let mut used: Vec<&str> = uses
        .iter()
        .filter(|entry| entry.dropped.is_none())
        .map(|entry| sources[usize::from(entry.quote.source)][0].as_str().unwrap())
        .collect();
    used.sort_unstable();
    Ok(json!({"price": text(price.0), "used": used}))
}

fn jump(input: &Value) -> Expected {
    let mut filter = JumpFilter::default();
    let candidates = input["candidates"].as_array().unwrap();
    let accepted: Vec<&Value> =
        candidates.iter().filter(|candidate| filter.offer(Time(number(&candidate[0])), Price(number(&candidate[1])))).collect();
    Ok(json!({"accepted": accepted}))
}

#[test]
fn vectors_candles() {
    check("candles.json", &[("bucket", bucket), ("candles", candles), ("ticker", ticker)]);
}

fn period(name: &Value) -> Period {
    match name.as_str().unwrap() {
        "1m" => Period::Minute1,
        "5m" => Period::Minute5,
        "15m" => Period::Minute15,
        "30m" => Period::Minute30,
        "60m" => Period::Hour1,
        "1D" => Period::Day1,
        "1W" => Period::Week1,
        "1M" => Period::Month1,
        other => panic!("unknown interval {other}"),
    }
}

fn bucket(input: &Value) -> Expected {
    let period = period(&input["interval"]);
    let time = Time(number(&input["ts"]));
    Ok(json!({"start": period.start_ms(time).to_string(), "end": text(period.end(period.start(time)).0)}))
}

fn trade(row: &Value) -> (Time, Price, u64, u64) {
    (Time(number(&row[0])), Price(number(&row[1])), number(&row[2]), number(&row[3]))
}

fn candles(input: &Value) -> Expected {
    let period = period(&input["interval"]);
    let (from, to) = (Time(number(&input["from"])), Time(number(&input["to"])));
    let trades: Vec<_> = input["trades"].as_array().unwrap().iter().map(trade).collect();
    let single = trades.iter().map(|(time, price, quantity, value)| Candle::first(Period::Minute1.start(*time), *price, *quantity, *value));
    // Longer candles are merged from 1-minute ones (M-3).
    let merged = merge_candles(merge_candles(single, Period::Minute1), period);
    let before = merged.iter().rfind(|candle| candle.start < from).map(|candle| candle.close);
    let rows = fill_gaps(&merged, period, from, to, before);
    let row = |c: &Candle| {
        Value::Array([c.start.0, c.open.0, c.high.0, c.low.0, c.close.0, c.volume, c.quote_volume, c.count].map(text).to_vec())
    };
    Ok(json!({"candles": rows.iter().map(row).collect::<Vec<_>>()}))
}

fn ticker(input: &Value) -> Expected {
    let now = Time(number(&input["now"]));
    let mut day = RollingDay::default();
    for (time, price, quantity, value) in input["trades"].as_array().unwrap().iter().map(trade).filter(|(time, ..)| *time <= now) {
        day.add(time, price, quantity, value);
    }
    let Some(ticker) = day.ticker(now) else { return Ok(json!({"ticker": null})) };
    let signed = |value: u64| Value::String(if ticker.change().0 && value > 0 { format!("-{value}") } else { value.to_string() });
    Ok(json!({"ticker": {
        "open": text(ticker.open.0), "high": text(ticker.high.0), "low": text(ticker.low.0), "last": text(ticker.last.0),
        "volume": text(ticker.volume), "quote": text(ticker.quote_volume), "count": text(ticker.count),
        "change": signed(ticker.change().1.0), "pct": signed(ticker.change_percent()),
    }}))
}

#[test]
fn vectors_transfer() {
    check("funding.json", &[("transfer", transfer)]);
}

fn transfer(input: &Value) -> Expected {
    let wallet = |name: &Value| match name.as_str().unwrap() {
        "spot" => Ok(Wallet::Spot),
        "contract" => Ok(Wallet::Futures),
        "option" => Ok(Wallet::BinaryOptions),
        "plan" => Ok(Wallet::Earn),
        _ => Err("E_ACCOUNT".to_owned()),
    };
    let mut fixture = Fixture::new("BTC/USDT");
    let (from, to) = (wallet(&input["from"])?, wallet(&input["to"])?);
    let code = input["asset"].as_str().unwrap();
    let asset = fixture.engine.catalog().assets.iter().find(|asset| asset.code == code).map_or(AssetId(0), |asset| asset.id);
    let user = fixture.user("a");
    let available = number(&input["avail"]);
    if fixture.engine.balance(user, from, asset).is_some() {
        fixture.fund(user, asset, from, available);
    }
    let amount = amount(&input["amount"]).unwrap_or(0);
    match fixture.run(Command::Transfer { user, asset, from, to, amount })? {
        Reply::Transferred(done) => Ok(json!({"avail_after": text(done.from_available)})),
        other => panic!("{other:?}"),
    }
}

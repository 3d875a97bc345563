//! Runs the text tables in `scenarios/<product>/<rule>.txt`: a command per line with its expected result, then balances, orders and books.
//! `scenarios/README.md` explains the words. After every command the invariants are checked; at the end of every file a snapshot and a
//! replay through the written form must give the same state.

#![allow(clippy::unwrap_used, reason = "a scenario that cannot be read has failed")]

#[path = "scenarios/contracts.rs"]
mod contracts;
#[path = "scenarios/convert.rs"]
mod convert;
#[path = "scenarios/equal.rs"]
mod equal;
#[path = "scenarios/loans.rs"]
mod loans;
#[path = "scenarios/options.rs"]
mod options;
#[path = "scenarios/outside.rs"]
mod outside;
#[path = "scenarios/plans.rs"]
mod plans;
#[path = "scenarios/referral.rs"]
mod referral;
#[path = "scenarios/subscriptions.rs"]
mod subscriptions;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engine::Engine;
use engine::amount::{MAX_AMOUNT, MAX_PRICE, PRICE_SCALE, Price, format_decimal, parse_decimal};
use engine::candles::{Period, civil_date, day_number};
use engine::catalog::{Asset, Catalog, IndexOrigin, Market, Wallet};
use engine::codec::{decode, encode};
use engine::command::{Command, Entry, Genesis, Mode, Request};
use engine::contracts::position::Position;
use engine::convert::conversion::Conversion;
use engine::event::{AccountEvent, Event, Trade};
use engine::feature::Feature;
use engine::ids::{AssetId, ClientOrderId, CommitmentId, ConversionId, LoanId, OptionId, OrderId, PlanOrderId, PositionId, Seq, UserId};
use engine::index::{MarketQuotes, Quote};
use engine::ledger::HouseAccount;
use engine::loans::loan::Loan;
use engine::options::option::BinaryOption;
use engine::plans::order::PlanOrder;
use engine::referral::Rebate;
use engine::reply::{FirstAnswer, Reply};
use engine::spot::SpotOrder;
use engine::spot::status::Status;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::subscriptions::offering::Commitment;
use engine::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Time};

/// 2026-01-01, a Thursday.
const START: Time = Time(1_767_225_600_000);

/// Writes the entries of every scenario below `MERIDIAN_ENTRIES`, for golden journals (`golden.rs`).
#[test]
#[ignore = "writes the entries of every scenario"]
#[allow(clippy::disallowed_methods, reason = "a tool, not the engine")]
fn the_entries_of_every_scenario_are_written() {
    let target = PathBuf::from(std::env::var("MERIDIAN_ENTRIES").expect("MERIDIAN_ENTRIES names a folder")).join("journals");
    fs::create_dir_all(&target).unwrap();
    let hex = |bytes: &[u8]| match bytes {
        [] => "-".to_owned(),
        bytes => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    for folder in sorted(&root).into_iter().filter(|path| path.is_dir()) {
        for file in sorted(&folder) {
            let line = |Entry { seq, time, request, command }: &Entry| {
                let bytes = encode(*request, command);
                format!("{} {} {} {} {} {}\n", seq.0, time.0, bytes.kind, bytes.version, hex(&bytes.public), hex(&bytes.private))
            };
            let lines: String = run_file(&file).unwrap().iter().map(line).collect();
            let name = [&folder, &file].map(|path| path.file_stem().unwrap().to_str().unwrap()).join("-");
            fs::write(target.join(format!("{name}.txt")), lines).unwrap();
        }
    }
}

#[test]
fn every_scenario_comes_out_as_written() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut wrong = Vec::new();
    for folder in sorted(&root).into_iter().filter(|path| path.is_dir()) {
        let files: Vec<PathBuf> =
            sorted(&folder).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "txt")).collect();
        assert!(!files.is_empty(), "{} has no scenario", folder.display());
        wrong.extend(files.iter().filter_map(|file| run_file(file).err()));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths
}

/// The entries of a file.
fn run_file(file: &Path) -> Result<Vec<Entry>, String> {
    let text = fs::read_to_string(file).unwrap();
    let mut stage = Stage::default();
    let (mut commands, mut checks) = (0, 0);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let done = match line.split_once("=>") {
            Some((command, expected)) => {
                commands += 1;
                stage.command(&words(command), &words(expected))
            }
            None => {
                checks += 1;
                stage.check(&words(line))
            }
        };
        done.map_err(|why| format!("{}:{}: {line}\n    {why}", file.display(), number + 1))?;
    }
    let all = stage.compare_copies().map_err(|why| format!("{}: {why}", file.display()));
    all.and_then(
        |()| if commands > 0 && checks > 0 { Ok(stage.entries) } else { Err(format!("{}: no commands or no checks", file.display())) },
    )
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn equal(found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("found: {found}")) }
}

/// An engine, what was put into it, and the names of the story.
#[derive(Default)]
struct Stage {
    engine: Engine,
    entries: Vec<Entry>,
    members: BTreeMap<String, UserId>,
    orders: BTreeMap<String, (UserId, OrderId)>,
    names: BTreeMap<String, outside::Named>,
    last_trades: Vec<Trade>,
    /// The last state of every option.
    options: BTreeMap<OptionId, BinaryOption>,
    /// The last state of every contract.
    contracts: BTreeMap<PositionId, Position>,
    /// Every conversion.
    conversions: BTreeMap<ConversionId, Conversion>,
    /// The last state of every loan.
    loans: BTreeMap<LoanId, Loan>,
    /// The last state of every commitment.
    commitments: BTreeMap<CommitmentId, Commitment>,
    /// Every rebate, oldest first.
    rebates: Vec<Rebate>,
    /// The last state of every plan order.
    plans: BTreeMap<PlanOrderId, PlanOrder>,
    /// First answers of which the engine keeps the keys only, as the history has them.
    history: BTreeMap<Seq, FirstAnswer>,
    waited: u64,
}

type Parsed<T> = Result<T, String>;

impl Stage {
    /// The instant of the next entry.
    fn now(&self) -> Time {
        Time(self.engine.time().0.max(START.0) + self.waited)
    }

    fn catalog(&self) -> &Catalog {
        self.engine.catalog()
    }

    fn member(&self, name: &str) -> UserId {
        // A name that never joined is an unknown member.
        self.members.get(name).copied().unwrap_or(UserId(999))
    }

    fn asset(&self, code: &str) -> Option<&Asset> {
        self.catalog().assets.iter().chain(self.engine.unlisted_tokens()).find(|asset| asset.code == code)
    }

    fn market(&self, symbol: &str) -> Parsed<&Market> {
        self.catalog().markets.iter().find(|market| market.symbol == symbol).ok_or(format!("no pair {symbol}"))
    }

    /// Amount and coin, as in `1.5 BTC`.
    fn money(&self, amount: &str, code: &str) -> Parsed<(u64, AssetId)> {
        let (scale, id) = self.asset(code).map_or((8, AssetId(77)), |asset| (asset.scale, asset.id));
        let atoms = parse_decimal(amount, scale, MAX_AMOUNT).map_err(|why| format!("{amount}: {why:?}"))?;
        Ok((atoms, id))
    }

    fn command(&mut self, line: &[&str], expected: &[&str]) -> Result<(), String> {
        let (line, key) = match line {
            [front @ .., "key", key] => (front, Some(*key)),
            line => (line, None),
        };
        let request = key.map(|key| Request { key: text_number(key), content: text_number(&line.join(" ")) });
        let command = self.parse(line)?;
        let time = self.now();
        self.waited = 0;
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request, command };
        let mut events = Vec::new();
        let mut outcome = self.engine.apply(&entry, &mut events);
        if let Some(first) = outcome.is_answered_by() {
            outcome.complete(self.history.get(&first).ok_or("no first answer")?.clone());
        }
        self.history.extend(outcome.in_history.clone().map(|first| (entry.seq, first)));
        self.engine.check_invariants()?;
        self.entries.push(entry);
        self.last_trades =
            events.iter().filter_map(|event| if let Event::Traded(trade) = event { Some(trade.clone()) } else { None }).collect();
        // Due work happens before the command, whatever the command's result (T-3).
        let by_itself = |event: &Event| match event {
            Event::HappenedAt(_) => true,
            Event::Account(change) if matches!(**change, AccountEvent::ProposalChanged(_) | AccountEvent::CatalogChanged(_)) => true,
            event => {
                options::by_itself(event)
                    || contracts::by_itself(event)
                    || plans::by_itself(event)
                    || subscriptions::by_itself(event)
                    || loans::by_itself(event)
                    || referral::by_itself(event)
            }
        };
        self.note_options(&events);
        self.note_contracts(&events);
        self.note_conversions(&events);
        self.note_loans(&events);
        self.note_commitments(&events);
        self.note_rebates(&events);
        self.note_plans(&events);
        events.retain(|event| !by_itself(event) || outcome.result.is_ok());
        if outcome.result.is_err() && !events.is_empty() {
            return Err(format!("refused, and yet {} things happened", events.len()));
        }
        let sampled = events.iter().any(|event| matches!(event, Event::IndexSampled(_)));
        let mut found = match &outcome.result {
            Ok(_) if line.first() == Some(&"quotes") => if sampled { "sample" } else { "no sample" }.to_owned(),
            Ok(_) => "OK".to_owned(),
            Err(reject) => reject.name().to_owned(),
        };
        if outcome.repeated.is_some() {
            found += " again";
        }
        if let (Ok(Reply::SpotOrderPlaced(_) | Reply::SpotOrderMoved { .. }), ["OK", name]) = (&outcome.result, expected)
            && *name != "again"
        {
            let order = outcome.spot_order(&events).ok_or("a placed order without its event")?;
            self.orders.insert((*name).to_owned(), (order.user, order.id));
            return Ok(());
        }
        if let (Ok(reply), ["OK", name]) = (&outcome.result, expected)
            && outcome.repeated.is_none()
            && self.name_made(name, reply)
        {
            return Ok(());
        }
        equal(&found, &expected.join(" "))
    }

    fn parse(&mut self, line: &[&str]) -> Parsed<Command> {
        if let Some(command) = self.outside(line)? {
            return Ok(command);
        }
        if let Some(command) = self.option_command(line)? {
            return Ok(command);
        }
        if let Some(command) = self.contract_command(line)? {
            return Ok(command);
        }
        if let Some(command) = self.conversion_command(line)? {
            return Ok(command);
        }
        if let Some(command) = self.loan_command(line)? {
            return Ok(command);
        }
        if let Some(command) = self.commit_command(line)? {
            return Ok(command);
        }
        if let Some(command) = self.referral_command(line) {
            return Ok(command);
        }
        if let Some(command) = self.plan_command(line)? {
            return Ok(command);
        }
        Ok(match line {
            ["genesis", mode] => {
                let mode = if *mode == "live" { Mode::Live } else { Mode::Sandbox };
                Command::Genesis(Box::new(Genesis { mode, catalog: Catalog::standard(), endowments: Vec::new() }))
            }
            ["genesis", "live", "with", "paper", "capital"] => {
                let endowments = vec![(HouseAccount::Insurance, AssetId(3), 1_000_000)];
                Command::Genesis(Box::new(Genesis { mode: Mode::Live, catalog: Catalog::standard(), endowments }))
            }
            ["member", name] => {
                let next = UserId(self.members.len() as u64 + 1);
                Command::RegisterMember { user: *self.members.entry((*name).to_owned()).or_insert(next), house: false }
            }
            ["faucet", name, amount, code, wallet @ ..] => {
                let (amount, asset) = self.money(amount, code)?;
                Command::SandboxFaucet {
                    user: self.member(name),
                    asset,
                    wallet: wallet.first().map_or(Ok(Wallet::Spot), |word| wallet_named(word))?,
                    amount,
                }
            }
            ["activate", "frozen", "cards"] => Command::Activate(Feature::FrozenCards),
            ["activate", "index", "ring"] => Command::Activate(Feature::IndexRing),
            ["activate", "due", "work"] => Command::Activate(Feature::DueWork),
            ["price", symbol, price] => Command::SandboxPrice { market: self.market(symbol)?.id, price: price_of(price)? },
            ["halt", symbol] => Command::SandboxFeed { market: self.market(symbol)?.id, halt: true },
            ["release", symbol] => Command::SandboxFeed { market: self.market(symbol)?.id, halt: false },
            ["wait", amount, unit] => {
                self.waited += duration(amount, unit)?;
                Command::Clock
            }
            ["clock", amount, unit] => {
                self.waited += duration(amount, unit)?;
                Command::SandboxClock
            }
            ["quotes", symbol, quotes @ ..] => Command::PublishQuotes(vec![self.quotes(symbol, quotes)?]),
            [name, "moves", amount, code, "from", from, "to", to] => {
                let (amount, asset) = self.money(amount, code)?;
                Command::Transfer { user: self.member(name), asset, from: wallet_named(from)?, to: wallet_named(to)?, amount }
            }
            [name, "cancels", "all", rest @ ..] => {
                let coin = |word: &str| {
                    rest.iter().skip_while(|found| **found != word).nth(1).map(|code| self.money("0", code).map(|(_, id)| id)).transpose()
                };
                Command::CancelAllSpotOrders { user: self.member(name), base: coin("base")?, quote: coin("quote")? }
            }
            [name, "cancels", "id", client_id] => {
                Command::CancelSpotOrder { user: self.member(name), order: OrderRef::Client(ClientOrderId::new(client_id).ok_or("id")?) }
            }
            [name, "cancels", order] => Command::CancelSpotOrder { user: self.member(name), order: OrderRef::Id(self.order_named(order)) },
            [name, "moves", order, "to", price] => {
                Command::MoveSpotOrder { user: self.member(name), order: self.order_named(order), price: price_of(price)? }
            }
            [name, side @ ("buys" | "sells"), quantity, symbol, rest @ ..] => self.order(name, side, quantity, symbol, rest)?,
            [name, "spends", funds, symbol] => self.order(name, "buys", funds, symbol, &["at", "market"])?,
            _ => return Err("unknown command".to_owned()),
        })
    }

    fn order_named(&self, name: &str) -> OrderId {
        self.orders.get(name).map_or(OrderId(9_999), |(_, id)| *id)
    }

    /// `at <price> [stop <price>] [gtc|ioc|fok|post_only] [id <client id>]`, or `at market`.
    fn order(&self, name: &str, side: &str, quantity: &str, symbol: &str, rest: &[&str]) -> Parsed<Command> {
        let side = if side == "buys" { Side::Buy } else { Side::Sell };
        let market = self.market(symbol)?;
        let scale = |id| self.catalog().asset(id).unwrap().scale;
        let (mut price, mut stop, mut time_in_force, mut client_order_id, mut at_market) =
            (Price(0), None, TimeInForce::GoodTillCancelled, None, false);
        let mut words = rest.iter();
        while let Some(word) = words.next() {
            let mut next = || words.next().copied().ok_or(format!("{word} what?"));
            match *word {
                "at" => match next()? {
                    "market" => at_market = true,
                    text => price = price_of(text)?,
                },
                "stop" => stop = Some(price_of(next()?)?),
                "id" => client_order_id = Some(ClientOrderId::new(next()?).ok_or("id")?),
                "gtc" => time_in_force = TimeInForce::GoodTillCancelled,
                "ioc" => time_in_force = TimeInForce::ImmediateOrCancel,
                "fok" => time_in_force = TimeInForce::FillOrKill,
                "post_only" => time_in_force = TimeInForce::PostOnly,
                other => return Err(format!("unknown word {other}")),
            }
        }
        let spent = at_market && side == Side::Buy;
        let size =
            parse_decimal(quantity, scale(if spent { market.quote } else { market.base }), MAX_AMOUNT).map_err(|why| format!("{why:?}"))?;
        let kind = match stop {
            _ if at_market => OrderKind::Market { size },
            None => OrderKind::Limit { price, quantity: size, time_in_force },
            Some(stop) => OrderKind::StopLimit { stop, price, quantity: size, time_in_force },
        };
        Ok(Command::PlaceSpotOrder(PlaceSpotOrder { user: self.member(name), market: market.id, side, kind, client_order_id }))
    }

    /// `alder 100000` or `alder 100000 old 5001 ms`, separated by commas.
    fn quotes(&self, symbol: &str, quotes: &[&str]) -> Parsed<MarketQuotes> {
        let market = self.market(symbol)?.id;
        let Some(IndexOrigin::Sources(names)) = self.catalog().index(market).map(|index| &index.origin) else {
            return Err("a computed pair".to_owned());
        };
        let quote = |text: &str| {
            let words = words(text);
            let (name, price, age_ms) = match words.as_slice() {
                [name, price] => (name, price, 0),
                [name, price, "old", age, "ms"] => (name, price, age.parse().map_err(|_| "age")?),
                _ => return Err(format!("unknown quote {text}")),
            };
            let source = names.iter().position(|known| known == name).ok_or(format!("no source {name}"))?;
            Ok(Quote { source: source as u8, price: price_of(price)?, age_ms })
        };
        let quotes = quotes.join(" ").split(',').map(quote).collect::<Parsed<Vec<Quote>>>()?;
        Ok(MarketQuotes { market, quotes })
    }

    fn check(&self, line: &[&str]) -> Result<(), String> {
        if let Some(checked) = self.check_options(line) {
            return checked;
        }
        if let Some(checked) = self.check_contracts(line) {
            return checked;
        }
        if let Some(checked) = self.check_conversions(line) {
            return checked;
        }
        if let Some(checked) = self.check_loans(line) {
            return checked;
        }
        if let Some(checked) = self.check_subscriptions(line) {
            return checked;
        }
        if let Some(checked) = self.check_referral(line) {
            return checked;
        }
        if let Some(checked) = self.check_plans(line) {
            return checked;
        }
        if let Some(checked) = self.check_outside(line) {
            return checked;
        }
        match line {
            ["balance", name, rest @ ..] => {
                let (wallet, rest) = match rest {
                    [word, rest @ ..] if wallet_named(word).is_ok() => (wallet_named(word)?, rest),
                    rest => (Wallet::Spot, rest),
                };
                let [amount, code, held @ ..] = rest else { return Err("how much?".to_owned()) };
                let (available, asset) = self.money(amount, code)?;
                let held = match held {
                    [] => 0,
                    ["+", held, "held"] => self.money(held, code)?.0,
                    _ => return Err("unknown words".to_owned()),
                };
                let balance = self.engine.balance(self.member(name), wallet, asset).ok_or("no such wallet")?;
                let scale = self.asset(code).unwrap().scale;
                let shown =
                    |available, held| format!("{} + {} held", format_decimal(available, scale, scale), format_decimal(held, scale, scale));
                equal(&shown(balance.available, balance.held), &shown(available, held))
            }
            ["fees", amount, code] => {
                let (expected, asset) = self.money(amount, code)?;
                equal(&self.engine.house_balance(HouseAccount::Fee, asset).to_string(), &expected.to_string())
            }
            ["book", symbol, side @ ("buys" | "sells"), rest @ ..] => {
                let market = self.market(symbol)?;
                let (book, grid) = self.engine.book(market.id).ok_or("no book")?;
                let side = if *side == "buys" { Side::Buy } else { Side::Sell };
                let scale = self.catalog().asset(market.base).unwrap().scale;
                let row = |price: Price, quantity| format!("{} at {}", plain(quantity, scale), plain(price.0, PRICE_SCALE));
                let found: Vec<String> = book.orders(side).map(|order| row(grid.price(order.price), grid.quantity(order.left).0)).collect();
                equal(&if found.is_empty() { "empty".to_owned() } else { found.join(", ") }, &rest.join(" "))
            }
            ["order", name, rest @ ..] => {
                let (user, id) = self.orders.get(*name).ok_or("no such order")?;
                let order = self.engine.spot_order(*user, &OrderRef::Id(*id)).ok_or("forgotten")?;
                self.check_order(order, rest)
            }
            ["trades", rest @ ..] => {
                let shown = |trade: &Trade| {
                    let market = self.catalog().market(trade.market).unwrap();
                    let scale = |id| self.catalog().asset(id).unwrap().scale;
                    let received = if trade.taker_side == Side::Buy { (market.base, market.quote) } else { (market.quote, market.base) };
                    let fees = (plain(trade.taker.fee, scale(received.0)), plain(trade.maker.fee, scale(received.1)));
                    format!(
                        "{} at {} fees {} {}",
                        plain(trade.quantity, scale(market.base)),
                        plain(trade.price.0, PRICE_SCALE),
                        fees.0,
                        fees.1
                    )
                };
                let found: Vec<String> = self.last_trades.iter().map(shown).collect();
                equal(&if found.is_empty() { "none".to_owned() } else { found.join(", ") }, &rest.join(" "))
            }
            ["index", symbol, rest @ ..] => {
                let market = self.market(symbol)?.id;
                let last = self.engine.index(market).and_then(|index| index.filter.last());
                let fresh = if self.engine.fresh_price(market).is_some() { "fresh" } else { "stale" };
                equal(&last.map_or("none".to_owned(), |last| format!("{} {fresh}", plain(last.price.0, PRICE_SCALE))), &rest.join(" "))
            }
            ["known", symbol, amount, unit, "ago", price] => {
                let instant = Time(self.engine.time().0 - duration(amount, unit)?);
                let known = self.engine.index(self.market(symbol)?.id).and_then(|index| index.known_at(instant));
                equal(&known.map_or("none".to_owned(), |known| plain(known.price.0, PRICE_SCALE)), price)
            }
            ["kept", symbol, count] => {
                equal(&self.engine.index(self.market(symbol)?.id).map_or(0, |index| index.samples().count()).to_string(), count)
            }
            ["bucket", period, date, clock, "is", from, "to", to] => {
                let time = Time(day_of(date)? * DAY_MS + time_of_day(clock)?);
                let (name, at) = (period, period_named(period)?.start(time));
                let shown = |time: Time| {
                    let ((year, month, day), minute) = (civil_date(time.day()), time.0 % DAY_MS / MINUTE_MS);
                    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}", minute / 60, minute % 60)
                };
                equal(&format!("{} to {}", shown(at), shown(period_named(name)?.end(at))), &format!("{from} to {to}"))
            }
            _ => Err("unknown check".to_owned()),
        }
    }

    fn check_order(&self, order: &SpotOrder, rest: &[&str]) -> Result<(), String> {
        let market = self.catalog().market(order.market).unwrap();
        let scale = |id| self.catalog().asset(id).unwrap().scale;
        let status = match order.status {
            Status::Waiting => "waiting".to_owned(),
            Status::Open => "open".to_owned(),
            Status::Completed => "completed".to_owned(),
            Status::Cancelled => format!("cancelled {}", order.reason.map_or("", |reason| reason.name())),
        };
        let received = if order.side == Side::Buy { market.base } else { market.quote };
        let (filled, fee) = (plain(order.filled, scale(market.base)), plain(order.fee, scale(received)));
        equal(&format!("{status} filled {filled} for {} fee {fee}", plain(order.filled_value, scale(market.quote))), &rest.join(" "))
    }

    /// I-10: a restored snapshot and a replay of the written entries are the same state.
    fn compare_copies(&self) -> Result<(), String> {
        let hash = self.engine.state_hash();
        let restored = Engine::restore(&self.engine.snapshot()).ok_or("the snapshot is not readable")?;
        let mut replayed = Engine::default();
        for entry in &self.entries {
            let read = decode(entry.seq, entry.time, &encode(entry.request, &entry.command)).map_err(|error| error.to_string())?;
            replayed.apply(&read, &mut Vec::new());
        }
        if restored.state_hash() != hash {
            return Err("the restored state is another one".to_owned());
        }
        for market in &self.catalog().markets {
            for side in [Side::Buy, Side::Sell] {
                let [live, copy] = [&self.engine, &restored].map(|engine| {
                    let (book, ..) = engine.book(market.id).unwrap();
                    book.orders(side).map(|order| (order.member, order.price, order.left)).collect::<Vec<_>>()
                });
                if live != copy {
                    return Err(format!("the restored book of {} trades in another order", market.symbol));
                }
            }
        }
        if replayed.state_hash() != hash { Err("the replayed state is another one".to_owned()) } else { Ok(()) }
    }
}

/// Without needless zeros.
fn plain(value: u64, scale: u8) -> String {
    let text = format_decimal(value, scale, scale);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn price_of(text: &str) -> Parsed<Price> {
    parse_decimal(text, PRICE_SCALE, MAX_PRICE.0).map(Price).map_err(|why| format!("{text}: {why:?}"))
}

fn text_number(text: &str) -> u128 {
    text.bytes().fold(7, |number: u128, byte| number.wrapping_mul(1_000_003) ^ u128::from(byte))
}

fn duration(amount: &str, unit: &str) -> Parsed<u64> {
    let length = match unit {
        "ms" => 1,
        "s" => SECOND_MS,
        "min" => MINUTE_MS,
        "h" => HOUR_MS,
        "days" => DAY_MS,
        _ => return Err(format!("unknown unit {unit}")),
    };
    Ok(amount.parse::<u64>().map_err(|error| error.to_string())? * length)
}

fn wallet_named(word: &str) -> Parsed<Wallet> {
    match word {
        "spot" => Ok(Wallet::Spot),
        "futures" => Ok(Wallet::Futures),
        "options" => Ok(Wallet::BinaryOptions),
        "earn" => Ok(Wallet::Earn),
        _ => Err(format!("unknown wallet {word}")),
    }
}

fn period_named(word: &str) -> Parsed<Period> {
    let names = ["1m", "5m", "15m", "30m", "60m", "1D", "1W", "1M"];
    names.iter().zip(Period::ALL).find(|(name, _)| **name == word).map(|(_, period)| period).ok_or(format!("unknown period {word}"))
}

fn day_of(date: &str) -> Parsed<u64> {
    let parts: Vec<u64> = date.split('-').filter_map(|part| part.parse().ok()).collect();
    let [year, month, day] = parts.as_slice() else { return Err(format!("{date} is no date")) };
    Ok(day_number(*year, *month, *day))
}

/// `hh:mm:ss.mmm` in milliseconds.
fn time_of_day(clock: &str) -> Parsed<u64> {
    let parts: Vec<u64> = clock.split([':', '.']).filter_map(|part| part.parse().ok()).collect();
    let [hours, minutes, seconds, ms] = parts.as_slice() else { return Err(format!("{clock} is no time")) };
    Ok(hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + ms)
}

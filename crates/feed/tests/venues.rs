//! The five adapters against local servers that speak the protocol of each venue. These tests use no real venue.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{Duration, Instant};

use engine::Engine;
use engine::amount::Price;
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{MarketId, Seq};
use engine::index::MarketQuotes;
use engine::time::Time;
use feed::market::Market;
use feed::testing::{FakeVenue, now_ms};
use feed::venues::address::Addresses;
use feed::venues::live::{Live, MinuteVolume, Pace, Patience, WallClock};
use feed::venues::past::PastCandle;
use feed::venues::status::{Connection, PairStatus, SourceStatus};
use tokio_tungstenite::tungstenite::Message as Frame;

const BTC: MarketId = MarketId(1);
const USDC: MarketId = MarketId(3);
const EVERY: Duration = Duration::from_millis(50);
/// What takes this long has hung.
const HANG: Duration = Duration::from_secs(60);

/// A live market before five venues.
struct Stage {
    engine: Engine,
    venues: Vec<FakeVenue>,
    live: Live,
}

const PACE: Pace = Pace {
    pair: Duration::from_millis(5),
    round: Duration::from_millis(30),
    pause: Duration::from_millis(20),
    longest_pause: Duration::from_millis(50),
    past: Duration::from_secs(2),
};

/// The venues share this machine: while it pauses, none of them may count as silent.
const PATIENCE: Patience = Patience {
    open: Duration::from_secs(5),
    ping: Duration::from_millis(100),
    silence: Duration::from_secs(5),
    quote: Duration::from_secs(15),
    pause: Duration::from_millis(20),
    longest_pause: Duration::from_millis(100),
    steady: Duration::from_millis(500),
};

impl Stage {
    async fn new() -> Stage {
        Stage::with(PATIENCE).await
    }

    async fn with(patience: Patience) -> Stage {
        let venues = FakeVenue::all(EVERY).await;
        let mut addresses = Addresses::default();
        venues.iter().for_each(|venue| addresses.add(&venue.option()).unwrap());
        let live = Live::start(&addresses, &WallClock::new(now_ms), patience, PACE);
        let mut stage = Stage { engine: Engine::default(), venues, live };
        stage.apply(Command::Genesis(Box::new(Genesis { mode: Mode::Live, catalog: Market::Live.catalog(), endowments: Vec::new() })));
        stage.sample();
        stage.until("all venues speak", |stage| stage.quotes(BTC).len() == 5 && stage.quotes(USDC).len() == 5).await;
        stage
    }

    fn apply(&mut self, command: Command) {
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time: Time(now_ms()), request: None, command };
        self.engine.apply(&entry, &mut Vec::new()).result.unwrap();
    }

    /// The publisher's work of one second.
    fn sample(&mut self) {
        for command in self.live.sample(&self.engine) {
            self.apply(command);
        }
    }

    fn quotes(&self, market: MarketId) -> Vec<engine::index::Quote> {
        let commands = self.live.sample(&self.engine);
        let all = commands.into_iter().filter_map(|command| if let Command::PublishQuotes(all) = command { Some(all) } else { None });
        all.flatten().find(|MarketQuotes { market: of, .. }| *of == market).map(|quotes| quotes.quotes).unwrap_or_default()
    }

    fn index(&mut self, market: MarketId) -> Option<Price> {
        self.sample();
        self.engine.fresh_price(market)
    }

    fn venue(&self, name: &str) -> &FakeVenue {
        self.venues.iter().find(|venue| venue.name == name).unwrap()
    }

    fn status(&self, name: &str) -> SourceStatus {
        self.live.status().into_iter().find(|status| status.name == name).unwrap()
    }

    fn btc(&self, name: &str) -> PairStatus {
        self.status(name).pairs.into_iter().find(|pair| pair.market == BTC).unwrap()
    }

    #[track_caller]
    fn until<'a>(&'a self, what: &'a str, is_so: impl Fn(&Stage) -> bool + 'a) -> impl Future<Output = ()> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let began = Instant::now();
            while !is_so(self) {
                assert!(began.elapsed() < HANG, "{place}: {what}: {:#?}", self.live.status());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_venues_make_a_price_each_in_its_own_words() {
    let mut stage = Stage::new().await;
    for (at, quote) in stage.quotes(BTC).into_iter().enumerate() {
        assert_eq!((usize::from(quote.source), quote.price), (at, Price(9_743_215_000_000)));
        assert!(quote.age_ms < 2_000, "{quote:?}");
    }
    // Coinbase quotes the dollar coins the other way round: 1 / 0.9999.
    let usdc: Vec<u64> = stage.quotes(USDC).into_iter().map(|quote| quote.price.0).collect();
    assert_eq!(usdc, [100_010_000, 100_010_001, 100_010_000, 100_010_000, 100_010_000]);
    assert_eq!(stage.index(BTC), Some(Price(9_743_215_000_000)));
    assert_eq!(stage.index(USDC), Some(Price(100_010_000)));
    for status in stage.live.status() {
        assert_eq!((status.connection, status.opened, status.strays, status.pairs.len()), (Connection::Open, 1, 0, 3), "{status:?}");
        assert!(status.pairs.iter().all(|pair| pair.rejected == 0 && pair.accepted > 0), "{status:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_that_lie_change_nothing_and_a_third_leaves_no_price() {
    let mut stage = Stage::new().await;
    for (liar, price) in [("binance", "1.00"), ("kraken", "9999999.0")] {
        stage.venue(liar).set("BTC", "USDT", price);
        stage.until("the lie is heard", |stage| stage.btc(liar).price != Some(Price(9_743_215_000_000))).await;
        assert_eq!(stage.index(BTC), Some(Price(9_743_215_000_000)), "{liar}");
    }
    stage.venue("okx").set("BTC", "USDT", "50000");
    stage.until("the third is heard", |stage| stage.btc("okx").price == Some(Price(5_000_000_000_000))).await;
    let seq = stage.engine.index(BTC).unwrap().filter.last();
    stage.sample();
    assert_eq!(stage.engine.index(BTC).unwrap().filter.last(), seq, "no sample without three that agree");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_malformed_is_counted_and_never_a_price() {
    let stage = Stage::new().await;
    for venue in &stage.venues {
        let before = stage.btc(venue.name);
        let (forty, deep) = ("1234567890123456789012345678901234567890", "[".repeat(5_000));
        let rejected = ["0", "0.0", "-97432.15", "1e3", forty, "97432.123456789"];
        for price in rejected {
            venue.say(&venue.ticker("BTC", "USDT", price, now_ms() + 100, 1 << 40));
        }
        for time_ms in [1, now_ms() - 61_000, now_ms() + 10_000] {
            venue.say(&venue.ticker("BTC", "USDT", "5.00", time_ms, 1 << 40));
        }
        let strays = [
            "",
            "{",
            "null",
            "[]",
            "\u{0}",
            "\"\"",
            "1e400",
            &deep,
            r#"{"data":{}}"#,
            &venue.ticker("TOK", "USDT", "5.00", now_ms(), 1 << 40),
        ];
        strays.iter().for_each(|text| venue.say(text));
        venue.send(Frame::binary(vec![0xff; 1_000]));
        venue.say(&venue.ticker("BTC", "USDT", "NaN", now_ms(), 1 << 40));
        // NaN is invalid JSON where prices are numbers, and a text elsewhere.
        let nan = u64::from(venue.name == "kraken");
        let (rejects, stray) = (before.rejected + 10 - nan, strays.len() as u64 + nan);
        stage.until("all is counted", |stage| stage.btc(venue.name).rejected >= rejects && stage.status(venue.name).strays >= stray).await;
        let status = stage.status(venue.name);
        assert_eq!((stage.btc(venue.name).rejected, status.strays), (rejects, stray), "{status:?}");
        assert_eq!(stage.btc(venue.name).price, Some(Price(9_743_215_000_000)), "{status:?}");
        assert_eq!((status.connection, status.opened), (Connection::Open, 1), "{status:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_of_megabytes_ends_the_connection_and_a_new_one_is_opened() {
    let stage = Stage::new().await;
    for venue in &stage.venues {
        venue.say(&format!("\"{}\"", "x".repeat(3_000_000)));
        stage.until("it is opened again", |stage| stage.status(venue.name).opened == 2).await;
        assert_eq!(stage.status(venue.name).fault.as_deref(), Some("a message that is too long"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_connection_comes_back_and_asks_again() {
    let stage = Stage::new().await;
    for venue in &stage.venues {
        let (asked, accepted) = (venue.asked().len(), stage.btc(venue.name).accepted);
        // After a restart it counts from the beginning.
        venue.count_from(1);
        venue.cut();
        stage
            .until("it is opened again", |stage| stage.status(venue.name).opened == 2 && stage.btc(venue.name).accepted > accepted + 3)
            .await;
        let again = venue.asked();
        assert!(again.iter().skip(asked).any(|text| text.contains("BTC") || text.contains("btcusdt")), "{again:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_venue_ages_and_is_tried_again_while_the_others_go_on() {
    let mut stage = Stage::with(Patience { silence: Duration::from_secs(2), quote: Duration::from_secs(4), ..PATIENCE }).await;
    stage.venue("binance").mute(true);
    stage.venue("bybit").mute(true);
    // Binance answers the ping of WebSocket, so only its quotes are missing; Bybit answers nothing.
    stage.until("both are tried again", |stage| stage.status("binance").opened > 1 && stage.status("bybit").opened > 1).await;
    assert_eq!(stage.status("binance").fault.as_deref(), Some("no quotes"));
    assert_eq!(stage.status("bybit").fault.as_deref(), Some("silent"));
    assert!(stage.btc("binance").age_ms.unwrap() > 1_000, "its last word ages");
    assert_eq!(stage.index(BTC), Some(Price(9_743_215_000_000)));
    stage.venue("bybit").mute(false);
    let accepted = stage.btc("bybit").accepted;
    stage.until("it is back", |stage| stage.btc("bybit").accepted > accepted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_venue_that_does_not_open_is_tried_again_with_pauses() {
    let stage = Stage::new().await;
    let venue = stage.venue("okx");
    let (before, began) = (venue.connections(), Instant::now());
    venue.close(true);
    stage.until("ten attempts", |_| venue.connections() >= before + 10).await;
    // Pauses of 20, 40, 80 and then 100 ms, each at least half of it.
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(350), "ten attempts in {took:?}");
    venue.close(false);
    stage.until("it is back", |stage| stage.status("okx").connection == Connection::Open).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_and_older_messages_are_not_taken() {
    let stage = Stage::new().await;
    for venue in &stage.venues {
        venue.mute(true);
        // Once this is heard, so is all that was said before.
        venue.say(&venue.ticker("BTC", "USDT", "97432.50", now_ms(), 1 << 38));
        stage.until("its last word is heard", |stage| stage.btc(venue.name).price == Some(Price(9_743_250_000_000))).await;
        let before = stage.btc(venue.name);
        let now = now_ms() + 1;
        let (newer, older) =
            (venue.ticker("BTC", "USDT", "97433.00", now, 1 << 40), venue.ticker("BTC", "USDT", "5.00", now - 900, 1 << 39));
        for text in [&newer, &newer, &older, &newer] {
            venue.say(text);
        }
        stage.until("all are heard", |stage| stage.btc(venue.name).rejected >= before.rejected + 3).await;
        let after = stage.btc(venue.name);
        assert_eq!((after.accepted - before.accepted, after.rejected - before.rejected), (1, 3), "{}", venue.name);
        assert_eq!((after.price, after.why.map(|why| why.name())), (Some(Price(9_743_300_000_000)), Some("order")));
        venue.mute(false);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_venue_that_lags_is_dropped_by_its_age() {
    let mut stage = Stage::new().await;
    for name in ["binance", "okx"] {
        stage.venue(name).count_from(1 << 40);
        stage.venue(name).shift(-6_000);
        stage.venue(name).set("BTC", "USDT", "98000");
        // Within a connection times never decrease.
        stage.venue(name).cut();
        stage.until("it lags", |stage| stage.btc(name).price == Some(Price(9_800_000_000_000))).await;
        assert!(stage.btc(name).age_ms.unwrap() >= 6_000);
    }
    assert_eq!(stage.quotes(BTC).len(), 5, "the log shows them");
    assert_eq!(stage.index(BTC), Some(Price(9_743_215_000_000)), "the price does not");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_says_nothing_but_nonsense_is_left_and_tried_again() {
    let stage = Stage::new().await;
    stage.venue("coinbase").set("USDT", "USDC", "x");
    for pair in ["BTC", "ETH"] {
        stage.venue("coinbase").set(pair, "USDT", "x");
    }
    (0..250).for_each(|_| stage.venue("coinbase").say("x"));
    stage.until("it is opened again", |stage| stage.status("coinbase").opened > 1).await;
    assert_eq!(stage.status("coinbase").fault.as_deref(), Some("200 messages in a row that were no quotes"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_tls_is_asked_for_nothing_is_read_without_it() {
    let venue = FakeVenue::start("okx", EVERY).await;
    let mut addresses = Addresses::default();
    addresses.add(&venue.option().replace("ws://", "wss://")).unwrap();
    // The other venues do not have it.
    for name in ["binance", "coinbase", "kraken", "bybit"] {
        addresses.add(&format!("{name}=ws://127.0.0.1:9")).unwrap();
    }
    let live = Live::start(&addresses, &WallClock::new(now_ms), Patience::default(), Pace::default());
    let mut engine = Engine::default();
    let genesis = Genesis { mode: Mode::Live, catalog: Market::Live.catalog(), endowments: Vec::new() };
    let entry = Entry { seq: Seq(1), time: Time(now_ms()), request: None, command: Command::Genesis(Box::new(genesis)) };
    engine.apply(&entry, &mut Vec::new()).result.unwrap();
    let began = Instant::now();
    loop {
        assert!(live.sample(&engine).is_empty(), "a price without TLS");
        let okx = live.status().into_iter().find(|status| status.name == "okx").unwrap();
        assert_eq!(okx.opened, 0);
        if let Some(fault) = okx.fault {
            assert!(fault.contains("tls"), "{fault}");
            break;
        }
        assert!(began.elapsed() < HANG);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn what_venues_say_was_traded_is_read_from_their_candles_and_nonsense_is_not() {
    let stage = Stage::new().await;
    let minute_s = now_ms() / 60_000 * 60;
    let until = async |what: &str, done: &dyn Fn(&[MinuteVolume]) -> bool| {
        let mut all: Vec<MinuteVolume> = Vec::new();
        for _ in 0..300 {
            all.extend(stage.live.volumes());
            if done(&all) {
                return all;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{what}: {all:?}");
    };
    for venue in &stage.venues {
        venue.trade("BTC", "USDT", minute_s - 60, "12.34500000");
    }
    let said = |source: &'static str, start_s: u64, volume: u64| MinuteVolume { market: BTC, source, start_ms: start_s * 1_000, volume };
    let names: Vec<&'static str> = stage.venues.iter().map(|venue| venue.name).collect();
    until("all five are read", &|all| names.iter().all(|name| all.contains(&said(name, minute_s - 60, 1_234_500_000)))).await;
    // A minute in progress grows; impossible values are ignored.
    stage.venues[0].trade("BTC", "USDT", minute_s, "0.00000001");
    for (start_s, volume) in [
        (minute_s + 7, "1"),
        (minute_s + 3_600, "1"),
        (60, "1"),
        (minute_s - 120, "-1"),
        (minute_s - 180, "1e9"),
        (minute_s - 240, "99999999999999999999"),
    ] {
        stage.venues[0].trade("BTC", "USDT", start_s, volume);
    }
    let all = until("it grows", &|all| all.contains(&said("binance", minute_s, 1))).await;
    assert!(
        all.iter()
            .filter(|one| one.source == "binance")
            .all(|one| one.start_ms == minute_s * 1_000 || one.start_ms == (minute_s - 60) * 1_000),
        "{all:?}"
    );
    // Answers that are invalid, too long or missing do no harm, and the venue is asked less often.
    let asked = || stage.venues.iter().map(|venue| venue.paths().len()).collect::<Vec<_>>();
    for instead in [(200, "{".to_owned()), (200, "x".repeat(600 * 1_024)), (429, "[]".to_owned()), (500, String::new())] {
        stage.venues.iter().for_each(|venue| venue.answer_candles(Some(instead.clone())));
        let before = asked();
        let further = |count: usize| asked().iter().zip(&before).all(|(now, before)| *now >= before + count);
        // A venue is asked again once its last answer has been read.
        stage.until("the good answers are read", |_| further(1)).await;
        stage.live.volumes();
        stage.until("two others are read", |_| further(3)).await;
        assert_eq!(stage.live.volumes(), [], "{}", instead.0);
    }
    stage.venues.iter().for_each(|venue| venue.answer_candles(None));
    until("they are asked again", &|all| names.iter().all(|name| all.iter().any(|one| one.source == *name))).await;
    // Coinbase has the dollar coins the other way round, so their volume would be in the other coin.
    assert!(!stage.venues.iter().any(|venue| venue.paths().iter().any(|path| path.contains("USDT-USDC"))));
    assert_eq!(stage.quotes(BTC).len(), 5, "prices went on");
}

/// Waits for the past of this pair.
async fn past_of(stage: &Stage, market: MarketId) -> Vec<PastCandle> {
    let began = Instant::now();
    loop {
        if let Some((of, candles)) = stage.live.pasts().pop() {
            assert_eq!(of, market);
            return candles;
        }
        assert!(began.elapsed() < HANG, "no past");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;
const DAY: u64 = 86_400;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_past_of_a_pair_is_what_three_venues_agree_on_and_neither_a_lie_nor_nonsense_is() {
    let stage = Stage::new().await;
    let until_s = now_ms() / 60_000 * 60 - 120;
    let (hour, day) = (until_s / HOUR * HOUR, until_s / DAY * DAY);
    let good = [
        (MINUTE, until_s - 60),
        (MINUTE, until_s - 1_500 * 60),
        (HOUR, hour - HOUR),
        (HOUR, hour - 300 * HOUR),
        (DAY, day - DAY),
        (DAY, day - 300 * DAY),
    ];
    let honest = ["97000.0", "97100", "96900.01", "97050"];
    for venue in &stage.venues {
        good.iter().for_each(|at| venue.candle("BTC", "USDT", *at, honest));
        // In the time of the log, not on a whole minute, before the requested range, and at the other end of time.
        for at in [
            (MINUTE, until_s),
            (MINUTE, until_s + 60),
            (MINUTE, until_s - 90),
            (MINUTE, until_s - 1_501 * 60),
            (MINUTE, 0),
            (MINUTE, 18_446_744_073_709_551),
            (HOUR, hour),
            (DAY, day),
        ] {
            venue.misplaced_candle("BTC", "USDT", at, honest);
        }
    }
    // One lies in all candles; a second reports impossible ones.
    good.iter().for_each(|at| stage.venue("binance").candle("BTC", "USDT", *at, ["1", "99999999", "0.5", "2"]));
    let nonsense = [
        ["0", "0", "0", "0"],
        ["-1", "5", "-1", "2"],
        ["1", "2", "3", "1"],
        ["1e5", "1e5", "1e5", "1e5"],
        ["NaN", "NaN", "NaN", "NaN"],
        ["1", "9999999999999", "1", "1"],
    ];
    for (at, prices) in good.iter().zip(nonsense) {
        stage.venue("okx").candle("BTC", "USDT", *at, prices);
    }
    // Only two report these, and one of them reports them twice.
    for (name, at) in [("kraken", hour - 2 * HOUR), ("bybit", hour - 2 * HOUR), ("bybit", hour - 3 * HOUR), ("bybit", hour - 3 * HOUR)] {
        stage.venue(name).candle("BTC", "USDT", (HOUR, at), honest);
    }
    stage.live.want_past(BTC, Time(until_s * 1_000));
    let past = past_of(&stage, BTC).await;
    let mut expected = good;
    expected.sort_unstable();
    assert_eq!(past.iter().map(|one| (one.minutes * 60, one.candle.start.0 / 1_000)).collect::<Vec<_>>(), expected);
    for PastCandle { candle, .. } in &past {
        let prices = [candle.open, candle.high, candle.low, candle.close];
        assert_eq!(prices, [Price(9_700_000_000_000), Price(9_710_000_000_000), Price(9_690_001_000_000), Price(9_705_000_000_000)]);
    }
    // Coinbase has the dollar coins the other way round.
    for venue in &stage.venues {
        let (base, quote, prices) = if venue.name == "coinbase" {
            ("USDT", "USDC", ["0.5", "0.8", "0.4", "0.5"])
        } else {
            ("USDC", "USDT", ["2", "2.5", "1.25", "2"])
        };
        venue.candle(base, quote, (DAY, day - DAY), prices);
    }
    stage.live.want_past(USDC, Time(until_s * 1_000));
    let [PastCandle { minutes, candle }] = past_of(&stage, USDC).await.try_into().unwrap();
    assert_eq!((minutes, candle.open.0, candle.high.0, candle.low.0), (1_440, 200_000_000, 250_000_000, 125_000_000));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_past_waits_for_three_venues_and_asks_those_that_fail_more_rarely() {
    let stage = Stage::new().await;
    let until_s = now_ms() / 60_000 * 60;
    for venue in &stage.venues {
        venue.candle("BTC", "USDT", (MINUTE, until_s - 60), ["1", "1", "1", "1"]);
    }
    let faults = [(200, "{".to_owned()), (200, "x".repeat(600 * 1_024)), (429, "[]".to_owned())];
    for (venue, fault) in stage.venues.iter().zip(faults) {
        venue.answer_candles(Some(fault));
    }
    stage.live.want_past(BTC, Time(until_s * 1_000));
    tokio::time::sleep(PACE.past + Duration::from_millis(300)).await;
    assert_eq!(stage.live.pasts(), [], "two are not enough");
    // Pauses of 40 and then 50 ms, beside the volumes of three pairs every 45 ms.
    let asked = stage.venues[2].paths().len();
    assert!(asked < 250, "{asked} attempts in two seconds");
    stage.venues[2].answer_candles(None);
    let [PastCandle { candle, .. }] = past_of(&stage, BTC).await.try_into().unwrap();
    assert_eq!(candle.close, Price(100_000_000));
}

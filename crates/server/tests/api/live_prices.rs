//! A live journal whose prices come from five venues on the loopback. These tests use no real venue.

use std::time::{Duration, Instant};

use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::ids::{AssetId, Digest, UserId};
use feed::testing::FakeVenue;
use serde_json::{Value as Json, json};

use crate::countries::live_member;
use crate::harness::{Server, both_with, token};
use crate::operator::operator;

/// The addresses of these venues, in the form of `--venue-address`.
pub fn addresses(venues: &[FakeVenue]) -> String {
    venues.iter().map(FakeVenue::option).collect::<Vec<_>>().join(",")
}

/// Starts again before these venues, and waits for the first price.
pub async fn before(server: &mut Server, venues: &[FakeVenue]) {
    server.restart_with(&["--venue-address", &addresses(venues)]).await.unwrap();
    until(server, "BTC/USDT", |index| index["price"] == "97432.15").await;
    until(server, "USDC/USDT", |index| index["price"] == "1.0001").await;
}

/// Waits until the newest sample of this index is so.
pub async fn until(server: &Server, symbol: &str, is_so: impl Fn(&Json) -> bool) {
    let began = Instant::now();
    loop {
        // Guests of a live server may not ask as often as those of a sandbox.
        let samples = server.patient(async || server.get(&format!("/api/market/index?symbol={symbol}")).await).await.ok();
        let newest = samples.as_array().unwrap().iter().max_by_key(|sample| sample["seq"].as_u64()).cloned().unwrap_or_default();
        if is_so(&newest) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{symbol}: {newest} {:#?}", server.running.app.feed.get().unwrap().venues());
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
}

/// A payment that a watcher saw, deep enough.
pub async fn pay(server: &Server, who: &str, number: u8, asset: u32, amount: u64) {
    let app = &server.running.app;
    let user = UserId(server.get_as(token(who), "/api/user/center").await.ok()["id"].as_u64().unwrap());
    let asset = AssetId(asset);
    let chain = app.catalog.funding.networks.iter().find(|network| network.asset == asset).unwrap().chain;
    let (tx, observed) = (Digest([number; 32]), Observed { user, asset, chain, amount });
    let applied = app.sequencer.submit(Command::ObserveDeposit { tx, observed, confirmations: 100 }, None).await.unwrap();
    applied.outcome.result.unwrap();
}

async fn order(server: &Server, who: &str, side: &str, amount: &str, price: &str) -> Json {
    let form = [("legal_id", "3"), ("currency_id", "1"), ("type", side), ("amount", amount), ("target_price", price)];
    server.post_as(token(who), "/api/coin/trade", &form).await.ok()
}

#[test]
fn a_live_journal_before_five_venues_has_prices_and_an_order_trades() {
    both_with(&["--genesis", "live"], |mut server| async move {
        let venues = FakeVenue::all(Duration::from_millis(100)).await;
        let began_s = tell_a_past(&venues);
        before(&mut server, &venues).await;
        let (ann, bob) = (live_member(&server, "JP").await, live_member(&server, "JP").await);
        // Below a value of 1,000 USDT no operator is needed; the value is by the index.
        pay(&server, &ann, 1, 1, 1_000_000).await;
        pay(&server, &bob, 2, 3, 990_000_000).await;
        let offered = order(&server, &ann, "2", "0.005", "97400.1").await;
        order(&server, &bob, "1", "0.005", "97500").await;
        let began = Instant::now();
        let trade = loop {
            // A trade is a row of the history, which follows.
            let trades = server.patient(async || server.get("/api/market/trades?symbol=BTC/USDT").await).await.ok();
            if let Some(trade) = trades.as_array().unwrap().first() {
                break trade.clone();
            }
            assert!(began.elapsed() < Duration::from_secs(30), "no trade: {offered}");
            tokio::time::sleep(Duration::from_millis(400)).await;
        };
        assert_eq!((&trade["price"], &trade["amount"]), (&json!("97400.1"), &json!("0.00500000")), "{trade}");
        // The band applies to the venues' price.
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "110000")];
        assert_eq!(server.post_as(token(&bob), "/api/coin/trade", &form).await.error(), "E_BAND");

        let samples = server.get("/api/market/index?symbol=BTC/USDT").await.ok();
        let names: Vec<&str> = samples[0]["sources"].as_array().unwrap().iter().map(|source| source["name"].as_str().unwrap()).collect();
        assert!(names.iter().all(|name| ["binance", "coinbase", "kraken", "okx", "bybit"].contains(name)) && names.len() >= 3, "{names:?}");
        the_past_comes_before_our_own_candles(&server, &venues, began_s).await;
        what_sources_report_is_the_volume_of_our_candles(&server, &venues).await;
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

const HOUR_S: u64 = 3_600;
const DAY_S: u64 = 86_400;

/// Every venue reports the last minutes, hours and days of BTC/USDT, including those in progress. One lies, one reports nonsense. Returns
/// the present minute, in seconds.
fn tell_a_past(venues: &[FakeVenue]) -> u64 {
    let now_s = feed::testing::now_ms() / 60_000 * 60;
    for venue in venues {
        for (length, count) in [(60, 30), (HOUR_S, 30), (DAY_S, 60)] {
            let newest = now_s / length * length + 2 * length;
            let prices = match venue.name {
                "binance" => ["1", "99999999", "0.5", "2"],
                "okx" => ["5", "4", "6", "NaN"],
                _ => ["90000", "91000.5", "89000", "90500.25"],
            };
            (0..count).for_each(|back| venue.misplaced_candle("BTC", "USDT", (length, newest - back * length), prices));
        }
    }
    now_s
}

/// The chart of the index of BTC/USDT.
async fn chart(server: &Server, period: &str) -> Vec<Json> {
    let call = format!("/api/currency/new_timeshar?symbol=BTC/USDT&period={period}");
    server.patient(async || server.get(&call).await).await.ok().as_array().unwrap().clone()
}

/// The volume of the candle of this period at an instant, seconds.
async fn volume(server: &Server, period: &str, at_s: u64) -> f64 {
    let rows = chart(server, period).await;
    rows.iter().rev().find(|row| row["id"].as_u64().unwrap() <= at_s).unwrap()["volume"].as_f64().unwrap()
}

/// All that the venues say was traded in a minute is in its candle, and in the longer ones that hold it.
async fn what_sources_report_is_the_volume_of_our_candles(server: &Server, venues: &[FakeVenue]) {
    let rows = chart(server, "1min").await;
    let minute_s = rows.iter().find(|row| row.get("past").is_none()).unwrap()["id"].as_u64().unwrap();
    venues.iter().for_each(|venue| venue.trade("BTC", "USDT", minute_s, "12.345"));
    let began = Instant::now();
    while volume(server, "1min", minute_s).await.to_string() != "61.725" {
        assert!(began.elapsed() < Duration::from_secs(90), "{:?}", chart(server, "1min").await);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    for period in ["5min", "60min", "1day", "1week"] {
        assert!(volume(server, period, minute_s).await >= 61.725, "{period}");
    }
}

/// Before our first sample the chart shows the venues' past, marked as such; after it, none of it.
async fn the_past_comes_before_our_own_candles(server: &Server, venues: &[FakeVenue], began_s: u64) {
    let began = Instant::now();
    while !chart(server, "1day").await.iter().any(|row| row["past"] == true) {
        assert!(began.elapsed() < Duration::from_secs(60), "no past: {:?}", venues[0].paths());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    for (period, length) in [("1min", 60), ("timeline", 60), ("5min", 300), ("60min", HOUR_S), ("1day", DAY_S), ("1week", 7 * DAY_S)] {
        let rows = chart(server, period).await;
        let (past, own): (Vec<&Json>, Vec<&Json>) = rows.iter().partition(|row| row["past"] == true);
        let first = own[0]["id"].as_u64().unwrap();
        assert!(past.len() > 1 && own[0]["count"].as_u64().unwrap() > 0, "{period}: {rows:?}");
        assert!(own.iter().all(|row| row.get("past").is_none() && row["open"].as_f64().unwrap() > 97_000.0), "{period}: {own:?}");
        assert!(first + length > began_s, "{period}: {own:?}");
        for row in &past {
            assert!(row["id"].as_u64().unwrap() + length <= first && row["final"] == true, "{period}: {row}");
            let prices = ["open", "high", "low", "close", "volume", "count"].map(|name| row[name].as_f64().unwrap());
            assert_eq!(prices, [90_000.0, 91_000.5, 89_000.0, 90_500.25, 0.0, 0.0], "{period}: {row}");
        }
        assert!(rows.windows(2).all(|two| two[0]["id"].as_u64() < two[1]["id"].as_u64()), "{period}");
    }
    // Candles older than our first are served only to callers who ask for them alone; trades have no such past.
    let older = format!("/api/currency/new_timeshar?symbol=BTC/USDT&period=60min&to={}", began_s / HOUR_S * HOUR_S - 1);
    let older = server.patient(async || server.get(&older).await).await.ok();
    assert!(older.as_array().unwrap().iter().all(|row| row["past"] == true) && !older.as_array().unwrap().is_empty(), "{older}");
    let trades =
        server.patient(async || server.get("/api/currency/new_timeshar?symbol=BTC/USDT&period=1day&series=trade").await).await.ok();
    assert!(trades.as_array().unwrap().iter().all(|row| row.get("past").is_none()), "{trades}");
    // The small line, the day's figures and the price record use the log alone.
    let lines = server.patient(async || server.get("/api/market/lines").await).await.ok();
    let points = lines.as_array().unwrap().iter().find(|line| line["symbol"] == "BTC/USDT").unwrap()["points"].clone();
    assert!(points.as_array().unwrap().len() <= 2 && points.as_array().unwrap().iter().all(|point| point == "97432.15"), "{points}");
    let ticker = server.patient(async || server.get("/api/market/ticker?symbol=BTC/USDT").await).await.ok();
    for figure in ["open", "high", "low", "last", "index"] {
        let price: f64 = ticker[0][figure].as_str().unwrap().parse().unwrap();
        assert!((97_000.0..98_000.0).contains(&price), "{figure} of {ticker}");
    }
    let days = venues[1].paths().iter().filter(|path| path.contains("/BTC-USDT/") && path.contains("granularity=86400")).count();
    assert_eq!(days, 1, "the past is asked for once");
}

#[test]
fn a_source_that_lies_or_dies_changes_nothing_while_three_agree() {
    both_with(&["--genesis", "live"], |mut server| async move {
        let venues = FakeVenue::all(Duration::from_millis(100)).await;
        before(&mut server, &venues).await;
        venues[0].set("BTC", "USDT", "5.00");
        let use_of = |name: &'static str| {
            move |index: &Json| {
                let sources = index["sources"].as_array().cloned().unwrap_or_default();
                sources.into_iter().find(|source| source["name"] == name).unwrap_or_default()
            }
        };
        until(&server, "BTC/USDT", |index| use_of("binance")(index)["why"] == "deviation" && index["price"] == "97432.15").await;
        venues[1].close(true);
        until(&server, "BTC/USDT", |index| use_of("coinbase")(index)["why"] == "stale" && index["price"] == "97432.15").await;
        // Without three sources there is no price, and anything that needs one is refused.
        venues[2].close(true);
        let began = Instant::now();
        let ann = live_member(&server, "JP").await;
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "90000")];
        while server.post_as(token(&ann), "/api/coin/trade", &form).await.error() != "E_PRICE_STALE" {
            assert!(began.elapsed() < Duration::from_secs(30));
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        venues[2].close(false);
        until(&server, "BTC/USDT", |index| use_of("kraken")(index)["used"] == 1).await;
    });
}

#[test]
fn operators_see_each_source_and_pair() {
    both_with(&["--genesis", "sandbox", "--market", "live", "--house-liquidity", "on"], |mut server| async move {
        let venues = FakeVenue::all(Duration::from_millis(100)).await;
        before(&mut server, &venues).await;
        venues[4].set("BTC", "USDT", "97529.58");
        venues[4].say("{");
        let desk = operator(&server, "one", &["support"]).await;
        let began = Instant::now();
        let (seen, bybit) = loop {
            let seen = server.get_as(token(&desk), "/operator/api/sources").await.ok();
            let bybit = seen["sources"][4].clone();
            if bybit["pairs"][0]["deviation"] == "0.1000" && bybit["strays"] == 1 {
                break (seen, bybit);
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{seen}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        assert_eq!((&seen["market"], seen["sources"].as_array().unwrap().len()), (&json!("live"), 5));
        assert_eq!((&bybit["name"], &bybit["state"], &bybit["connections"]), (&json!("bybit"), &json!("open"), &json!(1)));
        let pair = &bybit["pairs"][0];
        assert_eq!((&pair["symbol"], &pair["asked_as"], &pair["price"]), (&json!("BTC/USDT"), &json!("BTCUSDT"), &json!("97529.58")));
        assert!(pair["age_ms"].as_u64().unwrap() < 5_000 && pair["accepted"].as_u64().unwrap() > 0, "{pair}");
        // A source whose every quote is readable, but far from the others, counts towards no sample.
        venues[4].set("BTC", "USDT", "150000");
        let lied = loop {
            let lied = server.get_as(token(&desk), "/operator/api/sources").await.ok()["sources"].clone();
            if lied[4]["pairs"][0]["unused"].as_u64().unwrap() >= 2 {
                break lied;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{lied}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let [liar, sound] = [4, 0].map(|venue: usize| lied[venue]["pairs"][0].clone());
        assert_eq!((&liar["rejected"], &liar["unused_for"]), (&json!(0), &json!("deviation")), "{liar}");
        assert!(liar["samples"].as_u64() >= liar["unused"].as_u64() && liar["unused_share"] != "0.00", "{liar}");
        assert_eq!((&sound["unused"], &sound["unused_share"], &sound["unused_for"]), (&json!(0), &json!("0.00"), &Json::Null), "{sound}");
        let turned = &seen["sources"][1]["pairs"][2];
        assert_eq!((&turned["symbol"], &turned["asked_as"], &turned["inverse"]), (&json!("USDC/USDT"), &json!("USDT-USDC"), &json!(1)));
        // Figures belong to the process, in which other servers of the suite, whose venues may be down, write the same ones.
        let open = |figures: &str| figures.contains("source_open{source=\"bybit\"} 1");
        while !open(&server.get("/metrics").await.text) {
            assert!(began.elapsed() < Duration::from_secs(60), "no open source in /metrics");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // The house of the sandbox quotes around the venues' price.
        let book = server.get("/api/market/book?symbol=BTC/USDT").await.ok();
        assert!(book["bids"].as_array().is_some_and(|bids| !bids.is_empty()), "{book}");
    });
}

#[test]
fn an_option_that_contradicts_the_journal_is_refused_and_nothing_is_said_in_anothers_name() {
    both_with(&[], |mut server| async move {
        let why = server.restart_with(&["--market", "live"]).await.unwrap_err().to_string();
        assert!(why.contains("--market live: the sources of BTC/USDT in this journal are alder"), "{why}");
        server.restart_with(&["--market", "simulated"]).await.unwrap();
        let desk = operator(&server, "one", &["market"]).await;
        let seen = server.get_as(token(&desk), "/operator/api/sources").await.ok();
        assert_eq!(seen, json!({"market": "simulated", "sources": []}));
    });
    both_with(&["--genesis", "live"], |mut server| async move {
        let why = server.restart_with(&["--market", "simulated"]).await.unwrap_err().to_string();
        assert!(why.contains("is for a sandbox"), "{why}");
        server.restart_with(&["--market", "live"]).await.unwrap();
    });
}

#[test]
fn a_sandbox_with_live_prices_keeps_them_without_the_option_and_takes_no_tape() {
    both_with(&["--genesis", "sandbox", "--market", "live"], |mut server| async move {
        let why = server.restart_with(&["--tape", "some"]).await.unwrap_err().to_string();
        assert!(why.contains("those of this journal are live"), "{why}");
    });
}

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::Engine;
use engine::amount::Price;
use engine::candles::{Candle, MAX_VOLUME, Series};
use engine::ids::MarketId;
use engine::time::{HOUR_MS, Time};
use futures_util::future::{join, join_all};
use kernel::replay;
use serde_json::{Value as Json, json};
use server::api::market::pools;
use store::db::Sql;
use store::prices::{CANDLES, MERGE_CANDLE, candle_cells, candles};

use crate::harness::{Server, both, both_with, token};

#[test]
fn quotes_charts_and_the_price_record_agree_on_the_price() {
    both(|server| async move {
        // The newest minute of the chart is still open when it is read.
        server.after_a_full_minute().await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "97432.15")]).await.ok();
        let pinned = server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "97432.15")]).await;
        let seq = pinned.header("x-seq").to_owned();
        let groups = server.get("/api/currency/quotation_new").await.ok();
        assert_eq!(groups[0]["name"], "USDT");
        let pair = &groups[0]["quotation"][0];
        assert_eq!(
            (&pair["symbol"], &pair["now_price"], &pair["stale"]),
            (&Json::from("BTC/USDT"), &Json::from("97432.15"), &Json::from(0))
        );
        assert_eq!(server.get("/api/currency/deal?currency_id=1&legal_id=3").await.ok()["now_price"], "97432.15");
        assert_eq!(server.get("/api/currency/deal?currency_id=3&legal_id=1").await.error(), "E_MARKET");

        let fresh = [("x-min-seq", seq.as_str())];
        let record = server.request("GET", "/api/market/index?symbol=BTC/USDT", &fresh, "").await.ok();
        let newest = record.as_array().unwrap().last().unwrap();
        assert_eq!((&newest["price"], &newest["sources"][0]["name"]), (&Json::from("97432.15"), &Json::from("sandbox")));
        let chart = server.request("GET", "/api/currency/new_timeshar?symbol=BTC/USDT&period=1min", &fresh, "").await.json();
        assert_eq!((&chart["msg"], &chart["message"]), (&Json::from("success"), &chart["data"]));
        let rows = chart["data"].as_array().unwrap();
        assert!(rows.len() >= 200, "{} rows", rows.len());
        assert_eq!((rows.last().unwrap()["close"].as_f64(), &rows.last().unwrap()["final"]), (Some(97432.15), &Json::from(false)));
        assert!(rows.windows(2).all(|pair| pair[1]["id"].as_u64() == pair[0]["id"].as_u64().map(|id| id + 60)), "a gap");
    });
}

#[test]
fn every_period_and_alias_is_drawn_and_others_are_refused_in_the_form_of_the_chart() {
    both(|server| async move {
        for period in ["1min", "5min", "15min", "30min", "60min", "1day", "1week", "1mon", "timeline", "1H", "1D", "1W", "1M"] {
            let rows = server.get(&format!("/api/currency/new_timeshar?symbol=ETH/BTC&period={period}")).await.ok();
            let rows = rows.as_array().unwrap();
            assert!(!rows.is_empty() && rows.len() <= 1_440, "{period}: {}", rows.len());
        }
        let refused = server.get("/api/currency/new_timeshar?symbol=BTC/USDT&period=2min").await.json();
        assert_eq!((&refused["data"]["error"], &refused["msg"]), (&Json::from("E_PERIOD"), &refused["message"]));
        assert_eq!(server.get("/api/currency/new_timeshar?symbol=BTC/EUR&period=1min").await.error(), "E_MARKET");
        assert_eq!(server.get("/api/currency/new_timeshar?symbol=BTC/USDT&period=1min&from=9&to=5").await.error(), "E_FIELD");
        for far in ["1800000000000", "3093527980799", "18446744073709551615"] {
            let call = format!("/api/currency/new_timeshar?symbol=BTC/USDT&period=1min&to={far}");
            assert_eq!(server.get(&call).await.error(), "E_FIELD", "{far}");
        }
        let trades = server.get("/api/currency/new_timeshar?symbol=BTC/USDT&period=1min&series=trade").await.ok();
        assert_eq!(trades, Json::Array(vec![]));
    });
}

#[test]
fn the_small_lines_of_all_pairs_come_at_once_and_end_at_the_price() {
    both(|server| async move {
        let pinned = server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "97432.15")]).await;
        let fresh = [("x-min-seq", pinned.header("x-seq"))];
        let lines = server.request("GET", "/api/market/lines", &fresh, "").await.ok();
        let lines = lines.as_array().unwrap();
        let groups = server.get("/api/currency/quotation_new").await.ok();
        let pairs: usize = groups.as_array().unwrap().iter().map(|group| group["quotation"].as_array().unwrap().len()).sum();
        assert_eq!(lines.len(), pairs);
        let hours = server.request("GET", "/api/currency/new_timeshar?symbol=BTC/USDT&period=60min", &fresh, "").await.ok();
        let closes: Vec<f64> = hours.as_array().unwrap().iter().rev().take(24).map(|row| row["close"].as_f64().unwrap()).collect();
        let line = lines.iter().find(|line| line["symbol"] == "BTC/USDT").unwrap();
        let points: Vec<&str> = line["points"].as_array().unwrap().iter().map(|point| point.as_str().unwrap()).collect();
        assert_eq!((points.len(), points.last()), (24, Some(&"97432.15")));
        assert_eq!(points.iter().rev().map(|point| point.parse().unwrap()).collect::<Vec<f64>>(), closes);
    });
}

/// A sum beyond 64 bits would be an error of the database, which the history would meet again at each try.
#[test]
fn the_volume_of_a_candle_ends_at_the_greatest_number_and_the_history_goes_on() {
    both(|server| async move {
        // Moved in whole, so that its PostgreSQL lives as long as the test.
        let server = &server;
        let db = &server.running.app.db;
        let (market, start) = (MarketId(1), Time(HOUR_MS));
        let mut sum = Candle::first(start, Price(1), 0, 0);
        // Up to the bound, beyond it, and beyond it again; base and quote separately.
        for (volume, quote_volume) in [(MAX_VOLUME - 5, 7), (5, MAX_VOLUME - 7), (1, 1), (MAX_VOLUME, MAX_VOLUME)] {
            let part = Candle::first(start, Price(1), volume, quote_volume);
            sum.merge(&part);
            let rows = [candle_cells(market, Series::Trade, 60, &part, false)].into_iter().collect();
            db.run(vec![Sql::bulk(CANDLES, MERGE_CANDLE, rows)]).await.unwrap();
            let stored = candles(db, market, Series::Trade, 60, start, Time(2 * HOUR_MS)).await.unwrap();
            let volumes: Vec<(u64, u64)> = stored.iter().map(|candle| (candle.volume, candle.quote_volume)).collect();
            assert_eq!(volumes, [(sum.volume, sum.quote_volume)]);
        }
        assert_eq!((sum.volume, sum.quote_volume), (MAX_VOLUME, MAX_VOLUME));
    });
}

#[test]
fn the_book_shows_house_orders_around_the_index_and_bounds_are_checked() {
    both_with(&["--house-liquidity", "on"], |server| async move {
        let book = server.get("/api/market/book?symbol=BTC/USDT&levels=5").await.ok();
        let side = |name: &str| {
            book[name].as_array().unwrap().iter().map(|level| level[0].as_str().unwrap().parse::<f64>().unwrap()).collect::<Vec<_>>()
        };
        let (bids, asks) = (side("bids"), side("asks"));
        assert_eq!((bids.len(), asks.len()), (5, 5));
        assert!(bids.is_sorted_by(|a, b| a > b) && asks.is_sorted() && bids[0] < asks[0]);
        for bad in ["0", "201", "x"] {
            assert_eq!(server.get(&format!("/api/market/book?symbol=BTC/USDT&levels={bad}")).await.error(), "E_FIELD");
        }
        assert_eq!(server.get("/api/market/book?symbol=BTCUSDT").await.error(), "E_MARKET");
        assert_eq!(server.get("/api/market/index?symbol=BTC/USDT&from_ms=0&to_ms=3600001").await.error(), "E_FIELD");

        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("order_type", "market"), ("funds", "500")];
        let bought = server.post_as(token(&who), "/api/coin/trade", &form).await.data();
        assert_eq!(bought["order"]["status"], 2);
        let pools = server.get("/api/public/pools").await;
        let fees = pools.ok()[0].clone();
        assert_eq!((&fees["account"], &fees["balance"]), (&Json::from("fee"), &bought["order"]["fee"]));
        // Those of the unsettled day are bound (G-4).
        assert_eq!((&fees["reserve"], &fees["free"]), (&fees["balance"], &Json::from("0.00000000")));
        let newest = bought["order"]["seq"].to_string();
        let trades = server.request("GET", "/api/market/trades?symbol=BTC/USDT", &[("x-min-seq", &newest)], "").await.ok();
        assert!(trades.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(|row| row["house"] == true)), "{trades}");

        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        let settled = server.get("/api/public/pools").await.ok()[0].clone();
        assert_eq!((&settled["reserve"], &settled["free"]), (&Json::from("0.00000000"), &fees["balance"]));
        follow_from_their_entries(&server).await;
    });
}

/// Pools and the house's own liquidity can be recomputed from the named entries, and the liquidity holds what it quotes.
async fn follow_from_their_entries(server: &Server) {
    let answer = server.get("/api/public/pools").await;
    let range = ["from_seq", "to_seq"].map(|field| answer.data()[field].as_u64().unwrap());
    assert_eq!(range[0], 1);
    let mut again = Engine::default();
    while again.seq().0 < range[1] {
        let wanted = again.seq().0 + 1..=range[1];
        // Trading comes first: a busy log is read again.
        let Ok(groups) = server.running.app.sequencer.read_log(wanted.clone()).await else { continue };
        for record in groups.iter().flat_map(|group| &group.records).filter(|record| wanted.contains(&record.seq)) {
            replay::apply_entry(&mut again, &replay::entry_of(record).unwrap());
        }
    }
    assert_eq!((json!(pools::all(&again)), json!(pools::liquidity(&again))), (answer.ok(), answer.data()["liquidity"].clone()));
    let liquidity = answer.data()["liquidity"].clone();
    let bitcoin = liquidity.as_array().unwrap().iter().find(|coin| coin["currency_name"] == "BTC").unwrap();
    let atoms = ["balance", "held", "free"].map(|field| bitcoin[field].as_str().unwrap().replace('.', "").parse::<u64>().unwrap());
    assert!(atoms[1] > 0 && atoms[0] == atoms[1] + atoms[2], "{bitcoin}");
}

#[test]
fn listed_coins_show_their_wallets() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let coins = server.get_as(token(&who), "/api/currency/user_currency_list").await.ok();
        assert_eq!(coins.as_array().map(Vec::len), Some(4));
        assert_eq!(
            (&coins[2]["name"], &coins[2]["is_lever"], &coins[0]["is_lever"]),
            (&Json::from("USDT"), &Json::from(1), &Json::from(0))
        );
        assert_eq!(coins[0]["wallet"]["change_balance"], "0.00000000");
    });
}

#[test]
fn a_waiting_order_that_the_index_passes_is_filled_by_the_house_at_its_own_price() {
    both_with(&["--house-liquidity", "on"], |mut server| async move {
        let pin = async |server: &crate::harness::Server, price| {
            server.post("/sandbox/price", &[("symbol", "ETH/USDT"), ("price", price)]).await.ok();
        };
        pin(&server, "3400").await;
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        let form = [("legal_id", "3"), ("currency_id", "2"), ("type", "1"), ("amount", "0.01"), ("target_price", "3390")];
        let id = server.post_as(token(&who), "/api/coin/trade", &form).await.data()["order"]["id"].to_string();
        pin(&server, "3350").await;
        let mut order = Json::Null;
        for _ in 0..300 {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            order = server.get_as(token(&who), &format!("/api/coin/order?id={id}")).await.ok()["order"].clone();
            if order["status"] == 2 {
                break;
            }
        }
        assert_eq!((&order["status"], &order["avg_price"]), (&Json::from(2), &Json::from("3390.00")));
        let book = server.get("/api/market/book?symbol=ETH/USDT").await.ok();
        assert_eq!((book["bids"].as_array().map(Vec::len), book["asks"].as_array().map(Vec::len)), (Some(8), Some(8)));

        server.restart().await;
        let after = server.get("/api/market/book?symbol=ETH/USDT").await.ok();
        assert!(after["seq"].as_u64() > book["seq"].as_u64() && after["time_ms"].as_u64() >= book["time_ms"].as_u64());
    });
}

#[test]
fn the_same_number_of_a_book_means_the_same_book_while_orders_come() {
    both(|server| async move {
        server.post("/sandbox/price", &[("symbol", "ETH/USDT"), ("price", "3400")]).await.ok();
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "5000")]).await.ok();
        let books = Mutex::new(BTreeMap::new());
        let read = async || {
            let book = server.get("/api/market/book?symbol=ETH/USDT").await.ok();
            let content = json!([book["bids"], book["asks"], book["checksum"]]);
            let seq = book["seq"].as_u64().unwrap();
            let before = books.lock().unwrap().insert(seq, content.clone());
            assert!(before.is_none_or(|before| before == content), "two books have the number {seq}");
            seq
        };
        let over = AtomicBool::new(false);
        let trade = async {
            let mut newest = read().await;
            for number in 0..30 {
                let price = (3_000 + number).to_string();
                let form = [("legal_id", "3"), ("currency_id", "2"), ("type", "1"), ("amount", "0.01"), ("target_price", &price)];
                server.post_as(token(&who), "/api/coin/trade", &form).await.ok();
                let seq = read().await;
                assert!(seq > newest, "the book of an answered order has a number of its own");
                newest = seq;
            }
            over.store(true, Ordering::Relaxed);
        };
        let looks = async || {
            while !over.load(Ordering::Relaxed) {
                read().await;
            }
        };
        join(trade, join_all((0..4).map(|_| looks()))).await;
        assert!(books.lock().unwrap().len() > 30);
    });
}

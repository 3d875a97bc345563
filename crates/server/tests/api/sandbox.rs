use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::harness::{both, both_with, token};

#[test]
fn the_faucet_has_a_limit_for_each_coin() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let given =
            server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "micro")]).await.ok();
        assert_eq!((&given["account"], &given["balance"]), (&Json::from("micro"), &Json::from("1000.000000")));
        assert_eq!(server.post_as(token(&who), "/sandbox/faucet", &[("asset", "1"), ("amount", "100")]).await.ok()["currency_id"], 1);
        for (asset, amount, account, name) in [
            ("DOGE", "1", "change", "E_ASSET"),
            ("USDT", "1", "vault", "E_ACCOUNT"),
            ("BTC", "1", "lever", "E_ASSET"),
            ("BTC", "0", "change", "E_AMOUNT"),
            ("BTC", "100.00000001", "change", "E_FAUCET_MAX"),
        ] {
            let form = [("asset", asset), ("amount", amount), ("account", account)];
            let refused = server.post_as(token(&who), "/sandbox/faucet", &form).await;
            assert_eq!(refused.error(), name);
            if name == "E_FAUCET_MAX" {
                assert_eq!(refused.json()["data"]["max"], "100.00000000");
            }
        }
    });
}

#[test]
fn time_moves_forward_only_and_stays_moved_after_a_restart() {
    both(|mut server| async move {
        let moved = server.post("/sandbox/clock", &[("advance_ms", "3600000")]).await.ok();
        let (from, to) = (moved["from_ms"].as_u64().unwrap(), moved["time_ms"].as_u64().unwrap());
        assert!(to >= from + 3_600_000 && to < from + 3_605_000);
        assert_eq!(moved["samples"], 6);
        for pair in ["BTC%2FUSDT", "ETH%2FBTC"] {
            let (path, seq) = (format!("/api/market/index?symbol={pair}&from_ms={to}&to_ms={to}"), moved["seq"].to_string());
            let there = server.request("GET", &path, &[("x-min-seq", &seq)], "").await.ok();
            assert_eq!(there.as_array().map(Vec::len), Some(1), "a sample at the very instant: {there}");
        }
        assert_eq!(server.get("/api/currency/deal?currency_id=1&legal_id=3").await.ok()["stale"], 0);
        for wrong in [("to_ms", from.to_string()), ("advance_ms", (367 * 86_400_000u64).to_string()), ("advance_ms", "0".to_owned())] {
            assert_eq!(server.post("/sandbox/clock", &[(wrong.0, &wrong.1)]).await.error(), "E_TIME");
        }
        assert_eq!(server.post("/sandbox/clock", &[]).await.error(), "E_FIELD");
        server.restart().await;
        let now = server.get("/api/app/config").await.ok()["server_time_ms"].as_u64().unwrap();
        assert!(now >= to && now < to + 60_000);
    });
}

#[test]
fn a_price_is_pinned_halted_and_released() {
    both(|server| async move {
        let send = async |form: &[(&str, &str)]| server.post("/sandbox/price", form).await.ok();
        let pinned = send(&[("symbol", "ETH/USDT"), ("price", "3000.55")]).await;
        assert_eq!((&pinned["pinned"], &pinned["sample"]["price"]), (&Json::from(1), &Json::from("3000.55")));
        let halted = send(&[("symbol", "ETH/USDT"), ("halt", "1")]).await;
        assert_eq!((&halted["halted"], &halted["sample"]), (&Json::from(1), &Json::Null));
        let released = send(&[("symbol", "ETH/USDT"), ("release", "1")]).await;
        assert_eq!((&released["pinned"], &released["halted"]), (&Json::from(0), &Json::from(0)));
        for (form, name) in [
            (&[("symbol", "ETH/BTC"), ("price", "0.03")] as &[_], "E_MARKET"),
            (&[("symbol", "DOGE/USDT"), ("price", "1")], "E_MARKET"),
            (&[("symbol", "ETH/USDT"), ("price", "3000.555")], "E_TICK"),
            (&[("symbol", "ETH/USDT"), ("price", "0")], "E_AMOUNT"),
            (&[("symbol", "ETH/USDT")], "E_FIELD"),
            (&[("symbol", "ETH/USDT"), ("price", "3000"), ("halt", "1")], "E_FIELD"),
        ] {
            assert_eq!(server.post("/sandbox/price", form).await.error(), name, "{form:?}");
        }
    });
}

#[test]
fn in_live_there_is_no_sandbox() {
    both_with(&["--genesis", "live"], |mut server| async move {
        for path in ["/sandbox/faucet", "/sandbox/clock", "/sandbox/price"] {
            let answer = server.post(path, &[]).await;
            assert_eq!((answer.status, answer.error()), (404, "E_PATH".to_owned()));
        }
        for option in [["--tape", "some"], ["--house-liquidity", "on"]] {
            let why = server.restart_with(&option).await.unwrap_err().to_string();
            assert!(why.contains("are for a sandbox"), "{why}");
        }
    });
}

#[test]
fn a_tape_speaks_in_place_of_the_sources_and_then_they_are_silent() {
    both(|mut server| async move {
        let folder = tempfile::tempdir().unwrap();
        let tape = folder.path().join("tape");
        let option = ["--tape", tape.to_str().unwrap()];
        let sample = |symbol: &str, price: &str, time: u64| json!({"symbol": symbol, "price": price, "time_ms": time, "sources": []});
        let answer = |samples: Vec<Json>| json!({"type": "ok", "code": 1, "message": samples, "data": ""}).to_string();
        for (text, reason) in [
            ("nonsense".to_owned(), "answer 1: "),
            (answer(vec![sample("BTC/USDT", "5", 1)]) + &answer(vec![sample("BTC/EUR", "5", 1)]), "answer 2: no such pair: BTC/EUR 5 1"),
            (answer(vec![sample("BTC/USDT", "-5", 1)]), "answer 1: no price: BTC/USDT -5 1"),
            (answer(vec![sample("ETH/BTC", "5", 1)]), "no sample"),
        ] {
            std::fs::write(&tape, &text).unwrap();
            let why = server.restart_with(&option).await.unwrap_err().to_string();
            assert!(why.contains(reason), "{why}");
        }
        // A jump of more than five percent is accepted with the third price near it.
        let seconds = |symbol: &str, price: &str| (0..4).map(|second| sample(symbol, price, 1_000 * second)).collect();
        std::fs::write(&tape, answer(seconds("ETH/USDT", "1234.5")) + &answer(seconds("BTC/USDT", "50000.10"))).unwrap();
        server.restart_with(&option).await.unwrap();
        let index = async |symbol: &str| server.get(&format!("/api/market/ticker?symbol={symbol}")).await.ok()[0]["index"].clone();
        for _ in 0..100 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            if index("ETH/USDT").await == "1234.50" && index("BTC/USDT").await == "50000.10" {
                break;
            }
        }
        assert_eq!((index("ETH/USDT").await, index("BTC/USDT").await), (json!("1234.50"), json!("50000.10")));
        tokio::time::sleep(Duration::from_secs(3)).await;
        let rows = server.get("/api/market/index?symbol=BTC/USDT").await.ok();
        let told = rows.as_array().unwrap().iter().filter(|row| row["price"] == "50000.10").count();
        assert!((1..=2).contains(&told), "three said it before it was believed, and the tape has four: {rows}");
    });
}

#[test]
fn a_refused_clock_moves_nothing_and_the_longest_step_is_taken() {
    both(|server| async move {
        const LONGEST_MS: u64 = 366 * 86_400_000;
        let time = async || server.get("/api/app/config").await.ok()["server_time_ms"].as_u64().unwrap();
        let before = time().await;
        assert_eq!(server.post("/sandbox/clock", &[("advance_ms", &(LONGEST_MS + 1).to_string())]).await.error(), "E_TIME");
        assert!(time().await - before < 60_000, "a refusal has no effect");
        server.post("/sandbox/clock", &[("advance_ms", &LONGEST_MS.to_string())]).await.ok();
        assert!(time().await - before >= LONGEST_MS - 1_000);
    });
}

#[test]
fn the_faucet_of_a_server_that_stops_says_so_and_logs_nobody_out() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        server.running.app.ready.store(false, Ordering::Release);
        let refused = server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1")]).await;
        assert_eq!((refused.status, refused.error().as_str()), (503, "E_NOT_READY"));
        assert_eq!(server.get("/healthz").await.status, 200);
        server.running.app.ready.store(true, Ordering::Release);
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1")]).await.ok();
    });
}

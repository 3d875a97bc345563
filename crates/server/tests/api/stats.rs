//! Public figures, recomputed from the entries that they name.

use std::collections::BTreeMap;

use engine::backoffice::acts::{Decision, Item, OperatorAct};
use engine::funding::status::WithdrawalStatus;
use engine::ids::WithdrawalId;
use serde_json::{Value as Json, json};
use store::documents;

use crate::harness::{Server, both};
use crate::people::{Member, decide, operate, reason};

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

async fn stats(server: &Server) -> BTreeMap<String, Json> {
    let all = server.get("/api/public/stats").await.ok();
    all.as_array().unwrap().iter().map(|stat| (stat["name"].as_str().unwrap().to_owned(), stat.clone())).collect()
}

/// The public entries of a range; each contains the hash of the one before.
async fn entries(server: &Server, stat: &Json) -> Vec<Json> {
    let (mut from, to) = (stat["from_seq"].as_u64().unwrap(), stat["to_seq"].as_u64().unwrap());
    let mut all: Vec<Json> = Vec::new();
    while from <= to {
        let path = format!("/api/proof/entries?from={from}&limit={}", (to - from + 1).min(100));
        let page = server.patient(async || server.get(&path).await).await.ok();
        all.extend(page.as_array().unwrap().iter().cloned());
        from = all.last().unwrap()["seq"].as_u64().unwrap() + 1;
    }
    assert!(all.windows(2).all(|pair| pair[0]["hash"] == pair[1]["prev"]));
    all
}

/// Price in 10^-8, of the last pin at or before an instant.
fn pinned(entries: &[Json], at: u64) -> u128 {
    let pinned = |entry: &&Json| entry["kind"] == "sandbox_price" && entry["public"]["market"] == 1;
    let last = entries.iter().filter(pinned).rfind(|entry| entry["time_ms"].as_u64().unwrap() <= at).unwrap();
    // Above 53 bits it is text.
    let price = &last["public"]["price"];
    price.as_str().map_or_else(|| price.as_u64().unwrap(), |text| text.parse().unwrap()).into()
}

/// Atoms that the options of 60 seconds in these entries paid before `until`, by the rule that they were sold under.
fn payouts(entries: &[Json], until: u64) -> u128 {
    let bought = entries.iter().filter(|entry| entry["kind"] == "buy_option");
    let due = |entry: &&Json| entry["time_ms"].as_u64().unwrap() + entry["public"]["seconds"].as_u64().unwrap() * 1_000 + 1 < until;
    let paid = |entry: &Json| {
        let at = entry["time_ms"].as_u64().unwrap();
        let (open, end) = (pinned(entries, at), pinned(entries, at + 60_000));
        // 0.005 % of the open price counts as even, and up pays 70 %.
        let band = open * 5_000 / 100_000_000;
        let stake = u128::from(entry["public"]["stake"].as_u64().unwrap());
        match entry["public"]["direction"].as_str().unwrap() {
            "Up" if end > open + band => stake + stake * 70 / 100,
            "Up" if end + band >= open => stake,
            "Up" => 0,
            other => panic!("{other}"),
        }
    };
    bought.filter(due).map(paid).sum()
}

#[test]
fn what_options_paid_and_what_was_traded_follow_from_the_entries_that_are_named() {
    both(|server| async move {
        assert!(stats(&server).await.values().all(|stat| stat["value"] == "0" || stat["value"] == "0.000000"), "nothing is invented");
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        ann.verify(&server, "X0000001").await;
        for (who, asset, account) in [(&ann, "USDT", "micro"), (&ann, "USDT", "change"), (&bob, "BTC", "change")] {
            who.post(&server, "/sandbox/faucet", &[("asset", asset), ("amount", "1"), ("account", account)]).await.ok();
        }
        for _ in 0..2 {
            ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "900"), ("account", "micro")]).await.ok();
            ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "900"), ("account", "change")]).await.ok();
        }
        let buy = async |stake: &str| {
            let form = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", stake)];
            ann.post(&server, "/api/microtrade/submit", &form).await.ok();
        };
        // Won, lost, even; the last one is still open when the minute ends.
        for (stake, before, after) in [("100", "100000", "100100"), ("200", "100000", "99900"), ("50", "100000", "100005")] {
            pin(&server, before).await;
            buy(stake).await;
            pin(&server, after).await;
            advance(&server, "60002").await;
        }
        for (who, side) in [(&bob, "2"), (&ann, "1")] {
            let form = [("legal_id", "3"), ("currency_id", "1"), ("type", side), ("amount", "0.0123"), ("target_price", "100000")];
            who.post(&server, "/api/coin/trade", &form).await.data();
        }
        server.after_a_full_minute().await;
        pin(&server, "100000").await;
        buy("75").await;
        let figures = stats(&server).await;
        let paid = &figures["option_payouts_24h"];
        let log = entries(&server, paid).await;
        let until = paid["time_ms"].as_u64().unwrap();
        let next = server.get(&format!("/api/proof/entries?from={}&limit=1", paid["to_seq"].as_u64().unwrap() + 1)).await.ok()[0].clone();
        assert!(
            log.last().unwrap()["time_ms"].as_u64() < Some(until) && next["time_ms"].as_u64() >= Some(until),
            "all of its minutes, and no more"
        );
        let atoms = payouts(&log, until);
        assert_eq!((paid["value"].as_str().unwrap(), atoms), ("220.000000", 220_000_000));
        let trades = server.get("/api/market/trades?symbol=BTC/USDT&limit=100").await.ok();
        let value = |trade: &Json| {
            let digits = |field: &str| trade[field].as_str().unwrap().replace('.', "").parse::<u128>().unwrap();
            // One decimal and eight, against six.
            digits("price") * digits("amount") / 1_000
        };
        let within = trades.as_array().unwrap().iter().filter(|trade| trade["seq"].as_u64() <= paid["to_seq"].as_u64());
        let volume: u128 = within.map(value).sum();
        assert_eq!((figures["spot_volume_24h"]["value"].as_str().unwrap(), volume), ("1230.000000", 1_230_000_000));
        let part = |name: &str, amount: &str| json!([{"name": name, "amount": amount, "price": "1", "count": 1}]);
        assert_eq!(figures["spot_volume_24h"]["parts"], part("BTC/USDT", "1230.000000"));
        assert_eq!(paid["parts"], part("USDT", "220.000000"));

        // Within its minute it stays the same; a day later nothing of it is left.
        assert_eq!(&stats(&server).await["option_payouts_24h"]["to_seq"], &paid["to_seq"]);
        advance(&server, "120002").await;
        assert_eq!(payouts(&entries(&server, &stats(&server).await["option_payouts_24h"]).await, u64::MAX), 220_000_000 + 75_000_000);
        assert_eq!(stats(&server).await["option_payouts_24h"]["value"], "295.000000");
        advance(&server, "86400000").await;
        let later = stats(&server).await;
        assert_eq!((&later["option_payouts_24h"]["value"], &later["spot_volume_24h"]["value"]), (&json!("0.000000"), &json!("0.000000")));
        assert!(later["option_payouts_24h"]["from_seq"].as_u64() > paid["to_seq"].as_u64());
    });
}

#[test]
fn withdrawals_are_counted_and_timed() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let app = &server.running.app;
        let seen = |id| app.sequencer.engine().withdrawal(id).unwrap().seen();
        let none = stats(&server).await;
        assert!(!none.contains_key("withdrawal_minutes_median_30d"), "nothing was measured");
        let mut ids = Vec::new();
        for _ in 0..3 {
            let id = WithdrawalId(ann.withdraw(&server, &address, "20").await.data()["id"].as_u64().unwrap());
            ids.push(id);
        }
        let why = reason(&server, ann.id, "Name differs").await;
        decide(&server, 2, Item::Withdrawal(ids[2]), Decision::Reject { reason: why }, seen(ids[2])).await.unwrap();
        for (id, minutes) in [(ids[0], "600000"), (ids[1], "1200000")] {
            advance(&server, minutes).await;
            for operator in [1, 2] {
                decide(&server, operator, Item::Withdrawal(id), Decision::Approve, seen(id)).await.unwrap();
            }
            let tx = documents::plain_digest(minutes);
            app.db.exec(documents::keep(app, ann.id, tx, minutes).unwrap()).await.unwrap();
            operate(&server, 1, OperatorAct::MarkSent { withdrawal: id, tx }).await.unwrap();
            // Ten minutes later a sandbox confirms it, which is final.
            advance(&server, "600000").await;
            while app.sequencer.engine().withdrawal(id).is_some_and(|withdrawal| withdrawal.status != WithdrawalStatus::Confirmed) {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
        advance(&server, "60000").await;
        let figures = stats(&server).await;
        let value = |name: &str| figures[name]["value"].as_str().unwrap().parse::<u64>().unwrap();
        assert_eq!((value("withdrawals_paid_30d"), value("withdrawals_rejected_30d")), (2, 1));
        let counts =
            |name: &str| -> u64 { figures[name]["parts"].as_array().unwrap().iter().map(|part| part["count"].as_u64().unwrap()).sum() };
        assert_eq!((counts("withdrawals_paid_30d"), counts("withdrawals_rejected_30d")), (2, 1));
        assert_eq!(figures["withdrawal_minutes_p95_30d"]["parts"], figures["withdrawals_paid_30d"]["parts"]);
        // The time that the test takes comes on top.
        let (median, slow) = (value("withdrawal_minutes_median_30d"), value("withdrawal_minutes_p95_30d"));
        assert!((20..25).contains(&median) && (50..55).contains(&slow), "{median} {slow}");
    });
}

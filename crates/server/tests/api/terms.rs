//! A change by two operators applies where it should, and not to what existed before.

use serde_json::{Value as Json, json};

use crate::harness::{Answer, Server, both, token};
use crate::operator::operator;
use crate::people::Member;

const DAY_MS: u64 = 86_400_000;

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

/// Changes the first object of this kind that has the key, and waits until it acts: its values before.
async fn change(server: &Server, (one, two): (&str, &str), kind: &str, key: &str, value: Json) -> Json {
    let rows = server.get_as(token(one), &format!("/operator/api/catalog?kind={kind}")).await.ok();
    let row = rows.as_array().unwrap().iter().find(|row| !row["values"][key].is_null()).unwrap().clone();
    let mut values = row["values"].clone();
    values[key] = value;
    let (id, text) = (row["id"].to_string(), values.to_string());
    let form = [("kind", kind), ("id", &id), ("values", &text), ("reason", "other terms")];
    let proposed = post(server, one, "catalog/propose", &form).await.ok();
    let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
    post(server, two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok();
    row["values"].clone()
}

async fn two_operators(server: &Server) -> (String, String) {
    let roles = ["treasury", "market"];
    (operator(server, "one", &roles).await, operator(server, "two", &roles).await)
}

#[test]
fn an_open_order_keeps_the_fees_that_it_was_placed_with_and_pays_the_one_it_says() {
    both(|server| async move {
        let (one, two) = two_operators(&server).await;
        let ann = Member::new(&server, "ann@example.com").await;
        let bob = Member::new(&server, "bob@example.com").await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        bob.post(&server, "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let pair = [("legal_id", "3"), ("currency_id", "1"), ("target_price", "99000")];
        let waits = [pair.as_slice(), &[("type", "1"), ("amount", "0.001"), ("tif", "post_only")]].concat();
        let order = ann.post(&server, "/api/coin/trade", &waits).await.data()["order"].clone();
        change(&server, (&one, &two), "fee", "taker_fee", json!("0.5")).await;
        change(&server, (&one, &two), "fee", "maker_fee", json!("0.3")).await;
        let later = ann.post(&server, "/api/coin/trade", &waits).await.data()["order"].clone();
        bob.post(&server, "/api/coin/trade", &[pair.as_slice(), &[("type", "2"), ("amount", "0.002")]].concat()).await.ok();
        // 0.08 % and 0.3 % of 0.001 BTC.
        for (order, taker, maker, paid) in [(order, "0.001", "0.08", "0.00000080"), (later, "0.005", "0.3", "0.00000300")] {
            let filled = ann.get(&server, &format!("/api/coin/order?id={}", order["id"])).await["order"].clone();
            for shown in [&order, &filled] {
                assert_eq!((&shown["charge_fee"], &shown["maker_fee"]), (&json!(taker), &json!(maker)));
            }
            assert_eq!((&filled["status"], &filled["fee"]), (&json!(2), &json!(paid)));
        }
    });
}

#[test]
fn a_bank_deposit_is_worth_what_it_will_credit_and_a_dollar_what_it_pays_out() {
    both(|server| async move {
        let (one, two) = two_operators(&server).await;
        let ann = Member::new(&server, "ann@example.com").await;
        assert_eq!(ann.get(&server, "/api/wallet/list").await["ExRate"], "1");
        change(&server, (&one, &two), "network", "deposit_rate", json!("0.98")).await;
        change(&server, (&one, &two), "network", "payout_rate", json!("0.97")).await;
        assert_eq!(ann.get(&server, "/api/wallet/list").await["ExRate"], "0.97");
        let usdt = ann.post(&server, "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        assert_eq!(usdt["ExRate"], "0.97");
        let proof = server.picture(&ann.token, "deposit").await;
        ann.post(&server, "/api/wallet/charge_req", &[("currency", "9999"), ("amount", "500"), ("imgs", &proof)]).await.ok();
        let newest = server.running.app.sequencer.engine().seq().0.to_string();
        let fresh = [("authorization", one.as_str()), ("x-min-seq", &newest)];
        let row = server.request("GET", "/operator/api/queue?kind=bank_deposit", &fresh, "").await.ok()["data"][0].clone();
        assert_eq!((&row["value_usdt"], &row["summary"]), (&json!("490.000000"), &json!("500.00 USD by bank")));
        // The rate was fixed with the claim, and the receipt shows it; another one comes later.
        change(&server, (&one, &two), "network", "deposit_rate", json!("0.99")).await;
        assert_eq!(ann.get(&server, "/api/charge_mention/log2").await["data"][0]["rate"], "0.98");
    });
}

#[test]
fn a_wallet_takes_no_deposit_while_deposits_are_paused() {
    both(|server| async move {
        let (one, _) = two_operators(&server).await;
        let ann = Member::new(&server, "ann@example.com").await;
        let open = async || {
            let usdt = ann.post(&server, "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
            (ann.get(&server, "/api/wallet/list").await["is_open_CTbi"].clone(), usdt["is_charge"].clone())
        };
        assert_eq!(open().await, (json!("1"), json!(true)));
        post(&server, &one, "catalog/pause", &[("product", "deposit_coin"), ("on", "1"), ("reason", "a node is down")]).await.ok();
        assert_eq!(open().await, (json!("0"), json!(false)));
    });
}

#[test]
fn an_old_sample_keeps_the_names_of_its_sources_and_a_forgotten_one_is_not_denied() {
    both(|mut server| async move {
        let (one, two) = two_operators(&server).await;
        server.post("/sandbox/clock", &[("advance_ms", "1000")]).await.ok();
        let old = server.running.app.now_ms();
        let before = change(&server, (&one, &two), "index_source", "sources", json!(["maple", "hazel", "cedar", "birch"])).await;
        server.post("/sandbox/clock", &[("advance_ms", &(2 * DAY_MS + 2_000).to_string())]).await.ok();
        server.restart().await;
        let names = async |server: &Server, at: u64| {
            let newest = server.running.app.sequencer.engine().seq().0.to_string();
            let path = format!("/api/market/index?symbol=BTC/USDT&from_ms={}&to_ms={}", at - 5_000, at + 1_000);
            let rows = server.request("GET", &path, &[("x-min-seq", &newest)], "").await.ok();
            let sources = rows.as_array().unwrap().last().unwrap()["sources"].as_array().unwrap().clone();
            sources.iter().map(|source| source["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(before["sources"], json!(["alder", "birch", "cedar", "hazel", "maple"]));
        // One of them may be silent for seconds, so the order tells whose names they are.
        let seen = names(&server, old).await;
        assert!(seen.len() >= 3 && seen.is_sorted(), "{seen:?}");
        server.post("/sandbox/clock", &[("advance_ms", "1000")]).await.ok();
        let seen = names(&server, server.running.app.now_ms()).await;
        assert!(seen.len() >= 3 && seen.iter().rev().is_sorted() && !seen.contains(&"alder".to_owned()), "{seen:?}");

        server.post("/sandbox/clock", &[("advance_ms", &(7 * DAY_MS).to_string())]).await.ok();
        let gone = server.get(&format!("/api/market/index?symbol=BTC/USDT&from_ms={}&to_ms={old}", old - 5_000)).await;
        let data = gone.json()["data"].clone();
        assert_eq!((gone.error().as_str(), &data["field"], &data["rule"]), ("E_FIELD", &json!("from_ms"), &json!("range")));
        assert!(data["min"].as_u64() > Some(old));
    });
}

#[test]
fn a_refusal_names_the_bound_that_is_in_force() {
    both(|server| async move {
        let (one, two) = two_operators(&server).await;
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        change(&server, (&one, &two), "limit", "withdraw_per_day", json!(2)).await;
        // Limits of money are delayed: two operators agreed on the day after tomorrow.
        server.post("/sandbox/clock", &[("advance_ms", &(2 * DAY_MS + 2_000).to_string())]).await.ok();
        for _ in 0..2 {
            ann.withdraw(&server, &address, "20").await.ok();
        }
        let refused = ann.withdraw(&server, &address, "20").await;
        assert_eq!((refused.error().as_str(), &refused.json()["message"]), ("E_WITHDRAW_COUNT", &json!("Only 2 withdrawals a day")));
    });
}

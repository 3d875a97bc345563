//! Costs of coins over the wire: bought in parts and with other coins, sold in part, received, converted, locked and freed; the same after
//! a restart, and after the start of a database without costs.

use serde_json::{Value as Json, json};
use store::{sql, tie_out};

use crate::harness::{Server, both, token};
use crate::people::Member;

async fn pin(server: &Server, symbol: &str, price: &str) {
    server.post("/sandbox/price", &[("symbol", symbol), ("price", price)]).await.ok();
}

async fn faucet(server: &Server, who: &Member, asset: &str, amount: &str) {
    who.post(server, "/sandbox/faucet", &[("asset", asset), ("amount", amount)]).await.ok();
}

/// An order of BTC against the coin with this number.
async fn order(server: &Server, who: &Member, quote: &str, side: &str, amount: &str, price: &str) {
    let form = [("legal_id", quote), ("currency_id", "1"), ("type", side), ("amount", amount), ("target_price", price)];
    who.post(server, "/api/coin/trade", &form).await.ok();
}

async fn convert(server: &Server, who: &Member, from: &str, to: &str, amount: &str) -> String {
    let quote = who.post(server, "/api/wallet/flash_quote", &[("l_currency_id", from), ("r_currency_id", to), ("num", amount)]).await.ok();
    who.post(server, "/api/wallet/flashAgainst", &[("quote_id", &quote["quote_id"].to_string())]).await.data()["net"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn transfer(server: &Server, who: &Member, amount: &str, to: &str) {
    let form = [("currency_id", "1"), ("number", amount), ("from_field", "change"), ("to_field", to)];
    who.post(server, "/api/wallet/change", &form).await.ok();
}

/// Quantity with a cost and without, cost, average and realised profit of a coin.
pub async fn cost(server: &Server, who: &Member, coin: u32) -> String {
    let rows = who.get(server, &format!("/api/wallet/costs?coin={coin}")).await;
    let [row] = rows.as_array().unwrap().as_slice() else { panic!("{rows}") };
    assert_eq!(row["coin"], coin);
    ["quantity", "without_cost", "cost", "average", "realised"].map(|field| row[field].as_str().unwrap_or("null")).join(" ")
}

/// Ann buys from Bob, sells to him, converts, locks and plays; Carol buys with another coin.
async fn work(server: &Server) -> [Member; 3] {
    let people = ["ann", "bob", "carol"].map(|name| format!("{name}@example.com"));
    let [ann, bob, carol] =
        [Member::new(server, &people[0]).await, Member::new(server, &people[1]).await, Member::new(server, &people[2]).await];
    ann.verify(server, "X0000001").await;
    for (symbol, price) in [("BTC/USDT", "100000"), ("ETH/USDT", "4000"), ("USDC/USDT", "0.99")] {
        pin(server, symbol, price).await;
    }
    faucet(server, &ann, "USDT", "10000").await;
    faucet(server, &bob, "BTC", "1").await;
    faucet(server, &carol, "USDC", "1000").await;
    assert_eq!(cost(server, &bob, 1).await, "1.00000000 0.00000000 100000.000000 100000.00000000 0.000000");
    assert_eq!(cost(server, &carol, 4).await, "1000.000000 0.000000 990.000000 0.99000000 0.000000");

    // A fee in the coin leaves fewer coins at the same cost; held coins still count.
    order(server, &bob, "3", "2", "0.01", "100000").await;
    assert_eq!(cost(server, &bob, 1).await, "1.00000000 0.00000000 100000.000000 100000.00000000 0.000000");
    order(server, &ann, "3", "1", "0.004", "100000").await;
    order(server, &ann, "3", "1", "0.006", "100000").await;
    assert_eq!(cost(server, &ann, 1).await, "0.00999000 0.00000000 1000.000000 100100.10010010 0.000000");
    assert_eq!(cost(server, &bob, 1).await, "0.99000000 0.00000000 99000.000000 100000.00000000 -0.800000");

    pin(server, "BTC/USDT", "120000").await;
    faucet(server, &ann, "BTC", "0.001").await;
    assert_eq!(cost(server, &ann, 1).await, "0.01099000 0.00000000 1120.000000 101910.82802547 0.000000");
    // 600 less a fee of 0.6; the half coin cost 509.55414.
    order(server, &bob, "3", "1", "0.005", "120000").await;
    order(server, &ann, "3", "2", "0.005", "120000").await;
    assert_eq!(cost(server, &ann, 1).await, "0.00599000 0.00000000 610.445860 101910.82804674 89.845860");
    assert_eq!(cost(server, &bob, 1).await, "0.99499600 0.00000000 99600.000000 100100.90492826 -0.800000");

    assert_eq!(convert(server, &ann, "3", "1", "100").await, "0.00083166");
    assert_eq!(cost(server, &ann, 1).await, "0.00682166 0.00000000 710.445860 104145.59799227 89.845860");
    assert_eq!(convert(server, &ann, "1", "2", "0.001").await, "0.02994003");
    assert_eq!(cost(server, &ann, 1).await, "0.00582166 0.00000000 606.300263 104145.59816272 105.700263");
    assert_eq!(cost(server, &ann, 2).await, "0.02994003 0.00000000 120.000000 4008.01201602 0.000000");
    assert_eq!(convert(server, &ann, "1", "3", "0.001").await, "119.760120");
    const CONVERTED: &str = "0.00482166 0.00000000 502.154665 104145.59819647 121.314785";
    assert_eq!(cost(server, &ann, 1).await, CONVERTED);

    // Moved, locked in a plan, held for an order and free again: nothing was bought or sold.
    transfer(server, &ann, "0.0025", "trust").await;
    transfer(server, &ann, "0.0015", "micro").await;
    ann.post(server, "/api/lh/deposit", &[("config_id", "7"), ("amount", "0.002"), ("agree", "1")]).await.ok();
    order(server, &ann, "3", "2", "0.0008", "150000").await;
    assert_eq!(cost(server, &ann, 1).await, CONVERTED);
    ann.post(server, "/api/coin/cancel_all", &[]).await.ok();
    assert_eq!(cost(server, &ann, 1).await, CONVERTED);

    // A pair without USDT: the payment is worth 0.99 of it.
    order(server, &bob, "4", "2", "0.002", "121000").await;
    order(server, &carol, "4", "1", "0.002", "121000").await;
    assert_eq!(cost(server, &carol, 1).await, "0.00199800 0.00000000 239.580000 119909.90990990 0.000000");
    assert_eq!(cost(server, &carol, 4).await, "758.000000 0.000000 750.420000 0.99000000 0.000000");
    assert_eq!(cost(server, &bob, 1).await, "0.99299600 0.00000000 99399.798191 100100.90492912 38.386527");
    assert_eq!(cost(server, &bob, 4).await, "241.806400 0.000000 239.388336 0.99000000 0.000000");

    // The stake returns with its cost, but the fee does not.
    let form = [("match_id", "1"), ("currency_id", "1"), ("type", "1"), ("seconds", "60"), ("number", "0.001")];
    pin(server, "BTC/USDT", "120000").await;
    ann.post(server, "/api/microtrade/submit", &form).await.ok();
    assert_eq!(cost(server, &ann, 1).await, "0.00381666 0.00000000 397.488339 104145.59824558 121.314785");
    pin(server, "BTC/USDT", "120000").await;
    server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
    assert_eq!(cost(server, &ann, 1).await, "0.00481666 0.00000000 501.633937 104145.59819459 121.314785");
    // Seven days of interest at its value; the principal is not bought again.
    server.post("/sandbox/clock", &[("advance_ms", "777600000")]).await.ok();
    assert_eq!(cost(server, &ann, 1).await, "0.00483766 0.00000000 504.153937 104214.42122844 121.314785");
    [ann, bob, carol]
}

async fn all(server: &Server, people: &[Member]) -> Vec<Json> {
    let mut all = Vec::new();
    for who in people {
        all.push(who.get(server, "/api/wallet/costs").await);
    }
    all
}

#[test]
fn what_coins_cost_is_exact_after_everything_and_after_a_start() {
    both(|mut server| async move {
        let people = work(&server).await;
        let known = all(&server, &people).await;
        let coins = |rows: &Json| rows.as_array().unwrap().iter().map(|row| row["coin"].as_u64().unwrap()).collect::<Vec<_>>();
        assert_eq!(known.iter().map(coins).collect::<Vec<_>>(), [vec![1, 2], vec![1, 4], vec![1, 4]], "USDT has no cost of its own");
        server.restart().await;
        assert_eq!(all(&server, &people).await, known);

        // As a database of an earlier release: no costs, and no mark for them.
        server.running.stop().await;
        let db = server.running.app.db.clone();
        for text in [
            "delete from costs",
            "delete from costs_aside",
            "delete from cost_prices",
            "delete from house_days",
            "delete from flows",
            "delete from fee_days",
            "update history set costs_seq = 0",
        ] {
            db.exec(sql!(text)).await.unwrap();
        }
        drop(db);
        server.restart().await;
        assert_eq!(all(&server, &people).await, known);
        server.running.stop().await;
        let app = &server.running.app;
        assert_eq!(tie_out::fault(&app.db, &app.sequencer.engine(), |_, _| {}).await, Ok(None));
    });
}

#[test]
fn costs_that_somebody_changed_are_not_verified() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        pin(&server, "BTC/USDT", "100000").await;
        faucet(&server, &ann, "BTC", "1").await;
        cost(&server, &ann, 1).await;
        server.running.stop().await;
        server.verify().await.unwrap();
        let db = server.running.app.db.clone();
        for (change, back, fault) in [
            ("quantity = quantity + 1", "quantity = quantity - 1", "the costs of user"),
            ("uncosted = 1", "uncosted = 0", "the costs of user"),
            ("cost = cost - 1", "cost = cost + 1", "costs is not what the log gives"),
            ("realised = 7", "realised = 0", "costs is not what the log gives"),
        ] {
            db.exec(sql!(format!("update costs set {change}"))).await.unwrap();
            let found = server.verify().await.unwrap_err().0;
            assert!(found.contains(fault), "{change}: {found}");
            db.exec(sql!(format!("update costs set {back}"))).await.unwrap();
        }
        server.verify().await.unwrap();
        db.exec(sql!("update history set costs_seq = 1")).await.unwrap();
        let behind = server.verify().await.unwrap_err().0;
        assert!(behind.contains("the costs are written up to entry 1"), "{behind}");
    });
}

#[test]
fn costs_are_their_owners_and_a_coin_that_is_none_is_refused() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        pin(&server, "BTC/USDT", "100000").await;
        faucet(&server, &ann, "BTC", "1").await;
        faucet(&server, &ann, "USDT", "1").await;
        assert_eq!(cost(&server, &ann, 1).await, "1.00000000 0.00000000 100000.000000 100000.00000000 0.000000");
        assert_eq!(bob.get(&server, "/api/wallet/costs").await, json!([]));
        assert_eq!(bob.get(&server, "/api/wallet/costs?coin=1").await, json!([]));
        assert_eq!(ann.get(&server, "/api/wallet/costs?coin=3").await, json!([]), "USDT is what costs are counted in");
        let asked = async |who: &str, query: &str| server.get_as(token(who), &format!("/api/wallet/costs{query}")).await;
        for (query, refusal) in [("?coin=99", "E_ASSET"), ("?coin=0", "E_ASSET"), ("?coin=x", "E_FIELD"), ("?coin=-1", "E_FIELD")] {
            assert_eq!(asked(&ann.token, query).await.error(), refusal, "{query}");
        }
        assert_eq!(asked("", "").await.error(), "E_AUTH");
        let seq: u64 = asked(&ann.token, "").await.header("x-seq").parse().unwrap();
        assert!(seq >= 5, "{seq}");
    });
}

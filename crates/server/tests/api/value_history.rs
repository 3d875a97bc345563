//! Value of the accounts over time, recomputed here from the statement and the price record.

use engine::backoffice::acts::{Decision, Item};
use engine::ids::WithdrawalId;
use serde_json::{Value as Json, json};
use store::sql;

use crate::costs::cost;
use crate::harness::{Server, both, token};
use crate::loans::{ask, detail, lent};
use crate::operator::operator;
use crate::people::{FUND, Member, decide};

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

async fn price(server: &Server, symbol: &str, price: &str) {
    server.post("/sandbox/price", &[("symbol", symbol), ("price", price)]).await.ok();
}

async fn faucet(server: &Server, who: &Member, asset: &str, amount: &str) {
    server.post_as(token(&who.token), "/sandbox/faucet", &[("asset", asset), ("amount", amount)]).await.ok();
}

/// The total at the last point that is not after this instant.
fn at(history: &Json, ms: u64) -> String {
    let points = history["points"].as_array().unwrap();
    points.iter().rfind(|point| point["time_ms"].as_u64().unwrap() <= ms).unwrap()["total_usdt"].as_str().unwrap().to_owned()
}

#[test]
fn every_point_is_the_balance_of_its_instant_at_the_price_of_its_instant() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        price(&server, "BTC/USDT", "100000").await;
        faucet(&server, &ann, "USDT", "1000").await;
        let began = server.running.app.now_ms();
        server.post("/sandbox/clock", &[("advance_ms", "7200000")]).await.ok();
        faucet(&server, &ann, "BTC", "0.01").await;
        faucet(&server, &bob, "USDT", "77").await;
        // Internal moves do not change the value.
        let inside = [("currency_id", "3"), ("number", "400"), ("from_field", "change"), ("to_field", "trust")];
        ann.post(&server, "/api/wallet/change", &inside).await.ok();
        let second = server.running.app.now_ms();
        server.post("/sandbox/clock", &[("advance_ms", "7200000")]).await.ok();
        price(&server, "BTC/USDT", "90000").await;
        server.post("/sandbox/clock", &[("advance_ms", "3600000")]).await.ok();
        for (range, most) in [("1d", 98), ("1w", 170), ("1m", 182)] {
            let history = ann.get(&server, &format!("/api/wallet/value_history?range={range}")).await;
            let points = history["points"].as_array().unwrap();
            assert!(points.len() > 90 && points.len() <= most, "{range}: {}", points.len());
            assert!(points.windows(2).all(|pair| pair[0]["time_ms"].as_u64() < pair[1]["time_ms"].as_u64()), "{range}");
            // Inflow at the price of that hour; the loss since is not an outflow.
            assert_eq!(history["net_in_usdt"], "2000.000000", "{range}");
            let total = ann.get(&server, "/api/wallet/list").await["total_usdt"].clone();
            assert_eq!((points.last().unwrap()["total_usdt"].clone(), total), (json!("1900.000000"), json!("1900.000000")), "{range}");
        }
        let day = ann.get(&server, "/api/wallet/value_history").await;
        // Without the inflows there is no cliff: only the price moved.
        let without_flows: Vec<i128> =
            day["points"].as_array().unwrap().iter().map(|point| micros(&point["total_usdt"]) + micros(&point["net_in_usdt"])).collect();
        assert!(without_flows.iter().all(|value| [2_000_000_000, 1_900_000_000].contains(value)), "{without_flows:?}");
        assert_eq!(at(&day, began - 2 * HOUR_MS), "0.000000");
        assert_eq!(at(&day, began + HOUR_MS), "1000.000000");
        assert_eq!(at(&day, second + HOUR_MS), "2000.000000");
        assert_eq!(bob.get(&server, "/api/wallet/value_history").await["net_in_usdt"], "77.000000");
        assert_eq!(server.get_as(token(&ann.token), "/api/wallet/value_history?range=1y").await.error(), "E_FIELD");
        assert_eq!(server.get("/api/wallet/value_history").await.error(), "E_AUTH");
    });
}

/// Millionths of a decimal of USDT.
fn micros(text: &Json) -> i128 {
    text.as_str().unwrap().replace('.', "").parse().unwrap()
}

/// Two operators let a withdrawal go.
async fn let_go(server: &Server, id: WithdrawalId) {
    for operator in [1, 2] {
        let seen = server.running.app.sequencer.engine().withdrawal(id).unwrap().seen();
        decide(server, operator, Item::Withdrawal(id), Decision::Approve, seen).await.unwrap();
    }
}

/// Two operators return it.
async fn give_back(server: &Server, id: WithdrawalId) {
    let (one, two) = (operator(server, "one", &["treasury"]).await, operator(server, "two", &["treasury"]).await);
    let post = async |who: &str, path: &str, fields: &[(&str, &str)]| server.post_as(token(who), path, fields).await.ok();
    let proposed = post(&one, "/operator/api/withdrawal/returned", &[("id", &id.0.to_string()), ("reason", "refused")]).await;
    let (number, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
    post(&two, "/operator/api/proposal/confirm", &[("id", &number), ("hash", &hash)]).await;
}

#[test]
fn what_left_counts_as_out_and_history_of_a_month_ago_is_still_the_truth() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        ann.withdraw(&server, &address, "40").await.ok();
        let held = ann.get(&server, "/api/wallet/value_history?range=1w").await;
        assert_eq!((&held["net_in_usdt"], at(&held, u64::MAX)), (&json!("100.000000"), "100.000000".to_owned()), "held is still his");
        server.post("/sandbox/clock", &[("advance_ms", "2160000000")]).await.ok();
        let week = ann.get(&server, "/api/wallet/value_history?range=1w").await;
        assert_eq!((&week["net_in_usdt"], &week["points"][0]["total_usdt"]), (&json!("0.000000"), &json!("100.000000")));
        let month = ann.get(&server, "/api/wallet/value_history?range=1m").await;
        assert_eq!((&month["net_in_usdt"], &month["points"][0]["total_usdt"]), (&json!("100.000000"), &json!("0.000000")));
    });
}

#[test]
fn a_withdrawal_that_came_back_counts_as_nothing() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let net = async || ann.get(&server, "/api/wallet/value_history?range=1w").await["net_in_usdt"].clone();
        let id = WithdrawalId(ann.withdraw(&server, &address, "40").await.data()["id"].as_u64().unwrap());
        let_go(&server, id).await;
        assert_eq!(net().await, "60.000000");
        give_back(&server, id).await;
        assert_eq!(net().await, "100.000000");

        let cancelled = ann.withdraw(&server, &address, "40").await.data()["id"].to_string();
        ann.post(&server, "/api/wallet/out_cancel", &[("id", &cancelled)]).await.ok();
        assert_eq!(net().await, "100.000000");
    });
}

/// The total inflow, and the points of the line, by range.
async fn lines(server: &Server, who: &Member) -> [(Json, Vec<i128>); 3] {
    let mut lines = ["1d", "1w", "1m"].map(|range| (json!(range), Vec::new()));
    for (range, drawn) in &mut lines {
        let history = who.get(server, &format!("/api/wallet/value_history?range={}", range.as_str().unwrap())).await;
        let parts = |point: &Json| ["total_usdt", "open_usdt", "net_in_usdt"].iter().map(|field| micros(&point[*field])).sum();
        (*range, *drawn) = (history["net_in_usdt"].clone(), history["points"].as_array().unwrap().iter().map(parts).collect());
        drawn.dedup();
    }
    lines
}

/// At a minute after the next instant at which bars of all lengths begin.
async fn begin_bars(server: &Server) {
    let begin = (server.running.app.now_ms() / (4 * HOUR_MS) + 1) * 4 * HOUR_MS;
    server.post("/sandbox/clock", &[("to_ms", &(begin + 60_000).to_string())]).await.ok();
}

#[test]
fn what_came_in_counts_at_the_price_of_its_instant_however_the_price_moves_in_its_bar() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        begin_bars(&server).await;
        price(&server, "BTC/USDT", "100000").await;
        faucet(&server, &ann, "BTC", "0.01").await;
        price(&server, "BTC/USDT", "90000").await;
        let loses_a_tenth = async |server: &Server| {
            for (net_in, drawn) in lines(server, &ann).await {
                assert_eq!((net_in, drawn), (json!("1000.000000"), vec![1_000_000_000, 900_000_000]));
            }
            // What it is worth less what it cost is the same loss.
            assert_eq!(cost(server, &ann, 1).await, "0.01000000 0.00000000 1000.000000 100000.00000000 0.000000");
        };
        loses_a_tenth(&server).await;
        server.post("/sandbox/clock", &[("advance_ms", &(5 * HOUR_MS).to_string())]).await.ok();
        loses_a_tenth(&server).await;

        // As a database of an earlier release: none of these rows, and no mark for them.
        server.running.stop().await;
        let db = server.running.app.db.clone();
        for table in ["flows", "fee_days", "costs", "costs_aside", "cost_prices", "house_days"] {
            db.exec(sql!(format!("delete from {table}"))).await.unwrap();
        }
        db.exec(sql!("update history set costs_seq = 0")).await.unwrap();
        drop(db);
        server.restart().await;
        loses_a_tenth(&server).await;
    });
}

#[test]
fn a_withdrawal_that_is_returned_comes_back_at_the_price_that_it_went_out_at() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        ann.set_fund_password(&server).await;
        let code = ann.code(&server, "operation").await;
        let form = [
            ("currency_id", "1"),
            ("netType", "BTC"),
            ("address", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
            ("pay_password", FUND),
            ("code", &code),
            ("notes", "Cold"),
        ];
        let address = ann.post(&server, "/api/wallet/addaddress", &form).await.data()["id"].to_string();
        server.post("/sandbox/clock", &[("advance_ms", &DAY_MS.to_string())]).await.ok();
        begin_bars(&server).await;
        price(&server, "BTC/USDT", "100000").await;
        faucet(&server, &ann, "BTC", "0.1").await;
        let form = [("currency", "1"), ("number", "0.05"), ("address_id", &address), ("pay_password", FUND)];
        let id = WithdrawalId(ann.post(&server, "/api/wallet/out", &form).await.data()["id"].as_u64().unwrap());
        let_go(&server, id).await;
        price(&server, "BTC/USDT", "90000").await;
        for (net_in, drawn) in lines(&server, &ann).await {
            assert_eq!((net_in, drawn), (json!("5000.000000"), vec![5_000_000_000, 4_500_000_000]));
        }
        server.post("/sandbox/clock", &[("advance_ms", &(5 * HOUR_MS).to_string())]).await.ok();
        price(&server, "BTC/USDT", "80000").await;
        give_back(&server, id).await;
        price(&server, "BTC/USDT", "120000").await;
        for pass in [1, 5 * HOUR_MS] {
            server.post("/sandbox/clock", &[("advance_ms", &pass.to_string())]).await.ok();
            for (net_in, drawn) in lines(&server, &ann).await {
                assert_eq!((net_in, drawn), (json!("10000.000000"), vec![10_000_000_000, 9_500_000_000, 12_000_000_000]));
            }
            assert_eq!(cost(&server, &ann, 1).await, "0.10000000 0.00000000 10000.000000 100000.00000000 0.000000");
        }
    });
}

#[test]
fn what_came_in_more_often_than_a_balance_can_hold_is_summed_exactly() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let app = &server.running.app;
        price(&server, "BTC/USDT", "100000").await;
        let (most, now) = (999_999_999_999_999_999_u64, app.now_ms());
        // Deposits, which then went to others for coins; those of BTC had no price.
        for (asset, worth) in [(3_u64, Some(most)), (1, None)] {
            for seq in 1..=12_u64 {
                let insert = "insert into flows (user_id, time_ms, seq, asset, atoms, usdt) values ($1, $2, $3, $4, $5, $6)";
                app.db.exec(sql!(insert, ann.id.0, now, seq, asset, most, worth)).await.unwrap();
            }
        }
        let history = ann.get(&server, "/api/wallet/value_history").await;
        // 11,999,999,999,999.999988 and 119,999,999,999.99999988 coins at 100,000.
        assert_eq!(history["net_in_usdt"], "12011999999999999.987988");
        assert_eq!(history["points"].as_array().unwrap().last().unwrap()["total_usdt"], "0.000000");
    });
}

/// Instants and millionths of USDT: at each of them so much was lost.
type Losses = Vec<(u64, i128)>;

/// In all ranges each point is what came in less what was lost before it.
async fn agrees(server: &Server, who: &Member, came_in: i128, losses: &[(u64, i128)]) {
    for range in ["1d", "1w", "1m"] {
        let history = who.get(server, &format!("/api/wallet/value_history?range={range}")).await;
        for point in history["points"].as_array().unwrap() {
            let at = point["time_ms"].as_u64().unwrap();
            let lost: i128 = losses.iter().filter(|(since, _)| *since < at).map(|(_, loss)| loss).sum();
            let drawn: i128 = ["total_usdt", "open_usdt", "net_in_usdt"].iter().map(|field| micros(&point[*field])).sum();
            assert_eq!(came_in - drawn, lost, "{range} at {at}: {point}, {losses:?}");
        }
    }
}

#[test]
fn what_a_loan_costs_is_lost_when_it_is_charged_and_neither_a_repayment_nor_its_end_changes_that() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        price(&server, "BTC/USDT", "100000").await;
        faucet(&server, &ann, "BTC", "1").await;
        // Kept apart from automatic repayments.
        let savings = [("asset", "USDT"), ("amount", "10"), ("account", "trust")];
        ann.post(&server, "/sandbox/faucet", &savings).await.ok();
        let (came_in, mut losses) = (100_010_000_000, Losses::new());
        let pass = async |ms: u64| {
            server.post("/sandbox/clock", &[("advance_ms", &ms.to_string())]).await.ok();
            price(&server, "BTC/USDT", "100000").await;
        };
        let to_spot = async |number: &str| {
            let form = [("currency_id", "3"), ("number", number), ("from_field", "trust"), ("to_field", "change")];
            ann.post(&server, "/api/wallet/change", &form).await.ok();
        };
        // A loan of 600 costs 0.30 at once and after each of these days.
        let borrow = async |losses: &mut Losses, days: u64| {
            let id = lent(&server, &ann, &desk, &[]).await;
            let start = detail(&server, &ann, &id).await["start_at_ms"].as_u64().unwrap();
            losses.extend((0..=days).map(|day| (start + day * DAY_MS + u64::from(day > 0), 300_000)));
            (id, start)
        };

        // In two parts, a day apart.
        let (parts, start) = borrow(&mut losses, 2).await;
        pass(2 * DAY_MS + 10).await;
        agrees(&server, &ann, came_in, &losses).await;
        ask(&server, &ann, "bossrepay", &parts, &[("amount", "300")]).await.ok();
        agrees(&server, &ann, came_in, &losses).await;
        // On the 300.90 still owed.
        losses.push((start + 3 * DAY_MS + 1, 150_450));
        pass(25 * HOUR_MS).await;
        agrees(&server, &ann, came_in, &losses).await;
        to_spot("2").await;
        let whole = ask(&server, &ann, "bossrepay", &parts, &[("all", "1")]).await;
        assert_eq!((whole.ok(), &whole.data()["taken"]), (json!("Repaid"), &json!("301.050450")));
        agrees(&server, &ann, came_in, &losses).await;

        // In one, with a penalty.
        let (late, start) = borrow(&mut losses, 6).await;
        losses.push((start + 7 * DAY_MS + 1, 900_000));
        pass(7 * DAY_MS + 10).await;
        agrees(&server, &ann, came_in, &losses).await;
        to_spot("2.05045").await;
        let whole = ask(&server, &ann, "bossrepay", &late, &[("all", "1")]).await;
        assert_eq!((whole.ok(), &whole.data()["penalty"]), (json!("Repaid"), &json!("0.900000")));
        agrees(&server, &ann, came_in, &losses).await;

        // Not repaid: the fee of the sale is lost as well, and the rest of the collateral is returned.
        let (sold, start) = borrow(&mut losses, 6).await;
        losses.extend((7..=9).map(|day| (start + day * DAY_MS + 1, 900_000)));
        pass(7 * DAY_MS + 10).await;
        pass(2 * DAY_MS + 23 * HOUR_MS).await;
        assert_eq!(detail(&server, &ann, &sold).await["debt"], "604.800000");
        agrees(&server, &ann, came_in, &losses).await;
        // One penalty more, and a fiftieth of 605.70.
        losses.push((start + 10 * DAY_MS + 1, 900_000 + 12_114_000));
        pass(HOUR_MS).await;
        let ended = detail(&server, &ann, &sold).await;
        assert_eq!((&ended["reason"], &ended["sold"]), (&json!("LIQUIDATED"), &json!("0.00617814")));
        agrees(&server, &ann, came_in, &losses).await;
        pass(5 * HOUR_MS).await;
        agrees(&server, &ann, came_in, &losses).await;
    });
}

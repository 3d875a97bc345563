//! Limits of the pools, over the wire: an option is sold only while the pool covers its profit (O-4), and no contract is opened on a day on
//! which the pool has lost a fifth of its equity (C-13). Neither prevents a settlement.

use serde_json::{Value as Json, json};

use crate::harness::{Answer, As, Server, both};
use crate::operator::{operator, post};
use crate::people::Member;

const DAY_MS: u64 = 86_400_000;
/// From 00:00 UTC to ten minutes before the end of a day, and to an hour of the next one, ms.
const LATE: u64 = DAY_MS - 600_000;
const TOMORROW: u64 = DAY_MS + 3_600_000;

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn advance(server: &Server, ms: u64) {
    server.post("/sandbox/clock", &[("advance_ms", &ms.to_string())]).await.ok();
}

/// To so many ms after the last 00:00 UTC, where the price is this.
async fn advance_to(server: &Server, after_midnight: u64, price: &str) {
    advance(server, after_midnight - server.running.app.now_ms() % DAY_MS).await;
    pin(server, price).await;
}

async fn member_with(server: &Server, email: &str, account: &str) -> Member {
    let who = Member::new(server, email).await;
    who.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", account)]).await.ok();
    who
}

/// Two operators who may move house capital.
async fn two_operators(server: &Server) -> (String, String) {
    (operator(server, "one", &["treasury"]).await, operator(server, "two", &["treasury"]).await)
}

fn capital<'a>(from: &'a str, to: &'a str, amount: &'a str) -> [(&'static str, &'a str); 5] {
    [("from", from), ("to", to), ("currency_id", "3"), ("amount", amount), ("reason", "capital")]
}

async fn move_capital(server: &Server, (one, two): &(String, String), form: &[(&str, &str)]) {
    let moved = post(server, one, "treasury/move", form).await.ok();
    let (id, hash) = (moved["id"].to_string(), moved["hash"].as_str().unwrap().to_owned());
    post(server, two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok();
}

/// Balance, reserve and what is free of a pool, USDT.
async fn pool(server: &Server, account: &str) -> [String; 3] {
    let pools = server.get("/api/public/pools").await.ok();
    let pool = pools.as_array().unwrap().iter().find(|pool| pool["account"] == account && pool["currency_id"] == 3).unwrap().clone();
    ["balance", "reserve", "free"].map(|field| pool[field].as_str().unwrap().to_owned())
}

/// The answer in a language, repeated if the caller was rate-limited.
async fn ask(server: &Server, who: &Member, lang: &str, path: &str, form: &[(&str, &str)]) -> Answer {
    server.patient(async || server.post_as(As { token: &who.token, key: "", lang }, path, form).await).await
}

/// Opens long (1) or short (2) at ten times the margin; with a limit it may wait.
async fn submit(server: &Server, who: &Member, lang: &str, (side, lots, limit): (&str, &str, &str)) -> Answer {
    let mut form = vec![("share", lots), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", side)];
    form.extend([("status", "0"), ("target_price", limit)].into_iter().filter(|_| !limit.is_empty()));
    ask(server, who, lang, "/api/lever/submit", &form).await
}

async fn open(server: &Server, who: &Member, order: (&str, &str, &str)) -> Json {
    submit(server, who, "", order).await.data()["position"].clone()
}

/// State, reason and result of a contract.
async fn ended(server: &Server, who: &Member, opened: &Json) -> [Json; 3] {
    let rows = who.get(server, "/api/lever/my_trade?status=-1&limit=50").await["message"]["data"].clone();
    let row = rows.as_array().unwrap().iter().find(|row| row["id"] == opened["id"]).unwrap().clone();
    ["status", "reason", "fact_profits"].map(|field| row[field].clone())
}

#[test]
fn a_contract_pool_that_lost_a_fifth_today_opens_nothing_until_the_next_utc_day_and_settles_everything() {
    both(|mut server| async move {
        let (ann, bob) = (member_with(&server, "ann@example.com", "lever").await, member_with(&server, "bob@example.com", "lever").await);
        // The day begins with 5 000 USDT in the pool: a fifth is 1 000.
        let [_, _, free] = pool(&server, "contract_pool").await;
        assert_eq!(free, "10000000.000000");
        move_capital(&server, &two_operators(&server).await, &capital("contract_pool", "external", "9995000")).await;
        advance_to(&server, TOMORROW, "100000").await;
        // 0.01 BTC each from 100 010 on: together they have won 1 000 at 150 010.
        let (first, second) = (open(&server, &ann, ("1", "10", "")).await, open(&server, &ann, ("1", "10", "")).await);
        let closed_for = async |server: &Server, order: (&str, &str, &str)| {
            let refused = submit(server, &bob, "", order).await;
            assert_eq!((refused.status, refused.error().as_str()), (200, "E_POOL_LOSS_LIMIT"), "{order:?}");
            assert_eq!(refused.json()["message"], "Opening is paused until tomorrow");
        };
        pin(&server, "150010").await;
        for order in [("1", "1", ""), ("2", "1", ""), ("1", "1", "160000")] {
            closed_for(&server, order).await;
        }
        for (lang, text) in [("zh", "今日暂停开仓，明日恢复"), ("deyu", "Neue Positionen sind bis morgen ausgesetzt")] {
            assert_eq!(submit(&server, &bob, lang, ("1", "1", "")).await.json()["message"], text);
        }
        assert_eq!(bob.get(&server, "/api/lever/my_trade?status=-1").await["message"]["data"], json!([]), "a refusal changes nothing");

        // A tick lower it is less than a fifth, and what bob opens there adds nothing to it.
        pin(&server, "150009.99").await;
        let third = open(&server, &bob, ("1", "1", "")).await;
        pin(&server, "150011").await;
        closed_for(&server, ("1", "1", "")).await;
        // A waiting order binds no pool. If it is reached while the pool can open nothing, it ends and its money is free again.
        let waiting = open(&server, &bob, ("2", "1", "151000")).await;
        assert_eq!((&waiting["status"], &waiting["caution_money"]), (&json!(0), &json!("15.175500")));
        pin(&server, "151020").await;
        assert_eq!(ended(&server, &bob, &waiting).await, [json!(4), json!("REFUSED"), Json::Null]);
        let told = bob.get(&server, "/api/notice/list?kind=contract").await["data"][0].clone();
        let text = "The price reached your BTC/USDT contract order, but the position could not be opened. 15.1755 USDT is free again.";
        assert_eq!((&told["content"], &told["object_id"]), (&json!(text), &waiting["id"]));

        // A stop is set and reached, an owner closes, and a position is liquidated.
        let id = first["id"].to_string();
        let stops = [("id", id.as_str()), ("target_profit_price", "155000"), ("stop_loss_price", "0")];
        let set = ask(&server, &ann, "", "/api/lever/setstop", &stops).await;
        assert_eq!(set.data()["position"]["target_profit_price"], "155000.00");
        pin(&server, "155000").await;
        assert_eq!(ended(&server, &ann, &first).await, [json!(3), json!("TP"), json!("549.745000")]);
        let id = second["id"].to_string();
        ask(&server, &ann, "", "/api/lever/close", &[("id", &id)]).await.data();
        assert_eq!(ended(&server, &ann, &second).await, [json!(3), json!("USER"), json!("549.745000")]);
        pin(&server, "136000").await;
        let [status, reason, _] = ended(&server, &bob, &third).await;
        assert_eq!((status, reason), (json!(3), json!("LIQUIDATION")));
        // Payouts count as losses as well, also after a restart, until the end of the day.
        closed_for(&server, ("1", "1", "")).await;
        server.restart().await;
        advance_to(&server, LATE, "136000").await;
        closed_for(&server, ("2", "1", "")).await;
        advance_to(&server, TOMORROW, "136000").await;
        let opened = open(&server, &bob, ("1", "1", "")).await;
        assert_eq!((&opened["status"], &opened["price"]), (&json!(1), &json!("136013.60")));
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

#[test]
fn an_option_that_its_pool_does_not_cover_is_not_sold_and_what_was_sold_is_paid() {
    both(|server| async move {
        let ann = member_with(&server, "ann@example.com", "micro").await;
        ann.verify(&server, "X0000001").await;
        let operators = two_operators(&server).await;
        // The profit of 100 USDT at 70 % lacks one atom.
        move_capital(&server, &operators, &capital("option_pool", "external", "9999930.000001")).await;
        pin(&server, "100000").await;
        let buy = async |lang: &str, stake: &str| {
            let form = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", stake)];
            ask(&server, &ann, lang, "/api/microtrade/submit", &form).await
        };
        let short = buy("", "100").await;
        assert_eq!((short.status, short.error().as_str(), &short.json()["data"]["free"]), (200, "E_POOL_SHORT", &json!("69.999999")));
        assert_eq!(short.json()["message"], "Not available for this amount now");
        assert_eq!(buy("zh", "100").await.json()["message"], "暂不支持此金额");
        assert_eq!(ann.get(&server, "/api/microtrade/lists").await["total"], 0, "a refusal changes nothing");
        move_capital(&server, &operators, &capital("external", "option_pool", "0.000001")).await;
        let bought = buy("", "100").await.ok();
        assert_eq!(pool(&server, "option_pool").await, ["170.500000", "170.500000", "0.000000"]);
        let none = buy("", "5").await;
        assert_eq!((none.error().as_str(), &none.json()["data"]["free"]), ("E_POOL_SHORT", &json!("0.000000")));
        // What a winner may get cannot be moved out.
        let out = post(&server, &operators.0, "treasury/move", &capital("option_pool", "external", "0.000001")).await;
        assert_eq!(out.error(), "E_FREE_SHORT");
        pin(&server, "100005.01").await;
        advance(&server, 60_001).await;
        let row = ann.get(&server, "/api/microtrade/lists?status=3").await["data"][0].clone();
        assert_eq!((&row["id"], &row["result"], &row["payout"]), (&bought["id"], &json!("won"), &json!("170.000000")));
        assert_eq!(pool(&server, "option_pool").await, ["0.000000", "0.000000", "0.000000"]);
        pin(&server, "100000").await;
        assert_eq!(buy("", "5").await.error(), "E_POOL_SHORT");
        // No new day is needed: the pool has money again, and sells.
        move_capital(&server, &operators, &capital("external", "option_pool", "3.5")).await;
        buy("", "5").await.ok();
    });
}

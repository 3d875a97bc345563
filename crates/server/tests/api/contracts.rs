//! Leveraged contracts over the wire: opened, protected, closed by their owner or by a sample, listed, refused, reported.

use engine::ids::MarketId;
use serde_json::{Value as Json, json};

use crate::harness::{Answer, Server, both, token};
use crate::operator::{operator, post};
use crate::people::Member;
use crate::socket::Client;

const DAY_MS: &str = "86400000";

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

async fn fund(server: &Server, who: &Member, amount: &str) {
    who.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", amount), ("account", "lever")]).await.ok();
}

/// A new unverified member with 1 000 USDT in the contract account, and a price.
async fn trader(server: &Server, email: &str) -> Member {
    server.far_from_midnight().await;
    let who = Member::new(server, email).await;
    fund(server, &who, "1000").await;
    pin(server, "100000").await;
    who
}

const LONG: [(&str, &str); 5] = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];

/// The plain long with these fields replaced or added.
fn with<'a>(changed: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = LONG.into_iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
    kept.chain(changed.iter().copied()).filter(|(_, value)| *value != "-").collect()
}

async fn submit(server: &Server, who: &Member, form: &[(&str, &str)]) -> Answer {
    server.patient(async || who.post(server, "/api/lever/submit", form).await).await
}

async fn open(server: &Server, who: &Member, changed: &[(&str, &str)]) -> Json {
    submit(server, who, &with(changed)).await.data()["position"].clone()
}

async fn ask(server: &Server, who: &Member, call: &str, id: &Json, more: &[(&str, &str)]) -> Answer {
    let id = id.to_string();
    let form: Vec<(&str, &str)> = [("id", id.as_str())].into_iter().chain(more.iter().copied()).collect();
    server.patient(async || who.post(server, &format!("/api/lever/{call}"), &form).await).await
}

async fn list(server: &Server, who: &Member, status: &str) -> Json {
    who.get(server, &format!("/api/lever/my_trade?status={status}")).await["message"]["data"].clone()
}

/// These fields of a contract as one text.
fn shown(position: &Json, fields: &[&str]) -> String {
    let text = |field: &&str| position[*field].as_str().map_or_else(|| position[*field].to_string(), str::to_owned);
    fields.iter().map(text).collect::<Vec<_>>().join(" ")
}

async fn lever(server: &Server, who: &Member) -> String {
    let row = who.post(server, "/api/wallet/detail", &[("currency", "3"), ("type", "lever")]).await.ok();
    shown(&row, &["balance", "lock_balance"])
}

/// The notices about contracts, newest first: title, text, and object.
async fn notices(server: &Server, who: &Member) -> Vec<(String, String, u64)> {
    let rows = who.get(server, "/api/notice/list?kind=contract&limit=50").await["data"].clone();
    let text = |row: &Json, field: &str| row[field].as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(|row| (text(row, "title"), text(row, "content"), row["object_id"].as_u64().unwrap())).collect()
}

const ENDED: [&str; 6] = ["status", "reason", "update_price", "fact_profits", "close_fee", "returned"];

#[test]
fn a_position_is_opened_protected_closed_and_listed() {
    both(|mut server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        let answer = submit(&server, &ann, &LONG).await;
        let position = answer.data()["position"].clone();
        assert_eq!(answer.ok(), "Position opened");
        // 4.10, example 1.
        let figures = ["price", "origin_price", "origin_caution_money", "caution_money", "trade_fee", "liquidation_price", "cap_price"];
        assert_eq!(shown(&position, &figures), "100010.00 100000.00 100.010000 100.010000 0.500050 90734.87 200020.00");
        assert_eq!(shown(&position, &["fee_rate", "spread", "profit_cap"]), "0.05 0.01 1000.100000");
        let figures = ["share", "number", "multiple", "status", "type_name", "status_name", "settled", "market_value", "profits"];
        assert_eq!(shown(&position, &figures), "10 0.01000000 10 1 Long Holding 0 1000.000000 -0.100000");
        assert_eq!(
            shown(&position, &["profits_rate", "hazard_rate", "target_price", "fact_profits", "expires_ms"]),
            "-0.09 1248.88 null null null"
        );
        assert_eq!(position["seq"].to_string(), answer.header("x-seq"));
        assert_eq!(lever(&server, &ann).await, "899.489950 100.010000");
        let told = client.event("position").await;
        assert_eq!((&told["data"]["id"], &told["rate_profits_total"]["profits_total"]), (&position["id"], &json!("-0.100000")));
        assert_eq!(client.event("balance").await["data"][0]["frozen"], "100.010000");
        let following = client.event("lever_trade").await;
        assert_eq!(shown(&following, &["profits_all", "caution_money_all", "trades_entrust"]), "-0.100000 100.010000 []");
        let current: Json = serde_json::from_str(following["trades_cur"].as_str().unwrap()).unwrap();
        assert_eq!((&current[0]["id"], &following["trades_all"]), (&position["id"], &following["trades_cur"]));
        let pools = server.get("/api/public/pools").await.ok();
        let pool = pools.as_array().unwrap().iter().find(|pool| pool["account"] == "contract_pool" && pool["currency_id"] == 3).unwrap();
        assert_eq!((&pool["reserve"], &pool["open_objects"]), (&json!("1000.100000"), &json!(1)));
        let wallets = ann.post(&server, "/api/wallet/list", &[]).await.ok();
        let group = &wallets["lever_wallet"];
        // The margin counts, and open profits are shown beside the total.
        assert_eq!((&group["totle"], &group["unrealised"]), (&json!("999.499950"), &json!("-0.100000")));
        assert_eq!((&wallets["total_usdt"], &wallets["change_wallet"]["unrealised"]), (&json!("999.499950"), &Json::Null));
        let history = ann.get(&server, "/api/wallet/value_history").await;
        assert_eq!(history["points"].as_array().unwrap().last().unwrap()["total_usdt"], "999.499950");

        let stops = [("target_profit_price", "110000"), ("stop_loss_price", "95000")];
        let set = ask(&server, &ann, "setstop", &position["id"], &stops).await.data()["position"].clone();
        assert_eq!(shown(&set, &["target_profit_price", "stop_loss_price", "status"]), "110000.00 95000.00 1");
        server.restart().await;
        pin(&server, "105000").await;
        let kept = list(&server, &ann, "1").await;
        assert_eq!(shown(&kept[0], &["stop_loss_price", "profits", "update_price"]), "95000.00 49.900000 105000.00");
        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        let closed = ask(&server, &ann, "close", &position["id"], &[]).await;
        // 4.10, example 4.
        assert_eq!(shown(&closed.data()["position"], &ENDED), "3 USER 104989.50 49.795000 0.524948 149.280052");
        assert_eq!(client.event("position").await["data"]["status"], 3);
        assert_eq!(client.event("lever_closed").await["id"], position["id"]);
        assert_eq!(lever(&server, &ann).await, "1048.770002 0.000000");
        for (status, count) in
            [("0", 0), ("1", 0), ("3", 1), ("4", 0), ("-1", 1), ("-1&currency_id=2", 0), ("3&currency_id=1&legal_id=3", 1)]
        {
            assert_eq!(list(&server, &ann, status).await.as_array().unwrap().len(), count, "{status}");
        }
        let row = list(&server, &ann, "3").await[0].clone();
        assert_eq!(
            (row["seq"].to_string(), shown(&row, &ENDED)),
            (closed.header("x-seq").to_owned(), shown(&closed.data()["position"], &ENDED))
        );
        assert_eq!(notices(&server, &ann).await, [], "what they did themselves is no news");
        let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", "3"), ("type", "3"), ("limit", "20")]).await.ok();
        let kinds: std::collections::BTreeSet<u64> =
            lines["list"].as_array().unwrap().iter().map(|line| line["type"].as_u64().unwrap()).collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [30, 31, 35, 210]);
        let deal = server.get("/api/lever/deal?currency_id=1&legal_id=3").await.ok();
        let trades: Vec<String> =
            deal["lever_transaction"].as_array().unwrap().iter().map(|row| shown(row, &["price", "number", "type"])).collect();
        assert_eq!(trades, ["104989.50 0.01000000 2", "100010.00 0.01000000 1"]);
    });
}

#[test]
fn the_terms_of_a_pair_are_shown_to_everybody_and_an_account_to_its_owner() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let path = "/api/lever/deal?currency_id=1&legal_id=3";
        let guest = server.get(path).await.ok();
        assert_eq!(
            shown(&guest, &["last_price", "buy_price", "sell_price", "user_lever", "all_levers", "ustd_price"]),
            "100000.00 100010.00 99990.00 0 0 1"
        );
        assert_eq!((&guest["my_transaction"], &guest["lever_share_limit"]), (&json!([]), &json!({"min": 1, "max": 100_000})));
        let config = server.get("/api/app/config").await.ok();
        assert_eq!((config["contracts"].as_array().unwrap().len(), &config["contracts"][0]), (2, &guest["rules"]));
        assert_eq!(
            guest["rules"]["tiers"][2],
            json!({"bound": "1000000.000000", "max_multiple": 10, "mmr": "2", "deduction": "2750.000000"})
        );
        let product = config["products"].as_array().unwrap().iter().find(|product| product["product"] == "contract").unwrap();
        assert_eq!(product["on"], 1);
        let pair = server.get("/api/currency/deal?currency_id=1&legal_id=3").await.ok();
        assert_eq!(
            shown(&pair, &["open_lever", "spread", "overnight", "lever_trade_fee", "lever_share_num", "lever_max_share"]),
            "1 10.00 0.03 0.05 0.00100000 100000"
        );
        open(&server, &ann, &[]).await;
        open(&server, &ann, &[("status", "0"), ("target_price", "90000")]).await;
        let mine = ann.get(&server, path).await;
        assert_eq!(shown(&mine, &["user_lever", "all_levers"]), "809.039950 1000.000000");
        assert_eq!(mine["my_transaction"].as_array().unwrap().len(), 1, "what waits is no position");
        for wrong in ["currency_id=1", "legal_id=3", "currency_id=3&legal_id=3", "currency_id=x&legal_id=3", "currency_id=2&legal_id=1"] {
            assert_eq!(server.get(&format!("/api/lever/deal?{wrong}")).await.error(), "E_MARKET", "{wrong}");
        }
    });
}

#[test]
fn an_opening_is_refused_in_the_order_of_the_contract() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com").await;
        ann.post(&server, "/api/user/limits", &[("leverage_max", "25")]).await.ok();
        let limit = |price| [("status", "0"), ("target_price", price)];
        for (changed, name) in [
            (&[("status", "2"), ("share", "x")][..], "E_FIELD"),
            (&[("legal_id", "-"), ("type", "3")], "E_MARKET"),
            (&[("currency_id", "4"), ("type", "3")], "E_MARKET"),
            (&[("currency_id", "2"), ("legal_id", "1"), ("type", "3")], "E_MARKET"),
            (&[("type", "3"), ("share", "0")], "E_SIDE"),
            (&[("type", "-"), ("share", "0")], "E_SIDE"),
            (&[("share", "-"), ("multiple", "x")], "E_LOTS"),
            (&[("share", "0"), ("multiple", "x")], "E_LOTS"),
            (&[("share", "1.5"), ("multiple", "x")], "E_LOTS"),
            (&[("share", "1e3"), ("multiple", "x")], "E_LOTS"),
            (&[("share", "-1"), ("multiple", "x")], "E_LOTS"),
            (&[("share", "+1"), ("multiple", "x")], "E_LOTS"),
            (&[("share", "100001"), ("multiple", "x")], "E_LOTS_MAX"),
            (&[("share", "9007199254740993"), ("multiple", "x")], "E_LOTS_MAX"),
            (&[("share", "99999999999999999999"), ("multiple", "x")], "E_LOTS_MAX"),
            (&[("multiple", "x")], "E_LEVERAGE"),
            (&[("multiple", "3"), ("target_profit_price", "x")], "E_LEVERAGE"),
            (&[("multiple", "0"), ("target_profit_price", "x")], "E_LEVERAGE"),
            (&[("multiple", "4294967297"), ("target_profit_price", "x")], "E_LEVERAGE"),
            (&[("multiple", "50"), ("target_profit_price", "x")], "E_SELF_LIMIT"),
            (&[("target_profit_price", "x")], "E_AMOUNT"),
            (&[("stop_loss_price", "-1")], "E_AMOUNT"),
            (&[("stop_loss_price", "1e5")], "E_AMOUNT"),
            (&[("stop_loss_price", "0.000000001")], "E_AMOUNT"),
            (&[("target_profit_price", "999999999999"), ("stop_loss_price", "0.001")], "E_AMOUNT"),
            (&[("status", "0")], "E_AMOUNT"),
            (&limit("0"), "E_AMOUNT"),
            (&limit("99000.001"), "E_TICK"),
            (&[("stop_loss_price", "95000.005")], "E_TICK"),
            (&[("share", "10000"), ("target_profit_price", "99999")], "E_TIER"),
            (&[("share", "600"), ("multiple", "25"), ("target_profit_price", "100000")], "E_TP"),
            (&[("share", "3000"), ("multiple", "25"), ("target_profit_price", "100000")], "E_LEVERAGE"),
            (&[("target_profit_price", "100000"), ("stop_loss_price", "100000")], "E_TP"),
            (&[("target_profit_price", "200020.01")], "E_TP"),
            (&[("stop_loss_price", "100000")], "E_SL"),
            (&[("stop_loss_price", "90734.87")], "E_SL"),
            (&[("type", "2"), ("target_profit_price", "100000"), ("stop_loss_price", "99000")], "E_TP"),
            (&[("type", "2"), ("stop_loss_price", "99999.99")], "E_SL"),
            (&[("share", "100"), ("target_profit_price", "0"), ("stop_loss_price", "")], "E_INSUFFICIENT"),
        ] {
            let refused = submit(&server, &ann, &with(changed)).await;
            assert_eq!((refused.status, refused.error().as_str()), (200, name), "{changed:?}");
        }
        let details = async |changed: &[(&str, &str)]| submit(&server, &ann, &with(changed)).await.json()["data"].clone();
        assert_eq!(shown(&details(&[("multiple", "3")]).await, &["max", "multiples"]), "50 [1,2,5,10,20,25,50]");
        assert_eq!(shown(&details(&[("share", "3000"), ("multiple", "25")]).await, &["max"]), "10");
        assert_eq!(shown(&details(&[("stop_loss_price", "1")]).await, &["low", "high"]), "90734.88 99999.99");
        assert_eq!(shown(&details(&[("stop_loss_price", "95000.005")]).await, &["tick"]), "0.01");
        assert_eq!(shown(&details(&[("multiple", "50")]).await, &["field", "value"]), "leverage_max 25");
        assert_eq!(shown(&details(&[("share", "100")]).await, &["available", "needed", "account"]), "1000.000000 1005.100500 lever");
        // A JSON number is not an amount, and a price that a market order does not use is not checked.
        let body = json!({"share": 10, "multiple": 10, "legal_id": 3, "currency_id": 1, "type": 1, "stop_loss_price": 95000}).to_string();
        let headers = [("authorization", ann.token.as_str()), ("content-type", "application/json")];
        let sent = server.patient(async || server.request("POST", "/api/lever/submit", &headers, body.clone()).await).await;
        assert_eq!(sent.error(), "E_AMOUNT");
        assert_eq!(list(&server, &ann, "-1").await, json!([]), "a refusal changes nothing");
        assert_eq!(lever(&server, &ann).await, "1000.000000 0.000000");

        // Without a price nothing can be opened, closed or protected; waiting orders can still be cancelled.
        let (position, waiting) = (open(&server, &ann, &[]).await, open(&server, &ann, &limit("90000")).await);
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        advance(&server, "5000").await;
        let stale = submit(&server, &ann, &with(&[("share", "10000"), ("target_profit_price", "99999")])).await;
        assert_eq!((stale.error().as_str(), &stale.json()["data"]["symbol"]), ("E_PRICE_STALE", &json!("BTC/USDT")));
        let stops = [("target_profit_price", "99999"), ("stop_loss_price", "0")];
        assert_eq!(ask(&server, &ann, "setstop", &position["id"], &stops).await.error(), "E_PRICE_STALE");
        assert_eq!(ask(&server, &ann, "close", &position["id"], &[]).await.error(), "E_PRICE_STALE");
        assert_eq!(ask(&server, &ann, "cancel", &waiting["id"], &[]).await.ok(), "Order cancelled");
    });
}

#[test]
fn what_may_be_done_to_a_contract_follows_its_state_and_its_owner() {
    both(|server| async move {
        let (ann, eve) = (trader(&server, "ann@example.com").await, Member::new(&server, "eve@example.com").await);
        let (long, waiting) = (
            open(&server, &ann, &[]).await["id"].clone(),
            open(&server, &ann, &[("status", "0"), ("target_price", "90000")]).await["id"].clone(),
        );
        let both_stops = |profit, loss| [("target_profit_price", profit), ("stop_loss_price", loss)];
        for (more, name) in [
            (&[][..], "E_FIELD"),
            (&[("target_profit_price", "110000")], "E_FIELD"),
            (&[("target_profit_price", "110000"), ("stop_loss_price", "")], "E_FIELD"),
            (&both_stops("1e5", "99000.001"), "E_AMOUNT"),
            (&both_stops("-1", "0"), "E_AMOUNT"),
            (&both_stops("99000", "99000.001"), "E_TICK"),
            (&both_stops("99000", "99000"), "E_TP"),
            (&both_stops("0", "100000"), "E_SL"),
            (&both_stops("0", "90734.87"), "E_SL"),
        ] {
            assert_eq!(ask(&server, &ann, "setstop", &long, more).await.error(), name, "{more:?}");
        }
        let short = open(&server, &ann, &[("type", "2")]).await["id"].clone();
        for (stops, name) in [
            (both_stops("100000", "100000"), "E_TP"),
            (both_stops("100000.01", "0"), "E_TP"),
            (both_stops("0", "100000"), "E_SL"),
            (both_stops("0", "99999.99"), "E_SL"),
        ] {
            assert_eq!(ask(&server, &ann, "setstop", &short, &stops).await.error(), name, "short {stops:?}");
        }
        ask(&server, &ann, "close", &short, &[]).await.data();
        // Another member's contract is answered like an unknown one, even if something else is wrong as well.
        for (who, id) in [(&eve, long.clone()), (&ann, json!(999_999)), (&ann, json!("x"))] {
            for stops in [both_stops("110000", "0"), both_stops("x", "0")] {
                assert_eq!(ask(&server, who, "setstop", &id, &stops).await.error(), "E_NOT_FOUND", "{id}");
            }
            for call in ["close", "cancel"] {
                assert_eq!(ask(&server, who, call, &id, &[]).await.error(), "E_NOT_FOUND", "{call} {id}");
            }
        }
        let state = async |call: &str, id: &Json, more: &[(&str, &str)]| {
            let refused = ask(&server, &ann, call, id, more).await;
            (refused.error(), refused.json()["data"]["state"].as_str().unwrap_or_default().to_owned())
        };
        let said = |state: &str| ("E_STATE".to_owned(), state.to_owned());
        assert_eq!(state("cancel", &long, &[]).await, said("holding"));
        assert_eq!(state("close", &waiting, &[]).await, said("waiting"));
        assert_eq!(state("setstop", &waiting, &both_stops("x", "0")).await, said("waiting"));
        let order = list(&server, &ann, "0").await[0].clone();
        let figures =
            ["price", "target_price", "origin_price", "origin_caution_money", "caution_money", "liquidation_price", "profits", "settled"];
        assert_eq!(shown(&order, &figures), "90000.00 90000.00 0.00 90.000000 90.450000 81653.22 0.000000 0");
        assert_eq!(order["expires_ms"].as_u64(), order["create_time_ms"].as_u64().map(|at| at + 2_592_000_000));
        ask(&server, &ann, "setstop", &long, &both_stops("110000", "95000")).await.data();
        let cleared = ask(&server, &ann, "setstop", &long, &both_stops("0", "0")).await.data()["position"].clone();
        assert_eq!(shown(&cleared, &["target_profit_price", "stop_loss_price"]), "0.00 0.00");
        ask(&server, &ann, "close", &long, &[]).await.data();
        let cancelled = ask(&server, &ann, "cancel", &waiting, &[]).await.data()["position"].clone();
        assert_eq!(shown(&cancelled, &["status", "reason", "returned", "fact_profits", "caution_money"]), "4 USER 90.450000 null 0.000000");
        for (id, ended) in [(&long, "closed"), (&waiting, "cancelled")] {
            assert_eq!(state("close", id, &[]).await, said(ended));
            assert_eq!(state("cancel", id, &[]).await, said(ended));
            assert_eq!(state("setstop", id, &both_stops("110000", "0")).await, said(ended));
            assert_eq!(state("setstop", id, &both_stops("x", "0")).await, said(ended));
        }
    });
}

#[test]
fn samples_liquidate_take_profit_stop_losses_and_fill_what_waits() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        open(&server, &ann, &[]).await;
        pin(&server, "90734.88").await;
        assert_eq!(list(&server, &ann, "3").await, json!([]));
        let danger = list(&server, &ann, "1").await[0]["hazard_rate"].as_str().unwrap().to_owned();
        assert!(danger.starts_with("100."), "{danger}");
        pin(&server, "90734.87").await;
        // 4.10, example 5.
        let told = async |client: &mut Client| loop {
            let event = client.event("position").await;
            if event["data"]["settled"] == 1 {
                return event["data"].clone();
            }
        };
        assert_eq!(shown(&told(&mut client).await, &ENDED), "3 LIQUIDATION 90734.87 -92.751300 2.722047 4.536653");
        pin(&server, "100000").await;
        open(&server, &ann, &[("target_profit_price", "110000"), ("stop_loss_price", "95000")]).await;
        pin(&server, "110001").await;
        assert_eq!(shown(&told(&mut client).await, &ENDED), "3 TP 109989.99 99.799900 0.549950 199.259950");
        pin(&server, "100000").await;
        open(&server, &ann, &[("type", "2"), ("stop_loss_price", "105000")]).await;
        pin(&server, "105000").await;
        assert_eq!(shown(&told(&mut client).await, &ENDED), "3 SL 105010.50 -50.205000 0.525053 49.259947");
        pin(&server, "100000").await;
        // Beyond what the margin covers: the owner gets nothing and owes nothing.
        open(&server, &ann, &[]).await;
        pin(&server, "89000").await;
        assert_eq!(shown(&told(&mut client).await, &ENDED), "3 LIQUIDATION 89000.00 -100.010000 0.000000 0.000000");
        pin(&server, "100000").await;
        open(&server, &ann, &[("multiple", "50"), ("share", "1")]).await;
        pin(&server, "120100").await;
        assert_eq!(shown(&told(&mut client).await, &ENDED[..4]), "3 PROFIT_CAP 120087.99 20.002000");
        pin(&server, "100000").await;
        let before = lever(&server, &ann).await;
        let order = open(&server, &ann, &[("status", "0"), ("target_price", "99000"), ("stop_loss_price", "95000")]).await;
        assert_eq!(shown(&order, &["status", "status_name", "caution_money", "stop_loss_price"]), "0 Waiting 99.495000 95000.00");
        pin(&server, "98900").await;
        let filled = list(&server, &ann, "1").await[0].clone();
        assert_eq!(
            shown(&filled, &["price", "target_price", "origin_price", "caution_money", "stop_loss_price"]),
            "98909.89 99000.00 98900.00 98.909890 95000.00"
        );
        assert_eq!((&filled["id"], filled["transaction_time_ms"].is_u64()), (&order["id"], true));
        let closed = ask(&server, &ann, "close", &order["id"], &[]).await.data();
        assert!(closed["position"]["returned"].is_string() && before != lever(&server, &ann).await);
        let reasons: Vec<Json> = list(&server, &ann, "3").await.as_array().unwrap().iter().map(|row| row["reason"].clone()).collect();
        assert_eq!(reasons, ["USER", "PROFIT_CAP", "LIQUIDATION", "SL", "TP", "LIQUIDATION"]);
        let told = notices(&server, &ann).await;
        let titles: Vec<&str> = told.iter().map(|(title, ..)| title.strip_suffix(": BTC/USDT").unwrap()).collect();
        let (gone, taken, stopped) = ("Position liquidated", "Take-profit reached", "Stop-loss reached");
        assert_eq!(titles, ["Order filled", "Profit cap reached", gone, stopped, taken, gone]);
        let (_, text, about) = &told[0];
        assert_eq!(text, "Your BTC/USDT order opened a position at 98,909.89. Its margin is 98.90989 USDT.");
        assert_eq!(json!(about), order["id"]);
        let text = "Your BTC/USDT position closed at 109,989.99 at its take-profit. 199.25995 USDT came back to your contracts account.";
        assert_eq!(told[4].1, text);
        let used = ann.get(&server, "/api/user/limits").await["used"]["loss_day"].clone();
        assert_ne!(used, "0.000000");
    });
}

#[test]
fn nights_are_paid_for_and_orders_expire_or_are_refused() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let position = open(&server, &ann, &[]).await;
        let waiting = open(&server, &ann, &[("status", "0"), ("target_price", "90000")]).await;
        advance(&server, DAY_MS).await;
        // 4.10, example 7.
        let kept = list(&server, &ann, "1").await[0].clone();
        assert_eq!(
            shown(&kept, &["overnight_money", "caution_money", "origin_caution_money", "liquidation_price"]),
            "0.300000 99.710000 100.010000 90765.12"
        );
        let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", "3"), ("type", "3"), ("kind", "34")]).await.ok();
        assert_eq!(
            (&lines["count"], &lines["list"][0]["value"], &lines["list"][0]["object_id"]),
            (&json!(1), &json!("-0.300000"), &position["id"])
        );
        // The pool is emptied except for what is bound, so an order that reaches its limit cannot be opened.
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let pools = server.get("/api/public/pools").await.ok();
        let free =
            pools.as_array().unwrap().iter().find(|pool| pool["account"] == "contract_pool" && pool["currency_id"] == 3).unwrap()["free"]
                .clone();
        let form = [
            ("from", "contract_pool"),
            ("to", "external"),
            ("currency_id", "3"),
            ("amount", free.as_str().unwrap()),
            ("reason", "no more"),
        ];
        let moved = post(&server, &one, "treasury/move", &form).await.ok();
        let (id, hash) = (moved["id"].to_string(), moved["hash"].as_str().unwrap().to_owned());
        post(&server, &two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok();
        assert_eq!(submit(&server, &ann, &LONG).await.error(), "E_POOL_SHORT");
        let refused = open(&server, &ann, &[("status", "0"), ("target_price", "99000")]).await;
        pin(&server, "98900").await;
        let row = list(&server, &ann, "4").await[0].clone();
        assert_eq!(
            (&row["id"], shown(&row, &["reason", "returned", "settled", "hazard_rate"])),
            (&refused["id"], "REFUSED 99.495000 1 1250".to_owned())
        );
        pin(&server, "100000").await;
        ask(&server, &ann, "close", &position["id"], &[]).await.data();
        advance(&server, "2592000001").await;
        let row =
            list(&server, &ann, "4&limit=50").await.as_array().unwrap().iter().find(|row| row["id"] == waiting["id"]).unwrap().clone();
        assert_eq!(shown(&row, &["reason", "returned", "complete_time_ms"]), format!("EXPIRED 90.450000 {}", waiting["expires_ms"]));
        let told = notices(&server, &ann).await;
        let expired = "Your BTC/USDT contract order did not fill within 30 days. 90.45 USDT is free again.";
        let could_not = "The price reached your BTC/USDT contract order, but the position could not be opened. 99.495 USDT is free again.";
        let texts: Vec<(&str, Json)> = told.iter().map(|(_, text, about)| (text.as_str(), json!(about))).collect();
        assert_eq!(texts, [(expired, waiting["id"].clone()), (could_not, refused["id"].clone())]);
    });
}

#[test]
fn a_pause_a_country_a_freeze_and_own_limits_close_opening_but_not_closing() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let position = open(&server, &ann, &[]).await;
        let second = open(&server, &ann, &[]).await;
        let tom = operator(&server, "tom", &["market"]).await;
        let pause = |on| [("product", "contract"), ("on", on), ("reason", "the rules are being read")];
        post(&server, &tom, "catalog/pause", &pause("1")).await.ok();
        let refused = submit(&server, &ann, &[]).await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["product"]), ("E_DISABLED", &json!("contract")));
        assert_eq!(server.get("/api/currency/deal?currency_id=1&legal_id=3").await.ok()["open_lever"], 0);
        ask(&server, &ann, "close", &second["id"], &[]).await.data();
        post(&server, &tom, "catalog/pause", &pause("0")).await.ok();
        assert_eq!(submit(&server, &ann, &[]).await.error(), "E_MARKET");

        ann.verify(&server, "AB123456").await;
        let agree = async |rule: &str| {
            let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
            let table = json!({"country": "DE", "spot": "on", "deposit_coin": "on", "deposit_bank": "on", "withdraw_coin": "on",
                "withdraw_bank": "on", "option": "on", "contract": rule, "plan": "on", "subscription": "on", "loan": "on", "flash": "on"});
            let mut form = vec![("kind", "country"), ("reason", "agreed")];
            let (table, id) = (table.to_string(), server::countries::number("DE").unwrap().to_string());
            form.push(("values", &table));
            let rows = server.get_as(token(&one), "/operator/api/catalog?kind=country").await.ok();
            if rows.as_array().is_some_and(|rows| !rows.is_empty()) {
                form.push(("id", &id));
            }
            let proposed = post(&server, &one, "catalog/propose", &form).await.ok();
            let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
            post(&server, &two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok();
        };
        agree("off").await;
        let refused = submit(&server, &ann, &[("share", "x")]).await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["product"]), ("E_COUNTRY", &json!("contract")));
        agree("advanced").await;
        let refused = submit(&server, &ann, &LONG).await.json();
        assert_eq!((&refused["type"], &refused["data"]["error"]), (&json!("998"), &json!("E_KYC_ADVANCED")));
        agree("on").await;
        pin(&server, "100000").await;
        ann.post(&server, "/api/user/limits", &[("loss_day", "150")]).await.ok();
        let refused = submit(&server, &ann, &LONG).await;
        // The possible loss of the open one counts, and so does the loss of the closed one.
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["field"]), ("E_SELF_LIMIT", &json!("loss_day")));
        let told = ann.get(&server, "/api/user/limits").await["used"]["loss_day"].clone();
        assert_eq!(told, refused.json()["data"]["used"], "what the refusal counts is what the limits show");
        assert!(told.as_str().unwrap() > "100.510050", "the open one alone may lose that: {told}");
        open(&server, &ann, &[("share", "1")]).await;
        ann.post(&server, "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        let again = server.login(&ann.email, "secret1").await.ok();
        let ann = Member { token: again.as_str().unwrap().to_owned(), ..ann };
        assert_eq!(submit(&server, &ann, &[]).await.error(), "E_ACCOUNT_FROZEN");
        ask(&server, &ann, "close", &position["id"], &[]).await.data();
    });
}

#[test]
fn terms_that_two_operators_change_are_those_of_later_contracts() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let first = open(&server, &ann, &[]).await;
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let rows = server.get_as(token(&one), "/operator/api/catalog?kind=contract").await.ok();
        let mut values = rows.as_array().unwrap().iter().find(|row| row["id"] == 1).unwrap()["values"].clone();
        let propose = async |values: &Json| {
            let text = values.to_string();
            post(&server, &one, "catalog/propose", &[("kind", "contract"), ("id", "1"), ("values", &text), ("reason", "better terms")])
                .await
        };
        let mut wrong = values.clone();
        wrong["tiers"][0]["mmr"] = json!("5");
        assert_eq!(propose(&wrong).await.error(), "E_CATALOG");
        values["fee"] = json!("0.1");
        values["multiples"] = json!([1, 10]);
        let proposed = propose(&values).await.ok();
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        assert_eq!(post(&server, &one, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.error(), "E_SAME_OPERATOR");
        assert_eq!(post(&server, &two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok()["state"], "done");
        pin(&server, "100000").await;
        let deal = server.get("/api/lever/deal?currency_id=1&legal_id=3").await.ok();
        assert_eq!((&deal["rules"]["fee"], &deal["rules"]["multiples"]), (&json!("0.1"), &json!([1, 10])));
        assert_eq!(submit(&server, &ann, &with(&[("multiple", "5")])).await.error(), "E_LEVERAGE");
        let second = open(&server, &ann, &[]).await;
        assert_eq!((&first["trade_fee"], &second["trade_fee"]), (&json!("0.500050"), &json!("1.000100")));
        let fee = async |id: &Json| ask(&server, &ann, "close", id, &[]).await.data()["position"]["close_fee"].clone();
        assert_eq!((fee(&first["id"]).await, fee(&second["id"]).await), (json!("0.499950"), json!("0.999900")));
    });
}

#[test]
fn a_database_of_an_earlier_release_comes_to_know_by_which_entries_stops_were_set() {
    both(|mut server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let long = open(&server, &ann, &[]).await;
        let mut set = Vec::new();
        for (profit, stop) in [("110000", "95000"), ("110000", "1"), ("0", "96000")] {
            pin(&server, "100000").await;
            let stops = [("target_profit_price", profit), ("stop_loss_price", stop)];
            let answer = ask(&server, &ann, "setstop", &long["id"], &stops).await;
            set.extend((answer.error() == "").then(|| answer.header("x-seq").parse::<u64>().unwrap()));
        }
        let path = format!("/api/lever/receipt?id={}", long["id"]);
        let shown = async |server: &Server| ann.get(server, &path).await["stop_seqs"].clone();
        assert_eq!((shown(&server).await, set.len()), (json!(set), 2));
        server.running.stop().await;
        let db = server.running.app.db.clone();
        for table in ["contract_stops", "costs", "costs_aside", "cost_prices", "house_days", "flows", "fee_days"] {
            db.exec(store::sql!(format!("delete from {table}"))).await.unwrap();
        }
        db.exec(store::sql!("update history set costs_seq = 0")).await.unwrap();
        drop(db);
        server.restart().await;
        assert_eq!(shown(&server).await, json!(set));
        // A sample of a week ago is forgotten, except the one that was used to set stops.
        let db = &server.running.app.db;
        let pair = db.query(store::sql!("select market from contract_stops")).await.unwrap().rows[0].id(0).unwrap();
        let pair = MarketId(u32::try_from(pair).unwrap());
        assert_eq!(store::prices::prune_samples(db, pair, 0..u64::MAX >> 1).await, Ok(None));
        assert_eq!(shown(&server).await, json!(set));
        // Without it the receipt does not show what set the stops.
        db.exec(store::sql!("delete from index_samples")).await.unwrap();
        assert_eq!(shown(&server).await, Json::Null);
    });
}

#[test]
fn what_is_stored_of_contracts_is_what_the_log_gives() {
    both(|mut server| async move {
        let ann = trader(&server, "ann@example.com").await;
        let long = open(&server, &ann, &[]).await;
        open(&server, &ann, &[("type", "2")]).await;
        let waiting = open(&server, &ann, &[("status", "0"), ("target_price", "90000")]).await;
        ask(&server, &ann, "close", &long["id"], &[]).await.data();
        ask(&server, &ann, "cancel", &waiting["id"], &[]).await.data();
        list(&server, &ann, "-1").await;
        server.running.stop().await;
        server.verify().await.unwrap();
        server.restart().await;
        let db = &server.running.app.db;
        assert_eq!(db.query(store::sql!("select position from contract_trades")).await.unwrap().rows.len(), 3);
        db.exec(store::sql!("update contract_trades set price = price + 1 where closing = 1")).await.unwrap();
        server.running.stop().await;
        assert!(server.verify().await.is_err(), "a changed row is found out");
    });
}

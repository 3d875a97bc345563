//! Short-term options over the wire: bought, settled by the clock of the sandbox, listed, refused, reported.

use serde_json::{Value as Json, json};

use crate::harness::{Server, both, token};
use crate::operator::{operator, post};
use crate::people::Member;
use crate::receipts::covered;
use crate::socket::Client;

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

/// A verified member with 1 000 USDT in the option account, and a price.
async fn buyer(server: &Server) -> Member {
    let ann = Member::new(server, "ann@example.com").await;
    ann.verify(server, "X0000001").await;
    let form = [("asset", "USDT"), ("amount", "1000"), ("account", "micro")];
    ann.post(server, "/sandbox/faucet", &form).await.ok();
    pin(server, "100000").await;
    ann
}

const UP: [(&str, &str); 5] = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "100")];

fn but(field: &'static str, value: &'static str) -> Vec<(&'static str, &'static str)> {
    UP.map(|(name, old)| (name, if name == field { value } else { old })).to_vec()
}

#[test]
fn an_option_is_bought_shown_settled_and_listed() {
    both(|server| async move {
        let ann = buyer(&server).await;
        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        let bought = ann.post(&server, "/api/microtrade/submit", &UP).await.ok();
        let shown = ["number", "fee", "profit", "profit_ratio", "tolerance", "tie_rule", "open_price", "result", "type_name"];
        let shown = shown.map(|field| bought[field].as_str().unwrap().to_owned());
        assert_eq!(shown, ["100.000000", "0.500000", "70.000000", "70", "0.005", "refund", "100000.00", "open", "Up"]);
        assert_eq!(
            (&bought["status"], &bought["outcome"], &bought["even"], &bought["refund"]),
            (&json!(1), &Json::Null, &json!(0), &json!(false))
        );
        assert_eq!(bought["delivery_time_ms"].as_u64(), bought["created_at_ms"].as_u64().map(|at| at + 60_000));
        assert_eq!(client.event("balance").await["data"][0]["avail"], "899.500000");
        // What it may lose counts against the own limit until it has ended.
        assert_eq!(ann.get(&server, "/api/user/limits").await["used"], json!({"option_stake_day": "100.000000", "loss_day": "100.500000"}));
        let open = ann.get(&server, "/api/microtrade/lists?status=1").await;
        assert_eq!(
            (&open["total"], &open["data"][0]["id"], &open["data"][0]["end_price"]),
            (&json!(1), &bought["id"], &json!("100000.00"))
        );
        let pools = server.get("/api/public/pools").await.ok();
        let pool = pools.as_array().unwrap().iter().find(|pool| pool["account"] == "option_pool" && pool["currency_id"] == 3).unwrap();
        assert_eq!((&pool["reserve"], &pool["open_objects"]), (&json!("170.500000"), &json!(1)));

        // The pinned price is delivered at the very instant.
        pin(&server, "100005.01").await;
        advance(&server, "60001").await;
        let told = client.event("option_settled").await;
        assert_eq!(client.event("closed_microorder").await["data"], told["data"]);
        let closed = ann.get(&server, "/api/microtrade/lists?status=3&match_id=1&currency_id=3").await;
        let row = &closed["data"][0];
        assert_eq!((&closed["total"], &told["data"]["id"], &told["data"]["payout"]), (&json!(1), &row["id"], &row["payout"]));
        let ended = ["result", "end_price", "payout", "fact_profits"].map(|field| row[field].as_str().unwrap());
        assert_eq!(ended, ["won", "100005.01", "170.000000", "69.500000"]);
        assert_eq!((&row["outcome"], &row["profit_result"], &row["status"]), (&json!(1), &json!(1), &json!(3)));
        assert_eq!(row["end_time_ms"], row["delivery_time_ms"], "a sample at the very instant");
        check_receipt(&server, &ann, row).await;
        let told = ann.get(&server, "/api/notice/list?kind=option").await["data"].clone();
        assert_eq!((&told[0]["title"], &told[0]["object_id"], &told[1]), (&json!("Option won: BTC/USDT"), &row["id"], &Json::Null));
        assert_eq!(told[0]["content"], "Your BTC/USDT option was right. 170 USDT was paid to your options account.");
        let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", "3"), ("type", "4")]).await.ok();
        let kinds: Vec<&Json> = lines["list"].as_array().unwrap().iter().map(|line| &line["type"]).collect();
        assert_eq!(kinds, [&json!(502), &json!(501), &json!(210)]);
        assert_eq!(ann.get(&server, "/api/user/limits").await["used"], json!({"option_stake_day": "100.000000", "loss_day": "0.000000"}));
    });
}

/// The receipt contains everything that the outcome follows from, and the purchase contains the hash of its rule.
async fn check_receipt(server: &Server, ann: &Member, row: &Json) {
    let receipt = ann.get(server, &format!("/api/microtrade/receipt?id={}", row["id"])).await;
    assert_eq!(
        (&receipt["order"]["result"], &receipt["tolerance_price"], &receipt["difference"]),
        (&json!("won"), &json!("5"), &json!("5.01"))
    );
    let prices = [&receipt["open_sample"]["price"], &receipt["delivery_sample"]["price"]];
    assert_eq!(prices, [&json!("100000.00"), &json!("100005.01")]);
    assert_eq!(receipt["open_sample"]["sources"][0]["name"], "sandbox");
    assert!(receipt["next_sample"]["time_ms"].as_u64() > row["delivery_time_ms"].as_u64());
    let (text, hash) = (receipt["rule"]["text"].as_str().unwrap(), receipt["rule"]["hash"].as_str().unwrap());
    let digest = <sha2::Sha256 as sha2::Digest>::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(digest, hash);
    let bought = server.get(&format!("/api/proof/entries?from={}&limit=1", receipt["buy_seq"])).await.ok()[0].clone();
    assert_eq!((&bought["kind"], &bought["public"]["rule"]), (&json!("buy_option"), &receipt["rule"]["hash"]));
    let hashes = receipt["entry_hashes"].as_array().unwrap();
    assert!(hashes.contains(&json!({"seq": receipt["buy_seq"], "hash": bought["hash"]})) && hashes.len() == 4, "{hashes:?}");
    assert_eq!(receipt["postings"][2], json!({"account": "option_pool", "currency_id": 3, "value": "-170.500000"}));
    let other = Member::new(server, "eve@example.com").await;
    let asked = server.get_as(token(&other.token), &format!("/api/microtrade/receipt?id={}", row["id"])).await;
    assert_eq!(asked.error(), "E_NOT_FOUND");
}

/// A member who passes a receipt on reveals its own content and nothing else that they sealed.
#[test]
fn a_receipt_shows_what_its_owner_sealed_in_its_own_entry_alone() {
    both(|server| async move {
        let ann = buyer(&server).await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "lever")]).await.ok();
        // Between the sample and the purchase the member did something else.
        pin(&server, "100000").await;
        let moved = [("currency_id", "3"), ("number", "5"), ("from_field", "micro"), ("to_field", "lever")];
        let moved = ann.post(&server, "/api/wallet/change", &moved).await.header("x-seq").parse::<u64>().unwrap();
        let bought = ann.post(&server, "/api/microtrade/submit", &UP).await.ok();
        let long = [("share", "1"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
        let opened = ann.post(&server, "/api/lever/submit", &long).await.data()["position"].clone();
        advance(&server, "60001").await;
        for (call, id) in [("microtrade", &bought["id"]), ("lever", &opened["id"])] {
            let receipt = covered(&server, &ann, call, &id.to_string()).await;
            let runs = receipt["proof"]["runs"].as_array().unwrap().iter();
            let entries: Vec<&Json> = runs.flat_map(|run| run["entries"].as_array().unwrap()).collect();
            assert!(entries.iter().any(|entry| entry["seq"] == moved), "{call}: a sample came in between");
            let shown: Vec<&Json> = entries.iter().filter(|entry| entry.get("own").is_some()).map(|entry| &entry["seq"]).collect();
            assert_eq!(shown, [id], "{call}");
        }
    });
}

#[test]
fn ended_options_are_listed_by_their_end_and_all_by_their_purchase() {
    both(|server| async move {
        let ann = buyer(&server).await;
        let mut ids = Vec::new();
        for seconds in ["120", "60", "60"] {
            ids.push(ann.post(&server, "/api/microtrade/submit", &but("seconds", seconds)).await.ok()["id"].clone());
        }
        // The sandbox does what falls due in one step with one entry.
        advance(&server, "60001").await;
        advance(&server, "120000").await;
        let listed = async |query: &str| {
            let list = ann.get(&server, &format!("/api/microtrade/lists?{query}")).await;
            (list["total"].clone(), list["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect::<Vec<_>>())
        };
        let of = |order: &[usize]| (json!(3), order.iter().map(|at| ids[*at].clone()).collect::<Vec<_>>());
        assert_eq!(listed("status=3").await, of(&[0, 2, 1]));
        assert_eq!(listed("status=3&limit=1").await, of(&[0]));
        assert_eq!(listed("status=3&limit=1&page=2").await, of(&[2]));
        assert_eq!(listed("limit=10").await, of(&[2, 1, 0]));
    });
}

#[test]
fn down_even_and_a_gap_end_as_the_rules_say_also_after_a_restart() {
    both(|mut server| async move {
        let ann = buyer(&server).await;
        for kind in ["1", "2", "0"] {
            let form = [("match_id", "1"), ("currency_id", "3"), ("type", kind), ("seconds", "60"), ("number", "50")];
            ann.post(&server, "/api/microtrade/submit", &form).await.ok();
        }
        server.restart().await;
        advance(&server, "60001").await;
        let results = async |status: &str| {
            let list = ann.get(&server, &format!("/api/microtrade/lists?status={status}&limit=10")).await;
            let rows = list["data"].as_array().unwrap().iter();
            rows.map(|row| format!("{} {} {}", row["type"], row["result"].as_str().unwrap(), row["fact_profits"])).collect::<Vec<_>>()
        };
        assert_eq!(results("3").await, ["0 won \"449.750000\"", "2 push \"-0.250000\"", "1 push \"-0.250000\""]);
        pin(&server, "100000").await;
        ann.post(&server, "/api/microtrade/submit", &UP).await.ok();
        pin(&server, "99000").await;
        advance(&server, "60001").await;
        let lost = ann.get(&server, "/api/microtrade/lists").await["data"][0]["fact_profits"].clone();
        assert_eq!(lost, "-100.500000");
        pin(&server, "100000").await;
        ann.post(&server, "/api/microtrade/submit", &but("type", "2")).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        advance(&server, "60001").await;
        let newest = ann.get(&server, "/api/microtrade/lists").await["data"][0].clone();
        assert_eq!((&newest["refund"], &newest["payout"], &newest["end_price"]), (&json!(true), &json!("100.500000"), &Json::Null));
        let desk = operator(&server, "one", &["market"]).await;
        let refunds = async || server.get_as(token(&desk), "/operator/api/settlement").await.ok()["refunds_24h"].clone();
        assert_eq!(refunds().await, 1);
        let told = ann.get(&server, "/api/notice/list?kind=option").await["data"].clone();
        let texts: Vec<&str> = told.as_array().unwrap().iter().map(|row| row["content"].as_str().unwrap()).collect();
        let even = "The price of BTC/USDT ended inside the even band. Your stake of 50 USDT came back, the fee was kept.";
        let none = "There was no valid price for your BTC/USDT option when it ended. Stake and fee, 100.5 USDT, came back.";
        let won = "Your BTC/USDT option was right. 500 USDT was paid to your options account.";
        let lost = "Your BTC/USDT option was not right. Stake and fee, 100.5 USDT, are lost.";
        assert_eq!(texts, [none, lost, won, even, even]);
        advance(&server, "86400000").await;
        assert_eq!(refunds().await, 0, "a day later it counts no more");
    });
}

#[test]
fn a_purchase_is_refused_in_the_order_of_the_contract() {
    both(|server| async move {
        let (ann, new) = (buyer(&server).await, Member::new(&server, "bob@example.com").await);
        for (form, name) in [
            (vec![], "E_MARKET"),
            (vec![("match_id", "99")], "E_MARKET"),
            // Neither two coins that move together nor two that both have contracts (3.1).
            (but("match_id", "3"), "E_MARKET"),
            (but("match_id", "6"), "E_MARKET"),
            (vec![("match_id", "1")], "E_ASSET"),
            (but("currency_id", "77"), "E_ASSET"),
            (but("type", "3"), "E_TYPE"),
            (vec![("match_id", "1"), ("currency_id", "3"), ("type", "3"), ("seconds", "61"), ("number", "x")], "E_TYPE"),
            (but("seconds", "61"), "E_DURATION"),
            (vec![("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "61"), ("number", "x")], "E_DURATION"),
            (but("number", "x"), "E_AMOUNT"),
            (but("number", "0"), "E_AMOUNT"),
            (but("number", "-5"), "E_AMOUNT"),
            (but("number", "+5"), "E_AMOUNT"),
            (but("number", "1e3"), "E_AMOUNT"),
            (but("number", "1,000.5"), "E_AMOUNT"),
            (but("number", "99999999999999999999"), "E_AMOUNT"),
            (but("number", "5.0000001"), "E_AMOUNT"),
            (but("number", "4.999999"), "E_STAKE_MIN"),
            (but("number", "1000.000001"), "E_STAKE_MAX"),
            (but("number", "1000"), "E_INSUFFICIENT"),
            (but("match_id", "2"), ""),
        ] {
            assert_eq!(ann.post(&server, "/api/microtrade/submit", &form).await.error(), name, "{form:?}");
        }
        let config = server.get("/api/app/config").await.ok();
        let sold = config["markets"].as_array().unwrap().iter().filter(|market| market["options"] == 1).map(|market| &market["symbol"]);
        assert_eq!(sold.collect::<Vec<_>>(), ["BTC/USDT", "ETH/USDT", "BTC/USDC", "ETH/USDC"]);
        // A price that is too old sells nothing.
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        advance(&server, "3001").await;
        assert_eq!(ann.post(&server, "/api/microtrade/submit", &but("number", "10")).await.error(), "E_PRICE_STALE");
        pin(&server, "100000").await;
        let unknown = new.post(&server, "/api/microtrade/submit", &but("number", "1")).await;
        assert_eq!((unknown.error().as_str(), &unknown.json()["type"]), ("E_KYC_BASIC", &json!("998")));
        ann.post(&server, "/api/user/limits", &[("option_stake_day", "150")]).await.ok();
        let limited = ann.post(&server, "/api/microtrade/submit", &UP).await;
        assert_eq!(
            (limited.error().as_str(), &limited.json()["data"]["field"], &limited.json()["data"]["used"]),
            ("E_SELF_LIMIT", &json!("option_stake_day"), &json!("100.000000"))
        );
        // A pause comes before any other refusal.
        let tom = operator(&server, "tom", &["market"]).await;
        let pause = |on| [("product", "option"), ("on", on), ("reason", "the rules are being read")];
        post(&server, &tom, "catalog/pause", &pause("1")).await.ok();
        assert_eq!(ann.post(&server, "/api/microtrade/submit", &[]).await.error(), "E_DISABLED");
        post(&server, &tom, "catalog/pause", &pause("0")).await.ok();
        assert_eq!(ann.post(&server, "/api/microtrade/submit", &[]).await.error(), "E_MARKET");
    });
}

#[test]
fn the_refusal_of_a_stake_names_how_much_may_be_open_together() {
    both(|server| async move {
        let ann = buyer(&server).await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10000"), ("account", "micro")]).await.ok();
        let bet = async |number: &'static str| {
            let form = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "3600"), ("number", number)];
            ann.post(&server, "/api/microtrade/submit", &form).await
        };
        bet("4995.000001").await.ok();
        let refused = bet("5").await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["max"]), ("E_OPEN_LIMIT", &json!("5000.000000")));
    });
}

#[test]
fn a_purchase_is_made_once_however_often_it_is_sent() {
    both(|mut server| async move {
        let ann = buyer(&server).await;
        let body = "match_id=1&currency_id=3&type=1&seconds=60&number=100";
        let send = async |server: &Server| {
            let headers =
                [("authorization", ann.token.as_str()), ("idempotency-key", "one"), ("content-type", "application/x-www-form-urlencoded")];
            server.request("POST", "/api/microtrade/submit", &headers, body).await
        };
        let first = send(&server).await.ok();
        server.restart().await;
        pin(&server, "90000").await;
        let again = send(&server).await.ok();
        assert_eq!((&again["id"], &again["open_price"], &again["seq"]), (&first["id"], &first["open_price"], &first["seq"]));
        assert_eq!(ann.get(&server, "/api/microtrade/lists").await["total"], 1);
    });
}

#[test]
fn terms_are_shown_and_changed_by_two_operators_for_options_bought_later() {
    both(|server| async move {
        let ann = buyer(&server).await;
        let lengths = server.get("/api/microtrade/seconds").await.ok();
        let lengths: Vec<u64> = lengths.as_array().unwrap().iter().map(|length| length["seconds"].as_u64().unwrap()).collect();
        assert_eq!(lengths, [60, 120, 300, 600, 1_800, 3_600]);
        let coins = ann.get(&server, "/api/microtrade/payable_currencies").await;
        let usdt = coins.as_array().unwrap().iter().find(|coin| coin["id"] == 3).unwrap();
        assert_eq!(
            (&usdt["micro_min"], &usdt["micro_max"], &usdt["micro_trade_fee"]),
            (&json!("5.000000"), &json!("5000.000000"), &json!("0.5"))
        );
        assert_eq!(usdt["user_wallet"]["micro_balance"], "1000.000000");
        assert_eq!(server.get("/api/microtrade/payable_currencies").await.ok()[0]["user_wallet"]["micro_balance"], "0");

        let shown = async || server.get("/api/microtrade/seconds?match_id=1").await.ok()[0]["rule"].as_str().unwrap().to_owned();
        let before = shown().await;
        let with_rule = |rule: &str, number: &str| {
            let fields = ["1", "3", "1", "60", number, rule].map(str::to_owned);
            ["match_id", "currency_id", "type", "seconds", "number", "rule"].into_iter().zip(fields).collect::<Vec<_>>()
        };
        let buy = async |rule: &str, number: &str| {
            let form = with_rule(rule, number);
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
            ann.post(&server, "/api/microtrade/submit", &form).await.error()
        };
        assert_eq!(buy(&before, "100").await, "");
        let bought = ann.get(&server, "/api/microtrade/lists").await["data"][0].clone();
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let rows = server.get_as(token(&one), "/operator/api/catalog?kind=option_duration").await.ok();
        let mut values = rows.as_array().unwrap().iter().find(|row| row["id"] == 60).unwrap()["values"].clone();
        for (field, value, fault) in [("tie_rule", json!("keep"), "tie_rule"), ("profit_ratio", json!("10001"), "profit_ratio")] {
            let mut wrong = values.clone();
            wrong[field] = value;
            let form = [("kind", "option_duration"), ("id", "60"), ("values", &*wrong.to_string()), ("reason", "a better price")];
            let refused = post(&server, &one, "catalog/propose", &form).await;
            assert_eq!((refused.error().as_str(), &refused.json()["data"]["field"]), ("E_CATALOG", &json!(fault)));
        }
        values["profit_ratio"] = json!("80");
        let form = [("kind", "option_duration"), ("id", "60"), ("values", &*values.to_string()), ("reason", "a better price")];
        let proposed = post(&server, &one, "catalog/propose", &form).await.ok();
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
        assert_eq!(post(&server, &two, "proposal/confirm", &[("id", &id), ("hash", hash)]).await.ok()["state"], "done");
        assert_eq!(server.get("/api/microtrade/seconds").await.ok()[0]["profit_ratio"], "80");
        pin(&server, "100000").await;
        // A member who was shown the earlier terms buys nothing under the present ones, whatever the stake.
        for stake in ["100", "x", "1"] {
            assert_eq!(buy(&before, stake).await, "E_TERMS", "{stake}");
        }
        assert_eq!(buy("none", "100").await, "E_TERMS");
        assert_eq!((buy(&shown().await, "x").await, buy(&shown().await, "1").await), ("E_AMOUNT".into(), "E_STAKE_MIN".into()));
        let later = ann.post(&server, "/api/microtrade/submit", &UP).await.ok();
        let open = ann.get(&server, "/api/microtrade/lists?status=1").await["data"].clone();
        assert_eq!((&open[0]["profit_ratio"], &open[1]["profit_ratio"]), (&json!("80"), &json!("70")), "{bought} {later}");
    });
}

//! Conversions over the wire: quoted, accepted once, done in one step, listed, refused, reported.

use serde_json::{Value as Json, json};

use crate::harness::{Server, both, token};
use crate::operator::{operator, post};
use crate::people::Member;
use crate::socket::Client;

async fn pin(server: &Server, symbol: &str, price: &str) {
    server.post("/sandbox/price", &[("symbol", symbol), ("price", price)]).await.ok();
}

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

/// A member with 10 000 USDT, and a price.
async fn seller(server: &Server) -> Member {
    let ann = Member::new(server, "ann@example.com").await;
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10000")]).await.ok();
    pin(server, "BTC/USDT", "100000").await;
    ann
}

const SELL: [(&str, &str); 3] = [("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "1000")];

fn but(field: &'static str, value: &'static str) -> Vec<(&'static str, &'static str)> {
    SELL.map(|(name, old)| (name, if name == field { value } else { old })).to_vec()
}

async fn quote(server: &Server, who: &Member, form: &[(&str, &str)]) -> Json {
    who.post(server, "/api/wallet/flash_quote", form).await.ok()
}

async fn accept(server: &Server, who: &Member, quote: &Json) -> crate::harness::Answer {
    who.post(server, "/api/wallet/flashAgainst", &[("quote_id", &quote["quote_id"].to_string())]).await
}

#[test]
fn a_coin_is_quoted_converted_told_and_listed() {
    both(|server| async move {
        let ann = seller(&server).await;
        let coins = server.get("/api/wallet/flashAgainstList").await.ok();
        let usdt = coins["left"].as_array().unwrap().iter().find(|coin| coin["id"] == 3).unwrap();
        assert_eq!(
            (&usdt["min_number"], &usdt["max_number"], &usdt["balance"], &usdt["price"]),
            (&json!("10.000000"), &json!("50000.000000"), &json!("0"), &json!("1"))
        );
        let own = ann.get(&server, "/api/wallet/flashAgainstList").await;
        let of = |list: &str, id: u64| own[list].as_array().unwrap().iter().find(|coin| coin["id"] == id).unwrap().clone();
        assert_eq!((&of("left", 3)["balance"], &of("right", 1)["price"]), (&json!("10000.000000"), &json!("100000.00")));
        assert_eq!((&of("left", 1)["min_number"], &of("left", 1)["max_number"]), (&json!("0.00010000"), &json!("0.50000000")));

        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        let first = quote(&server, &ann, &SELL).await;
        let shown = ["num", "gross", "fee", "net", "price", "index_from", "index_to"].map(|field| first[field].as_str().unwrap());
        assert_eq!(shown, ["1000.000000", "0.00999000", "0.00000999", "0.00998001", "0.00000999", "1", "100000.00"]);
        let done = accept(&server, &ann, &first).await;
        assert_eq!(done.json()["message"], "Exchanged");
        let done = done.data();
        assert_eq!(
            (&done["quote_id"], &done["net"], &done["status"], &done["status_name"]),
            (&first["quote_id"], &first["net"], &json!(1), &json!("Done"))
        );
        assert_eq!(client.event("balance").await["data"][0]["avail"], "9000.000000");
        let step = [&SELL[..], &[("min_net", "0.00998001"), ("price", "1")]].concat();
        let step = ann.post(&server, "/api/wallet/flashAgainst", &step).await.data();
        assert_eq!((&step["quote_id"], &step["net"]), (&Json::Null, &json!("0.00998001")));

        // Spread and cost follow from the quote, whatever the prices are when the list is read.
        pin(&server, "BTC/USDT", "123456").await;
        let list = ann.get(&server, "/api/wallet/flash_history").await;
        for row in [&list["data"][0], &list["data"][1]] {
            let figures = ["num", "gross", "fee", "net", "index_from", "index_to"];
            assert_eq!(figures.map(|field| &row[field]), figures.map(|field| &first[field]), "{row}");
        }
        assert_eq!((&list["total"], &list["data"][0], &list["data"][1]), (&json!(2), &step, &done));
        let page = ann.get(&server, "/api/wallet/flash_history?page=2&limit=1").await;
        assert_eq!((&page["total"], &page["data"]), (&json!(2), &json!([done])));
        let kinds = async |currency: &str| {
            let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", currency), ("type", "2")]).await.ok();
            let line = |line: &Json| format!("{} {}", line["type"], line["value"].as_str().unwrap());
            lines["list"].as_array().unwrap().iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(kinds("1").await, ["602 -0.00000999", "601 0.00999000", "602 -0.00000999", "601 0.00999000"]);
        assert_eq!(kinds("3").await[..2], ["600 -1000.000000", "600 -1000.000000"]);

        let entry = server.get(&format!("/api/proof/entries?from={}&limit=1", first["quote_id"])).await.ok()[0].clone();
        let said = json!({"from": 3, "to": 1, "amount": 1_000_000_000_u64});
        assert_eq!((&entry["kind"], &entry["public"]), (&json!("quote_conversion"), &said), "whose it is stays sealed");
        let entry = server.get(&format!("/api/proof/entries?from={}&limit=1", done["id"])).await.ok()[0].clone();
        assert_eq!((&entry["kind"], &entry["public"]), (&json!("accept_quote"), &json!({"quote": first["quote_id"]})));
    });
}

#[test]
fn a_quote_is_good_once_until_it_expires_also_after_a_restart() {
    both(|mut server| async move {
        let (ann, bob) = (seller(&server).await, Member::new(&server, "bob@example.com").await);
        let [first, second, third] =
            [quote(&server, &ann, &SELL).await, quote(&server, &ann, &SELL).await, quote(&server, &ann, &SELL).await];
        assert_eq!(accept(&server, &bob, &first).await.error(), "E_NOT_FOUND");
        server.restart().await;
        pin(&server, "BTC/USDT", "100000").await;
        let done = accept(&server, &ann, &first).await.data();
        assert_eq!((&done["quote_id"], &done["net"]), (&first["quote_id"], &first["net"]));
        assert_eq!(accept(&server, &ann, &first).await.error(), "E_STATE");
        // The proceeds of a USDT may fall by spread and fee, 0.2 %: to 1 / 100200.40 of the earlier ones.
        pin(&server, "BTC/USDT", "100200.41").await;
        let moved = accept(&server, &ann, &second).await;
        assert_eq!((moved.error().as_str(), &moved.json()["data"]["net"]), ("E_PRICE_MOVED", &json!("0.00996003")));
        pin(&server, "BTC/USDT", "100200.4").await;
        assert_eq!(accept(&server, &ann, &second).await.data()["net"], "0.00998001");
        advance(&server, "10001").await;
        pin(&server, "BTC/USDT", "100000").await;
        assert_eq!(accept(&server, &ann, &third).await.error(), "E_QUOTE_EXPIRED");
        advance(&server, "300001").await;
        assert_eq!(accept(&server, &ann, &third).await.error(), "E_NOT_FOUND");
        assert_eq!(ann.get(&server, "/api/wallet/flash_history").await["total"], 2);
    });
}

#[test]
fn a_quote_that_many_threads_accept_at_once_is_executed_once() {
    both(|server| async move {
        let ann = seller(&server).await;
        let first = quote(&server, &ann, &SELL).await;
        let body = format!("quote_id={}", first["quote_id"]);
        let client = reqwest::Client::new();
        let calls = (0..32).map(|number| {
            let request = client
                .post(server.url("/api/wallet/flashAgainst"))
                .header("authorization", &ann.token)
                .header("idempotency-key", format!("key-{number}"))
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body.clone());
            tokio::spawn(async move { serde_json::from_str::<Json>(&request.send().await.unwrap().text().await.unwrap()).unwrap() })
        });
        let calls: Vec<_> = calls.collect();
        let mut answers = Vec::new();
        for call in calls {
            let answer = call.await.unwrap();
            answers.push(answer["data"]["error"].as_str().unwrap_or("done").to_owned());
        }
        // A member's bucket holds thirty.
        assert_eq!(answers.iter().filter(|answer| *answer == "done").count(), 1, "{answers:?}");
        assert!(answers.iter().all(|answer| ["done", "E_STATE", "E_RATE"].contains(&answer.as_str())), "{answers:?}");
        assert_eq!(ann.get(&server, "/api/wallet/flash_history").await["total"], 1);
        let usdt = ann.post(&server, "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        assert_eq!(usdt["balance"], "9000.000000");
    });
}

#[test]
fn a_conversion_is_refused_in_the_order_of_the_contract() {
    both(|server| async move {
        let ann = seller(&server).await;
        // A member's bucket is smaller than this list.
        let asked = async |path: &str, form: &[(&str, &str)]| server.patient(async || ann.post(&server, path, form).await).await;
        for (form, name) in [
            (vec![], "E_ASSET"),
            (vec![("l_currency_id", "3")], "E_ASSET"),
            (vec![("l_currency_id", "x"), ("r_currency_id", "1"), ("num", "10")], "E_ASSET"),
            (vec![("l_currency_id", "3"), ("r_currency_id", "-1"), ("num", "10")], "E_ASSET"),
            (vec![("l_currency_id", "3"), ("r_currency_id", "3"), ("num", "x")], "E_SAME_ASSET"),
            (vec![("l_currency_id", "3"), ("r_currency_id", "1")], "E_AMOUNT"),
            (but("num", "x"), "E_AMOUNT"),
            (but("num", "0"), "E_AMOUNT"),
            (but("num", "-1"), "E_AMOUNT"),
            (but("num", "1e3"), "E_AMOUNT"),
            (but("num", "10.0000001"), "E_AMOUNT"),
            (but("num", "99999999999999999999"), "E_AMOUNT"),
            (but("r_currency_id", "77"), "E_ASSET"),
            (but("num", "9.999999"), "E_FLASH_MIN"),
            (but("num", "50000.000001"), "E_FLASH_MAX"),
            (but("num", "999999999999"), "E_FLASH_MAX"),
        ] {
            assert_eq!(asked("/api/wallet/flash_quote", &form).await.error(), name, "{form:?}");
        }
        let bounds = async |number| asked("/api/wallet/flash_quote", &but("num", number)).await.json()["data"].take();
        assert_eq!((&bounds("9").await["min"], &bounds("60000").await["max"]), (&json!("10.000000"), &json!("50000.000000")));
        for (form, name) in [
            (vec![], "E_FIELD"),
            (vec![("l_currency_id", "3"), ("r_currency_id", "1")], "E_FIELD"),
            (vec![("quote_id", "x")], "E_NOT_FOUND"),
            (vec![("quote_id", "99"), ("l_currency_id", "x"), ("num", "x"), ("min_net", "x")], "E_NOT_FOUND"),
            (but("l_currency_id", "x"), "E_ASSET"),
            (but("r_currency_id", "3"), "E_SAME_ASSET"),
            (but("num", "x"), "E_AMOUNT"),
            ([&SELL[..], &[("min_net", "x")]].concat(), "E_AMOUNT"),
            ([&SELL[..], &[("min_net", "0.000000001")]].concat(), "E_AMOUNT"),
            (but("num", "9"), "E_FLASH_MIN"),
            ([&SELL[..], &[("min_net", "0.00998002")]].concat(), "E_PRICE_MOVED"),
            (but("num", "10000.000001"), "E_INSUFFICIENT"),
        ] {
            assert_eq!(asked("/api/wallet/flashAgainst", &form).await.error(), name, "{form:?}");
        }
        // The pool has 100 BTC.
        let limit = json!({"spread": "0", "fee": "0", "min": "1", "max": "100000000", "day_max": "200000000", "ttl_ms": 10_000});
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        agree(&server, (&one, &two), &limit).await;
        pin(&server, "BTC/USDT", "10").await;
        pin(&server, "BTC/USDT", "10").await;
        let short = asked("/api/wallet/flashAgainst", &but("num", "1001")).await;
        assert_eq!((short.error().as_str(), &short.json()["data"]["free"]), ("E_POOL_SHORT", &json!("100.00000000")));
        // A stale price, a freeze, and above all a pause.
        advance(&server, "3001").await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        advance(&server, "3001").await;
        for path in ["/api/wallet/flash_quote", "/api/wallet/flashAgainst"] {
            assert_eq!(asked(path, &SELL).await.error(), "E_PRICE_STALE", "{path}");
        }
        let pause = |on| [("product", "flash"), ("on", on), ("reason", "the rules are being read")];
        post(&server, &one, "catalog/pause", &pause("1")).await.ok();
        for path in ["/api/wallet/flash_quote", "/api/wallet/flashAgainst"] {
            assert_eq!(asked(path, &[]).await.error(), "E_DISABLED", "{path}");
        }
        post(&server, &one, "catalog/pause", &pause("0")).await.ok();
        assert_eq!(asked("/api/wallet/flash_quote", &[]).await.error(), "E_ASSET");
    });
}

/// Two operators agree on other terms.
async fn agree(server: &Server, (one, two): (&str, &str), values: &Json) {
    let form = [("kind", "flash"), ("id", "1"), ("values", &*values.to_string()), ("reason", "a better price")];
    let proposed = post(server, one, "catalog/propose", &form).await.ok();
    let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
    assert_eq!(post(server, one, "proposal/confirm", &[("id", &id), ("hash", hash)]).await.error(), "E_SAME_OPERATOR");
    assert_eq!(post(server, two, "proposal/confirm", &[("id", &id), ("hash", hash)]).await.ok()["state"], "done");
}

#[test]
fn terms_are_shown_and_changed_by_two_operators_for_quotes_made_later() {
    both(|server| async move {
        let ann = seller(&server).await;
        let before = quote(&server, &ann, &SELL).await;
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let rows = server.get_as(token(&one), "/operator/api/catalog?kind=flash").await.ok();
        let mut values = rows[0]["values"].clone();
        let standard = json!({"spread": "0.1", "fee": "0.1", "min": "10.000000", "max": "50000.000000", "day_max": "500000.000000",
            "ttl_ms": 10_000});
        assert_eq!((&rows[0]["id"], &values), (&json!(1), &standard));
        for (field, value) in [
            ("spread", json!("100")),
            ("fee", json!("100")),
            ("min", json!("0")),
            ("max", json!("9")),
            ("day_max", json!("49999")),
            ("ttl_ms", json!(60_001)),
        ] {
            let mut wrong = values.clone();
            wrong[field] = value;
            let form = [("kind", "flash"), ("id", "1"), ("values", &*wrong.to_string()), ("reason", "a better price")];
            let refused = post(&server, &one, "catalog/propose", &form).await;
            assert_eq!((refused.error().as_str(), &refused.json()["data"]["field"]), ("E_CATALOG", &json!(field)));
        }
        (values["fee"], values["day_max"]) = (json!("1"), json!("50000"));
        agree(&server, (&one, &two), &values).await;
        pin(&server, "BTC/USDT", "100000").await;
        assert_eq!(quote(&server, &ann, &SELL).await["fee"], "0.00009990");
        assert_eq!(accept(&server, &ann, &before).await.data()["fee"], "0.00000999");
        let over = ann.post(&server, "/api/wallet/flash_quote", &but("num", "49000.000001")).await;
        assert_eq!((over.error().as_str(), &over.json()["data"]["left"]), ("E_FLASH_DAY", &json!("49000.000000")));
    });
}

//! `POST coin/move`: an open order at another price (S-10).

use serde_json::{Value as Json, json};

use crate::harness::{Answer, As, Server, both, token};
use crate::spot::{place, spot, text, trader};

async fn move_to(server: &Server, who: As<'_>, order: &str, price: &str) -> Answer {
    server.post_as(who, "/api/coin/move", &[("id", order), ("target_price", price)]).await
}

async fn order_of(server: &Server, who: &str, id: &str) -> Json {
    server.get_as(token(who), &format!("/api/coin/order?id={id}")).await.ok()["order"].clone()
}

#[test]
fn an_order_that_moves_is_a_new_one_with_what_is_left_and_the_old_one_keeps_its_fills() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com", &[("BTC", "1")]).await;
        let bob = trader(&server, "bob@example.com", &[("USDT", "1000")]).await;
        let named = [("client_order_id", "mine"), ("tif", "post_only")];
        let old = place(&server, &ann, "2", "0.003", "100000", &named).await.data()["order"]["id"].to_string();
        place(&server, &bob, "1", "0.001", "100000", &[]).await.ok();
        let answer = move_to(&server, token(&ann), &old, "100010").await;
        let (data, said) = (answer.data(), answer.json());
        let (order, new) = (&data["order"], data["order"]["id"].to_string());
        assert_eq!((text(&said["message"]), said["type"].clone()), ("Order moved".to_owned(), Json::from("ok")));
        assert_eq!((data["replaced"].to_string(), &data["fills"]), (old.clone(), &json!([])));
        assert_eq!((new.as_str(), order["seq"].to_string()), (answer.header("x-seq"), new.clone()));
        let shown =
            ["target_price", "trade_amount", "left_amount", "filled_amount", "tif", "client_order_id"].map(|name| text(&order[name]));
        assert_eq!(shown, ["100010.0", "0.00200000", "0.00200000", "0.00000000", "post_only", "mine"]);
        // The old one, in the lists and by its number; no notice, because the owner did it.
        let before = order_of(&server, &ann, &old).await;
        assert_eq!((&before["status"], text(&before["reason"])), (&Json::from(3), "MOVED".to_owned()));
        assert_eq!((text(&before["filled_amount"]), text(&before["frozen"])), ("0.00100000".to_owned(), "0.00000000".to_owned()));
        let list = server.get_as(token(&ann), "/api/coin/list").await.ok();
        let rows: Vec<_> = list.as_array().unwrap().iter().map(|row| (row["id"].to_string(), row["status"].clone())).collect();
        assert_eq!(rows, [(new.clone(), Json::from(1)), (old, Json::from(3))]);
        let notices = server.get_as(token(&ann), "/api/notice/list").await.ok();
        assert_eq!(notices["total"], 0, "{notices}");
        assert_eq!(spot(&server, &ann, "1").await, ("0.99700000".to_owned(), "0.00200000".to_owned()));
        // The client's own name goes with it, as often as it moves.
        let named = async || server.get_as(token(&ann), "/api/coin/order?client_order_id=mine").await.ok()["order"]["id"].to_string();
        assert_eq!(named().await, new);
        let again = move_to(&server, token(&ann), &new, "100020").await.data();
        assert_eq!(again["replaced"].to_string(), new);
        assert_eq!(named().await, again["order"]["id"].to_string());
        let entry = again["order"]["seq"].to_string();
        let entry = server.get_as(token(&bob), &format!("/api/proof/entries?from={entry}&limit=1")).await.ok()[0].clone();
        let seen = (text(&entry["kind"]), &entry["public"], &entry["own"]);
        let price = 10_002_000_000_000_u64;
        assert_eq!(seen, ("move_spot_order".to_owned(), &json!({ "order": new.parse::<u64>().unwrap(), "price": price }), &Json::Null));
    });
}

#[test]
fn an_order_that_moves_across_the_book_trades_at_once() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com", &[("BTC", "1")]).await;
        let bob = trader(&server, "bob@example.com", &[("USDT", "100.05")]).await;
        place(&server, &ann, "2", "0.0004", "100010", &[]).await.ok();
        let bid = place(&server, &bob, "1", "0.001", "99000", &[]).await.data()["order"]["id"].to_string();
        // With what it holds the funds are enough, to the last 100 atoms.
        let moved = move_to(&server, token(&bob), &bid, "100050").await.data();
        let fill = &moved["fills"][0];
        assert_eq!(
            (text(&fill["price"]), text(&fill["amount"]), text(&fill["role"])),
            ("100010.0".to_owned(), "0.00040000".to_owned(), "taker".to_owned())
        );
        assert_eq!((text(&moved["order"]["filled_value"]), moved["fills"].as_array().unwrap().len()), ("40.004000".to_owned(), 1));
        assert_eq!(spot(&server, &bob, "3").await, ("0.016000".to_owned(), "60.030000".to_owned()));
        let id = moved["order"]["id"].to_string();
        let fresh = [("x-min-seq", id.as_str())];
        let trade = server.request("GET", "/api/market/trades?symbol=BTC/USDT", &fresh, "").await.ok()[0].clone();
        let entry = server.get(&format!("/api/proof/entries?from={}&limit=1", trade["seq"])).await.ok()[0].clone();
        assert_eq!((&trade["seq"].to_string(), &entry["time_ms"], text(&entry["kind"])), (&id, &trade["ts"], "move_spot_order".to_owned()));
        let short = move_to(&server, token(&bob), &id, "100080").await;
        let data = &short.json()["data"];
        assert_eq!(
            (short.error(), text(&data["available"]), text(&data["needed"])),
            ("E_INSUFFICIENT".to_owned(), "60.046000".to_owned(), "60.048000".to_owned())
        );
        assert_eq!(order_of(&server, &bob, &id).await["status"], 1);
    });
}

#[test]
fn a_refused_move_says_why_and_leaves_the_order_as_it_was() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com", &[("USDT", "1000"), ("BTC", "1")]).await;
        let bob = trader(&server, "bob@example.com", &[("USDT", "1000"), ("BTC", "1")]).await;
        let named = [("tif", "post_only"), ("client_order_id", "mine")];
        let ask = place(&server, &ann, "2", "0.001", "100010", &named).await.data()["order"]["id"].to_string();
        place(&server, &bob, "1", "0.001", "99990", &[]).await.ok();
        let stop = [("order_type", "stop_limit"), ("stop_price", "101000")];
        let stop = place(&server, &ann, "1", "0.001", "99000", &stop).await.data()["order"]["id"].to_string();
        let ended = place(&server, &ann, "2", "0.001", "100011", &[]).await.data()["order"]["id"].to_string();
        server.post_as(token(&ann), "/api/coin/cancel", &[("id", &ended)]).await.ok();
        let before = (order_of(&server, &ann, &ask).await, spot(&server, &ann, "1").await, spot(&server, &ann, "3").await);
        let asked = async |order: &str, price: &str| {
            let answer = move_to(&server, token(&ann), order, price).await;
            (answer.error(), text(&answer.json()["data"]["state"]))
        };
        for price in ["99000", "x"] {
            assert_eq!(asked("999999", price).await, ("E_NOT_FOUND".to_owned(), String::new()));
            assert_eq!(asked(&ended, price).await, ("E_STATE".to_owned(), "cancelled".to_owned()));
            assert_eq!(asked(&stop, price).await, ("E_STATE".to_owned(), "waiting_trigger".to_owned()));
            let strange = move_to(&server, token(&bob), &ask, price).await;
            assert_eq!(strange.error(), "E_NOT_FOUND");
        }
        for (price, name) in [
            ("x", "E_AMOUNT"),
            ("0", "E_AMOUNT"),
            ("100000.05", "E_TICK"),
            ("94999.9", "E_BAND"),
            ("200000.1", "E_BAND"),
            ("99990", "E_POST_ONLY"),
        ] {
            assert_eq!(asked(&ask, price).await.0, name, "{price}");
        }
        // The client's own id is not accepted: the log would not show others which order traded.
        let named = [("client_order_id", "mine"), ("target_price", "100012")];
        assert_eq!(server.post_as(token(&ann), "/api/coin/move", &named).await.error(), "E_NOT_FOUND");
        assert_eq!(move_to(&server, token(&ann), "x", "100012").await.error(), "E_NOT_FOUND");
        assert_eq!(server.post_as(token(&ann), "/api/coin/move", &[("id", &ask)]).await.error(), "E_AMOUNT");
        let after = (order_of(&server, &ann, &ask).await, spot(&server, &ann, "1").await, spot(&server, &ann, "3").await);
        assert_eq!(before, after);
    });
}

#[test]
fn a_repeated_move_moves_once_also_after_a_restart() {
    both(|mut server| async move {
        let ann = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let old = place(&server, &ann, "1", "0.001", "90000", &[]).await.data()["order"]["id"].to_string();
        let (mine, form) = (As { token: &ann, key: "move-1", ..As::default() }, [("id", old.as_str()), ("target_price", "90001")]);
        let first = server.post_as(mine, "/api/coin/move", &form).await;
        let id = first.data()["order"]["id"].to_string();
        for restart in [false, true] {
            if restart {
                server.restart().await;
                // Both orders have ended by now.
                server.post_as(token(&ann), "/api/coin/cancel", &[("id", &id)]).await.ok();
            }
            let again = server.post_as(mine, "/api/coin/move", &form).await;
            assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")));
            assert_eq!(again.header("x-idempotent-replay"), "1");
        }
        let other = [("id", old.as_str()), ("target_price", "90002")];
        assert_eq!(server.post_as(mine, "/api/coin/move", &other).await.error(), "E_DUP_REQUEST");
    });
}

#[test]
fn a_refused_move_is_repeated_with_the_state_of_then_whatever_became_of_the_order() {
    both(|mut server| async move {
        let ann = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let bob = trader(&server, "bob@example.com", &[("BTC", "1")]).await;
        let stop = [("order_type", "stop_limit"), ("stop_price", "101000")];
        let mut refused = Vec::new();
        for (key, more) in [("cancelled", &stop[..]), ("triggered", &stop[..]), ("filled", &stop[..]), ("open", &[][..])] {
            let id = place(&server, &ann, "1", "0.001", "100000", more).await.data()["order"]["id"].to_string();
            // An open order is refused for its price.
            let price = if key == "open" { "40000" } else { "100001" };
            let first = move_to(&server, As { token: &ann, key, ..As::default() }, &id, price).await;
            let wanted = if key == "open" { ("E_BAND", "") } else { ("E_STATE", "waiting_trigger") };
            assert_eq!((first.error().as_str(), text(&first.json()["data"]["state"]).as_str()), wanted);
            refused.push((key, id, price, first));
        }
        let again = async |server: &Server, when: &str| {
            for (key, id, price, first) in &refused {
                let again = move_to(server, As { token: &ann, key, ..As::default() }, id, price).await;
                assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")), "{key}, {when}");
                assert_eq!(again.header("x-idempotent-replay"), "1");
            }
        };
        again(&server, "at once").await;
        server.post_as(token(&ann), "/api/coin/cancel", &[("id", &refused[0].1)]).await.ok();
        again(&server, "one cancelled").await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "101000")]).await.ok();
        assert_eq!(order_of(&server, &ann, &refused[1].1).await["waiting_trigger"], 0);
        again(&server, "the others triggered").await;
        // Oldest first: the one that never was a stop, then the two that were triggered, of which the last stays open.
        place(&server, &bob, "2", "0.002", "100000", &[]).await.ok();
        let ended = async |server: &Server, at: usize| order_of(server, &ann, &refused[at].1).await["status"].clone();
        assert_eq!([ended(&server, 0).await, ended(&server, 1).await, ended(&server, 2).await, ended(&server, 3).await], [3, 2, 1, 2]);
        again(&server, "two filled").await;
        server.restart().await;
        again(&server, "restarted").await;
    });
}

#[test]
fn a_refused_move_of_a_number_that_nothing_had_is_repeated_the_same_once_an_order_has_it() {
    both(|server| async move {
        let ann = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let sooner = place(&server, &ann, "1", "0.001", "90000", &[]).await;
        let last: u64 = sooner.header("x-seq").parse().unwrap();
        let mut refused = Vec::new();
        for (ahead, key) in ["first", "second", "third", "fourth"].into_iter().enumerate() {
            let id = (last + 5 + ahead as u64).to_string();
            let first = move_to(&server, As { token: &ann, key, ..As::default() }, &id, "90001").await;
            assert_eq!(first.error(), "E_NOT_FOUND");
            refused.push((key, id, first));
        }
        let mut later = Vec::new();
        for _ in 0..4 {
            later.push(place(&server, &ann, "1", "0.001", "90000", &[("tif", "ioc")]).await.data()["order"]["id"].to_string());
        }
        assert!(refused.iter().any(|(_, id, _)| later.contains(id)), "{later:?}");
        for (key, id, first) in &refused {
            let again = move_to(&server, As { token: &ann, key, ..As::default() }, id, "90001").await;
            assert_eq!((again.text.as_str(), again.header("x-idempotent-replay")), (first.text.as_str(), "1"), "{key}");
        }
    });
}

//! Price alerts over the wire: set, fired once by the sample that reaches them, reported, kept over a restart, refused.

use std::time::Duration;

use engine::amount::Price;
use engine::ids::{MarketId, UserId};
use futures_util::future::join_all;
use serde_json::{Value as Json, json};
use store::alerts::{self, Draft};
use store::db::DbError;

use crate::harness::{Answer, Server, both, token};
use crate::socket::Client;

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn add(server: &Server, who: &str, direction: &str, price: &str) -> Answer {
    let form = [("match_id", "1"), ("direction", direction), ("price", price)];
    server.patient(async || server.post_as(token(who), "/api/alert/add", &form).await).await
}

async fn list(server: &Server, who: &str) -> Vec<Json> {
    server.get_as(token(who), "/api/alert/list").await.ok().as_array().unwrap().clone()
}

async fn notices(server: &Server, who: &str) -> Vec<Json> {
    server.get_as(token(who), "/api/notice/list?kind=alert").await.ok()["data"].as_array().unwrap().clone()
}

/// Waits until so many alerts of a member have fired.
async fn until_fired(server: &Server, who: &str, wanted: usize) -> Vec<Json> {
    for _ in 0..100 {
        let rows = list(server, who).await;
        if rows.iter().filter(|row| row["active"] == 0).count() >= wanted {
            return rows;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{wanted} alerts did not fire: {:?}", list(server, who).await);
}

#[test]
fn an_alert_fires_once_by_the_sample_that_reaches_it_and_its_owner_is_told() {
    both(|mut server| async move {
        pin(&server, "100000").await;
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let mut client = Client::connect(&server, json!({"token": ann})).await;
        let made = add(&server, &ann, "above", "101000").await.ok();
        let shown = ["symbol", "direction", "price"].map(|field| made[field].as_str().unwrap().to_owned());
        assert_eq!(shown, ["BTC/USDT", "above", "101000.00"]);
        assert_eq!((&made["match_id"], &made["active"], &made["fired_at_ms"]), (&json!(1), &json!(1), &Json::Null));
        let below = add(&server, &ann, "below", "99000.5").await.ok();
        add(&server, &bob, "above", "103000").await.ok();

        // Close to the level does not trigger it; the level itself does.
        pin(&server, "100999.99").await;
        pin(&server, "99000.51").await;
        pin(&server, "101000").await;
        let told = client.event("notification").await["data"].clone();
        assert_eq!(
            (&told["kind"], &told["object_id"], &told["content"]),
            (&json!("alert"), &made["id"], &json!("BTC/USDT rose to your level of 101,000.00."))
        );
        let rows = until_fired(&server, &ann, 1).await;
        assert_eq!((&rows[0]["id"], &rows[0]["active"]), (&below["id"], &json!(1)), "the newest comes first");
        assert!(rows[1]["fired_at_ms"].as_u64() >= made["created_at_ms"].as_u64());

        // It has fired, and a restart changes neither that nor what waits.
        pin(&server, "100000").await;
        server.restart().await;
        pin(&server, "102000").await;
        pin(&server, "98000").await;
        let rows = until_fired(&server, &ann, 2).await;
        assert!(rows.iter().all(|row| row["active"] == 0));
        pin(&server, "102000").await;
        pin(&server, "98000").await;
        pin(&server, "103000").await;
        until_fired(&server, &bob, 1).await;
        assert_eq!(list(&server, &ann).await, rows, "what has fired stays as it was");
        let objects = notices(&server, &ann).await.iter().map(|notice| notice["object_id"].clone()).collect::<Vec<_>>();
        assert_eq!(objects, [below["id"].clone(), made["id"].clone()]);
        assert_eq!(notices(&server, &bob).await.len(), 1);

        let del = |who: String, id: String| {
            let server = &server;
            async move { server.post_as(token(&who), "/api/alert/del", &[("id", &id)]).await }
        };
        assert_eq!(del(bob.clone(), made["id"].to_string()).await.error(), "E_NOT_FOUND");
        assert_eq!(del(ann.clone(), made["id"].to_string()).await.json()["message"], "Alert deleted");
        assert_eq!(del(ann.clone(), made["id"].to_string()).await.error(), "E_NOT_FOUND");
        assert_eq!(list(&server, &ann).await.len(), 1);
    });
}

#[test]
fn an_alert_hears_of_no_sample_from_before_it() {
    both(|server| async move {
        let ann = server.member("ann@example.com").await;
        pin(&server, "105000").await;
        pin(&server, "100000").await;
        let made = add(&server, &ann, "above", "105000").await.ok();
        let ready = add(&server, &ann, "below", "100000").await.ok();
        // An alert whose level is already reached fires with the next sample.
        let rows = until_fired(&server, &ann, 1).await;
        let active = |id: &Json| rows.iter().find(|row| row["id"] == *id).unwrap()["active"].clone();
        assert_eq!((active(&made["id"]), active(&ready["id"])), (json!(1), json!(0)));
    });
}

#[test]
fn what_is_no_alert_is_refused_in_the_documented_order() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let ask = |market: &'static str, direction: &'static str, price: &'static str| {
            let (server, ann) = (&server, &ann);
            async move {
                let form = [("match_id", market), ("direction", direction), ("price", price)];
                server.patient(async || server.post_as(token(ann), "/api/alert/add", &form).await).await.error()
            }
        };
        for market in ["0", "99", "x", "", "-1", "18446744073709551616"] {
            assert_eq!(ask(market, "sideways", "x").await, "E_MARKET", "{market}");
        }
        for direction in ["sideways", "", "Above", "above below"] {
            assert_eq!(ask("1", direction, "x").await, "E_FIELD", "{direction}");
        }
        for price in [
            "",
            "0",
            "0.0",
            "-1",
            "1e3",
            "NaN",
            "Infinity",
            "0x10",
            "١٢",
            "100000000",
            "0.000000001",
            "1,000",
            " 1",
            "99999999999999999999999999999999999999999",
        ] {
            assert_eq!(ask("1", "above", price).await, "E_AMOUNT", "{price:?}");
        }
        assert_eq!(add(&server, &ann, "below", "0.00000001").await.ok()["price"], "0.00000001");
        let foreign = list(&server, &ann).await[0]["id"].to_string();
        for id in [foreign.as_str(), "0", "x", "-1", "99999999999999999999"] {
            let refused = server.post_as(token(&bob), "/api/alert/del", &[("id", id)]).await.error();
            assert!(refused == "E_NOT_FOUND" || (refused == "E_FIELD" && id.is_empty()), "{id}: {refused}");
        }
        assert!(list(&server, &bob).await.is_empty());
        assert_eq!(server.get("/api/alert/list").await.error(), "E_AUTH");
    });
}

#[test]
fn a_member_has_at_most_a_hundred_that_wait_also_when_all_are_made_at_once() {
    both(|server| async move {
        let ann = server.member("ann@example.com").await;
        let center = server.get_as(token(&ann), "/api/user/center").await.ok();
        let user = UserId(center["id"].as_u64().unwrap());
        pin(&server, "100000").await;
        let app = &server.running.app;
        let after_seq = app.sequencer.engine().seq().0;
        let make = |level: u64| {
            let db = app.db.clone();
            tokio::spawn(async move {
                let level = Price(level * 100_000_000);
                let draft = Draft { user, market: MarketId(1), above: true, level, args: &[], after_seq, now_ms: 1 };
                db.run(alerts::add(draft).statements).await
            })
        };
        let made = join_all((200_000..200_130).map(make)).await;
        let full = made.iter().filter(|made| matches!(made, Ok(Err(DbError::Missed(2))))).count();
        assert_eq!((made.iter().filter(|made| matches!(made, Ok(Ok(_)))).count(), full), (100, 30));
        let refused = add(&server, &ann, "above", "300000").await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["max"]), ("E_OPEN_LIMIT", &json!(100)));
        assert_eq!(list(&server, &ann).await.len(), 100);

        // Fired alerts make room, and the past does not grow without end.
        pin(&server, "250000").await;
        until_fired(&server, &ann, 100).await;
        let told = server.get_as(token(&ann), "/api/notice/list?kind=alert").await.ok();
        assert_eq!(told["total"], 100);
        let again = join_all((200_000..200_100).map(make)).await;
        assert!(again.iter().all(|made| matches!(made, Ok(Ok(_)))));
        until_fired(&server, &ann, 100).await;
        for _ in 0..100 {
            if list(&server, &ann).await.iter().all(|row| row["active"] == 0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        add(&server, &ann, "above", "300000").await.ok();
        assert_eq!(list(&server, &ann).await.len(), 101);
    });
}

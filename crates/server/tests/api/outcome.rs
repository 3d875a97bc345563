//! The outcome of a write whose answer was lost (`docs/api.md` 1.6).

use std::time::Duration;

use serde_json::json;
use store::answers;
use store::db::Sql;

use crate::harness::{As, Server, both, on_postgres, token};

/// The outcome of a write of this member, by its key.
pub async fn outcome(server: &Server, token: &str, key: &str) -> serde_json::Value {
    server.post_as(As { token, ..As::default() }, "/api/user/outcome", &[("key", key)]).await.ok()
}

#[test]
fn what_a_write_came_to_is_told_by_its_key_alone() {
    both(|mut server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let mine = |key| As { token: &ann, key, ..As::default() };
        let done = server.post_as(mine("done"), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "5")]).await;
        done.ok();
        let transfer = [("currency_id", "3"), ("number", "6"), ("from_field", "change"), ("to_field", "micro")];
        assert_eq!(server.post_as(mine("refused"), "/api/wallet/change", &transfer).await.error(), "E_INSUFFICIENT");
        assert_eq!(server.post_as(mine("early"), "/api/user/edit_profile", &[("nickname", "x")]).await.error(), "E_FIELD");
        server.post_as(mine("name"), "/api/user/edit_profile", &[("nickname", "Other")]).await.ok();
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            let told = outcome(&server, &ann, "done").await;
            assert_eq!(told["state"], "done");
            assert_eq!(told["seq"].to_string(), done.header("x-seq"));
            for (key, state, error) in
                [("refused", "refused", json!("E_INSUFFICIENT")), ("early", "refused", json!("E_FIELD")), ("name", "done", json!(null))]
            {
                let told = outcome(&server, &ann, key).await;
                assert_eq!((&told["state"], &told["error"]), (&json!(state), &error), "{key}");
            }
            // Keys of different callers never collide.
            assert_eq!(outcome(&server, &bob, "done").await["state"], "never");
        }
        let malformed = server.post_as(token(&ann), "/api/user/outcome", &[("key", "a b")]).await;
        assert_eq!(malformed.error(), "E_FIELD");
    });
}

#[test]
fn a_write_that_never_came_can_no_longer_come_once_that_was_said() {
    both(|mut server| async move {
        let who = server.member("ann@example.com").await;
        let mine = As { token: &who, key: "lost", ..As::default() };
        let calls: [(&str, &[(&str, &str)]); 2] =
            [("/sandbox/faucet", &[("asset", "USDT"), ("amount", "5")]), ("/api/user/edit_profile", &[("nickname", "Other")])];
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            assert_eq!(outcome(&server, &who, "lost").await, json!({"state": "never", "error": null, "seq": null}));
            for (path, form) in calls {
                assert_eq!(server.post_as(mine, path, form).await.error(), "E_DUP_REQUEST", "{path}");
            }
        }
        assert_ne!(server.get_as(token(&who), "/api/user/center").await.ok()["nickname"], "Other");
    });
}

#[test]
fn a_write_is_done_or_is_told_never_however_the_question_meets_it() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        // As many as may come at once.
        for round in 0..14 {
            let key = format!("race-{round}");
            let mine = As { token: &who, key: &key, ..As::default() };
            let funds = [("asset", "USDT"), ("amount", "5")];
            let (written, told) = tokio::join!(server.post_as(mine, "/sandbox/faucet", &funds), async {
                tokio::time::sleep(Duration::from_micros(round * 150)).await;
                outcome(&server, &who, &key).await
            });
            match told["state"].as_str().unwrap() {
                "done" => drop(written.ok()),
                "never" => assert_eq!(written.error(), "E_DUP_REQUEST"),
                other => panic!("{other}"),
            }
        }
    });
}

/// A node lost its database during a commit: until that ends, the write has neither happened nor failed.
#[test]
fn a_write_that_the_database_is_still_ending_is_not_told_never() {
    on_postgres(|server| async move {
        let (app, who) = (&server.running.app, server.member("ann@example.com").await);
        let user = server.get_as(token(&who), "/api/user/center").await.ok()["id"].to_string();
        for (key, ends, state) in
            [("kept", "select cast(pg_sleep(2) as text)", "done"), ("undone", "select cast(pg_sleep(2) as text), 1 / (select 0)", "never")]
        {
            let caller = format!("user {user} {key}");
            let body = json!({"type": "ok", "message": "stored"}).to_string();
            let stored = answers::insert(&app.vault, &caller, [7; 32], body.as_bytes(), None, app.clock.wall_ms()).unwrap();
            let (ended, told) = tokio::join!(app.db.run(vec![stored, Sql::new(ends, Vec::new())]), async {
                tokio::time::sleep(Duration::from_millis(500)).await;
                outcome(&server, &who, key).await
            });
            assert_eq!((ended.is_ok(), &told["state"]), (state == "done", &json!(state)), "{ended:?}");
            assert_eq!(outcome(&server, &who, key).await, told, "for ever");
        }
    });
}

//! Limits that members set for themselves.

use serde_json::{Value as Json, json};

use crate::harness::{As, Server, both, token};

const DAY_MS: u64 = 86_400_000;

async fn set(server: &Server, who: &str, form: &[(&str, &str)]) -> Json {
    let answer = server.post_as(token(who), "/api/user/limits", form).await;
    assert_eq!(answer.error(), "", "{form:?}");
    answer.ok()
}

#[test]
fn tighter_limits_count_at_once_and_looser_ones_after_a_day() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let none = server.get_as(token(&ann), "/api/user/limits").await.ok();
        let empty = json!({"option_stake_day": null, "loss_day": null, "leverage_max": null, "pause_until_ms": null,
            "used": {"option_stake_day": "0.000000", "loss_day": "0.000000"}, "pending": []});
        assert_eq!(none, empty);
        let made = set(&server, &ann, &[("loss_day", "100.5"), ("leverage_max", "10")]).await;
        assert_eq!((&made["loss_day"], &made["leverage_max"], &made["pending"]), (&json!("100.500000"), &json!(10), &json!([])));

        let looser = set(&server, &ann, &[("loss_day", "none"), ("leverage_max", "5")]).await;
        assert_eq!((&looser["loss_day"], &looser["leverage_max"]), (&json!("100.500000"), &json!(5)));
        let pending = looser["pending"].as_array().unwrap();
        assert_eq!((pending.len(), &pending[0]["field"], &pending[0]["value"]), (1, &json!("loss_day"), &Json::Null));
        assert!(pending[0]["effective_ms"].as_u64().unwrap() >= server.running.app.now_ms() + DAY_MS - 60_000);
        server.post("/sandbox/clock", &[("advance_ms", "86400001")]).await.ok();
        let later = server.get_as(token(&ann), "/api/user/limits").await.ok();
        assert_eq!((&later["loss_day"], &later["leverage_max"], &later["pending"]), (&Json::Null, &json!(5), &json!([])));

        let until = (server.running.app.now_ms() + 2 * DAY_MS).to_string();
        let paused = set(&server, &ann, &[("pause_until_ms", &until)]).await;
        assert_eq!(paused["pause_until_ms"].to_string(), until);
        let sooner = (server.running.app.now_ms() + DAY_MS / 2).to_string();
        let still = set(&server, &ann, &[("pause_until_ms", &sooner)]).await;
        assert_eq!((still["pause_until_ms"].to_string(), &still["pending"][0]["value"]), (until, &json!(sooner)));
        assert_eq!(server.get_as(token(&bob), "/api/user/limits").await.ok(), empty, "nobody else's");
    });
}

#[test]
fn what_is_no_limit_is_refused_and_a_repetition_is_answered_as_before() {
    both(|mut server| async move {
        let ann = server.member("ann@example.com").await;
        for (form, name) in [
            (vec![], "E_FIELD"),
            (vec![("leverage_max", "0")], "E_FIELD"),
            (vec![("leverage_max", "ten"), ("loss_day", "x")], "E_FIELD"),
            (vec![("pause_until_ms", "-1")], "E_FIELD"),
            (vec![("loss_day", "0")], "E_AMOUNT"),
            (vec![("loss_day", "0.0000001")], "E_AMOUNT"),
            (vec![("option_stake_day", "1,5")], "E_AMOUNT"),
            (vec![("option_stake_day", "1000000000000")], "E_AMOUNT"),
        ] {
            assert_eq!(server.post_as(token(&ann), "/api/user/limits", &form).await.error(), name, "{form:?}");
        }
        let mine = As { token: &ann, key: "limits-1", ..As::default() };
        let first = server.post_as(mine, "/api/user/limits", &[("option_stake_day", "7")]).await;
        set(&server, &ann, &[("option_stake_day", "6")]).await;
        let again = server.post_as(mine, "/api/user/limits", &[("option_stake_day", "7")]).await;
        assert_eq!((again.ok(), again.header("x-idempotent-replay")), (first.ok(), "1"));
        assert_eq!(server.post_as(mine, "/api/user/limits", &[("option_stake_day", "8")]).await.error(), "E_DUP_REQUEST");
        server.restart().await;
        let kept = server.get_as(token(&ann), "/api/user/limits").await.ok();
        assert_eq!((&kept["option_stake_day"], &kept["pending"]), (&json!("6.000000"), &json!([])));
    });
}

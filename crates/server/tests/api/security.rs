use engine::ids::UserId;
use serde_json::json;
use store::security::log_access;

use crate::harness::{both, token};
use crate::socket::Client;

#[test]
fn a_member_sees_his_sessions_and_ends_them_everywhere() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let login = || async { server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned() };
        let (second, third) = (login().await, login().await);
        let list = server.get_as(token(&ann), "/api/user/sessions").await.ok();
        let rows = list.as_array().unwrap();
        assert_eq!((rows.len(), rows.iter().filter(|row| row["current"] == 1).count()), (3, 1));
        assert_eq!((&rows[0]["address"], &rows[0]["device"]), (&json!("127.0.0.*"), &json!("Other, Other")));

        let revoke = |who: &str, field: &'static str, value: String| {
            let (server, who) = (&server, who.to_owned());
            async move { server.post_as(token(&who), "/api/user/sessions/revoke", &[(field, &value)]).await }
        };
        let mut socket = Client::connect(&server, json!({"token": second})).await;
        let own = server.get_as(token(&second), "/api/user/sessions").await.ok();
        let id = own.as_array().unwrap().iter().find(|row| row["current"] == 1).unwrap()["id"].to_string();
        for (who, id) in [(&bob, id.clone()), (&ann, "0".to_owned()), (&ann, "x".to_owned())] {
            assert_eq!(revoke(who, "id", id).await.error(), "E_NOT_FOUND");
        }
        assert_eq!(revoke(&ann, "id", String::new()).await.error(), "E_FIELD");
        assert_eq!(revoke(&ann, "id", id).await.data()["revoked"], 1);
        assert_eq!(server.get_as(token(&second), "/api/user/center").await.error(), "E_AUTH");
        let started = std::time::Instant::now();
        assert_eq!(socket.event("logout").await["error"], "E_AUTH");
        // At once, plus what a busy machine needs.
        assert!(started.elapsed().as_secs() < 5);

        assert_eq!(revoke(&ann, "others", "1".to_owned()).await.data()["revoked"], 1);
        assert_eq!(server.get_as(token(&third), "/api/user/center").await.error(), "E_AUTH");
        server.get_as(token(&ann), "/api/user/center").await.ok();
        server.get_as(token(&bob), "/api/user/center").await.ok();
    });
}

#[test]
fn log_ins_are_written_down_and_a_new_device_is_told() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        assert_eq!(server.login("ann@example.com", "wrong-1").await.error(), "E_CREDENTIALS");
        let history = async || server.get_as(token(&who), "/api/user/login_history").await.ok();
        // A failed log-in is kept beside its answer, perhaps later.
        for _ in 0..500 {
            if history().await["total"] == 2 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let form = "user_string=ann%40example.com&password=secret1";
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1";
        let headers = [("content-type", "application/x-www-form-urlencoded"), ("user-agent", phone)];
        server.request("POST", "/api/user/login", &headers, form).await.ok();
        let history = history().await;
        let rows: Vec<_> = history["data"].as_array().unwrap().iter().map(|row| (row["ok"].clone(), row["device"].clone())).collect();
        assert_eq!(rows, [(json!(1), json!("Safari, iOS")), (json!(0), json!("Other, Other")), (json!(1), json!("Other, Other"))]);
        assert_eq!((&history["total"], &history["data"][0]["method"]), (&json!(3), &json!("password")));
        let told = server.get_as(token(&who), "/api/notice/list").await.ok();
        assert_eq!(told["total"], 1);
        assert!(told["data"][0]["content"].as_str().unwrap().contains("Safari, iOS"));
        let bob = server.member("bob@example.com").await;
        assert_eq!(server.get_as(token(&bob), "/api/user/login_history").await.ok()["total"], 1);
    });
}

#[test]
fn a_member_reads_who_looked_at_his_data() {
    both(|server| async move {
        let ann = server.register("ann@example.com").await["user_id"].as_u64().unwrap();
        let who = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let bob = server.member("bob@example.com").await;
        let app = &server.running.app;
        app.db.exec(log_access(app, UserId(ann), "verifier", "view", "identity", "queue of today").unwrap()).await.unwrap();
        let rows = server.get_as(token(&who), "/api/user/access_log").await.ok();
        assert_eq!(
            (&rows["total"], &rows["data"][0]["role"], &rows["data"][0]["reason"]),
            (&json!(1), &json!("verifier"), &json!("queue of today"))
        );
        assert_eq!(server.get_as(token(&bob), "/api/user/access_log").await.ok()["total"], 0);
    });
}

#[test]
fn a_member_freezes_himself_and_nothing_makes_it_shorter() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let bob = server.member("bob@example.com").await;
        let freeze = |password: &'static str, days: &'static str| {
            let (server, who) = (&server, &who);
            async move { server.post_as(token(who), "/api/user/freeze", &[("password", password), ("days", days)]).await }
        };
        for (days, rule) in [("2", "enum"), ("-1", "enum"), ("", "required")] {
            assert_eq!(freeze("secret1", days).await.json()["data"]["rule"], rule);
        }
        assert_eq!(freeze("wrong-1", "7").await.error(), "E_PASSWORD_OLD");
        let until = freeze("secret1", "7").await.data()["until_ms"].as_u64().unwrap();
        let week = 7 * 86_400_000;
        assert!((week - 60_000..week + 60_000).contains(&(until - server.running.app.now_ms())));
        assert_eq!(freeze("secret1", "1").await.data()["until_ms"], until);
        let told = async || {
            let center = server.get_as(token(&who), "/api/user/center").await.ok();
            [center["status"].clone(), center["freeze_scope"].clone(), center["frozen_until_ms"].clone()]
        };
        assert_eq!(told().await, [json!(2), json!("all"), json!(until)]);
        let buy = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "90000")];
        let refused = server.post_as(token(&who), "/api/coin/trade", &buy).await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["by"]), ("E_ACCOUNT_FROZEN", &json!("user")));
        assert_ne!(server.post_as(token(&bob), "/api/coin/trade", &buy).await.error(), "E_ACCOUNT_FROZEN");
        assert_eq!(freeze("secret1", "0").await.data()["until_ms"], json!(null));
        assert_eq!(freeze("secret1", "30").await.data()["until_ms"], json!(null));
        assert_eq!(told().await, [json!(2), json!("all"), json!(null)]);
        server.post("/sandbox/clock", &[("advance_ms", "3000000000")]).await.ok();
        assert_eq!(server.post_as(token(&who), "/api/coin/trade", &buy).await.error(), "E_ACCOUNT_FROZEN");
    });
}

#[test]
fn a_member_is_told_when_his_password_was_last_changed() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let told = async || server.get_as(token(&who), "/api/user/center").await.ok()["password_changed_at_ms"].clone();
        assert_eq!(told().await, json!(null), "it is the first one");
        let before = server.running.app.now_ms();
        let change = [("old_password", "secret1"), ("password", "another1"), ("re_password", "another1")];
        server.post_as(token(&who), "/api/user/e_pwd", &change).await.ok();
        let changed = told().await.as_u64().unwrap();
        assert!((before..=server.running.app.now_ms()).contains(&changed));
    });
}

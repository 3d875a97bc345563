use crate::harness::{both, token};

#[test]
fn a_new_password_ends_the_other_sessions_and_tells_the_owner() {
    both(|server| async move {
        let here = server.member("ann@example.com").await;
        let there = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let change = |old: &'static str, new: &'static str| {
            let (server, here) = (&server, &here);
            async move { server.post_as(token(here), "/api/user/e_pwd", &[("oldpassword", old), ("password", new)]).await }
        };
        assert_eq!(change("wrong-1", "secret2").await.error(), "E_PASSWORD_OLD");
        assert_eq!(change("secret1", "secret1").await.error(), "E_PASSWORD_SAME");
        assert_eq!(change("secret1", "short").await.error(), "E_PASSWORD_SHORT");
        server.get_as(token(&there), "/api/user/center").await.ok();
        change("secret1", "secret2").await.ok();
        assert_eq!(server.get_as(token(&there), "/api/user/center").await.error(), "E_AUTH");
        server.get_as(token(&here), "/api/user/center").await.ok();
        assert_eq!(server.newest_message("ann@example.com").await["purpose"], "password");
        let fund = [("old_password", "123456"), ("password", "654321"), ("type", "2")];
        assert_eq!(server.post_as(token(&here), "/api/user/e_pwd", &fund).await.error(), "E_FUNDPW_UNSET");
        assert_eq!(server.post_as(token(&here), "/api/user/has_password", &[]).await.ok(), 2);
    });
}

#[test]
fn the_mail_address_changes_with_password_and_code() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        server.register("bob@example.com").await;
        let bind = |email: &'static str| {
            let (server, who) = (&server, &who);
            async move { server.post_as(token(who), "/api/sms_mail", &[("user_string", email), ("type", "bind")]).await }
        };
        assert_eq!(server.post("/api/sms_mail", &[("user_string", "new@example.com"), ("type", "bind")]).await.error(), "E_AUTH");
        bind("new@example.com").await.ok();
        let code = server.newest_message("new@example.com").await["code"].as_str().unwrap().to_owned();
        let change = |email: &'static str, password: &'static str| {
            let (server, who, code) = (&server, &who, &code);
            async move { server.post_as(token(who), "/api/user/edit_email", &[("email", email), ("code", code), ("password", password)]).await }
        };
        assert_eq!(change("no mail", "secret1").await.error(), "E_EMAIL");
        assert_eq!(change("new@example.com", "wrong-1").await.error(), "E_PASSWORD_OLD");
        assert_eq!(change("other@example.com", "secret1").await.error(), "E_CODE");
        change("new@example.com", "secret1").await.ok();
        assert_eq!(server.login("ann@example.com", "secret1").await.error(), "E_CREDENTIALS");
        server.login("new@example.com", "secret1").await.ok();
        assert_eq!(server.newest_message("ann@example.com").await["purpose"], "email");
        // Another member's address cannot be taken, and the answer does not reveal that it exists.
        bind("bob@example.com").await.ok();
        assert_eq!(server.newest_message("bob@example.com").await["purpose"], "taken");
        assert_eq!(change("bob@example.com", "secret1").await.error(), "E_CODE");
    });
}

#[test]
fn a_nickname_is_plain_text_of_two_to_thirty_two_characters() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let name = |name: &'static str| {
            let (server, who) = (&server, &who);
            async move { server.post_as(token(who), "/api/user/edit_profile", &[("nickname", name)]).await }
        };
        for good in ["<script>alert(1)</script>", "' OR 1=1--", "日本", "  Zoë  "] {
            name(good).await.ok();
            let center = server.get_as(token(&who), "/api/user/center").await.ok();
            assert_eq!(center["nickname"], good.trim());
        }
        for (bad, rule) in [("x", "length"), ("\u{202e}evil", "chars"), ("a\0b", "chars"), ("a\nb", "chars")] {
            let answer = name(bad).await;
            assert_eq!((answer.error().as_str(), answer.json()["data"]["rule"].as_str()), ("E_FIELD", Some(rule)), "{bad:?}");
        }
        let avatar = server.post_as(token(&who), "/api/user/edit_profile", &[("avatar", "/files/abc")]).await;
        assert_eq!(avatar.error(), "E_FILE");
    });
}

#[test]
fn favourites_keep_the_members_order() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let call = |path: &'static str, id: &'static str| {
            let (server, who) = (&server, &who);
            async move { server.post_as(token(who), path, &[("match_id", id)]).await }
        };
        assert_eq!(server.get_as(token(&who), "/api/favor/list").await.text, r#"{"type":"ok","code":1,"message":[],"data":""}"#);
        for id in ["3", "1", "3"] {
            call("/api/favor/add", id).await.ok();
        }
        assert_eq!(call("/api/favor/add", "2").await.ok(), serde_json::json!([3, 1, 2]));
        assert_eq!(call("/api/favor/del", "1").await.ok(), serde_json::json!([3, 2]));
        for bad in ["0", "99", "x", "", "18446744073709551616"] {
            assert_eq!(call("/api/favor/add", bad).await.error(), "E_MARKET");
        }
    });
}

#[test]
fn news_come_in_pages_and_languages() {
    both(|server| async move {
        let help = server.get("/api/news/list?c_id=19&limit=2").await.ok();
        assert_eq!((help["list"].as_array().unwrap().len(), help["limit"].as_u64()), (2, Some(2)));
        assert!(help["count"].as_u64() > Some(4));
        let beyond = server.get("/api/news/list?c_id=19&page=1000000000").await.ok();
        assert_eq!(beyond["list"], serde_json::json!([]));
        assert_eq!(server.get("/api/news/list?c_id=19&page=-1&limit=1000000").await.ok()["limit"], 100);
        let id = help["list"][0]["id"].to_string();
        let detail = server.post("/api/news/detail", &[("id", &id)]).await.ok();
        assert_eq!(detail["title"], help["list"][0]["title"]);
        assert!(detail["content"].as_str().unwrap().starts_with("<p>"));
        assert_eq!(server.get("/api/news/list").await.error(), "E_FIELD");
        for bad in ["0", "-1", "1 OR 1=1", "../1", "9223372036854775808"] {
            assert_eq!(server.post("/api/news/detail", &[("id", bad)]).await.error(), "E_NOT_FOUND", "{bad}");
        }
    });
}

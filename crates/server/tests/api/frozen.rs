//! What an operator does for a member whom a thief is robbing: the thief's session ends, and what opens the account stays as it was.

use serde_json::json;
use server::sql;

use crate::harness::{Server, both, token};
use crate::operator::{operator, post};
use crate::people::{FUND, Member};

async fn log_in(server: &Server, email: &str, password: &str) -> String {
    server.login(email, password).await.ok().as_str().unwrap().to_owned()
}

#[test]
fn a_freeze_by_an_operator_ends_the_sessions_and_stops_changes_of_secrets() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let forgotten = server.mail_code("ann@example.com", "forget").await;
        let desk = operator(&server, "sue", &["support", "verifier"]).await;
        let id = ann.id.0.to_string();
        for (scope, step) in [("withdraw", 1), ("all", 2)] {
            let thief = log_in(&server, "ann@example.com", "secret1").await;
            post(&server, &desk, "user/freeze", &[("id", &id), ("scope", scope), ("reason", "stolen phone")]).await.ok();
            assert_eq!(server.get_as(token(&thief), "/api/user/center").await.error(), "E_AUTH", "{step}");
        }
        let who = log_in(&server, "ann@example.com", "secret1").await;
        let try_it = async |path: &str, fields: &[(&str, &str)]| {
            let answer = server.post_as(token(&who), path, fields).await.json();
            assert_eq!(answer["data"], json!({"error": "E_ACCOUNT_FROZEN", "by": "operator", "until_ms": null}), "{path}: {answer}");
        };
        try_it("/api/user/e_pwd", &[("old_password", "secret1"), ("password", "secret2")]).await;
        try_it("/api/user/e_pwd", &[("type", "2"), ("old_password", FUND), ("password", "111111")]).await;
        let fund = [("password", "111111"), ("re_password", "111111"), ("login_password", "secret1"), ("code", "123456")];
        try_it("/api/safe/update_password", &fund).await;
        try_it("/api/user/edit_email", &[("email", "eve@example.com"), ("code", "123456"), ("password", "secret1")]).await;
        let phone = [("area_code", "49"), ("mobile", "15112345678"), ("code", "123456"), ("password", "secret1")];
        try_it("/api/user/edit_mobile", &phone).await;
        try_it("/api/user/totp/setup", &[("password", "secret1")]).await;
        try_it("/api/user/totp/enable", &[("setup_id", "x"), ("code", "123456")]).await;
        try_it("/api/user/totp/disable", &[("password", "secret1"), ("code", "123456")]).await;
        try_it("/api/user/totp/recovery", &[("password", "secret1"), ("code", "123456")]).await;
        let reset = [("account", "ann@example.com"), ("code", &*forgotten), ("password", "secret2"), ("re_password", "secret2")];
        try_it("/api/user/forget", &reset).await;
        // Whoever has no code learns nothing of a freeze.
        let wrong = [("account", "ann@example.com"), ("code", "12345x"), ("password", "secret2"), ("re_password", "secret2")];
        assert_eq!(server.post("/api/user/forget", &wrong).await.error(), "E_CODE");
        log_in(&server, "ann@example.com", "secret1").await;

        // Her own freeze stops none of it: she locks a thief out by a new password.
        let bob = Member::new(&server, "bob@example.com").await;
        bob.post(&server, "/api/user/freeze", &[("password", "secret1"), ("days", "0")]).await.ok();
        bob.post(&server, "/api/user/e_pwd", &[("old_password", "secret1"), ("password", "secret2")]).await.ok();
    });
}

#[test]
fn an_operator_ends_the_sessions_of_a_member_who_reads_of_it() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let second = log_in(&server, "ann@example.com", "secret1").await;
        let desk = operator(&server, "sue", &["support"]).await;
        let id = ann.id.0.to_string();
        assert_eq!(post(&server, &desk, "user/end_sessions", &[("id", &id)]).await.error(), "E_REASON");
        assert_eq!(post(&server, &desk, "user/end_sessions", &[("id", "99"), ("reason", "she phoned")]).await.error(), "E_NOT_FOUND");
        let ended = post(&server, &desk, "user/end_sessions", &[("id", &id), ("reason", "she phoned")]).await;
        assert_eq!(ended.data(), json!({"revoked": 2}));
        for old in [&ann.token, &second] {
            assert_eq!(server.get_as(token(old), "/api/user/center").await.error(), "E_AUTH");
        }
        bob.get(&server, "/api/user/center").await;
        let rows = server.running.app.db.query(sql!("select object_id, seq from audit where action = 'end_sessions'")).await.unwrap().rows;
        assert_eq!(rows.iter().map(|row| row.id(0).unwrap()).collect::<Vec<_>>(), [99, ann.id.0]);
        assert!(rows.iter().all(|row| row.maybe_int(1).unwrap().is_some()), "it is in the journal");
        let again = log_in(&server, "ann@example.com", "secret1").await;
        let seen = server.get_as(token(&again), "/api/user/access_log").await.ok();
        assert_eq!((&seen["data"][0]["action"], &seen["data"][0]["reason"]), (&json!("end_sessions"), &json!("she phoned")));
    });
}

/// A thief with session and password makes `to` the address of the account.
async fn steal(server: &Server, who: &str, to: &str) {
    let bind = [("user_string", to), ("type", "bind")];
    server.patient(async || server.post_as(token(who), "/api/sms_mail", &bind).await).await.ok();
    let code = server.newest_message(to).await["code"].as_str().unwrap().to_owned();
    let form = [("email", to), ("code", &code), ("password", "secret1")];
    server.post_as(token(who), "/api/user/edit_email", &form).await.ok();
}

/// The code by which the reader of this address stops the newest change.
async fn stop_code(server: &Server, old: &str) -> String {
    let text = server.newest_message(old).await["text"].as_str().unwrap().to_owned();
    let code = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').find(|word| word.len() == 19 && word.matches('-').count() == 3);
    code.unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn whoever_reads_the_old_mail_address_stops_its_change_within_a_day() {
    both(|server| async move {
        let thief = server.member("ann@example.com").await;
        steal(&server, &thief, "eve1@example.com").await;
        let first = stop_code(&server, "ann@example.com").await;
        // He changes it again, and stops his own change with its code: that of the first is as good as before.
        steal(&server, &thief, "eve2@example.com").await;
        let second = stop_code(&server, "eve1@example.com").await;
        let stop = async |code: &str| server.post("/api/user/stop_email_change", &[("code", code)]).await;
        stop(&second).await.ok();
        assert_eq!(stop(&second).await.error(), "E_CODE");
        let forgotten = server.mail_code("eve1@example.com", "forget").await;
        let reset = [("account", "eve1@example.com"), ("code", &*forgotten), ("password", "secret1"), ("re_password", "secret1")];
        server.post("/api/user/forget", &reset).await.ok();
        let thief = log_in(&server, "eve1@example.com", "secret1").await;
        steal(&server, &thief, "eve3@example.com").await;
        let third = stop_code(&server, "eve1@example.com").await;

        assert_eq!(stop("AAAA-BBBB-CCCC-DDDD").await.error(), "E_CODE");
        stop(&first.to_lowercase().replace('-', " ")).await.ok();
        assert_eq!(stop(&third).await.error(), "E_CODE", "later changes are over as well");
        assert_eq!(server.get_as(token(&thief), "/api/user/center").await.error(), "E_AUTH");
        for (name, password) in [("eve3@example.com", "secret1"), ("ann@example.com", "secret1"), ("ann@example.com", "")] {
            let refused = server.login(name, password).await.error();
            assert!(["E_CREDENTIALS", "E_FIELD"].contains(&refused.as_str()), "{name}: {refused}");
        }
        let forgotten = server.mail_code("ann@example.com", "forget").await;
        let reset = [("account", "ann@example.com"), ("code", &*forgotten), ("password", "secret2"), ("re_password", "secret2")];
        server.post("/api/user/forget", &reset).await.ok();
        let ann = log_in(&server, "ann@example.com", "secret2").await;
        let center = server.get_as(token(&ann), "/api/user/center").await.ok();
        assert_eq!(center["email"], "an***@example.com");
        assert!(center["withdraw_hold_until_ms"].is_u64());

        // A day later nothing is stopped any more.
        let thief = server.member("bob@example.com").await;
        steal(&server, &thief, "eve4@example.com").await;
        let late = stop_code(&server, "bob@example.com").await;
        server.post("/sandbox/clock", &[("advance_ms", "86400001")]).await.ok();
        assert_eq!(stop(&late).await.error(), "E_CODE");
    });
}

//! What an operator does for a member whom a thief is robbing: the thief's session ends, and what opens the account stays as it was.

use serde_json::json;
use server::api::account::fund_password;
use store::{fund_passwords, sql, totp};

use crate::harness::{Server, both, both_with, past_step, token};
use crate::operator::{operator, post};
use crate::people::{FUND, Member, TRON};

/// Another address of Tron.
const OTHER: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

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
        // A caller without a code learns nothing of a freeze.
        let wrong = [("account", "ann@example.com"), ("code", "12345x"), ("password", "secret2"), ("re_password", "secret2")];
        assert_eq!(server.post("/api/user/forget", &wrong).await.error(), "E_CODE");
        log_in(&server, "ann@example.com", "secret1").await;

        // Her own freeze prevents none of it: she locks a thief out with a new password.
        let bob = Member::new(&server, "bob@example.com").await;
        bob.post(&server, "/api/user/freeze", &[("password", "secret1"), ("days", "0")]).await.ok();
        bob.post(&server, "/api/user/e_pwd", &[("old_password", "secret1"), ("password", "secret2")]).await.ok();
    });
}

#[test]
fn no_reset_of_a_fund_password_is_approved_while_an_operator_has_frozen_its_member() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let desk = operator(&server, "sue", &["support", "verifier"]).await;
        let app = &server.running.app;
        let (id, before) = (ann.id.0.to_string(), fund_passwords::hash(&app.db, ann.id).await.unwrap());
        let ask = async || app.db.run(fund_passwords::ask(app, ann.id, "his".to_owned())).await.unwrap();
        let item =
            async |id: &str| server.get_as(token(&desk), &format!("/operator/api/item?kind=fund_reset&id={id}&reason=compare")).await.ok();

        ask().await;
        post(&server, &desk, "user/freeze", &[("id", &id), ("scope", "withdraw"), ("reason", "stolen phone")]).await.ok();
        assert_eq!(item("1").await["row"]["status"], "rejected", "a freeze ends what waits");

        // One that came in as the freeze began.
        ask().await;
        let row = item("2").await["row"].clone();
        assert_eq!(row["failed_checks"], json!(["not_frozen"]));
        let (version, hash) = (row["version"].to_string(), row["hash"].as_str().unwrap());
        let case = [("kind", "fund_reset"), ("id", "2"), ("decision", "approve"), ("version", &version), ("hash", hash)];
        let refused = post(&server, &desk, "decide", &case).await.json();
        assert_eq!((&refused["data"]["error"], &refused["data"]["state"]), (&json!("E_STATE"), &json!("frozen")), "{refused}");
        assert_eq!(fund_password::approve_reset(app, 2, 1).await.unwrap_err().code.name(), "E_STATE");
        assert_eq!(fund_passwords::hash(&app.db, ann.id).await.unwrap(), before);
        assert!(app.sequencer.engine().security(ann.id).unwrap().changed.is_none(), "no hold begins");
        let mut case = case.to_vec();
        case[2].1 = "reject";
        case.push(("reason", "another person"));
        post(&server, &desk, "decide", &case).await.ok();
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

/// The code that makes `to` the address of an account.
pub async fn bind_code(server: &Server, who: &str, to: &str) -> String {
    let bind = [("user_string", to), ("type", "bind")];
    server.patient(async || server.post_as(token(who), "/api/sms_mail", &bind).await).await.ok();
    server.newest_message(to).await["code"].as_str().unwrap().to_owned()
}

/// A thief with session and password makes `to` the address of the account.
pub async fn steal(server: &Server, who: &str, to: &str) {
    let code = bind_code(server, who, to).await;
    let form = [("email", to), ("code", &code), ("password", "secret1")];
    server.post_as(token(who), "/api/user/edit_email", &form).await.ok();
}

/// The code by which the reader of this address stops the newest change.
pub async fn stop_code(server: &Server, old: &str) -> String {
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
        // The thief changes it again and undoes that change with its code; the code of the first change stays valid.
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

        // A day later nothing can be undone any more.
        let thief = server.member("bob@example.com").await;
        steal(&server, &thief, "eve4@example.com").await;
        let late = stop_code(&server, "bob@example.com").await;
        server.post("/sandbox/clock", &[("advance_ms", "86400001")]).await.ok();
        assert_eq!(stop(&late).await.error(), "E_CODE");
    });
}

/// A thief with session and password makes this number the phone of the account.
async fn steal_phone(server: &Server, who: &str, number: &str, otp: &str) {
    let bind = [("user_string", number), ("area_code", "49"), ("type", "bind")];
    server.patient(async || server.post_as(token(who), "/api/sms_send", &bind).await).await.ok();
    let code = server.newest_message(&format!("49-{number}")).await["code"].as_str().unwrap().to_owned();
    let form = [("mobile", number), ("area_code", "49"), ("code", &code), ("password", "secret1"), ("otp", otp)];
    server.post_as(token(who), "/api/user/edit_mobile", &form).await.ok();
}

/// Switches an authenticator on with the code of this step: its secret and the recovery codes.
pub async fn new_authenticator(server: &Server, who: &str) -> (Vec<u8>, Vec<String>) {
    let setup = server.post_as(token(who), "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
    let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
    let form = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &totp::code(&secret, past_step().await))];
    let enabled = server.post_as(token(who), "/api/user/totp/enable", &form).await.ok();
    let codes = enabled["recovery_codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    (secret, codes)
}

/// The owner sets a new password by mail.
pub async fn reset(server: &Server, email: &str, password: &str) {
    let code = server.mail_code(email, "forget").await;
    let form = [("account", email), ("code", &*code), ("password", password), ("re_password", password)];
    server.post("/api/user/forget", &form).await.ok();
}

#[test]
fn the_stop_of_a_change_of_the_mail_address_undoes_what_was_changed_after_it() {
    both_with(&["--withdrawal-code", "on"], |server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        ann.set_fund_password(&server).await;
        steal_phone(&server, &ann.token, "15112345678", "").await;
        ann.add_address(&server, TRON).await.ok();

        // The thief's address, card and fund password would reach her money, the rest her account.
        let thief = Member { id: ann.id, email: "eve@example.com".to_owned(), token: ann.token.clone() };
        steal(&server, &thief.token, "eve@example.com").await;
        let stop = stop_code(&server, "ann@example.com").await;
        steal_phone(&server, &thief.token, "15112345679", "").await;
        let code = thief.code(&server, "fund").await;
        let fund = [("password", "135790"), ("re_password", "135790"), ("login_password", "secret1"), ("code", &code)];
        thief.post(&server, "/api/safe/update_password", &fund).await.ok();
        let code = thief.code(&server, "operation").await;
        let other = [("currency_id", "3"), ("netType", "TRC20"), ("address", OTHER), ("pay_password", "135790"), ("code", &code)];
        thief.post(&server, "/api/wallet/addaddress", &other).await.ok();
        let card = [("bank_name", "ING"), ("bank_account", "1234567812345678"), ("real_name", "Ann Marie Lee"), ("bank_branch", "Main")];
        thief.post(&server, "/api/user/cash_save", &card).await.ok();
        let code = thief.code(&server, "operation").await;
        thief.post(&server, "/api/user/withdraw_code", &[("on", "0"), ("password", "secret1"), ("code", &code)]).await.ok();
        let ask = "insert into fund_resets (user_id, hash, status, version, created_at_ms) values ($1, 'his', 1, 1, $2)";
        server.running.app.db.exec(sql!(ask, ann.id.0, server.running.app.now_ms())).await.unwrap();
        new_authenticator(&server, &thief.token).await;

        server.post("/api/user/stop_email_change", &[("code", &stop)]).await.ok();
        assert_eq!(server.get_as(token(&thief.token), "/api/user/center").await.error(), "E_AUTH");
        assert_eq!(server.login("ann@example.com", "secret1").await.error(), "E_CREDENTIALS");
        let forgotten = [("user_string", "15112345679"), ("area_code", "49"), ("type", "forget")];
        server.post("/api/sms_send", &forgotten).await.ok();
        assert!(
            server.newest_message("49-15112345679").await["code"].is_null()
                || server.newest_message("49-15112345679").await["purpose"] != "forget"
        );
        reset(&server, "ann@example.com", "secret2").await;
        let ann = Member { token: log_in(&server, "ann@example.com", "secret2").await, ..ann };
        let center = ann.get(&server, "/api/user/center").await;
        let shown = json!([center["email"], center["totp"], center["withdraw_code"], center["withdraw_code_until_ms"]]);
        assert_eq!(shown, json!(["an***@example.com", 0, "on", null]));
        assert!(center["phone"].as_str().unwrap().ends_with("78") && center["withdraw_hold_until_ms"].is_u64(), "{center}");
        let addresses = ann.get(&server, "/api/wallet/get_address?currency=3").await;
        assert_eq!(addresses.as_array().unwrap().iter().map(|row| &row["address"]).collect::<Vec<_>>(), [TRON]);
        assert_eq!(ann.get(&server, "/api/user/cash_list").await, json!([]));
        let open = server.running.app.db.query(sql!("select count(*) from fund_resets where status in (1, 4)")).await.unwrap();
        assert_eq!(open.rows[0].int(0).unwrap(), 0);
        let fund = [("type", "2"), ("old_password", FUND), ("password", "111111")];
        ann.post(&server, "/api/user/e_pwd", &fund).await.ok();
    });
}

#[test]
fn the_stop_of_a_change_of_the_mail_address_brings_back_the_authenticator_of_before() {
    both(|server| async move {
        let thief = server.member("ann@example.com").await;
        let step = || totp::step(server.running.app.clock.wall_ms());
        let (secret, recovery) = new_authenticator(&server, &thief).await;
        // The thief saw two of her codes, or two of her recovery codes.
        let bind = [("user_string", "eve@example.com"), ("type", "bind")];
        server.post_as(token(&thief), "/api/sms_mail", &bind).await.ok();
        let code = server.newest_message("eve@example.com").await["code"].as_str().unwrap().to_owned();
        let form = [("email", "eve@example.com"), ("code", &code), ("password", "secret1"), ("otp", &totp::code(&secret, step()))];
        server.post_as(token(&thief), "/api/user/edit_email", &form).await.ok();
        let stop = stop_code(&server, "ann@example.com").await;
        let off = [("password", "secret1"), ("code", &*totp::code(&secret, step() + 1))];
        server.post_as(token(&thief), "/api/user/totp/disable", &off).await.ok();
        let (his, _) = new_authenticator(&server, &thief).await;

        server.post("/api/user/stop_email_change", &[("code", &stop)]).await.ok();
        reset(&server, "ann@example.com", "secret2").await;
        let verify = async |method: &str, code: &str| {
            let open = server.login("ann@example.com", "secret2").await.json();
            let form = [("challenge", open["data"]["challenge"].as_str().unwrap()), ("method", method), ("code", code)];
            server.post("/api/user/login/verify", &form).await
        };
        assert_eq!(verify("totp", &totp::code(&his, step() + 1)).await.error(), "E_2FA_WRONG");
        verify("recovery", &recovery[0]).await.ok();
    });
}

#[test]
fn whatever_a_thief_changes_first_is_undone_by_the_message_about_it() {
    both(|server| async move {
        let thief = server.member("ann@example.com").await;
        let step = || totp::step(server.running.app.clock.wall_ms());
        let undo = async |code: &str| server.post("/api/user/stop_email_change", &[("code", code)]).await;
        // An authenticator, the phone, then the address: if the first stayed, the owner could not log in any more.
        let (secret, _) = new_authenticator(&server, &thief).await;
        let first = stop_code(&server, "ann@example.com").await;
        steal_phone(&server, &thief, "15112345670", &totp::code(&secret, step())).await;
        let second = stop_code(&server, "ann@example.com").await;
        let bind = [("user_string", "eve@example.com"), ("type", "bind")];
        server.post_as(token(&thief), "/api/sms_mail", &bind).await.ok();
        let code = server.newest_message("eve@example.com").await["code"].as_str().unwrap().to_owned();
        let form = [("email", "eve@example.com"), ("code", &code), ("password", "secret1"), ("otp", &totp::code(&secret, step() + 1))];
        server.post_as(token(&thief), "/api/user/edit_email", &form).await.ok();

        undo(&first).await.ok();
        assert_eq!(undo(&second).await.error(), "E_CODE", "later changes are over as well");
        assert_eq!(server.get_as(token(&thief), "/api/user/center").await.error(), "E_AUTH");
        reset(&server, "ann@example.com", "secret2").await;
        let ann = log_in(&server, "ann@example.com", "secret2").await;
        let center = server.get_as(token(&ann), "/api/user/center").await.ok();
        assert_eq!(json!([center["email"], center["phone"], center["totp"]]), json!(["an***@example.com", "", 0]));
        assert!(center["withdraw_hold_until_ms"].is_u64());

        // A thief saw his authenticator codes.
        let bob = server.member("bob@example.com").await;
        let (secret, recovery) = new_authenticator(&server, &bob).await;
        let form = [("password", "secret1"), ("code", &*totp::code(&secret, step()))];
        let renewed = server.post_as(token(&bob), "/api/user/totp/recovery", &form).await.ok();
        let renewal = stop_code(&server, "bob@example.com").await;
        let form = [("password", "secret1"), ("code", renewed["recovery_codes"][0].as_str().unwrap())];
        server.post_as(token(&bob), "/api/user/totp/disable", &form).await.ok();
        let off = stop_code(&server, "bob@example.com").await;
        undo(&off).await.ok();
        undo(&renewal).await.ok();
        reset(&server, "bob@example.com", "secret2").await;
        let open = server.login("bob@example.com", "secret2").await.json();
        let form = [("challenge", open["data"]["challenge"].as_str().unwrap()), ("method", "recovery"), ("code", &recovery[0])];
        server.post("/api/user/login/verify", &form).await.ok();
    });
}

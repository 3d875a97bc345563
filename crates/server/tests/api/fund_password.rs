use engine::backoffice::acts::Decision;
use engine::identity::KycLevel;
use serde_json::json;
use server::api::account::fund_password::{approve_reset, reject_reset};
use store::{sql, totp};

use crate::harness::{Server, both, token};
use crate::operator::operator;
use crate::people::{FUND, Member, TRON, decide_identity};

#[test]
fn five_wrong_entries_lock_it_for_three_hours_also_over_a_restart() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        assert_eq!(ann.get(&server, "/api/user/has_password").await, 2);
        let first = |code: &str, password: &str| {
            let fields = [
                ("password", password.to_owned()),
                ("re_password", password.to_owned()),
                ("login_password", "secret1".to_owned()),
                ("code", code.to_owned()),
            ];
            let (server, ann) = (&server, &ann);
            async move {
                let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                ann.post(server, "/api/safe/update_password", &fields).await
            }
        };
        for wrong in ["12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(first("000000", wrong).await.error(), "E_FUNDPW_FORM");
        }
        let code = ann.code(&server, "fund").await;
        assert_eq!(first("000000", FUND).await.error(), "E_CODE");
        let set = first(&code, FUND).await;
        assert_eq!((&set.data()["review"], &set.data()["hold_until_ms"]), (&json!(0), &json!(null)));
        assert_eq!(first(&code, "111111").await.error(), "E_CODE");
        assert_eq!(ann.get(&server, "/api/user/center").await["fund_password"], 1);

        let change = async |server: &crate::harness::Server, old: &str, new: &str| {
            let fields = [("type", "2"), ("old_password", old), ("password", new)];
            ann.post(server, "/api/user/e_pwd", &fields).await
        };
        assert_eq!(change(&server, FUND, FUND).await.error(), "E_PASSWORD_SAME");
        for left in [4, 3, 2, 1, 0] {
            assert_eq!(change(&server, "000000", "111111").await.json()["data"]["left"], left);
        }
        let locked = change(&server, FUND, "111111").await;
        assert_eq!(locked.error(), "E_FUNDPW_LOCKED");
        server.restart().await;
        let again = change(&server, FUND, "111111").await;
        assert_eq!((again.error(), &again.json()["data"]), ("E_FUNDPW_LOCKED".to_owned(), &locked.json()["data"]));
        server.post("/sandbox/clock", &[("advance_ms", "10800000")]).await.ok();
        change(&server, FUND, "111111").await.ok();
        assert!(ann.get(&server, "/api/user/center").await["withdraw_hold_until_ms"].is_u64());
        assert_eq!(change(&server, FUND, "222222").await.json()["data"]["left"], 4);
    });
}

#[test]
fn a_new_login_password_of_six_digits_is_a_guess_that_counts() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let change = async |old: &str, new: &str| ann.post(&server, "/api/user/e_pwd", &[("old_password", old), ("password", new)]).await;
        change("secret1", "000000").await.ok();
        change("000000", "secret1").await.ok();
        ann.set_fund_password(&server).await;
        assert_eq!(change("secret1", FUND).await.error(), "E_PASSWORD_SAME");
        let guesses = ["secret1", "000001", "000002", "000003", "000004", "000005"];
        for pair in guesses.windows(2) {
            change(pair[0], pair[1]).await.ok();
        }
        assert_eq!(change("000005", FUND).await.error(), "E_FUNDPW_LOCKED");
        assert_eq!(change("000005", "000006").await.error(), "E_FUNDPW_LOCKED");
        change("000005", "secret1").await.ok();
    });
}

#[test]
fn a_reset_ends_the_lock_and_needs_an_operator_for_an_advanced_member() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let wrong = [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", "000000"), ("code", "000000")];
        for _ in 0..5 {
            assert_eq!(ann.post(&server, "/api/wallet/addaddress", &wrong).await.error(), "E_FUNDPW_WRONG");
        }
        assert_eq!(ann.post(&server, "/api/wallet/addaddress", &wrong).await.error(), "E_FUNDPW_LOCKED");
        let reset = async |password: &str| {
            let code = ann.code(&server, "fund").await;
            let form = [("password", password), ("re_password", password), ("login_password", "secret1"), ("code", &code)];
            ann.post(&server, "/api/safe/update_password", &form).await
        };
        let done = reset("111111").await;
        assert!(done.data()["review"] == 0 && done.data()["hold_until_ms"].is_u64());
        assert!(ann.get(&server, "/api/user/center").await["fund_locked_until_ms"].is_null());

        advance(&server, &ann).await;
        assert_eq!(reset("222222").await.data()["review"], 1);
        // The deciding operator compares the holder, in a view that is recorded.
        let desk = operator(&server, "vic", &["verifier"]).await;
        let item = server.get_as(token(&desk), "/operator/api/item?kind=fund_reset&id=1&reason=compare").await.ok();
        let (key, view) = (item["files"][0]["key"].as_str().unwrap(), item["view_id"].to_string());
        assert_eq!((item["files"].as_array().unwrap().len(), &item["files"][0]["label"]), (1, &json!("holder")));
        let (shown, bytes) = server.bytes(token(&desk), &format!("/operator/api/file?key={key}&view_id={view}")).await;
        assert_eq!((shown.status, &bytes[..2]), (200, &[0xff, 0xd8][..]));
        let change =
            async |old: &str| ann.post(&server, "/api/user/e_pwd", &[("type", "2"), ("old_password", old), ("password", "333333")]).await;
        assert_eq!(change("222222").await.error(), "E_FUNDPW_WRONG");
        let app = &server.running.app;
        assert_eq!(approve_reset(app, 1, 7).await.unwrap_err().code.name(), "E_VERSION");
        approve_reset(app, 1, 1).await.unwrap();
        assert_eq!(approve_reset(app, 1, 1).await.unwrap_err().code.name(), "E_STATE");
        change("222222").await.ok();
    });
}

#[test]
fn a_new_phone_needs_its_code_and_starts_the_hold_over_a_restart() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let phone = [("user_string", "15112345678"), ("area_code", "49"), ("type", "bind")];
        ann.post(&server, "/api/sms_send", &phone).await.ok();
        let code = server.newest_message("49-15112345678").await["code"].as_str().unwrap().to_owned();
        let change = async |password: &str, code: &str| {
            let form = [("mobile", "15112345678"), ("area_code", "49"), ("code", code), ("password", password)];
            ann.post(&server, "/api/user/edit_mobile", &form).await
        };
        assert_eq!(change("secret2", &code).await.error(), "E_PASSWORD_OLD");
        assert_eq!(change("secret1", "x").await.error(), "E_CODE");
        change("secret1", &code).await.ok();
        assert_eq!(change("secret1", &code).await.error(), "E_CODE");
        server.restart().await;
        let center = ann.get(&server, "/api/user/center").await;
        assert_eq!((&center["phone"], &center["area_code"]), (&json!("15****78"), &json!("49")));
        assert!(center["withdraw_hold_until_ms"].as_u64().unwrap() > server.running.app.now_ms() + 86_000_000);
    });
}

/// Verified to the advanced level.
async fn advance(server: &Server, who: &Member) {
    who.verify(server, "AB123456").await;
    let picture = async || server.picture(&who.token, "kyc").await;
    let (front, back, hand) = (picture().await, picture().await, picture().await);
    who.post(server, "/api/user/real_name2", &[("front_pic", &front), ("reverse_pic", &back), ("hand_pic", &hand)]).await.ok();
    for operator in [1, 2] {
        decide_identity(server, operator, who.id, KycLevel::Advanced, Decision::Approve).await;
    }
}

#[test]
fn what_becomes_of_a_code_tells_nothing_about_the_fund_password() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        ann.set_fund_password(&server).await;
        let tries = async || {
            let done = server.running.app.db.query(sql!("select length(wrong) / 17 from codes where purpose = 'operation'")).await.unwrap();
            done.first().map(|row| row.id(0).unwrap())
        };
        let withdraw = async |password: &str, code: &str| {
            let form = [("currency", "3"), ("number", "10"), ("address_id", "7"), ("pay_password", password), ("code", code)];
            ann.post(&server, "/api/wallet/out", &form).await.error()
        };
        let add = async |password: &str, code: &str| {
            let form = [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", password), ("code", code)];
            ann.post(&server, "/api/wallet/addaddress", &form).await.error()
        };
        // Refused before the fund password counts: a guess has the same effect, right or wrong.
        for (tried, password) in [(1, FUND), (2, "000000")] {
            if tried == 1 {
                ann.code(&server, "operation").await;
            }
            assert_eq!(withdraw(password, "x").await, "E_ADDRESS_UNSET");
            assert_eq!(tries().await, Some(tried));
        }
        for password in [FUND, "000000"] {
            let code = ann.code(&server, "operation").await;
            assert_eq!(withdraw(password, &code).await, "E_ADDRESS_UNSET");
            assert_eq!(tries().await, None);
        }

        // A guess that counts leaves the code valid: only the fund password has to be typed again.
        let code = ann.code(&server, "operation").await;
        assert_eq!(add("000000", &code).await, "E_FUNDPW_WRONG");
        assert_eq!(tries().await, Some(0));
        assert_eq!(add(FUND, &code).await, "");

        for _ in 0..5 {
            let wrong = [("type", "2"), ("old_password", "000000"), ("password", "111111")];
            assert_eq!(ann.post(&server, "/api/user/e_pwd", &wrong).await.error(), "E_FUNDPW_WRONG");
        }
        let code = ann.code(&server, "operation").await;
        for (password, code) in [(FUND, "x"), ("000000", "x"), (FUND, &code), ("000000", &code)] {
            assert_eq!(add(password, code).await, "E_FUNDPW_LOCKED");
            assert_eq!(tries().await, Some(0));
        }
    });
}

#[test]
fn a_reset_does_not_tell_the_present_fund_password() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let setup = ann.post(&server, "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let step = totp::step(server.running.app.clock.wall_ms());
        let enable = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &totp::code(&secret, step))];
        ann.post(&server, "/api/user/totp/enable", &enable).await.ok();
        let code = ann.code(&server, "fund").await;
        let reset = async |password: &str, otp: &str| {
            let form = [("password", password), ("re_password", password), ("login_password", "secret1"), ("code", &code), ("otp", otp)];
            ann.post(&server, "/api/safe/update_password", &form).await
        };
        for password in [FUND, "111111"] {
            assert_eq!(reset(password, "").await.error(), "E_2FA_REQUIRED");
            assert_eq!(reset(password, "x").await.error(), "E_2FA_WRONG");
        }
        reset(FUND, &totp::code(&secret, step + 1)).await.ok();
    });
}

#[test]
fn of_decisions_at_the_same_time_one_acts_and_a_broken_approval_goes_on() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        advance(&server, &ann).await;
        let ask = async |password: &str| {
            let code = ann.code(&server, "fund").await;
            let form = [("password", password), ("re_password", password), ("login_password", "secret1"), ("code", &code)];
            assert_eq!(ann.post(&server, "/api/safe/update_password", &form).await.data()["review"], 1);
        };
        let app = &server.running.app;
        let is_reset = || app.sequencer.engine().security(ann.id).unwrap().changed.is_some();
        assert!(!is_reset());
        ask("111111").await;
        let (one, no, two) = tokio::join!(approve_reset(app, 1, 1), reject_reset(app, 1, 1, "Not him"), approve_reset(app, 1, 1));
        assert_eq!(is_reset(), no.is_err());
        let lost: Vec<&str> = [one, no, two].into_iter().filter_map(|decided| decided.err().map(|refusal| refusal.code.name())).collect();
        assert!(lost.len() == 2 && lost.iter().all(|name| matches!(*name, "E_STATE" | "E_VERSION")), "{lost:?}");

        ask("222222").await;
        app.db.run(vec![store::fund_passwords::claim(2, 1)]).await.unwrap();
        assert_eq!(approve_reset(app, 2, 1).await.unwrap_err().code.name(), "E_VERSION");
        assert_eq!(reject_reset(app, 2, 2, "Not him").await.unwrap_err().code.name(), "E_STATE");
        approve_reset(app, 2, 2).await.unwrap();
        assert_eq!(approve_reset(app, 2, 3).await.unwrap_err().code.name(), "E_STATE");
        let change = [("type", "2"), ("old_password", "222222"), ("password", "333333")];
        ann.post(&server, "/api/user/e_pwd", &change).await.ok();
    });
}

use std::cell::Cell;

use serde_json::{Value as Json, json};
use store::sql;
use store::totp;

use crate::harness::{Answer, As, Server, both, past_step, token};
use crate::people::{FUND, Member, TRON};
use crate::socket::Client;

/// An authenticator app: it gives each code once.
struct Phone {
    secret: Vec<u8>,
    last: Cell<u64>,
}

impl Phone {
    fn new(base32: &str) -> Phone {
        Phone { secret: data_encoding::BASE32_NOPAD.decode(base32.as_bytes()).unwrap(), last: Cell::new(0) }
    }

    async fn code(&self) -> String {
        let past = past_step().await;
        self.last.set((self.last.get() + 1).max(past));
        assert!(self.last.get() <= past + 2, "codes are used up faster than time passes");
        self.last_code()
    }

    fn last_code(&self) -> String {
        totp::code(&self.secret, self.last.get())
    }

    /// A code that fits no step near now.
    fn wrong(&self) -> String {
        totp::code(&self.secret, 7)
    }
}

/// Ann with two-factor log-in: her token, her phone, her recovery codes.
async fn ann(server: &Server) -> (String, Phone, Vec<String>) {
    let who = server.member("ann@example.com").await;
    let (phone, codes) = switch_on(server, &who).await;
    (who, phone, codes)
}

/// A phone and its recovery codes.
async fn switch_on(server: &Server, who: &str) -> (Phone, Vec<String>) {
    assert_eq!(server.post_as(token(who), "/api/user/totp/setup", &[("password", "wrong-1")]).await.error(), "E_PASSWORD_OLD");
    let setup = server.post_as(token(who), "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
    let (id, secret) = (setup["setup_id"].as_str().unwrap(), setup["secret"].as_str().unwrap());
    assert!(setup["uri"].as_str().unwrap().contains(&format!("secret={secret}&issuer=Meridian")));
    let phone = Phone::new(secret);
    let wrong = server.post_as(token(who), "/api/user/totp/enable", &[("setup_id", id), ("code", &phone.wrong())]).await;
    assert_eq!(wrong.error(), "E_2FA_WRONG");
    let on = server.post_as(token(who), "/api/user/totp/enable", &[("setup_id", id), ("code", &phone.code().await)]).await.ok();
    let codes: Vec<String> = serde_json::from_value(on["recovery_codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    (phone, codes)
}

async fn challenge(server: &Server) -> String {
    let answer = server.login("ann@example.com", "secret1").await;
    assert_eq!((answer.error().as_str(), &answer.json()["data"]["methods"]), ("E_2FA_REQUIRED", &json!(["totp", "recovery"])));
    answer.json()["data"]["challenge"].as_str().unwrap().to_owned()
}

async fn verify(server: &Server, challenge: &str, method: &str, code: &str) -> Answer {
    server.post("/api/user/login/verify", &[("challenge", challenge), ("method", method), ("code", code)]).await
}

#[test]
fn a_log_in_needs_the_phone_and_each_code_works_once() {
    both(|server| async move {
        let (who, phone, _) = ann(&server).await;
        assert_eq!(server.get_as(token(&who), "/api/user/center").await.ok()["totp"], 1);
        let again = server.post_as(token(&who), "/api/user/totp/setup", &[("password", "secret1")]).await;
        assert_eq!(again.error(), "E_STATE");
        assert_eq!(server.login("ann@example.com", "wrong-1").await.error(), "E_CREDENTIALS");

        let first = challenge(&server).await;
        assert_eq!(verify(&server, &first, "totp", &phone.last_code()).await.error(), "E_2FA_WRONG");
        assert_eq!(verify(&server, &first, "totp", &phone.wrong()).await.error(), "E_2FA_WRONG");
        assert_eq!(verify(&server, &first, "totp", "").await.error(), "E_FIELD");
        assert_eq!(verify(&server, &"0".repeat(64), "totp", &phone.wrong()).await.error(), "E_CHALLENGE");
        let code = phone.code().await;
        let second = challenge(&server).await;
        // Of two simultaneous log-ins with one code, one succeeds.
        let (one, two) = tokio::join!(verify(&server, &first, "totp", &code), verify(&server, &second, "totp", &code));
        let mut errors = [one.error(), two.error()];
        errors.sort();
        assert_eq!(errors, ["", "E_2FA_WRONG"]);
        let (used, open) = if one.error().is_empty() { (&first, &second) } else { (&second, &first) };
        let token_of = if one.error().is_empty() { one.ok() } else { two.ok() };
        server.get_as(token(token_of.as_str().unwrap()), "/api/user/center").await.ok();
        assert_eq!(verify(&server, used, "totp", &phone.code().await).await.error(), "E_CHALLENGE");
        verify(&server, open, "totp", &phone.last_code()).await.ok();
        let passkey = [("challenge", challenge(&server).await), ("method", "passkey".to_owned()), ("credential", "{}".to_owned())];
        let passkey: Vec<(&str, &str)> = passkey.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(server.post("/api/user/login/verify", &passkey).await.error(), "E_2FA_WRONG");

        let history = server.get_as(token(&who), "/api/user/login_history?limit=100").await.ok();
        let ways: Vec<(Json, Json)> =
            history["data"].as_array().unwrap().iter().map(|row| (row["method"].clone(), row["ok"].clone())).collect();
        assert_eq!(ways[0], (json!("passkey"), json!(0)));
        assert_eq!(ways.iter().filter(|way| **way == (json!("totp"), json!(1))).count(), 2);
        assert_eq!(ways.last(), Some(&(json!("password"), json!(1))));
    });
}

#[test]
fn a_recovery_code_works_once_and_new_ones_end_the_old() {
    both(|server| async move {
        let (who, phone, codes) = ann(&server).await;
        let typed = codes[0].to_lowercase().replace('-', " ");
        let mut elsewhere = Client::connect(&server, json!({"token": who})).await;
        verify(&server, &challenge(&server).await, "recovery", &typed).await.ok();
        let told = elsewhere.event("notification").await;
        assert!(told["data"]["content"].as_str().unwrap().contains("Codes left: 9"), "{told}");
        assert_eq!(verify(&server, &challenge(&server).await, "recovery", &codes[0]).await.error(), "E_2FA_WRONG");
        let told = server.get_as(token(&who), "/api/notice/list?kind=security").await.ok();
        assert!(told["data"][0]["content"].as_str().unwrap().contains("Codes left: 9"), "{told}");

        let renew = |code: String| {
            let (server, who) = (&server, &who);
            async move { server.post_as(token(who), "/api/user/totp/recovery", &[("password", "secret1"), ("code", &code)]).await }
        };
        assert_eq!(renew(codes[1].clone()).await.error(), "E_2FA_WRONG");
        let fresh = renew(phone.code().await).await.ok();
        assert_eq!(verify(&server, &challenge(&server).await, "recovery", &codes[1]).await.error(), "E_2FA_WRONG");
        verify(&server, &challenge(&server).await, "recovery", fresh["recovery_codes"][9].as_str().unwrap()).await.ok();

        let off = [("password", "secret1"), ("code", fresh["recovery_codes"][0].as_str().unwrap())];
        server.post_as(token(&who), "/api/user/totp/disable", &off).await.ok();
        assert!(server.get_as(token(&who), "/api/user/center").await.ok()["withdraw_hold_until_ms"].is_u64());
        assert_eq!(server.post_as(token(&who), "/api/user/totp/disable", &off).await.error(), "E_STATE");
        server.login("ann@example.com", "secret1").await.ok();
    });
}

#[test]
fn wrong_codes_wait_and_a_known_password_does_not_wipe_their_count() {
    both(|server| async move {
        let (_, phone, codes) = ann(&server).await;
        for _ in 0..5 {
            assert_eq!(verify(&server, &challenge(&server).await, "totp", &phone.wrong()).await.error(), "E_2FA_WRONG");
        }
        let open = challenge(&server).await;
        assert_eq!(verify(&server, &open, "recovery", "AAAAA-AAAAA").await.error(), "E_2FA_WRONG");
        // Now even the right code has to wait.
        server.lengthen_waits().await;
        let waits = verify(&server, &open, "recovery", &codes[0]).await;
        assert_eq!((waits.status, waits.error().as_str()), (429, "E_LOGIN_WAIT"));
        server.post("/sandbox/clock", &[("advance_ms", "4600000")]).await.ok();
        verify(&server, &open, "recovery", &codes[0]).await.ok();
    });
}

#[test]
fn a_change_of_password_asks_for_a_code_that_was_not_used() {
    both(|server| async move {
        let (who, phone, _) = ann(&server).await;
        let change = |otp: String| {
            let (server, who) = (&server, &who);
            async move {
                let form = [("old_password", "secret1"), ("password", "secret2"), ("otp", otp.as_str())];
                server.post_as(token(who), "/api/user/e_pwd", &form).await
            }
        };
        assert_eq!(change(String::new()).await.error(), "E_2FA_REQUIRED");
        assert_eq!(change(phone.last_code()).await.error(), "E_2FA_WRONG");
        change(phone.code().await).await.ok();
    });
}

#[test]
fn a_repeated_command_counts_its_code_once() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let (phone, _) = switch_on(&server, &ann.token).await;
        let add = async |server: &Server, key: &str, code: &str, otp: &str| {
            let form =
                [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", FUND), ("code", code), ("otp", otp)];
            server.post_as(As { token: &ann.token, key, lang: "" }, "/api/wallet/addaddress", &form).await
        };
        let code = ann.code(&server, "operation").await;
        for (key, otp, name) in [("wrong", phone.wrong(), "E_2FA_WRONG"), ("right", phone.code().await, "")] {
            let first = add(&server, key, &code, &otp).await;
            assert_eq!(first.error(), name);
            for _ in 0..7 {
                let again = add(&server, key, &code, &otp).await;
                assert_eq!((again.text.as_str(), again.header("x-idempotent-replay")), (first.text.as_str(), "1"));
            }
            // Ten in a row are the limit of the class; a restarted server has a new bucket.
            server.restart().await;
        }
    });
}

#[test]
fn a_set_up_belongs_to_who_began_it_and_its_secret_is_sealed() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let setup = server.post_as(token(&ann), "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let phone = Phone::new(setup["secret"].as_str().unwrap());
        let done = server.running.app.db.query(sql!("select secret from totp_setups")).await.unwrap();
        assert!(!done.rows[0].blob(0).unwrap().windows(20).any(|part| part == phone.secret));
        let id = setup["setup_id"].as_str().unwrap();
        let foreign = server.post_as(token(&bob), "/api/user/totp/enable", &[("setup_id", id), ("code", &phone.code().await)]).await;
        assert_eq!(foreign.error(), "E_CHALLENGE");
        // A new set-up ends the previous one.
        server.post_as(token(&ann), "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let old = server.post_as(token(&ann), "/api/user/totp/enable", &[("setup_id", id), ("code", &phone.code().await)]).await;
        assert_eq!(old.error(), "E_CHALLENGE");
    });
}

#[test]
fn a_log_in_by_the_old_password_that_waits_for_its_code_ends_with_that_password() {
    both(|server| async move {
        let (_, phone, recovery) = ann(&server).await;
        let waiting = challenge(&server).await;
        let code = server.mail_code("ann@example.com", "forget").await;
        let form = [("account", "ann@example.com"), ("code", &code), ("password", "secret2"), ("repassword", "secret2")];
        server.post("/api/user/forget", &form).await.ok();
        assert_eq!(verify(&server, &waiting, "totp", &phone.code().await).await.error(), "E_CHALLENGE");
        assert_eq!(verify(&server, &waiting, "recovery", &recovery[0]).await.error(), "E_CHALLENGE");
    });
}

#[test]
fn a_log_in_that_meets_a_new_password_waits_for_no_code_by_the_old_one() {
    both(|server| async move {
        let (_, _, recovery) = ann(&server).await;
        let code = server.mail_code("ann@example.com", "forget").await;
        let form = [("account", "ann@example.com"), ("code", &code), ("password", "secret2"), ("repassword", "secret2")];
        let hashed = || server.running.app.hasher.done();
        let before = hashed();
        let change = async { server.post("/api/user/forget", &form).await.ok() };
        let meanwhile = async {
            while hashed() == before {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
            futures_util::future::join_all((0..5).map(|_| server.login("ann@example.com", "secret1"))).await
        };
        let (_, tried) = tokio::join!(change, meanwhile);
        for (answer, recovery) in tried.iter().zip(&recovery) {
            let Some(waiting) = answer.json()["data"]["challenge"].as_str().map(str::to_owned) else { continue };
            assert_eq!(verify(&server, &waiting, "recovery", recovery).await.error(), "E_CHALLENGE");
        }
    });
}

use futures_util::FutureExt;
use serde_json::Value as Json;
use server::http::auth::digest;

use crate::harness::{Answer, As, Server, both, both_with, sign_up, token};

#[test]
fn a_person_signs_up_by_mail_logs_in_and_logs_out() {
    both(|server| async move {
        let registered = server.register("ann@example.com").await;
        assert!(registered["user_id"].as_u64() > Some(1));
        let login = server.login("Ann@Example.com", "secret1").await;
        let who = login.ok();
        let who = who.as_str().unwrap();
        assert_eq!(who.len(), 64);
        assert_eq!(login.data()["user_id"], registered["user_id"]);
        let center = server.get_as(token(who), "/api/user/center").await.ok();
        assert_eq!(center["account_number"], registered["account_number"]);
        assert_eq!(center["email"], "an***@example.com");
        let bearer = format!("Bearer {who}");
        server.get_as(token(&bearer), "/api/user/center2").await.ok();
        server.post_as(token(who), "/api/user/logout", &[]).await.ok();
        let after = server.get_as(token(who), "/api/user/center").await;
        assert_eq!((after.status, after.json()["type"].as_str(), after.error().as_str()), (200, Some("999"), "E_AUTH"));
        // The account number is a login name too.
        let number = registered["account_number"].as_str().unwrap();
        server.login(number, "secret1").await.ok();
    });
}

#[test]
fn a_person_signs_up_and_recovers_by_phone() {
    both(|server| async move {
        let phone = [("user_string", "15112345678"), ("areacode", "49")];
        let code = phone_code(&server, &phone, "register").await;
        let form = [("type", "mobile"), ("code", &code), ("password", "secret1"), ("re_password", "secret1"), ("agree", "1")];
        server.post("/api/user/register", &[&phone[..], &form[..]].concat()).await.ok();
        let login = |password| [&phone[..], &[("password", password)][..]].concat();
        let first = server.post("/api/user/login", &login("secret1")).await.ok();

        let code = phone_code(&server, &phone, "forget").await;
        let check = server.post("/api/user/check_mobile", &[&phone[..], &[("mobile_code", code.as_str())][..]].concat()).await;
        assert!(check.data()["valid_until_ms"].as_u64() > Some(0));
        let form = [("account", "15112345678"), ("area_code", "49"), ("code", &code), ("password", "secret2"), ("repassword", "secret2")];
        server.post("/api/user/forget", &form).await.ok();
        assert_eq!(server.post("/api/user/login", &login("secret1")).await.error(), "E_CREDENTIALS");
        let second = server.post("/api/user/login", &login("secret2")).await.ok();
        // A new password ends every session, and holds withdrawals for a day.
        assert_eq!(server.get_as(token(first.as_str().unwrap()), "/api/user/center").await.error(), "E_AUTH");
        let center = server.get_as(token(second.as_str().unwrap()), "/api/user/center").await.ok();
        assert!(center["withdraw_hold_until_ms"].as_u64() > Some(0));
        assert_eq!((center["phone"].as_str(), center["area_code"].as_str()), (Some("15****78"), Some("49")));
        // The code was used up.
        assert_eq!(server.post("/api/user/forget", &form).await.error(), "E_CODE");
    });
}

async fn phone_code(server: &Server, phone: &[(&str, &str)], purpose: &str) -> String {
    server.post("/api/sms_send", &[phone, &[("type", purpose)]].concat()).await.ok();
    server.newest_message("+49 15112345678").await["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_form_is_refused_for_its_first_fault_in_order() {
    both(|server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let good = sign_up("ann@example.com", &code);
        let with = |name: &str, value: &'static str| {
            let mut form = good.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
            form.retain(|(field, _)| field != name);
            form.push((name.to_owned(), value.to_owned()));
            form
        };
        for (name, value, error) in [
            ("agree", "", "E_FIELD"),
            ("type", "pigeon", "E_FIELD"),
            ("user_string", "no mail", "E_EMAIL"),
            ("password", "short", "E_PASSWORD_SHORT"),
            ("re_password", "other12", "E_PASSWORD_MATCH"),
            ("agree", "0", "E_AGREEMENT"),
            ("extension_code", "NOBODYS1", "E_INVITE"),
            ("country", "XX", "E_FIELD"),
            ("code", "000000x", "E_CODE"),
        ] {
            let form = with(name, value);
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(server.post("/api/user/register", &form).await.error(), error, "{name}={value}");
        }
        let long = "x".repeat(129);
        let mut form = good;
        (form[3].1, form[4].1) = (&long, &long);
        assert_eq!(server.post("/api/user/register", &form).await.error(), "E_PASSWORD_LONG");
        // None of these used the code up.
        server.post("/api/user/register", &good).await.ok();
    });
}

#[test]
fn an_invitation_code_must_belong_to_somebody() {
    both(|server| async move {
        let inviter = server.member("old@example.com").await;
        let invite = server.get_as(token(&inviter), "/api/user/center").await.ok()["extension_code"].as_str().unwrap().to_owned();
        let code = server.mail_code("new@example.com", "register").await;
        let form = [&sign_up("new@example.com", &code)[..], &[("extension_code", invite.as_str())][..]].concat();
        server.post("/api/user/register", &form).await.ok();
    });
}

/// The part of an answer that an outsider can compare: everything but times and numbers of requests.
fn outside(answer: &Answer) -> (u16, Json) {
    let mut json = answer.json();
    for field in ["resend_ms", "expires_ms", "retry_ms"] {
        if json["data"][field].is_number() {
            json["data"][field] = Json::from(0);
        }
    }
    (answer.status, json)
}

#[test]
fn no_answer_tells_whether_an_account_exists() {
    both(|server| async move {
        server.register("known@example.com").await;
        tokio::time::sleep(std::time::Duration::from_millis(1300)).await;
        for purpose in ["register", "forget"] {
            let known = server.post("/api/sms_mail", &[("user_string", "known@example.com"), ("type", purpose)]).await;
            let other = server.post("/api/sms_mail", &[("user_string", "knife@example.com"), ("type", purpose)]).await;
            assert_eq!(outside(&known), outside(&other), "{purpose}");
        }
        let guess = [("code", "123456"), ("password", "secret1"), ("re_password", "secret1"), ("agree", "1"), ("type", "email")];
        for (path, field) in [("/api/user/forget", "account"), ("/api/user/register", "user_string")] {
            let known = server.post(path, &[&[(field, "known@example.com")][..], &guess].concat()).await;
            let other = server.post(path, &[&[(field, "knife@example.com")][..], &guess].concat()).await;
            assert_eq!(known.error(), "E_CODE", "{path}: {}", known.text);
            assert_eq!(outside(&known), outside(&other), "{path}");
        }
        // Short waits pass while a busy machine computes hashes, so they are compared as stored, and the last one is long.
        for failure in 1..=11 {
            let known = server.login("known@example.com", "wrong-1").await;
            let other = server.login("knife@example.com", "wrong-1").await;
            assert_eq!(known.error(), "E_CREDENTIALS", "{failure}");
            assert_eq!(outside(&known), outside(&other), "{failure}");
            let rows =
                server.running.app.db.query(store::sql!("select until_ms, at_ms from waits order by until_ms desc")).await.unwrap().rows;
            let waits: Vec<u64> = rows.iter().map(|row| row.id(0).unwrap().saturating_sub(row.id(1).unwrap())).collect();
            // The waits of this source, and those of all sources, which start later.
            assert_eq!(waits, [waits[0], waits[0], 0, 0], "{failure}");
            if (6..11).contains(&failure) {
                server.post("/sandbox/clock", &[("advance_ms", "60000")]).await.ok();
            }
        }
        let known = server.login("known@example.com", "wrong-1").await;
        let other = server.login("knife@example.com", "wrong-1").await;
        assert_eq!(known.error(), "E_LOGIN_WAIT");
        assert_eq!(outside(&known), outside(&other));
        // The owner learns of the attempts; a stranger who asks for a reset gets nothing.
        assert_eq!(server.get("/sandbox/outbox?to=known@example.com").await.ok()[1]["purpose"], "taken");
        let messages = server.get("/sandbox/outbox?to=knife@example.com").await.ok();
        assert_eq!(messages.as_array().unwrap().len(), 1, "{messages}");
    });
}

#[test]
fn a_code_is_bound_to_purpose_and_target_and_locks_after_five_wrong_entries() {
    both(|server| async move {
        server.register("ann@example.com").await;
        let code = server.mail_code("ann@example.com", "forget").await;
        let check = |email: &'static str, code: String, purpose: &'static str| {
            let server = &server;
            async move {
                server.post("/api/user/check_email", &[("user_string", email), ("email_code", &code), ("type", purpose)]).await.error()
            }
        };
        assert_eq!(check("ann@example.com", code.clone(), "bind").await, "E_CODE");
        assert_eq!(check("bob@example.com", code.clone(), "forget").await, "E_CODE");
        for _ in 0..4 {
            assert_eq!(check("ann@example.com", "wrong".to_owned(), "forget").await, "E_CODE");
        }
        assert_eq!(check("ann@example.com", code.clone(), "forget").await, "");
        assert_eq!(check("ann@example.com", "wrong".to_owned(), "forget").await, "E_CODE");
        assert_eq!(check("ann@example.com", code, "forget").await, "E_CODE_LOCKED");
        tokio::time::sleep(std::time::Duration::from_millis(1300)).await;
        let fresh = server.mail_code("ann@example.com", "forget").await;
        assert_eq!(check("ann@example.com", fresh, "forget").await, "");
    });
}

#[test]
fn a_code_ends_after_ten_minutes_of_journal_time() {
    both(|server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        server.post("/sandbox/clock", &[("advance_ms", "590000")]).await.ok();
        let check = [("user_string", "ann@example.com"), ("code", code.as_str()), ("type", "register")];
        server.post("/api/user/check_email", &check).await.ok();
        server.post("/sandbox/clock", &[("advance_ms", "10001")]).await.ok();
        assert_eq!(server.post("/api/user/check_email", &check).await.error(), "E_CODE");
    });
}

#[test]
fn a_second_code_within_the_resend_time_is_refused_by_rate() {
    both(|server| async move {
        let form = [("user_string", "ann@example.com"), ("type", "register")];
        let mut second = server.post("/api/sms_mail", &form).await;
        // A busy machine may need longer between two attempts than the wait, and then both are allowed.
        for _ in 0..20 {
            second.ok();
            second = server.post("/api/sms_mail", &form).await;
            if second.status != 200 {
                break;
            }
        }
        assert_eq!((second.status, second.error().as_str()), (429, "E_RATE"));
        let retry_ms = second.json()["data"]["retry_ms"].as_u64().unwrap();
        assert!((1..=1200).contains(&retry_ms), "{retry_ms} ms");
        assert_eq!(second.header("retry-after"), retry_ms.div_ceil(1000).to_string());
        // Another purpose has a count of its own.
        server.post("/api/sms_mail", &[("user_string", "ann@example.com"), ("type", "forget")]).await.ok();
    });
}

#[test]
fn wrong_passwords_wait_from_the_sixth_and_the_count_survives_a_restart() {
    both(|mut server| async move {
        server.register("ann@example.com").await;
        // How long the newest attempt makes the next one wait, because short waits pass while a busy machine computes hashes. Without a
        // wait there is no such moment, because simultaneous attempts may be counted in another order than that of their times.
        let wait_ms = async |server: &Server| {
            let rows = server.running.app.db.query(store::sql!("select until_ms, at_ms from waits")).await.unwrap().rows;
            match rows[0].id(0).unwrap() {
                0 => 0,
                until_ms => (until_ms - rows[0].id(1).unwrap()).max(1),
            }
        };
        for (failure, wait) in (1..=11).zip([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32]) {
            assert_eq!(server.login("ann@example.com", "wrong-1").await.error(), "E_CREDENTIALS", "{failure}");
            assert_eq!(wait_ms(&server).await, wait * 1000, "{failure}");
            if (6..11).contains(&failure) {
                server.post("/sandbox/clock", &[("advance_ms", "60000")]).await.ok();
            }
        }
        let waiting = server.login("ann@example.com", "secret1").await;
        assert_eq!((waiting.status, waiting.error().as_str()), (429, "E_LOGIN_WAIT"));
        let retry_ms = waiting.json()["data"]["retry_ms"].as_u64().unwrap();
        assert!((1..=32_000).contains(&retry_ms), "{retry_ms} ms");
        assert_eq!(waiting.header("retry-after"), retry_ms.div_ceil(1000).to_string());
        server.restart().await;
        server.post("/sandbox/clock", &[("advance_ms", "60000")]).await.ok();
        assert_eq!(server.login("ann@example.com", "wrong-1").await.error(), "E_CREDENTIALS");
        let waiting = server.login("ann@example.com", "secret1").await;
        assert_eq!((waiting.error().as_str(), wait_ms(&server).await), ("E_LOGIN_WAIT", 64_000));
        for wait_s in [128, 256, 512, 900, 900] {
            server.post("/sandbox/clock", &[("advance_ms", "900000")]).await.ok();
            assert_eq!(server.login("ann@example.com", "wrong-1").await.error(), "E_CREDENTIALS", "{wait_s}");
            assert_eq!(wait_ms(&server).await, wait_s * 1000, "never more than a quarter of an hour");
        }
        // The owner gets in at once with a new password.
        let code = server.mail_code("ann@example.com", "forget").await;
        let form = [("account", "ann@example.com"), ("code", &code), ("password", "secret2"), ("re_password", "secret2")];
        server.post("/api/user/forget", &form).await.ok();
        server.login("ann@example.com", "secret2").await.ok();
    });
}

#[test]
fn guesses_in_parallel_are_counted_one_by_one() {
    both(|server| async move {
        server.register("ann@example.com").await;
        let tries = (0..20).map(|_| server.login("ann@example.com", "wrong-1"));
        let answers = futures_util::future::join_all(tries).await;
        let checked = answers.iter().filter(|answer| answer.error() == "E_CREDENTIALS").count();
        assert_eq!(checked, 6, "{:?}", answers.iter().map(Answer::error).collect::<Vec<_>>());
    });
}

#[test]
fn a_session_survives_a_restart_and_its_token_is_not_stored() {
    both(|mut server| async move {
        let who = server.member("ann@example.com").await;
        server.restart().await;
        server.get_as(token(&who), "/api/user/center").await.ok();
        let rows = server.running.app.db.query(store::sql!("select token_hash from sessions")).await.unwrap();
        assert!(rows.rows.iter().all(|row| row.blob(0).unwrap() != who.as_bytes()));
    });
}

#[test]
fn sessions_age_only_when_asked_to() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let week = (7 * 86_400_000).to_string();
        server.post("/sandbox/clock", &[("advance_ms", &week)]).await.ok();
        server.get_as(token(&who), "/api/user/center").await.ok();
        server.post("/sandbox/clock", &[("advance_ms", &week), ("sessions", "1")]).await.ok();
        assert_eq!(server.get_as(token(&who), "/api/user/center").await.error(), "E_AUTH");
    });
}

#[test]
fn only_a_good_token_in_the_header_is_a_session() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        for bad in ["x", "eyJhbGciOiJub25lIn0.e30.", &"a".repeat(64), &"a".repeat(10_000)] {
            let answer = server.get_as(token(bad), "/api/user/center").await;
            assert_eq!((answer.status, answer.error().as_str()), (200, "E_AUTH"));
            // A call for guests ignores it.
            server.get_as(token(bad), "/api/get/lang").await.ok();
        }
        assert_eq!(server.get(&format!("/api/user/center?token={who}&authorization={who}")).await.error(), "E_AUTH");
        let twice = server.request("GET", "/api/user/center", &[("authorization", &who), ("authorization", &who)], "").await;
        assert_eq!(twice.error(), "E_AUTH");
    });
}

#[test]
fn texts_come_in_the_callers_language() {
    both(|server| async move {
        let german = As { lang: "deyu", ..As::default() };
        let mark = server.post("/api/set/lang", &[("lang", "deyu")]).await.ok();
        assert_eq!(server.post_as(As { lang: mark.as_str().unwrap(), ..As::default() }, "/api/get/lang", &[]).await.ok(), "deyu");
        assert_eq!(server.post("/api/set/lang", &[("lang", "xx")]).await.error(), "E_LANG");
        let countries = server.post_as(german, "/api/area_code", &[]).await.ok();
        assert!(countries.as_array().unwrap().iter().any(|country| country["name"] == "Deutschland" && country["area_code"] == "49"));
        let overridden = server.post_as(german, "/api/area_code", &[("lang", "fayu")]).await.ok();
        assert!(overridden.as_array().unwrap().iter().any(|country| country["name"] == "Allemagne"));
        let refusal = |lang| {
            let server = &server;
            async move { server.post_as(As { lang, ..As::default() }, "/api/news/detail", &[("id", "x")]).await.json()["message"].clone() }
        };
        assert_eq!(refusal("").await, "No data");
        assert_eq!(refusal("nonsense").await, "No data");
    });
}

#[test]
fn outside_a_sandbox_its_calls_do_not_exist() {
    both_with(&["--genesis", "live"], |server| async move {
        for path in ["/sandbox/outbox?to=a@b.co", "/sandbox/clock"] {
            let answer = server.get(path).await;
            assert_eq!((answer.status, answer.error().as_str()), (404, "E_PATH"));
        }
        assert_eq!(server.get("/api/app/config").await.ok()["mode"], "live");
    });
}

#[test]
fn a_zero_character_is_refused_and_never_meets_a_table() {
    both(|server| async move {
        let name = server.post("/api/user/login", &[("user_string", "a\0b"), ("password", "secret12")]).await;
        assert_eq!((name.status, name.error().as_str(), name.json()["data"]["rule"].as_str()), (200, "E_FIELD", Some("chars")));
        let mut form = sign_up("ann@example.com", "123456").to_vec();
        form.push(("extension_code", "ab\0c"));
        let invite = server.post("/api/user/register", &form).await;
        assert_eq!((invite.status, invite.error().as_str()), (200, "E_FIELD"));
        let outbox = server.get("/sandbox/outbox?to=a%00b").await;
        assert_eq!((outbox.status, outbox.error().as_str()), (200, "E_FIELD"));
    });
}

#[test]
fn the_code_of_a_frozen_member_invites_nobody() {
    both(|server| async move {
        let ann = server.member("ann@example.com").await;
        let invite = server.get_as(token(&ann), "/api/user/center").await.ok()["extension_code"].as_str().unwrap().to_owned();
        let code = server.mail_code("bob@example.com", "register").await;
        let form = [&sign_up("bob@example.com", &code)[..], &[("extension_code", invite.as_str())]].concat();
        server.post_as(token(&ann), "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        assert_eq!(server.post("/api/user/register", &form).await.error(), "E_INVITE");
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        let code = server.mail_code("bob@example.com", "register").await;
        let form = [&sign_up("bob@example.com", &code)[..], &[("extension_code", invite.as_str())]].concat();
        server.post("/api/user/register", &form).await.ok();
    });
}

#[test]
fn what_is_no_other_name_has_a_count_of_its_own() {
    both(|server| async move {
        let typed = [("mobile", "49", "15112345678"), ("mobile", "44", "15112345678")];
        let typed = typed.into_iter().chain([("email", "", "knife@example.com"), ("email", "", "\u{212a}nife@example.com")]);
        for (way, area_code, name) in typed {
            let form = [("user_type", way), ("area_code", area_code), ("user_string", name), ("password", "wrong-1")];
            assert_eq!(server.post("/api/user/login", &form).await.error(), "E_CREDENTIALS");
        }
        let rows = server.running.app.db.query(store::sql!("select failures from waits")).await.unwrap().rows;
        assert_eq!(rows.len(), 8, "those who have an account are counted one by one, by their source and by all");
    });
}

#[test]
fn a_log_in_that_meets_a_change_of_password_opens_nothing_by_the_old_one() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let hashed = || server.running.app.hasher.done();
        let before = hashed();
        let form = [("type", "1"), ("old_password", "secret1"), ("password", "secret2"), ("re_password", "secret2")];
        let change = async { server.post_as(token(&who), "/api/user/e_pwd", &form).await.ok() };
        let meanwhile = async {
            // The old password was right, and the new one is being hashed.
            while hashed() < before + 2 {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
            futures_util::future::join_all((0..5).map(|_| server.login("ann@example.com", "secret1"))).await
        };
        let (_, tried) = tokio::join!(change, meanwhile);
        for answer in tried.iter().filter(|answer| answer.error().is_empty()) {
            let opened = answer.ok();
            assert_eq!(server.get_as(token(opened.as_str().unwrap()), "/api/user/center").await.error(), "E_AUTH");
        }
        server.get_as(token(&who), "/api/user/center").await.ok();
    });
}

#[test]
fn a_session_that_ended_while_it_was_looked_up_or_its_use_was_written_stays_ended() {
    both(|server| async move {
        let sessions = &server.running.app.sessions;
        let clock = &server.running.app.clock;
        let who = server.member("ann@example.com").await;
        let key = digest(&who).unwrap();
        // In progress when the session ends.
        let begun = || {
            let mut look = Box::pin(sessions.find_digest(key, None, clock));
            look.as_mut().now_or_never().is_none().then_some(look)
        };
        let looked_up = (0..1_000).find_map(|_| begun()).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        server.post_as(token(&who), "/api/user/logout", &[]).await.ok();
        looked_up.await.unwrap();
        assert_eq!(server.get_as(token(&who), "/api/user/center").await.error(), "E_AUTH");

        let who = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        server.get_as(token(&who), "/api/user/center").await.ok();
        let key = digest(&who).unwrap();
        let known = sessions.known(&key);
        server.post_as(token(&who), "/api/user/logout", &[]).await.ok();
        clock.push_sessions(11 * 60_000);
        sessions.find_digest(key, known, clock).await.unwrap();
        assert_eq!(server.get_as(token(&who), "/api/user/center").await.error(), "E_AUTH");
    });
}

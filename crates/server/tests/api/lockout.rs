//! Strangers who guess hold up themselves: not the owner, whose browser or session is known, and not another source.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use server::http::limits::{Caller, RateClass};
use store::people::{self, Identity};
use store::{sql, totp};

use crate::harness::{Answer, As, Server, both, both_with, escape, past_step, token};
use crate::operator::{OperatorLogin, PASSPHRASE};

const PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];

/// A form sent from this address, with these further headers.
async fn post_from(server: &Server, address: &str, headers: &[(&str, &str)], path: &str, fields: &[(&str, &str)]) -> Answer {
    let form: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect();
    let mut all = vec![("x-forwarded-for", address), ("content-type", "application/x-www-form-urlencoded")];
    all.extend(headers);
    server.request("POST", path, &all, form.join("&")).await
}

/// A phone is named with its dial code: `+49 15112345678`.
async fn log_in(server: &Server, address: &str, cookie: &str, name: &str, password: &str) -> Answer {
    let cookie: &[(&str, &str)] = if cookie.is_empty() { &[] } else { &[("cookie", cookie)] };
    let (dial_code, name) = name.strip_prefix('+').and_then(|phone| phone.split_once(' ')).unwrap_or(("", name));
    let form = [("user_string", name), ("areacode", dial_code), ("password", password)];
    post_from(server, address, cookie, "/api/user/login", &form).await
}

/// The name and value of the cookie that an answer sets.
fn cookie(answer: &Answer) -> String {
    let set = answer.header("set-cookie");
    assert!(set.contains("; HttpOnly") && set.contains("; SameSite=Strict") && set.contains("; Path=/"), "{set}");
    set.split_once(';').unwrap().0.to_owned()
}

/// Six wrong passwords from here, and the wait that follows them.
async fn guess(server: &Server, address: &str, name: &str) {
    for _ in 0..6 {
        assert_eq!(log_in(server, address, "", name, "wrong-1").await.error(), "E_CREDENTIALS");
    }
    server.lengthen_waits().await;
    assert_eq!(log_in(server, address, "", name, "secret1").await.error(), "E_LOGIN_WAIT");
}

/// As if this many wrong passwords had been sent for this name, from all sources together.
async fn attacked(server: &Server, name: &str, failures: u64) {
    let app = &server.running.app;
    let key = store::sealing::wait_key(&app.vault, name);
    let row = "insert into waits (account, failures, until_ms, at_ms) values ($1, $2, 0, $3) \
               on conflict (account) do update set failures = $2";
    app.db.exec(sql!(row, key, failures, app.now_ms())).await.unwrap();
}

#[test]
fn a_source_that_guesses_waits_and_another_does_not() {
    both_with(&PROXY, |server| async move {
        server.register("ann@example.com").await;
        guess(&server, "198.51.100.1", "ann@example.com").await;
        log_in(&server, "198.51.100.2", "", "ann@example.com", "secret1").await.ok();
        // Neighbours in one IPv6 network count as one source.
        for last in 1..=6 {
            let answer = log_in(&server, &format!("2001:db8::{last}"), "", "ann@example.com", "wrong-1").await;
            assert_eq!(answer.error(), "E_CREDENTIALS");
        }
        server.lengthen_waits().await;
        assert_eq!(log_in(&server, "2001:db8::7", "", "ann@example.com", "secret1").await.error(), "E_LOGIN_WAIT");
        log_in(&server, "2001:db8:0:1::7", "", "ann@example.com", "secret1").await.ok();
    });
}

#[test]
fn an_account_that_many_sources_guess_at_lets_known_devices_through() {
    both_with(&PROXY, |server| async move {
        server.register("ann@example.com").await;
        let known = cookie(&log_in(&server, "198.51.100.1", "", "ann@example.com", "secret1").await);
        for name in ["ann@example.com", "nobody@example.com"] {
            attacked(&server, &format!("log-in email {name}"), 100).await;
            assert_eq!(log_in(&server, "198.51.100.3", "", name, "wrong-1").await.error(), "E_CREDENTIALS", "{name}: the last free one");
            server.lengthen_waits().await;
            // Now all sources wait together, also those that never guessed, for names that exist and names that do not.
            assert_eq!(log_in(&server, "198.51.100.4", "", name, "secret1").await.error(), "E_LOGIN_WAIT", "{name}");
        }
        let answer = log_in(&server, "198.51.100.5", &known, "ann@example.com", "secret1").await;
        answer.ok();
        assert_eq!(cookie(&answer), known, "it is kept");

        // A known device has its own count; an invented device, or one of another account, is not known.
        server.register("bob@example.com").await;
        let other = cookie(&log_in(&server, "198.51.100.6", "", "bob@example.com", "secret1").await);
        let last = if known.ends_with('0') { '1' } else { '0' };
        let made_up = format!("{}{last}", &known[..known.len() - 1]);
        for cookie in [other.as_str(), &made_up, "meridian_device=", "meridian_device=x"] {
            server.post("/sandbox/clock", &[("advance_ms", "3700000")]).await.ok();
            let failed = log_in(&server, "198.51.100.7", cookie, "ann@example.com", "wrong-1").await.error();
            assert_eq!(failed, "E_CREDENTIALS");
            server.lengthen_waits().await;
            assert_eq!(log_in(&server, "198.51.100.8", cookie, "ann@example.com", "secret1").await.error(), "E_LOGIN_WAIT", "{cookie}");
        }
        for _ in 0..6 {
            assert_eq!(log_in(&server, "198.51.100.9", &known, "ann@example.com", "wrong-1").await.error(), "E_CREDENTIALS");
        }
        server.lengthen_waits().await;
        assert_eq!(log_in(&server, "198.51.100.10", &known, "ann@example.com", "secret1").await.error(), "E_LOGIN_WAIT");
    });
}

#[test]
fn a_new_password_ends_what_a_device_is_known_by() {
    both_with(&PROXY, |server| async move {
        let (first, address) = (server.member("ann@example.com").await, "198.51.100.1");
        let known = cookie(&log_in(&server, address, "", "ann@example.com", "secret1").await);
        let form = [("old_password", "secret1"), ("password", "secret2")];
        server.post_as(token(&first), "/api/user/e_pwd", &form).await.ok();
        let answer = log_in(&server, address, &known, "ann@example.com", "secret2").await;
        assert_ne!(cookie(&answer), known);
    });
}

#[test]
fn strangers_hold_up_nobody_who_has_a_session_and_a_freeze_never_waits() {
    both_with(&PROXY, |server| async move {
        let ann = server.member("ann@example.com").await;
        let post = async |path: &str, fields: &[(&str, &str)]| server.post_as(token(&ann), path, fields).await;
        // From her own address, too.
        guess(&server, "127.0.0.1", "ann@example.com").await;
        attacked(&server, "log-in email ann@example.com", 200).await;
        post("/api/user/e_pwd", &[("old_password", "secret1"), ("password", "secret2")]).await.ok();

        // A session that guesses waits by its own count.
        let other = log_in(&server, "198.51.100.1", "", "ann@example.com", "secret2").await;
        let other = if other.error() == "E_LOGIN_WAIT" {
            server.post("/sandbox/clock", &[("advance_ms", "4500000")]).await.ok();
            log_in(&server, "198.51.100.1", "", "ann@example.com", "secret2").await.ok()
        } else {
            other.ok()
        };
        let wrong = [("old_password", "wrong-1"), ("password", "secret3")];
        for _ in 0..6 {
            assert_eq!(post("/api/user/e_pwd", &wrong).await.error(), "E_PASSWORD_OLD");
        }
        server.lengthen_waits().await;
        assert_eq!(post("/api/user/e_pwd", &[("old_password", "secret2"), ("password", "secret3")]).await.error(), "E_LOGIN_WAIT");
        // The freeze is no way to guess either: while it does not wait, nothing is compared.
        let compared = || server.running.app.hasher.done();
        let before = compared();
        // Without a password no freeze is longer than its owner can wait.
        for days in ["30", "0"] {
            let refused = post("/api/user/freeze", &[("password", "wrong-1"), ("days", days)]).await;
            assert_eq!(refused.error(), "E_LOGIN_WAIT", "{days}");
            assert!(refused.json()["data"]["retry_ms"].is_u64());
        }
        post("/api/user/freeze", &[("password", "wrong-1"), ("days", "1")]).await.ok();
        post("/api/user/freeze", &[("password", "wrong-1"), ("days", "7")]).await.ok();
        assert_eq!(compared(), before);
        let form = [("old_password", "secret2"), ("password", "secret3")];
        server.post_as(token(other.as_str().unwrap()), "/api/user/e_pwd", &form).await.ok();
    });
}

#[test]
fn the_second_factor_of_an_owner_waits_for_no_stranger_who_has_the_password() {
    both_with(&PROXY, |server| async move {
        let ann = server.member("ann@example.com").await;
        let setup = server.post_as(token(&ann), "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let step = past_step().await + 1;
        let enable = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &totp::code(&secret, step - 1))];
        server.post_as(token(&ann), "/api/user/totp/enable", &enable).await.ok();
        let verify = async |address: &str, code: &str| {
            let open = log_in(&server, address, "", "ann@example.com", "secret1").await.json();
            let form = [("challenge", open["data"]["challenge"].as_str().unwrap()), ("method", "totp"), ("code", code)];
            post_from(&server, address, &[], "/api/user/login/verify", &form).await
        };
        for _ in 0..6 {
            assert_eq!(verify("198.51.100.1", "x").await.error(), "E_2FA_WRONG");
        }
        server.lengthen_waits().await;
        assert_eq!(verify("198.51.100.1", "x").await.error(), "E_LOGIN_WAIT");
        let answer = verify("198.51.100.2", &totp::code(&secret, step)).await;
        answer.ok();
        cookie(&answer);
        let off = [("password", "secret1"), ("code", &totp::code(&secret, step + 1))];
        server.post_as(token(&ann), "/api/user/totp/disable", &off).await.ok();
    });
}

#[test]
fn strangers_who_know_an_operators_name_hold_up_no_known_console() {
    both_with(&PROXY, |server| async move {
        let session = server.post("/sandbox/operator", &[("role", "support"), ("name", "one")]).await.ok()["token"].clone();
        let guesses = async |address: &str| {
            let fields = [("name", "one"), ("password", "wrong"), ("otp", "000000")];
            post_from(&server, address, &[], "/operator/api/login", &fields).await.error()
        };
        for _ in 0..6 {
            assert_eq!(guesses("198.51.100.1").await, "E_CREDENTIALS");
        }
        server.lengthen_waits().await;
        assert_eq!(guesses("198.51.100.1").await, "E_LOGIN_WAIT");
        assert_eq!(guesses("198.51.100.2").await, "E_CREDENTIALS");
        // An open session changes its password by its own count.
        attacked(&server, "operator one", 300).await;
        let who = As { token: session.as_str().unwrap(), ..As::default() };
        let form = [("old_password", "wrong"), ("password", "seven wet llamas juggle"), ("otp", "000000")];
        assert_eq!(server.post_as(who, "/operator/api/password", &form).await.error(), "E_PASSWORD_OLD");

        // While all strangers wait, even with the right password, a known console of the account logs in.
        let desk = OperatorLogin::open(&server, "two", "support").await;
        let log_in = async |address: &str, cookie: &str, password: &str, otp: &str| {
            let cookie: &[(&str, &str)] = if cookie.is_empty() { &[] } else { &[("cookie", cookie)] };
            let fields = [("name", "two"), ("password", password), ("otp", otp)];
            post_from(&server, address, cookie, "/operator/api/login", &fields).await
        };
        let first = log_in("198.51.100.3", "", PASSPHRASE, &desk.code(&server, 0)).await;
        first.ok();
        let known = cookie(&first);
        attacked(&server, "operator two", 300).await;
        assert_eq!(log_in("198.51.100.4", "", "wrong", "000000").await.error(), "E_CREDENTIALS", "the last free one");
        server.lengthen_waits().await;
        for cookie in ["", "meridian_device=x"] {
            assert_eq!(log_in("198.51.100.5", cookie, PASSPHRASE, &desk.code(&server, 1)).await.error(), "E_LOGIN_WAIT", "{cookie}");
        }
        let again = log_in("198.51.100.6", &known, PASSPHRASE, &desk.code(&server, 1)).await;
        again.ok();
        assert_eq!(cookie(&again), known, "it is kept");
    });
}

#[test]
fn wrong_passwords_at_one_name_of_a_member_say_nothing_of_the_others() {
    both_with(&PROXY, |server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let number =
            async |who: &str| server.get_as(token(who), "/api/user/center").await.ok()["account_number"].as_str().unwrap().to_owned();
        let (hers, his) = (number(&ann).await, number(&bob).await);
        let app = &server.running.app;
        let person = people::find(app, &Identity::Account(hers.clone())).await.unwrap().unwrap();
        let phone = Identity::Phone("49-15112345678".to_owned());
        app.db.exec(people::set_contact(app, &person, &phone).unwrap()).await.unwrap();
        let names = ["ann@example.com", "+49 15112345678", &hers];
        let others = ["bob@example.com", "+49 15112345679", &his, "100000000"];
        for (at, guessed) in names.into_iter().enumerate() {
            let address = format!("198.51.100.{at}");
            guess(&server, &address, guessed).await;
            for name in names.into_iter().chain(others).filter(|name| *name != guessed) {
                assert_eq!(log_in(&server, &address, "", name, "wrong-1").await.error(), "E_CREDENTIALS", "{guessed}, then {name}");
            }
            // From elsewhere each of them still opens the account.
            log_in(&server, "203.0.113.1", "", guessed, "secret1").await.ok();
        }
    });
}

#[test]
fn a_thief_with_a_session_uses_up_nothing_that_protects_the_owner() {
    both_with(&[], |server| async move {
        let owner = server.member("ann@example.com").await;
        let thief = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let until_refused = async |path: &str, form: &[(&str, &str)]| {
            for _ in 0..60 {
                if server.post_as(token(&thief), path, form).await.error() == "E_RATE" {
                    return;
                }
            }
            panic!("{path} has no limit");
        };
        until_refused("/api/favor/add", &[("match_id", "1")]).await;
        until_refused("/api/wallet/out_cancel", &[("id", "1")]).await;
        let form = [("currency_id", "99"), ("number", "1"), ("from_field", "change"), ("to_field", "micro")];
        join_all((0..80).map(|_| server.post_as(token(&thief), "/api/wallet/change", &form))).await;
        for path in ["/api/coin/cancel", "/api/coin/cancel_all", "/api/wallet/out_cancel"] {
            let refused = server.post_as(token(&owner), path, &[("id", "1")]).await.error();
            assert!(["", "E_NOT_FOUND"].contains(&refused.as_str()), "{path}: {refused}");
        }
        let change = [("old_password", "secret1"), ("password", "secret2")];
        server.post_as(token(&owner), "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        server.post_as(token(&owner), "/api/user/sessions/revoke", &[("others", "1")]).await.ok();
        server.post_as(token(&owner), "/api/user/e_pwd", &change).await.ok();
        server.post_as(token(&owner), "/api/user/logout", &[]).await.ok();
        assert_eq!(server.get_as(token(&thief), "/api/user/center").await.error(), "E_AUTH");
    });
}

#[test]
fn many_sessions_of_a_thief_cancel_as_fast_as_four_and_leave_the_owner_their_share() {
    both(|server| async move {
        let owner = server.member("ann@example.com").await;
        let app = &server.running.app;
        let id = app.sessions.find(&owner, &app.clock).await.unwrap().unwrap().user;
        // From here on the buckets are not refilled for some minutes.
        let later = Instant::now() + Duration::from_secs(600);
        app.limits.take(RateClass::Read, Caller::User(id), later).unwrap();
        let passed = async |who: &str| {
            let answers = join_all((0..40).map(|_| server.post_as(token(who), "/api/coin/cancel", &[("id", "1")]))).await;
            answers.iter().filter(|answer| answer.error() != "E_RATE").count()
        };
        let mut taken = 0;
        for session in 0..10 {
            let thief = app.sessions.open(&app.vault, id, "", "", &app.clock, Vec::new()).await.unwrap().token;
            let now = passed(&thief).await;
            assert!(now <= 30, "{session}: {now}");
            taken += now;
        }
        assert_eq!(taken, 10 * 10 + 120);
        assert_eq!(passed(&owner).await, 10);
    });
}

/// Asks from there for a code to reset the password; the code, if it was sent.
async fn ask_reset(server: &Server, address: &str, cookie: &str) -> Result<String, String> {
    let cookie: &[(&str, &str)] = if cookie.is_empty() { &[] } else { &[("cookie", cookie)] };
    let form = [("user_string", "ann@example.com"), ("type", "forget")];
    let mut asked = post_from(server, address, cookie, "/api/sms_mail", &form).await;
    while asked.error() == "E_RATE" {
        let wait = asked.json()["data"]["retry_ms"].as_u64().unwrap();
        // One a minute is one in 1.2 s in a sandbox; a longer wait is a limit of twelve hours.
        if wait > 1_200 {
            return Err("E_RATE".to_owned());
        }
        tokio::time::sleep(Duration::from_millis(wait)).await;
        asked = post_from(server, address, cookie, "/api/sms_mail", &form).await;
    }
    asked.ok();
    Ok(server.newest_message("ann@example.com").await["code"].as_str().unwrap().to_owned())
}

/// Tries this code to reset the password.
async fn try_code(server: &Server, address: &str, cookie: &str, code: &str) -> String {
    let cookie: &[(&str, &str)] = if cookie.is_empty() { &[] } else { &[("cookie", cookie)] };
    let form = [("user_string", "ann@example.com"), ("email_code", code), ("type", "forget")];
    post_from(server, address, cookie, "/api/user/check_email", &form).await.error()
}

#[test]
fn strangers_of_one_ipv6_site_share_sixteen_addresses_worth_of_codes() {
    both_with(&PROXY, |server| async move {
        let app = &server.running.app;
        let ask = async |address: &str, name: &str| {
            let form = [("user_string", name), ("type", "register")];
            post_from(&server, address, &[], "/api/sms_mail", &form).await
        };
        // A sandbox allows fifty times as many. These came from other networks of the site.
        let earlier = "insert into code_requests (target_hash, purpose, address, at_ms, site) \
                       with recursive numbers(number) as (select cast(1 as bigint) union all select number + 1 from numbers where number < 23998) \
                       select cast(number as text), 'bind', 'elsewhere', cast($1 as bigint), $2 from numbers";
        let site = store::sealed_columns::address_hash(&app.vault, "2001:db8:1::");
        app.db.exec(sql!(earlier, app.clock.wall_ms() - 60_000, site)).await.unwrap();
        ask("2001:db8:1:1::1", "ann@example.com").await.ok();
        ask("2001:db8:1:2::1", "bob@example.com").await.ok();
        let refused = ask("2001:db8:1:3::1", "cid@example.com").await;
        let retry_ms = refused.json()["data"]["retry_ms"].as_u64().unwrap();
        assert!(refused.error() == "E_RATE" && retry_ms > 11 * 3_600_000, "{retry_ms} ms");
        ask("2001:db8:2:3::1", "cid@example.com").await.ok();
        ask("198.51.100.1", "dan@example.com").await.ok();
    });
}

#[test]
fn strangers_who_guess_at_a_code_stop_themselves_and_together_all_but_known_devices() {
    both_with(&PROXY, |server| async move {
        server.register("ann@example.com").await;
        let known = cookie(&log_in(&server, "198.51.100.1", "", "ann@example.com", "secret1").await);
        let code = ask_reset(&server, "198.51.100.1", "").await.unwrap();
        let guess = async |address: &str| {
            for _ in 0..5 {
                assert_eq!(try_code(&server, address, "", "x").await, "E_CODE", "{address}");
            }
            assert_eq!(try_code(&server, address, "", "x").await, "E_CODE_LOCKED", "{address}");
        };
        guess("203.0.113.1").await;
        assert_eq!(try_code(&server, "203.0.113.1", "", &code).await, "E_CODE_LOCKED");
        assert_eq!(try_code(&server, "198.51.100.2", "", &code).await, "", "an owner elsewhere");
        for address in ["203.0.113.2", "203.0.113.3", "203.0.113.4"] {
            guess(address).await;
        }
        // All strangers share twenty, including one who never guessed.
        assert_eq!(try_code(&server, "198.51.100.3", "", &code).await, "E_CODE_LOCKED");
        assert_eq!(try_code(&server, "198.51.100.3", &known, &code).await, "");
        // Strangers who request another code do not replace hers, and a device that guesses blocks only itself.
        let hers = ask_reset(&server, "198.51.100.1", &known).await.unwrap();
        let other = ask_reset(&server, "203.0.113.9", "").await.unwrap();
        assert_eq!(try_code(&server, "198.51.100.3", &known, &hers).await, "");
        assert_eq!(try_code(&server, "198.51.100.3", "", &other).await, "");
        for _ in 0..5 {
            assert_eq!(try_code(&server, "198.51.100.3", &known, "x").await, "E_CODE");
        }
        assert_eq!(try_code(&server, "198.51.100.3", &known, &hers).await, "E_CODE_LOCKED");
        let form = [("account", "ann@example.com"), ("code", &*hers), ("password", "secret2"), ("repassword", "secret2")];
        assert_eq!(post_from(&server, "198.51.100.3", &[("cookie", &known)], "/api/user/forget", &form).await.error(), "E_CODE_LOCKED");
        post_from(&server, "198.51.100.4", &[], "/api/user/forget", &form).await.ok();
    });
}

#[test]
fn strangers_who_ask_for_codes_stop_no_other_source_and_together_no_known_device_or_session() {
    both_with(&PROXY, |server| async move {
        let ann = server.member("ann@example.com").await;
        let known = cookie(&log_in(&server, "198.51.100.1", "", "ann@example.com", "secret1").await);
        let to_self = async || server.patient(async || server.post_as(token(&ann), "/api/set/sms_other_mail", &[]).await).await;
        ask_reset(&server, "203.0.113.1", "").await.unwrap();
        to_self().await.ok();
        let earlier = async |from: u64, to: u64| {
            let copy = "insert into code_requests (target_hash, purpose, address, at_ms) \
                        select target_hash, purpose, 'elsewhere', at_ms - 60000 - cast($1 as bigint) from code_requests \
                        where purpose in ('forget', 'operation') and address <> 'elsewhere' and at_ms = \
                        (select max(at_ms) from code_requests b where b.purpose = code_requests.purpose and b.address <> 'elsewhere')";
            server.running.app.db.run((from..to).map(|number| sql!(copy, number)).collect()).await.unwrap();
        };
        // A sandbox has fifty times as many: five per source, twenty for all strangers in twelve hours.
        earlier(0, 250).await;
        ask_reset(&server, "198.51.100.2", "").await.unwrap();
        earlier(250, 1_000).await;
        assert_eq!(ask_reset(&server, "198.51.100.3", "").await, Err("E_RATE".to_owned()));
        ask_reset(&server, "198.51.100.3", &known).await.unwrap();
        to_self().await.ok();
    });
}

#[test]
fn a_spray_of_log_ins_leaves_room_for_known_devices() {
    both_with(&PROXY, |server| async move {
        server.register("ann@example.com").await;
        let known = cookie(&log_in(&server, "198.51.100.1", "", "ann@example.com", "secret1").await);
        let hasher = &server.running.app.hasher;
        let spray: Vec<_> = std::iter::from_fn(|| hasher.slot(server::hasher::Lane::Guests).ok()).collect();
        assert_eq!(log_in(&server, "198.51.100.1", "", "ann@example.com", "secret1").await.error(), "E_RATE");
        log_in(&server, "198.51.100.1", &known, "ann@example.com", "secret1").await.ok();
        let code = ask_reset(&server, "198.51.100.1", &known).await.unwrap();
        let form = [("account", "ann@example.com"), ("code", &*code), ("password", "secret2"), ("repassword", "secret2")];
        post_from(&server, "198.51.100.1", &[("cookie", &known)], "/api/user/forget", &form).await.ok();
        drop(spray);
    });
}

//! Guesses that are sent at the same time: no more of them are compared than of guesses in a row.

use futures_util::future::join_all;
use store::{sql, totp};

use crate::harness::{Server, both, both_with, token};
use crate::people::{FUND, Member, TRON};

/// How often each of these names was answered.
fn count(names: &[String], name: &str) -> usize {
    names.iter().filter(|other| *other == name).count()
}

/// A change of the fund password whose old one is this.
async fn change(server: &Server, who: &Member, old: &str) -> String {
    who.post(server, "/api/user/e_pwd", &[("type", "2"), ("old_password", old), ("password", "111111")]).await.error()
}

#[test]
fn of_many_wrong_fund_passwords_at_once_five_are_compared() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let compared = || server.running.app.hasher.done();
        let before = compared();
        let wrong: Vec<String> = (0..12).map(|at| format!("{at:06}")).collect();
        let names = join_all(wrong.iter().map(|guess| change(&server, &ann, guess))).await;
        assert_eq!((count(&names, "E_FUNDPW_WRONG"), count(&names, "E_FUNDPW_LOCKED")), (5, 7), "{names:?}");
        assert_eq!(compared() - before, 5);

        // The other way to enter it uses the same count, also after a restart.
        server.restart().await;
        let code = ann.code(&server, "operation").await;
        let add = async |password: &str| {
            let form = [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", password), ("code", &code)];
            ann.post(&server, "/api/wallet/addaddress", &form).await.error()
        };
        let compared = || server.running.app.hasher.done();
        let before = compared();
        assert_eq!((add("000001").await, add(FUND).await, compared()), ("E_FUNDPW_LOCKED".into(), "E_FUNDPW_LOCKED".into(), before));

        server.post("/sandbox/clock", &[("advance_ms", "10800001")]).await.ok();
        let code = ann.code(&server, "operation").await;
        let add = async |password: &str| {
            let form = [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", password), ("code", &code)];
            ann.post(&server, "/api/wallet/addaddress", &form).await.error()
        };
        let before = compared();
        let names = join_all(wrong.iter().take(7).map(|guess| add(guess))).await;
        assert_eq!((count(&names, "E_FUNDPW_WRONG"), count(&names, "E_FUNDPW_LOCKED"), compared() - before), (5, 2, 5), "{names:?}");

        // A right one resets the count.
        server.post("/sandbox/clock", &[("advance_ms", "10800001")]).await.ok();
        for _ in 0..4 {
            assert_eq!(change(&server, &ann, "000000").await, "E_FUNDPW_WRONG");
        }
        assert_eq!(change(&server, &ann, FUND).await, "");
        for _ in 0..4 {
            assert_eq!(change(&server, &ann, "000000").await, "E_FUNDPW_WRONG");
        }
    });
}

#[test]
fn of_many_wrong_codes_of_a_source_at_once_five_are_counted_and_then_none_is_right() {
    both(|server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let check = async |code: &str| {
            let form = [("user_string", "ann@example.com"), ("email_code", code), ("type", "register")];
            server.post("/api/user/check_email", &form).await.error()
        };
        let names = join_all((0..20).map(|_| check("x"))).await;
        assert_eq!((count(&names, "E_CODE"), count(&names, "E_CODE_LOCKED")), (5, 15), "{names:?}");
        assert_eq!(check(&code).await, "E_CODE_LOCKED");
    });
}

#[test]
fn of_many_wrong_log_ins_at_once_six_are_compared() {
    both(|server| async move {
        server.register("ann@example.com").await;
        let compared = || server.running.app.hasher.done();
        for user in ["ann@example.com", "nobody@example.com"] {
            let before = compared();
            let tried = join_all((0..20).map(|_| server.login(user, "wrong-1"))).await;
            let names: Vec<String> = tried.iter().map(|answer| answer.error()).collect();
            assert_eq!((count(&names, "E_CREDENTIALS"), count(&names, "E_LOGIN_WAIT")), (6, 14), "{names:?}");
            assert_eq!(compared() - before, 6);
        }
    });
}

#[test]
fn of_many_wrong_second_factors_at_once_six_are_compared() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let setup = server.post_as(token(&who), "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let now = totp::code(&secret, totp::step(server.running.app.clock.wall_ms()));
        let enable = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &now)];
        server.post_as(token(&who), "/api/user/totp/enable", &enable).await.ok();
        let challenge = server.login("ann@example.com", "secret1").await.json()["data"]["challenge"].as_str().unwrap().to_owned();
        for method in ["totp", "recovery"] {
            let form = [("challenge", challenge.as_str()), ("method", method), ("code", "x")];
            let tried = join_all((0..20).map(|_| server.post("/api/user/login/verify", &form))).await;
            let names: Vec<String> = tried.iter().map(|answer| answer.error()).collect();
            let (wrong, waits) = (count(&names, "E_2FA_WRONG"), count(&names, "E_LOGIN_WAIT"));
            server.lengthen_waits().await;
            // Codes of both kinds share one count.
            assert_eq!((wrong, waits), if method == "totp" { (6, 14) } else { (0, 20) }, "{names:?}");
        }
    });
}

#[test]
fn codes_that_are_asked_for_at_once_are_counted_one_by_one() {
    both(|server| async move {
        let (app, started) = (&server.running.app, server.running.app.clock.wall_ms());
        let ask = async |target: String| server.post("/api/sms_mail", &[("user_string", &target), ("type", "register")]).await;
        let asked = async |targets: Vec<String>| {
            let answers = join_all(targets.into_iter().map(ask)).await;
            assert!(answers.iter().all(|answer| ["", "E_RATE"].contains(&answer.error().as_str())), "{answers:?}");
            let rows = app.db.query(sql!("select at_ms from code_requests where at_ms >= $1 order by at_ms", started)).await.unwrap().rows;
            rows.iter().map(|row| row.int(0).unwrap()).collect::<Vec<i64>>()
        };
        let times = asked(vec!["ann@example.com".to_owned(); 20]).await;
        // Once a minute, which is 1.2 s in a sandbox.
        assert!(!times.is_empty() && times.windows(2).all(|pair| pair[1] - pair[0] >= 1_200), "{times:?}");

        // An address may have fifty times thirty in twelve hours.
        let free = 3;
        let earlier = (times.len() + free..1_500).map(|number| {
            let insert = "insert into code_requests (target_hash, purpose, address, at_ms) values ($1, 'bind', $2, $3)";
            sql!(insert, number.to_string(), store::sealed_columns::address_hash(&app.vault, "127.0.0.1"), started - 60_000)
        });
        app.db.run(earlier.collect()).await.unwrap();
        let all = asked((0..20).map(|number| format!("bob{number}@example.com")).collect()).await;
        assert_eq!(all.len(), times.len() + free);
        let refused = ask("cid@example.com".to_owned()).await;
        let retry_ms = refused.json()["data"]["retry_ms"].as_u64().unwrap();
        assert!((1..=12 * 3_600_000 - 60_000).contains(&retry_ms) && retry_ms > 11 * 3_600_000, "{retry_ms} ms");
    });
}

#[test]
fn one_address_gets_so_many_codes_and_no_more_whoever_asks() {
    both(|server| async move {
        let app = &server.running.app;
        let ask = async |kind: &str| server.post("/api/sms_mail", &[("user_string", "ann@example.com"), ("type", kind)]).await;
        ask("register").await.ok();
        // All strangers together may have fifty times twenty in twelve hours; the others were requested from elsewhere.
        let earlier = "insert into code_requests (target_hash, purpose, address, at_ms) \
                       select target_hash, purpose, 'elsewhere', at_ms - 60000 - cast($1 as bigint) from code_requests where purpose = 'register' and address <> 'elsewhere'";
        app.db.run((0..999).map(|number: u64| sql!(earlier, number)).collect()).await.unwrap();
        let refused = ask("register").await;
        let retry_ms = refused.json()["data"]["retry_ms"].as_u64().unwrap();
        assert!(refused.error() == "E_RATE" && retry_ms > 11 * 3_600_000, "{retry_ms} ms");
        ask("forget").await.ok();
    });
}

#[test]
fn a_phone_with_zeros_before_its_number_gets_no_codes_more_often() {
    both(|server| async move {
        let ask = async |country: &str, number: &str| {
            let form = [("user_string", number), ("area_code", country), ("type", "register")];
            server.post("/api/sms_send", &form).await
        };
        // One in a minute is one in 1.2 s in a sandbox.
        ask("49", "15112345678").await.ok();
        for number in ["15112345678", "015112345678", "0015112345678"] {
            assert_eq!(ask("49", number).await.error(), "E_RATE", "{number}");
        }
        ask("49", "15112345670").await.ok();
    });
}

#[test]
fn codes_by_sms_are_bounded_in_all_and_for_each_country_and_said_in_the_figures() {
    // A sandbox allows fifty times as many.
    let caps = ["--sms-per-hour", "3", "--sms-per-country-hour", "1"];
    both_with(&caps, |server| async move {
        let app = &server.running.app;
        let ask = async |country: &str, number: &str| {
            let form = [("user_string", number), ("area_code", country), ("type", "register")];
            server.post("/api/sms_send", &form).await
        };
        let sent = async |country: &'static str, count: u64| {
            let insert = "insert into code_requests (target_hash, purpose, address, at_ms, country) values ($1, 'bind', 'x', $2, $3)";
            let now = app.clock.wall_ms();
            app.db.run((0..count).map(|at| sql!(insert, format!("{country} {at}"), now - 60_000, country)).collect()).await.unwrap();
        };
        sent("49", 49).await;
        ask("49", "15112345678").await.ok();
        let refused = ask("49", "15112345679").await;
        let retry_ms = refused.json()["data"]["retry_ms"].as_u64().unwrap();
        assert!(refused.error() == "E_RATE" && (3_000_000..=3_540_000).contains(&retry_ms), "{retry_ms} ms");
        // Other countries continue until the total is used up; mails continue even then.
        ask("44", "7911123456").await.ok();
        sent("33", 50).await;
        sent("39", 49).await;
        assert_eq!(ask("44", "7911123457").await.error(), "E_RATE");
        server.post("/api/sms_mail", &[("user_string", "ann@example.com"), ("type", "register")]).await.ok();
        let figures = server.get("/metrics").await.text;
        for scope in ["all", "country"] {
            assert!(figures.contains(&format!("sms_capped_total{{scope=\"{scope}\"}}")), "{figures}");
        }
    });
}

#[test]
fn codes_by_sms_that_many_addresses_ask_for_at_once_are_counted_one_by_one() {
    // A sandbox allows fifty times as many.
    both_with(&["--sms-per-country-hour", "1", "--trusted-proxy", "127.0.0.1"], |server| async move {
        let app = &server.running.app;
        let insert = "insert into code_requests (target_hash, purpose, address, at_ms, country) values ($1, 'bind', 'x', $2, '49')";
        let now = app.clock.wall_ms();
        app.db.run((0..47).map(|at: u64| sql!(insert, at.to_string(), now - 60_000)).collect()).await.unwrap();
        let ask = async |at: u64| {
            let (address, body) = (format!("198.51.100.{at}"), format!("user_string=151123456{at}&area_code=49&type=register"));
            let headers = [("x-forwarded-for", address.as_str()), ("content-type", "application/x-www-form-urlencoded")];
            server.request("POST", "/api/sms_send", &headers, body).await.error()
        };
        let names = join_all((10..34).map(ask)).await;
        assert_eq!((count(&names, ""), count(&names, "E_RATE")), (3, 21), "{names:?}");
    });
}

use engine::ids::UserId;
use serde_json::json;
use server::app::ROUTES;
use server::http::routes::Effect;
use store::db::{DbError, Done, Sql};
use store::{answers, exports};

use crate::harness::{Answer, As, Server, both, escape, sign_up, token};
use crate::operator::operator;
use crate::outcome::outcome;
use crate::people::{FUND, Member};
use crate::spot::{place, trader};
use crate::tie_out::TABLES;

#[test]
fn a_repeated_write_gets_its_first_answer_again_also_after_a_restart() {
    both(|mut server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let who = As { key: "sign-up_1", ..As::default() };
        let first = server.post_as(who, "/api/user/register", &sign_up("ann@example.com", &code)).await;
        first.ok();
        assert_eq!(first.header("x-idempotent-replay"), "");
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            let again = server.post_as(who, "/api/user/register", &sign_up("ann@example.com", &code)).await;
            assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")));
            assert_eq!(again.header("x-idempotent-replay"), "1");
        }
        let other = server.post_as(who, "/api/user/register", &sign_up("bob@example.com", &code)).await;
        assert_eq!(other.error(), "E_DUP_REQUEST");
    });
}

#[test]
fn refusals_are_repeated_and_faults_of_the_transport_are_not() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let mine = As { token: &who, key: "nick-1", ..As::default() };
        let refused = server.post_as(mine, "/api/user/edit_profile", &[("nickname", "x")]).await;
        assert_eq!(refused.error(), "E_FIELD");
        let again = server.post_as(mine, "/api/user/edit_profile", &[("nickname", "x")]).await;
        assert_eq!((again.text.as_str(), again.header("x-idempotent-replay")), (refused.text.as_str(), "1"));

        let form = [("user_string", "new@example.com"), ("type", "register")];
        // A busy machine may need longer between two than the wait; then another key is tried.
        let keys: Vec<String> = (0..20).map(|number| format!("code-{number}")).collect();
        let mut refused = None;
        for key in &keys {
            server.patient(async || server.post("/api/sms_mail", &form).await).await.ok();
            let key = As { key, ..As::default() };
            let asked = server.post_as(key, "/api/sms_mail", &form).await;
            if asked.status != 200 {
                assert_eq!(asked.error(), "E_RATE");
                refused = Some(key);
                break;
            }
        }
        let key = refused.expect("a refusal");
        tokio::time::sleep(std::time::Duration::from_millis(1300)).await;
        let later = server.post_as(key, "/api/sms_mail", &form).await;
        later.ok();
        assert_eq!(later.header("x-idempotent-replay"), "");
    });
}

#[test]
fn keys_of_different_callers_never_meet() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        for (who, name) in [(&ann, "Ann"), (&bob, "Bob")] {
            let mine = As { token: who, key: "same", ..As::default() };
            let answer = server.post_as(mine, "/api/user/edit_profile", &[("nickname", name)]).await;
            answer.ok();
            assert_eq!(answer.header("x-idempotent-replay"), "");
            assert_eq!(server.get_as(token(who), "/api/user/center").await.ok()["nickname"], name);
        }
    });
}

#[test]
fn the_same_write_in_parallel_happens_once() {
    both(|server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let form = sign_up("ann@example.com", &code);
        let who = As { key: "parallel", ..As::default() };
        let answers = futures_util::future::join_all((0..10).map(|_| server.post_as(who, "/api/user/register", &form))).await;
        let first = &answers.iter().find(|answer| answer.header("x-idempotent-replay").is_empty()).unwrap().text;
        assert!(answers.iter().all(|answer| answer.text == *first), "{answers:?}");
        assert_eq!(answers.iter().filter(|answer| answer.header("x-idempotent-replay") == "1").count(), 9);
    });
}

/// The sender, the path, the fields.
type Sent<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// Writes of people and content that the test below leaves out: they store a sentence like others in it, take more than one step and have
/// tests of their own, or change nothing that is another when it is done again.
const LEFT_OUT: [&str; 21] = [
    "/api/alert/del",
    "/api/notice/read",
    "/api/safe/update_password",
    "/api/set/lang",
    "/api/set/sms_other_mail",
    "/api/sms_send",
    "/api/upload",
    "/api/user/check_email",
    "/api/user/check_mobile",
    "/api/user/edit_email",
    "/api/user/edit_mobile",
    "/api/user/logout",
    "/api/user/outcome",
    "/api/user/register",
    "/api/user/sessions/revoke",
    "/api/user/stop_email_change",
    "/api/user/totp/disable",
    "/operator/api/logout",
    "/operator/api/password",
    "/sandbox/clock",
    "/sandbox/price",
];

#[test]
fn a_write_and_its_stored_answer_happen_together_or_not() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let desk = operator(&server, "sue", &["support"]).await;
        let made = async |who: &str, path: &str, form: &[(&str, &str)]| server.post_as(token(who), path, form).await.ok()["id"].to_string();
        let letter = [("title", "Lost"), ("content", "Where is it?")];
        let news = [("c_id", "4"), ("lang", "en"), ("title", "Pause"), ("content", "<p>x</p>")];
        let ticket = made(&ann.token, "/api/feedback/add", &letter).await;
        let article = made(&desk, "/operator/api/news/save", &news).await;
        ann.post(&server, "/api/favor/add", &[("match_id", "2")]).await.ok();
        let (operation, forget) = (ann.code(&server, "operation").await, server.mail_code("ann@example.com", "forget").await);
        let (hers, his) = (ann.id.0.to_string(), bob.id.0.to_string());
        let calls: [Sent<'_>; 17] = [
            (&ann.token, "/api/alert/add", &[("match_id", "1"), ("direction", "above"), ("price", "900000")]),
            (&ann.token, "/api/favor/add", &[("match_id", "1")]),
            (&ann.token, "/api/favor/del", &[("match_id", "2")]),
            (&ann.token, "/api/feedback/add", &letter),
            (&ann.token, "/api/feedback/reply", &[("id", &ticket), ("content", "Still nothing")]),
            (&ann.token, "/api/chat/send", &[("content", "Hello")]),
            (&ann.token, "/api/user/export", &[("password", "secret1")]),
            (&ann.token, "/api/user/withdraw_code", &[("on", "0"), ("password", "secret1"), ("code", &operation)]),
            (&ann.token, "/api/user/edit_profile", &[("nickname", "Other")]),
            (&ann.token, "/api/sms_mail", &[("user_string", "cid@example.com"), ("type", "register")]),
            (&desk, "/operator/api/news/save", &news),
            (&desk, "/operator/api/news/delete", &[("id", &article)]),
            (&desk, "/operator/api/ticket/reply", &[("id", &ticket), ("content", "On its way")]),
            (&desk, "/operator/api/chat/reply", &[("user_id", &hers), ("content", "Hello")]),
            (&desk, "/operator/api/user/end_sessions", &[("id", &his), ("reason", "he phoned")]),
            (&ann.token, "/api/user/e_pwd", &[("old_password", "secret1"), ("password", "another2")]),
            (
                "",
                "/api/user/forget",
                &[("account", "ann@example.com"), ("code", &forget), ("password", "third333"), ("repassword", "third333")],
            ),
        ];
        for entry in ROUTES.values().flatten().filter(|entry| entry.route.effect == Effect::Write) {
            let url = entry.route.url();
            let tried = calls.iter().any(|(_, path, _)| *path == url);
            assert!(tried != LEFT_OUT.contains(&url.as_str()), "{url} is in one of the two lists");
        }
        let rows = async || {
            let mut counts = Vec::new();
            for table in ["alerts", "articles", "exports", "favourites", "messages", "notices", "sessions", "tickets", "withdraw_code_off"]
            {
                let done = server.running.app.db.query(Sql::new(format!("select count(*) from {table}"), Vec::new())).await.unwrap();
                counts.push((table, done.first().unwrap().id(0).unwrap()));
            }
            counts
        };
        // The hold on withdrawals begins before the change, because a change without a hold would be worse than the reverse.
        let center = async || {
            let mut center = server.get_as(token(&ann.token), "/api/user/center").await.ok();
            center.as_object_mut().unwrap().remove("withdraw_hold_until_ms");
            center
        };
        let before = (center().await, rows().await);
        let (refuse, take) = match server.database() {
            Some(_) => {
                ("alter table answers add constraint refused check (at_ms < 0) not valid", "alter table answers drop constraint refused")
            }
            None => ("create trigger refused before insert on answers begin select raise(abort, 'refused'); end", "drop trigger refused"),
        };
        server.running.app.db.exec(store::sql!(refuse)).await.unwrap();
        for (token, path, form) in calls {
            let who = As { token, key: "one", ..As::default() };
            assert_eq!(server.patient(async || server.post_as(who, path, form).await).await.error(), "E_INTERNAL", "{path}");
        }
        server.running.app.db.exec(store::sql!(take)).await.unwrap();
        assert_eq!((center().await, rows().await), before);
        assert_eq!(server.newest_message("cid@example.com").await, serde_json::Value::Null);
        // Neither the codes nor the old password were used up.
        for (token, path, form) in calls {
            let key = path.trim_start_matches('/').replace('/', "-");
            let who = As { token, key: &key, ..As::default() };
            let first = server.patient(async || server.post_as(who, path, form).await).await;
            first.ok();
            let done = rows().await;
            let again = server.patient(async || server.post_as(who, path, form).await).await;
            assert_eq!((&again.text, again.header("x-idempotent-replay")), (&first.text, "1"), "{path}");
            assert_eq!(rows().await, done, "{path}");
        }
    });
}

#[test]
fn what_a_write_made_and_its_answer_are_in_the_database_together_and_once() {
    both(|server| async move {
        let app = &server.running.app;
        type Told = fn(&[Done]) -> Result<(Vec<u8>, Option<u64>), DbError>;
        // An attempt of this member, under the same key as all others.
        let attempt = async |user: u64, told: Told| {
            let mut write = exports::begin(UserId(user), &format!("kit-{user}"), 1);
            write.statements.push(answers::insert_last(app.store.clone(), "user 7 one".to_owned(), [7; 32], app.clock.wall_ms(), told));
            app.db.run(write.statements).await
        };
        let made = async || {
            let name = answers::stored_name(&app.vault, "user 7 one");
            let stored = answers::find(&app.db, &name).await.unwrap();
            let body = stored.map(|stored| answers::open(&app.vault, &name, &stored.sealed).unwrap());
            let rows = app.db.query(store::sql!("select id, user_id from exports")).await.unwrap().rows;
            (rows.iter().map(|row| (row.id(0).unwrap(), row.id(1).unwrap())).collect::<Vec<_>>(), body)
        };
        let failed = attempt(1, |_| Err(DbError::Failed("no answer".to_owned()))).await;
        assert_eq!(failed, Err(DbError::Failed("no answer".to_owned())));
        assert_eq!(made().await, (vec![], None));

        // The answer contains the number that the database assigned.
        let number: Told = |done| Ok((exports::begun(&done[1])?.to_string().into_bytes(), None));
        let id = exports::begun(&attempt(2, number).await.unwrap()[1]).unwrap();
        let first = (vec![(id, 2)], Some(id.to_string().into_bytes()));
        assert_eq!(made().await, first);

        // Another attempt under the key that did not see the first is undone as a whole.
        assert_eq!(attempt(3, number).await, Err(DbError::Missed(2)));
        assert_eq!(made().await, first);
    });
}

#[test]
fn a_write_that_was_committed_and_then_ended_in_a_fault_is_not_done_again() {
    both(|server| async move {
        let (ann, desk) = (Member::new(&server, "ann@example.com").await, operator(&server, "sue", &["support"]).await);
        let (id, who) = (ann.id.0.to_string(), As { token: &desk, key: "one", ..As::default() });
        let (cut, mend) = match server.database() {
            Some(_) => ("alter table audit add constraint cut check (seq is null) not valid", "alter table audit drop constraint cut"),
            None => ("create trigger cut before update on audit begin select raise(abort, 'cut'); end", "drop trigger cut"),
        };
        let reply = async |content: &str| server.post_as(who, "/operator/api/chat/reply", &[("user_id", &id), ("content", content)]).await;
        // The message and its answer are written, but not that the call is over.
        server.running.app.db.exec(store::sql!(cut)).await.unwrap();
        assert_eq!(reply("Hello").await.error(), "E_OUTCOME_UNKNOWN");
        server.running.app.db.exec(store::sql!(mend)).await.unwrap();
        assert_eq!(reply("Good day").await.error(), "E_DUP_REQUEST");
        let again = reply("Hello").await;
        assert_eq!((&again.ok()["content"], again.header("x-idempotent-replay")), (&json!("Hello"), "1"));
        let history = ann.get(&server, "/api/chat/history").await;
        assert_eq!((history.as_array().unwrap().len(), &history[0]["id"]), (1, &again.ok()["id"]));
    });
}

#[test]
fn a_change_of_security_is_repeated_with_the_sequence_of_its_entry() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let fund = ann.code(&server, "fund").await;
        server.post_as(token(&ann.token), "/api/sms_mail", &[("user_string", "new@example.com"), ("type", "bind")]).await.ok();
        let bind = server.newest_message("new@example.com").await["code"].as_str().unwrap().to_owned();
        server.register("bob@example.com").await;
        let forget = server.mail_code("bob@example.com", "forget").await;
        let calls: [(&str, &[(&str, &str)]); 5] = [
            ("safe/update_password", &[("password", FUND), ("re_password", FUND), ("login_password", "secret1"), ("code", &fund)]),
            ("user/e_pwd", &[("type", "2"), ("old_password", FUND), ("password", "111111")]),
            ("user/e_pwd", &[("old_password", "secret1"), ("password", "another2")]),
            ("user/edit_email", &[("email", "new@example.com"), ("password", "another2"), ("code", &bind)]),
            ("user/forget", &[("account", "bob@example.com"), ("code", &forget), ("password", "third333"), ("repassword", "third333")]),
        ];
        for (number, (path, form)) in calls.into_iter().enumerate() {
            let (path, key) = (format!("/api/{path}"), format!("key-{number}"));
            let who = As { token: if path.ends_with("forget") { "" } else { &ann.token }, key: &key, lang: "" };
            let before = server.running.app.sequencer.engine().seq().0;
            let first = server.post_as(who, &path, form).await;
            first.ok();
            assert!(first.header("x-seq").parse::<u64>().unwrap() > before, "{path}");
            let later = server.post("/sandbox/clock", &[("advance_ms", "1")]).await;
            server.running.app.wait_for(later.header("x-seq").parse().unwrap()).await.unwrap();
            let again = server.post_as(who, &path, form).await;
            assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")), "{path}");
        }
    });
}

#[test]
fn a_log_in_is_repeated_from_memory_and_its_token_is_in_no_table() {
    both(|server| async move {
        server.register("ann@example.com").await;
        let form = [("user_string", "ann@example.com"), ("password", "secret1")];
        let who = As { key: "log-in", ..As::default() };
        let first = server.post_as(who, "/api/user/login", &form).await;
        let again = server.post_as(who, "/api/user/login", &form).await;
        assert_eq!((again.ok(), again.header("x-idempotent-replay")), (first.ok(), "1"));
        let stored = server.running.app.db.query(store::sql!("select caller, body from answers")).await.unwrap();
        let (token, vault) = (first.ok(), &server.running.app.vault);
        for row in stored.rows {
            let body = answers::open(vault, &row.text(0).unwrap(), &row.blob(1).unwrap()).unwrap();
            assert!(!String::from_utf8_lossy(&body).contains(token.as_str().unwrap()));
        }
    });
}

#[test]
fn a_malformed_key_is_refused() {
    both(|server| async move {
        for bad in ["a b", "k\u{e9}", &"x".repeat(65), "a/b"] {
            let answer = server
                .request("POST", "/api/set/lang", &[("idempotency-key", bad), ("content-type", "application/json")], r#"{"lang":"en"}"#)
                .await;
            assert_eq!(answer.error(), "E_FIELD", "{bad}");
        }
    });
}

#[test]
fn a_key_that_a_command_used_is_refused_for_any_other_write() {
    both(|mut server| async move {
        let who = server.member("ann@example.com").await;
        let mine = As { token: &who, key: "one", ..As::default() };
        let funds = [("asset", "USDT"), ("amount", "5")];
        let first = server.post_as(mine, "/sandbox/faucet", &funds).await;
        first.ok();
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            for form in [[("nickname", "Other")], [("nickname", "Third")]] {
                assert_eq!(server.post_as(mine, "/api/user/edit_profile", &form).await.error(), "E_DUP_REQUEST");
            }
            assert_ne!(server.get_as(token(&who), "/api/user/center").await.ok()["nickname"], "Other");
            let again = server.post_as(mine, "/sandbox/faucet", &funds).await;
            assert_eq!((again.ok(), again.header("x-idempotent-replay")), (first.ok(), "1"));
        }
    });
}

#[test]
fn a_write_that_was_begun_by_another_under_the_same_key_keeps_no_answer() {
    both(|server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let db = &server.running.app.db;
        let plain = answers::stored_name(&server.running.app.vault, "address 127.0.0.1 taken");
        let caller = &format!("begun {plain}");
        db.exec(store::sql!(
            "insert into answers (caller, content, body, at_ms) values ($1, $2, $3, $4)",
            caller,
            [7; 32],
            b"1".to_vec(),
            server.running.app.clock.wall_ms()
        ))
        .await
        .unwrap();
        let who = As { key: "taken", ..As::default() };
        assert_eq!(server.post_as(who, "/api/user/register", &sign_up("ann@example.com", &code)).await.error(), "E_DUP_REQUEST");
        let stored = db.query(store::sql!("select count(*) from answers where caller = $1", plain)).await.unwrap();
        assert_eq!(stored.rows[0].int(0).unwrap(), 0);
        // Once the other answer is forgotten, the key is free.
        db.exec(store::sql!("delete from answers where caller = $1", caller)).await.unwrap();
        server.post_as(who, "/api/user/register", &sign_up("ann@example.com", &code)).await.ok();
    });
}

/// A read that must be at least as new as this entry.
async fn read_at(server: &Server, token: &str, path: &str, seq: &str) -> Answer {
    server.request("GET", path, &[("authorization", token), ("x-min-seq", seq)], "").await
}

#[test]
fn a_repeated_command_is_answered_by_the_history_byte_for_byte_also_after_a_restart() {
    both(|mut server| async move {
        let ann = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let bob = trader(&server, "bob@example.com", &[("BTC", "1")]).await;
        place(&server, &bob, "2", "0.002", "100000", &[]).await.ok();
        let mine = |key| As { token: &ann, key, ..As::default() };
        let order = |amount| [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", amount), ("target_price", "100000")];
        let transfer = [("currency_id", "3"), ("number", "60000"), ("from_field", "change"), ("to_field", "micro")];
        let bought = server.post_as(mine("bought"), "/api/coin/trade", &order("0.003")).await;
        assert_eq!(bought.data()["fills"].as_array().unwrap().len(), 1, "{}", bought.text);
        let refused = server.post_as(mine("refused"), "/api/wallet/change", &transfer).await;
        assert_eq!(refused.error(), "E_INSUFFICIENT");
        // Later events do not change the first answers.
        server.post_as(token(&ann), "/api/coin/cancel_all", &[]).await.ok();
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            for (key, path, form, first) in
                [("bought", "/api/coin/trade", order("0.003").as_slice(), &bought), ("refused", "/api/wallet/change", &transfer, &refused)]
            {
                let again = server.post_as(mine(key), path, form).await;
                assert_eq!((&again.text, again.header("x-seq")), (&first.text, first.header("x-seq")));
                assert_eq!(again.header("x-idempotent-replay"), "1");
            }
            assert_eq!(server.post_as(mine("bought"), "/api/coin/trade", &order("0.004")).await.error(), "E_DUP_REQUEST");
        }
        let fills = server.get_as(token(&ann), "/api/coin/fills").await.ok();
        assert_eq!(fills["total"], 1, "{fills}");
        // An answer longer than allowed, one of a later form, and no row at all: always the same refusal, and nothing is done.
        let stored = |body: &[u8]| store::sql!("update first_answers set body = $1", body.to_vec());
        for spoil in [stored(&[0, 0, 7]), stored(&[2, 0]), store::sql!("delete from first_answers")] {
            let about = format!("{spoil:?}");
            server.running.app.db.exec(spoil).await.unwrap();
            for (key, path, form) in
                [("bought", "/api/coin/trade", order("0.003").as_slice()), ("refused", "/api/wallet/change", transfer.as_slice())]
            {
                let again = server.post_as(mine(key), path, form).await;
                assert_eq!((again.status, again.error().as_str()), (200, "E_ANSWER_GONE"), "{about}");
                let asked = server.post_as(token(&ann), "/api/user/outcome", &[("key", key)]).await;
                assert_eq!((asked.status, asked.error().as_str()), (200, "E_ANSWER_GONE"), "{about}");
            }
            assert_eq!(server.get_as(token(&ann), "/api/coin/fills").await.ok(), fills);
        }
    });
}

#[test]
fn while_the_history_is_behind_a_repetition_is_unknown_and_reads_of_the_present_go_on() {
    both(|server| async move {
        let ann = server.member("ann@example.com").await;
        let mine = As { token: &ann, key: "funds", ..As::default() };
        let funds = [("asset", "USDT"), ("amount", "5")];
        let available = async || server.post_as(token(&ann), "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        let sql = |text: &'static str| server.running.app.db.exec(store::sql!(text));
        sql("alter table first_answers rename to first_answers_away").await.unwrap();
        let first = server.post_as(mine, "/sandbox/faucet", &funds).await;
        first.ok();
        let after = available().await;
        for path in ["/api/wallet/list", "/api/wallet/detail?currency=3&type=change", "/api/market/ticker", "/api/user/cash_list"] {
            let read = read_at(&server, &ann, path, first.header("x-seq")).await;
            read.ok();
            assert!(read.header("x-seq").parse::<u64>().unwrap() >= first.header("x-seq").parse().unwrap(), "{path}");
        }
        let rows = read_at(&server, &ann, "/api/coin/fills", first.header("x-seq")).await;
        assert_eq!((rows.status, rows.error().as_str()), (503, "E_NOT_READY"));
        let again = server.post_as(mine, "/sandbox/faucet", &funds).await;
        assert_eq!((again.status, again.error().as_str()), (503, "E_OUTCOME_UNKNOWN"));
        let asked = server.post_as(token(&ann), "/api/user/outcome", &[("key", "funds")]).await;
        assert_eq!(asked.error(), "E_OUTCOME_UNKNOWN");
        let other = server.post_as(mine, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "6")]).await;
        assert_eq!(other.error(), "E_DUP_REQUEST");
        sql("alter table first_answers_away rename to first_answers").await.unwrap();
        // Each waits for the rows by itself.
        let mut again = server.post_as(mine, "/sandbox/faucet", &funds).await;
        while again.error() == "E_OUTCOME_UNKNOWN" {
            again = server.post_as(mine, "/sandbox/faucet", &funds).await;
        }
        assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")));
        assert_eq!(outcome(&server, &ann, "funds").await["state"], "done");
        assert_eq!(available().await, after);
    });
}

#[test]
fn reads_that_do_not_wait_for_the_history_read_nothing_of_it() {
    both(|server| async move {
        let ann = server.member("ann@example.com").await;
        let value = |name: &str| match name {
            "currency" | "legal_id" => "3",
            "type" => "change",
            "symbol" => "BTC/USDT",
            "to" => "ann@example.com",
            "c_id" => "4",
            _ => "1",
        };
        let tables = TABLES.map(|(table, _)| table).into_iter().chain(["notices"]);
        let rename = async |away: bool| {
            for table in tables.clone() {
                let (from, to) =
                    if away { (table.to_owned(), format!("{table}_away")) } else { (format!("{table}_away"), table.to_owned()) };
                server.running.app.db.exec(Sql::new(format!("alter table {from} rename to {to}"), Vec::new())).await.unwrap();
            }
        };
        rename(true).await;
        assert_eq!(server.get_as(token(&ann), "/api/coin/fills").await.error(), "E_INTERNAL", "what does read it");
        for entry in ROUTES.values().flatten().filter(|entry| entry.route.effect == Effect::ReadNow) {
            let needed = entry.params.iter().filter(|param| param.required);
            let fields: Vec<String> = needed.map(|param| format!("{}={}", param.name(), escape(value(param.name())))).collect();
            let url = format!("{}?{}", entry.route.url().replace("{key}", "1"), fields.join("&"));
            let read = server.get_as(token(&ann), &url).await;
            let refused = ["E_INTERNAL", "E_FIELD"].iter().any(|name| read.text.contains(&format!(r#""error":"{name}""#)));
            assert!(!refused, "{url}: {}", read.text);
        }
        rename(false).await;
    });
}

#[test]
fn guests_store_no_answers_of_what_changes_nothing() {
    both(|server| async move {
        let rows = async || {
            let done = server.running.app.db.query(store::sql!("select count(*) from answers")).await.unwrap();
            done.first().unwrap().id(0).unwrap()
        };
        let before = rows().await;
        for number in 0..150 {
            let (chosen, refused) = (format!("chosen-{number}"), format!("refused-{number}"));
            let guest = As { key: &chosen, ..As::default() };
            server.post_as(guest, "/api/set/lang", &[("lang", "en")]).await.ok();
            assert_eq!(server.post_as(guest, "/api/set/lang", &[("lang", "en")]).await.header("x-idempotent-replay"), "1");
            let guest = As { key: &refused, ..As::default() };
            assert_eq!(server.post_as(guest, "/api/sms_mail", &[("user_string", "no"), ("type", "register")]).await.error(), "E_EMAIL");
        }
        assert_eq!(rows().await, before);
    });
}

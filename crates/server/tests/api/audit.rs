//! The audit log: what it shows of tampering, and how it is searched.

use serde_json::json;
use store::audit;
use store::db::{Db, Row, Sql, Value};
use store::sql;

use crate::harness::{Answer, As, Server, both, token};
use crate::operator::{OperatorLogin, PASSPHRASE, operator, post};

async fn get(server: &Server, who: &str, path: &str) -> Answer {
    server.get_as(token(who), &format!("/operator/api/{path}")).await
}

/// Looks, refusals, an act of the engine and one that it refused.
async fn work(server: &Server) -> String {
    let auditor = operator(server, "eve", &["auditor"]).await;
    let treasury = operator(server, "tom", &["treasury", "admin"]).await;
    get(server, &auditor, "me").await.ok();
    assert_eq!(get(server, &auditor, "item?kind=identity&id=7&reason=nothing+there").await.error(), "E_NOT_FOUND");
    assert_eq!(get(server, &auditor, "user/detail?id=7").await.error(), "E_REASON");
    let pause = [("product", "spot"), ("on", "1"), ("reason", "a quiet hour")];
    server.post_as(token(&treasury), "/operator/api/catalog/pause", &pause).await.ok();
    // The engine refuses it; the call itself succeeds.
    server.post_as(token(&treasury), "/operator/api/catalog/pause", &pause).await.ok();
    auditor
}

async fn rows(db: &Db) -> Vec<Row> {
    let text = "select id, prev, hash, seq, operator_id, action, kind, object_id, reason, created_at_ms from audit order by id";
    db.query(sql!(text)).await.unwrap().rows
}

async fn put_back(db: &Db, row: &Row) {
    db.exec(sql!("delete from audit where id = $1", row.0[0].clone())).await.unwrap();
    let text = "insert into audit (id, prev, hash, seq, operator_id, action, kind, object_id, reason, created_at_ms) \
                values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    db.exec(Sql::new(text, row.0.clone())).await.unwrap();
}

#[test]
fn every_call_is_in_the_journal_and_in_a_chain_that_shows_tampering() {
    both(|server| async move {
        let app = server.running.app.clone();
        let auditor = operator(&server, "eve", &["auditor"]).await;
        let before = app.sequencer.engine().audited();
        get(&server, &auditor, "me").await.ok();
        get(&server, &auditor, "user/search?q=0000").await.ok();
        assert_eq!(get(&server, &auditor, "item?kind=identity&id=7&reason=nothing+there").await.error(), "E_NOT_FOUND");
        let early =
            post(&server, &operator(&server, "tom", &["treasury"]).await, "decide", &[("kind", "loan"), ("reason", "no such queue")]).await;
        assert_eq!(early.error(), "E_FIELD");
        // Three views, a log-in, and an act that never reached the engine.
        assert_eq!(app.sequencer.engine().audited() - before, 5);
        let rows = get(&server, &auditor, "audit?limit=100").await.ok();
        let rows = rows["data"].as_array().unwrap();
        assert!(rows.iter().skip(1).all(|row| row["seq"].as_u64() > Some(0)), "{rows:?}");
        let item = rows.iter().find(|row| row["kind"] == "identity" && row["action"] == "view").unwrap();
        assert_eq!((&item["reason"], &item["object_id"], &item["action"]), (&json!("nothing there"), &json!(7), &json!("view")));
        let none = get(&server, &auditor, "audit?operator_id=999").await.ok();
        assert_eq!(none["total"], 0);
        assert_eq!(store::audit::broken(&app, 1_000).await, Ok(None));
        let invariants = get(&server, &auditor, "settlement").await.ok()["invariants"].clone();
        assert!(invariants.as_array().unwrap().iter().all(|one| one["ok"] == 1), "{invariants}");

        let id = item["id"].as_u64().unwrap();
        app.db.exec(sql!("update audit set object_id = 8 where id = $1", id)).await.unwrap();
        assert_eq!(store::audit::broken(&app, 1_000).await, Ok(Some(id)));
        app.db.exec(sql!("update audit set object_id = 7 where id = $1", id)).await.unwrap();
        app.db.exec(sql!("delete from audit where id = $1", id)).await.unwrap();
        assert_eq!(store::audit::broken(&app, 1_000).await, Ok(Some(id + 1)));
    });
}

#[test]
fn a_log_that_was_cut_or_edited_is_not_verified() {
    both(|mut server| async move {
        work(&server).await;
        let db = server.running.app.db.clone();
        server.running.stop().await;
        server.verify().await.unwrap();
        let all = rows(&db).await;
        let gone = async |row: &Row| {
            db.exec(sql!("delete from audit where id = $1", row.0[0].clone())).await.unwrap();
            let found = server.verify().await.unwrap_err().0;
            put_back(&db, row).await;
            found
        };
        let newest = gone(all.last().unwrap()).await;
        assert!(newest.starts_with("the audit log has no row of entry "), "{newest}");
        assert_eq!(gone(&all[0]).await, "row 2 of the audit log does not follow from the one before");
        let mut seed = 42_u64;
        let mut draw = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        for _ in 0..24 {
            let row = &all[draw(all.len())];
            let column = 1 + draw(9);
            let mut edited = row.clone();
            match &mut edited.0[column] {
                // The row's entry is changed to the first one, which no operator made.
                Value::Int(seq) if column == 3 => *seq = 1,
                Value::Int(number) => *number += 1,
                Value::Text(text) => text.to_mut().push('x'),
                Value::Blob(bytes) => *bytes.last_mut().unwrap() ^= 1,
                Value::Null => panic!("{row:?}"),
            }
            put_back(&db, &edited).await;
            assert!(server.verify().await.is_err(), "{edited:?}");
            put_back(&db, row).await;
        }
        server.verify().await.unwrap();
    });
}

#[test]
fn a_cut_tail_shows_while_the_server_runs_and_after_it_went_on() {
    both(|mut server| async move {
        work(&server).await;
        let app = server.running.app.clone();
        assert_eq!(audit::broken(&app, 1_000).await, Ok(None));
        let newest = app.db.query(sql!("select max(id) from audit")).await.unwrap().rows[0].id(0).unwrap();
        app.db.exec(sql!("delete from audit where id = $1", newest)).await.unwrap();
        assert_eq!(audit::broken(&app, 1_000).await, Ok(Some(newest)));
        server.restart().await;
        work_on(&server).await;
        server.running.stop().await;
        let found = server.verify().await.unwrap_err().0;
        assert!(found.starts_with("the audit log has no row of entry "), "{found}");
    });
}

#[test]
fn numbers_that_nothing_can_have_do_not_break_the_log() {
    both(|mut server| async move {
        let eve = operator(&server, "eve", &["auditor", "support"]).await;
        for id in ["9007199254740992", "9223372036854775807", "9223372036854775808", "18446744073709551615", "99999999999999999999", "-1"] {
            for path in ["user/detail", "item"] {
                let seen = get(&server, &eve, &format!("{path}?kind=identity&id={id}&reason=look+at+it")).await;
                assert!(matches!(seen.error().as_str(), "E_FIELD" | "E_NOT_FOUND" | "E_ROLE"), "{}", seen.text);
            }
        }
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

async fn work_on(server: &Server) {
    let auditor = operator(server, "eve", &["auditor"]).await;
    get(server, &auditor, "me").await.ok();
}

#[test]
fn the_whole_log_is_searched_not_a_page_of_it() {
    both(|server| async move {
        let auditor = work(&server).await;
        for _ in 0..6 {
            server.patient(async || get(&server, &auditor, "me").await).await.ok();
        }
        let total = async |filter: &str| {
            let found = server.patient(async || get(&server, &auditor, &format!("audit?limit=1&{filter}")).await).await.ok();
            assert!(found["data"].as_array().unwrap().len() <= 1);
            (found["total"].as_u64().unwrap(), found["data"][0].clone())
        };
        let (both, newest) = total("object=identity&object_id=7").await;
        // The view and its refusal.
        assert_eq!((both, newest["action"].as_str()), (2, Some("refused")));
        // A search for acts does not find refused ones.
        assert_eq!(total("action=view&object=identity&object_id=7").await.0, 0);
        let (one, refusal) = total("action=refused&object=identity&object_id=7").await;
        assert_eq!((one, refusal["reason"].as_str()), (1, Some("view: E_NOT_FOUND")));
        assert_eq!(total("object_id=7").await.0, 3, "that of a member with this number, too");
        assert_eq!(total("action=pause").await.0, 2);
        assert_eq!(total("action=pause&object=identity").await.0, 0);
        assert_eq!(total("action=nothing").await.0, 0);
        // A search is a view of the log, whatever it looks for.
        let last = total("action=view&object=audit").await;
        assert!(last.0 > 0 && last.1["object_id"] == 0, "{last:?}");
        for loan in ["loan", "subscription"] {
            let none = get(&server, &auditor, &format!("queue?kind={loan}")).await.ok();
            assert_eq!((&none["total"], none["data"].as_array().unwrap().len()), (&0.into(), 0));
        }
        let verifier = operator(&server, "vic", &["verifier"]).await;
        assert_eq!(get(&server, &verifier, "queue?kind=loan").await.error(), "E_ROLE");
    });
}

#[test]
fn a_call_that_an_operator_repeats_has_a_row_of_its_own_and_the_log_is_still_whole() {
    both(|mut server| async move {
        let roles = ["treasury", "admin"];
        let (ann, bob) = (operator(&server, "ann", &roles).await, operator(&server, "bob", &roles).await);
        let member = crate::people::Member::new(&server, "cid@example.com").await.id.0.to_string();
        let twice = async |who: &str, path: &str, form: &[(&str, &str)]| {
            let path = format!("/operator/api/{path}");
            let caller = As { token: who, key: "again", ..As::default() };
            let (first, again) = (server.post_as(caller, &path, form).await, server.post_as(caller, &path, form).await);
            assert_eq!((first.text.clone(), again.header("x-idempotent-replay")), (again.text.clone(), "1"), "{path}");
            first
        };
        let capital = [("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", "5"), ("reason", "capital")];
        let proposed = twice(&ann, "treasury/move", &capital).await.ok();
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        let confirm = [("id", id.as_str()), ("hash", hash.as_str())];
        assert_eq!(twice(&bob, "proposal/confirm", &confirm).await.ok()["state"], "done");
        let late = As { token: &ann, key: "late", ..As::default() };
        for _ in 0..2 {
            let refused = server.post_as(late, "/operator/api/proposal/confirm", &confirm).await;
            assert!(["E_STATE", "E_SAME_OPERATOR"].contains(&refused.error().as_str()), "{}", refused.text);
        }
        let carl = operator(&server, "carl", &roles).await;
        twice(&carl, "user/freeze", &[("id", &member), ("scope", "all"), ("reason", "stolen phone")]).await.ok();

        let db = server.running.app.db.clone();
        server.running.stop().await;
        server.verify().await.unwrap();
        // The row of the repetition cannot be cut off either.
        let all = rows(&db).await;
        let newest = all.last().unwrap();
        db.exec(sql!("delete from audit where id = $1", newest.0[0].clone())).await.unwrap();
        let found = server.verify().await.unwrap_err().0;
        assert!(found.starts_with("the audit log has no row of entry "), "{found}");
    });
}

#[test]
fn of_log_ins_with_one_code_at_once_all_but_one_are_noted_as_refused() {
    both(|server| async move {
        let desk = OperatorLogin::open(&server, "dan", "support").await;
        let code = desk.code(&server, 0);
        let form = [("name", "dan"), ("password", PASSPHRASE), ("otp", code.as_str())];
        let answers = futures_util::future::join_all((0..6).map(|_| server.post("/operator/api/login", &form))).await;
        let opened = answers.iter().filter(|answer| answer.text.contains("\"code\":1")).count();
        let count = async |action: &str| {
            let found = server.running.app.db.query(sql!("select count(*) from audit where action = $1", action)).await.unwrap();
            found.rows[0].int(0).unwrap()
        };
        assert_eq!((opened, count("log_in").await - count("refused").await), (1, 1), "{} refused", count("refused").await);
    });
}

#[test]
fn a_repeated_pause_is_answered_as_the_first_time_and_two_at_once_both_succeed() {
    both(|mut server| async move {
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let keyed = async |server: &Server, who: &str, key: &str, on: &str| {
            let form = [("product", "spot"), ("on", on), ("reason", "a quiet hour")];
            server.post_as(As { token: who, key, ..As::default() }, "/operator/api/catalog/pause", &form).await
        };
        let first = keyed(&server, &one, "first", "1").await;
        let again = keyed(&server, &one, "first", "1").await;
        assert_eq!((first.text.as_str(), first.header("x-seq")), (again.text.as_str(), again.header("x-seq")));
        assert_eq!(again.header("x-idempotent-replay"), "1");
        for round in 0..8 {
            let (key, on) = (format!("round{round}"), if round % 2 == 0 { "0" } else { "1" });
            let (first, second) = tokio::join!(keyed(&server, &one, &key, on), keyed(&server, &two, &key, on));
            assert_eq!((first.ok(), second.ok()), ("Saved".into(), "Saved".into()));
            assert_eq!(keyed(&server, &two, &key, on).await.text, second.text);
        }
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

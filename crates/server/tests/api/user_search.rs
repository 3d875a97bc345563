//! What operators find members by, and what not.

use std::time::Duration;

use engine::ids::UserId;
use serde_json::Value as Json;
use server::i18n::Lang;
use store::db::{Sql, Value};
use store::people::{Identity, NewPerson, add, find, get};
use store::sealing::Contact;
use store::sql;

use crate::harness::{Server, both, escape, token};
use crate::operator::operator;

async fn search(server: &Server, desk: &str, q: &str, page: &str) -> (Vec<u64>, u64) {
    let found = server.get_as(token(desk), &format!("/operator/api/user/search?q={}{page}", escape(q))).await.ok();
    let id = |row: &Json| row["id"].as_u64().unwrap();
    (found["data"].as_array().unwrap().iter().map(id).collect(), found["total"].as_u64().unwrap())
}

/// A member with this account number, and this mail address or phone.
async fn person(server: &Server, account_number: &str, identity: Identity) -> u64 {
    let new = NewPerson {
        identity: &identity,
        account_number,
        password: "1$00$00".to_owned(),
        inviter: None,
        country: "DE",
        lang: Lang::default(),
    };
    add(&server.running.app, vec![], new).await.unwrap().0
}

#[test]
fn a_member_is_found_by_each_form_of_what_he_is_known_by_and_by_nothing_less() {
    both(|server| async move {
        let server = &server;
        let desk = &operator(server, "sue", &["support"]).await;
        let ann = person(server, "712345678", Identity::Email("ann.lee@example.com".to_owned())).await;
        let bob = person(server, "712399999", Identity::Phone("49-15112345678".to_owned())).await;
        // His phone is a prefix of another's account number, and both are found.
        let cid = person(server, "498001234", Identity::Phone("7-12345".to_owned())).await;
        for (q, found) in [
            ("ann.lee@example.com", vec![ann]),
            ("  ANN.Lee@Example.COM ", vec![ann]),
            ("ann.lee@example.co", vec![]),
            ("ann.lee", vec![]),
            ("@example.com", vec![]),
            ("+49 151 1234 5678", vec![bob]),
            ("+49-15112345678", vec![bob]),
            ("4915112345678", vec![bob]),
            ("+4915112345", vec![]),
            ("15112345678", vec![]),
            ("0049 15112345678", vec![]),
            ("712345678", vec![ann]),
            ("712 345 678", vec![ann]),
            ("7123", vec![bob, ann]),
            ("71234", vec![ann]),
            ("712345", vec![cid, ann]),
            ("+7 12345", vec![cid, ann]),
            ("712345679", vec![]),
            ("7123456780", vec![]),
            ("1234", vec![]),
            // Too few digits are not a prefix of an account number.
            ("7-1-2", vec![]),
            // The house is not a member.
            ("0001", vec![]),
            ("house", vec![]),
            ("7123x", vec![]),
            ("7123456789012345", vec![]),
        ] {
            let total = found.len() as u64;
            assert_eq!(search(server, desk, q, "").await, (found, total), "{q}");
        }
        assert_eq!(search(server, desk, &format!("{ann:04}"), "").await, (vec![ann], 1));
        assert_eq!(search(server, desk, "7123", "&limit=1&page=2").await, (vec![ann], 2));
        assert_eq!(search(server, desk, "7123", "&limit=1&page=3").await, (vec![], 2));
        assert_eq!(search(server, desk, "712345678", "&page=2").await, (vec![], 1));
        // His number is a prefix of his account number, too.
        let dan = person(server, "912345678", Identity::Email("dan@example.com".to_owned())).await;
        server.running.app.db.exec(sql!("update users set id = 9123 where id = $1", dan)).await.unwrap();
        assert_eq!(search(server, desk, "9123", "").await, (vec![9123], 1));
    });
}

#[test]
fn a_member_is_read_at_once_while_the_database_waits_to_write() {
    both(|server| async move {
        let app = &server.running.app;
        if app.db.is_shared() {
            // A server of its own does not wait. It should plan each statement once.
            let kept = app.db.query(sql!("select current_setting('plan_cache_mode')")).await.unwrap();
            assert_eq!(kept.rows[0].text(0).unwrap(), "force_generic_plan");
            return;
        }
        let ann = person(&server, "712345678", Identity::Email("ann.lee@example.com".to_owned())).await;
        let other = rusqlite::Connection::open(server.folder().join("meridian.db")).unwrap();
        other.execute_batch("begin immediate").unwrap();
        let db = app.db.clone();
        let write = tokio::spawn(async move { db.exec(sql!("update users set nickname = 'Ann' where id = $1", ann)).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let soon = Duration::from_secs(2);
        let read = tokio::time::timeout(soon, get(app, UserId(ann))).await.unwrap().unwrap();
        let mail = Identity::Email("ann.lee@example.com".to_owned());
        assert!(tokio::time::timeout(soon, find(app, &mail)).await.unwrap().unwrap().is_some());
        assert!(!write.is_finished() && read.nickname != "Ann");
        other.execute_batch("rollback").unwrap();
        write.await.unwrap().unwrap();
        // What was just committed is visible.
        assert_eq!(get(app, UserId(ann)).await.unwrap().nickname, "Ann");
    });
}

#[test]
fn few_and_many_matches_are_paged_and_counted_alike() {
    both(|server| async move {
        let server = &server;
        let desk = &operator(server, "sue", &["support"]).await;
        let app = &server.running.app;
        let insert =
            "insert into users (id, account_number, invite_code, nickname, email_hash, password, lang, country, created_at_ms) values";
        // The newer a member, the smaller his account number.
        let row = |at: u64| -> Vec<Value> {
            let mail = Contact::Email.hash(&app.vault, &format!("m{at}@example.com"));
            let (number, invite) = (555_599_999 - at, format!("I{at}"));
            vec![
                (1_000 + at).into(),
                number.to_string().into(),
                invite.into(),
                "M".into(),
                mail.into(),
                "x".into(),
                "en".into(),
                "DE".into(),
                at.into(),
            ]
        };
        let mut there = 0;
        for members in [200, 201, 230] {
            app.db.run(vec![Sql::bulk(insert, "", (there..members).map(row).collect())]).await.unwrap();
            there = members;
            let newest: Vec<u64> = (1_000..1_000 + members).rev().collect();
            for (page, shown) in [("", &newest[..10]), ("&page=3&limit=50", &newest[100..150]), ("&page=9&limit=100", &[])] {
                assert_eq!(search(server, desk, "5555", page).await, (shown.to_vec(), members), "{members} {page}");
            }
        }
        assert_eq!(app.db.query(sql!("select count(*) from users where country = 'DE'")).await.unwrap().first().unwrap().id(0), Ok(230));
    });
}

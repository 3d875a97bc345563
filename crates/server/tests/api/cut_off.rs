//! Writes that are interrupted between two steps: what was used up is not lost, and a repetition under the same key continues.

use store::sql;

use crate::harness::{Answer, As, Server, both, token};
use crate::operator::{operator, post};
use crate::people::{FUND, Member, TRON};

/// A write whose command does not come into the journal: as if the process had ended behind what it wrote to the tables before.
async fn cut(server: &Server, who: &Member, key: &str, path: &str, form: &[(&str, &str)]) {
    let app = server.running.app.clone();
    // The write waits for its turn and then finds no journal. Its compensation cannot be written either.
    let lock = app.member_locks.of(who.id).await;
    let (forbid, allow) = match server.database() {
        Some(_) => ("create rule cut as on insert to codes do instead nothing", "drop rule cut on codes"),
        None => ("create trigger cut before insert on codes begin select raise(ignore); end", "drop trigger cut"),
    };
    app.db.exec(sql!(forbid)).await.unwrap();
    let stop = async {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        app.sequencer.stop().await;
        drop(lock);
    };
    let (answer, ()) = tokio::join!(keyed(server, who, key, path, form), stop);
    assert_ne!(answer.status, 200, "{}", answer.text);
    app.db.exec(sql!(allow)).await.unwrap();
    let left = app.db.query(sql!("select count(*) from codes where purpose in ('operation', 'fund')")).await.unwrap();
    assert_eq!(left.rows[0].int(0), Ok(0), "it was cut off before the step that this is about");
}

/// Renames a table, so that the step that writes to it fails: as if the process had ended before it.
async fn rename(server: &Server, from: &str, to: &str) {
    server.running.app.db.exec(store::db::Sql::new(format!("alter table {from} rename to {to}"), vec![])).await.unwrap();
}

/// How many notices there are of this topic.
async fn told(server: &Server, topic: &str) -> i64 {
    let found = server.running.app.db.query(sql!("select count(*) from notices where topic = $1", topic)).await.unwrap();
    found.rows[0].int(0).unwrap()
}

async fn keyed(server: &Server, who: &Member, key: &str, path: &str, form: &[(&str, &str)]) -> Answer {
    server.post_as(As { token: &who.token, key, ..As::default() }, path, form).await
}

#[test]
fn a_first_fund_password_that_was_cut_off_is_set_by_its_repetition_or_by_a_new_one() {
    both(|mut server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let code = ann.code(&server, "fund").await;
        let path = "/api/safe/update_password";
        let form = |code: &str| {
            [("password", FUND), ("re_password", FUND), ("login_password", "secret1")]
                .map(|(name, value)| (name, value.to_owned()))
                .into_iter()
                .chain([("code", code.to_owned())])
                .collect::<Vec<_>>()
        };
        fn plain<'a>(form: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
            form.iter().map(|(name, value)| (*name, value.as_str())).collect()
        }
        let hers = form(&code);
        let hers = plain(&hers);

        // Before the engine knew: the row is there and has no effect.
        cut(&server, &ann, "first", path, &hers).await;
        server.restart().await;
        assert_eq!(ann.get(&server, "/api/user/has_password").await, 2);
        let done = keyed(&server, &ann, "first", path, &hers).await;
        assert_eq!(done.data()["hold_until_ms"], serde_json::Value::Null);

        // After the engine knew: it is in force, whatever happened to the answer, and no hold begins.
        let his = form(&bob.code(&server, "fund").await);
        let his = plain(&his);
        rename(&server, "notices", "notices_away").await;
        assert_eq!(keyed(&server, &bob, "first", path, &his).await.error(), "E_INTERNAL");
        rename(&server, "notices_away", "notices").await;
        server.restart().await;
        assert_eq!(bob.get(&server, "/api/user/has_password").await, 1);
        let done = keyed(&server, &bob, "first", path, &his).await;
        assert_eq!(done.data()["hold_until_ms"], serde_json::Value::Null);

        for who in [&ann, &bob] {
            let change = [("type", "2"), ("old_password", FUND), ("password", "111111")];
            who.post(&server, "/api/user/e_pwd", &change).await.ok();
        }
        assert_eq!(
            server.running.app.db.query(sql!("select count(*) from answers where caller like 'begun%'")).await.unwrap().rows[0].int(0),
            Ok(0)
        );
    });
}

#[test]
fn a_member_without_a_key_sets_the_first_fund_password_anew() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let code = ann.code(&server, "fund").await;
        let form = [("password", "999999"), ("re_password", "999999"), ("login_password", "secret1"), ("code", code.as_str())];
        cut(&server, &ann, "", "/api/safe/update_password", &form).await;
        server.restart().await;
        ann.set_fund_password(&server).await;
        let change =
            async |old: &str| ann.post(&server, "/api/user/e_pwd", &[("type", "2"), ("old_password", old), ("password", "111111")]).await;
        assert_eq!(change("999999").await.error(), "E_FUNDPW_WRONG");
        change(FUND).await.ok();
    });
}

#[test]
fn a_code_that_was_used_up_before_its_command_is_good_for_the_repetition() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let code = ann.code(&server, "operation").await;
        let form = [
            ("currency_id", "3"),
            ("netType", "TRC20"),
            ("address", TRON),
            ("pay_password", FUND),
            ("code", code.as_str()),
            ("notes", "Cold"),
        ];
        let path = "/api/wallet/addaddress";
        cut(&server, &ann, "add", path, &form).await;
        server.restart().await;
        // For another write, and for one without a key, it is used up.
        assert_eq!(ann.post(&server, path, &form).await.error(), "E_CODE");
        let mut other = form;
        other[3].1 = "000000";
        assert_eq!(keyed(&server, &ann, "add", path, &other).await.error(), "E_DUP_REQUEST");
        keyed(&server, &ann, "add", path, &form).await.ok();
        let again = keyed(&server, &ann, "add", path, &form).await;
        assert_eq!((again.ok().is_string(), again.header("x-idempotent-replay")), (true, "1"));
        let stored = ann.post(&server, "/api/wallet/get_address", &[]).await.ok();
        assert_eq!((stored.as_array().unwrap().len(), &stored[0]["notes"]), (1, &"Cold".into()));
    });
}

#[test]
fn an_address_whose_label_was_cut_off_gets_it_and_its_notice_once() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.set_fund_password(&server).await;
        let code = ann.code(&server, "operation").await;
        let form = [
            ("currency_id", "3"),
            ("netType", "TRC20"),
            ("address", TRON),
            ("pay_password", FUND),
            ("code", code.as_str()),
            ("notes", "Cold"),
        ];
        rename(&server, "labels", "labels_away").await;
        assert_eq!(keyed(&server, &ann, "add", "/api/wallet/addaddress", &form).await.error(), "E_INTERNAL");
        rename(&server, "labels_away", "labels").await;
        server.restart().await;
        let stored = async || ann.post(&server, "/api/wallet/get_address", &[]).await.ok();
        assert_eq!(stored().await[0]["notes"], "");
        for _ in 0..2 {
            keyed(&server, &ann, "add", "/api/wallet/addaddress", &form).await.ok();
        }
        assert_eq!(stored().await[0]["notes"], "Cold");
        assert_eq!(told(&server, "address_added").await, 1);
    });
}

#[test]
fn the_link_of_a_new_operator_is_not_lost_with_a_kill() {
    both(|mut server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin"]).await, operator(&server, "bob", &["admin"]).await);
        let form = [
            ("name", "Cid"),
            ("roles", r#"["treasury"]"#),
            ("active", "1"),
            ("linked_member", "none"),
            ("mail", "cid@example.com"),
            ("reason", "new colleague"),
        ];
        let proposed = server.post_as(token(&ann), "/operator/api/operator/save", &form).await.ok();
        let confirm = [("id", proposed["id"].to_string()), ("hash", proposed["hash"].as_str().unwrap().to_owned())];
        let confirm: Vec<(&str, &str)> = confirm.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let key = As { token: &bob, key: "confirm", ..As::default() };
        // The statement that stores the link fails: the command is in the journal, but the link was never made.
        let db = server.running.app.db.clone();
        db.exec(sql!("alter table operators rename column link_expires_ms to link_away")).await.unwrap();
        assert_eq!(server.post_as(key, "/operator/api/proposal/confirm", &confirm).await.error(), "E_INTERNAL");
        db.exec(sql!("alter table operators rename column link_away to link_expires_ms")).await.unwrap();
        server.restart().await;
        let again = server.post_as(key, "/operator/api/proposal/confirm", &confirm).await;
        let link = server.newest_message("cid@example.com").await["code"].as_str().unwrap().to_owned();
        assert_eq!((again.ok()["state"].as_str(), again.header("x-idempotent-replay")), (Some("done"), "1"));
        assert!(server.post("/operator/api/setup", &[("link", &link)]).await.ok()["secret"].is_string());
        // It is sent once.
        server.post_as(key, "/operator/api/proposal/confirm", &confirm).await.ok();
        assert_eq!(server.newest_message("cid@example.com").await["code"], link.as_str());
    });
}

#[test]
fn a_freeze_that_was_cut_off_is_told_once_and_ends_no_later_session() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let (one, two) = (operator(&server, "one", &["verifier"]).await, operator(&server, "two", &["verifier"]).await);
        let id = ann.id.0.to_string();
        let freeze = async |server: &Server| {
            let form = [("id", id.as_str()), ("scope", "withdraw"), ("reason", "stolen phone")];
            server.post_as(As { token: &one, key: "freeze", ..As::default() }, "/operator/api/user/freeze", &form).await
        };
        rename(&server, "notices", "notices_away").await;
        assert_eq!(freeze(&server).await.error(), "E_INTERNAL");
        rename(&server, "notices_away", "notices").await;
        server.restart().await;
        let again = freeze(&server).await;
        assert_eq!((again.ok(), again.header("x-idempotent-replay")), ("Saved".into(), "1"));
        assert_eq!(server.get_as(token(&ann.token), "/api/user/center").await.error(), "E_AUTH");

        // One more repetition changes nothing, for a member who logged in meanwhile either.
        let later = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        freeze(&server).await.ok();
        server.get_as(token(&later), "/api/user/center").await.ok();
        assert_eq!(told(&server, "frozen").await, 1);

        let proposed = post(&server, &one, "user/unfreeze", &[("id", &id), ("reason", "phone is back")]).await.ok();
        let lift = async |server: &Server| {
            let form = [("id", &*proposed["id"].to_string()), ("hash", proposed["hash"].as_str().unwrap())];
            server.post_as(As { token: &two, key: "lift", ..As::default() }, "/operator/api/proposal/confirm", &form).await
        };
        rename(&server, "notices", "notices_away").await;
        assert_eq!(lift(&server).await.error(), "E_INTERNAL");
        rename(&server, "notices_away", "notices").await;
        server.restart().await;
        for _ in 0..2 {
            assert_eq!(lift(&server).await.ok()["state"], "done");
        }
        assert_eq!(told(&server, "unfrozen").await, 1);
    });
}

#[test]
fn a_freeze_that_was_cut_off_ends_the_sessions_also_when_it_is_tried_anew() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let desk = operator(&server, "one", &["verifier"]).await;
        let id = ann.id.0.to_string();
        let freeze = async || post(&server, &desk, "user/freeze", &[("id", &id), ("scope", "all"), ("reason", "stolen phone")]).await;
        rename(&server, "notices", "notices_away").await;
        assert_eq!(freeze().await.error(), "E_INTERNAL");
        rename(&server, "notices_away", "notices").await;
        ann.get(&server, "/api/user/center").await;
        assert_eq!(freeze().await.error(), "E_STATE");
        assert_eq!(server.get_as(token(&ann.token), "/api/user/center").await.error(), "E_AUTH");
    });
}

#[test]
fn a_decision_on_a_reset_that_was_cut_off_is_made_by_its_repetition() {
    both(|mut server| async move {
        let desk = operator(&server, "vic", &["verifier"]).await;
        for (id, decision, topic) in [("1", "approve", "fund_password"), ("2", "reject", "fund_reset_rejected")] {
            let who = Member::new(&server, &format!("{decision}@example.com")).await;
            who.set_fund_password(&server).await;
            let (app, before) = (server.running.app.clone(), told(&server, topic).await);
            app.db.run(store::fund_passwords::ask(&app, who.id, "hash".to_owned())).await.unwrap();
            let item = server.get_as(token(&desk), &format!("/operator/api/item?kind=fund_reset&id={id}&reason=compare")).await.ok();
            let (version, hash) = (item["row"]["version"].to_string(), item["row"]["hash"].as_str().unwrap().to_owned());
            let decide = async |server: &Server| {
                let case = [("kind", "fund_reset"), ("id", id), ("decision", decision), ("version", &version), ("hash", &hash)];
                let form: Vec<_> = case.into_iter().chain((decision == "reject").then_some(("reason", "another person"))).collect();
                server.post_as(As { token: &desk, key: decision, ..As::default() }, "/operator/api/decide", &form).await
            };
            rename(&server, "notices", "notices_away").await;
            assert_eq!(decide(&server).await.error(), "E_INTERNAL");
            rename(&server, "notices_away", "notices").await;
            server.restart().await;
            for _ in 0..2 {
                let again = decide(&server).await;
                assert_eq!((&again.data()["done"], again.header("x-idempotent-replay")), (&1.into(), "1"), "{decision}");
            }
            assert_eq!(told(&server, topic).await, before + 1);
        }
    });
}

#[test]
fn a_start_that_cannot_go_on_says_why() {
    both(|mut server| async move {
        // A schema step that was already taken.
        server.running.app.db.exec(sql!("delete from migrations where id = 23")).await.unwrap();
        let why = server.try_restart().await.unwrap_err().to_string();
        assert!(why.contains("two_lines"), "{why}");
        server.running.app.db.exec(sql!("insert into migrations (id, name) values (23, 'again')")).await.unwrap();
        server.restart().await;
    });
}

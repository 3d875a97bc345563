//! Refused acts of operators are in the journal and in the audit log, like accepted ones.

use engine::identity::KycLevel;
use serde_json::Value as Json;

use crate::harness::{Answer, Server, both, token};
use crate::operator::operator;
use crate::people::Member;

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

/// The refused calls of the log, oldest first: kind, number and which call by which name.
async fn refused(server: &Server, auditor: &str) -> Vec<(String, u64, String)> {
    let rows = server.get_as(token(auditor), "/operator/api/audit?limit=100").await.ok();
    let text = |row: &Json, name: &str| row[name].as_str().unwrap().to_owned();
    let mut rows: Vec<_> = rows["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["action"] == "refused")
        .inspect(|row| assert!(row["seq"].as_u64() > Some(0), "{row}"))
        .map(|row| (text(row, "kind"), row["object_id"].as_u64().unwrap(), text(row, "reason")))
        .collect();
    rows.reverse();
    rows
}

#[test]
fn every_refused_call_of_an_operator_is_written_down() {
    both(|server| async move {
        let app = &server.running.app;
        let auditor = operator(&server, "eve", &["auditor"]).await;
        let support = operator(&server, "sue", &["support"]).await;
        let treasury = operator(&server, "tom", &["treasury"]).await;
        let ann = Member::new(&server, "ann@example.com").await;
        let (one, own) = (operator(&server, "vic", &["verifier"]).await, operator(&server, "ann@example.com", &["verifier"]).await);
        ann.submit_basic(&server, "AB123456").await.ok();
        let identity = app.sequencer.engine().identity(ann.id, KycLevel::Basic).cloned().unwrap();
        let (id, hash) = (identity.submission.0.to_string(), store::secrets::hex(&identity.hash().0));
        let decide = async |who: &str, decision: &str, version: &str, hash: &str| {
            let form = [("kind", "identity"), ("id", &id), ("decision", decision), ("version", version), ("hash", hash)];
            post(&server, who, "decide", &form).await.error()
        };
        let number = identity.submission.0;
        let mut expected: Vec<(String, u64, String)> = Vec::new();
        let mut expect = |kind: &str, id: u64, reason: &str| expected.push((kind.to_owned(), id, reason.to_owned()));

        let before = app.sequencer.engine().audited();
        // Role: by the route, and by the object of the call.
        assert_eq!(decide(&support, "approve", "1", &hash).await, "E_ROLE");
        assert_eq!(app.sequencer.engine().audited() - before, 1, "in the journal, too");
        expect("identity", number, "approve: E_ROLE");
        assert_eq!(decide(&treasury, "approve", "1", &hash).await, "E_ROLE");
        expect("identity", number, "approve: E_ROLE");
        // Stale version and hash, one's own case, no reason.
        assert_eq!(decide(&one, "approve", "77", &hash).await, "E_VERSION");
        expect("identity", number, "approve: E_VERSION");
        assert_eq!(decide(&one, "approve", "1", &"0".repeat(64)).await, "E_VERSION");
        expect("identity", number, "approve: E_VERSION");
        assert_eq!(decide(&own, "approve", "1", &hash).await, "E_SELF_REVIEW");
        expect("identity", number, "approve: E_SELF_REVIEW");
        assert_eq!(decide(&one, "reject", "1", &hash).await, "E_REASON");
        expect("identity", number, "reject: E_REASON");
        let detail = server.get_as(token(&support), &format!("/operator/api/user/detail?id={}", ann.id.0)).await;
        assert_eq!(detail.error(), "E_REASON");
        expect("user", ann.id.0, "view: E_REASON");
        // Dual control, and a text other than the proposed one.
        let form = [("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", "12.5"), ("reason", "more cover")];
        let proposed = post(&server, &treasury, "treasury/move", &form).await.ok();
        let (proposal, whole) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
        for (who, hash, name) in [(&treasury, whole, "E_SAME_OPERATOR"), (&one, whole, "E_ROLE")] {
            assert_eq!(post(&server, who, "proposal/confirm", &[("id", &proposal), ("hash", hash)]).await.error(), name);
            expect("proposal", proposed["id"].as_u64().unwrap(), &format!("confirm: {name}"));
        }
        // The second factor.
        let form = [("old_password", "x"), ("password", "seven wet llamas juggle"), ("otp", "000000")];
        assert_eq!(post(&server, &support, "password", &form).await.error(), "E_PASSWORD_OLD");
        expect("console", 0, "change_password: E_PASSWORD_OLD");

        assert_eq!(refused(&server, &auditor).await, expected);
        assert_eq!(store::audit::broken(app, 1_000).await, Ok(None));
        // Members are shown nothing of it as if it had been done.
        let log = ann.get(&server, "/api/user/access_log?limit=100").await;
        assert_eq!(log["total"], 0, "{log}");
    });
}

#[test]
fn a_known_password_without_its_authenticator_is_written_down() {
    both(|server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin"]).await, operator(&server, "bob", &["admin"]).await);
        let auditor = operator(&server, "eve", &["auditor"]).await;
        let form = [
            ("name", "cid"),
            ("roles", r#"["market"]"#),
            ("active", "1"),
            ("linked_member", "none"),
            ("mail", "cid@example.com"),
            ("reason", "new colleague"),
        ];
        let proposed = post(&server, &ann, "operator/save", &form).await.ok();
        let confirm = [("id", proposed["id"].to_string()), ("hash", proposed["hash"].as_str().unwrap().to_owned())];
        let confirm: Vec<(&str, &str)> = confirm.iter().map(|(name, value)| (*name, value.as_str())).collect();
        post(&server, &bob, "proposal/confirm", &confirm).await.ok();
        let link = server.newest_message("cid@example.com").await["code"].as_str().unwrap().to_owned();
        let setup = server.post("/operator/api/setup", &[("link", &link)]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let code = store::totp::code(&secret, store::totp::step(server.running.app.clock.wall_ms()));
        let good = "seven wet llamas juggle";
        server.post("/operator/api/setup", &[("link", &link), ("password", good), ("otp", &code)]).await.ok();
        for (password, otp) in [("wrong", "000000"), (good, "000000")] {
            let tried = server.post("/operator/api/login", &[("name", "cid"), ("password", password), ("otp", otp)]).await;
            assert_eq!(tried.error(), "E_CREDENTIALS");
        }
        assert_eq!(refused(&server, &auditor).await, [("console".to_owned(), 0, "log_in: E_2FA_WRONG".to_owned())]);
    });
}

#[test]
fn refused_calls_are_written_down_no_faster_than_others() {
    both(|server| async move {
        let (auditor, support) = (operator(&server, "eve", &["auditor"]).await, operator(&server, "sue", &["support"]).await);
        let mut names: Vec<String> = Vec::new();
        while names.len() < 200 {
            let calls = (0..20).map(|_| post(&server, &support, "treasury/move", &[]));
            names.extend(futures_util::future::join_all(calls).await.iter().map(Answer::error));
        }
        let turned_away = names.iter().filter(|name| *name == "E_ROLE").count();
        assert!(names.iter().all(|name| name == "E_ROLE" || name == "E_RATE") && turned_away >= 40, "{names:?}");
        let rows = server.get_as(token(&auditor), "/operator/api/audit?limit=1").await.ok();
        // Besides: two operators who were added and logged in, and this view.
        assert_eq!(rows["total"].as_u64().unwrap(), turned_away as u64 + 5);
    });
}

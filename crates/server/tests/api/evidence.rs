//! Evidence from earlier rows about a case, as its reviewer sees it.

use engine::backoffice::acts::Decision;
use engine::identity::KycLevel;
use serde_json::{Value as Json, json};
use store::sql;

use crate::harness::{Server, both, flat_jpeg, token};
use crate::operator::operator;
use crate::people::{Member, decide_identity, reason};

/// A case, once all its rows are written.
async fn case(server: &Server, desk: &str, kind: &str, id: u64) -> Json {
    let newest = server.running.app.sequencer.engine().seq().0;
    server.running.app.wait_for(newest).await.unwrap();
    server.get_as(token(desk), &format!("/operator/api/item?kind={kind}&id={id}&reason=look")).await.ok()
}

/// The result of a check of a case: whether it passes, and its detail.
fn says(case: &Json, name: &str) -> (u64, String) {
    let checks = case["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name}: {checks:?}"));
    (found["ok"].as_u64().unwrap(), found["detail"].as_str().unwrap().to_owned())
}

/// Whether the result of a check is known.
fn is_known(case: &Json, name: &str) -> bool {
    case["checks"].as_array().unwrap().iter().any(|check| check["name"] == name && check["known"] == 1)
}

pub async fn upload(server: &Server, who: &Member, purpose: &str, side: u32) -> String {
    let parts: [(&str, &str, &[u8]); 2] = [("purpose", "", purpose.as_bytes()), ("file", "a.jpg", &flat_jpeg(side, side, 5))];
    server.upload(token(&who.token), &parts).await.ok().as_str().unwrap().to_owned()
}

#[test]
fn a_proof_of_another_claim_or_of_another_member_is_told() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let desk = operator(&server, "tom", &["treasury"]).await;
        let claim = async |who: &Member, img: &str, tx: &str| {
            let form = [("currency", "3"), ("netType", "TRC20"), ("amount", "25"), ("imgs", img), ("hash", tx)];
            who.post(&server, "/api/wallet/charge_req", &form).await.data()["id"].as_u64().unwrap()
        };
        let other = upload(&server, &ann, "deposit", 490).await;
        let (mine, again, his) = (
            upload(&server, &ann, "deposit", 480).await,
            upload(&server, &ann, "deposit", 480).await,
            upload(&server, &bob, "deposit", 480).await,
        );
        let first = claim(&ann, &mine, "f00d").await;
        let shown = case(&server, &desk, "deposit", first).await;
        // It has not been seen yet: the other checks are not failed but unknown.
        assert_eq!(says(&shown, "observed"), (0, "no seen payment belongs to it".to_owned()));
        assert!(is_known(&shown, "observed"));
        for name in ["owner_coin_and_network", "confirmations", "minimum"] {
            assert!(!is_known(&shown, name), "{name}: {shown}");
        }
        // An upload that was never handed in proves nothing.
        for name in ["pictures_of_nobody_else", "proof_of_no_other_claim"] {
            assert_eq!(says(&shown, name), (1, String::new()));
        }
        let (anew, same, sound) = (claim(&ann, &again, "f00d").await, claim(&ann, &mine, "beef").await, claim(&ann, &other, "f00d").await);
        let stolen = claim(&bob, &his, "cafe").await;
        for (id, others) in [(first, [same, anew]), (anew, [same, first]), (same, [anew, first])] {
            let shown = case(&server, &desk, "deposit", id).await;
            assert_eq!(says(&shown, "proof_of_no_other_claim"), (0, format!("claim {}, {}", others[0], others[1])));
            assert_eq!(says(&shown, "pictures_of_nobody_else"), (0, format!("user {}", bob.id.0)));
        }
        let shown = case(&server, &desk, "deposit", stolen).await;
        assert_eq!(says(&shown, "pictures_of_nobody_else"), (0, format!("user {}", ann.id.0)));
        assert_eq!(says(&shown, "proof_of_no_other_claim").0, 1);
        let shown = case(&server, &desk, "deposit", sound).await;
        assert_eq!((says(&shown, "pictures_of_nobody_else").0, says(&shown, "proof_of_no_other_claim").0), (1, 1));
        // The database alone does not reveal whether a known picture was handed in.
        let rows = server.running.app.db.query(sql!("select distinct picture_hash from files where purpose = 'deposit'")).await.unwrap();
        assert_eq!((rows.rows.len(), rows.rows[0].text(0).unwrap().len()), (2, 64));
    });
}

#[test]
fn papers_show_the_attempts_before_them_who_verified_the_basic_level_and_whose_pictures_they_are() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let desk = operator(&server, "vic", &["verifier"]).await;
        let submitted = |who: &Member, level| server.running.app.sequencer.engine().identity(who.id, level).unwrap().submission.0;
        ann.submit_basic(&server, "AB123456").await.ok();
        let first = submitted(&ann, KycLevel::Basic);
        let shown = case(&server, &desk, "identity", first).await;
        assert_eq!((says(&shown, "no_refused_attempt").0, &shown["fields"]["past"]), (1, &json!([])));
        let why = reason(&server, ann.id, "The name cannot be read").await;
        decide_identity(&server, 1, ann.id, KycLevel::Basic, Decision::Reject { reason: why }).await;
        ann.verify(&server, "AB123456").await;
        let second = submitted(&ann, KycLevel::Basic);
        let shown = case(&server, &desk, "identity", second).await;
        assert_eq!(says(&shown, "no_refused_attempt"), (0, "1 of 1".to_owned()));
        let past = &shown["fields"]["past"][0];
        assert_eq!(
            (&past["id"], &past["level"], &past["status"], &past["reason"], &past["approved_by"]),
            (&json!(first), &json!(1), &json!("rejected"), &json!("The name cannot be read"), &json!([]))
        );

        bob.verify(&server, "CD123456").await;
        let hand_in = async |who: &Member, sides: [u32; 3]| {
            let [front, back, hand] = sides.map(|side| upload(&server, who, "kyc", side));
            let (front, back, hand) = (front.await, back.await, hand.await);
            who.post(&server, "/api/user/real_name2", &[("front_pic", &front), ("reverse_pic", &back), ("hand_pic", &hand)]).await.ok();
            submitted(who, KycLevel::Advanced)
        };
        let own = hand_in(&ann, [480, 490, 500]).await;
        let shown = case(&server, &desk, "identity", own).await;
        assert_eq!(says(&shown, "pictures_of_nobody_else"), (1, String::new()));
        let (ok, by) = says(&shown, "basic_verified");
        assert!(ok == 1 && by.starts_with("by operator 1001 at "), "{by}");
        let past = shown["fields"]["past"].as_array().unwrap();
        assert_eq!(
            past.iter().map(|row| (&row["id"], &row["status"])).collect::<Vec<_>>(),
            [(&json!(second), &json!("passed")), (&json!(first), &json!("rejected")),]
        );
        assert_eq!(past[0]["approved_by"], json!([1001]));
        let taken = hand_in(&bob, [510, 490, 520]).await;
        let shown = case(&server, &desk, "identity", taken).await;
        assert_eq!(says(&shown, "pictures_of_nobody_else"), (0, format!("user {}", ann.id.0)));
        assert_eq!(shown["fields"]["past"].as_array().unwrap().len(), 1);

        // The country of sign-up is compared with that of the documents, if one was named.
        assert!(!is_known(&shown, "country_of_sign_up"));
        let papers = shown["fields"]["submitted"]["country"].as_str().unwrap().to_owned();
        for (named, ok) in [("ZZ", 0), (papers.as_str(), 1)] {
            server.running.app.db.exec(sql!("update users set country = $1 where id = $2", named, bob.id.0)).await.unwrap();
            let shown = case(&server, &desk, "identity", taken).await;
            assert_eq!(says(&shown, "country_of_sign_up"), (ok, format!("{named} at sign-up, {papers} in the papers")));
        }
    });
}

#[test]
fn a_withdrawal_shows_a_new_device_and_whether_the_log_ties_out() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        let address = ann.ready(&server, "AB123456").await;
        let id = ann.withdraw(&server, &address, "10").await.data()["id"].as_u64().unwrap();
        let shown = case(&server, &desk, "withdrawal", id).await;
        assert_eq!(says(&shown, "log_ties_out"), (1, "100.000000 of 100.000000".to_owned()));
        // All devices of an account of today are new, and its age comes first.
        let first = &shown["checks"][0];
        assert_eq!((&first["name"], &first["ok"], &first["known"]), (&json!("account_older_than_a_week"), &json!(0), &json!(1)));
        assert!(!is_known(&shown, "no_new_device_in_a_week"));

        let db = &server.running.app.db;
        db.exec(sql!("update users set created_at_ms = created_at_ms - $1 where id = $2", 8 * 86_400_000_u64, ann.id.0)).await.unwrap();
        let shown = case(&server, &desk, "withdrawal", id).await;
        assert_eq!(says(&shown, "account_older_than_a_week").0, 1);
        assert!(is_known(&shown, "no_new_device_in_a_week"));
        assert_eq!(says(&shown, "no_new_device_in_a_week"), (1, String::new()));
        let form = [("user_string", "ann@example.com"), ("password", "secret1")];
        let body = form.map(|(name, value)| format!("{name}={}", crate::harness::escape(value))).join("&");
        let headers = [("user-agent", "Mozilla/5.0 (Macintosh) Safari/605"), ("content-type", "application/x-www-form-urlencoded")];
        server.request("POST", "/api/user/login", &headers, body).await.ok();
        let shown = case(&server, &desk, "withdrawal", id).await;
        let (ok, since) = says(&shown, "no_new_device_in_a_week");
        assert!(ok == 0 && since.starts_with("since "), "{since}");
        let week = 8 * 86_400_000_u64;
        db.exec(sql!("update login_events set created_at_ms = created_at_ms - $1", week)).await.unwrap();
        assert_eq!(says(&case(&server, &desk, "withdrawal", id).await, "no_new_device_in_a_week").0, 1);

        let lost = "delete from statement where user_id = $1 and wallet = 2 and asset = 3 and two_lines = 0";
        db.exec(sql!(lost, ann.id.0)).await.unwrap();
        assert_eq!(says(&case(&server, &desk, "withdrawal", id).await, "log_ties_out"), (0, "0.000000 of 100.000000".to_owned()));
    });
}

#[test]
fn the_reason_of_a_refused_reset_is_told_and_kept_sealed() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let desk = operator(&server, "vic", &["verifier"]).await;
        let app = &server.running.app;
        app.db.run(store::fund_passwords::ask(app, ann.id, "hash".to_owned())).await.unwrap();
        let row = case(&server, &desk, "fund_reset", 1).await["row"].clone();
        let form = [
            ("kind", "fund_reset"),
            ("id", "1"),
            ("decision", "reject"),
            ("reason", "The photo shows somebody else"),
            ("version", &row["version"].to_string()),
            ("hash", row["hash"].as_str().unwrap()),
        ];
        server.post_as(token(&desk), "/operator/api/decide", &form).await.ok();
        let told = ann.get(&server, "/api/notice/list?kind=security").await["data"][0].clone();
        let text = told["content"].as_str().unwrap();
        assert!(text.contains("Reason: The photo shows somebody else. "), "{text}");
        let args = app.db.query(sql!("select args from notices where topic = 'fund_reset_rejected'")).await.unwrap();
        assert!(!args.rows[0].text(0).unwrap().contains("photo"));

        // A notice of an earlier version.
        app.db.exec(sql!("update notices set args = '[]' where topic = 'fund_reset_rejected'")).await.unwrap();
        app.db.exec(sql!("delete from migrations where id = 30")).await.unwrap();
        app.db.migrate(&[store::notices::REFUSED_RESETS]).await.unwrap();
        let told = ann.get(&server, "/api/notice/list?kind=security").await["data"][0].clone();
        assert!(told["content"].as_str().unwrap().contains("Reason: —. "), "{told}");
    });
}

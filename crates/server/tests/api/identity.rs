use engine::backoffice::acts::Decision;
use engine::identity::KycLevel;
use serde_json::json;
use store::files;

use crate::harness::{both, flat_jpeg, token};
use crate::people::{FUND, Member, TRON, decide_identity, reason};

#[test]
fn papers_are_reviewed_and_shown_with_most_of_them_hidden() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let form = [("country", "Atlantis"), ("name", "A"), ("card_id", "AB 123-456"), ("address", "x"), ("residence_address", "y")];
        assert_eq!(ann.post(&server, "/api/user/real_name", &form).await.json()["data"]["field"], "country");
        assert_eq!(ann.post(&server, "/api/user/real_name", &form[1..]).await.error(), "E_FIELD");
        let submitted = ann.submit_basic(&server, "AB 123-456").await;
        assert_eq!(submitted.data()["state"], "under_review");
        let twice = ann.submit_basic(&server, "AB123456").await;
        assert_eq!((twice.error().as_str(), &twice.json()["data"]["state"]), ("E_STATE", &json!("under_review")));
        // The same document in another spelling, in wide letters, or in letters that look alike.
        for spelling in ["ab123456", "\u{ff21}\u{ff42}\u{ff11}23456", "\u{410}\u{412}123456"] {
            assert_eq!(bob.submit_basic(&server, spelling).await.error(), "E_KYC_DUP", "{spelling}");
        }
        let cat = Member::new(&server, "cat@example.com").await;
        assert_eq!(cat.submit_basic(&server, "\u{391}\u{3b2}123456").await.error(), "E_KYC_DUP");
        assert_eq!(bob.get(&server, "/api/charge_mention/verification_log").await["total"], 0);

        let why = reason(&server, ann.id, "The name cannot be read").await;
        decide_identity(&server, 1, ann.id, KycLevel::Basic, Decision::Reject { reason: why }).await;
        let center = ann.get(&server, "/api/user/center").await;
        assert_eq!(
            (&center["review_status"], &center["reason"], &center["name"]),
            (&json!(3), &json!("The name cannot be read"), &json!(""))
        );
        // While it has to be corrected, they alone get back everything they typed.
        let typed = async |who: &Member| {
            let newest = server.running.app.sequencer.engine().seq().0.to_string();
            let headers = [("authorization", who.token.as_str()), ("x-min-seq", &newest)];
            server.request("GET", "/api/charge_mention/verification_log", &headers, "").await.data()["typed"].clone()
        };
        let whole = json!({
            "country": "DE", "name": "Ann Marie Lee", "card_id": "AB 123-456", "address": "1 Road", "residence_address": "2 Road",
        });
        assert_eq!((typed(&ann).await, typed(&bob).await), (whole, json!(null)));
        ann.submit_basic(&server, "AB 123-456").await.ok();
        assert_eq!(typed(&ann).await, json!(null), "under review");
        decide_identity(&server, 1, ann.id, KycLevel::Basic, Decision::Approve).await;
        assert_eq!(typed(&ann).await, json!(null), "verified");
        let center = ann.get(&server, "/api/user/center").await;
        assert_eq!(
            (&center["name"], &center["card_id"], &center["country"]),
            (&json!("A*** M*** L***"), &json!("AB******56"), &json!("DE"))
        );
        let log = ann.get(&server, "/api/charge_mention/verification_log").await;
        assert_eq!(log["data"].as_array().unwrap().iter().map(|row| row["review_status"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3)]);
        assert_eq!((&log["data"][1]["reason"], &log["data"][0]["name"]), (&json!("The name cannot be read"), &json!("A*** M*** L***")));
        let notices = ann.get(&server, "/api/notice/list?kind=identity").await;
        assert_eq!(notices["total"], 2);

        // Nothing of it is readable in the database.
        let rows = server.running.app.db.query(store::sql!("select sealed from papers")).await.unwrap();
        assert!(rows.rows.len() >= 2 && rows.rows.iter().all(|row| !String::from_utf8_lossy(&row.blob(0).unwrap()).contains("Ann")));
    });
}

#[test]
fn the_advanced_level_takes_own_pictures_after_the_basic_one() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let own =
            [server.picture(&ann.token, "kyc").await, server.picture(&ann.token, "kyc").await, server.picture(&ann.token, "kyc").await];
        let form = |third: &str| [("front_pic", own[0].clone()), ("reverse_pic", own[1].clone()), ("hand_pic", third.to_owned())];
        let send = |third: String| {
            let (server, ann, fields) = (&server, &ann, form(&third));
            async move {
                let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                ann.post(server, "/api/user/real_name2", &fields).await
            }
        };
        assert_eq!(send(own[2].clone()).await.json()["type"], "998");
        ann.verify(&server, "AB123456").await;
        assert_eq!(send(String::new()).await.error(), "E_FIELD");
        for (url, rule) in [(server.picture(&bob.token, "kyc").await, "owner"), (server.picture(&ann.token, "deposit").await, "purpose")] {
            assert_eq!(send(url).await.json()["data"]["rule"], rule);
        }
        // The same picture twice, as one upload or as two.
        let upload = async |shade| {
            let file = flat_jpeg(480, 480, shade);
            let sent = server.upload(token(&ann.token), &[("purpose", "", b"kyc".as_slice()), ("file", "a.jpg", &file)]).await;
            sent.ok().as_str().unwrap().to_owned()
        };
        let (once, again) = (upload(200).await, upload(200).await);
        assert_ne!(once, again);
        for (back, hand, field) in [(&own[0], &own[1], "reverse_pic"), (&own[1], &own[1], "hand_pic"), (&once, &again, "hand_pic")] {
            let form = [("front_pic", own[0].as_str()), ("reverse_pic", back), ("hand_pic", hand)];
            let refused = ann.post(&server, "/api/user/real_name2", &form).await.json();
            assert_eq!(refused["data"], json!({"error": "E_FILE", "field": field, "rule": "repeated"}));
        }
        assert_eq!(send(own[2].clone()).await.data()["state"], "under_review");
        assert_eq!(send(own[2].clone()).await.error(), "E_STATE");
        decide_identity(&server, 1, ann.id, KycLevel::Advanced, Decision::Approve).await;
        assert_eq!(ann.get(&server, "/api/user/center2").await["review_status"], 1);
        decide_identity(&server, 2, ann.id, KycLevel::Advanced, Decision::Approve).await;
        assert_eq!(ann.get(&server, "/api/user/center").await["review_status2"], 2);
    });
}

#[test]
fn a_refused_use_of_a_picture_never_takes_it_from_another_use() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let db = &server.running.app.db;
        let used = async |url: &str| {
            let key = url.strip_prefix("/files/").unwrap();
            !db.query(store::sql!("select key from files where key = $1 and used_at_ms is not null", key)).await.unwrap().rows.is_empty()
        };
        // The refused submission came first or last, by a clock that stood still, advanced, or went back.
        for other in [999, 1_000, 1_001] {
            let url = server.picture(&ann.token, "kyc").await;
            let key = url.strip_prefix("/files/").unwrap();
            db.exec(files::keep(ann.id, key, 1_000)).await.unwrap();
            db.exec(files::unkeep(ann.id, key, 1_000)).await.unwrap();
            assert!(!used(&url).await);
            for refused in [1_000, other] {
                db.run(vec![files::release(ann.id, key), files::keep(ann.id, key, 1_000), files::keep(ann.id, key, other)]).await.unwrap();
                db.exec(files::unkeep(ann.id, key, refused)).await.unwrap();
                assert!(used(&url).await, "{other} {refused}");
            }
        }

        ann.verify(&server, "AB123456").await;
        let picture = async || server.picture(&ann.token, "kyc").await;
        let (url, back, hand) = (picture().await, picture().await, picture().await);
        let form = [("front_pic", url.as_str()), ("reverse_pic", &back), ("hand_pic", &hand)];
        let send = || ann.post(&server, "/api/user/real_name2", &form);
        let (a, b, c) = tokio::join!(send(), send(), send());
        let taken = [a, b, c].iter().filter(|reply| reply.error().is_empty()).count();
        assert_eq!((taken, used(&url).await), (1, true));
    });
}

#[test]
fn cards_are_checked_number_by_number_and_belong_to_one_member() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let card = |changes: &[(&'static str, &'static str)]| {
            let mut form =
                vec![("bank_name", "ING"), ("bank_account", "1234567812345678"), ("real_name", " ann  MARIE lee"), ("bank_branch", "Main")];
            form.extend([("is_international", "1"), ("bank_address", "3 Road"), ("swift_code", "DEUTDEFF"), ("postal_code", "10115")]);
            form.extend([("iban", "gb82 west 1234 5698 7654 32"), ("residence_address", "2 Road")]);
            for (name, value) in changes {
                form.retain(|(other, _)| other != name);
                form.push((name, value));
            }
            form
        };
        assert_eq!(ann.post(&server, "/api/user/cash_save", &card(&[])).await.error(), "E_KYC_BASIC");
        ann.verify(&server, "AB123456").await;
        for (changes, name) in [
            (vec![("bank_account", "123")], "E_FIELD"),
            (vec![("iban", "GB82WEST12345698765433"), ("swift_code", "X"), ("real_name", "Bob")], "E_IBAN"),
            (vec![("swift_code", "DEUTDEF"), ("real_name", "Bob")], "E_SWIFT"),
            (vec![("real_name", "Bob Lee")], "E_HOLDER"),
        ] {
            assert_eq!(ann.post(&server, "/api/user/cash_save", &card(&changes)).await.error(), name);
        }
        let id = ann.post(&server, "/api/user/cash_save", &card(&[("swift_code", "021000021")])).await.data()["id"].to_string();
        assert_eq!(ann.post(&server, "/api/user/cash_save", &card(&[])).await.error(), "E_CARD_DUP");
        let info = ann.get(&server, "/api/user/cash_info").await;
        assert_eq!((&info["bank_account"], &info["count"]), (&json!("************5678"), &json!(1)));
        assert_eq!((&info["iban"], &info["real_name"]), (&json!("******************5432"), &json!("ann  MARIE lee")));
        assert!(bob.get(&server, "/api/user/cash_info").await["id"].is_null());
        for (who, id) in [(&bob, id.as_str()), (&ann, "0"), (&ann, "x")] {
            assert_eq!(who.post(&server, "/api/user/cash_del", &[("id", id)]).await.error(), "E_NOT_FOUND");
        }
        ann.post(&server, "/api/user/cash_del", &[("id", &id)]).await.ok();
        assert_eq!(ann.get(&server, "/api/user/cash_list").await, json!([]));
    });
}

#[test]
fn the_documents_of_others_are_tried_three_times_a_day() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        ann.submit_basic(&server, "AB123456").await.ok();
        for _ in 0..3 {
            assert_eq!(bob.submit_basic(&server, "AB123456").await.error(), "E_KYC_DUP");
        }
        for number in ["AB123456", "CD123456"] {
            assert_eq!(bob.submit_basic(&server, number).await.error(), "E_KYC_LIMIT", "{number}");
        }
        assert_eq!(ann.submit_basic(&server, "AB123456").await.error(), "E_STATE", "what is under review comes first");
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        for _ in 0..2 {
            assert_eq!(bob.submit_basic(&server, "AB123456").await.error(), "E_KYC_DUP");
        }
        // What is no duplicate is not counted.
        for _ in 0..2 {
            bob.submit_basic(&server, "CD123456").await.ok();
            let why = reason(&server, bob.id, "The name cannot be read").await;
            decide_identity(&server, 1, bob.id, KycLevel::Basic, Decision::Reject { reason: why }).await;
        }
        assert_eq!(bob.submit_basic(&server, "AB123456").await.error(), "E_KYC_DUP");
        assert_eq!(bob.submit_basic(&server, "CD123456").await.error(), "E_KYC_LIMIT");
    });
}

#[test]
fn what_somebody_typed_is_not_kept_when_it_was_refused() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let app = &server.running.app;
        let kept = async || {
            let found = app.db.query(store::sql!("select count(*) from papers where user_id = $1", bob.id.0)).await.unwrap();
            found.rows[0].int(0).unwrap()
        };
        ann.submit_basic(&server, "AB123456").await.ok();
        assert_eq!(bob.submit_basic(&server, "AB123456").await.error(), "E_KYC_DUP");
        assert_eq!(kept().await, 0);
        bob.set_fund_password(&server).await;
        let code = bob.code(&server, "operation").await;
        let address =
            |password| [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", password), ("code", &*code)];
        assert_eq!(bob.post(&server, "/api/wallet/addaddress", &address("000000")).await.error(), "E_FUNDPW_WRONG");
        assert_eq!(kept().await, 0);

        // What is named by something stays, also when the same is refused.
        bob.post(&server, "/api/wallet/addaddress", &address(FUND)).await.ok();
        assert!(!bob.add_address(&server, TRON).await.error().is_empty());
        assert_eq!(kept().await, 1);
        bob.verify(&server, "CD123456").await;
        assert_eq!(bob.submit_basic(&server, "CD123456").await.error(), "E_STATE");
        assert_eq!(kept().await, 2);
        let card = [("bank_name", "ING"), ("bank_account", "1234567812345678"), ("real_name", "Ann Marie Lee"), ("bank_branch", "Main")];
        bob.post(&server, "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        assert_eq!(bob.post(&server, "/api/user/cash_save", &card).await.error(), "E_ACCOUNT_FROZEN");
        assert_eq!(kept().await, 2);
        // K-3: a freeze comes before a missing field, another holder, and a missing verification.
        assert_eq!(bob.post(&server, "/api/user/cash_save", &card[..1]).await.error(), "E_ACCOUNT_FROZEN");
        let other = [card[0], card[1], ("real_name", "Bob Lee"), card[3]];
        assert_eq!(bob.post(&server, "/api/user/cash_save", &other).await.error(), "E_ACCOUNT_FROZEN");
        assert_eq!(ann.post(&server, "/api/user/cash_save", &[]).await.error(), "E_KYC_BASIC");
        ann.post(&server, "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        assert_eq!(ann.post(&server, "/api/user/cash_save", &[]).await.error(), "E_ACCOUNT_FROZEN");
    });
}

use engine::backoffice::acts::{Decision, Item};
use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::ids::{AssetId, DepositId};
use serde_json::json;
use store::payments::Payment;

use crate::harness::both;
use crate::people::{Member, decide, reason};

#[test]
fn a_member_has_one_address_for_each_chain_and_nobody_else_has_it() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let ask = async |who: &Member, coin: &str| who.post(&server, "/api/wallet/get_in_address", &[("currency", coin)]).await;
        let first = ask(&ann, "3").await;
        let address = first.ok()["TRC20"].as_str().unwrap().to_owned();
        assert!(address.starts_with("SANDBOX-TRC20-"));
        assert_eq!(first.data()["chains"].as_array().unwrap().len(), 2);
        assert_eq!(ask(&ann, "3").await.ok(), first.ok());
        assert_ne!(ask(&bob, "3").await.ok()["TRC20"], json!(address));
        assert_ne!(ask(&ann, "4").await.ok()["TRC20"], json!(address));
        let (one, other) = tokio::join!(ask(&bob, "1"), ask(&bob, "1"));
        assert_eq!(one.ok(), other.ok());
        assert_eq!(ask(&ann, "77").await.error(), "E_ASSET");
        let bank = ask(&ann, "9999").await;
        assert_eq!((&bank.data()["min"], &bank.ok()["bkname"]), (&json!("10.00"), &json!("SANDBOX BANK")));
        let owner = store::deposit_addresses::owner(&server.running.app.db, Chain::Trc20, &address).await.unwrap();
        assert_eq!(owner, Some((ann.id, AssetId(3))));
    });
}

#[test]
fn claims_are_refused_in_order_and_credit_nothing() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let (mine, his) = (server.picture(&ann.token, "deposit").await, server.picture(&bob.token, "deposit").await);
        let claim = async |coin: &str, chain: &str, amount: &str, img: &str| {
            let form = [("currency", coin), ("netType", chain), ("amount", amount), ("imgs", img), ("hash", "f00d")];
            ann.post(&server, "/api/wallet/charge_req", &form).await
        };
        for (coin, chain, amount, img, name) in [
            ("77", "TRC20", "x", "", "E_ASSET"),
            ("3", "BTC", "x", "", "E_CHAIN"),
            ("3", "", "x", "", "E_CHAIN"),
            ("3", "TRC20", "0", "", "E_AMOUNT"),
            ("3", "TRC20", "0.5", "", "E_PROOF"),
            ("3", "TRC20", "0.5", his.as_str(), "E_FILE"),
            ("3", "TRC20", "0.5", mine.as_str(), "E_DEPOSIT_MIN"),
            ("9999", "", "9.99", mine.as_str(), "E_DEPOSIT_MIN"),
        ] {
            assert_eq!(claim(coin, chain, amount, img).await.error(), name, "{coin} {chain} {amount}");
        }
        let id = claim("3", "TRC20", "25", &mine).await.data()["id"].as_u64().unwrap();
        let log = ann.get(&server, "/api/charge_mention/log2?status=1").await;
        let row = &log["data"][0];
        assert_eq!((&row["id"], &row["amount"], &row["tx"], &row["img"]), (&json!(id), &json!("25.000000"), &json!("f00d"), &json!(mine)));
        assert_eq!(ann.get(&server, "/api/wallet/list?currency_name=USDT").await["total_usdt"], "0.000000");
        assert_eq!(bob.get(&server, "/api/charge_mention/log2").await["total"], 0);

        let why = reason(&server, ann.id, "No such transfer").await;
        let seen = server.running.app.sequencer.engine().deposit(DepositId(id)).unwrap().seen();
        decide(&server, 1, Item::Deposit(DepositId(id)), Decision::Reject { reason: why }, seen).await.unwrap();
        let row = ann.get(&server, "/api/charge_mention/log2?status=3").await["data"][0].clone();
        assert_eq!((&row["remark"], &row["credited"]), (&json!("No such transfer"), &json!(null)));
        assert_eq!(ann.get(&server, "/api/notice/list?kind=deposit").await["data"][0]["object_id"], id);
    });
}

#[test]
fn a_refused_claim_keeps_no_picture_but_that_of_another_claim() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let proof = server.picture(&ann.token, "deposit").await;
        let claim = async |amount: &str| {
            let form = [("currency", "3"), ("netType", "TRC20"), ("amount", amount), ("imgs", proof.as_str())];
            ann.post(&server, "/api/wallet/charge_req", &form).await
        };
        let used = async || {
            let done = server.running.app.db.query(store::sql!("select key from files where used_at_ms is not null")).await.unwrap();
            done.rows.len()
        };
        assert_eq!((claim("0.5").await.error(), used().await), ("E_DEPOSIT_MIN".into(), 0));
        let (refused, taken) = tokio::join!(claim("0.5"), claim("25"));
        assert_eq!((refused.error(), taken.data()["id"].is_u64(), used().await), ("E_DEPOSIT_MIN".into(), true, 1));
        assert_eq!((claim("0.5").await.error(), used().await), ("E_DEPOSIT_MIN".into(), 1));
    });
}

#[test]
fn an_observed_payment_is_credited_and_shown_with_its_transaction() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let app = &server.running.app;
        let payment = Payment { chain: "TRC20".into(), tx: "beef".into(), output: 0, address: "T".into() };
        app.db.exec(payment.keep()).await.unwrap();
        let tx = payment.digest();
        let observed = Observed { user: ann.id, asset: AssetId(3), chain: Chain::Trc20, amount: 25_000_000 };
        for confirmations in [3, 20] {
            app.sequencer.submit(Command::ObserveDeposit { tx, observed, confirmations }, None).await.unwrap();
        }
        let row = ann.get(&server, "/api/charge_mention/log2").await["data"][0].clone();
        assert_eq!((&row["status"], &row["credited"], &row["tx"]), (&json!(2), &json!("25.000000"), &json!("beef")));
        assert_eq!((&row["confirmations"], &row["confirmations_needed"], &row["img"]), (&json!(20), &json!(20), &json!("")));
        assert_eq!(ann.get(&server, "/api/wallet/list?currency_name=USDT").await["total_usdt"], "25.000000");
        let told = ann.get(&server, "/api/notice/list?kind=deposit").await["data"][0].clone();
        assert!(told["content"].as_str().unwrap().starts_with("25 USDT "), "{told}");
        let table = server.get_as(crate::harness::token(&ann.token), "/api/wallet/export?from_ms=0&to_ms=1").await;
        assert_eq!(table.text, "id,time_utc_minus_4,time_ms,account,part,currency,kind,info,change,balance_after,object,object_id\r\n");
        let now = app.now_ms();
        let path = format!("/api/wallet/export?from_ms={}&to_ms={now}", now - 60_000);
        let table = server.get_as(crate::harness::token(&ann.token), &path).await;
        assert!(table.text.contains(",change,avail,USDT,200,") && table.text.contains("25.000000"), "{}", table.text);
    });
}

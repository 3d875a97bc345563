use engine::backoffice::acts::{Decision, Item, OperatorAct};
use engine::catalog::Wallet;
use engine::catalog::funding::Chain;
use engine::command::{Command, Request};
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::ids::{AddressId, AssetId, Digest, WithdrawalId};
use engine::reject::Reject;
use engine::reply::Reply;
use engine::requests::MOST_KEYS;
use futures_util::StreamExt;
use futures_util::future::join_all;
use serde_json::json;
use store::documents;
use store::totp;

use crate::countries::agree;
use crate::harness::{As, Server, both, both_with, token};
use crate::operator::operator;
use crate::people::{FUND, Member, TRON, decide, operate, reason};

const BITCOIN: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

#[test]
fn addresses_are_checked_in_order_and_belong_to_one_member() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let add = async |coin: &str, chain: &str, address: &str, password: &str, code: &str| {
            let form = [("currency_id", coin), ("netType", chain), ("address", address), ("pay_password", password), ("code", code)];
            ann.post(&server, "/api/wallet/addaddress", &form).await.error()
        };
        assert_eq!(add("77", "X", "", "", "").await, "E_FUNDPW_UNSET");
        ann.set_fund_password(&server).await;
        assert_eq!(add("77", "X", "", "", "").await, "E_FIELD");
        assert_eq!(add("77", "X", "x", "000000", "000000").await, "E_ASSET");
        assert_eq!(add("3", "BTC", "x", "000000", "000000").await, "E_CHAIN");
        assert_eq!(add("3", "TRC20", BITCOIN, "000000", "000000").await, "E_ADDRESS");
        assert_eq!(add("3", "TRC20", TRON, "000000", "000000").await, "E_FUNDPW_WRONG");
        assert_eq!(add("3", "TRC20", TRON, FUND, "000000").await, "E_CODE");
        let stored = ann.add_address(&server, TRON).await.data();
        assert!(stored["usable_at_ms"].as_u64().unwrap() > server.running.app.now_ms() + 86_000_000);
        assert_eq!(ann.add_address(&server, TRON).await.error(), "E_ADDRESS_DUP");
        let list = ann.get(&server, "/api/wallet/get_address?currency=3").await;
        assert_eq!((&list[0]["address"], &list[0]["notes"], &list[0]["nettype"]), (&json!(TRON), &json!("Cold"), &json!("TRC20")));
        assert_eq!(bob.get(&server, "/api/wallet/get_address").await, json!([]));
        let id = stored["id"].to_string();
        for (who, id) in [(&bob, id.as_str()), (&ann, "0"), (&ann, "x")] {
            assert_eq!(who.post(&server, "/api/wallet/deladdress", &[("address_id", id)]).await.error(), "E_NOT_FOUND");
        }
        ann.post(&server, "/api/wallet/deladdress", &[("address_id", &id)]).await.ok();
        assert_eq!(ann.get(&server, "/api/wallet/get_address").await, json!([]));
    });
}

#[test]
fn applications_are_refused_in_the_order_of_the_contract() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let out = async |server: &Server, coin: &str, amount: &str, to: &str, chain: &str, password: &str| {
            let form = [("currency", coin), ("number", amount), ("address", to), ("netType", chain), ("pay_password", password)];
            ann.post(server, "/api/wallet/out", &form).await.error()
        };
        assert_eq!(out(&server, "77", "x", "", "X", "0").await, "E_KYC_BASIC");
        ann.verify(&server, "AB123456").await;
        assert_eq!(out(&server, "77", "x", "", "X", "0").await, "E_FUNDPW_UNSET");
        ann.set_fund_password(&server).await;
        assert_eq!(out(&server, "77", "x", "", "X", "0").await, "E_ASSET");
        assert_eq!(out(&server, "3", "x", TRON, "X", "0").await, "E_ADDRESS_UNSET");
        ann.add_address(&server, TRON).await.ok();
        assert_eq!(out(&server, "3", "x", TRON, "X", "0").await, "E_CHAIN");
        assert_eq!(out(&server, "3", "x", TRON, "ERC20", "0").await, "E_CHAIN");
        assert_eq!(out(&server, "3", "1.0000001", TRON, "TRC20", "0").await, "E_AMOUNT");
        assert_eq!(out(&server, "3", "1", TRON, "TRC20", "000000").await, "E_FUNDPW_WRONG");
        assert_eq!(out(&server, "3", "1", TRON, "TRC20", FUND).await, "E_COOLDOWN_ADDRESS");
        // Ten in a row are the limit of the class; a restarted server has a new bucket.
        server.restart().await;
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        for (amount, name) in [("1", "E_WITHDRAW_MIN"), ("10000.000001", "E_WITHDRAW_LIMIT"), ("50", "E_INSUFFICIENT")] {
            assert_eq!(out(&server, "3", amount, TRON, "", FUND).await, name);
        }
        let changed = [("type", "2"), ("old_password", FUND), ("password", "111111")];
        ann.post(&server, "/api/user/e_pwd", &changed).await.ok();
        assert_eq!(out(&server, "3", "1", TRON, "", "111111").await, "E_COOLDOWN_SECURITY");
        ann.post(&server, "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        assert_eq!(out(&server, "77", "x", "", "X", "0").await, "E_ACCOUNT_FROZEN");
    });
}

#[test]
fn a_withdrawal_goes_its_way_and_is_repeated_word_for_word() {
    both(|mut server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let address = ann.ready(&server, "AB123456").await;
        let form = [("currency", "3"), ("number", "30"), ("address_id", &address), ("pay_password", FUND), ("notes", "rent")];
        let keyed = As { token: &ann.token, key: "one", lang: "" };
        let made = server.post_as(keyed, "/api/wallet/out", &form).await;
        let data = made.data();
        assert_eq!((&data["fee"], &data["real_number"], &data["day_count"]), (&json!("1.000000"), &json!("29.000000"), &json!(1)));
        let id = data["id"].as_u64().unwrap();
        let other = ann.withdraw(&server, &address, "20").await.data();
        assert_eq!(other["day_count"], 2);
        server.restart().await;
        let again = server.post_as(keyed, "/api/wallet/out", &form).await;
        assert_eq!((again.text.as_str(), again.header("x-idempotent-replay")), (made.text.as_str(), "1"));

        let second = other["id"].to_string();
        for (who, id) in [(&bob, second.as_str()), (&ann, "0"), (&ann, "x")] {
            assert_eq!(who.post(&server, "/api/wallet/out_cancel", &[("id", id)]).await.error(), "E_NOT_FOUND");
        }
        let used = ann.post(&server, "/api/wallet/deladdress", &[("address_id", &address)]).await.json()["data"].clone();
        assert_eq!(used, json!({"error": "E_STATE", "state": "in_use"}));
        let cancelled = ann.post(&server, "/api/wallet/out_cancel", &[("id", &second)]).await;
        assert_eq!(cancelled.data()["state"], "cancelled");
        let twice = ann.post(&server, "/api/wallet/out_cancel", &[("id", &second)]).await.json()["data"].clone();
        assert_eq!(twice, json!({"error": "E_STATE", "state": "cancelled"}));

        let row = ann.get(&server, "/api/charge_mention/log3?status=1").await["data"][0].clone();
        assert_eq!((&row["address"], &row["notes"], &row["state"]), (&json!(TRON), &json!("rent"), &json!("under_review")));
        assert_eq!(row["expected_at_ms"].as_u64().unwrap() - row["create_time_ms"].as_u64().unwrap(), 12 * 3_600_000);
        for operator in [1, 2] {
            let seen = server.running.app.sequencer.engine().withdrawal(WithdrawalId(id)).unwrap().seen();
            decide(&server, operator, Item::Withdrawal(WithdrawalId(id)), Decision::Approve, seen).await.unwrap();
        }
        let tx: Digest = documents::plain_digest("cafe");
        let app = &server.running.app;
        app.db.exec(documents::keep(app, ann.id, tx, "cafe").unwrap()).await.unwrap();
        operate(&server, 1, OperatorAct::MarkSent { withdrawal: WithdrawalId(id), tx }).await.unwrap();
        let row = ann.get(&server, "/api/charge_mention/log3?status=2").await["data"][0].clone();
        assert_eq!((&row["state"], &row["tx"], &row["late"]), (&json!("sent"), &json!("cafe"), &json!(0)));
        assert_eq!(bob.get(&server, "/api/charge_mention/log3").await["total"], 0);

        let third = ann.withdraw(&server, &address, "20").await.data();
        assert_eq!(third["day_count"], 3);
        assert_eq!(ann.withdraw(&server, &address, "20").await.error(), "E_WITHDRAW_COUNT");
        let why = reason(&server, ann.id, "Name differs").await;
        let third = WithdrawalId(third["id"].as_u64().unwrap());
        let seen = app.sequencer.engine().withdrawal(third).unwrap().seen();
        decide(&server, 2, Item::Withdrawal(third), Decision::Reject { reason: why }, seen).await.unwrap();
        let rejected = ann.get(&server, "/api/charge_mention/log3?status=3").await["data"][0].clone();
        assert_eq!((&rejected["state"], &rejected["reason"]), (&json!("rejected"), &json!("Name differs")));
        // 100 came in, 30 left; every other hold is free again.
        assert_eq!(ann.get(&server, "/api/wallet/list?currency_name=USDT").await["total_usdt"], "70.000000");
        let info = ann.get(&server, "/api/wallet/get_info?currency=3&netType=TRC20").await;
        assert_eq!((&info["day_count"], &info["fee"], &info["max_number"]), (&json!(3), &json!("1.000000"), &json!("0.000000")));
    });
}

#[test]
fn a_withdrawal_that_brings_another_sum_than_was_shown_is_refused_and_holds_nothing() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let out = async |arrives: &str| {
            let form = [("currency", "3"), ("number", "30"), ("address_id", &address), ("pay_password", FUND), ("arrives", arrives)];
            ann.post(&server, "/api/wallet/out", &form).await
        };
        for (arrives, reason) in [("x", "format"), ("0", "zero"), ("29.0000001", "scale"), ("-29", "format")] {
            let refused = out(arrives).await.json()["data"].clone();
            assert_eq!((&refused["error"], &refused["field"], &refused["reason"]), (&json!("E_AMOUNT"), &json!("arrives"), &json!(reason)));
        }
        assert_eq!(out("29.5").await.error(), "E_TERMS");
        let market = operator(&server, "one", &["market"]).await;
        let rows = server.get_as(token(&market), "/operator/api/catalog?kind=network").await.ok();
        let mut row = rows.as_array().unwrap().iter().find(|row| row["name"] == "USDT TRC20").unwrap().clone();
        row["values"]["withdraw_fee"] = json!("2.000000");
        agree(&server, "network", &row["id"].to_string(), &row["values"]).await;
        assert_eq!(out("29").await.error(), "E_TERMS");
        let balance = server.running.app.sequencer.engine().balance(ann.id, Wallet::Spot, AssetId(3)).unwrap();
        assert_eq!((balance.available, balance.held), (100_000_000, 0));
        let made = out("28").await.data();
        assert_eq!((&made["fee"], &made["real_number"], &made["day_count"]), (&json!("2.000000"), &json!("28.000000"), &json!(1)));
    });
}

#[test]
fn two_hundred_at_once_take_no_more_than_there_is() {
    both(|server| async move {
        for (round, amount, most) in [(0, "60", 1), (1, "20", 3)] {
            let ann = Member::new(&server, &format!("ann{round}@example.com")).await;
            let address = ann.ready(&server, &format!("AB12345{round}")).await;
            let all = futures_util::stream::iter(0..200).map(|_| ann.withdraw(&server, &address, amount));
            let answers: Vec<_> = all.buffer_unordered(64).collect().await;
            let done = answers.iter().filter(|answer| answer.json()["type"] == "ok").count();
            let expected = ["E_INSUFFICIENT", "E_WITHDRAW_COUNT", "E_RATE", "E_NOT_READY"];
            let odd = answers.iter().map(|answer| answer.error()).find(|name| !name.is_empty() && !expected.contains(&name.as_str()));
            assert_eq!((done, odd), (most, None), "round {round}");
            // Sixty are held in both rounds: once sixty, or three times twenty.
            let list = ann.get(&server, "/api/wallet/list?currency_name=USDT").await;
            assert_eq!(list["change_wallet"]["balance"][0]["lock_change_balance"], "60.000000");
            server.running.app.sequencer.engine().check_invariants().unwrap();
        }
    });
}

/// Behind the limit of calls: twenty days, each with two hundred applications that all reach the engine at once.
#[test]
fn two_hundred_applications_of_one_moment_take_no_more_than_there_is_on_any_of_twenty_days() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = AddressId(ann.ready(&server, "AB123456").await.parse().unwrap());
        let sequencer = &server.running.app.sequencer;
        for round in 0..20 {
            // Of a hundred: one of sixty, or three of twenty.
            let (amount, most) = if round % 2 == 0 { (60_000_000, 1) } else { (20_000_000, 3) };
            let destination = Destination::Address { address, chain: Chain::Trc20 };
            let verification = Verification { fund_password_right: true, code: None };
            let apply =
                || Command::Withdraw(Withdraw { user: ann.id, asset: AssetId(3), amount, destination, verification, arrives: None });
            let all = join_all((0..200).map(|_| sequencer.submit(apply(), None))).await;
            let mut made = Vec::new();
            for applied in all {
                match &applied.unwrap().outcome.result {
                    Ok(Reply::Withdrawal(withdrawal)) => made.push(withdrawal.id),
                    Err(Reject::Insufficient { .. } | Reject::WithdrawCount { .. }) => {}
                    other => panic!("{other:?}"),
                }
            }
            let balance = sequencer.engine().balance(ann.id, Wallet::Spot, AssetId(3)).unwrap();
            assert_eq!((made.len(), balance.available, balance.held), (most, 40_000_000, 60_000_000), "round {round}");
            sequencer.engine().check_invariants().unwrap();
            for withdrawal in made {
                sequencer.submit(Command::CancelWithdrawal { user: ann.id, withdrawal }, None).await.unwrap();
            }
            server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        }
    });
}

/// The state of the code as the member sees it.
async fn code_of(member: &Member, server: &Server) -> (String, Option<u64>) {
    let me = member.get(server, "/api/user/center").await;
    (me["withdraw_code"].as_str().unwrap().to_owned(), me["withdraw_code_until_ms"].as_u64())
}

#[test]
fn a_withdrawal_asks_for_a_code_until_a_day_after_its_owner_switched_it_off() {
    both_with(&["--withdrawal-code", "on"], |server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let out = async |more: &[(&str, &str)]| {
            let form = [&[("currency", "3"), ("number", "20"), ("address_id", &address), ("pay_password", FUND)], more].concat();
            ann.post(&server, "/api/wallet/out", &form).await.error()
        };
        let set = async |on: &str, password: &str, more: &[(&str, &str)]| {
            let form = [&[("on", on), ("password", password)], more].concat();
            ann.post(&server, "/api/user/withdraw_code", &form).await
        };
        assert_eq!(code_of(&ann, &server).await, ("on".to_owned(), None));
        assert_eq!(out(&[]).await, "E_CODE");
        assert_eq!(out(&[("code", "000000")]).await, "E_CODE");
        let code = ann.code(&server, "operation").await;
        assert_eq!(out(&[("code", &code)]).await, "");
        assert_eq!(out(&[("code", &code)]).await, "E_CODE", "a code works once");

        server.post("/sandbox/clock", &[("advance_ms", "61000")]).await.ok();
        assert_eq!(set("0", "wrong", &[]).await.error(), "E_PASSWORD_OLD");
        assert_eq!(set("0", "secret1", &[]).await.error(), "E_CODE");
        let code = ann.code(&server, "operation").await;
        let until = set("0", "secret1", &[("code", &code)]).await.data()["withdraw_code_until_ms"].as_u64();
        assert!(until > Some(server.running.app.now_ms() + 86_000_000), "{until:?}");
        assert_eq!(code_of(&ann, &server).await, ("on".to_owned(), until));
        let told = ann.get(&server, "/api/notice/list?kind=security").await["data"][0]["title"].clone();
        assert_eq!(told, "Withdrawals will ask for no code");
        assert_eq!(set("0", "secret1", &[]).await.data()["withdraw_code_until_ms"].as_u64(), until, "asking again gains no time");
        assert_eq!(out(&[]).await, "E_CODE");
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        assert_eq!(code_of(&ann, &server).await, ("off".to_owned(), None));
        assert_eq!(out(&[]).await, "");
        assert_eq!(set("1", "secret1", &[]).await.data()["withdraw_code"], "on");
        assert_eq!(out(&[]).await, "E_CODE");
    });
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        assert_eq!(code_of(&ann, &server).await, ("none".to_owned(), None), "a sandbox keeps its easy ways");
    });
}

#[test]
fn the_code_of_a_withdrawal_that_was_not_booked_is_good_for_one_other_attempt() {
    both_with(&["--withdrawal-code", "on"], |mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let out = async |server: &Server, key: &str, code: &str| {
            let form = [("currency", "3"), ("number", "20"), ("address_id", &*address), ("pay_password", FUND), ("code", code)];
            server.post_as(As { token: &ann.token, key, ..As::default() }, "/api/wallet/out", &form).await.error()
        };
        let booked = async |server: &Server| ann.get(server, "/api/charge_mention/log3").await["total"].as_u64().unwrap();

        let code = ann.code(&server, "operation").await;
        server.running.app.sequencer.stop().await;
        assert_eq!(out(&server, "one", &code).await, "E_NOT_READY");
        server.restart().await;
        assert_eq!(out(&server, "two", &code).await, "");
        assert_eq!(out(&server, "one", &code).await, "E_CODE", "nor does the first attempt go on with it");
        assert_eq!(booked(&server).await, 1);

        let code = ann.code(&server, "operation").await;
        for first in (0..MOST_KEYS).step_by(500) {
            let faucet = || Command::SandboxFaucet { user: ann.id, asset: AssetId(3), wallet: Wallet::Spot, amount: 1 };
            let request = |number: u32| Request { key: 1 << 64 | u128::from(number), content: 1 };
            let sent = (first..first + 500).map(|number| server.running.app.sequencer.submit(faucet(), Some(request(number))));
            join_all(sent).await;
        }
        assert_eq!(out(&server, "three", &code).await, "E_RATE");
        assert_eq!(out(&server, "", &code).await, "");
        assert_eq!(out(&server, "", &code).await, "E_CODE");
        assert_eq!(booked(&server).await, 2);
    });
}

#[test]
fn the_authenticator_is_the_second_factor_of_whoever_has_one() {
    both_with(&["--withdrawal-code", "on"], |server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let setup = ann.post(&server, "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        // Each works once, and only after the previous one.
        let code = |nth: u64| totp::code(&secret, totp::step(server.running.app.clock.authenticator_ms()) + nth - 2);
        let form = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &code(1))];
        ann.post(&server, "/api/user/totp/enable", &form).await.ok();
        let out = async |more: &[(&str, &str)]| {
            let form = [&[("currency", "3"), ("number", "20"), ("address_id", &address), ("pay_password", FUND)], more].concat();
            ann.post(&server, "/api/wallet/out", &form).await.error()
        };
        assert_eq!(out(&[]).await, "E_2FA_REQUIRED");
        // Setting one up needs no code, so it replaces the code only a day later.
        assert_eq!(out(&[("otp", &code(2))]).await, "E_COOLDOWN_SECURITY");
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        assert_eq!(out(&[("otp", &code(3))]).await, "");
    });
}

/// The entry that a refused write of this member left in the log, if it came that far.
async fn entry_of_refused(server: &Server, who: &Member, key: &str, path: &str, form: &[(&str, &str)], refusal: &str) -> serde_json::Value {
    let answer = server.post_as(As { token: &who.token, key, lang: "" }, path, form).await;
    assert_eq!(answer.error(), refusal, "{key}");
    let told = who.post(server, "/api/user/outcome", &[("key", key)]).await.ok();
    if told["state"] == "refused" {
        assert_eq!(told["error"], refusal);
    }
    told["seq"].clone()
}

#[test]
fn what_cannot_be_read_never_reaches_the_log() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let known = |form: [(&'static str, &'static str); 3]| form.into_iter().chain([("pay_password", FUND), ("code", "000000")]);
        let out = |coin, amount, chain| known([("currency", coin), ("number", amount), ("netType", chain)]).collect::<Vec<_>>();
        let add = |coin, chain, address| known([("currency_id", coin), ("netType", chain), ("address", address)]).collect::<Vec<_>>();
        let claim = |coin, chain, amount| known([("currency", coin), ("netType", chain), ("amount", amount)]).collect::<Vec<_>>();
        let (out_path, add_path, claim_path) = ("/api/wallet/out", "/api/wallet/addaddress", "/api/wallet/charge_req");
        let refused = async |key: &str, path: &str, form: Vec<(&str, &str)>, refusal: &str| {
            // Each has their own bucket for calls that move money.
            let who = if path == claim_path { &bob } else { &ann };
            entry_of_refused(&server, who, key, path, &form, refusal).await
        };
        assert_eq!(refused("unverified", out_path, out("77", "x", "X"), "E_KYC_BASIC").await, json!(null));
        assert_eq!(refused("unset", add_path, add("77", "X", "x"), "E_FUNDPW_UNSET").await, json!(null));
        ann.verify(&server, "AB123456").await;
        ann.set_fund_password(&server).await;
        for (key, path, form, refusal) in [
            ("coin", out_path, out("77", "1", "TRC20"), "E_ASSET"),
            ("no coin", out_path, out("x", "1", "TRC20"), "E_ASSET"),
            ("no address", out_path, out("3", "x", "TRC20"), "E_ADDRESS_UNSET"),
            ("card", out_path, out("9999", "x", ""), "E_ADDRESS_UNSET"),
            ("address", add_path, add("3", "TRC20", "x"), "E_ADDRESS"),
            ("chain", add_path, add("3", "BTC", TRON), "E_CHAIN"),
            ("claim coin", claim_path, claim("77", "TRC20", "1"), "E_ASSET"),
            ("claim chain", claim_path, claim("3", "BTC", "1"), "E_CHAIN"),
            ("claim amount", claim_path, claim("3", "TRC20", "x"), "E_AMOUNT"),
            ("claim proof", claim_path, claim("3", "TRC20", "25"), "E_PROOF"),
            ("bank proof", claim_path, claim("9999", "", "25"), "E_PROOF"),
        ] {
            assert_eq!(refused(&key.replace(' ', "-"), path, form, refusal).await, json!(null), "{key}");
        }
        // The log decides about readable input: the same coin and amount to an address that is not stored.
        assert!(refused("readable", out_path, out("3", "30", "TRC20"), "E_ADDRESS_UNSET").await.is_u64());
    });
}

//! Chains have the last word on credits, and a wrong mark of a payout is taken back by two.

use chain::watch::{Settings, Token};
use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::funding::status::WithdrawalStatus;
use engine::ids::{AssetId, WithdrawalId};
use serde_json::{Value as Json, json};
use server::inputs::chain::ChainFeed;
use server::inputs::payouts;
use store::payments::Payment;
use store::sql;

use crate::anvil::Anvil;
use crate::harness::{Answer, Server, both, both_with, token};
use crate::operator::operator;
use crate::operator_money::{APPROVE, decide, first};
use crate::people::{FUND, Member};

/// An address outside.
const THEIRS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

/// The number of a withdrawal of 20 USDT that both operators approved.
async fn passed(server: &Server, member: &Member, address: &str, operators: [&str; 2]) -> String {
    member.withdraw(server, address, "20").await.ok();
    let row = first(server, operators[0], "withdrawal").await;
    decide(server, operators[0], &row, APPROVE).await.ok();
    decide(server, operators[1], &first(server, operators[1], "withdrawal").await, APPROVE).await.ok();
    row["id"].to_string()
}

async fn get(server: &Server, who: &str, path: &str) -> Json {
    let newest = server.running.app.sequencer.engine().seq().0.to_string();
    server.request("GET", &format!("/operator/api/{path}"), &[("authorization", who), ("x-min-seq", &newest)], "").await.ok()
}

async fn confirm(server: &Server, who: &str, proposed: &Json) -> Answer {
    post(server, who, "proposal/confirm", &[("id", &proposed["id"].to_string()), ("hash", proposed["hash"].as_str().unwrap())]).await
}

/// The newest notice of a kind.
async fn told(server: &Server, who: &Member, kind: &str) -> Json {
    let newest = server.running.app.sequencer.engine().seq().0.to_string();
    let headers = [("authorization", who.token.as_str()), ("x-min-seq", &newest)];
    server.request("GET", &format!("/api/notice/list?kind={kind}"), &headers, "").await.ok()["data"][0].clone()
}

async fn balance(server: &Server, who: &Member) -> String {
    let wallet = who.post(server, "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
    wallet["balance"].as_str().unwrap().to_owned()
}

#[test]
fn what_a_watcher_contradicts_is_an_incident_and_two_take_back_the_part_that_is_not_there() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.post(&server, "/api/wallet/get_in_address", &[("currency", "3"), ("nettype", "TRC20")]).await.ok();
        let app = &server.running.app;
        let done = app.db.query(sql!("select address from deposit_addresses where chain = 'TRC20'")).await.unwrap();
        let address = done.rows[0].text(0).unwrap();
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let credit = async |tx: &str| {
            for who in [&one, &two] {
                let form = [("chain", "TRC20"), ("tx", tx), ("output", "0"), ("address", &address), ("currency_id", "3")];
                let form: Vec<_> = form.into_iter().chain([("amount", "700"), ("confirmations", "40")]).collect();
                post(&server, who, "observation", &form).await.ok();
            }
            decide(&server, &one, &first(&server, &one, "deposit").await, APPROVE).await.ok();
        };
        let sees = async |tx: &str, amount: u64| {
            let payment = Payment { chain: "TRC20".to_owned(), tx: tx.to_owned(), output: 0, address: String::new() };
            let observed = Observed { user: ann.id, asset: AssetId(3), chain: Chain::Trc20, amount };
            let command = Command::ObserveDeposit { tx: payment.digest(), observed, confirmations: 40 };
            app.sequencer.submit(command, None).await.unwrap().outcome.result.unwrap();
        };
        let (right, wrong) = ("aa".repeat(32), "bb".repeat(32));
        credit(&right).await;
        let seen = get(&server, &one, "observations").await["data"][0].clone();
        assert_eq!((&seen["watched"], &seen["reversible"]), (&json!(0), &json!("700.000000")));
        assert_eq!(get(&server, &one, "incidents").await["total"], 0);

        // A payout confirmed by the chain is final.
        sees(&right, 700_000_000).await;
        let seen = get(&server, &one, "observations").await["data"][0].clone();
        assert_eq!((&seen["watched"], &seen["reversible"]), (&json!(1), &Json::Null));
        let reverse =
            async |id: &Json| post(&server, &one, "observation/reverse", &[("id", &id.to_string()), ("reason", "was wrong")]).await;
        assert_eq!(reverse(&seen["id"]).await.error(), "E_STATE");

        // 70 on the chain, 700 in the books.
        credit(&wrong).await;
        sees(&wrong, 70_000_000).await;
        let open = get(&server, &two, "incidents?state=open").await;
        let incident = &open["data"][0];
        assert_eq!(open["total"], 1);
        let figures = ["credited", "contradicted", "state"].map(|name| incident[name].as_str().unwrap());
        assert_eq!((figures, &incident["seen"]["amount"]), (["700.000000", "630.000000", "open"], &json!("70.000000")));
        let proposed = reverse(&incident["observation_id"]).await.ok();
        assert_eq!(proposed["values"]["amount"], "630.000000");
        assert_eq!(confirm(&server, &one, &proposed).await.error(), "E_SAME_OPERATOR");
        assert_eq!(confirm(&server, &two, &proposed).await.ok()["state"], "done");
        assert_eq!(balance(&server, &ann).await, "770.000000");
        assert_eq!(get(&server, &two, "incidents").await["data"][0]["state"], "reversed");
        let notice = told(&server, &ann, "deposit").await;
        assert_eq!(notice["title"], "Deposit corrected");
        assert!(notice["content"].as_str().unwrap().contains("630 USDT was taken back"), "{notice}");
        // The view is in the audit log.
        let auditor = operator(&server, "eve", &["auditor"]).await;
        assert!(get(&server, &auditor, "audit?object=incident").await["total"].as_u64().unwrap() >= 3);
    });
}

#[test]
fn one_transaction_pays_many_withdrawals_and_two_take_back_a_wrong_mark() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let passed = async || passed(&server, &ann, &address, [&one, &two]).await;
        let tx = "ff".repeat(32);
        let sent =
            async |id: &str, output: &str| post(&server, &one, "withdrawal/sent", &[("id", id), ("tx", &tx), ("output", output)]).await;
        let without = async |id: &str| post(&server, &one, "withdrawal/sent", &[("id", id), ("tx", &tx)]).await;
        let left = passed().await;
        assert_eq!(sent(&left, "one").await.error(), "E_FIELD");
        without(&left).await.ok();
        let right = passed().await;
        // Without an output it was the first one.
        assert_eq!(sent(&right, "0").await.error(), "E_DUP_TX");
        assert_eq!(sent(&right, "1").await.data()["row"]["status"], "sent");
        let log = ann.get(&server, "/api/charge_mention/log3").await;
        let shown: Vec<&Json> = log["data"].as_array().unwrap().iter().map(|row| &row["tx"]).collect();
        assert_eq!(shown, [&json!(tx), &json!(tx)], "both lead to the transaction");

        // It was another output.
        let unmark = [("id", right.as_str()), ("reason", "that output pays another")];
        assert_eq!(post(&server, &one, "withdrawal/unmark", &[("id", "999999"), unmark[1]]).await.error(), "E_NOT_FOUND");
        let proposed = post(&server, &one, "withdrawal/unmark", &unmark).await.ok();
        assert_eq!((&proposed["kind"], &proposed["values"]["amount"]), (&json!("withdrawal_unmark"), &json!("20.000000")));
        assert_eq!(confirm(&server, &one, &proposed).await.error(), "E_SAME_OPERATOR");
        assert_eq!(confirm(&server, &two, &proposed).await.ok()["state"], "done");
        let log = ann.get(&server, "/api/charge_mention/log3").await;
        assert_eq!((&log["data"][0]["state"], &log["data"][0]["tx"]), (&json!("passed"), &Json::Null));
        assert_eq!(told(&server, &ann, "withdrawal").await["title"], "Withdrawal not sent yet");
        assert_eq!(post(&server, &one, "withdrawal/unmark", &unmark).await.error(), "E_STATE");
        assert_eq!(sent(&right, "2").await.data()["row"]["status"], "sent");

        // For 72 hours.
        let path = format!("item?kind=withdrawal&id={right}&reason=to+look");
        assert!(get(&server, &one, &path).await["fields"]["unmark_until_ms"].as_u64().unwrap() > 0);
        server.post("/sandbox/clock", &[("advance_ms", "259200001")]).await.ok();
        assert_eq!(post(&server, &one, "withdrawal/unmark", &unmark).await.error(), "E_STATE");
    });
}

/// USDT is the token of the test; the chain of the options is out of reach, so that reports come from the feed of the test alone.
#[test]
fn what_a_chain_confirms_of_a_payout_is_final_and_what_it_contradicts_is_shown() {
    both_with(&["--chain-ethereum", "http://127.0.0.1:9"], |server| async move {
        let anvil = Anvil::start().await;
        let token_address = anvil.deploy_token().await;
        let mut settings = Settings::mainnet(chain::Chain::Ethereum, &anvil.url);
        let usdt = Token { coin: "USDT".to_owned(), contract: token_address.clone(), chain_decimals: 6, decimals: 6 };
        (settings.network, settings.tokens) = ("31337".to_owned(), vec![usdt]);
        let app = &server.running.app;
        let mut feed = ChainFeed::open(&app.store, &app.sequencer, &app.member_locks, Chain::Erc20, &settings).await.unwrap();
        let ann = Member::new(&server, "ann@example.com").await;
        ann.ready(&server, "AB123456").await;
        let code = ann.code(&server, "operation").await;
        let form = [("currency_id", "3"), ("netType", "ERC20"), ("address", THEIRS), ("pay_password", FUND), ("code", &code)];
        let address = ann.post(&server, "/api/wallet/addaddress", &form).await.data()["id"].to_string();
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let passed = async || passed(&server, &ann, &address, [&one, &two]).await;
        let mark = async |id: &str, tx: &str, output: &str| {
            post(&server, &one, "withdrawal/sent", &[("id", id), ("tx", tx), ("output", output)]).await.data();
        };
        let pay = async |atoms: u64| {
            let data = format!("0xa9059cbb{:0>64}{atoms:064x}", THEIRS.trim_start_matches("0x").to_lowercase());
            let tx = anvil.send(Some(&token_address), 0, &data).await;
            anvil.mine(1).await;
            tx
        };
        let case = async |id: &str| get(&server, &one, &format!("item?kind=withdrawal&id={id}&reason=checked+again")).await;
        let right_id = passed().await;
        let owed: u64 = case(&right_id).await["fields"]["received"].as_str().unwrap().replace('.', "").parse().unwrap();
        let (right, short) = (pay(owed).await, pay(owed - 1).await);
        mark(&right_id, &right, "0").await;
        let short_id = passed().await;
        mark(&short_id, &short, "0").await;
        // The same transaction, but without a second transfer.
        let none_id = passed().await;
        mark(&none_id, &right, "1").await;
        assert_eq!(case(&none_id).await["fields"]["output"], 1);
        assert_eq!(case(&none_id).await["fields"]["tx"], right.as_str());
        let log = ann.get(&server, "/api/charge_mention/log3").await;
        assert_eq!(log["data"][0]["tx"], right.as_str(), "its owner sees the transaction");

        feed.look_at_payouts().await.unwrap();
        assert_eq!(app.sequencer.engine().watched_payouts(Chain::Erc20).count(), 3, "too few confirmations say nothing");
        assert_eq!(get(&server, &two, "disputes").await["total"], 0);
        anvil.mine(31).await;
        let unmark = async |id: &str| post(&server, &one, "withdrawal/unmark", &[("id", id), ("reason", "that was wrong")]).await;
        let before = unmark(&right_id).await.ok();
        feed.look_at_payouts().await.unwrap();
        let row = case(&right_id).await["row"].clone();
        assert_eq!(row["status"], "confirmed");
        let refused = unmark(&right_id).await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["state"]), ("E_STATE", &json!("confirmed")));
        assert_eq!(confirm(&server, &two, &before).await.error(), "E_STATE");
        let log = ann.get(&server, "/api/charge_mention/log3?limit=50").await;
        let row = log["data"].as_array().unwrap().iter().find(|row| row["id"].as_u64() == right_id.parse().ok()).unwrap().clone();
        assert_eq!((&row["state"], &row["status"]), (&json!("sent"), &json!(2)), "to its owner it stays sent");

        // One atom short: shown at once, once.
        let dispute = &get(&server, &two, "disputes").await["data"][0];
        assert_eq!((dispute["withdrawal_id"].to_string(), &dispute["paid"]["to_address"]), (short_id.clone(), &json!(1)));
        assert_eq!(dispute["paid"]["amount"], format!("{}.{:06}", (owed - 1) / 1_000_000, (owed - 1) % 1_000_000));
        assert_eq!(case(&short_id).await["fields"]["dispute"]["owed"], dispute["owed"]);
        // Still missing after six hours.
        assert_eq!(get(&server, &two, "disputes").await["total"], 1);
        server.post("/sandbox/clock", &[("advance_ms", "21600000")]).await.ok();
        feed.look_at_payouts().await.unwrap();
        let disputes = get(&server, &two, "disputes").await;
        assert_eq!((&disputes["total"], &disputes["data"][0]["paid"]), (&json!(2), &Json::Null));

        // Checking again writes nothing.
        let entries = || app.sequencer.engine().payout_disputes().copied().collect::<Vec<_>>();
        let known = entries();
        feed.look_at_payouts().await.unwrap();
        assert_eq!(entries(), known);
        let auditor = operator(&server, "eve", &["auditor"]).await;
        assert!(get(&server, &auditor, "audit?action=sent").await["total"].as_u64().unwrap() >= 3);

        // Two operators reverse the wrong mark and pay the right amount.
        let proposed = unmark(&short_id).await.ok();
        assert_eq!(confirm(&server, &two, &proposed).await.ok()["state"], "done");
        let again = pay(owed).await;
        post(&server, &one, "withdrawal/sent", &[("id", &short_id), ("tx", &again)]).await.data();
        anvil.mine(31).await;
        feed.look_at_payouts().await.unwrap();
        assert_eq!(case(&short_id).await["row"]["status"], "confirmed");
        assert_eq!(get(&server, &two, "disputes").await["total"], 1);
    });
}

#[test]
fn a_sandbox_confirms_payouts_after_ten_minutes() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        ann.withdraw(&server, &address, "20").await.ok();
        let row = first(&server, &one, "withdrawal").await;
        decide(&server, &one, &row, APPROVE).await.ok();
        decide(&server, &two, &first(&server, &two, "withdrawal").await, APPROVE).await.ok();
        let id = row["id"].to_string();
        post(&server, &one, "withdrawal/sent", &[("id", &id), ("tx", &"ab".repeat(32))]).await.data();
        let app = &server.running.app;
        let status = || app.sequencer.engine().withdrawal(WithdrawalId(row["id"].as_u64().unwrap())).unwrap().status;
        payouts::pretend(&app.sequencer, &app.config.unwatched()).await.unwrap();
        assert_eq!(status(), WithdrawalStatus::Sent);
        server.post("/sandbox/clock", &[("advance_ms", "600000")]).await.ok();
        payouts::pretend(&app.sequencer, &app.config.unwatched()).await.unwrap();
        assert_eq!(status(), WithdrawalStatus::Confirmed);
        assert_eq!(post(&server, &one, "withdrawal/sent", &[("id", &id), ("tx", &"ab".repeat(32))]).await.error(), "E_STATE");
    });
}

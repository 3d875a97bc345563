//! Decisions about people and their money through the console's interface, and payments that a watcher sees on a real chain.

use chain::watch::Settings;
use engine::catalog::funding::Chain;
use serde_json::{Value as Json, json};
use server::inputs::chain::ChainFeed;
use store::sql;

use crate::anvil::Anvil;
use crate::harness::{Answer, As, Server, both, token};
use crate::operator::operator;
use crate::people::{Member, TRON};

/// A deposit address of the mnemonic `abandon ... about`.
const OURS: &str = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

/// The first line of a queue.
pub async fn first(server: &Server, who: &str, kind: &str) -> Json {
    let newest = server.running.app.sequencer.engine().seq().0.to_string();
    let path = format!("/operator/api/queue?kind={kind}");
    server.request("GET", &path, &[("authorization", who), ("x-min-seq", &newest)], "").await.ok()["data"][0].clone()
}

pub async fn decide(server: &Server, who: &str, row: &Json, more: &[(&str, &str)]) -> Answer {
    let (id, version) = (row["id"].to_string(), row["version"].to_string());
    let mut form =
        vec![("kind", row["kind"].as_str().unwrap()), ("id", &id), ("version", &version), ("hash", row["hash"].as_str().unwrap())];
    form.extend(more);
    post(server, who, "decide", &form).await
}

pub const APPROVE: &[(&str, &str)] = &[("decision", "approve")];

#[test]
fn a_withdrawal_leaves_after_two_different_operators_saw_exactly_where_it_goes() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        ann.withdraw(&server, &address, "40").await.ok();
        let (one, two) = (operator(&server, "one", &["treasury", "verifier"]).await, operator(&server, "two", &["treasury"]).await);
        let own = operator(&server, "ann@example.com", &["treasury"]).await;
        let row = first(&server, &one, "withdrawal").await;
        assert_eq!((&row["needs"], &row["status"], &row["value_usdt"]), (&json!(2), &json!("under_review"), &json!("40.000000")));
        let path = format!("/operator/api/item?kind=withdrawal&id={}&reason=to+decide", row["id"]);
        let item = server.get_as(token(&one), &path).await.ok();
        assert_eq!((&item["fields"]["destination"], &item["fields"]["received"]), (&json!(TRON), &json!("39.000000")));
        // The guards pass; the case and its row show what needs a look.
        let names = |known: u8| {
            let failed = item["checks"].as_array().unwrap().iter().filter(move |check| check["ok"] == 0 && check["known"] == known);
            failed.map(|check| check["name"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(1), ["account_older_than_a_week", "destination_older_than_a_week"]);
        assert_eq!(names(0), ["no_new_device_in_a_week"], "an account of a day has no other devices");
        assert_eq!(row["failed_checks"], json!(["destination_older_than_a_week"]));
        let tx = "ff".repeat(32);
        assert_eq!(post(&server, &one, "withdrawal/sent", &[("id", &row["id"].to_string()), ("tx", &tx)]).await.error(), "E_STATE");

        assert_eq!(decide(&server, &own, &row, APPROVE).await.error(), "E_SELF_REVIEW");
        let half = decide(&server, &one, &row, APPROVE).await.data();
        assert_eq!((&half["done"], &half["row"]["approvals"].as_array().unwrap().len()), (&json!(0), &1));
        assert_eq!(decide(&server, &two, &row, APPROVE).await.error(), "E_VERSION", "the item has changed since");
        let row = first(&server, &two, "withdrawal").await;
        assert_eq!(decide(&server, &one, &row, APPROVE).await.error(), "E_SAME_OPERATOR");
        // A text other than the signed one cannot be signed.
        let app = &server.running.app;
        let known = { app.sequencer.engine().open_withdrawals().next().unwrap().destination_digest };
        app.db.exec(sql!("delete from papers where digest = $1", known.0)).await.unwrap();
        assert_eq!(decide(&server, &two, &row, APPROVE).await.error(), "E_VERSION");
        app.db.exec(store::documents::keep(app, ann.id, known, TRON).unwrap()).await.unwrap();
        assert_eq!(decide(&server, &two, &row, APPROVE).await.data()["done"], 1);
        // It came back: two operators again.
        let (id, why) = (row["id"].to_string(), "the exchange refused it");
        let proposed = post(&server, &one, "withdrawal/returned", &[("id", &id), ("reason", why)]).await.ok();
        let confirm = [("id", proposed["id"].to_string()), ("hash", proposed["hash"].as_str().unwrap().to_owned())];
        let confirm: Vec<(&str, &str)> = confirm.iter().map(|(name, value)| (*name, value.as_str())).collect();
        post(&server, &two, "proposal/confirm", &confirm).await.ok();
        let log = ann.get(&server, "/api/charge_mention/log3").await;
        assert_eq!((&log["data"][0]["state"], &log["data"][0]["reason"]), (&json!("returned"), &json!(why)));
        assert_eq!(post(&server, &one, "withdrawal/sent", &[("id", &id), ("tx", &tx)]).await.error(), "E_STATE");

        ann.withdraw(&server, &address, "20").await.ok();
        let row = first(&server, &one, "withdrawal").await;
        decide(&server, &one, &row, APPROVE).await.ok();
        decide(&server, &two, &first(&server, &two, "withdrawal").await, APPROVE).await.ok();
        let sent = async |tx: &str| post(&server, &one, "withdrawal/sent", &[("id", &row["id"].to_string()), ("tx", tx)]).await;
        for wrong in ["ff01", &"fg".repeat(32), "WIRE-1"] {
            assert_eq!(sent(wrong).await.error(), "E_FIELD", "{wrong} is no transaction of this network");
        }
        let sent = sent(&tx).await.data();
        assert_eq!(sent["row"]["status"], "sent");
        assert_eq!(first(&server, &one, "withdrawal").await, Json::Null);
    });
}

#[test]
fn identity_and_bank_transfers_are_decided_as_published_and_reasons_reach_the_member() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.submit_basic(&server, "AB123456").await.ok();
        let (one, two) = (operator(&server, "one", &["treasury", "verifier"]).await, operator(&server, "two", &["treasury"]).await);
        let row = first(&server, &one, "identity").await;
        let path = format!("/operator/api/item?kind=identity&id={}&reason=to+decide", row["id"]);
        assert_eq!(server.get_as(token(&one), &path).await.ok()["fields"]["submitted"]["card_id"], "AB123456");
        assert_eq!(decide(&server, &two, &row, APPROVE).await.error(), "E_ROLE");
        assert_eq!(decide(&server, &one, &row, &[("decision", "reject")]).await.error(), "E_REASON");
        let reject = [("decision", "reject"), ("reason", "the name does not match")];
        assert_eq!(decide(&server, &one, &row, &reject).await.data()["done"], 1);
        assert_eq!(ann.get(&server, "/api/user/center").await["reason"], "the name does not match");
        ann.submit_basic(&server, "AB123456").await.ok();
        let row = first(&server, &one, "identity").await;
        assert_eq!(decide(&server, &one, &row, APPROVE).await.data()["done"], 1);

        let proof = server.picture(&ann.token, "deposit").await;
        let form = [("currency", "9999"), ("amount", "500"), ("imgs", &proof)];
        let claimed = ann.post(&server, "/api/wallet/charge_req", &form).await;
        assert_eq!(claimed.error(), "", "{}", claimed.text);
        let row = first(&server, &one, "bank_deposit").await;
        let half = decide(&server, &one, &row, &[("decision", "approve"), ("reference", "INV 1")]).await.data();
        assert_eq!(half["done"], 0);
        let row = first(&server, &two, "bank_deposit").await;
        let item = format!("/operator/api/item?kind=bank_deposit&id={}&reason=to+decide", row["id"]);
        let fields = server.get_as(token(&two), &item).await.ok()["fields"].clone();
        assert_eq!(fields["reference"], Json::Null, "nobody copies it");
        let told = ann.get(&server, "/api/user/center").await["account_number"].clone();
        assert_eq!(
            (&fields["told_reference"], &fields["verified_name"]),
            (&told, &json!("Ann Marie Lee")),
            "what the statement is compared with"
        );
        let done = decide(&server, &two, &row, &[("decision", "approve"), ("reference", "INV 1")]).await.data();
        assert_eq!(done["done"], 1);
        let wallet = ann.post(&server, "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        assert_eq!(wallet["balance"], "500.000000");

        // The same transfer in another spelling.
        let proof = server.picture(&ann.token, "deposit").await;
        ann.post(&server, "/api/wallet/charge_req", &[("currency", "9999"), ("amount", "500"), ("imgs", &proof)]).await.ok();
        let row = first(&server, &one, "bank_deposit").await;
        for spelling in ["inv 1", " INV  1 ", "Inv-1"] {
            let again = decide(&server, &one, &row, &[("decision", "approve"), ("reference", spelling)]).await;
            assert_eq!(again.error(), "E_DUP_TX", "{spelling}");
        }
        assert_eq!(decide(&server, &one, &row, &[("decision", "approve"), ("reference", "- -")]).await.error(), "E_FIELD");

        // A person with another mail address stays the same person.
        let own = operator(&server, "ann@example.com", &["treasury"]).await;
        assert_eq!(decide(&server, &own, &row, &[("decision", "approve"), ("reference", "INV 2")]).await.error(), "E_SELF_REVIEW");
        let me = As { token: &ann.token, ..As::default() };
        server.post_as(me, "/api/sms_mail", &[("user_string", "ann2@example.com"), ("type", "bind")]).await.ok();
        let code = server.newest_message("ann2@example.com").await["code"].as_str().unwrap().to_owned();
        let moved = [("email", "ann2@example.com"), ("code", &code), ("password", "secret1")];
        server.post_as(me, "/api/user/edit_email", &moved).await.ok();
        assert_eq!(decide(&server, &own, &row, &[("decision", "approve"), ("reference", "INV 2")]).await.error(), "E_SELF_REVIEW");
    });
}

#[test]
fn a_payment_on_a_chain_is_credited_when_it_is_deep_enough_and_told() {
    both(|server| async move {
        let anvil = Anvil::start().await;
        let ann = Member::new(&server, "ann@example.com").await;
        let app = &server.running.app;
        let given = "insert into deposit_addresses (user_id, asset, chain, address, created_at_ms) values ($1, 2, 'ERC20', $2, 0)";
        app.db.exec(sql!(given, ann.id.0, OURS)).await.unwrap();
        let mut settings = Settings::mainnet(chain::Chain::Ethereum, &anvil.url);
        // The network requires 32, and the watcher looks that deep.
        (settings.network, settings.tokens, settings.depth) = ("31337".to_owned(), Vec::new(), 6);
        let mut feed = ChainFeed::open(&app.store, &app.sequencer, &app.member_locks, Chain::Erc20, &settings).await.unwrap();
        let mut read = async || while feed.poll().await.unwrap() {};
        anvil.mine(1).await;
        read().await;
        let tx = anvil.send(Some(OURS), 100_000_000_000_000_000, "0x").await;
        anvil.mine(1).await;
        read().await;
        let balance =
            async || ann.post(&server, "/api/wallet/detail", &[("currency", "2"), ("type", "change")]).await.ok()["balance"].clone();
        assert_eq!(balance().await, "0.00000000");
        let entries = app.sequencer.engine().observations().count();
        assert_eq!(entries, 1);
        anvil.mine(30).await;
        read().await;
        assert_eq!(balance().await, "0.00000000", "31 confirmations are not 32");
        let row = ann.get(&server, "/api/charge_mention/log2").await["data"][0].clone();
        assert_eq!((&row["confirmations"], &row["tx"]), (&json!(31), &json!(tx)), "the owner sees it come");
        anvil.mine(1).await;
        // A crash before the position was stored: everything is reported again, and credited once.
        let place = store::payments::position(&app.db, "ERC20").await.unwrap().unwrap();
        read().await;
        assert_eq!(balance().await, "0.10000000");
        app.db.exec(store::payments::move_on("ERC20", &place)).await.unwrap();
        let mut again = ChainFeed::open(&app.store, &app.sequencer, &app.member_locks, Chain::Erc20, &settings).await.unwrap();
        while again.poll().await.unwrap() {}
        assert_eq!(balance().await, "0.10000000");
        let told = ann.get(&server, "/api/notice/list?kind=deposit").await;
        assert_eq!(told["total"], 1, "{told}");
    });
}

#[test]
fn a_line_of_the_queue_tells_which_checks_need_a_person_until_it_is_decided() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let one = operator(&server, "one", &["treasury", "verifier"]).await;
        server.post("/sandbox/clock", &[("advance_ms", "604800000")]).await.ok();
        let told = async || first(&server, &one, "withdrawal").await["failed_checks"].clone();
        ann.withdraw(&server, &address, "40").await.ok();
        assert_eq!(told().await, json!([]), "an old address, an old password, a part of the money");
        let change = [("old_password", "secret1"), ("password", "another1"), ("re_password", "another1")];
        ann.post(&server, "/api/user/e_pwd", &change).await.ok();
        assert_eq!(told().await, json!(["no_security_change_in_a_week", "no_security_hold"]));
        let id = server.get_as(token(&ann.token), "/api/user/center").await.ok()["id"].to_string();
        post(&server, &one, "user/freeze", &[("id", &id), ("scope", "withdraw"), ("reason", "stolen phone")]).await.ok();
        assert_eq!(told().await, json!(["no_security_change_in_a_week", "not_frozen", "no_security_hold"]));
        let row = first(&server, &one, "withdrawal").await;
        let rejected = decide(&server, &one, &row, &[("decision", "reject"), ("reason", "stolen phone")]).await.data();
        assert_eq!(rejected["row"]["failed_checks"], json!([]));
    });
}

#[test]
fn a_case_is_late_by_the_target_of_its_kind() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let address = ann.ready(&server, "AB123456").await;
        let one = operator(&server, "one", &["treasury", "verifier"]).await;
        ann.withdraw(&server, &address, "40").await.ok();
        bob.submit_basic(&server, "CD123456").await.ok();
        let hours = async |kind: &str, name: &str| {
            let row = first(&server, &one, kind).await;
            (row[name].as_u64().unwrap() - row["created_at_ms"].as_u64().unwrap()) / 3_600_000
        };
        assert_eq!((hours("withdrawal", "first_by_ms").await, hours("withdrawal", "promised_by_ms").await), (3, 12));
        assert_eq!((hours("identity", "first_by_ms").await, hours("identity", "promised_by_ms").await), (6, 24));
        for (hours, late) in [(11, [0, 0]), (2, [1, 0]), (12, [1, 1])] {
            server.post("/sandbox/clock", &[("advance_ms", &(hours * 3_600_000).to_string())]).await.ok();
            for (kind, late) in ["withdrawal", "identity"].into_iter().zip(late) {
                assert_eq!(first(&server, &one, kind).await["late"], late, "{kind}");
            }
        }
    });
}

#[test]
fn a_withdrawal_of_nearly_everything_is_worth_a_look() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        server.post("/sandbox/clock", &[("advance_ms", "604800000")]).await.ok();
        let one = operator(&server, "one", &["treasury"]).await;
        ann.withdraw(&server, &address, "90").await.ok();
        assert_eq!(first(&server, &one, "withdrawal").await["failed_checks"], json!(["leaves_under_90_percent"]));
    });
}

#[test]
fn a_withdrawal_of_next_to_nothing_is_not_told_as_nothing() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "9900")]).await.ok();
        ann.withdraw(&server, &address, "40").await.ok();
        let one = operator(&server, "one", &["treasury"]).await;
        let path = format!("/operator/api/item?kind=withdrawal&id={}&reason=look", first(&server, &one, "withdrawal").await["id"]);
        let item = server.get_as(token(&one), &path).await.ok();
        let share = item["checks"].as_array().unwrap().iter().find(|check| check["name"] == "leaves_under_90_percent").unwrap();
        assert_eq!(share["detail"], "under 1 % of the coin in Spot");
    });
}

//! Final payments leave the engine. Every page shows them as before, and nothing can change them.

use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::ids::AssetId;
use serde_json::{Value as Json, json};
use store::observations;
use store::payments::Payment;
use store::sql;

use crate::harness::{Answer, Server, both, token};
use crate::operator::operator;
use crate::operator_money::{APPROVE, decide, first};
use crate::people::Member;

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

async fn get(server: &Server, who: &str, path: &str) -> Json {
    let newest = server.running.app.sequencer.engine().seq().0.to_string();
    server.request("GET", &format!("/operator/api/{path}"), &[("authorization", who), ("x-min-seq", &newest)], "").await.ok()
}

/// Whatever shows payments: to operators, and to their owner.
async fn pages(server: &Server, who: &str, owner: &Member) -> Vec<Json> {
    let mut pages = Vec::new();
    let states = ["entered", "matched", "conflict", "credited", "reversed"].map(|state| format!("observations?state={state}"));
    for path in ["observations", "observations?limit=1&page=2", "proposals?state=done"].into_iter().chain(states.iter().map(String::as_str))
    {
        pages.push(get(server, who, path).await);
    }
    for row in get(server, who, "queue?kind=deposit&status=done").await["data"].as_array().unwrap() {
        let item = get(server, who, &format!("item?kind=deposit&id={}&reason=look", row["id"])).await;
        pages.push(item["fields"]["observation"].clone());
        pages.push(row.clone());
    }
    pages.push(owner.get(server, "/api/charge_mention/log2").await);
    pages
}

#[test]
fn a_final_payment_leaves_the_engine_and_no_page_shows_less_of_it() {
    both(|server| async move {
        let app = &server.running.app;
        let ann = Member::new(&server, "ann@example.com").await;
        ann.post(&server, "/api/wallet/get_in_address", &[("currency", "3"), ("nettype", "TRC20")]).await.ok();
        let done = app.db.query(sql!("select address from deposit_addresses where chain = 'TRC20'")).await.unwrap();
        let address = done.rows[0].text(0).unwrap();
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let enter = async |who: &str, tx: &str, output: &str| {
            let form = [("chain", "TRC20"), ("tx", tx), ("output", output), ("address", &address), ("currency_id", "3")];
            let form: Vec<_> = form.into_iter().chain([("amount", "700"), ("confirmations", "40")]).collect();
            post(&server, who, "observation", &form).await
        };
        let (watched, by_hand, waits) = ("aa".repeat(32), "bb".repeat(32), "cc".repeat(32));
        let sees = async || {
            let payment = Payment { chain: "TRC20".to_owned(), tx: watched.clone(), output: 0, address: address.clone() };
            app.db.exec(payment.keep()).await.unwrap();
            let observed = Observed { user: ann.id, asset: AssetId(3), chain: Chain::Trc20, amount: 25_000_000 };
            let command = Command::ObserveDeposit { tx: payment.digest(), observed, confirmations: 20 };
            app.sequencer.submit(command, None).await.unwrap().outcome.result.map(drop).map_err(|reject| reject.name())
        };
        sees().await.unwrap();
        for who in [&one, &two] {
            enter(who, &by_hand, "0").await.ok();
        }
        decide(&server, &one, &first(&server, &one, "deposit").await, APPROVE).await.ok();
        let seen = get(&server, &one, "observations").await["data"].clone();
        let reverse =
            async |id: &Json| post(&server, &one, "observation/reverse", &[("id", &id.to_string()), ("reason", "was wrong")]).await;
        let proposed = reverse(&seen[0]["id"]).await.ok();
        let hash = proposed["hash"].as_str().unwrap();
        post(&server, &two, "proposal/confirm", &[("id", &proposed["id"].to_string()), ("hash", hash)]).await.ok();
        enter(&one, &waits, "0").await.ok();

        // Rows from before their table are made from the engine.
        let rows = async || app.db.query(sql!("select id, tx, status, body from observations order by id")).await.unwrap().rows;
        app.wait_for(app.sequencer.newest()).await.unwrap();
        let before = rows().await;
        assert_eq!(before.len(), 3);
        app.db.exec(sql!("delete from observations")).await.unwrap();
        for _ in 0..2 {
            observations::begin(app).await.unwrap();
            assert_eq!(rows().await, before);
        }

        let before = pages(&server, &two, &ann).await;
        assert_eq!((&before[0]["total"], &before[6]["total"]), (&json!(3), &json!(1)));
        let days = (30 * 86_400_000_u64 + 1).to_string();
        server.post("/sandbox/clock", &[("advance_ms", &days)]).await.ok();
        let left = { (app.sequencer.engine().observations().count(), app.sequencer.engine().finals()) };
        assert_eq!(left, (1, 2));
        let after = pages(&server, &two, &ann).await;
        for (after, before) in after.iter().zip(&before) {
            assert_eq!(after, before);
        }
        assert_eq!(after.len(), before.len());

        // It stays as it is, whatever is reported.
        assert_eq!(sees().await, Err("E_DUP_TX"));
        for (tx, output) in [(&watched, "0"), (&watched, "7"), (&by_hand, "0")] {
            assert_eq!(enter(&two, tx, output).await.error(), "E_DUP_TX", "{tx} {output}");
        }
        for (payment, state) in [(&seen[0], "reversed"), (&seen[1], "credited")] {
            let refused = reverse(&payment["id"]).await;
            assert_eq!((refused.error().as_str(), &refused.json()["data"]["state"]), ("E_STATE", &json!(state)));
        }
        assert_eq!(reverse(&json!(987_654)).await.error(), "E_NOT_FOUND");
    });
}

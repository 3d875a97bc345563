//! A payment that two operators entered by hand, on a chain that is watched: it is credited once, however its output was numbered.

use chain::watch::Settings;
use engine::catalog::funding::Chain;
use serde_json::json;
use server::inputs::chain::ChainFeed;
use store::sql;

use crate::anvil::Anvil;
use crate::harness::{Answer, Server, both_with, token};
use crate::operator::operator;
use crate::people::Member;

/// A deposit address of the mnemonic `abandon ... about`.
const OURS: &str = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";
const TENTH: u128 = 100_000_000_000_000_000;

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

async fn enter(server: &Server, who: &str, tx: &str, output: &str) -> Answer {
    let form = [
        ("chain", "ERC20"),
        ("tx", tx),
        ("output", output),
        ("address", OURS),
        ("currency_id", "2"),
        ("amount", "0.1"),
        ("confirmations", "40"),
    ];
    post(server, who, "observation", &form).await
}

async fn balance(server: &Server, who: &Member) -> String {
    let wallet = who.post(server, "/api/wallet/detail", &[("currency", "2"), ("type", "change")]).await.ok();
    wallet["balance"].as_str().unwrap().to_owned()
}

async fn approve(server: &Server, who: &str) -> Answer {
    let newest = server.running.app.sequencer.engine().seq().0.to_string();
    let path = "/operator/api/queue?kind=deposit";
    let row = server.request("GET", path, &[("authorization", who), ("x-min-seq", &newest)], "").await.ok()["data"][0].clone();
    let (id, version, hash) = (row["id"].to_string(), row["version"].to_string(), row["hash"].as_str().unwrap());
    let form = [("kind", "deposit"), ("id", &id), ("version", &version), ("hash", hash), ("decision", "approve")];
    post(server, who, "decide", &form).await
}

#[test]
fn a_watcher_that_reads_back_over_what_was_credited_by_hand_credits_it_no_second_time() {
    // The server's own watcher cannot reach a node, so the test decides when something is read.
    both_with(&["--chain-ethereum", "http://127.0.0.1:1"], |server| async move {
        let anvil = Anvil::start().await;
        let ann = Member::new(&server, "ann@example.com").await;
        let app = &server.running.app;
        let given = "insert into deposit_addresses (user_id, asset, chain, address, created_at_ms) values ($1, 2, 'ERC20', $2, 0)";
        app.db.exec(sql!(given, ann.id.0, OURS)).await.unwrap();
        let mut settings = Settings::mainnet(chain::Chain::Ethereum, &anvil.url);
        (settings.network, settings.tokens) = ("31337".to_owned(), Vec::new());
        let read = async || {
            let mut feed = ChainFeed::open(&app.store, &app.sequencer, &app.member_locks, Chain::Erc20, &settings).await.unwrap();
            while feed.poll().await.unwrap() {}
        };
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        anvil.mine(1).await;
        read().await;
        let place = store::payments::position(&app.db, "ERC20").await.unwrap().unwrap();

        // Before the watcher reports it, two operators number the output in their own way, and one of them enters the next payment too.
        let first = anvil.send(Some(OURS), TENTH, "0x").await;
        let second = anvil.send(Some(OURS), TENTH, "0x").await;
        anvil.mine(40).await;
        enter(&server, &one, &first, "7").await.ok();
        assert_eq!(enter(&server, &two, &first.to_uppercase().replace("0X", ""), "7").await.ok()["state"], "matched");
        enter(&server, &one, &second, "7").await.ok();
        // Agreed on but not yet approved, or approved: either way it is theirs.
        read().await;
        assert_eq!(balance(&server, &ann).await, "0.10000000", "the second only, which one operator alone could not have brought in");
        approve(&server, &one).await.ok();
        assert_eq!(balance(&server, &ann).await, "0.20000000");
        app.db.exec(store::payments::move_on("ERC20", &place)).await.unwrap();
        read().await;
        assert_eq!(balance(&server, &ann).await, "0.20000000");
        let known = { app.sequencer.engine().observations().map(|seen| seen.watched).collect::<Vec<_>>() };
        assert_eq!(known, [true, false, true], "the chain confirms theirs too, which is final then; one entry alone is nothing");
        read().await;
        assert_eq!(balance(&server, &ann).await, "0.20000000");

        // And the reverse: no operator can enter what a watcher reported.
        for output in ["0", "7", "8"] {
            assert_eq!(enter(&server, &two, &second, output).await.error(), "E_DUP_TX", "{output}");
        }
        assert_eq!(balance(&server, &ann).await, "0.20000000");
        let entered = server.get_as(token(&one), "/operator/api/observations?state=credited").await.ok();
        assert_eq!(entered["total"], json!(2));

        // For the very payment that they entered the chain has the last word: it is less than they say, and too little to be credited.
        let third = anvil.send(Some(OURS), TENTH / 1_000, "0x").await;
        anvil.mine(40).await;
        for who in [&one, &two] {
            enter(&server, who, &third, "0").await.ok();
        }
        read().await;
        assert_eq!(approve(&server, &one).await.error(), "E_DEPOSIT_MIN");
        assert_eq!(balance(&server, &ann).await, "0.20000000");

        // Long after, when the engine has only their keys.
        let days = (31 * 86_400_000_u64).to_string();
        server.post("/sandbox/clock", &[("advance_ms", &days)]).await.ok();
        assert_eq!(app.sequencer.engine().finals(), 2);
        app.db.exec(store::payments::move_on("ERC20", &place)).await.unwrap();
        read().await;
        assert_eq!(balance(&server, &ann).await, "0.20000000");
        for output in ["0", "7", "8"] {
            assert_eq!(enter(&server, &two, &second, output).await.error(), "E_DUP_TX", "{output}");
        }
    });
}

//! Abuse by members, thieves and operators that no other test covers: two nodes at once, and amounts that must not be entered by hand.

use std::time::{Duration, Instant};

use engine::ids::UserId;
use futures_util::future::join_all;
use serde_json::{Value as Json, json};
use server::http::auth::Sessions;
use store::sql;

use crate::harness::{Answer, As, Server, both, on_postgres, token};
use crate::operator::operator;
use crate::people::{FUND, Member};
use crate::socket::Client;

/// Sends this to a node, as often as the rate asks for; `None` from a node that does not lead.
async fn send(server: &Server, who: &Member, key: &str, path: &str, form: &[(&str, &str)]) -> Option<Answer> {
    let who = As { token: &who.token, key, ..As::default() };
    let answer = server.patient(async || server.post_as(who, path, form).await).await;
    // On either of these two the client only knows that it must ask again.
    (!["E_NOT_READY", "E_OUTCOME_UNKNOWN"].contains(&answer.error().as_str())).then_some(answer)
}

async fn usdt(server: &Server, who: &Member, account: &str) -> String {
    let wallet = who.post(server, "/api/wallet/detail", &[("currency", "3"), ("type", account)]).await.ok();
    wallet["balance"].as_str().unwrap().to_owned()
}

/// Paper money of who moves it from one wallet to another, USDT.
const FUNDS: u64 = 450;

const OUT: &str = "/api/wallet/out";

fn moving(amount: &str) -> [(&str, &str); 4] {
    [("currency_id", "3"), ("number", amount), ("from_field", "change"), ("to_field", "lever")]
}

/// A01: requests to two nodes take no more than there is, whichever of them leads when they arrive.
#[test]
fn two_nodes_at_once_take_no_more_than_there_is_and_no_more_than_three_a_day() {
    on_postgres(|first| async move {
        let ann = Member::new(&first, "ann@example.com").await;
        let address = ann.ready(&first, "AB123456").await;
        let out = [("currency", "3"), ("number", "20"), ("address_id", address.as_str()), ("pay_password", FUND)];
        for key in ["out1", "out2"] {
            send(&first, &ann, key, OUT, &out).await.unwrap().ok();
        }
        let bob = Member::new(&first, "bob@example.com").await;
        bob.post(&first, "/sandbox/faucet", &[("asset", "USDT"), ("amount", &FUNDS.to_string())]).await.ok();

        // Bob asks the first node until it no longer answers; meanwhile another one takes the lead.
        let pump = async {
            let mut done = 0;
            loop {
                let Some(answer) = send(&first, &bob, &format!("move{done}"), "/api/wallet/change", &moving("1")).await else { break done };
                answer.ok();
                done += 1;
            }
        };
        let (by_first, second) = tokio::join!(pump, first.second());
        assert!(!first.running.app.sequencer.leads() && (1..FUNDS - 100).contains(&by_first), "{by_first}");
        // Answered writes are done; the others are done once when they are repeated.
        let (last, unanswered) = (format!("move{}", by_first - 1), format!("move{by_first}"));
        assert_eq!(send(&second, &bob, &last, "/api/wallet/change", &moving("1")).await.unwrap().header("x-idempotent-replay"), "1");
        for _ in 0..2 {
            send(&second, &bob, &unanswered, "/api/wallet/change", &moving("1")).await.unwrap().ok();
        }
        let moved = by_first + 1;
        assert_eq!(usdt(&second, &bob, "lever").await, format!("{moved}.000000"));

        // Two hundred at once, to both.
        let (to_first, to_second) = tokio::join!(at_once(&first, &ann, 100, OUT, &out), at_once(&second, &ann, 100, OUT, &out));
        assert!(to_first.iter().all(|name| name == "E_NOT_READY"), "{to_first:?}");
        assert_eq!(to_second.iter().filter(|name| name.is_empty()).count(), 1, "two, and one, are three: {to_second:?}");
        assert!(to_second.iter().all(|name| ["", "E_WITHDRAW_COUNT", "E_RATE"].contains(&name.as_str())), "{to_second:?}");
        assert_eq!(ann.get(&second, "/api/charge_mention/log3").await["total"], 3);
        let all = at_once(&second, &bob, 20, "/api/wallet/change", &moving("100")).await;
        let fit = (FUNDS - moved) / 100;
        assert_eq!(all.iter().filter(|name| name.is_empty()).count() as u64, fit, "{all:?}");
        assert_eq!(all.iter().filter(|name| *name == "E_INSUFFICIENT").count() as u64, 20 - fit, "{all:?}");
        let (rest, there) = (usdt(&second, &bob, "change").await, usdt(&second, &bob, "lever").await);
        assert_eq!((rest, there), (format!("{}.000000", FUNDS - moved - fit * 100), format!("{}.000000", moved + fit * 100)));
        second.running.app.sequencer.engine().check_invariants().unwrap();
    });
}

/// The names of the refusals, or nothing, of so many requests at once, each with a key of its own.
async fn at_once(server: &Server, who: &Member, count: usize, path: &str, form: &[(&str, &str)]) -> Vec<String> {
    let keys: Vec<String> = (0..count).map(|number| format!("at-once{number}")).collect();
    let ask = async |key: &str| server.post_as(As { token: &who.token, key, ..As::default() }, path, form).await.error();
    join_all(keys.iter().map(|key| ask(key))).await
}

/// A18: a session that another node ended is at its end here within a second, and so is its socket.
#[test]
fn a_session_that_ended_on_another_node_ends_here_within_a_second() {
    on_postgres(|server| async move {
        let thief = server.member("ann@example.com").await;
        let own = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let mut socket = Client::connect(&server, json!({"token": thief})).await;
        server.get_as(token(&thief), "/api/user/center").await.ok();

        // What the other node has: a cache of its own, and the same table.
        let app = &server.running.app;
        let elsewhere = Sessions::new(app.db.clone());
        let session = elsewhere.find(&thief, &app.clock).await.unwrap().unwrap();
        elsewhere.end(session).await.unwrap();
        let ended = Instant::now();
        loop {
            let asked = ended.elapsed();
            if server.get_as(token(&thief), "/api/user/center").await.error() == "E_AUTH" {
                break;
            }
            assert!(asked < Duration::from_secs(1), "the session still lives");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        socket.ended().await;
        server.get_as(token(&own), "/api/user/center").await.ok();
    });
}

#[test]
fn a_member_has_thirty_sessions_and_one_more_ends_the_one_that_was_not_used_for_longest() {
    both(|server| async move {
        let first = server.member("ann@example.com").await;
        let used = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let mut socket = Client::connect(&server, json!({"token": first})).await;
        let app = &server.running.app;
        let id = app.sessions.find(&used, &app.clock).await.unwrap().unwrap().id;
        let user = UserId(server.get_as(token(&used), "/api/user/center").await.ok()["id"].as_u64().unwrap());
        let open = async || app.sessions.open(&app.vault, user, "", "", &app.clock, Vec::new()).await.unwrap().token;
        for _ in 0..28 {
            open().await;
        }
        server.get_as(token(&first), "/api/user/center").await.ok();
        app.db.exec(sql!("update sessions set last_at_ms = last_at_ms + 60000 where id = $1", id)).await.unwrap();
        let newest = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        assert_eq!(server.get_as(token(&first), "/api/user/center").await.error(), "E_AUTH");
        let ended = tokio::time::timeout(Duration::from_secs(5), socket.ended()).await;
        assert!(ended.unwrap().contains(&("logout".to_owned(), json!({"error": "E_AUTH"}))));
        open().await;
        for kept in [&used, &newest] {
            assert_eq!(server.get_as(token(kept), "/api/user/sessions").await.ok().as_array().unwrap().len(), 30);
        }
    });
}

/// A05: an entry by hand has a cap, needs two who say the same, and credits nothing before that.
#[test]
fn a_wrong_unit_is_refused_by_the_cap_and_two_different_entries_credit_nothing() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let before = server.get_as(token(&one), "/operator/api/treasury").await.ok();
        // Coin, chain, the cap, and the smallest amount above it.
        for (coin, chain, cap, above) in
            [("1", "BTC", "10", "10.00000001"), ("2", "ERC20", "200", "200.00000001"), ("3", "TRC20", "1000000", "1000000.000001")]
        {
            ann.post(&server, "/api/wallet/get_in_address", &[("currency", coin)]).await.ok();
            let asked = sql!("select address from deposit_addresses where asset = $1 and chain = $2", coin.parse::<i64>().unwrap(), chain);
            let address = server.running.app.db.query(asked).await.unwrap().rows[0].text(0).unwrap();
            let enter = async |who: &str, amount: &str| {
                let tx = if chain == "BTC" { "cd".repeat(32) } else { "ef".repeat(32) };
                let tx = if chain == "ERC20" { format!("0x{tx}") } else { tx };
                let form = [("chain", chain), ("tx", &tx), ("output", "0"), ("address", &address), ("currency_id", coin)];
                let form = [form.as_slice(), &[("amount", amount), ("confirmations", "90")]].concat();
                server.post_as(token(who), "/operator/api/observation", &form).await
            };
            for amount in ["620000", above, "0"].into_iter().filter(|amount| *amount != "620000" || chain != "TRC20") {
                assert_eq!(
                    (enter(&one, amount).await.error(), enter(&two, amount).await.error()),
                    ("E_AMOUNT".into(), "E_AMOUNT".into()),
                    "{chain} {amount}"
                );
            }
            assert_eq!(enter(&one, cap).await.ok()["state"], "entered");
            assert_eq!(enter(&one, cap).await.error(), "E_SAME_OPERATOR");
            assert_eq!(enter(&two, "1").await.ok()["state"], "conflict");
            let wallet = ann.post(&server, "/api/wallet/detail", &[("currency", coin), ("type", "change")]).await.ok();
            assert_eq!(wallet["balance"].as_str().unwrap().trim_matches(['0', '.']), "", "{chain}");
        }
        let proof = server.picture(&ann.token, "deposit").await;
        let bank = [("currency", "9999"), ("amount", "1000000.01"), ("imgs", &proof)];
        assert_eq!(ann.post(&server, "/api/wallet/charge_req", &bank).await.error(), "E_AMOUNT");

        // No operator can approve any of the results, and the house has what it had.
        let newest = server.running.app.sequencer.engine().seq().0.to_string();
        for who in [&one, &two] {
            let headers = [("authorization", who.as_str()), ("x-min-seq", &newest)];
            for row in server.request("GET", "/operator/api/queue?kind=deposit", &headers, "").await.ok()["data"].as_array().unwrap() {
                let (id, version, hash) = (row["id"].to_string(), row["version"].to_string(), row["hash"].as_str().unwrap());
                let form = [("kind", "deposit"), ("id", &id), ("decision", "approve"), ("version", &version), ("hash", hash)];
                assert_ne!(server.post_as(token(who), "/operator/api/decide", &form).await.error(), "", "{row}");
            }
        }
        assert_eq!(server.get_as(token(&one), "/operator/api/treasury").await.ok(), before);
        let list = ann.get(&server, "/api/wallet/list").await;
        assert_eq!(list["total_usdt"], Json::from("0.000000"));
    });
}

//! A member is connected: from then on they hear of everything that is theirs, however busy the sockets are.

use std::time::Duration;

use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, UserId};
use serde_json::json;

use crate::harness::{Server, both, token};
use crate::socket::Client;

const ROUNDS: u64 = 40;
/// Events of another member in the same group, which the sockets have to send first.
const BEFORE: usize = 300;

async fn user_of(server: &Server, who: &str) -> UserId {
    UserId(server.get_as(token(who), "/api/user/center").await.ok()["id"].as_u64().unwrap())
}

#[test]
fn who_is_connected_hears_of_all_that_follows() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let (ann_id, bob_id) = (user_of(&server, &ann).await, user_of(&server, &bob).await);
        let sequencer = &server.running.app.sequencer;
        let pay = |user, amount| sequencer.submit(Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount }, None);
        let _busy = Client::connect(&server, json!({"token": bob})).await;
        for round in 1..=ROUNDS {
            // A client that is away longer has to read again; each round is a member's first connection.
            let others = futures_util::future::join_all((0..BEFORE).map(|_| pay(bob_id, 1)));
            let first = async {
                let mut client = Client::connect(&server, json!({"token": ann})).await;
                pay(ann_id, 1).await.unwrap();
                client.event("balance").await
            };
            let (told, _) = tokio::join!(first, others);
            assert_eq!(told["data"][0]["avail"], format!("0.{round:06}"));
        }
    });
}

#[test]
fn of_two_logins_on_one_connection_the_later_one_counts() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let (ann_id, bob_id) = (user_of(&server, &ann).await, user_of(&server, &bob).await);
        let sequencer = &server.running.app.sequencer;
        let pay = |user, amount| sequencer.submit(Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount }, None);
        for round in 1..=20 {
            let mut client = Client::connect(&server, json!({})).await;
            assert!(client.throw("login", json!({"token": ann})).await);
            assert_eq!(client.ask("login", json!({"token": bob})).await, json!({"code": 1}));
            pay(ann_id, 1_000_000).await.unwrap();
            pay(bob_id, 1).await.unwrap();
            assert_eq!(client.event("balance").await["data"][0]["avail"], format!("0.{round:06}"), "nothing of the first member");
        }
    });
}

#[test]
fn connections_that_broke_off_at_the_login_are_in_nobodys_way_and_one_too_many_is_told_so() {
    both(|server| async move {
        let ann = server.member("ann@example.com").await;
        let user = user_of(&server, &ann).await;
        let login = json!({"token": ann});
        for _ in 0..24 {
            drop(Client::knock(&server, login.clone()).await);
        }
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        let mut held = Vec::new();
        for _ in 0..10 {
            held.push(Client::connect(&server, login.clone()).await);
        }
        let refused = Client::knock(&server, login.clone()).await.packet().await;
        assert!(refused.starts_with("44") && refused.contains("E_OPEN_LIMIT"), "{refused}");
        let mut eleventh = Client::connect(&server, json!({})).await;
        assert!(eleventh.throw("login", login.clone()).await);
        assert!(eleventh.ended().await.contains(&("closed".to_owned(), json!({"error": "E_OPEN_LIMIT"}))));
        let faucet = Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount: 1 };
        server.running.app.sequencer.submit(faucet, None).await.unwrap();
        for client in &mut held {
            assert_eq!(client.event("balance").await["data"][0]["avail"], "0.000001");
        }
    });
}

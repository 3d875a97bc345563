//! A member is connected: from then on they hear of everything that is theirs, however busy the sockets are.

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

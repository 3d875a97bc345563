//! Addresses reach their watcher in time, whatever else happens meanwhile.

use chain::watch::Settings;
use engine::catalog::funding::Chain;
use server::http::App;
use server::inputs::chain::ChainFeed;
use store::sql;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::anvil::Anvil;
use crate::harness::both;
use crate::people::Member;

/// Deposit addresses of the mnemonic `abandon ... about`.
const OURS: [&str; 2] = ["0x9858EfFD232B4033E47d90003D41EC34EcaEda94", "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0"];
const TENTH: u128 = 100_000_000_000_000_000;

async fn give(app: &App, row: u64, who: &Member, asset: u64, address: &str) {
    let given = "insert into deposit_addresses (id, user_id, asset, chain, address, created_at_ms) values ($1, $2, $3, 'ERC20', $4, 0)";
    app.db.exec(sql!(given, row, who.id.0, asset, address)).await.unwrap();
}

async fn watch(app: &App, url: &str) -> ChainFeed {
    let mut settings = Settings::mainnet(chain::Chain::Ethereum, url);
    (settings.network, settings.tokens) = ("31337".to_owned(), Vec::new());
    ChainFeed::open(&app.store, &app.sequencer, &app.member_locks, Chain::Erc20, &settings).await.unwrap()
}

#[test]
fn an_address_whose_row_comes_late_is_watched() {
    both(|server| async move {
        let (anvil, app) = (Anvil::start().await, &server.running.app);
        let ann = Member::new(&server, "ann@example.com").await;
        let mut feed = watch(app, &anvil.url).await;
        give(app, 500, &ann, 2, OURS[0]).await;
        feed.poll().await.unwrap();
        // PostgreSQL assigns numbers before it commits.
        give(app, 499, &ann, 3, OURS[1]).await;
        anvil.send(Some(OURS[1]), TENTH, "0x").await;
        anvil.mine(1).await;
        feed.poll().await.unwrap();
        assert_eq!(app.sequencer.engine().observations().count(), 1);
    });
}

#[test]
fn an_address_that_is_given_out_while_the_node_is_asked_is_watched() {
    both(|server| async move {
        let (anvil, app) = (Anvil::start().await, &server.running.app);
        let ann = Member::new(&server, "ann@example.com").await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut feed = watch(app, &format!("http://{}", listener.local_addr().unwrap())).await;
        let mut given = false;
        let line = async {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut asked = Vec::new();
                // A question is one object of JSON.
                while !asked.ends_with(b"}") {
                    assert_ne!(stream.read_buf(&mut asked).await.unwrap(), 0);
                }
                let asked = String::from_utf8(asked).unwrap();
                if asked.contains("eth_blockNumber") && !given {
                    given = true;
                    give(app, 1, &ann, 2, OURS[0]).await;
                    anvil.send(Some(OURS[0]), TENTH, "0x").await;
                    anvil.mine(1).await;
                }
                let question: serde_json::Value = serde_json::from_str(asked.split_once("\r\n\r\n").unwrap().1).unwrap();
                let answer = anvil.call(question["method"].as_str().unwrap(), question["params"].clone()).await;
                let body = serde_json::json!({"jsonrpc": "2.0", "id": 1, "result": answer}).to_string();
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        };
        tokio::select! {
            () = line => {}
            read = feed.poll() => assert!(!read.unwrap()),
        }
        assert_eq!(app.sequencer.engine().observations().count(), 1);
    });
}

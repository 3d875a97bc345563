//! `meridian verify` of what a venue signed with its key for one member alone: a receipt, a leaf or a kit of a second log.

use std::path::{Path, PathBuf};

use ring::signature::Ed25519KeyPair;
use serde_json::{Value as Json, json};
use server::config::PublicArgs;
use server::verify::venue::Failed;
use store::secrets::{from_hex, hex};
use tempfile::TempDir;

use crate::exit_kit::made;
use crate::harness::{Server, both, token};
use crate::outside::{file, flip, lying, red, verify};
use crate::people::Member;
use crate::receipts::covered;

/// The head with a change, signed again with the key of the venue.
fn signed_again(data: &Path, head: &Json, change: impl Fn(&mut Json)) -> Json {
    let seed: [u8; 32] = from_hex(std::fs::read_to_string(data.join("secrets/head-key")).unwrap().trim()).unwrap();
    let mut head = head.clone();
    change(&mut head);
    let bytes = |name: &str| from_hex::<32>(head[name].as_str().unwrap()).unwrap();
    let number = |name: &str| head[name].as_u64().unwrap().to_be_bytes();
    let parts = [&b"meridian-head-v1"[..], &bytes("genesis"), &number("seq"), &bytes("hash"), &bytes("root"), &number("time_ms")].concat();
    head["signature"] = json!(hex(Ed25519KeyPair::from_seed_unchecked(&seed).unwrap().sign(&parts).as_ref()));
    head
}

async fn bought(server: &Server) -> (Member, Json) {
    let ann = Member::new(server, "ann@example.com").await;
    ann.verify(server, "X0000001").await;
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "micro")]).await.ok();
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
    let form = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "100")];
    let id = ann.post(server, "/api/microtrade/submit", &form).await.ok()["id"].to_string();
    server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
    let receipt = covered(server, &ann, "microtrade", &id).await;
    (ann, receipt)
}

#[test]
fn what_the_key_of_the_venue_signed_for_another_log_than_the_saved_one_is_red() {
    both(|server| async move {
        let (ann, receipt) = bought(&server).await;
        let (_, url) = made(&server, &ann).await;
        let kit = String::from_utf8(server.bytes(token(&ann.token), &url).await.1).unwrap();
        let folder = TempDir::new().unwrap();
        let receipt_file = file(&folder, "receipt.json", &receipt);
        let kit_file = folder.path().join("kit.jsonl");
        std::fs::write(&kit_file, &kit).unwrap();
        let first: Json = serde_json::from_str(kit.lines().next().unwrap()).unwrap();
        let of_receipt = PublicArgs { receipt: Some(receipt_file), ..PublicArgs::default() };
        let of_kit = PublicArgs { kit: Some(kit_file), ..PublicArgs::default() };
        for (document, head) in [(&of_receipt, &receipt["proof"]["head"]), (&of_kit, &first["head"])] {
            let against = async |head: PathBuf| red(verify(PublicArgs { head: Some(head), ..document.clone() }).await);
            let saved = |change: &dyn Fn(&mut Json)| file(&folder, "head.json", &signed_again(server.folder(), head, change));
            assert_eq!(against(saved(&|_| {})).await, "");
            assert_eq!(against(saved(&|head| head["root"] = head["hash"].clone())).await, "consistency", "another root at the same entry");
            let genesis = saved(&|head| (head["seq"], head["genesis"]) = (json!(3), head["hash"].clone()));
            assert_eq!(against(genesis).await, "consistency", "another first entry");
            // The saved head also names the key, and one that is missing is not passed over.
            let stranger: Json = serde_json::from_str(include_str!("../../../../docs/receipts/open.json")).unwrap();
            assert_eq!(against(file(&folder, "stranger.json", &stranger["proof"]["head"])).await, "key");
            let missing = PublicArgs { head: Some(folder.path().join("nothing")), ..document.clone() };
            assert!(matches!(verify(missing).await, Err(Failed::Unread(_))));
            // Beside the venue, it is of the log that the venue shows.
            let beside = async |url: String| red(verify(PublicArgs { url: Some(url), ..document.clone() }).await);
            assert_eq!(beside(server.url("/")).await, "");
            let forked = lying(&server, |call, answer| {
                if call.starts_with("api/proof/inclusion") {
                    flip(&mut answer["path"][0]["hash"]);
                }
            });
            assert_eq!(beside(forked.await).await, "consistency");
        }
    });
}

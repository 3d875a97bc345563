//! What a stranger can check with only the documented bytes: nothing here uses our own hashing.

use std::time::Duration;

use engine::amount::Price;
use engine::codec::{Encoded, decode};
use engine::command::Command;
use engine::ids::{MarketId, Seq};
use engine::index::{MarketQuotes, Quote};
use engine::time::Time;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::harness::{Server, both, token};

fn bytes(hex: &Json) -> Vec<u8> {
    let text = hex.as_str().unwrap();
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn sha(parts: &[&[u8]]) -> Vec<u8> {
    parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize().to_vec()
}

fn number(value: &Json) -> u64 {
    value.as_u64().unwrap()
}

/// The hash of an entry from what the call shows of it.
fn entry_hash(entry: &Json) -> Vec<u8> {
    let public = bytes(&entry["bytes"]);
    let sealed = if entry["sealed"].is_null() { Vec::new() } else { bytes(&entry["sealed"]) };
    sha(&[
        &bytes(&entry["prev"]),
        &number(&entry["seq"]).to_be_bytes(),
        &number(&entry["time_ms"]).to_be_bytes(),
        &u16::try_from(number(&entry["kind_number"])).unwrap().to_be_bytes(),
        &[u8::try_from(number(&entry["version"])).unwrap()],
        &u32::try_from(public.len()).unwrap().to_be_bytes(),
        &public,
        &sealed,
    ])
}

fn is_signed(head: &Json) -> bool {
    let signed = [
        b"meridian-head-v1".as_slice(),
        &bytes(&head["genesis"]),
        &number(&head["seq"]).to_be_bytes(),
        &bytes(&head["hash"]),
        &bytes(&head["root"]),
        &number(&head["time_ms"]).to_be_bytes(),
    ];
    UnparsedPublicKey::new(&ED25519, bytes(&head["key"])).verify(&signed.concat(), &bytes(&head["signature"])).is_ok()
}

fn leads_to(entry: &[u8], inclusion: &Json) -> bool {
    let steps = inclusion["path"].as_array().unwrap();
    let top = steps.iter().fold(sha(&[&[0], entry]), |below, step| {
        let beside = bytes(&step["hash"]);
        if step["side"] == "left" { sha(&[&[1], &beside, &below]) } else { sha(&[&[1], &below, &beside]) }
    });
    top == bytes(&inclusion["root"])
}

/// The first head; it is signed as soon as the log was read.
async fn head(server: &Server) -> Json {
    for _ in 0..200 {
        let answer = server.get("/api/proof/head").await.json();
        if answer["code"] == 1 {
            return answer["message"].clone();
        }
        assert_eq!(answer["data"]["error"], "E_NOT_READY");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no head is signed");
}

/// Every entry up to this one, a page at a time.
async fn entries(server: &Server, last: u64) -> Vec<Json> {
    let mut all = Vec::new();
    while (all.len() as u64) < last {
        let page = server.get(&format!("/api/proof/entries?from={}&limit=100", all.len() + 1)).await.ok();
        all.extend(page.as_array().unwrap().iter().take(usize::try_from(last).unwrap() - all.len()).cloned());
    }
    all
}

#[test]
fn a_stranger_recomputes_every_entry_and_finds_it_under_the_signed_head_also_after_a_restart() {
    both(|mut server| async move {
        let first = head(&server).await;
        assert!(is_signed(&first), "{first}");
        for (field, other) in
            [("seq", Json::from(number(&first["seq"]) + 1)), ("root", first["hash"].clone()), ("genesis", first["root"].clone())]
        {
            let mut changed = first.clone();
            changed[field] = other;
            assert!(!is_signed(&changed), "{field}");
        }
        let size = number(&first["seq"]);
        let log = entries(&server, size).await;
        let mut before = vec![0; 32];
        for (seq, entry) in (1..).zip(&log) {
            assert_eq!((number(&entry["seq"]), bytes(&entry["prev"])), (seq, before), "{entry}");
            before = entry_hash(entry);
            assert_eq!(bytes(&entry["hash"]), before, "{entry}");
            // Under the first head: the next may be signed during this loop.
            let inclusion = server.get(&format!("/api/proof/inclusion?seq={seq}&head_seq={size}")).await.ok();
            assert_eq!((&inclusion["root"], &inclusion["hash"]), (&first["root"], &entry["hash"]), "{inclusion}");
            assert!(leads_to(&before, &inclusion), "{inclusion}");
            let mut altered = entry.clone();
            altered["time_ms"] = Json::from(number(&entry["time_ms"]) + 1);
            assert!(!leads_to(&entry_hash(&altered), &inclusion), "{inclusion}");
        }
        assert_eq!((bytes(&first["hash"]), &first["genesis"]), (before, &log[0]["hash"]));
        assert_eq!((&log[0]["kind"], &log[0]["public"]["mode"]), (&Json::from("genesis"), &Json::from("Sandbox")));
        let under_newest = server.get("/api/proof/inclusion?seq=1").await.ok();
        assert!(number(&under_newest["head_seq"]) >= size && leads_to(&entry_hash(&log[0]), &under_newest), "{under_newest}");
        for (seq, head_seq) in [(0, size), (size + 1, size), (1, size - 1)] {
            let refused = server.get(&format!("/api/proof/inclusion?seq={seq}&head_seq={head_seq}")).await;
            assert_eq!(refused.error(), "E_NOT_FOUND", "{seq} of {head_seq}");
        }
        assert_eq!(server.get("/api/proof/inclusion?seq=x").await.error(), "E_FIELD");
        assert_eq!(server.get("/api/proof/entries?from=999999999").await.ok(), Json::Array(Vec::new()));
        assert_eq!(server.get("/api/proof/entries?from=9007199254740991&limit=9007199254740991").await.ok(), Json::Array(Vec::new()));

        server.restart().await;
        let again = head(&server).await;
        assert_eq!((&again["key"], &again["genesis"]), (&first["key"], &first["genesis"]));
        let inclusion = server.get(&format!("/api/proof/inclusion?seq=1&head_seq={size}")).await.ok();
        assert_eq!(inclusion["root"], first["root"]);
    });
}

#[test]
fn only_the_owner_is_shown_what_an_entry_seals_and_it_is_what_was_sealed() {
    both(|server| async move {
        let (mine, other) = (server.member("mine@example.org").await, server.member("other@example.org").await);
        let paid = server.post_as(token(&mine), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "5")]).await;
        let call = format!("/api/proof/entries?from={}&limit=1", paid.header("x-seq"));
        let entry = server.get_as(token(&mine), &call).await.ok()[0].clone();
        assert_eq!((&entry["kind"], &entry["public"]["amount"]), (&Json::from("sandbox_faucet"), &Json::from(5_000_000)));
        let own = &entry["own"];
        assert_eq!(sha(&[&bytes(&own["salt"]), &bytes(&own["bytes"])]), bytes(&entry["sealed"]));
        assert_eq!(entry_hash(&entry), bytes(&entry["hash"]));
        for who in [token(&other), token("")] {
            let shown = server.get_as(who, &call).await.ok()[0].clone();
            assert_eq!((&shown["own"], &shown["hash"]), (&Json::Null, &entry["hash"]));
        }
    });
}

#[test]
fn a_server_with_another_head_key_does_not_start() {
    both(|mut server| async move {
        head(&server).await;
        let file = server.folder().join("secrets").join("head-key");
        std::fs::write(&file, "11".repeat(32)).unwrap();
        let refused = server.try_restart().await.unwrap_err().to_string();
        assert!(refused.contains("head-key") && refused.contains("another key"), "{refused}");
        std::fs::remove_file(&file).unwrap();
        let refused = server.try_restart().await.unwrap_err().to_string();
        assert!(refused.contains("head-key"), "{refused}");
    });
}

#[test]
fn the_example_of_the_documented_bytes_is_true() {
    let document = include_str!("../../../../docs/log-bytes.md");
    let value = |name: &str| -> String {
        let line = document.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        line.trim_start_matches(&format!("| {name} |")).trim_end_matches('|').trim().trim_matches('`').to_owned()
    };
    let numbers: Vec<u64> = value("`seq`, `time_ms`, `kind_number`, `version`").split(", ").map(|number| number.parse().unwrap()).collect();
    let entry = json!({
        "prev": value("`prev`"),
        "seq": numbers[0],
        "time_ms": numbers[1],
        "kind_number": numbers[2],
        "version": numbers[3],
        "bytes": value("`bytes`"),
        "sealed": null,
    });
    let hash = entry_hash(&entry);
    assert_eq!(hash, bytes(&Json::from(value("`hash`"))));
    assert_eq!(sha(&[&[0], &hash]), bytes(&Json::from(value("leaf"))));
    let encoded = Encoded { kind: 4, version: 1, public: bytes(&entry["bytes"]), private: Vec::new() };
    let quote = |source, price, age_ms| Quote { source, price: Price(price), age_ms };
    let quotes = vec![quote(0, 9_743_214_000_000, 120), quote(1, 9_743_215_000_000, 80), quote(3, 9_743_216_000_000, 310)];
    let decoded = decode(Seq(numbers[0]), Time(numbers[1]), &encoded).unwrap().command;
    assert_eq!(decoded, Command::PublishQuotes(vec![MarketQuotes { market: MarketId(1), quotes }]));
}

//! Stops of contracts that were set after the opening, and entries that set none: refused ones, another member's, and late ones. The log
//! has all of these entries, and a receipt that names one of them fails.

use serde_json::{Value as Json, json};

use super::{contract, end, feed, other, rehash};
use crate::harness::{As, Server, token};
use crate::people::Member;

/// The contract that its later stop-loss closed, and the one that its owner closed.
pub const MOVED: &str = "contract-moved";
pub const KEPT: &str = "contract-kept";
/// The order that waited first.
pub const FILLED: &str = "contract-filled";

async fn price(server: &Server, price: &str) {
    feed(server, "BTC/USDT", ("price", price)).await;
}

/// Sets stops under a key; returns the refusal.
pub async fn set(server: &Server, (who, key): (&Member, &str), id: &str, profit: &str, stop: &str) -> String {
    let form = [("id", id), ("target_profit_price", profit), ("stop_loss_price", stop)];
    let who = As { key, ..token(&who.token) };
    server.patient(async || server.post_as(who, "/api/lever/setstop", &form).await).await.error()
}

/// Opens both contracts and sets their stops. Other entries lie between those that set any.
pub async fn made(server: &Server, ann: &Member, bob: &Member) -> [(&'static str, String); 2] {
    price(server, "100000").await;
    let moved = contract(server, ann, &[("target_profit_price", "110000"), ("stop_loss_price", "95000")]).await;
    let kept = contract(server, ann, &[("type", "2")]).await;
    for (who, id, profit, stop, says) in [
        ((ann, "first"), &moved, "109000", "96000", ""),
        ((ann, "kept"), &kept, "90000", "101000", ""),
        ((bob, "of-bob"), &moved, "109000", "96000", "E_NOT_FOUND"),
        ((ann, "refused"), &moved, "0", "100500", "E_SL"),
        ((ann, "last"), &moved, "0", "97000", ""),
        // A repetition gets the first answer again, and sets nothing.
        ((ann, "first"), &moved, "109000", "96000", ""),
    ] {
        price(server, "100001").await;
        price(server, "100002").await;
        assert_eq!(set(server, who, id, profit, stop).await, says);
    }
    price(server, "98000").await;
    end(server, ann, "close", &kept).await;
    price(server, "97000").await;
    price(server, "97001").await;
    assert_eq!(set(server, (ann, "late"), &moved, "109000", "96000").await, "E_STATE");
    price(server, "100000").await;
    [(MOVED, moved), (KEPT, kept)]
}

/// An entry as one of its readers gets it, with the way to the head of a receipt.
pub async fn run(server: &Server, reader: &Member, seq: u64, receipt: &Json) -> Json {
    let entries = reader.get(server, &format!("/api/proof/entries?from={seq}&limit=1")).await;
    let head = &receipt["proof"]["head"]["seq"];
    let path = server.get(&format!("/api/proof/inclusion?seq={seq}&head_seq={head}")).await.ok()["path"].clone();
    json!({ "entries": entries, "path": path })
}

/// The same from the sample before it on, and that sample.
pub async fn with_sample(server: &Server, reader: &Member, seq: u64, receipt: &Json) -> (Json, Json) {
    let mut run = run(server, reader, seq, receipt).await;
    let until = run["entries"][0]["time_ms"].as_u64().unwrap();
    let samples = reader.get(server, &format!("/api/market/index?symbol=BTC%2FUSDT&from_ms={}&to_ms={until}", until - 3_000)).await;
    let sample = samples.as_array().unwrap().iter().rfind(|sample| sample["seq"].as_u64().unwrap() < seq).unwrap().clone();
    let from = sample["seq"].as_u64().unwrap();
    run["entries"] = reader.get(server, &format!("/api/proof/entries?from={from}&limit={}", seq - from + 1)).await;
    (run, sample)
}

/// The entries of a kind that name a contract, in the order of the log.
pub async fn asking(server: &Server, kind: &str, contract: &Json, until: u64) -> Vec<u64> {
    let (mut from, mut found) = (contract.as_u64().unwrap(), Vec::new());
    while from <= until {
        let path = format!("/api/proof/entries?from={from}&limit=100");
        let page = server.patient(async || server.get(&path).await).await.ok();
        let page = page.as_array().unwrap();
        let asks = |entry: &&Json| entry["kind"] == kind && entry["public"]["position"] == *contract;
        found.extend(page.iter().filter(asks).map(|entry| entry["seq"].as_u64().unwrap()));
        from += page.len() as u64;
    }
    found
}

/// The place of an entry in a receipt: its run, and its position in it.
fn place(receipt: &Json, seq: u64) -> (usize, usize) {
    let runs = receipt["proof"]["runs"].as_array().unwrap().iter().enumerate();
    let mut all =
        runs.flat_map(|(run, all)| all["entries"].as_array().unwrap().iter().enumerate().map(move |(at, entry)| (run, at, entry)));
    let (run, at, _) = all.find(|(.., entry)| entry["seq"] == seq).unwrap();
    (run, at)
}

/// The results for receipts with altered stops, or with stops from other entries of the same log.
pub async fn cases(server: &Server, (ann, bob): (&Member, &Member), [moved, kept, filled]: [&Json; 3]) -> Vec<Json> {
    let head = moved["proof"]["head"]["seq"].as_u64().unwrap();
    let asked = asking(server, "set_contract_stops", &moved["open_seq"], head).await;
    let &[first, of_bob, refused, last, _, late] = asked.as_slice() else { panic!("{asked:?}") };
    let of_kept = kept["stop_seqs"][0].as_u64().unwrap();
    assert_eq!((&moved["stop_seqs"], &kept["stop_seqs"]), (&json!([first, last]), &json!([of_kept])));
    let (lone, at) = place(moved, first);
    assert_eq!((moved["proof"]["runs"][lone]["entries"].as_array().unwrap().len(), at), (1, 0), "other entries lie before and after it");

    let changed = |of: &str, set: &[(&str, Json)]| {
        let set: Vec<Json> = set.iter().map(|(at, value)| json!({ "at": at, "value": value })).collect();
        json!({ "of": of, "set": set })
    };
    let red = |mut case: Json, reason: &str| {
        case["fails"] = json!(reason);
        case
    };
    let unshown = |mut case: Json, names: &[&str]| {
        case["unshown"] = json!(names);
        case
    };
    let instead = format!("/proof/runs/{lone}");
    let listed = |seqs: &[u64]| ("/stop_seqs", json!(seqs));
    let mut cases = Vec::new();
    for (of, at) in [
        (MOVED, "/position/stop_loss_price"),
        (MOVED, "/position/target_profit_price"),
        (MOVED, "/stop_seqs"),
        (MOVED, "/stop_sample/price"),
        (KEPT, "/position/stop_loss_price"),
        (KEPT, "/stop_seqs"),
    ] {
        let receipt = if of == MOVED { moved } else { kept };
        cases.push(red(changed(of, &[(at, other(receipt.pointer(at).unwrap()))]), "stops"));
    }
    // Those of the order, which were set before; stops that no entry set; none although one was set.
    cases.push(red(changed(MOVED, &[("/position/stop_loss_price", json!("95000.00"))]), "stops"));
    cases.push(red(changed("contract-closed", &[("/position/stop_loss_price", json!("95000.00"))]), "stops"));
    cases.push(red(changed("contract-open", &[("/position/target_profit_price", json!("110000.00"))]), "stops"));
    cases.push(red(changed("contract-cancelled", &[("/position/stop_loss_price", json!("80000.00"))]), "stops"));
    cases.push(red(changed(KEPT, &[("/position/stop_loss_price", json!("0.00")), listed(&[]), ("/stop_sample", Json::Null)]), "stops"));
    cases.push(red(changed(MOVED, &[("/stop_sample", Json::Null)]), "stops"));
    // Out of order, twice, and an entry that set none.
    cases.push(red(changed(MOVED, &[listed(&[last, first])]), "stops"));
    cases.push(red(changed(MOVED, &[listed(&[last, last])]), "stops"));
    cases.push(red(changed(MOVED, &[listed(&[moved["open_seq"].as_u64().unwrap(), last])]), "stops"));
    cases.push(red(changed(MOVED, &[listed(&[first + 1, last])]), "proof"));
    cases.push(red(changed(MOVED, &[("/stop_seqs", json!("all"))]), "format"));
    // From another contract, from another member, and after the end.
    let foreign = run(server, ann, of_kept, moved).await;
    cases.push(red(changed(MOVED, &[(&instead, foreign), listed(&[of_kept, last])]), "stops"));
    let foreign = run(server, bob, of_bob, moved).await;
    cases.push(red(changed(MOVED, &[(&instead, foreign.clone()), listed(&[of_bob, last])]), "stops"));
    let mut sealed = foreign;
    sealed["entries"][0]["own"] = Json::Null;
    cases.push(unshown(changed(MOVED, &[(&instead, sealed), listed(&[of_bob, last])]), &["owner"]));
    let too_late = run(server, ann, late, moved).await;
    let stops = [("/position/target_profit_price", json!("109000.00")), ("/position/stop_loss_price", json!("96000.00"))];
    let set: Vec<(&str, Json)> = [(instead.as_str(), too_late), listed(&[last, late])].into_iter().chain(stops).collect();
    cases.push(red(changed(MOVED, &set), "stops"));
    // One refused at its price, and one from before the order was filled, with the samples that they had.
    let (shown, sample) = with_sample(server, ann, refused, moved).await;
    let of_refused = ("/position/stop_loss_price", json!("100500.00"));
    cases.push(red(changed(MOVED, &[(&instead, shown), listed(&[refused]), ("/stop_sample", sample), of_refused]), "stops"));
    let early = asking(server, "set_contract_stops", &filled["open_seq"], head).await[0];
    let (shown, sample) = with_sample(server, ann, early, filled).await;
    let runs = filled["proof"]["runs"].as_array().unwrap().iter().chain([&shown]).collect::<Vec<_>>();
    let of_early = ("/position/stop_loss_price", json!("95000.00"));
    cases.push(red(changed(FILLED, &[("/proof/runs", json!(runs)), listed(&[early]), ("/stop_sample", sample), of_early]), "stops"));
    // The entry itself is altered, with its hash, or its sealed part.
    let mut bent = moved["proof"]["runs"][lone].clone();
    bent["entries"][0]["bytes"] = other(&bent["entries"][0]["bytes"]);
    cases.push(red(changed(MOVED, &[(&instead, bent.clone())]), "chain"));
    rehash(&mut bent);
    let hashes = moved["entry_hashes"].as_array().unwrap();
    let named = format!("/entry_hashes/{}/hash", hashes.iter().position(|named| named["seq"] == first).unwrap());
    cases.push(red(changed(MOVED, &[(&instead, bent.clone()), (&named, bent["entries"][0]["hash"].clone())]), "inclusion"));
    cases.push(red(
        changed(MOVED, &[(&format!("{instead}/path/0/hash"), other(&moved["proof"]["runs"][lone]["path"][0]["hash"]))]),
        "inclusion",
    ));
    cases.push(unshown(changed(MOVED, &[(&format!("{instead}/entries/0/own"), Json::Null)]), &["owner"]));
    // As an earlier release wrote it: what was set after the opening is not shown.
    cases.push(unshown(changed(MOVED, &[("/stop_seqs", Json::Null), ("/stop_sample", Json::Null)]), &["stops"]));
    cases.push(unshown(changed("contract-taken", &[("/stop_seqs", Json::Null)]), &[]));
    cases
}

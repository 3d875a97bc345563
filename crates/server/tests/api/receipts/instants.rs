//! The samples at which a contract opens and closes, and the entry by which its owner ends it: others of the same log, which would give
//! the same figures.

use serde_json::{Value as Json, json};

use super::stops::{FILLED, asking, run, with_sample};
use crate::harness::Server;
use crate::people::Member;

/// The contract that another member tries to close before its owner does.
pub const CLOSED: &str = "contract-closed";

/// The results for receipts with other samples, or with another end.
pub async fn cases(server: &Server, (ann, bob): (&Member, &Member), of: impl Fn(&str) -> Json) -> Vec<Json> {
    let (closed, taken, stopped) = (of(CLOSED), of("contract-taken"), of("contract-stopped"));
    let changed = |of: &str, set: &[(&str, Json)], came: (&str, Json)| {
        let set: Vec<Json> = set.iter().map(|(at, value)| json!({ "at": at, "value": value })).collect();
        json!({ "of": of, "set": set, came.0: came.1 })
    };
    let red = |of: &str, set: &[(&str, Json)], reason: &str| changed(of, set, ("fails", json!(reason)));
    let with = |receipt: &Json, more: Json| {
        let runs = receipt["proof"]["runs"].as_array().unwrap().iter().chain([&more]).collect::<Vec<_>>();
        ("/proof/runs", json!(runs))
    };
    let mut cases = Vec::new();
    // An order without a limit opened at a later sample of the same price, or at another instant than its own.
    let later = &taken["open_sample"];
    let runs = with(&closed, run(server, ann, later["seq"].as_u64().unwrap(), &closed).await);
    let opened = |time_ms: &Json| ("/position/transaction_time_ms", time_ms.clone());
    cases.push(red(CLOSED, &[("/open_sample", later.clone()), opened(&later["time_ms"]), runs], "open_sample"));
    let own = &closed["open_sample"]["time_ms"];
    assert_ne!(own, &closed["position"]["create_time_ms"]);
    cases.push(red(CLOSED, &[opened(own)], "open_sample"));
    // Stopped at a sample from before it was opened.
    let earlier = &closed["close_sample"];
    assert_eq!(earlier["price"], stopped["close_sample"]["price"]);
    let runs = with(&stopped, run(server, ann, earlier["seq"].as_u64().unwrap(), &stopped).await);
    let at = ("/position/complete_time_ms", earlier["time_ms"].clone());
    cases.push(red("contract-stopped", &[("/close_sample", earlier.clone()), at, runs], "delivery_sample"));
    // Ended before the sample that ends it.
    cases.push(red("contract-stopped", &[("/end_seq", stopped["open_seq"].clone())], "delivery_sample"));
    // Closed by an entry of another member.
    let end = closed["end_seq"].as_u64().unwrap();
    let &[of_bob, by_owner] = asking(server, "close_contract", &closed["open_seq"], end).await.as_slice() else { panic!("two") };
    assert_eq!(by_owner, end);
    let (shown, sample) = with_sample(server, bob, of_bob, &closed).await;
    let time_ms = shown["entries"].as_array().unwrap().last().unwrap()["time_ms"].clone();
    let (opening, _) = with_sample(server, ann, closed["open_seq"].as_u64().unwrap(), &closed).await;
    let foreign = |shown: Json| {
        [
            ("/end_seq", json!(of_bob)),
            ("/position/complete_time_ms", time_ms.clone()),
            ("/close_sample", sample.clone()),
            ("/proof/runs", json!([opening.clone(), shown])),
        ]
    };
    cases.push(red(CLOSED, &foreign(shown.clone()), "outcome"));
    let mut sealed = shown;
    let last = sealed["entries"].as_array().unwrap().len() - 1;
    sealed["entries"][last]["own"] = Json::Null;
    cases.push(changed(CLOSED, &foreign(sealed), ("unshown", json!(["owner"]))));
    // As an earlier release wrote it: it does not show whose the end is.
    for name in [CLOSED, FILLED, "contract-cancelled"] {
        let receipt = of(name);
        let runs = receipt["proof"]["runs"].as_array().unwrap().iter().enumerate();
        let mut all = runs.flat_map(|(run, all)| (0..all["entries"].as_array().unwrap().len()).map(move |at| (run, at)));
        let (run, at) = all.find(|(run, at)| receipt["proof"]["runs"][run]["entries"][at]["seq"] == receipt["end_seq"]).unwrap();
        let own = format!("/proof/runs/{run}/entries/{at}/own");
        assert!(receipt.pointer(&own).is_some(), "{name}");
        cases.push(changed(name, &[(&own, Json::Null)], ("unshown", json!(["owner"]))));
    }
    cases
}

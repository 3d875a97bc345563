//! The route table against the published contract: a call that is missing, renamed or has other parameters fails here.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use server::http::routes::{Access, BY_URL, Effect, Entry, Param, Verb};

/// Calls of the contract that this release does not have yet, by their first words.
const LATER: &[&str] = &[
    "/api/upload",
    "/files/",
    "/api/user/login/verify",
    "/api/user/passkey/",
    "/api/user/totp/",
    "/api/safe/",
    "/api/user/edit_mobile",
    "/api/user/sessions",
    "/api/user/session",
    "/api/user/login_history",
    "/api/user/limits",
    "/api/user/freeze",
    "/api/user/access_log",
    "/api/user/export",
    "/api/user/real_name",
    "/api/user/cash_",
    "/api/user/boss",
    "/api/user/invite",
    "/api/user/my_",
    "/api/user/poster_image",
    "/api/charge_mention/",
    "/api/wallet/value_history",
    "/api/wallet/export",
    "/api/wallet/get_",
    "/api/wallet/charge_req",
    "/api/wallet/addaddress",
    "/api/wallet/deladdress",
    "/api/wallet/out",
    "/api/wallet/flash",
    "/api/microtrade/",
    "/api/lever/",
    "/api/lh/",
    "/api/notice/",
    "/api/alert/",
    "/api/feedback/",
    "/api/chat/",
    "/api/proof/",
    "/api/public/stats",
    "/operator/",
    "/sandbox/operator",
];

fn contract() -> Vec<Json> {
    serde_json::from_str(include_str!("contract/calls.json")).expect("the snapshot is JSON")
}

fn is_later(url: &str) -> bool {
    LATER.iter().any(|start| url.starts_with(start))
}

fn verb(entry: &Entry) -> &'static str {
    match entry.route.verb {
        Verb::Get => "GET",
        Verb::Post => "POST",
        Verb::Put => "PUT",
    }
}

fn find(method: &str, url: &str) -> Option<&'static Entry> {
    BY_URL.get(url)?.iter().find(|entry| verb(entry) == method)
}

#[test]
fn every_call_of_the_contract_is_served_or_named_as_later() {
    let calls = contract();
    let name = |call: &Json| (call["method"].as_str().unwrap().to_owned(), call["url"].as_str().unwrap().to_owned());
    let missing: Vec<_> = calls.iter().map(name).filter(|(method, url)| !is_later(url) && find(method, url).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let served: Vec<_> = calls.iter().map(name).filter(|(method, url)| is_later(url) && find(method, url).is_some()).collect();
    assert!(served.is_empty(), "no longer later: {served:?}");
    let idle: Vec<_> = LATER.iter().filter(|start| !calls.iter().any(|call| name(call).1.starts_with(**start))).collect();
    assert!(idle.is_empty(), "not in the contract: {idle:?}");
}

#[test]
fn nothing_is_served_that_the_contract_does_not_know() {
    let mut known: BTreeSet<(String, String)> = BTreeSet::new();
    for call in contract() {
        known.insert((call["method"].as_str().unwrap().to_owned(), call["url"].as_str().unwrap().to_owned()));
        for alias in call["aliases"].as_array().unwrap() {
            let (method, path) = alias.as_str().unwrap().split_once(' ').unwrap();
            known.insert((method.to_owned(), if path.starts_with('/') { path.to_owned() } else { format!("/api/{path}") }));
        }
    }
    let unknown: Vec<_> = BY_URL
        .iter()
        .flat_map(|(url, entries)| entries.iter().flat_map(move |entry| entry.route.methods().iter().map(move |method| (*method, url))))
        .filter(|(method, url)| !known.contains(&((*method).to_owned(), (*url).clone())))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn access_effect_and_parameters_are_those_of_the_contract() {
    for call in contract() {
        let (method, url) = (call["method"].as_str().unwrap(), call["url"].as_str().unwrap());
        let Some(entry) = find(method, url) else { continue };
        let access = if entry.route.access == Access::User { "user" } else { "none" };
        let wanted = if call["access"] == "user" { "user" } else { "none" };
        assert_eq!(access, wanted, "{method} {url}");
        assert_eq!(entry.route.effect != Effect::Looks, call["write"].as_bool().unwrap(), "{method} {url}: write");
        let own: BTreeMap<&str, (Vec<&str>, bool)> =
            entry.params.iter().map(|param: &Param| (param.name(), (param.names().collect(), param.required()))).collect();
        let theirs: BTreeMap<&str, (Vec<&str>, bool)> = call["params"]
            .as_array()
            .unwrap()
            .iter()
            .map(|param| {
                let names: Vec<&str> = param["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
                (names[0], (names, param["required"].as_bool().unwrap()))
            })
            .collect();
        assert_eq!(own, theirs, "{method} {url}");
    }
}

#[test]
fn every_alias_of_the_contract_is_answered() {
    for call in contract() {
        let (method, url) = (call["method"].as_str().unwrap(), call["url"].as_str().unwrap());
        let Some(entry) = find(method, url) else { continue };
        for alias in call["aliases"].as_array().unwrap() {
            let (method, path) = alias.as_str().unwrap().split_once(' ').unwrap();
            let other = format!("/api/{path}");
            let answered = BY_URL.get(&other).is_some_and(|entries| entries.iter().any(|entry| entry.route.methods().contains(&method)));
            assert!(answered, "{method} {other} is an alias of {url}");
        }
        let reads_by_get = entry.route.methods().contains(&"GET");
        assert!(method != "POST" || reads_by_get != call["write"].as_bool().unwrap(), "{method} {url}");
    }
}

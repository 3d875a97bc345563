//! The route table against the published contract: a call that is missing, renamed or has other parameters fails here.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use server::app::ROUTES;
use server::http::openapi::document;
use server::http::routes::{Access, Entry, Param, Verb};

/// Calls of the contract that this release does not have yet, by their first words.
const LATER: &[&str] = &["/api/user/passkey/"];

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
    ROUTES.get(url)?.iter().find(|entry| verb(entry) == method)
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
    let unknown: Vec<_> = ROUTES
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
        let access = match entry.route.access {
            Access::Guest => "none",
            Access::User => "user",
            Access::Operator(_) => "operator",
        };
        // The mode decides whether a tester may use a sandbox's calls.
        let wanted = call["access"].as_str().filter(|access| *access != "sandbox").unwrap_or("none");
        assert_eq!(access, wanted, "{method} {url}");
        assert_eq!(entry.route.effect.is_write(), call["write"].as_bool().unwrap(), "{method} {url}: write");
        let own: BTreeMap<&str, (Vec<&str>, bool)> =
            entry.params.iter().map(|param: &Param| (param.name(), (param.names.to_vec(), param.required))).collect();
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
            let answered = ROUTES.get(&other).is_some_and(|entries| entries.iter().any(|entry| entry.route.methods().contains(&method)));
            assert!(answered, "{method} {other} is an alias of {url}");
        }
        let reads_by_get = entry.route.methods().contains(&"GET");
        assert!(method != "POST" || reads_by_get != call["write"].as_bool().unwrap(), "{method} {url}");
    }
}

/// One schema, without references, `allOf` and the several ways to write "or null".
fn plain(schema: &Json, types: &Json) -> Json {
    if let Some(name) = named(schema) {
        return plain(&types[name], types);
    }
    let choices = schema["anyOf"].as_array().or(schema["oneOf"].as_array());
    let word_none = |choice: &&Json| choice["enum"] == serde_json::json!(["none"]);
    if let Some(choices) = choices.filter(|choices| choices.iter().any(|choice| word_none(&choice))) {
        let (none, rest): (Vec<&Json>, Vec<&Json>) = choices.iter().partition(word_none);
        assert!(none.len() == 1 && rest.len() == 1, "one type, or the word none: {schema}");
        let mut only = plain(rest[0], types);
        only["or_none"] = true.into();
        return only;
    }
    if let Some(choices) = choices {
        let (null, rest): (Vec<&Json>, Vec<&Json>) = choices.iter().partition(|choice| choice["type"] == "null");
        assert!(null.len() == 1 && rest.len() == 1, "one type, or null: {schema}");
        let mut only = plain(rest[0], types);
        only["nullable"] = true.into();
        return only;
    }
    let mut object = schema.clone();
    if let Some(parts) = schema["allOf"].as_array() {
        object = serde_json::json!({"type": "object", "properties": {}, "required": []});
        for part in parts.iter().map(|part| plain(part, types)) {
            object["properties"].as_object_mut().unwrap().extend(part["properties"].as_object().unwrap().clone());
            object["required"].as_array_mut().unwrap().extend(part["required"].as_array().unwrap().iter().cloned());
        }
    }
    if let Some(kinds) = schema["type"].as_array() {
        object["type"] = kinds.iter().find(|kind| **kind != "null").unwrap().clone();
        object["nullable"] = kinds.contains(&"null".into()).into();
    }
    object
}

/// Name of a type that a schema refers to.
fn named(schema: &Json) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// Differences in names, required fields, types, choices and null. Ours may name choices that the contract describes in words, and may lack
/// what the contract allows to be absent.
fn compare(at: &str, (ours, own_types): (&Json, &Json), (theirs, types): (&Json, &Json), found: &mut Vec<String>) {
    if let (Some(name), own) = (named(theirs), named(ours))
        && own != Some(name)
    {
        found.push(format!("{at}: {own:?} should be {name}"));
    }
    let (ours, theirs) = (plain(ours, own_types), plain(theirs, types));
    for word in ["type", "nullable", "or_none"] {
        let (own, wanted) = (&ours[word], &theirs[word]);
        if own != wanted && (own.as_bool().unwrap_or(false) || wanted.as_bool().unwrap_or(false) || word == "type") {
            found.push(format!("{at}: {word} {own} should be {wanted}"));
        }
    }
    let sorted = |list: &Json| list.as_array().map(|list| list.iter().map(Json::to_string).collect::<BTreeSet<_>>());
    if let (own, Some(wanted)) = (sorted(&ours["enum"]), sorted(&theirs["enum"]))
        && own.as_ref() != Some(&wanted)
    {
        found.push(format!("{at}: {own:?} should be {wanted:?}"));
    }
    if theirs["items"].is_object() {
        compare(&format!("{at}[]"), (&ours["items"], own_types), (&theirs["items"], types), found);
    }
    let empty = serde_json::Map::new();
    let fields = |schema: &Json| schema["properties"].as_object().unwrap_or(&empty).clone();
    let (own, wanted) = (fields(&ours), fields(&theirs));
    let required = sorted(&theirs["required"]).unwrap_or_default();
    let own_required = sorted(&ours["required"]).unwrap_or_default();
    found.extend(own.keys().filter(|name| !wanted.contains_key(*name)).map(|name| format!("{at}.{name} is not in the contract")));
    for (name, schema) in &wanted {
        let (at, quoted) = (format!("{at}.{name}"), Json::from(name.as_str()).to_string());
        match own.get(name) {
            Some(field) => {
                if own_required.contains(&quoted) != required.contains(&quoted) {
                    found.push(format!("{at}: required should be {}", required.contains(&quoted)));
                }
                compare(&at, (field, own_types), (schema, types), found);
            }
            None if required.contains(&quoted) => found.push(format!("{at} is missing")),
            None => {}
        }
    }
}

fn schemas() -> Json {
    serde_json::from_str(include_str!("contract/schemas.json")).expect("the schemas are JSON")
}

/// Every call that the contract has schemas for: its name, what it should be, and our description of it.
fn described() -> Vec<(String, Json, Json)> {
    let (theirs, ours) = (schemas(), document(&ROUTES));
    let calls = theirs["calls"].as_object().unwrap();
    calls
        .iter()
        .map(|(name, wanted)| {
            let (method, url) = name.split_once(' ').unwrap();
            (name.clone(), wanted.clone(), ours["paths"][url][method.to_lowercase()].clone())
        })
        .collect()
}

#[test]
fn answers_have_the_types_of_the_contract() {
    let (theirs, ours) = (schemas(), document(&ROUTES));
    let (types, own_types) = (&theirs["types"], &ours["components"]["schemas"]);
    let mut found = Vec::new();
    for (name, wanted, own) in described() {
        if wanted["payload"].is_null() {
            continue;
        }
        let done = &own["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"][0]["properties"];
        compare(&name, (&done["message"], own_types), (&wanted["payload"], types), &mut found);
        if wanted["data"].is_object() {
            compare(&format!("{name} data"), (&done["data"], own_types), (&wanted["data"], types), &mut found);
        }
    }
    let unnamed: Vec<_> = types.as_object().unwrap().keys().filter(|name| own_types[name.as_str()].is_null()).collect();
    assert!(found.is_empty() && unnamed.is_empty(), "{unnamed:?}\n{}", found.join("\n"));
}

#[test]
fn parameters_have_the_types_of_the_contract() {
    let mut found = Vec::new();
    for (name, wanted, own) in described() {
        let bodies = own["requestBody"]["content"].as_object();
        let form = bodies.and_then(|bodies| bodies.values().next()).map_or(&Json::Null, |body| &body["schema"]["properties"]);
        let query = |name: &str| own["parameters"].as_array()?.iter().find(|one| one["name"] == name).map(|one| one["schema"].clone());
        for (param, schema) in wanted["params"].as_object().unwrap() {
            let own = form.get(param).cloned().or_else(|| query(param)).unwrap_or_default();
            compare(&format!("{name} {param}"), (&own, &Json::Null), (schema, &Json::Null), &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn refusals_are_those_of_the_contract_in_its_order() {
    for (name, wanted, own) in described() {
        let refused = &own["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"][1]["properties"]["data"];
        let none = Json::Array(vec![]);
        let names = refused["properties"]["error"]["enum"].as_array().unwrap_or(none.as_array().unwrap());
        assert_eq!(names, wanted["errors"].as_array().unwrap(), "{name}");
    }
}

#[test]
fn every_call_but_an_alias_has_a_schema() {
    let theirs = schemas();
    let own = ROUTES.iter().flat_map(|(url, entries)| entries.iter().map(move |entry| format!("{} {url}", verb(entry))));
    let known: BTreeSet<String> = theirs["calls"].as_object().unwrap().keys().cloned().collect();
    let own: BTreeSet<String> = own.filter(|name| name != "POST /api/coin/cancel").collect();
    assert_eq!(own, known);
}

/// Every schema of a document: what the answer and the parameters of calls are made of.
fn each(value: &Json, found: &mut impl FnMut(&Json)) {
    found(value);
    match value {
        Json::Object(fields) => fields.values().for_each(|field| each(field, found)),
        Json::Array(items) => items.iter().for_each(|item| each(item, found)),
        _ => {}
    }
}

#[test]
fn programs_can_be_made_of_the_description() {
    let ours = document(&ROUTES);
    assert_eq!(ours["servers"][0]["url"], "/");
    let mut found = Vec::new();
    each(&ours, &mut |value| {
        if let Some(reference) = value["$ref"].as_str()
            && reference.strip_prefix('#').and_then(|place| ours.pointer(place)).is_none()
        {
            found.push(format!("{reference} leads nowhere"));
        }
    });
    let mut ids = BTreeSet::new();
    for (url, methods) in ours["paths"].as_object().unwrap() {
        let in_path: BTreeSet<&str> = url.split(['{', '}']).skip(1).step_by(2).collect();
        for (method, call) in methods.as_object().unwrap() {
            let mut fault = |text: &str| found.push(format!("{method} {url}: {text}"));
            let id = call["operationId"].as_str().unwrap();
            if !ids.insert(id.to_lowercase()) || !id.starts_with(char::is_lowercase) || !id.bytes().all(|byte| byte.is_ascii_alphanumeric())
            {
                fault(id);
            }
            let summary = call["summary"].as_str().unwrap_or_default();
            if !(4..=80).contains(&summary.len()) || summary.ends_with('.') {
                fault("no summary");
            }
            if call["security"].as_array().is_none_or(Vec::is_empty) || call["tags"].as_array().is_none_or(Vec::is_empty) {
                fault("no word on the session, or no group");
            }
            if !["403", "414", "431", "default"].iter().all(|status| call["responses"][status].is_object()) {
                fault("a status is not described");
            }
            let parameters = call["parameters"].as_array().into_iter().flatten();
            let declared: BTreeSet<&str> =
                parameters.filter(|one| one["in"] == "path" && one["required"] == true).map(|one| one["name"].as_str().unwrap()).collect();
            if declared != in_path {
                fault("parameters of the path");
            }
            for (kind, body) in call["requestBody"]["content"].as_object().into_iter().flatten() {
                for (name, schema) in body["schema"]["properties"].as_object().unwrap() {
                    let nested = schema["type"] == "array" || schema["type"] == "object";
                    if kind != "application/json" && nested && body["encoding"][name]["contentType"] != "application/json" {
                        fault(&format!("{name} has no encoding"));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_summary_is_that_of_a_call() {
    let ours = document(&ROUTES);
    let lines: BTreeSet<String> = include_str!("../src/http/summaries.txt").lines().map(str::to_owned).collect();
    let own: BTreeSet<String> = ROUTES
        .iter()
        .flat_map(|(url, entries)| entries.iter().map(move |entry| (url, entry)))
        .map(|(url, entry)| {
            let method = verb(entry).to_lowercase();
            format!("{method} {} {}", entry.route.path, ours["paths"][url][&method]["summary"].as_str().unwrap())
        })
        .collect();
    assert_eq!(lines.symmetric_difference(&own).collect::<Vec<_>>(), Vec::<&String>::new());
}

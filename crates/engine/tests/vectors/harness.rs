//! Reads the published cases, runs them and compares.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]
#![allow(clippy::disallowed_methods, reason = "the folder of the cases is chosen by the environment")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

pub type Expected = Result<Value, String>;
pub type Operation = fn(&Value) -> Expected;

/// Operations of one file that two tests share: each leaves these to the other.
const ELSEWHERE: [(&str, &str); 5] = [
    ("funding.json", "transfer"),
    ("funding.json", "deposit"),
    ("funding.json", "bank_deposit"),
    ("funding.json", "iban"),
    ("funding.json", "swift"),
];

fn cases(file: &str) -> Vec<Value> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let folder = std::env::var("MERIDIAN_VECTORS").map_or(default, PathBuf::from);
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).unwrap();
    let cases = document["cases"].as_array().unwrap().clone();
    assert_eq!(document["count"].as_u64(), Some(cases.len() as u64), "{file} is incomplete");
    cases
}

/// Runs every case of these operations and checks that there were some of each.
pub fn check(file: &str, operations: &[(&str, Operation)]) {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in cases(file) {
        let operation = case["op"].as_str().unwrap();
        let Some((name, run)) = operations.iter().find(|(name, _)| *name == operation) else {
            assert!(ELSEWHERE.contains(&(file, operation)), "{file}: no test runs {operation}");
            continue;
        };
        *seen.entry(name).or_default() += 1;
        let expected = match case.get("error") {
            Some(error) => Err(error.as_str().unwrap().to_owned()),
            None => Ok(case["out"].clone()),
        };
        let found = run(&case["in"]);
        if found != expected {
            wrong.push(format!("{} {operation} {}\n  expected {expected:?}\n  found    {found:?}", case["id"], case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(seen.len(), operations.len(), "an operation has no case: {seen:?}");
}

pub fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

/// A field that may be negative: no amount at all for the engine, whose edge refuses such a text.
pub fn amount(value: &Value) -> Result<u64, String> {
    let value: i128 = value.as_str().unwrap().parse().unwrap();
    u64::try_from(value).map_err(|_| "E_AMOUNT".to_owned())
}

pub fn text(value: u64) -> Value {
    Value::String(value.to_string())
}

//! The orders of refusals in docs/rules.md are those of the calls.

use super::{files, none, read};

/// The place of an order (the id of a rule, or the heading of a section), and the call that it is for.
const ORDERS: [(&str, &str); 12] = [
    ("2.4", "Post coin/trade"),
    ("3.4", "Post microtrade/submit"),
    ("4.4", "Post lever/submit"),
    ("P-1", "Post lh/deposit"),
    ("N-2", "Post lh/send/order"),
    ("B-1", "Post user/bossorder"),
    ("8", "Post wallet/flash_quote"),
    ("TR-4", "Post wallet/change"),
    ("D-2", "Post wallet/charge_req"),
    ("W-1", "Post wallet/addaddress"),
    ("W-3", "Post wallet/out"),
    ("K-3", "Post user/cash_save"),
];

/// What a country forbids is not a rule of a product; its place is in `docs/api.md` 4.
const OF_COUNTRIES: &str = "E_COUNTRY";

/// The names in the first line of a place that has some, after the word "Refusals" if it is there. A repeated name counts once.
fn told(rules: &str, place: &str) -> Vec<String> {
    let row = format!("<a id=\"{place}\"></a>");
    let heading = |line: &&str| line.starts_with('#') && line.split_whitespace().nth(1) == Some(place);
    let line = rules.lines().find(|line| line.contains(&row)).or_else(|| {
        let section = rules.lines().skip_while(|line| !heading(line));
        section.skip(1).find(|line| line.contains("`E_") && !line.starts_with('|'))
    });
    let line = line.unwrap_or_default();
    let list = line.split_once("Refusals").map_or(line, |(_, list)| list);
    let list = list.split_once("Of an acceptance").map_or(list, |(quote, _)| quote);
    let mut names: Vec<String> = Vec::new();
    for name in list.split('`').filter(|word| word.starts_with("E_")) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The refusals of a call in its row of the route table, by their names on the wire.
fn of_call(rows: &str, codes: &str, call: &str) -> Vec<String> {
    let (verb, path) = call.split_once(' ').expect("a verb and a path");
    let head = format!("verb: Verb::{verb},\n        path: \"{path}\",");
    let list = rows.split(&head).nth(1).and_then(|row| row.split("refusals: &[").nth(1)?.split(']').next()).unwrap_or_default();
    let name = |code: &str| Some(codes.split(&format!("    {code} = \"")).nth(1)?.split('"').next()?.to_owned());
    let variants = list.split("Code::").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
    variants.filter_map(name).filter(|name| name != OF_COUNTRIES).collect()
}

#[test]
fn the_orders_of_refusals_are_those_of_the_calls() {
    let rows: String = files("crates/server/src/api", &["routes.rs"]).iter().map(|file| read(file)).collect();
    let (rules, codes) = (read("docs/rules.md"), read("crates/server/src/http/code.rs"));
    let mut faults = Vec::new();
    for (place, call) in ORDERS {
        let (told, named) = (told(&rules, place), of_call(&rows, &codes, call));
        assert!(named.len() > 4, "{call} is not found in the route table");
        if told != named {
            faults.push(format!("{place} says {}\n    {call} is {}", told.join(" "), named.join(" ")));
        }
    }
    none("orders of refusals", faults);
}

//! Receipts that are checked without the server, and what a change of any part of them comes to. The cases in `docs/receipts` are made here
//! from a real server (`make receipts`) and hold the verifier of the app as well (`web/src/lib/verify`).

mod instants;
pub mod stops;

use std::path::{Path, PathBuf};

use engine::command::Command;
use engine::ids::{AssetId, MarketId};
use engine::options::option::{BuyOption, Direction};
use journal::{Record, chain_hash};
use serde_json::{Value as Json, json};
use server::config::PublicArgs;
use server::verify::receipt::{Checked, check};
use store::secrets::{from_hex, hex};
use tempfile::TempDir;

use crate::harness::{Server, both};
use crate::outside::{at, file, verify};
use crate::people::Member;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/receipts")
}

async fn feed(server: &Server, symbol: &str, how: (&str, &str)) {
    server.post("/sandbox/price", &[("symbol", symbol), how]).await.ok();
}

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

async fn buy(server: &Server, ann: &Member, market: &str, kind: &str, stake: &str) -> String {
    let form = [("match_id", market), ("currency_id", "3"), ("type", kind), ("seconds", "60"), ("number", stake)];
    ann.post(server, "/api/microtrade/submit", &form).await.ok()["id"].to_string()
}

/// The receipt of an option, as soon as a signed head covers it.
async fn receipt(server: &Server, ann: &Member, id: &str) -> Json {
    covered(server, ann, "microtrade", id).await
}

/// The same of any product.
pub async fn covered(server: &Server, ann: &Member, of: &str, id: &str) -> Json {
    for _ in 0..200 {
        let receipt = ann.get(server, &format!("/api/{of}/receipt?id={id}")).await;
        if !receipt["proof"].is_null() {
            return receipt;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("no head covers the receipt of {id}");
}

/// Waits for a sample that the sources of a pair make from now on: a history that lags ends with older ones.
async fn quoted(server: &Server, symbol: &str) {
    let now = server.running.app.sequencer.engine().seq().0;
    for _ in 0..100 {
        let samples = server.get(&format!("/api/market/index?symbol={symbol}")).await.ok();
        let newest = samples.as_array().unwrap().last().cloned().unwrap_or_default();
        if newest["seq"].as_u64() > Some(now) && newest["sources"][0]["name"] != "sandbox" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("no source of {symbol} answers");
}

/// A purchase of two minutes under the rule of one, which is refused; its entry.
async fn misfit(server: &Server, ann: &Member) -> u64 {
    let sequencer = &server.running.app.sequencer;
    let rule = sequencer.engine().offered_rule(MarketId(1), 60).unwrap();
    let (market, asset, direction) = (MarketId(1), AssetId(3), Direction::Up);
    let buy = BuyOption { user: ann.id, market, direction, asset, seconds: 120, stake: 100_000_000, rule };
    let applied = sequencer.submit(Command::BuyOption(buy), None).await.unwrap();
    assert_eq!(applied.outcome.result.map_err(|reject| reject.name()), Err("E_DURATION"));
    applied.seq.0
}

/// The results for receipts that claim another length, or to be open for ever.
async fn cases_of_time(server: &Server, ann: &Member, won: &Json, misfit: u64) -> [Json; 2] {
    let run = stops::run(server, ann, misfit, won).await;
    let bought = run["entries"][0]["time_ms"].as_u64().unwrap();
    let runs = won["proof"]["runs"].as_array().unwrap().iter().chain([&run]).collect::<Vec<_>>();
    let at = |at: &str, value: Json| json!({ "at": at, "value": value });
    let longer = [
        at("/buy_seq", json!(misfit)),
        at("/order/id", json!(misfit)),
        at("/order/seq", json!(misfit)),
        at("/order/seconds", Json::Null),
        at("/order/created_at_ms", json!(bought)),
        at("/order/delivery_time_ms", json!(bought + 120_000)),
        at("/proof/runs", json!(runs)),
    ];
    let none = ["outcome", "profit_result", "fact_profits", "payout", "complete_at_ms", "settle_seq"];
    let open = none.into_iter().map(|name| at(&format!("/order/{name}"), Json::Null)).chain([
        at("/order/result", json!("open")),
        at("/order/status", json!(1)),
        at("/settle_seq", Json::Null),
        at("/delivery_sample", Json::Null),
        at("/next_sample", Json::Null),
        at("/postings", json!([])),
    ]);
    let open: Vec<Json> = open.collect();
    [json!({ "of": "won", "set": longer, "fails": "terms" }), json!({ "of": "won", "set": open, "fails": "outcome" })]
}

/// One receipt of every kind, by its name, and results with other times.
async fn receipts(server: &Server) -> (Vec<(&'static str, Json)>, [Json; 2]) {
    let ann = Member::new(server, "ann@example.com").await;
    ann.verify(server, "X0000001").await;
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "5000"), ("account", "micro")]).await.ok();
    let mut bought = Vec::new();
    // With prices of the sandbox: every way to end.
    feed(server, "BTC/USDT", ("price", "100000")).await;
    for (name, kind, stake) in [("won", "1", "100"), ("lost", "2", "33.333333"), ("lost-even", "0", "5")] {
        bought.push((name, buy(server, &ann, "1", kind, stake).await));
    }
    let misfit = misfit(server, &ann).await;
    feed(server, "BTC/USDT", ("price", "100005.01")).await;
    advance(server, "60001").await;
    feed(server, "BTC/USDT", ("price", "100000")).await;
    for (name, kind) in [("even", "0"), ("push", "1")] {
        bought.push((name, buy(server, &ann, "1", kind, "50").await));
    }
    feed(server, "BTC/USDT", ("price", "99995.00")).await;
    advance(server, "60001").await;
    feed(server, "BTC/USDT", ("price", "100000")).await;
    bought.push(("refunded", buy(server, &ann, "1", "1", "20").await));
    feed(server, "BTC/USDT", ("halt", "1")).await;
    advance(server, "60001").await;
    // With quotes of the sources, also through a computed pair.
    feed(server, "BTC/USDT", ("release", "1")).await;
    quoted(server, "BTC%2FUSDT").await;
    quoted(server, "USDC%2FUSDT").await;
    // On a busy machine a source may be too late for the delivery, which ends in a refund; then try again.
    for _ in 0..5 {
        let ids = [buy(server, &ann, "1", "1", "100").await, buy(server, &ann, "4", "2", "100").await];
        advance(server, "60001").await;
        quoted(server, "BTC%2FUSDT").await;
        let row = async |id: &String| ann.get(server, &format!("/api/microtrade/receipt?id={id}")).await["order"]["refund"].clone();
        if row(&ids[0]).await == false && row(&ids[1]).await == false {
            bought.extend(["quotes", "computed"].into_iter().zip(ids));
            break;
        }
    }
    // In the next minute a head is signed that covers the samples after the delivery too.
    advance(server, "60001").await;
    let mut all = Vec::new();
    for (name, id) in bought {
        all.push((name, receipt(server, &ann, &id).await));
    }
    let form = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "3600"), ("number", "10")];
    let open = ann.post(server, "/api/microtrade/submit", &form).await.ok()["id"].to_string();
    advance(server, "60001").await;
    all.push(("open", receipt(server, &ann, &open).await));
    let cases = cases_of_time(server, &ann, &all[0].1, misfit).await;
    (all, cases)
}

/// Opens a contract; the fields given are put in the place of those of the plain long.
pub async fn contract(server: &Server, ann: &Member, changed: &[(&str, &str)]) -> String {
    let plain = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
    let kept = plain.into_iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
    let form: Vec<(&str, &str)> = kept.chain(changed.iter().copied()).collect();
    let answer = server.patient(async || ann.post(server, "/api/lever/submit", &form).await).await;
    answer.data()["position"]["id"].to_string()
}

pub async fn end(server: &Server, ann: &Member, call: &str, id: &str) {
    server.patient(async || ann.post(server, &format!("/api/lever/{call}"), &[("id", id)]).await).await.data();
}

/// One receipt for every way in which a contract ends, by its name, and the results with other stops.
async fn contracts(server: &Server) -> (Vec<(&'static str, Json)>, Vec<Json>) {
    let (ann, bob) = (Member::new(server, "cleo@example.com").await, Member::new(server, "bob@example.com").await);
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "5000"), ("account", "lever")]).await.ok();
    let price = async |price: &str| feed(server, "BTC/USDT", ("price", price)).await;
    let mut made = Vec::new();
    price("100000").await;
    made.push((instants::CLOSED, contract(server, &ann, &[]).await));
    price("105000").await;
    let foreign = server.patient(async || bob.post(server, "/api/lever/close", &[("id", made[0].1.as_str())]).await).await;
    assert_eq!(foreign.error(), "E_NOT_FOUND");
    end(server, &ann, "close", &made[0].1).await;
    price("100000").await;
    made.push(("contract-taken", contract(server, &ann, &[("target_profit_price", "110000"), ("stop_loss_price", "95000")]).await));
    price("110001").await;
    price("100000").await;
    made.push(("contract-stopped", contract(server, &ann, &[("type", "2"), ("stop_loss_price", "105000")]).await));
    price("105000").await;
    price("100000").await;
    made.push(("contract-liquidated", contract(server, &ann, &[]).await));
    price("90734.87").await;
    price("100000").await;
    made.push(("contract-capped", contract(server, &ann, &[("multiple", "50"), ("share", "1")]).await));
    price("120100").await;
    price("100000").await;
    made.push((stops::FILLED, contract(server, &ann, &[("status", "0"), ("target_price", "99000")]).await));
    assert_eq!(stops::set(server, (&ann, "early"), &made[5].1, "0", "95000").await, "E_STATE");
    price("98900").await;
    end(server, &ann, "close", &made[5].1).await;
    price("100000").await;
    made.push(("contract-cancelled", contract(server, &ann, &[("status", "0"), ("target_price", "90000")]).await));
    end(server, &ann, "cancel", &made[6].1).await;
    let set_since = stops::made(server, &ann, &bob).await;
    // With quotes of the sources.
    feed(server, "BTC/USDT", ("release", "1")).await;
    quoted(server, "BTC%2FUSDT").await;
    made.push(("contract-quotes", contract(server, &ann, &[("share", "1")]).await));
    quoted(server, "BTC%2FUSDT").await;
    end(server, &ann, "close", &made[7].1).await;
    advance(server, "60001").await;
    quoted(server, "BTC%2FUSDT").await;
    made.push(("contract-open", contract(server, &ann, &[("share", "1")]).await));
    advance(server, "60001").await;
    let mut all = Vec::new();
    for (name, id) in made.into_iter().chain(set_since) {
        all.push((name, covered(server, &ann, "lever", &id).await));
    }
    let [.., (stops::MOVED, moved), (stops::KEPT, kept)] = all.as_slice() else { panic!("the last two") };
    let filled = all.iter().find(|(name, _)| *name == stops::FILLED).map(|(_, receipt)| receipt);
    let mut cases = stops::cases(server, (&ann, &bob), [moved, kept, filled.unwrap()]).await;
    let of = |name: &str| all.iter().find(|(known, _)| *known == name).unwrap().1.clone();
    cases.extend(instants::cases(server, (&ann, &bob), of).await);
    (all, cases)
}

/// Another value of the same form.
fn other(value: &Json) -> Json {
    match value {
        Json::Null => json!(1),
        Json::Bool(flag) => json!(!flag),
        Json::Number(number) => json!(number.as_i64().unwrap() + 1),
        Json::String(text) => {
            let last = text.rfind(|digit: char| digit.is_ascii_alphanumeric()).unwrap();
            let digit = if text[last..].starts_with('1') { "2" } else { "1" };
            Json::from([&text[..last], digit, &text[last + 1..]].concat())
        }
        Json::Array(items) => Json::Array(items[..items.len() - 1].to_vec()),
        Json::Object(_) => Json::Null,
    }
}

/// Recomputes the hashes of a run's entries from their present bytes, as an attacker would to hide a change.
fn rehash(run: &mut Json) {
    let mut prev = None::<String>;
    for entry in run["entries"].as_array_mut().unwrap() {
        if let Some(prev) = prev {
            entry["prev"] = Json::from(prev);
        }
        let number = |name: &str| entry[name].as_u64().unwrap();
        let public = entry["bytes"].as_str().unwrap();
        let public = (0..public.len() / 2).map(|at| u8::from_str_radix(&public[2 * at..2 * at + 2], 16).unwrap()).collect();
        let (kind, version) = (u16::try_from(number("kind_number")).unwrap(), u8::try_from(number("version")).unwrap());
        let record = Record { seq: number("seq"), time_ms: number("time_ms"), kind, version, public, ..Record::default() };
        let before = from_hex(entry["prev"].as_str().unwrap()).unwrap();
        let hash = hex(&chain_hash(&before, &record, entry["sealed"].as_str().map(|seal| from_hex(seal).unwrap()).as_ref()));
        entry["hash"] = Json::from(hash.clone());
        prev = Some(hash);
    }
}

/// The alteration of a receipt, and the name of the check that must fail.
const ALTERED: &[(&str, &str, &str)] = &[
    ("won", "/proof", "proof"),
    ("won", "/proof/runs", "proof"),
    ("won", "/proof/head/signature", "signature"),
    ("won", "/proof/head/root", "signature"),
    ("won", "/proof/head/hash", "signature"),
    ("won", "/proof/head/seq", "signature"),
    ("won", "/proof/head/time_ms", "signature"),
    ("won", "/proof/head/genesis", "signature"),
    ("won", "/proof/head/key", "signature"),
    ("won", "/proof/genesis/bytes", "genesis"),
    ("won", "/proof/genesis/hash", "genesis"),
    ("won", "/proof/runs/0/entries/0/bytes", "chain"),
    ("won", "/proof/runs/0/entries/0/time_ms", "chain"),
    ("won", "/proof/runs/0/entries/0/seq", "chain"),
    ("won", "/proof/runs/0/entries/0/kind_number", "chain"),
    ("won", "/proof/runs/0/entries/0/hash", "chain"),
    ("won", "/proof/runs/0/entries/1/prev", "chain"),
    ("won", "/proof/runs/0/entries/1/sealed", "chain"),
    ("won", "/proof/runs/0/path/0/hash", "inclusion"),
    ("won", "/proof/runs/0/path", "inclusion"),
    ("won", "/proof/runs/1/entries", "inclusion"),
    ("won", "/entry_hashes/0/hash", "chain"),
    ("won", "/buy_seq", "proof"),
    ("won", "/order/id", "purchase"),
    ("won", "/order/seq", "purchase"),
    ("won", "/order/user_id", "purchase"),
    ("won", "/rule/text", "rule"),
    ("won", "/rule/hash", "rule"),
    ("won", "/rule/version", "rule"),
    ("won", "/order/match_id", "terms"),
    ("won", "/order/symbol_name", "terms"),
    ("won", "/order/currency_id", "terms"),
    ("won", "/order/currency_name", "terms"),
    ("won", "/order/type", "terms"),
    ("won", "/order/seconds", "terms"),
    ("won", "/order/number", "terms"),
    ("won", "/order/fee", "terms"),
    ("won", "/order/profit", "terms"),
    ("won", "/order/profit_ratio", "terms"),
    ("won", "/order/tolerance", "terms"),
    ("won", "/order/tie_rule", "terms"),
    ("won", "/order/created_at_ms", "terms"),
    ("won", "/order/delivery_time_ms", "terms"),
    ("won", "/tolerance_price", "terms"),
    ("won", "/open_sample/price", "open_sample"),
    ("quotes", "/open_sample/sources/0/price", "open_sample"),
    ("quotes", "/open_sample/sources/0/age_ms", "open_sample"),
    ("quotes", "/open_sample/sources/0/name", "open_sample"),
    ("quotes", "/open_sample/sources/0/used", "open_sample"),
    ("quotes", "/open_sample/sources", "open_sample"),
    ("quotes", "/open_sample/time_ms", "open_sample"),
    ("quotes", "/open_sample/seq", "open_sample"),
    ("quotes", "/order/open_price", "open_sample"),
    ("quotes", "/order/open_time_ms", "open_sample"),
    ("quotes", "/delivery_sample/price", "delivery_sample"),
    ("quotes", "/delivery_sample/sources/1/price", "delivery_sample"),
    ("quotes", "/delivery_sample/time_ms", "delivery_sample"),
    ("quotes", "/order/end_price", "delivery_sample"),
    ("quotes", "/order/end_time_ms", "delivery_sample"),
    ("quotes", "/next_sample/price", "delivery_sample"),
    ("computed", "/open_sample/price", "open_sample"),
    ("computed", "/delivery_sample/price", "delivery_sample"),
    ("refunded", "/order/end_price", "delivery_sample"),
    ("won", "/difference", "delivery_sample"),
    ("won", "/order/outcome", "outcome"),
    ("won", "/order/result", "outcome"),
    ("won", "/order/profit_result", "outcome"),
    ("won", "/order/refund", "outcome"),
    ("won", "/order/status", "outcome"),
    ("won", "/order/complete_at_ms", "outcome"),
    ("won", "/settle_seq", "outcome"),
    ("won", "/order/payout", "payout"),
    ("won", "/order/fact_profits", "payout"),
    ("won", "/postings/0/value", "payout"),
    ("won", "/postings/1/account", "payout"),
    ("won", "/postings", "payout"),
    ("lost", "/order/payout", "payout"),
    ("refunded", "/order/payout", "payout"),
    ("push", "/order/payout", "payout"),
    ("open", "/order/payout", "outcome"),
    ("open", "/order/result", "outcome"),
    ("won", "/order", "format"),
    ("won", "/rule", "format"),
    ("won", "/proof/runs/0/entries/0", "format"),
    ("contract-closed", "/proof", "proof"),
    ("contract-closed", "/proof/head/signature", "signature"),
    ("contract-closed", "/proof/genesis/bytes", "genesis"),
    ("contract-closed", "/proof/runs/0/entries/0/bytes", "chain"),
    ("contract-closed", "/proof/runs/0/path", "inclusion"),
    ("contract-closed", "/entry_hashes/0/hash", "chain"),
    ("contract-open", "/open_seq", "proof"),
    ("contract-closed", "/end_seq", "proof"),
    ("contract-closed", "/position/id", "purchase"),
    ("contract-closed", "/user_id", "purchase"),
    ("contract-closed", "/rules/fee", "terms"),
    ("contract-closed", "/rules/spread", "open_sample"),
    ("contract-capped", "/rules/cap_roi", "terms"),
    ("contract-closed", "/rules/match_id", "terms"),
    ("contract-closed", "/rules/tiers/0/mmr", "terms"),
    ("contract-closed", "/rules/tiers/1/deduction", "terms"),
    ("contract-closed", "/rules/lot", "terms"),
    ("contract-closed", "/rules", "format"),
    ("contract-closed", "/position/type", "terms"),
    ("contract-closed", "/position/share", "terms"),
    ("contract-closed", "/position/multiple", "terms"),
    ("contract-closed", "/position/symbol", "terms"),
    ("contract-closed", "/position/create_time_ms", "terms"),
    ("contract-closed", "/position/origin_caution_money", "terms"),
    ("contract-closed", "/position/trade_fee", "terms"),
    ("contract-closed", "/position/overnight_money", "terms"),
    ("contract-closed", "/position/liquidation_price", "terms"),
    ("contract-closed", "/position/cap_price", "terms"),
    ("contract-closed", "/position/origin_price", "open_sample"),
    ("contract-closed", "/position/price", "open_sample"),
    ("contract-closed", "/open_sample/price", "open_sample"),
    ("contract-closed", "/open_sample/time_ms", "open_sample"),
    ("contract-quotes", "/open_sample/sources/0/price", "open_sample"),
    ("contract-quotes", "/open_sample/sources/0/used", "open_sample"),
    ("contract-quotes", "/close_sample/sources/1/age_ms", "delivery_sample"),
    ("contract-closed", "/close_sample/price", "delivery_sample"),
    ("contract-closed", "/close_sample/time_ms", "delivery_sample"),
    ("contract-stopped", "/close_sample/seq", "delivery_sample"),
    ("contract-stopped", "/position/complete_time_ms", "delivery_sample"),
    ("contract-filled", "/position/transaction_time_ms", "open_sample"),
    ("contract-filled", "/position/target_price", "terms"),
    ("contract-closed", "/position/complete_time_ms", "outcome"),
    ("contract-closed", "/position/reason", "outcome"),
    ("contract-closed", "/position/update_price", "outcome"),
    ("contract-closed", "/position/fact_profits", "outcome"),
    ("contract-closed", "/position/profits", "outcome"),
    ("contract-closed", "/position/status", "outcome"),
    ("contract-closed", "/position/close_fee", "payout"),
    ("contract-closed", "/position/returned", "payout"),
    ("contract-liquidated", "/position/close_fee", "payout"),
    ("contract-liquidated", "/position/returned", "payout"),
    ("contract-capped", "/position/fact_profits", "outcome"),
    ("contract-cancelled", "/position/returned", "payout"),
    ("contract-cancelled", "/position/status", "outcome"),
    ("contract-cancelled", "/close_sample", "delivery_sample"),
    ("contract-open", "/position/reason", "outcome"),
    ("contract-open", "/position/fact_profits", "outcome"),
];

/// An altered receipt: of which one, what is set where, and which check fails, or what it can no longer show.
fn cases(all: &[(&'static str, Json)]) -> Vec<Json> {
    let of = |name: &str| &all.iter().find(|(known, _)| *known == name).unwrap().1;
    let mut cases: Vec<Json> = ALTERED
        .iter()
        .map(|(name, at, reason)| {
            let value = other(of(name).pointer(at).unwrap_or_else(|| panic!("{name}{at}")));
            json!({ "of": name, "set": [{ "at": at, "value": value }], "fails": reason })
        })
        .collect();
    let set = |name: &str, at: &str, value: Json| json!({ "of": name, "set": [{ "at": at, "value": value }] });
    let with = |mut case: Json, field: &str, value: Json| {
        case[field] = value;
        case
    };
    // A quote is altered, and all hashes after it: only the head reveals it.
    let mut run = of("quotes")["proof"]["runs"][0].clone();
    let bytes = run["entries"][0]["bytes"].as_str().unwrap().to_owned();
    run["entries"][0]["bytes"] = Json::from([&bytes[..bytes.len() - 2], if bytes.ends_with("01") { "02" } else { "01" }].concat());
    rehash(&mut run);
    cases.push(with(set("quotes", "/proof/runs/0", run), "fails", json!("inclusion")));
    // An entry is replaced, with its own hash: the next one does not continue it, and the last one is still in the tree.
    let mut run = of("quotes")["proof"]["runs"][0].clone();
    let mut lone = json!({ "entries": [run["entries"][0].clone()] });
    lone["entries"][0]["bytes"] = other(&lone["entries"][0]["bytes"]);
    rehash(&mut lone);
    run["entries"][0] = lone["entries"][0].clone();
    let hash = run["entries"][0]["hash"].clone();
    cases.push(json!({ "of": "quotes", "set": [
        { "at": "/proof/runs/0", "value": run }, { "at": "/entry_hashes/0/hash", "value": hash },
    ], "fails": "chain" }));
    // Another rule with its right hash, but not the one that was fixed at the purchase.
    let text = of("won")["rule"]["text"].as_str().unwrap().replacen("70.000000 %", "80.000000 %", 1);
    let hash = hex(&engine::options::rule::hash(&text).0);
    let rule =
        json!({ "of": "won", "set": [{ "at": "/rule/text", "value": text }, { "at": "/rule/hash", "value": hash }], "fails": "rule" });
    cases.push(rule);
    // The first entry of a run is missing, and with it a sample.
    let mut run = of("quotes")["proof"]["runs"][0].clone();
    run["entries"].as_array_mut().unwrap().remove(0);
    cases.push(with(set("quotes", "/proof/runs/0", run), "fails", json!("open_sample")));
    // A refund is claimed although there was a price.
    let claimed = json!({ "of": "won", "set": [
        { "at": "/delivery_sample", "value": null }, { "at": "/difference", "value": null }, { "at": "/order/refund", "value": true },
        { "at": "/order/result", "value": "refunded" }, { "at": "/order/end_price", "value": null },
        { "at": "/order/end_time_ms", "value": null }, { "at": "/order/outcome", "value": null },
    ], "fails": "proof" });
    cases.push(claimed);
    // The sealed part with the buyer is missing: everything else is still valid.
    let runs = of("won")["proof"]["runs"].as_array().unwrap();
    let places = runs.iter().enumerate().flat_map(|(run, all)| {
        all["entries"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.get("own").is_some())
            .map(move |(entry, _)| (run, entry))
    });
    let (run, entry) = places.last().unwrap();
    cases.push(with(set("won", &format!("/proof/runs/{run}/entries/{entry}/own"), Json::Null), "unshown", json!(["owner"])));
    let at = format!("/proof/runs/{run}/entries/{entry}/own/salt");
    let salt = other(of("won").pointer(&at).unwrap());
    cases.push(with(set("won", &at, salt), "fails", json!("purchase")));
    // The same seal with another border between salt and content.
    let own = format!("/proof/runs/{run}/entries/{entry}/own");
    let [salt, bytes] = ["salt", "bytes"].map(|name| of("won").pointer(&format!("{own}/{name}")).unwrap().as_str().unwrap());
    let moved = json!({ "salt": format!("{salt}{}", &bytes[..2]), "bytes": &bytes[2..] });
    cases.push(with(set("won", &own, moved), "fails", json!("purchase")));
    // Another venue signs the same: only a verifier who knows the key notices.
    let seed = [7; 32];
    let pair = ring::signature::Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
    let head = &of("won")["proof"]["head"];
    let part = |name: &str| from_hex::<32>(head[name].as_str().unwrap()).unwrap();
    let number = |name: &str| head[name].as_u64().unwrap().to_be_bytes();
    let signed =
        [b"meridian-head-v1".as_slice(), &part("genesis"), &number("seq"), &part("hash"), &part("root"), &number("time_ms")].concat();
    let key = hex(ring::signature::KeyPair::public_key(&pair).as_ref());
    let signature = hex(pair.sign(&signed).as_ref());
    cases.push(json!({ "of": "won", "set": [
        { "at": "/proof/head/key", "value": key }, { "at": "/proof/head/signature", "value": signature },
    ], "fails": "key" }));
    // A liquidation is claimed although the stop-loss closed it.
    let claimed = set("contract-stopped", "/position/reason", json!("LIQUIDATION"));
    cases.push(with(claimed, "fails", json!("outcome")));
    // Terms changed throughout differ from those of a new venue, and nothing in the receipt shows that they were in force.
    let other = set("contract-closed", "/rules/liq_fee", json!("0.2"));
    cases.push(with(other, "fails", json!("terms")));
    // Nor could it have been opened if its leverage is not offered, or if the largest number of lots were lower.
    // Nor may terms be in force whose steps do not rise, or whose largest multiple leaves nothing above the maintenance.
    for (at, value) in [
        ("/rules/multiples", json!([1, 2, 5])),
        ("/rules/max_lots", json!(9)),
        ("/rules/multiples", json!([1, 10, 5])),
        ("/rules/multiples", json!([0, 10])),
        ("/rules/tiers/2/max_multiple", json!(26)),
        ("/rules/tiers/0/max_multiple", json!(150)),
    ] {
        cases.push(with(set("contract-closed", at, value), "fails", json!("terms")));
    }
    cases
}

fn apply(receipt: &Json, case: &Json) -> Json {
    let mut altered = receipt.clone();
    for change in case["set"].as_array().unwrap() {
        let at = change["at"].as_str().unwrap();
        *altered.pointer_mut(at).unwrap_or_else(|| panic!("{at}")) = change["value"].clone();
    }
    altered
}

/// Number of the option or of the contract.
fn number_of(receipt: &Json) -> u64 {
    receipt["buy_seq"].as_u64().or(receipt["open_seq"].as_u64()).unwrap()
}

/// Every good receipt passes, and every altered one fails as its case says.
fn compare(all: &[(String, Json)], cases: &[Json], key: &str) {
    let known: [u8; 32] = from_hex(key).unwrap();
    for (name, receipt) in all {
        let Checked { unshown, .. } = check(receipt, Some(&known)).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(unshown, Vec::<&str>::new(), "{name}");
        assert_eq!(check(receipt, None).map(|checked| checked.id), Ok(number_of(receipt)));
    }
    for case in cases {
        let (_, receipt) = all.iter().find(|(name, _)| case["of"] == **name).unwrap();
        let came = check(&apply(receipt, case), Some(&known));
        let came = came.map(|checked| json!(checked.unshown)).map_err(|fault| json!(fault.reason.name()));
        let wanted = if case["fails"].is_null() { Ok(case["unshown"].clone()) } else { Err(case["fails"].clone()) };
        assert_eq!(came, wanted, "{} {} {}", case["of"], case["set"][0]["at"], case["set"][1]);
    }
}

fn write(all: &[(String, Json)], cases: &[Json], key: &str) {
    for (name, receipt) in all {
        std::fs::write(folder().join(format!("{name}.json")), format!("{receipt}\n")).unwrap();
    }
    let lines: Vec<String> = cases.iter().map(Json::to_string).collect();
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let text = format!("{{\"key\": \"{key}\", \"receipts\": {},\n\"cases\": [\n{}\n]}}\n", json!(names), lines.join(",\n"));
    std::fs::write(folder().join("cases.json"), text).unwrap();
}

fn read(name: &str) -> Json {
    let file = folder().join(name);
    serde_json::from_str(&std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))).unwrap()
}

#[test]
fn a_receipt_is_checked_without_the_server_and_one_altered_part_turns_it_red() {
    both(|server| async move {
        let (mut all, of_time) = receipts(&server).await;
        let (of_contracts, of_stops) = contracts(&server).await;
        all.extend(of_contracts);
        let (mut cases, key) = (cases(&all), all[0].1["proof"]["head"]["key"].as_str().unwrap().to_owned());
        cases.extend(of_time.into_iter().chain(of_stops));
        let named: Vec<(String, Json)> = all.iter().map(|(name, receipt)| ((*name).to_owned(), receipt.clone())).collect();
        if std::env::var("MERIDIAN_RECEIPTS").is_ok_and(|wish| wish == "write") {
            write(&named, &cases, &key);
        }
        let ends: Vec<&Json> = all.iter().map(|(_, receipt)| &receipt["order"]["result"]).collect();
        assert_eq!(ends[..6], [&json!("won"), &json!("lost"), &json!("lost"), &json!("won"), &json!("push"), &json!("refunded")]);
        let sources = all.iter().find(|(name, _)| *name == "quotes").map(|(_, receipt)| receipt["open_sample"]["sources"].clone());
        assert!(sources.unwrap().as_array().unwrap().len() >= 3);
        compare(&named, &cases, &key);
        // None of them turns red in the whole log.
        let folder = TempDir::new().unwrap();
        for (name, receipt) in named.iter().filter(|(name, _)| name.starts_with("contract") || name == "computed") {
            let receipt = Some(file(&folder, "receipt.json", receipt));
            let report = verify(PublicArgs { receipt, ..at(&server.url("/")) }).await.unwrap_or_else(|why| panic!("{name}: {why:?}"));
            // A repetition of an entry that set stops looks like one that sets them.
            let unshown: &[&str] = if name == stops::MOVED { &["stops"] } else { &[] };
            assert_eq!(report.unshown, unshown, "{name}");
        }
    });
}

/// The same cases test the app's own verifier.
#[test]
fn the_shared_receipts_and_their_altered_forms_come_out_as_their_cases_say() {
    let shared = read("cases.json");
    let names = shared["receipts"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let all: Vec<(String, Json)> = names.map(|name| (name.to_owned(), read(&format!("{name}.json")))).collect();
    assert_eq!(all.len(), 20);
    compare(&all, shared["cases"].as_array().unwrap(), shared["key"].as_str().unwrap());
}

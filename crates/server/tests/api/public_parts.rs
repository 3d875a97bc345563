//! The public figures of new coins and pairs, added up from their public parts as an app does.

use serde_json::{Value as Json, json};

use crate::harness::{Answer, Server, both};
use crate::people::Member;
use crate::subscriptions::{Operators, pay};

const DAY_MS: u64 = 86_400_000;

async fn advance(server: &Server, ms: u64) {
    server.post("/sandbox/clock", &[("advance_ms", &ms.to_string())]).await.ok();
}

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn member(server: &Server, mail: &str, funds: &[(&str, &str)]) -> Member {
    let member = Member::new(server, mail).await;
    for (asset, amount) in funds {
        member.post(server, "/sandbox/faucet", &[("asset", asset), ("amount", amount)]).await.ok();
    }
    member
}

/// Atoms, or units of the last decimal.
fn digits(value: &Json) -> u128 {
    value.as_str().unwrap().replace('.', "").parse().unwrap()
}

/// The commitments to an offering, read in pages of this length, and the last answer.
async fn commitments(server: &Server, id: &str, limit: usize) -> (Vec<Json>, Answer) {
    let mut all: Vec<Json> = Vec::new();
    loop {
        let after = all.last().map_or(0, |row| row["seq"].as_u64().unwrap());
        let page = server.get(&format!("/api/public/commitments?id={id}&after={after}&limit={limit}")).await;
        let rows = page.ok().as_array().unwrap().clone();
        all.extend(rows.iter().cloned());
        if rows.len() < limit {
            return (all, page);
        }
    }
}

/// The listed figures of an offering follow from the rows up to the entry that the list names.
async fn adds_up(server: &Server, id: &str, limit: usize) -> Vec<Json> {
    let list = server.get("/api/lh/send/config").await;
    let shown = list.ok().as_array().unwrap().iter().find(|row| row["id"] == id.parse::<u64>().unwrap()).unwrap().clone();
    let to_seq = list.data()["to_seq"].as_u64().unwrap();
    assert_eq!(list.data()["from_seq"], 1);
    let (rows, last) = commitments(server, id, limit).await;
    let seqs: Vec<u64> = rows.iter().map(|row| row["seq"].as_u64().unwrap()).collect();
    assert!(seqs.is_sorted_by(|one, next| one < next), "{seqs:?}");
    let sum: u128 = rows.iter().filter(|row| row["seq"].as_u64().unwrap() <= to_seq).map(|row| digits(&row["value"])).sum();
    assert_eq!(sum, digits(&shown["committed_value"]));
    let behind = last.data();
    assert_eq!((&behind["committed_value"], &behind["commitments"]), (&shown["committed_value"], &json!(rows.len())));
    assert_eq!((&behind["from_seq"], &behind["currency_id"]), (&json!(1), &json!(3)));
    assert!(behind["to_seq"].as_u64().unwrap() >= to_seq);
    let one = server.get(&format!("/api/lh/send/product_info?id={id}")).await;
    assert_eq!((&one.ok()["committed_value"], &one.data()["from_seq"]), (&shown["committed_value"], &json!(1)));
    rows
}

#[test]
fn commitments_add_up_to_what_an_offering_shows_from_the_first_to_long_after_the_last() {
    both(|mut server| async move {
        pin(&server, "100000").await;
        let ann = member(&server, "ann@example.com", &[("USDT", "1000"), ("BTC", "1")]).await;
        let bob = member(&server, "bob@example.com", &[("USDT", "1000")]).await;
        let desk = Operators::open(&server).await;
        let id = desk.offer(&[]).await;
        assert_eq!(adds_up(&server, &id, 500).await, Vec::<Json>::new());
        pay(&server, &ann, &id, "100").await.json();
        pay(&server, &bob, &id, "50.5").await.json();
        pin(&server, "100000").await;
        let form = [("config_id", id.as_str()), ("amount", "0.00012345"), ("currency_id", "1")];
        let order = ann.post(&server, "/api/lh/send/order", &form).await.json()["data"]["order"].clone();
        let rows = adds_up(&server, &id, 2).await;
        let plain = json!({
            "seq": order["id"], "currency_id": 1, "currency_name": "BTC", "amount": "0.00012345", "value": "12.345000",
            "created_at_ms": order["created_at_ms"],
        });
        assert_eq!((rows.len(), &rows[2]), (3, &plain), "nothing says whose it is");
        let entry = server.get(&format!("/api/proof/entries?from={}&limit=1", order["id"])).await.ok()[0].clone();
        assert_eq!((&entry["kind"], &entry["time_ms"]), (&json!("commit_to_offering"), &order["created_at_ms"]));
        let sample = server.get(&format!("/api/market/index?symbol=BTC/USDT&to_ms={}", order["created_at_ms"])).await.ok();
        assert_eq!(sample.as_array().unwrap().last().unwrap()["price"], "100000.00");
        assert_eq!(commitments(&server, "1", 500).await.0, Vec::<Json>::new(), "of another offering");

        // Allotted, launched and released: from then on they are rows of the history.
        advance(&server, 3_600_000).await;
        assert_eq!(adds_up(&server, &id, 500).await, rows);
        let desk = Operators::open(&server).await;
        let proposed = desk.launch(&id).await.ok();
        assert_eq!(desk.confirm(&proposed).await["state"], "done");
        advance(&server, 1).await;
        assert_eq!(adds_up(&server, &id, 2).await, rows);
        advance(&server, DAY_MS).await;
        assert_eq!(server.get(&format!("/api/lh/send/product_info?id={id}")).await.ok()["state"], "ended");
        assert_eq!(adds_up(&server, &id, 2).await, rows);
        server.restart().await;
        assert_eq!(adds_up(&server, &id, 1).await, rows);

        for (query, error) in [
            ("", "E_NOT_FOUND"),
            ("id=99", "E_NOT_FOUND"),
            ("id=x", "E_NOT_FOUND"),
            ("id=4294967297", "E_NOT_FOUND"),
            ("id=1&after=x", "E_FIELD"),
            ("id=1&after=-1", "E_FIELD"),
            ("id=1&limit=x", "E_FIELD"),
            ("id=99&after=x", "E_FIELD"),
            ("id=x&limit=x", "E_FIELD"),
        ] {
            assert_eq!(server.get(&format!("/api/public/commitments?{query}")).await.error(), error, "{query}");
        }
        for after in ["9007199254740991", "18446744073709551615"] {
            let page = server.get(&format!("/api/public/commitments?id={id}&after={after}")).await;
            assert!(page.error() == "E_FIELD" || page.ok() == json!([]), "{after}");
        }
    });
}

/// The minutes of a pair's day, which are its volume, value and count in the range that the lists name.
async fn day(server: &Server) -> Vec<Json> {
    let answer = server.get("/api/public/volumes?symbol=BTC/USDT").await;
    let (rows, behind) = (answer.ok().as_array().unwrap().clone(), answer.data());
    let sum = |field: &str| rows.iter().map(|row| digits(&row[field])).sum::<u128>();
    assert_eq!([sum("volume"), sum("quote_volume")], [digits(&behind["volume"]), digits(&behind["quote_volume"])]);
    assert_eq!(rows.iter().map(|row| row["count"].as_u64().unwrap()).sum::<u64>(), behind["count"].as_u64().unwrap());
    let list = server.get("/api/currency/quotation_new").await;
    let ticker = server.get("/api/market/ticker?symbol=BTC/USDT").await;
    let deal = server.get("/api/currency/deal?currency_id=1&legal_id=3").await;
    let pair = list.ok()[0]["quotation"][0].clone();
    for shown in [&pair, &deal.ok(), &ticker.ok()[0]] {
        assert_eq!(["volume", "quote_volume"].map(|field| &shown[field]), ["volume", "quote_volume"].map(|field| &behind[field]));
    }
    let from_ms = behind["from_ms"].as_u64().unwrap();
    for range in [&behind, &list.data(), &ticker.data(), &deal.data()] {
        let (from, to) = (range["from_seq"].as_u64().unwrap(), range["to_seq"].as_u64().unwrap());
        assert!(0 < from && from <= to, "{range}");
        // Nothing before the range counts.
        if from > 1 {
            let before = server.get(&format!("/api/proof/entries?from={}&limit=1", from - 1)).await.ok()[0].clone();
            assert!(before["time_ms"].as_u64().unwrap() < from_ms, "{range}");
        }
    }
    rows
}

/// The trades of a minute, read in pages of two, which must match the minute.
async fn trades(server: &Server, minute: &Json) -> Vec<Json> {
    let start = minute["start_ms"].as_u64().unwrap();
    let mut all: Vec<Json> = Vec::new();
    loop {
        let before = all.last().map_or_else(String::new, |trade| format!("&before_id={}", trade["id"]));
        let path = format!("/api/market/trades?symbol=BTC/USDT&limit=2&before_ms={}{before}", start + 60_000);
        let page = server.get(&path).await.ok().as_array().unwrap().clone();
        let of = page.iter().filter(|trade| trade["ts"].as_u64().unwrap() >= start);
        all.extend(of.cloned());
        if page.len() < 2 || page.iter().any(|trade| trade["ts"].as_u64().unwrap() < start) {
            break;
        }
    }
    assert!(all.iter().all(|trade| trade["ts"].as_u64().unwrap() < start + 60_000));
    let volume: u128 = all.iter().map(|trade| digits(&trade["amount"])).sum();
    // BTC has eight decimals, its price in USDT one, and USDT six.
    let value: u128 = all.iter().map(|trade| digits(&trade["amount"]) * digits(&trade["price"]) / 1_000).sum();
    assert_eq!([volume, value], [digits(&minute["volume"]), digits(&minute["quote_volume"])]);
    assert_eq!(minute["count"], all.len());
    all
}

#[test]
fn the_volume_of_a_pair_is_that_of_its_minutes_and_theirs_that_of_their_trades() {
    both(|mut server| async move {
        pin(&server, "100000").await;
        let ann = member(&server, "ann@example.com", &[("BTC", "1")]).await;
        let bob = member(&server, "bob@example.com", &[("USDT", "10000")]).await;
        let trade = async |server: &Server, price: &str, amount: &str| {
            for (who, side) in [(&ann, "2"), (&bob, "1")] {
                let form = [("currency_id", "1"), ("legal_id", "3"), ("type", side), ("target_price", price), ("amount", amount)];
                who.post(server, "/api/coin/trade", &form).await.ok();
            }
        };
        let start = day(&server).await.len();
        assert_eq!(start, 0);
        for (price, amount) in [("100000", "0.001"), ("100001.5", "0.002"), ("99999.9", "0.00123")] {
            trade(&server, price, amount).await;
        }
        let first = day(&server).await;
        let counted = |rows: &[Json]| rows.iter().map(|row| row["count"].as_u64().unwrap()).sum::<u64>();
        assert_eq!(counted(&first), 3);
        advance(&server, 3_600_000).await;
        pin(&server, "100000").await;
        trade(&server, "100000.5", "0.004").await;
        server.restart().await;
        let rows = day(&server).await;
        assert_eq!(counted(&rows), 4);
        let mut seqs = Vec::new();
        for minute in &rows {
            for trade in trades(&server, minute).await {
                let entry = server.get(&format!("/api/proof/entries?from={}&limit=1", trade["seq"])).await.ok()[0].clone();
                assert_eq!((&entry["kind"], &entry["time_ms"]), (&json!("place_spot_order"), &trade["ts"]));
                seqs.push(trade["seq"].as_u64().unwrap());
            }
        }
        assert_eq!(seqs.len(), 4);
        let none = server.get("/api/market/trades?symbol=BTC/USDT&before_ms=1").await.ok();
        assert_eq!(none, json!([]));
        let all = server.get("/api/market/trades?symbol=BTC/USDT&before_ms=9007199254740991").await.ok();
        assert_eq!(all.as_array().unwrap().len(), 4);

        // A day later none of it counts, and the range begins after it.
        advance(&server, DAY_MS - 1_800_000).await;
        assert_eq!(counted(&day(&server).await), 1, "the trade of the second hour");
        advance(&server, 3_600_000).await;
        assert_eq!(day(&server).await, Vec::<Json>::new());
        let from = server.get("/api/public/volumes?symbol=BTC/USDT").await.data()["from_seq"].as_u64().unwrap();
        assert!(seqs.iter().all(|seq| *seq < from), "{seqs:?} before {from}");
        for (query, error) in [("", "E_MARKET"), ("symbol=BTC/EUR", "E_MARKET")] {
            assert_eq!(server.get(&format!("/api/public/volumes?{query}")).await.error(), error, "{query}");
        }
        assert_eq!(server.get("/api/market/trades?symbol=BTC/USDT&before_ms=x").await.error(), "E_FIELD");
    });
}

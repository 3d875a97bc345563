//! Many members set the stops of their contracts at once, each from two devices, while the price moves and closes some of them. Whatever
//! the order was in which the log took it all: the receipts say it, and others' contracts stay as they are.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Value as Json, json};
use server::verify::receipt::check;

use crate::harness::{Answer, Server, both};
use crate::people::Member;
use crate::receipts::covered;

const MEMBERS: usize = 12;
const ROUNDS: usize = 12;
/// So many of the last entries that set stops are in a receipt.
const SHOWN: usize = 8;

/// A member with one position.
struct Holder {
    who: Member,
    id: String,
    is_long: bool,
    /// Sets stops close to the price, where they are refused or reached.
    is_daring: bool,
}

/// The effect of an accepted call: its entry, take-profit and stop-loss.
type Set = (u64, String, String);

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn ask(server: &Server, who: &Member, call: &str, form: &[(&str, &str)]) -> Answer {
    server.patient(async || who.post(server, &format!("/api/lever/{call}"), form).await).await
}

async fn holder(server: &Server, at: usize) -> Holder {
    let (who, is_long) = (Member::quick(server, "").await, at.is_multiple_of(2));
    who.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "lever")]).await.ok();
    pin(server, "100000").await;
    let side = if is_long { "1" } else { "2" };
    let form = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", side)];
    let id = ask(server, &who, "submit", &form).await.data()["position"]["id"].to_string();
    Holder { who, id, is_long, is_daring: !at.is_multiple_of(3) }
}

/// The stops of a round: no two of a member are the same.
fn stops(holder: &Holder, round: usize) -> (String, String) {
    let beside = holder.is_daring && round % 3 == 2;
    let (profit, loss) = if holder.is_long { (110_000, 95_000) } else { (90_000, 105_000) };
    let loss = if beside { 100_000 } else { loss + round };
    (format!("{}.00", profit + round), format!("{loss}.00"))
}

/// One device: sets its own member's stops, and sometimes another member's.
async fn device(server: &Server, (own, other): (&Holder, &Holder), first: usize) -> Vec<Set> {
    let mut accepted = Vec::new();
    for round in (first..first + 2 * ROUNDS).step_by(2) {
        let (profit, loss) = stops(own, round);
        let form = |id| [("id", id), ("target_profit_price", profit.as_str()), ("stop_loss_price", loss.as_str())];
        let (set, foreign) =
            join(ask(server, &own.who, "setstop", &form(&own.id)), ask(server, &own.who, "setstop", &form(&other.id))).await;
        assert_eq!(foreign.error(), "E_NOT_FOUND");
        match set.error().as_str() {
            "" => accepted.push((set.header("x-seq").parse().unwrap(), profit, loss)),
            // On a busy machine the price may come late.
            "E_PRICE_STALE" => {}
            name => assert!(own.is_daring && ["E_SL", "E_STATE"].contains(&name), "{name}"),
        }
    }
    accepted
}

/// The price swings around 100,000 until all are done, and once more then, which reaches everything close to it.
async fn swing(server: &Server, done: &AtomicBool) {
    let mut left = 2;
    while left > 0 {
        for price in ["100010", "100020", "100010", "99990", "99980", "99990"] {
            pin(server, price).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        left -= usize::from(done.load(Ordering::Relaxed));
    }
}

#[test]
fn stops_that_many_set_at_once_while_the_price_moves_are_those_that_the_receipts_show() {
    both(|mut server| async move {
        let mut holders = Vec::new();
        for at in 0..MEMBERS {
            holders.push(holder(&server, at).await);
        }
        let done = AtomicBool::new(false);
        let devices = holders.iter().zip(holders.iter().cycle().skip(1)).flat_map(|pair| [(pair, 0), (pair, 1)]);
        let all = async {
            let set = join_all(devices.map(|(pair, first)| device(&server, pair, first))).await;
            done.store(true, Ordering::Relaxed);
            set
        };
        let (accepted, ()) = join(all, swing(&server, &done)).await;

        // Every second owner of the open ones closes theirs.
        pin(&server, "100000").await;
        for careful in holders.iter().filter(|holder| !holder.is_daring).step_by(2) {
            ask(&server, &careful.who, "close", &[("id", &careful.id)]).await.ok();
        }
        server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
        let mut reasons = Vec::new();
        for (holder, sets) in holders.iter().zip(accepted.chunks(2)) {
            let mut sets: Vec<&Set> = sets.iter().flatten().collect();
            sets.sort();
            let receipt = covered(&server, &holder.who, "lever", &holder.id).await;
            let (_, profit, loss) = sets.last().unwrap();
            let position = &receipt["position"];
            assert_eq!((&position["target_profit_price"], &position["stop_loss_price"]), (&json!(profit), &json!(loss)), "{sets:?}");
            let last: Vec<u64> = sets[sets.len().saturating_sub(SHOWN)..].iter().map(|(seq, ..)| *seq).collect();
            assert_eq!(receipt["stop_seqs"], json!(last));
            let checked = check(&receipt, None).unwrap_or_else(|fault| panic!("{fault}: {receipt}"));
            assert_eq!(checked.unshown, Vec::<&str>::new(), "{receipt}");
            reasons.push(position["reason"].as_str().unwrap_or("open").to_owned());
            // Without its last entry the receipt shows other stops.
            let mut altered = receipt.clone();
            altered["stop_seqs"] = Json::from(last[..last.len() - 1].to_vec());
            assert!(check(&altered, None).is_err(), "{receipt}");
        }
        for reason in ["open", "USER", "SL"] {
            assert!(reasons.iter().any(|known| known == reason), "{reasons:?}");
        }
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

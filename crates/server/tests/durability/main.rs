//! Acknowledged writes survive `kill -9` of the real binary under load: nothing lost, nothing doubled, every balance explained (G1, G4).
//!
//! Answers are kept in this process, outside the killed one. The load of a run follows from its seed (`MERIDIAN_TEST_SEED`);
//! the instant of a kill within the work of the server does not.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod bucket;
mod clocks;
mod cut_off;
mod database;
mod guesses;
mod images;
mod load;
mod process;
mod releases;
mod repeats;
mod snapshots;
mod starts;
mod strangers;
mod stuck;
mod succession;

use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use journal::testing::{PostgresServer, size};
use tokio::sync::Notify;

use load::{Member, all};
use process::{Disk, PATIENCE, SYNCS, Server, block_on, client, run};

const MEMBERS: usize = 8;

/// Load, kill, restart, check, so many times; then `meridian verify`.
fn nothing_is_lost(cycles: u32, database: Option<&str>, market: bool, disk: Disk) {
    let seed = std::env::var("MERIDIAN_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("MERIDIAN_TEST_SEED={seed}, {cycles} kills, market {market}, database {database:?}");
    let mut rng = Rng::with_seed(seed);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let store: Vec<&str> = database.map(|url| ["--database", url]).into_iter().flatten().collect();
    // Often enough that kills hit snapshots, too.
    let options = [&["--snapshot-every", "10", "--house-liquidity", if market { "on" } else { "off" }], store.as_slice()].concat();
    block_on(async {
        let client = client();
        let mut server = Server::start(&data, &options, disk, &client).await;
        let pinned = client.post(format!("{}/sandbox/price?symbol=BTC/USDT&price=100000", server.url)).send().await.unwrap();
        assert_eq!(pinned.status(), 200);
        let mut members = Vec::new();
        for number in 0..MEMBERS {
            members.push(Member::new(&client, &server.url, number, rng.fork()).await);
        }
        let mut cut = 0;
        for cycle in 1..=cycles {
            let answered = Arc::new(Notify::new());
            let heard = answered.clone();
            let load = tokio::spawn(all(members, move |member| member.load(market, heard.clone())));
            tokio::time::sleep(Duration::from_millis(rng.u64(200..1_000))).await;
            // Right after an answer, when an answer given too early is not yet written.
            let _ = tokio::time::timeout(PATIENCE, answered.notified()).await;
            server.kill();
            members = load.await.unwrap();
            cut += members.iter().filter(|member| member.fresh.last().is_some_and(|write| write.text.is_none())).count();
            let begun = Instant::now();
            drop(server);
            server = Server::start(&data, &options, disk, &client).await;
            println!(
                "kill {cycle}: {} writes, ready after {:?}",
                members.iter().map(|member| member.fresh.len()).sum::<usize>(),
                begun.elapsed()
            );
            let url = server.url.clone();
            members = all(members, move |member| member.check(url.clone())).await;
        }
        members = all(members, Member::check_statement).await;
        server.kill();
        let verified = run(&[&["verify", "--data", data.to_str().unwrap()], store.as_slice()].concat());
        assert!(verified.status.success(), "verify: {}", String::from_utf8_lossy(&verified.stderr));
        let count = |of: fn(&Member) -> usize| members.iter().map(of).sum::<usize>();
        let (orders, transfers, cancels) =
            (count(|member| member.orders.len()), count(|member| member.transfers.len()), count(|member| member.cancels));
        let fills = count(|member| member.fills.values().map(|fills| fills.as_array().unwrap().len()).sum());
        println!("{orders} orders, {fills} fills, {cancels} cancels, {transfers} transfers; {cut} answers cut off by kills");
        // A run that did almost nothing proves nothing.
        let least = 5 * usize::try_from(cycles).unwrap();
        assert!(orders.min(transfers).min(cancels) >= least && cut > 0, "too little load");
        assert_eq!(fills > 0, market, "trades where there is a market, and only there");
    });
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_sqlite() {
    nothing_is_lost(size(5, 40), None, false, Disk::Plain);
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_postgresql() {
    let postgres = PostgresServer::start();
    nothing_is_lost(size(5, 40), Some(&postgres.create_database("durability")), false, Disk::Plain);
}

#[test]
fn trades_with_the_house_survive_as_well() {
    nothing_is_lost(size(2, 20), None, true, Disk::Plain);
}

#[test]
fn no_answer_comes_before_a_slow_disk_has_it() {
    nothing_is_lost(size(3, 20), None, false, Disk::Slow { calls: SYNCS, ms: 20, file: None });
}

/// A kill leaves what was written and not yet synced in the memory of the system, so only the time of an answer tells whether it waited.
#[test]
fn no_write_is_answered_before_the_sync_of_the_journal_has_ended() {
    // Tracing delays each answer by a tenth of this, whatever it waits for.
    const SYNC: Duration = Duration::from_millis(400);
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        let mut member = Member::new(&client, &server.url, 0, Rng::with_seed(1)).await;
        server.kill();
        drop(server);
        let ms = u32::try_from(SYNC.as_millis()).unwrap();
        let mut server = Server::start(&data, &[], Disk::Slow { calls: SYNCS, ms, file: Some("journal.db-wal") }, &client).await;
        member.meet(&server.url);
        for number in 0..8 {
            let (asked, form) = (Instant::now(), "currency_id=3&number=1&from_field=change&to_field=lever");
            member.post("/api/wallet/change", form, &format!("k{number}")).await.unwrap().ok();
            let after = asked.elapsed();
            println!("answered after {after:?}");
            assert!(after >= SYNC, "write {number} was answered after {after:?}");
        }
        server.kill();
    });
}

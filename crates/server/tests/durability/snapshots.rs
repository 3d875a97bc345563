//! Snapshots are made in parallel with writes: no write waits for one, and a crash during one costs nothing.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use journal::testing::PostgresServer;
use reqwest::Client;

use crate::load::Member;
use crate::process::{Disk, PATIENCE, Server, block_on, client, run};

/// The smallest number of entries that is taken.
const EVERY: [&str; 4] = ["--house-liquidity", "off", "--snapshot-every", "10"];
const TRANSFER: &str = "currency_id=3&number=1&from_field=change&to_field=lever";

async fn server(data: &Path, database: Option<&str>, stall: &Path, client: &Client) -> Server {
    let store: Vec<&str> = database.map(|url| ["--database", url]).into_iter().flatten().collect();
    let variables = [("MERIDIAN_TEST_STALL", stall.to_str().unwrap())];
    Server::start_with(data, &[&EVERY, store.as_slice()].concat(), &variables, Disk::Plain, client).await
}

/// The entries whose snapshots are kept in this data directory.
fn kept(data: &Path) -> Vec<u64> {
    let names = fs::read_dir(data.join("snapshots")).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter_map(|name| name.to_str()?.strip_suffix(".snapshot")?.parse().ok()).collect()
}

/// So many writes, as fast as a member may.
async fn transfers(member: &mut Member, name: &str, count: usize) {
    for number in 0..count {
        loop {
            let answer = member.post("/api/wallet/change", TRANSFER, &format!("{name}-{number}")).await.unwrap();
            if answer.error() != "E_RATE" {
                answer.ok();
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// A snapshot that never ends holds no write up; the node is killed in the middle of it and loses nothing.
fn writes_go_on(database: Option<&str>) {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, stall) = (folder.path().join("data"), folder.path().join("stall"));
        let mut running = server(&data, database, &stall, &client).await;
        let mut ann = Member::new(&client, &running.url, 1, fastrand::Rng::with_seed(1)).await;
        fs::write(&stall, "Shadow").unwrap();
        transfers(&mut ann, "beside", 60).await;
        running.kill();
        drop(running);
        fs::remove_file(&stall).unwrap();
        let mut running = server(&data, database, &stall, &client).await;
        ann.meet(&running.url);
        let first = ann.post("/api/wallet/change", TRANSFER, "beside-0").await.unwrap();
        assert!(first.replay, "{}", first.text);
        transfers(&mut ann, "behind", 30).await;
        running.stop();
    });
}

#[test]
fn no_write_waits_for_a_snapshot_that_does_not_end() {
    writes_go_on(None);
}

#[test]
fn no_write_waits_for_a_snapshot_that_does_not_end_on_postgres() {
    writes_go_on(Some(&PostgresServer::start().url()));
}

#[test]
fn a_running_node_keeps_snapshots_and_records_their_states() {
    let postgres = PostgresServer::start();
    for database in [None, Some(postgres.url())] {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, stall) = (folder.path().join("data"), folder.path().join("stall"));
        block_on(async {
            let mut running = server(&data, database.as_deref(), &stall, &client).await;
            let mut ann = Member::new(&client, &running.url, 1, fastrand::Rng::with_seed(1)).await;
            transfers(&mut ann, "number", 60).await;
            running.stop();
        });
        let mut options = vec!["verify", "--data", data.to_str().unwrap()];
        options.extend(database.iter().flat_map(|url| ["--database", url.as_str()]));
        let verified = run(&options);
        let said = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(verified.status.success() && said.contains(" 3 snapshots"), "{said}{}", String::from_utf8_lossy(&verified.stderr));
    }
}

#[test]
fn a_node_that_is_killed_before_each_snapshot_is_due_keeps_one_all_the_same() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let quiet = ["--house-liquidity", "off"];
        let mut running = Server::start(&data, &quiet, Disk::Plain, &client).await;
        let mut ann = Member::new(&client, &running.url, 1, fastrand::Rng::with_seed(1)).await;
        transfers(&mut ann, "before", 1).await;
        running.kill();
        drop(running);
        assert_eq!(kept(&data), [0u64; 0]);
        // Few entries since the last snapshot, and many more since the start.
        let begun = ann.seq;
        let every = begun + 30;
        let counted = every.to_string();
        let options = [&quiet[..], &["--snapshot-every", &counted]].concat();
        let mut running = Server::start(&data, &options, Disk::Plain, &client).await;
        ann.meet(&running.url);
        for number in 0.. {
            if ann.seq >= every {
                break;
            }
            transfers(&mut ann, &format!("behind{number}"), 1).await;
        }
        let waited = Instant::now();
        while kept(&data).is_empty() {
            assert!(waited.elapsed() < PATIENCE, "no snapshot at entry {}", ann.seq);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(kept(&data)[0] < begun + every, "counted from the start");
        running.kill();
    });
}

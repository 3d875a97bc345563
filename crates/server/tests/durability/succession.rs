//! Several starts on one PostgreSQL database: who leads, who waits, and who ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use journal::testing::{Client, PostgresServer};
use journal::{Journal, LEASE, Record};

use crate::load::Member;
use crate::process::{Answer, Disk, PATIENCE, Server, apart, block_on, client, copy, run, write};

/// Two nodes under a restart policy have one leader again after this.
const SETTLED: Duration = Duration::from_secs(5);
/// Kinds of entries of the house: it places orders and cancels them.
const HOUSE_KINDS: [u16; 2] = [16, 17];

/// Ends the session of the node that leads; a node that waits for the lead asks for locks.
const CUT_LEADER: &str = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
    and backend_type = 'client backend' and application_name = 'meridian journal' and query not like '%pg_locks%'";

fn epoch(postgres: &PostgresServer) -> i64 {
    apart(|| postgres.connect().query_one("select epoch from journal_lease", &[]).unwrap().get(0))
}

/// Another node's folder: the secrets of the first, and nothing else.
fn another(first: &Path, name: &str) -> PathBuf {
    let folder = first.with_file_name(name);
    copy(&first.join("secrets"), &folder.join("secrets"));
    folder
}

async fn status(client: &reqwest::Client, server: &Server, path: &str) -> Option<u16> {
    Some(client.get(format!("{}{path}", server.url)).send().await.ok()?.status().as_u16())
}

async fn deposit(client: &reqwest::Client, server: &Server, member: &Member, key: &str) -> Answer {
    let form = "currency_id=3&number=1&from_field=change&to_field=lever";
    Answer::to(write(client, &server.url, "/api/wallet/change", form, key).header("authorization", &member.token)).await.unwrap()
}

/// Reads the log, which another node writes.
struct Reader(Journal);

impl Reader {
    fn open(url: &str, folder: &Path) -> Reader {
        Reader(apart(|| Journal::postgres(url, folder).unwrap()))
    }

    fn head(&mut self) -> u64 {
        apart(|| self.0.head().unwrap().seq)
    }

    /// Bounds what an unused sandbox writes: one entry a second with the prices of all pairs, and the orders of the house. `time` has passed
    /// since the entry `before`. The manual states both ("Growth"), there with what the database adds to each group. How often the house moves
    /// its orders depends on the random walk of the prices, in these few seconds by half and more.
    fn expect_idle(&mut self, before: u64, time: Duration) {
        let groups = apart(|| self.0.read(before + 1, 10_000).unwrap());
        let records = groups.iter().flat_map(|group| &group.records).filter(|record| record.seq > before);
        let (house, rest): (Vec<&Record>, Vec<&Record>) = records.partition(|record| HOUSE_KINDS.contains(&record.kind));
        let rates = |records: &[&Record]| {
            let bytes: usize = records.iter().map(|record| record.public.len() + record.private.len()).sum();
            [records.len(), bytes].map(|count| count as f64 / time.as_secs_f64())
        };
        let ([orders, of_orders], [entries, bytes]) = (rates(&house), rates(&rest));
        println!("an idle sandbox writes {entries:.2} entries and {bytes:.2} bytes a second, the house {orders:.2} and {of_orders:.2}");
        assert!(entries < 1.5 && bytes < 200.0, "{entries:.2} entries and {bytes:.2} bytes a second");
        assert!((1.0..10.0).contains(&orders) && of_orders < 130.0, "the house: {orders:.2} entries and {of_orders:.2} bytes a second");
    }
}

/// Holds the leader up in the transaction that writes the rows of a transfer, its key `before`, until this session lets go.
async fn held_up(postgres: &PostgresServer, client: &reqwest::Client, leader: &Server, member: &Member) -> Client {
    let mut lock = apart(|| {
        let mut lock = postgres.connect();
        lock.batch_execute("begin; lock table statement in exclusive mode").unwrap();
        lock
    });
    deposit(client, leader, member, "before").await.ok();
    let waits = "select 1 from pg_locks where relation = 'statement'::regclass and not granted";
    until("held up inside a transaction", PATIENCE, async || apart(|| !lock.query(waits, &[]).unwrap().is_empty())).await;
    lock
}

/// A leader with a member, and a newcomer that waits for the lead.
async fn leader_and_newcomer(data: &Path, url: &str, client: &reqwest::Client) -> (Server, Member, Server) {
    let options = ["--database", url];
    let leader = Server::start(data, &options, Disk::Plain, client).await;
    let member = Member::new(client, &leader.url, 0, fastrand::Rng::with_seed(1)).await;
    let newcomer = Server::launch(&another(data, "new"), &options, &[], Disk::Plain);
    until("waiting", PATIENCE, async || newcomer.logged().contains("another node leads")).await;
    (leader, member, newcomer)
}

async fn until(what: &str, patience: Duration, mut so: impl AsyncFnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !so().await {
        assert!(begun.elapsed() < patience, "not yet {what} after {patience:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    begun.elapsed()
}

#[test]
fn a_second_start_that_fails_says_why_and_the_leader_goes_on() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let leader = Server::start(&data, &["--database", &url], Disk::Plain, &client).await;
        let member = Member::new(&client, &leader.url, 0, fastrand::Rng::with_seed(1)).await;
        let before = epoch(&postgres);
        let attempt = |data: &Path, listen: &str, more: &[&str]| {
            let data = data.to_str().unwrap();
            let words = ["serve", "--genesis", "sandbox", "--take-over", "on", "--listen", listen, "--database", &url, "--data", data];
            run(&[&words[..], more].concat())
        };
        let refused = |ended: Output, reason: &str| {
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(ended.status.code(), Some(1), "{said}");
            assert!(said.contains(reason) && !said.contains("panicked"), "wanted {reason:?}: {said}");
        };

        let keys = folder.path().join("keys");
        fs::write(&keys, format!("1 {}\n", "77".repeat(32))).unwrap();
        let second = another(&data, "second");
        refused(attempt(&second, "127.0.0.1:0", &["--key-file", keys.to_str().unwrap()]), "vault key 1 is missing or another");
        refused(attempt(&second, leader.url.trim_start_matches("http://"), &[]), "Address already in use");
        refused(attempt(&folder.path().join("empty"), "127.0.0.1:0", &[]), "this database needs it");
        let stranger = another(&data, "stranger");
        fs::write(stranger.join("secrets").join("pepper"), format!("{}\n", "11".repeat(32))).unwrap();
        refused(attempt(&stranger, "127.0.0.1:0", &[]), "this database was made with another pepper");
        // From another venue: its mark is not an entry of this journal.
        let elsewhere = folder.path().join("elsewhere");
        Server::start(&elsewhere, &[], Disk::Plain, &client).await.kill();
        let foreign = another(&data, "foreign");
        fs::copy(elsewhere.join("journal.high"), foreign.join("journal.high")).unwrap();
        refused(attempt(&foreign, "127.0.0.1:0", &[]), "journal damaged");
        refused(attempt(&second, "127.0.0.1:0", &["--tape", "/nowhere"]), "/nowhere");

        assert_eq!(status(&client, &leader, "/readyz").await, Some(200));
        deposit(&client, &leader, &member, "after").await.ok();
        assert_eq!(epoch(&postgres), before, "somebody took the lead");
    });
}

#[test]
fn a_newcomer_that_waited_beside_an_empty_database_is_checked_once_it_is_made() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let [data, other] = ["data", "other"].map(|name| folder.path().join(name));
        let options = ["--database", url.as_str()];
        // Holds the lead of a database without a log and without tables.
        let mut holder = apart(|| Journal::postgres(&url, &folder.path().join("holder")).unwrap());
        apart(|| holder.lead("holder", 1).unwrap());
        let mut early = Server::launch(&other, &options, &[], Disk::Plain);
        until("waiting", PATIENCE, async || early.logged().contains("another node leads")).await;
        let leader = Server::start(&data, &["--database", &url, "--take-over", "on"], Disk::Plain, &client).await;
        let refused = |server: &mut Server, reason: &str| {
            let (ended, said) = server.ended();
            assert!(ended.code() == Some(1) && said.contains(reason) && !said.contains("panicked"), "{said}");
        };
        refused(&mut early, "another node has made this database meanwhile: start again");
        refused(&mut Server::launch(&other, &options, &[], Disk::Plain), "this database needs it");
        assert_eq!(status(&client, &leader, "/readyz").await, Some(200));
        apart(|| drop(holder));
    });
}

#[test]
fn a_paused_leader_that_was_replaced_ends_and_two_nodes_under_a_restart_policy_settle() {
    for cut in [true, false] {
        let postgres = PostgresServer::start();
        let url = postgres.url();
        block_on(async {
            let (folder, client) = (tempfile::tempdir().unwrap(), client());
            let data = folder.path().join("data");
            let options = ["--database", url.as_str()];
            let (mut old, member, mut new) = leader_and_newcomer(&data, &url, &client).await;
            deposit(&client, &old, &member, "before").await.ok();

            // One that waits can be distinguished from one that serves.
            assert_eq!(status(&client, &new, "/healthz").await, Some(200));
            assert_eq!(status(&client, &new, "/readyz").await, Some(503));
            let early = deposit(&client, &new, &member, "early").await;
            assert_eq!((early.status, early.error().as_str()), (503, "E_NOT_READY"), "{}", early.text);
            let mut log = Reader::open(&url, &folder.path().join("reader"));
            let (before, begun) = (log.head(), Instant::now());
            tokio::time::sleep(LEASE + LEASE / 3).await;
            log.expect_idle(before, begun.elapsed());
            drop(log);
            new.expect_alive();
            assert_eq!(status(&client, &new, "/readyz").await, Some(503));
            assert_eq!(status(&client, &old, "/readyz").await, Some(200));

            old.signal("STOP");
            if cut {
                apart(|| postgres.connect().batch_execute(CUT_LEADER).unwrap());
            }
            let taken = until("led by the newcomer", PATIENCE, async || status(&client, &new, "/readyz").await == Some(200)).await;
            println!("cut {cut}: the newcomer serves after {taken:?}");
            // A leader with a live session counts as stalled only after the lease, because an idle one rarely writes.
            let patience = if cut { SETTLED } else { LEASE + SETTLED };
            assert!(taken < patience, "after {taken:?}");
            assert!(deposit(&client, &new, &member, "before").await.replay, "known under its key");
            deposit(&client, &new, &member, "after").await.ok();

            old.signal("CONT");
            let resumed = Instant::now();
            assert_eq!(old.ended().0.code(), Some(1), "{}", old.logged());
            assert!(resumed.elapsed() < SETTLED, "it ended after {:?}", resumed.elapsed());
            assert!(old.logged().contains("another node"), "{}", old.logged());
            let led = epoch(&postgres);
            // The restart policy starts it again.
            old = Server::launch(&data, &options, &[], Disk::Plain);
            until("waiting", PATIENCE, async || old.logged().contains("another node leads")).await;
            tokio::time::sleep(SETTLED).await;
            old.expect_alive();
            new.expect_alive();
            assert_eq!(status(&client, &old, "/readyz").await, Some(503));
            assert_eq!(status(&client, &new, "/readyz").await, Some(200));
            deposit(&client, &new, &member, "settled").await.ok();
            assert_eq!(epoch(&postgres), led, "the lead moved");

            // An orderly stop hands over, too.
            new.stop();
            until("led by the first again", PATIENCE, async || status(&client, &old, "/readyz").await == Some(200)).await;
            deposit(&client, &old, &member, "back").await.ok();
            tokio::time::sleep(Duration::from_secs(1)).await;
            old.expect_alive();
        });
    }
}

/// A suspended process keeps its connections, and PostgreSQL the locks of a transaction that it has begun.
#[test]
fn a_leader_paused_inside_a_transaction_of_rows_does_not_keep_the_newcomer_from_serving() {
    for cut in [true, false] {
        let postgres = PostgresServer::start();
        let url = postgres.url();
        block_on(async {
            let (folder, client) = (tempfile::tempdir().unwrap(), client());
            let data = folder.path().join("data");
            let (mut old, member, mut new) = leader_and_newcomer(&data, &url, &client).await;
            let mut lock = held_up(&postgres, &client, &old, &member).await;
            old.signal("STOP");
            apart(move || {
                lock.batch_execute("rollback").unwrap();
                if cut {
                    lock.batch_execute(CUT_LEADER).unwrap();
                }
            });

            let taken = until("led by the newcomer", PATIENCE, async || status(&client, &new, "/readyz").await == Some(200)).await;
            println!("cut {cut}: the newcomer serves after {taken:?}");
            let patience = if cut { SETTLED } else { LEASE + SETTLED };
            assert!(taken < patience, "after {taken:?}");
            assert!(deposit(&client, &new, &member, "before").await.replay, "known under its key");
            old.signal("CONT");
            assert_eq!(old.ended().0.code(), Some(1), "{}", old.logged());
            new.expect_alive();
        });
    }
}

#[test]
fn a_leader_that_stops_writes_its_last_rows_before_it_hands_over() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let (mut old, member, mut new) = leader_and_newcomer(&data, &url, &client).await;
        let mut lock = held_up(&postgres, &client, &old, &member).await;
        let led = epoch(&postgres);
        old.signal("TERM");
        tokio::time::sleep(Duration::from_secs(4)).await;
        let still = epoch(&postgres);
        apart(move || lock.batch_execute("rollback").unwrap());
        assert_eq!(still, led, "the newcomer leads beside the last rows of the other");

        assert!(old.ended().0.success(), "{}", old.logged());
        until("led by the newcomer", PATIENCE, async || status(&client, &new, "/readyz").await == Some(200)).await;
        assert!(deposit(&client, &new, &member, "before").await.replay, "known under its key");
        new.expect_alive();
    });
}

#[test]
fn a_newcomer_beside_another_writer_of_rows_ends_and_does_not_wait_for_ever() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let (mut old, member, mut new) = leader_and_newcomer(&data, &url, &client).await;
        let mut other = apart(|| {
            let mut other = postgres.connect();
            other.batch_execute("begin; update history set applied_seq = applied_seq + 1 where id = 1").unwrap();
            other
        });
        deposit(&client, &old, &member, "before").await.ok();
        old.kill();
        until("writing rows", PATIENCE, async || new.logged().contains("history rows")).await;
        apart(move || other.batch_execute("commit").unwrap());
        let (ended, said) = new.ended();
        assert!(ended.code() == Some(1) && said.contains("another node writes the history"), "{said}");
        // The restart policy starts it again.
        let mut again = Server::launch(&folder.path().join("new"), &["--database", &url], &[], Disk::Plain);
        again.wait_for(200, &client).await;
        deposit(&client, &again, &member, "after").await.ok();
    });
}

#[test]
fn who_is_told_to_take_over_ends_the_leader() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut old = Server::start(&data, &["--database", &url], Disk::Plain, &client).await;
        let options = ["--database", url.as_str(), "--take-over", "on"];
        let new = Server::start(&another(&data, "new"), &options, Disk::Plain, &client).await;
        assert_eq!(old.ended().0.code(), Some(1));
        assert_eq!(status(&client, &new, "/readyz").await, Some(200));
    });
}

#[test]
fn a_start_without_its_standby_says_what_it_waits_for_and_can_be_stopped() {
    const WAITS: &str = "a commit waits for as long as no standby takes it";
    let postgres = PostgresServer::start();
    let url = postgres.url();
    let standby = |names: &str| {
        apart(|| {
            let mut client = postgres.connect();
            client.batch_execute(&format!("alter system set synchronous_standby_names = '{names}'")).unwrap();
            client.batch_execute("select pg_reload_conf()").unwrap();
        });
    };
    standby("absent");
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        // The first waits for the tables of a new database, the second for a lock that the first has released.
        for _ in 0..2 {
            let mut server = Server::launch(&data, &["--database", &url], &[], Disk::Plain);
            until("listening", PATIENCE, async || status(&client, &server, "/healthz").await == Some(200)).await;
            assert_eq!(status(&client, &server, "/readyz").await, Some(503));
            until("said", PATIENCE, async || server.logged().contains(WAITS)).await;
            let told = Instant::now();
            server.stop();
            assert!(told.elapsed() < SETTLED, "ended after {:?}", told.elapsed());
        }
        let mut server = Server::launch(&data, &["--database", &url], &[], Disk::Plain);
        until("said", PATIENCE, async || server.logged().contains(WAITS)).await;
        standby("");
        server.wait_for(200, &client).await;
        server.stop();
    });
}

//! The answers to callers while PostgreSQL loses its standby, dies, or has a table locked by another session.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use journal::testing::PostgresServer;

use crate::load::Member;
use crate::process::{Answer, Disk, Server, apart, block_on, client, run, write};

/// From now on each commit waits for a standby that does not exist. PostgreSQL adopts the setting with a delay, so this returns once a
/// commit was seen to wait.
fn lose_standby(postgres: &PostgresServer) {
    let (mut client, mut probe) = (postgres.connect(), postgres.connect());
    client.batch_execute("alter system set synchronous_standby_names = 'absent'").unwrap();
    client.batch_execute("select pg_reload_conf()").unwrap();
    let pid: i32 = probe.query_one("select pg_backend_pid()", &[]).unwrap().get(0);
    let waits = "select 1 from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";
    let (waited, begun) = (AtomicBool::new(false), Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !waited.load(Ordering::Relaxed) {
                probe.batch_execute("create table probe (); drop table probe").unwrap();
            }
        });
        while client.query(waits, &[&pid]).unwrap().is_empty() && begun.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
        waited.store(true, Ordering::Relaxed);
        client.query("select pg_cancel_backend($1)", &[&pid]).unwrap();
    });
    assert!(begun.elapsed() < Duration::from_secs(30), "no commit waits for the standby");
}

/// Commits wait for no standby any more.
fn need_no_standby(postgres: &PostgresServer) {
    let mut client = postgres.connect();
    client.batch_execute("alter system set synchronous_standby_names = ''").unwrap();
    client.batch_execute("select pg_reload_conf()").unwrap();
}

/// Sends a signal to these processes.
fn signal(name: &str, processes: &[String]) {
    assert!(Command::new("kill").args(["-s", name]).args(processes).status().unwrap().success());
}

/// All processes of this server of PostgreSQL, the one that began the others first.
fn processes(postgres: &PostgresServer) -> Vec<String> {
    let mut client = postgres.connect();
    let own: i32 = client.query_one("select pg_backend_pid()", &[]).unwrap().get(0);
    let own = PathBuf::from(format!("/proc/{own}"));
    let status = std::fs::read_to_string(own.join("status")).unwrap();
    let first = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().to_owned();
    // Our own backend ends with its connection, and must be gone before the others are listed.
    drop(client);
    while own.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let others = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap();
    std::iter::once(first).chain(others.split_whitespace().map(str::to_owned)).collect()
}

/// Ends the wait of a commit of people for its standby, once there is one.
fn cancel_waiting(postgres: &PostgresServer) {
    let cancel = "select pg_cancel_backend(pid) from pg_stat_activity
                  where application_name <> 'meridian journal' and wait_event = 'SyncRep'";
    let (mut client, begun) = (postgres.connect(), Instant::now());
    while client.query(cancel, &[]).unwrap().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "no commit waits for the standby");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_log_out_that_no_standby_took_is_not_called_done() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let server = Server::start(&folder.path().join("data"), &["--database", &url], Disk::Plain, &client).await;
        let member = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let log_out = || Answer::to(write(&client, &server.url, "/api/user/logout", "", "").header("authorization", &member.token));
        apart(|| lose_standby(&postgres));
        let cancel = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            apart(|| cancel_waiting(&postgres));
        };
        let (answer, ()) = tokio::join!(log_out(), cancel);
        let answer = answer.unwrap();
        assert_eq!((answer.status, answer.error().as_str()), (503, "E_OUTCOME_UNKNOWN"), "{}", answer.text);
    });
}

/// Sends a write while `stall` lets no commit be answered, and again after `resume`. A server that does not answer at all may not even know
/// who asks; then nothing was done.
fn answered_in_time(
    refusals: &[&str],
    reason: &str,
    stall: impl FnOnce(&PostgresServer) + Send,
    resume: impl FnOnce(&PostgresServer) + Send,
) {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let mut server = Server::start(&folder.path().join("data"), &["--database", &url], Disk::Plain, &client).await;
        let mut member = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let form = "currency_id=3&number=1&from_field=change&to_field=lever";
        apart(|| stall(&postgres));
        let asked = Instant::now();
        let doubt = member.post("/api/wallet/change", form, "once").await.unwrap();
        let after = asked.elapsed();
        assert!(doubt.status == 503 && refusals.contains(&doubt.error().as_str()), "{}", doubt.text);
        assert!(after < Duration::from_secs(10), "answered after {after:?}");
        server.wait_for(503, &client).await;
        // Nor does a reader of the log delay others who wait for it.
        let read = async |_| {
            let asked = Instant::now();
            let answer = Answer::to(client.get(format!("{}/api/proof/entries?from=1&limit=10", server.url))).await.expect("an answer");
            assert!([200, 503].contains(&answer.status), "{} {}", answer.status, answer.text);
            assert!(asked.elapsed() < Duration::from_secs(15), "answered after {:?}", asked.elapsed());
        };
        join_all((0..12).map(read)).await;
        let deadline = Instant::now() + Duration::from_secs(30);
        for wait in ["the sequencer waits for the journal to make a group durable", "journal out of reach", reason] {
            // If the log was being read at that moment, the node names that wait instead.
            while !["the sequencer waits for the journal to be read", wait].iter().any(|said| server.logged().contains(said)) {
                assert!(Instant::now() < deadline, "nothing says {wait:?}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        server.expect_alive();
        apart(|| resume(&postgres));
        server.wait_for(200, &client).await;
        // Done by now, whether or not it was before; and only once.
        let first = member.post("/api/wallet/change", form, "once").await.unwrap();
        first.ok();
        let again = member.post("/api/wallet/change", form, "once").await.unwrap();
        assert!(again.replay && again.text == first.text, "{}", again.text);
        assert_eq!(member.rows("wallet/hzhistory", "data").await.len(), 1);
        println!("{reason}: {} after {after:?}, was done: {}", doubt.error(), first.replay);
        assert!(!first.replay || doubt.error() == "E_OUTCOME_UNKNOWN");
        server.stop();
    });
}

#[test]
fn a_write_that_no_standby_takes_is_answered_in_doubt_and_its_key_tells_the_truth() {
    let reason = "a commit waits for as long as no standby takes it, or for a lock";
    answered_in_time(&["E_OUTCOME_UNKNOWN"], reason, lose_standby, need_no_standby);
}

#[test]
fn a_write_to_a_database_that_stands_still_is_answered_in_time_and_its_key_tells_the_truth() {
    let stopped = Mutex::new(Vec::new());
    let stop = |postgres: &PostgresServer| {
        let all = processes(postgres);
        signal("STOP", &all);
        *stopped.lock().unwrap() = all;
    };
    let go_on = |_: &PostgresServer| signal("CONT", &stopped.lock().unwrap());
    answered_in_time(&["E_OUTCOME_UNKNOWN", "E_NOT_READY"], "outcome of a group unknown", stop, go_on);
}

#[test]
fn writes_all_through_a_stall_of_the_database_are_answered_in_time_and_truly() {
    const MEMBERS: usize = 4;
    const ROUNDS: u64 = 20;
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let mut server = Server::start(&folder.path().join("data"), &["--database", &url], Disk::Plain, &client).await;
        let mut members = Vec::new();
        for number in 0..MEMBERS {
            members.push(Member::new(&client, &server.url, number, fastrand::Rng::with_seed(1)).await);
        }
        let all = apart(|| processes(&postgres));
        signal("STOP", &all);
        // Also when the sessions from before are given up, and what is asked for then opens others.
        let send = async |member: &Member, round: u64| {
            tokio::time::sleep(Duration::from_millis(700) * u32::try_from(round).unwrap()).await;
            let form = "currency_id=3&number=1&from_field=change&to_field=lever";
            let request = write(&client, &server.url, "/api/wallet/change", form, &format!("k{round}"));
            let asked = Instant::now();
            let answer = Answer::to(request.header("authorization", &member.token)).await.expect("an answer");
            (round, asked.elapsed(), answer)
        };
        let sent = members.iter().flat_map(|member| (0..ROUNDS).map(move |round| (member, round)));
        let told = join_all(sent.map(|(member, round)| send(member, round))).await;
        signal("CONT", &all);
        let latest = told.iter().map(|(_, after, _)| *after).max().unwrap();
        println!("{} writes, the last answered after {latest:?}", told.len());
        for (round, after, answer) in &told {
            assert_eq!(answer.status, 503, "{}", answer.text);
            assert!(*after < Duration::from_secs(10), "write {round}: {} after {after:?}", answer.error());
        }
        server.wait_for(200, &client).await;
        for (place, member) in members.iter_mut().enumerate() {
            for (round, _, answer) in &told[place * told.len() / MEMBERS..][..told.len() / MEMBERS] {
                let form = "currency_id=3&number=1&from_field=change&to_field=lever";
                let again = member.post("/api/wallet/change", form, &format!("k{round}")).await.unwrap();
                again.ok();
                assert!(
                    !again.replay || answer.error() == "E_OUTCOME_UNKNOWN",
                    "{} was said of write {round}, which was done",
                    answer.error()
                );
            }
            assert_eq!(member.rows("wallet/hzhistory", "data").await.len() as u64, ROUNDS);
        }
        server.stop();
    });
}

#[test]
fn a_lost_database_is_answered_as_not_ready_and_never_as_an_internal_error() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let server = Server::start(&folder.path().join("data"), &["--database", &url], Disk::Plain, &client).await;
        let member = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let (client, asked) = (&client, AtomicUsize::new(0));
        let calls = [
            ("/api/user/center", ""),
            ("/api/coin/list", ""),
            ("/api/user/login", "user_string=nobody@example.com&password=secret1"),
            ("/api/sms_mail", "user_string=a@example.com&type=register"),
            ("/api/wallet/change", "currency_id=3&number=1&from_field=change&to_field=lever"),
        ];
        let until = Instant::now() + Duration::from_secs(12);
        let ask = async |number: usize| {
            let (path, form) = calls[number % calls.len()];
            while Instant::now() < until {
                let key = if path.ends_with("change") { format!("k{}", asked.load(Ordering::Relaxed)) } else { String::new() };
                let request = match form {
                    "" => client.get(format!("{}{path}", server.url)),
                    form => write(client, &server.url, path, form, &key),
                };
                let begun = Instant::now();
                let answer = Answer::to(request.header("authorization", &member.token)).await.expect("an answer");
                assert!([200, 429, 503].contains(&answer.status), "{path}: {} {}", answer.status, answer.text);
                assert!(begun.elapsed() < Duration::from_secs(10), "{path}: answered after {:?}", begun.elapsed());
                asked.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let lost = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            apart(|| drop(postgres));
        };
        tokio::join!(join_all((0..2 * calls.len()).map(ask)), lost);
        println!("{} answers", asked.load(Ordering::Relaxed));
        // A member is not treated as a guest, but asked to come again.
        let sockets = format!("{}/socket.io/?EIO=4&transport=polling", server.url);
        let opened = client.get(&sockets).send().await.unwrap().text().await.unwrap();
        let session = opened.split('"').nth(3).unwrap();
        let line = format!("{sockets}&sid={session}");
        client.post(&line).body(format!("40{{\"token\":\"{}\"}}", member.token)).send().await.unwrap();
        let next = async || client.get(&line).send().await.unwrap().text().await.unwrap();
        // A ping comes first.
        let heard = [next().await, next().await].concat();
        assert!(heard.contains(r#"44{"message":"E_NOT_READY"}"#), "{heard}");
    });
}

#[test]
fn verify_beside_a_running_server_sees_one_instant() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let options = ["--database", url.as_str(), "--house-liquidity", "on"];
        let mut server = Server::start(&data, &options, Disk::Plain, &client).await;
        let member = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let done = AtomicUsize::new(0);
        let busy = async {
            for number in 0.. {
                let form = "currency_id=3&number=1&from_field=change&to_field=lever";
                let request = write(&client, &server.url, "/api/wallet/change", form, &format!("k{number}"));
                Answer::to(request.header("authorization", &member.token)).await.unwrap();
                if done.load(Ordering::Relaxed) > 0 {
                    break;
                }
            }
        };
        let verify = async {
            let words = ["verify", "--data", data.to_str().unwrap(), "--database", url.as_str()];
            for _ in 0..4 {
                let verified = apart(|| run(&words));
                assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
            }
            done.store(1, Ordering::Relaxed);
        };
        tokio::join!(busy, verify);
        server.expect_alive();
    });
}

#[test]
fn a_locked_history_table_lets_the_history_lag_and_writes_go_on() {
    let postgres = PostgresServer::start();
    let url = postgres.url();
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &["--database", &url, "--house-liquidity", "on"], Disk::Plain, &client).await;
        let mut member = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let mut locker = apart(|| postgres.connect());
        apart(|| locker.batch_execute("begin; lock table statement, trades in access exclusive mode").unwrap());
        let (begun, mut moved) = (Instant::now(), 0);
        while begun.elapsed() < Duration::from_secs(40) {
            let form = "currency_id=3&number=0.1&from_field=change&to_field=lever";
            let (asked, request) = (Instant::now(), write(&client, &server.url, "/api/wallet/change", form, &format!("k{moved}")));
            let answer = Answer::to(request.header("authorization", &member.token)).await.unwrap();
            assert!([200, 429].contains(&answer.status), "after {moved}: {} {}", answer.status, answer.text);
            assert!(asked.elapsed() < Duration::from_secs(2), "after {moved}: {:?}", asked.elapsed());
            moved += usize::from(answer.status == 200);
            tokio::time::sleep(Duration::from_millis(80)).await;
        }
        assert_eq!(client.get(format!("{}/readyz", server.url)).send().await.unwrap().status(), 200);
        apart(|| locker.batch_execute("commit").unwrap());
        apart(|| drop(locker));
        let caught_up = Instant::now();
        while member.rows("wallet/hzhistory", "data").await.len() < moved {
            assert!(caught_up.elapsed() < Duration::from_secs(60), "the history lost rows");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        println!("{moved} writes beside the lock");
        server.stop();
        let verified = apart(|| run(&["verify", "--data", data.to_str().unwrap(), "--database", &url]));
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    });
}

#[test]
fn every_session_of_the_server_is_sealed_where_its_address_says_so() {
    let postgres = PostgresServer::start_with_tls();
    let (port, trusted) = (postgres.port(), postgres.certificate());
    let url = format!("postgres://meridian@localhost:{port}/postgres?sslmode=verify-full&sslrootcert={}", trusted.display());
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let server = Server::start(&folder.path().join("data"), &["--database", &url], Disk::Plain, &client).await;
        Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        // Counted at one instant: the counting session is plain, and ends some time after it was closed.
        let text = "select count(*) filter (where ssl), count(*) filter (where not ssl)
                    from pg_stat_ssl join pg_stat_activity using (pid)
                    where backend_type = 'client backend' and pid <> pg_backend_pid()";
        let counts = apart(|| postgres.connect().query_one(text, &[]).unwrap());
        let (sealed, plain): (i64, i64) = (counts.get(0), counts.get(1));
        // One of the journal, and at least one of the people.
        assert!(sealed >= 2 && plain == 0, "{sealed} sealed, {plain} plain");
    });
}

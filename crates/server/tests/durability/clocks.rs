//! A machine whose clock is wrong: at the start, and while the server runs. Then an alarm is raised: an error in the log, and a figure.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use journal::Journal;
use reqwest::Client;

use crate::load::Member;
use crate::process::{Answer, BINARY, Disk, Server, block_on, client, write};

const DAY_MS: i64 = 86_400_000;

/// A live server on a machine whose clock is wrong by the value in `file`.
async fn live(data: &Path, file: &Path, options: &[&str], client: &Client) -> Server {
    let options = [&["--genesis", "live"], options].concat();
    Server::start_with(data, &options, &[("MERIDIAN_TEST_CLOCK", file.to_str().unwrap())], Disk::Plain, client).await
}

/// The message of a refused start.
fn refused(data: &Path, file: &Path) -> String {
    let mut command = std::process::Command::new(BINARY);
    command.args(["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]).env("MERIDIAN_TEST_CLOCK", file);
    let ended = command.output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    String::from_utf8(ended.stderr).unwrap()
}

/// Time of the last entry of a stopped server.
fn last_time(data: &Path) -> i64 {
    let mut journal = Journal::sqlite(data).unwrap();
    let end = journal.head().unwrap().seq;
    journal.read(end, 1).unwrap()[0].records.last().unwrap().time_ms.try_into().unwrap()
}

fn now() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis().try_into().unwrap()
}

fn wrong_by(file: &Path, ms: i64) {
    fs::write(file.with_extension("new"), ms.to_string()).unwrap();
    fs::rename(file.with_extension("new"), file).unwrap();
}

/// The alarm, in the log and as a figure: seconds that the machine's clock is ahead of the server's.
async fn alarm(server: &Server, client: &Client, line: &str) -> f64 {
    let logged = server.logged();
    assert!(logged.lines().any(|logged| logged.contains("ERROR") && logged.contains(line)), "no error says {line:?}: {logged}");
    let metrics = Answer::to(client.get(format!("{}/metrics", server.url))).await.unwrap().text;
    let figure = metrics.lines().find_map(|line| line.strip_prefix("clock_difference_seconds "));
    figure.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap()
}

#[test]
fn a_start_with_a_clock_a_year_ahead_needs_a_word_and_one_with_a_clock_behind_goes_on_from_the_log() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, file) = (folder.path().join("data"), folder.path().join("wrong"));
        live(&data, &file, &[], &client).await.stop();
        wrong_by(&file, 365 * DAY_MS);
        let said = refused(&data, &file);
        assert!(said.contains("ahead of what the stop explains") && said.contains("--accept-clock on"), "{said}");
        let ahead = last_time(&data) - now();
        assert!(ahead.abs() < DAY_MS, "the refused start wrote nothing: {ahead}");
        live(&data, &file, &["--accept-clock", "on"], &client).await.stop();
        let year = last_time(&data);
        assert!((year - now() - 365 * DAY_MS).abs() < DAY_MS / 2);
        // The clock is right again, a year behind the log: time neither stops nor goes back.
        wrong_by(&file, 0);
        let mut server = live(&data, &file, &[], &client).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        server.wait_for(200, &client).await;
        let behind =
            alarm(&server, &client, "the wall clock is behind the log: time goes on from the end of the log at its own pace").await;
        assert!((behind + 365.0 * 86_400.0).abs() < 43_200.0, "{behind}");
        server.stop();
        let went_on = last_time(&data) - year;
        assert!((2_000..DAY_MS / 2).contains(&went_on), "{went_on}");
    });
}

#[test]
fn a_clock_that_jumps_moves_neither_journal_time_nor_sessions_nor_waits() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, file) = (folder.path().join("data"), folder.path().join("wrong"));
        let variables = [("MERIDIAN_TEST_CLOCK", file.to_str().unwrap())];
        let mut server = Server::start_with(&data, &[], &variables, Disk::Plain, &client).await;
        let mut ann = Member::new(&client, &server.url, 1, fastrand::Rng::with_seed(1)).await;
        let url = server.url.clone();
        let log_in = async |password: &str| {
            let form = format!("user_string=load1@example.com&password={password}");
            Answer::to(write(&client, &url, "/api/user/login", &form, "")).await.unwrap().error()
        };
        // Eleven in a row make a wait of 32 s.
        for attempt in 1..=11 {
            if attempt > 6 {
                Answer::to(write(&client, &url, "/sandbox/clock", "advance_ms=60000", "")).await.unwrap().ok();
            }
            assert_eq!(log_in("wrong-1").await, "E_CREDENTIALS", "attempt {attempt}");
        }
        let waits = Instant::now();
        for (jumps, wrong) in (1..).zip([1_000_000, 40 * DAY_MS, -40 * DAY_MS]) {
            wrong_by(&file, wrong);
            tokio::time::sleep(Duration::from_secs(2)).await;
            server.wait_for(200, &client).await;
            assert_eq!(log_in("secret1").await, "E_LOGIN_WAIT", "wrong by {wrong}, {:?} after the last attempt", waits.elapsed());
            let difference = alarm(&server, &client, "the wall clock jumped: it is not followed").await;
            assert!((difference - wrong as f64 / 1_000.0).abs() < 2.0, "{difference}");
            ann.read("wallet/detail?currency=3&type=change").await;
            // It is right for a moment, so the next jump counts separately.
            wrong_by(&file, 0);
            tokio::time::sleep(Duration::from_millis(500)).await;
            assert_eq!(server.logged().matches("the wall clock jumped").count(), jumps);
        }
        server.stop();
        let off = last_time(&data) - now();
        assert!(off.abs() < DAY_MS / 2, "{off}");
    });
}

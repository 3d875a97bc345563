//! `kill -9` of a process that appends: what it had acknowledged is there afterwards.

mod common;

use common::{entries, folder};
use journal::testing::{PostgresServer, size};
use journal::{Head, Journal};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Tells the child where its journal is: a folder, and a PostgreSQL address or nothing.
const DATA: &str = "JOURNAL_TEST_DATA";
const URL: &str = "JOURNAL_TEST_URL";

fn open(data: &Path, url: &str) -> Journal {
    let opened = match url {
        "" => Journal::sqlite(data),
        url => Journal::postgres(url, data),
    };
    opened.expect("opened")
}

/// The process that is killed: appends groups of varying size for ever and prints each acknowledged head.
#[test]
#[ignore = "not a test by itself: the process that the tests below start and kill"]
fn child() {
    let Ok(data) = env::var(DATA) else { return };
    let mut journal = open(Path::new(&data), &env::var(URL).expect("an address"));
    let mut head = journal.lead("child", 1).expect("led").head;
    let mut acks = std::io::stdout();
    loop {
        head = journal.append(&entries(head, 1 + head.seq % 40)).expect("appended");
        writeln!(acks, "ack {} {:?}", head.seq, head.hash).expect("said");
        acks.flush().expect("said");
    }
}

/// Starts the child, kills it after a number of acknowledgements, returns the last of them.
fn run_and_kill(data: &Path, url: &str, acks: u64) -> String {
    let mut child = Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(DATA, data)
        .env(URL, url)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut said = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let is_ack = |line: &String| line.starts_with("ack ");
    let mut last = String::new();
    for _ in 0..acks {
        last = said.by_ref().map_while(Result::ok).find(is_ack).expect("an acknowledgement");
    }
    child.kill().expect("killed");
    // Lines printed before the kill but not read yet count, too; a line cut by the kill does not.
    for line in said.map_while(Result::ok).filter(|line| is_ack(line) && line.ends_with(']')) {
        last = line;
    }
    child.wait().expect("ended");
    last
}

fn nothing_acknowledged_is_lost(url: &str) {
    let data = folder();
    let mut before = 0;
    for cycle in 0..size(10, 100) {
        let last = run_and_kill(data.path(), url, 1 + cycle % 10 * 17);
        let mut journal = open(data.path(), url);
        let mut heads = Vec::new();
        let end = journal.verify(|group| heads.push(group.head())).expect("verified");
        let said = |head: &Head| format!("ack {} {:?}", head.seq, head.hash);
        assert!(heads.iter().any(|head| said(head) == last), "lost: {last}; the end is {}", end.seq);
        assert!(end.seq > before, "the child appended");
        before = end.seq;
    }
}

#[test]
fn sqlite_loses_nothing_acknowledged() {
    nothing_acknowledged_is_lost("");
}

#[test]
fn postgres_loses_nothing_acknowledged() {
    let server = PostgresServer::start();
    nothing_acknowledged_is_lost(&server.url());
}

//! The k-th disk call of the SQLite journal fails: each answer must still be true.

mod common;

use common::{entries, folder};
use journal::{AppendError, Journal};
use std::env;
use std::path::Path;
use std::process::Command;

const DATA: &str = "JOURNAL_TEST_DATA";
const GROUPS: usize = 12;
const GROUP: u64 = 3;

/// Appends groups under injected errors and prints the answers: `ack` with the entry that is then certainly the last.
#[test]
#[ignore = "not a test by itself: the process in which the test below injects errors"]
fn child() {
    let Ok(data) = env::var(DATA) else { return };
    let data = Path::new(&data);
    // Each thread meets one error, so a second attempt usually succeeds where the first was refused.
    let open = || Journal::sqlite(data).or_else(|_| Journal::sqlite(data));
    let lead = |journal: &mut Journal| {
        let lease = journal.lead("child", 1).or_else(|_| journal.lead("child", 2));
        lease.map(|lease| lease.head).ok()
    };
    let Ok(mut journal) = open() else { return };
    let Some(mut head) = lead(&mut journal) else { return };
    for _ in 0..GROUPS {
        match journal.append(&entries(head, GROUP)) {
            Ok(next) => {
                head = next;
                println!("ack {}", head.seq);
            }
            Err(AppendError::NotWritten(why)) => {
                // Ended at once, the hardest test that nothing was written.
                println!("refused {why}");
                std::process::abort();
            }
            Err(AppendError::Unknown(why)) => {
                println!("unknown {why}");
                let Some(truth) = lead(&mut journal) else { return };
                assert!(truth.seq == head.seq || truth.seq == head.seq + GROUP);
                head = truth;
                println!("ack {}", head.seq);
            }
            Err(AppendError::Fenced) => unreachable!("nobody else leads"),
        }
    }
}

#[derive(Default)]
struct Seen {
    unknown: usize,
    refused: usize,
    untouched: usize,
}

#[test]
fn every_answer_is_true_when_a_disk_call_fails() {
    let mut seen = Seen::default();
    for call in ["fsync,fdatasync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=ENOSPC", "ftruncate:error=EIO"] {
        for when in (1..40).step_by(3) {
            inject(&format!("{call}:when={when}"), &mut seen);
        }
    }
    // If the errors did not reach every kind of answer, this test shows nothing.
    assert!(seen.unknown > 5 && seen.untouched > 5, "{} unknown, {} untouched", seen.unknown, seen.untouched);
    println!("{} unknown, {} refused, {} untouched", seen.unknown, seen.refused, seen.untouched);
}

fn inject(fault: &str, seen: &mut Seen) {
    let data = folder();
    let run = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync,pwrite64,ftruncate", "-e"])
        .arg(format!("inject={fault}"))
        .arg(env::current_exe().expect("this program"))
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(DATA, data.path())
        .output()
        .expect("strace is needed: apt-get install -y --no-install-recommends strace");
    let said = String::from_utf8_lossy(&run.stdout);
    let errors = String::from_utf8_lossy(&run.stderr);
    let refused = said.matches("refused ").count();
    assert!(run.status.success() || refused == 1, "{fault}: {said}\n{errors}");
    let last_line = said.lines().rfind(|line| line.starts_with("ack ") || line.starts_with("unknown "));
    let mut acks = said.lines().filter_map(|line| line.strip_prefix("ack "));
    let acknowledged = acks.next_back().map_or(0, |seq| seq.parse::<u64>().expect("a number"));
    // Only a child that gave up in doubt may leave a group without an acknowledgement.
    let in_doubt = last_line.is_some_and(|line| line.starts_with("unknown "));
    let mut journal = Journal::sqlite(data.path()).expect("opened");
    let found = journal.verify(|_| ()).expect("verified").seq;
    let allowed = found == acknowledged || (in_doubt && found == acknowledged + GROUP);
    assert!(allowed, "{fault}: found {found}; {said}");
    let unknown = said.matches("unknown ").count();
    seen.unknown += unknown;
    seen.refused += refused;
    seen.untouched += usize::from(unknown + refused == 0);
}

#[test]
fn a_commit_does_not_wait_for_the_times_of_a_file() {
    let (data, calls) = (folder(), folder());
    let calls = calls.path().join("calls");
    let run = Command::new("strace")
        .args(["-f", "-y", "-e", "trace=fsync,fdatasync", "-o"])
        .arg(&calls)
        .arg(env::current_exe().expect("this program"))
        .args(["--exact", "child", "--ignored"])
        .env(DATA, data.path())
        .output()
        .expect("strace is needed: apt-get install -y --no-install-recommends strace");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let calls = std::fs::read_to_string(calls).expect("calls");
    let of_the_log = |call: &str| calls.lines().filter(|line| line.contains("journal.db-wal") && line.contains(call)).count();
    // `.cargo/config.toml` asks for it; an fsync would commit the file system's own journal too.
    assert_eq!(of_the_log(" fsync("), 0, "{calls}");
    assert!(of_the_log(" fdatasync(") >= GROUPS, "{calls}");
}

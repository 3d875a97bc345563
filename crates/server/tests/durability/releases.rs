//! Files of other releases: a log that this one cannot read, or that records another state than its entries give here, is refused with the
//! reason and stays as it is; a snapshot of another form is skipped.

use std::path::{Path, PathBuf};

use engine::command::{Command, Entry};
use engine::feature::Feature;
use engine::ids::{Digest, Seq};
use engine::snapshot::FORMAT;
use engine::time::Time;
use journal::{Head, Journal, Record, Snapshot};
use kernel::replay;
use sha2::{Digest as _, Sha256};

use crate::load::Member;
use crate::process::{Disk, Server, apart, block_on, client, copy, run};

/// The kind of an entry that activates a rule, and that of a clock entry.
const ACTIVATE: u16 = 5;
const CLOCK: u16 = 2;

/// A copy of this stopped server's data with one more entry; returns where the log ends now.
fn with_entry(data: &Path, name: &str, change: impl FnOnce(Head, &mut Record)) -> (PathBuf, Head) {
    let folder = data.with_file_name(name);
    copy(data, &folder);
    let mut journal = Journal::sqlite(&folder).unwrap();
    let head = journal.head().unwrap();
    let time_ms = journal.read(head.seq, 1).unwrap()[0].records.last().unwrap().time_ms;
    let clock = Entry { seq: Seq(head.seq + 1), time: Time(time_ms), request: None, command: Command::Clock };
    let mut record = replay::record_of(&clock, [0; 16]);
    change(head, &mut record);
    journal.lead("another release", time_ms).unwrap();
    let end = journal.append(&[record]).unwrap();
    (folder, end)
}

/// Neither serves nor verifies this, gives the reason without a panic, and does not change the length of the log.
fn refused(data: &Path, end: Head, reason: &str) {
    let folder = data.to_str().unwrap();
    let serve = ["serve", "--genesis", "sandbox", "--chart-days", "1", "--listen", "127.0.0.1:0", "--data", folder];
    for words in [&serve[..], &["verify", "--data", folder]] {
        let ended = run(words);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{reason}: {said}");
        assert!(said.contains(reason) && !said.contains("panicked"), "{} wanted {reason:?}: {said}", words[0]);
        let mut journal = Journal::sqlite(data).unwrap();
        assert_eq!(journal.verify(|_| ()).unwrap(), end, "{reason}");
    }
}

#[test]
fn a_log_that_this_release_cannot_read_or_does_not_agree_with_is_refused_and_left_as_it_is() {
    let (folder, client) = (tempfile::tempdir().unwrap(), client());
    let data = folder.path().join("data");
    block_on(async { Server::start(&data, &[], Disk::Plain, &client).await.stop() });
    let of_kind = |kind: u16, version: u8| {
        move |_: Head, record: &mut Record| {
            (record.kind, record.version) = (kind, version);
        }
    };
    let newer = |what: &str| format!("entry of unknown kind {what}: a newer release wrote this log");
    let of_state = |head: Head, record: &mut Record| {
        let command = Command::RecordState { seq: Seq(head.seq), form: FORMAT, hash: Digest([7; 32]) };
        let entry = Entry { seq: Seq(record.seq), time: Time(record.time_ms), request: None, command };
        *record = replay::record_of(&entry, [0; 16]);
    };
    let next_feature = |_: Head, record: &mut Record| {
        (record.kind, record.public) = (ACTIVATE, vec![u8::try_from(Feature::ALL.len()).unwrap()]);
    };
    let (kind, kind_end) = with_entry(&data, "kind", of_kind(60_000, 1));
    let (version, version_end) = with_entry(&data, "version", of_kind(CLOCK, 2));
    let (feature, feature_end) = with_entry(&data, "feature", next_feature);
    let (state, state_end) = with_entry(&data, "state", of_state);
    let another_state = format!("the state after entry {} is not the one that the log recorded", state_end.seq - 1);
    std::thread::scope(|scope| {
        scope.spawn(|| refused(&kind, kind_end, &newer("60000 version 1")));
        scope.spawn(|| refused(&version, version_end, &newer("2 version 2")));
        scope.spawn(|| refused(&feature, feature_end, &newer("5 version 1")));
        scope.spawn(|| refused(&state, state_end, &another_state));
    });
}

#[test]
fn a_snapshot_of_another_form_is_passed_over_and_the_log_is_replayed() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        let mut ann = Member::new(&client, &server.url, 1, fastrand::Rng::with_seed(1)).await;
        let before = ann.read("wallet/detail?currency=3&type=change").await;
        server.stop();
        apart(|| {
            let mut journal = Journal::sqlite(&data).unwrap();
            let Snapshot { head, mut bytes, .. } = journal.snapshot(u64::MAX).unwrap().expect("one of the stop");
            // The number of the form comes first. The rest of a later form may look the same, with correct hashes.
            assert_eq!(bytes[0], u8::try_from(FORMAT).unwrap());
            bytes[0] += 1;
            journal.save_snapshot(&Snapshot { head, state_hash: Sha256::digest(&bytes).into(), bytes }).unwrap();
        });
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        assert!(server.logged().contains("snapshot of another form: not used"), "{}", server.logged());
        ann.meet(&server.url);
        assert_eq!(ann.read("wallet/detail?currency=3&type=change").await, before);
        server.stop();
        let verified = run(&["verify", "--data", data.to_str().unwrap()]);
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    });
}

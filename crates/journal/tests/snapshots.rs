//! Snapshots are written in pieces apart from the journal, are published whole or not at all, and are accepted only as they were written.

mod common;

use common::{Place, append, expected_head};
use journal::{Error, Head, Journal, Snapshot};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::thread;

const MIB: usize = 1 << 20;

/// A snapshot of several pieces, all different.
fn snapshot_at(head: Head) -> Snapshot {
    let bytes = (0..3 * MIB + 1_234).map(|at| ((at * 31) >> 7) as u8 ^ (at / MIB * 16) as u8 ^ head.seq as u8).collect();
    Snapshot { head, state_hash: [head.seq as u8; 32], bytes }
}

fn places() -> [Place; 3] {
    [Place::sqlite(), Place::postgres(), Place::memory()]
}

fn sql(place: &Place) -> postgres::Client {
    let Place::Postgres(server, _) = place else { unreachable!() };
    postgres::Client::connect(&server.url(), postgres::NoTls).expect("connected")
}

fn count(place: &Place, what: &str) -> i64 {
    sql(place).query_one(&format!("select count(*) from {what}"), &[]).expect("counted").get(0)
}

/// The remains of unfinished drafts.
fn leftovers(place: &Place) -> usize {
    match place {
        Place::Sqlite(data) => {
            let names = fs::read_dir(data.path().join("snapshots")).expect("a folder").map(|entry| entry.expect("an entry").path());
            names.filter(|path| path.extension().is_some_and(|end| end == "new")).count()
        }
        Place::Postgres(..) => {
            let orphans = "journal_snapshot_piece where draft not in (select draft from journal_snapshot where draft is not null)";
            usize::try_from(count(place, orphans)).expect("a count")
        }
        Place::Memory(_) => 0,
    }
}

/// Panics without the bytes when another one is found.
fn assert_newest(journal: &mut Journal, at_most: u64, expected: Option<Snapshot>, why: &str) {
    let found = journal.snapshot(at_most).expect("asked");
    let head = |snapshot: &Option<Snapshot>| snapshot.as_ref().map(|snapshot| snapshot.head);
    assert_eq!(head(&found), head(&expected), "{why}");
    assert!(found == expected, "other bytes: {why}");
}

#[test]
fn a_draft_that_a_crash_cut_short_leaves_the_previous_snapshot_whole() {
    for place in places() {
        let mut journal = place.lead();
        let first = append(&mut journal, 2);
        journal.save_snapshot(&snapshot_at(first)).expect("saved");
        let second = append(&mut journal, 2);
        // Of a new entry, and of the one that has a snapshot.
        for head in [second, first] {
            let mut snapshots = journal.snapshots();
            let mut draft = snapshots.begin(head).expect("begun");
            draft.write(&snapshot_at(second).bytes[..2 * MIB]).expect("written");
        }
        drop(journal);
        assert_eq!(leftovers(&place) > 0, !matches!(place, Place::Memory(_)));
        let mut journal = place.lead();
        assert_newest(&mut journal, u64::MAX, Some(snapshot_at(first)), "");
        journal.snapshots().clean().expect("cleaned");
        assert_eq!(leftovers(&place), 0);
        assert_newest(&mut journal, u64::MAX, Some(snapshot_at(first)), "");
        journal.save_snapshot(&snapshot_at(second)).expect("saved");
        assert_newest(&mut journal, u64::MAX, Some(snapshot_at(second)), "");
        assert_eq!(leftovers(&place), 0);
    }
}

#[test]
fn postgres_gets_pieces_of_one_mebibyte_and_loses_those_of_deleted_snapshots() {
    let place = Place::postgres();
    let mut journal = place.lead();
    for _ in 0..5 {
        let head = append(&mut journal, 1);
        // The second one replaces the first.
        journal.save_snapshot(&snapshot_at(head)).expect("saved");
        journal.save_snapshot(&snapshot_at(head)).expect("saved");
    }
    assert_eq!(count(&place, "journal_snapshot"), 3);
    assert_eq!(count(&place, "journal_snapshot_piece"), 3 * 3);
    assert_eq!(count(&place, "journal_snapshot_piece where length(content) <> 1048576"), 0);
    assert_newest(&mut journal, u64::MAX, Some(snapshot_at(expected_head(5))), "");
}

#[test]
fn a_missing_changed_or_swapped_piece_is_refused() {
    let meddling = [
        "delete from journal_snapshot_piece where draft = $draft and number = 1",
        "delete from journal_snapshot_piece where draft = $draft and number = 2",
        "update journal_snapshot_piece set content = set_byte(content, 9, get_byte(content, 9) # 4) where draft = $draft and number = 2",
        "update journal_snapshot_piece set number = 7 where draft = $draft and number = 1;
         update journal_snapshot_piece set number = 1 where draft = $draft and number = 2;
         update journal_snapshot_piece set number = 2 where draft = $draft and number = 7",
        "update journal_snapshot set content = set_byte(content, 9, get_byte(content, 9) # 4) where draft = $draft",
        "update journal_snapshot set draft = null where draft = $draft",
    ];
    let place = Place::postgres();
    let mut journal = place.lead();
    let first = append(&mut journal, 2);
    journal.save_snapshot(&snapshot_at(first)).expect("saved");
    let second = append(&mut journal, 2);
    for command in meddling {
        journal.save_snapshot(&snapshot_at(second)).expect("saved");
        assert_newest(&mut journal, u64::MAX, Some(snapshot_at(second)), "");
        let newest_draft = "(select draft from journal_snapshot where seq = 4)";
        sql(&place).batch_execute(&command.replace("$draft", newest_draft)).expect("altered");
        assert_newest(&mut journal, u64::MAX, Some(snapshot_at(first)), command);
    }
}

#[test]
fn a_draft_that_another_writer_removed_is_not_published() {
    let place = Place::postgres();
    let mut journal = place.lead();
    let head = append(&mut journal, 2);
    let (mut one, mut other) = (journal.snapshots(), journal.snapshots());
    let mut removed = one.begin(head).expect("begun");
    removed.write(&snapshot_at(head).bytes).expect("written");
    let mut draft = other.begin(head).expect("begun");
    draft.write(&snapshot_at(head).bytes).expect("written");
    assert!(matches!(removed.finish([2; 32]), Err(Error::Invalid(_))));
    draft.finish([2; 32]).expect("finished");
    assert_newest(&mut journal, u64::MAX, Some(snapshot_at(head)), "");
}

#[test]
fn a_snapshot_of_another_chain_is_not_published_beside_a_writer() {
    let place = Place::postgres();
    let mut journal = place.lead();
    append(&mut journal, 2);
    let mut snapshots = journal.snapshots();
    for wrong in [Head { seq: 2, hash: [9; 32] }, expected_head(1), expected_head(3)] {
        let draft = snapshots.begin(wrong).expect("begun");
        assert!(matches!(draft.finish([1; 32]), Err(Error::Invalid(_))));
    }
    assert_newest(&mut journal, u64::MAX, None, "");
}

#[test]
fn an_append_does_not_wait_for_a_snapshot_that_the_database_holds_up() {
    let place = Place::postgres();
    let mut journal = place.lead();
    let head = append(&mut journal, 2);
    let mut snapshots = journal.snapshots();
    snapshots.clean().expect("cleaned");
    let mut locking = sql(&place);
    let mut lock = locking.transaction().expect("begun");
    lock.batch_execute("lock table journal_snapshot_piece in exclusive mode").expect("locked");
    let writing = thread::spawn(move || {
        // Held up until the lock is gone, or refused if that takes longer than a session waits for locks.
        let written = snapshots.begin(head).and_then(|mut draft| draft.write(&snapshot_at(head).bytes));
        drop(written);
    });
    let waits = "select count(*) from pg_stat_activity where application_name = 'meridian snapshots' and wait_event_type = 'Lock'";
    while !writing.is_finished() && sql(&place).query_one(waits, &[]).expect("asked").get::<_, i64>(0) == 0 {
        thread::yield_now();
    }
    assert_eq!(append(&mut journal, 2), expected_head(4));
    lock.rollback().expect("unlocked");
    writing.join().expect("ended");
}

/// A snapshot as release 2.5.8 wrote it: one value, with the state's hash before the state.
fn one_value(snapshot: &Snapshot) -> Vec<u8> {
    let Snapshot { head, state_hash, bytes } = snapshot;
    let mut value = [b"MDNSNAP1".as_slice(), &head.seq.to_be_bytes(), &head.hash, state_hash, bytes].concat();
    let digest = Sha256::digest(&value);
    value.extend_from_slice(&digest);
    value
}

fn file(place: &Place, seq: u64) -> PathBuf {
    let Place::Sqlite(data) = place else { unreachable!() };
    data.path().join(format!("snapshots/{seq:020}.snapshot"))
}

#[test]
fn snapshots_of_one_value_open_and_give_way_to_newer_ones() {
    let small = |head: Head| Snapshot { bytes: b"the state".to_vec(), ..snapshot_at(head) };
    let place = Place::sqlite();
    let mut journal = place.lead();
    let head = append(&mut journal, 2);
    let value = one_value(&small(head));
    // The bytes themselves are frozen, not only the test's reading of them.
    let digest: String = Sha256::digest(&value).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "01f8eae2948a4769b1b7a1470e963c990df180edd0c0f73b6b7eb633410cd40d");
    fs::write(file(&place, 2), value).expect("written");
    assert_newest(&mut journal, u64::MAX, Some(small(head)), "");

    let place = Place::postgres();
    let mut journal = place.lead();
    // The tables and rows as that release made them.
    sql(&place).batch_execute("drop table journal_snapshot_piece; alter table journal_snapshot drop column draft").expect("altered");
    let insert = "insert into journal_snapshot values ($1, $2)";
    for seq in [2_i64, 4, 6] {
        let head = append(&mut journal, 2);
        sql(&place).execute(insert, &[&seq, &one_value(&small(head))]).expect("inserted");
    }
    drop(journal);
    let mut journal = place.lead();
    assert_newest(&mut journal, u64::MAX, Some(small(expected_head(6))), "");
    let head = append(&mut journal, 2);
    for head in [expected_head(6), head] {
        journal.save_snapshot(&snapshot_at(head)).expect("saved");
        assert_newest(&mut journal, u64::MAX, Some(snapshot_at(head)), "");
    }
    assert_newest(&mut journal, 5, Some(small(expected_head(4))), "");
}

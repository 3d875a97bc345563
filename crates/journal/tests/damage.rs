//! Damage and tampering are noticed, at opening or by `verify`; nothing is silently shortened.

mod common;

use common::{Place, append, copy_files, entries, expected_head, folder};
use journal::testing::PostgresServer;
use journal::{Error, Head, Journal, MemoryDatabase, Snapshot};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// Changes to rows that someone with the database could make, in SQL that both databases understand, after nine
/// groups of two. The lease row is made to agree where a meddler would do so.
const MEDDLING: [(&str, &str); 17] = [
    ("flip a bit of a body", "update journal set body = $flip(body) where seq = 8"),
    ("flip a bit of the last body", "update journal set body = $flip(body) where seq = 18"),
    ("cut a body", "update journal set body = substr(body, 1, 30) where seq = 8"),
    ("empty a body", "update journal set body = substr(body, 1, 0) where seq = 8"),
    ("change a hash", "update journal set hash = $flip(hash) where seq = 8"),
    ("change the hash before", "update journal set prev_hash = $flip(prev_hash) where seq = 8"),
    ("change an epoch", "update journal set epoch = 2 where seq = 8"),
    ("change a version", "update journal set version = 2 where seq = 8"),
    ("change a time", "update journal set time_ms = time_ms + 1 where seq = 8"),
    ("change what was durable", "update journal set durable_to = durable_to - 1 where seq = 8"),
    ("put a body in another's place", "update journal set body = (select body from journal where seq = 10) where seq = 8"),
    ("delete a row", "delete from journal where seq = 8"),
    ("delete the first row", "delete from journal where seq = 2"),
    ("delete the last row", "delete from journal where seq = 18"),
    ("delete everything", "delete from journal"),
    ("cut the tail", "delete from journal where seq > 12; update $lease set last_seq = 12"),
    ("cut everything", "delete from journal; update $lease set last_seq = 0"),
];

fn nine_groups(journal: &mut Journal) {
    journal.lead("test", 1).expect("led");
    for _ in 0..9 {
        append(journal, 2);
    }
}

/// Opening or verifying must say `Damaged`.
fn assert_noticed(name: &str, opened: Result<Journal, Error>) {
    let found = opened.and_then(|mut journal| journal.verify(|_| ()));
    assert!(matches!(found, Err(Error::Damaged { .. })), "{name}: {found:?}");
}

fn alter_sqlite(data: &Path, command: &str) {
    let file = Connection::open(data.join("journal.db")).expect("opened");
    let flip = |context: &rusqlite::functions::Context<'_>| {
        let mut bytes: Vec<u8> = context.get(0)?;
        bytes[20] ^= 4;
        Ok(bytes)
    };
    let flags = rusqlite::functions::FunctionFlags::SQLITE_UTF8;
    file.create_scalar_function("flip", 1, flags, flip).expect("a function");
    file.execute_batch(command).expect("altered");
}

#[test]
fn meddling_with_sqlite_rows_is_noticed() {
    for (name, command) in MEDDLING {
        let place = folder();
        nine_groups(&mut Journal::sqlite(place.path()).expect("opened"));
        let command = command.replace("$flip", "flip").replace("$lease", "lease");
        alter_sqlite(place.path(), &command);
        assert_noticed(name, Journal::sqlite(place.path()));
    }
}

#[test]
fn meddling_with_postgres_rows_is_noticed() {
    let server = PostgresServer::start();
    let flip = "create function flip(bytes bytea) returns bytea language sql
                as 'select set_byte($1, 20, get_byte($1, 20) # 4)'";
    for (number, (name, command)) in MEDDLING.iter().enumerate() {
        let url = server.create_database(&format!("meddled_{number}"));
        let data = folder();
        nine_groups(&mut Journal::postgres(&url, data.path()).expect("opened"));
        let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("connected");
        client.batch_execute(flip).expect("a function");
        let command = command.replace("$flip", "flip").replace("$lease", "journal_lease");
        client.batch_execute(&command).expect("altered");
        assert_noticed(name, Journal::postgres(&url, data.path()));
    }
}

#[test]
fn any_changed_byte_in_memory_is_noticed() {
    let database = MemoryDatabase::new();
    let mut journal = Journal::memory(&database).expect("opened");
    nine_groups(&mut journal);
    let body_len = 100;
    for at in 0..body_len {
        let flip = |body: &mut Vec<u8>| {
            let at = at % body.len();
            body[at] ^= 1;
        };
        database.damage(8, flip);
        assert_noticed("flip", Journal::memory(&database));
        database.damage(8, flip);
    }
    assert_eq!(journal.verify(|_| ()).expect("restored"), expected_head(18));
}

/// A live journal's files as a crash leaves them: the log still holds everything.
fn crashed() -> tempfile::TempDir {
    let place = folder();
    let mut journal = Journal::sqlite(place.path()).expect("opened");
    nine_groups(&mut journal);
    let image = folder();
    copy_files(place.path(), image.path());
    image
}

#[test]
fn a_crash_image_is_whole() {
    let image = crashed();
    let mut journal = Journal::sqlite(image.path()).expect("opened");
    assert_eq!(journal.verify(|_| ()).expect("verified"), expected_head(18));
}

#[test]
fn a_log_that_lost_its_tail_is_noticed() {
    // SQLite silently ends its log at the first bad frame; the high-water file remembers.
    let flip_at = |share: usize| {
        let image = crashed();
        let log = image.path().join("journal.db-wal");
        let mut bytes = fs::read(&log).expect("a log");
        let at = bytes.len() * share / 10;
        bytes[at] ^= 1;
        fs::write(&log, bytes).expect("written");
        assert_noticed("a flipped bit", Journal::sqlite(image.path()));
    };
    [2, 4, 6, 8].into_iter().for_each(flip_at);
    let image = crashed();
    fs::remove_file(image.path().join("journal.db-wal")).expect("removed");
    assert_noticed("a missing log", Journal::sqlite(image.path()));
}

#[test]
fn a_torn_high_water_slot_is_tolerated_but_not_two() {
    let tear = |slots: &[usize]| {
        let place = Place::sqlite();
        nine_groups(&mut place.open());
        let Place::Sqlite(data) = &place else { unreachable!() };
        let path = data.path().join("journal.high");
        let mut bytes = fs::read(&path).expect("read");
        for slot in slots {
            bytes[slot * 4096 + 20] ^= 1;
        }
        fs::write(&path, bytes).expect("written");
        place.try_open().map(|mut journal| {
            journal.lead("test", 2).expect("led");
            append(&mut journal, 1)
        })
    };
    assert_eq!(tear(&[0]).expect("opened"), expected_head(19));
    assert_eq!(tear(&[1]).expect("opened"), expected_head(19));
    assert!(matches!(tear(&[0, 1]), Err(Error::Damaged { .. })));
}

#[test]
fn the_high_water_file_reaches_the_last_group_when_the_journal_is_closed() {
    for groups in 1..4 {
        let place = Place::sqlite();
        let mut journal = place.lead();
        for _ in 0..groups {
            append(&mut journal, 1);
        }
        drop(journal);
        let Place::Sqlite(data) = &place else { unreachable!() };
        alter_sqlite(data.path(), &format!("delete from journal where seq = {groups}; update lease set last_seq = {groups} - 1"));
        assert_noticed("the last group", place.try_open());
    }
}

#[test]
fn a_high_water_file_that_is_missing_or_of_another_journal_is_refused() {
    let place = Place::sqlite();
    nine_groups(&mut place.open());
    let Place::Sqlite(data) = &place else { unreachable!() };
    let path = data.path().join("journal.high");
    let own = fs::read(&path).expect("read");
    fs::remove_file(&path).expect("removed");
    assert!(matches!(place.try_open(), Err(Error::Damaged { .. })));

    let other = folder();
    let mut journal = Journal::sqlite(other.path()).expect("opened");
    let lease = journal.lead("test", 1).expect("led");
    let mut different = entries(lease.head, 4);
    different[0].kind += 1;
    journal.append(&different).expect("appended");
    drop(journal);
    fs::copy(other.path().join("journal.high"), &path).expect("copied");
    assert!(matches!(place.try_open(), Err(Error::Damaged { .. })));

    fs::write(&path, own).expect("put back");
    assert_eq!(place.open().verify(|_| ()).expect("verified"), expected_head(18));
}

fn snapshot_at(head: Head) -> Snapshot {
    Snapshot { head, state_hash: [1; 32], bytes: vec![2; 500] }
}

#[test]
fn a_damaged_snapshot_is_passed_over() {
    let place = Place::sqlite();
    let mut journal = place.lead();
    for _ in 0..3 {
        let head = append(&mut journal, 2);
        journal.save_snapshot(&snapshot_at(head)).expect("saved");
    }
    let Place::Sqlite(data) = &place else { unreachable!() };
    let file = |seq: u64| data.path().join(format!("snapshots/{seq:020}.snapshot"));
    let mut newest = fs::read(file(6)).expect("read");
    newest[300] ^= 1;
    fs::write(file(6), newest).expect("written");
    let found = journal.snapshot(u64::MAX).expect("asked");
    assert_eq!(found, Some(snapshot_at(expected_head(4))));
    let cut = fs::read(file(4)).expect("read")[..60].to_vec();
    fs::write(file(4), cut).expect("written");
    let found = journal.snapshot(u64::MAX).expect("asked");
    assert_eq!(found, Some(snapshot_at(expected_head(2))));
    fs::write(file(2), []).expect("written");
    assert_eq!(journal.snapshot(u64::MAX).expect("asked"), None);
}

#[test]
fn a_snapshot_beyond_the_end_shows_that_entries_are_lost() {
    let (place, other) = (Place::sqlite(), Place::sqlite());
    append(&mut place.lead(), 2);
    let mut longer = other.lead();
    append(&mut longer, 2);
    let head = append(&mut longer, 2);
    longer.save_snapshot(&snapshot_at(head)).expect("saved");
    let (Place::Sqlite(data), Place::Sqlite(from)) = (&place, &other) else { unreachable!() };
    copy_files(&from.path().join("snapshots"), &data.path().join("snapshots"));
    assert!(matches!(place.open().snapshot(u64::MAX), Err(Error::Damaged { .. })));
}

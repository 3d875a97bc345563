//! Requirements that every database must meet alike.

mod common;

use common::{Place, append, entries, expected_head};
use journal::{AppendError, Error, Group, Head, Snapshot};

type Case = (&'static str, fn(&Place));

const CASES: [Case; 8] = [
    ("what was appended is read back", what_was_appended_is_read_back),
    ("a wrong sequence number is refused", a_wrong_sequence_number_is_refused),
    ("groups may be sealed ahead", groups_may_be_sealed_ahead),
    ("only a leader appends", only_a_leader_appends),
    ("everything is there after opening again", everything_is_there_after_opening_again),
    ("a replay must continue its chain", a_replay_must_continue_its_chain),
    ("snapshots: the newest three are kept", the_newest_three_snapshots_are_kept),
    ("snapshots: only of this history", a_snapshot_of_another_history_is_refused),
];

fn run(new: fn() -> Place) {
    for (name, case) in CASES {
        println!("case: {name}");
        case(&new());
    }
}

#[test]
fn sqlite_conforms() {
    run(Place::sqlite);
}

#[test]
fn postgres_conforms() {
    run(Place::postgres);
}

#[test]
fn memory_conforms() {
    run(Place::memory);
}

fn what_was_appended_is_read_back(place: &Place) {
    let mut journal = place.lead();
    for count in [1, 5, 32] {
        append(&mut journal, count);
    }
    let end = expected_head(38);
    assert_eq!(journal.head().expect("head"), end);
    let groups = journal.read(1, 10).expect("read");
    let sizes: Vec<usize> = groups.iter().map(|group| group.records.len()).collect();
    assert_eq!(sizes, [1, 5, 32]);
    let records: Vec<_> = groups.iter().flat_map(|group| group.records.clone()).collect();
    assert_eq!(records, entries(Head::GENESIS, 38));
    assert_eq!(groups.iter().map(Group::durable_to).collect::<Vec<_>>(), [0, 1, 6]);
    // A sequence number inside a group finds that group; one beyond the end finds nothing.
    assert_eq!(journal.read(3, 1).expect("read"), groups[1..2]);
    assert_eq!(journal.read(39, 1).expect("read"), []);
    assert_eq!(journal.read(u64::MAX, usize::MAX).expect("read"), []);
    let mut seen = 0;
    assert_eq!(journal.verify(|group| seen += group.records.len()).expect("verified"), end);
    assert_eq!(seen, 38);
}

fn a_wrong_sequence_number_is_refused(place: &Place) {
    let mut journal = place.lead();
    let head = append(&mut journal, 2);
    let mut gap = entries(head, 3);
    gap.remove(1);
    for wrong in [entries(Head::GENESIS, 1), entries(expected_head(3), 1), gap, vec![]] {
        let refused = journal.append(&wrong);
        assert!(matches!(refused, Err(AppendError::NotWritten(_))), "{refused:?}");
    }
    assert_eq!(journal.head().expect("head"), head);
    // The handle still leads.
    assert_eq!(append(&mut journal, 1), expected_head(3));
}

fn groups_may_be_sealed_ahead(place: &Place) {
    let mut journal = place.lead();
    append(&mut journal, 1);
    let mut sealer = journal.sealer().expect("leads");
    let sealed = [2, 1, 3].map(|count| sealer.seal(&entries(sealer.head(), count)).expect("sealed"));
    // Only in order, and each one once.
    assert!(journal.commit(&sealed[1]).is_err());
    for group in &sealed {
        journal.commit(group).expect("committed");
        assert!(journal.commit(group).is_err());
    }
    assert_eq!(journal.verify(|_| ()).expect("verified"), expected_head(7));
}

fn only_a_leader_appends(place: &Place) {
    let mut journal = place.open();
    assert!(journal.sealer().is_err());
    let refused = journal.append(&entries(Head::GENESIS, 1));
    assert!(matches!(refused, Err(AppendError::NotWritten(_))), "{refused:?}");
    assert_eq!(journal.head().expect("head"), Head::GENESIS);
}

fn everything_is_there_after_opening_again(place: &Place) {
    let mut epochs = Vec::new();
    for round in 0..4 {
        let mut journal = place.open();
        let lease = journal.lead("test", round).expect("led");
        assert_eq!(lease.head, expected_head(round * 3));
        epochs.push(lease.epoch);
        append(&mut journal, 3);
    }
    assert_eq!(epochs, [1, 2, 3, 4]);
    let groups = place.open().read(1, 10).expect("read");
    let of_groups: Vec<u64> = groups.iter().map(|group| group.epoch).collect();
    assert_eq!(of_groups, epochs);
}

fn a_replay_must_continue_its_chain(place: &Place) {
    let mut journal = place.lead();
    append(&mut journal, 2);
    append(&mut journal, 2);
    let rest = journal.read_after(expected_head(2), 10).expect("read");
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0].prev_hash, expected_head(2).hash);
    let elsewhere = Head { seq: 2, hash: [9; 32] };
    let inside = expected_head(1);
    for wrong in [elsewhere, inside] {
        let refused = journal.read_after(wrong, 10);
        assert!(matches!(refused, Err(Error::Damaged { .. })), "{refused:?}");
    }
}

fn snapshot_at(head: Head) -> Snapshot {
    Snapshot { head, state_hash: [head.seq as u8; 32], bytes: vec![head.seq as u8; 3000] }
}

fn the_newest_three_snapshots_are_kept(place: &Place) {
    let mut journal = place.lead();
    assert_eq!(journal.snapshot(u64::MAX).expect("none"), None);
    for _ in 0..5 {
        let head = append(&mut journal, 2);
        journal.save_snapshot(&snapshot_at(head)).expect("saved");
    }
    drop(journal);
    let mut journal = place.open();
    for (at_most, found) in [(u64::MAX, Some(10)), (10, Some(10)), (9, Some(8)), (7, Some(6)), (5, None)] {
        let expected = found.map(|seq| snapshot_at(expected_head(seq)));
        assert_eq!(journal.snapshot(at_most).expect("asked"), expected);
    }
}

fn a_snapshot_of_another_history_is_refused(place: &Place) {
    let mut journal = place.lead();
    append(&mut journal, 4);
    let inside = expected_head(2);
    let beyond = expected_head(5);
    let other = Head { seq: 4, hash: [1; 32] };
    for wrong in [inside, beyond, other] {
        assert!(journal.save_snapshot(&snapshot_at(wrong)).is_err());
    }
    assert_eq!(journal.snapshot(u64::MAX).expect("none"), None);
}

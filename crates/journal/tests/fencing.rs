//! Leaders, doubt, and databases that may not be trusted.

mod common;

use common::{Place, append, entries, expected_head, folder};
use journal::testing::PostgresServer;
use journal::{AppendError, Error, Fault, Head, Journal, LEASE, MemoryDatabase};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

#[test]
fn a_second_process_cannot_open_the_sqlite_file() {
    let place = Place::sqlite();
    let _held = place.open();
    assert!(matches!(place.try_open(), Err(Error::Held(_))));
}

#[test]
fn a_replaced_leader_can_never_append() {
    for place in [Place::memory(), Place::postgres()] {
        let mut old = place.lead();
        append(&mut old, 2);
        let mut new = place.open();
        let lease = new.lead("other", 2).expect("led");
        assert_eq!((lease.epoch, lease.head), (2, expected_head(2)));
        let refused = old.append(&entries(lease.head, 1));
        assert_eq!(refused, Err(AppendError::Fenced));
        append(&mut new, 1);
        // Neither now nor with the right number.
        let refused = old.append(&entries(expected_head(3), 1));
        assert!(matches!(refused, Err(AppendError::NotWritten(_))), "{refused:?}");
        // It does not take the lead back either, because two nodes would depose each other for ever.
        for _ in 0..2 {
            assert!(matches!(old.lead("test", 3), Err(Error::Fenced)));
        }
        append(&mut new, 1);
        assert_eq!(new.verify(|_| ()).expect("verified"), expected_head(4));
        // A new handle counts as a newcomer.
        let mut third = place.open();
        assert_eq!(third.lead("test", 4).expect("led").head, expected_head(4));
        assert_eq!(new.append(&entries(expected_head(4), 1)), Err(AppendError::Fenced));
    }
}

#[test]
fn a_leader_whose_session_was_cut_never_takes_the_lead_back_from_another() {
    let place = Place::postgres();
    let Place::Postgres(server, _) = &place else { unreachable!() };
    let mut old = place.lead();
    append(&mut old, 2);
    cut_sessions(server);
    let mut new = place.open();
    new.lead("other", 2).expect("led");
    let answer = old.append(&entries(expected_head(2), 1));
    assert!(matches!(answer, Err(AppendError::Unknown(_))), "{answer:?}");
    assert!(matches!(old.lead("test", 3), Err(Error::Fenced)));
    append(&mut new, 1);
}

/// Starts to wait for the lease, and reports what it waits for, and then that it leads.
fn wait_for_lease(place: &Place, node: &'static str) -> (std::thread::JoinHandle<Journal>, Receiver<String>) {
    let mut journal = place.open();
    let (said, heard) = std::sync::mpsc::channel();
    let waiting = std::thread::spawn(move || {
        // The receiver stops listening after enough messages.
        let lease = journal.lead_when_free(node, || Ok(2), |what| drop(said.send(what.to_owned())));
        lease.expect("led");
        journal
    });
    (waiting, heard)
}

#[test]
fn a_newcomer_waits_for_a_leader_that_lives_and_takes_over_as_soon_as_it_is_gone() {
    let place = Place::postgres();
    let mut old = place.lead();
    append(&mut old, 1);
    let (waiting, heard) = wait_for_lease(&place, "newcomer");
    let until = Instant::now() + LEASE + LEASE / 3;
    while Instant::now() < until {
        append(&mut old, 1);
        std::thread::sleep(Duration::from_millis(100));
    }
    let why = heard.recv().expect("it waits");
    assert!(why.starts_with("another node leads: test "), "{why}");
    assert!(!waiting.is_finished(), "it took the lead from one that lives");
    let end = append(&mut old, 1);
    drop(old);
    let gone = Instant::now();
    let mut new = waiting.join().expect("no panic");
    assert!(gone.elapsed() < LEASE, "after {:?}", gone.elapsed());
    assert_eq!(new.head().expect("a head"), end);
    append(&mut new, 1);
}

#[test]
fn a_newcomer_waits_for_a_leader_that_starts_for_as_long_as_it_lives() {
    let place = Place::postgres();
    let mut old = place.lead();
    append(&mut old, 1);
    old.live_until_commit().expect("signs");
    let (waiting, _heard) = wait_for_lease(&place, "newcomer");
    std::thread::sleep(LEASE + LEASE / 3);
    assert!(!waiting.is_finished(), "it took the lead from one that lives");
    // The signs end with the first entry.
    let end = append(&mut old, 1);
    let silent = Instant::now();
    let mut new = waiting.join().expect("no panic");
    assert!(silent.elapsed() >= LEASE - LEASE / 3, "after {:?}", silent.elapsed());
    assert_eq!(new.head().expect("a head"), end);
    append(&mut new, 1);
}

#[test]
fn a_newcomer_waits_for_a_leader_that_keeps_the_lead_behind_its_last_entry() {
    let place = Place::postgres();
    let mut old = place.lead();
    let end = append(&mut old, 1);
    let kept = old.keep_lead();
    let (waiting, _heard) = wait_for_lease(&place, "newcomer");
    std::thread::sleep(LEASE + LEASE / 3);
    assert!(!waiting.is_finished(), "it took the lead from one that keeps it");
    drop(kept);
    let gone = Instant::now();
    let mut new = waiting.join().expect("no panic");
    assert!(gone.elapsed() < LEASE, "after {:?}", gone.elapsed());
    assert_eq!(new.head().expect("a head"), end);
}

#[test]
fn a_newcomer_takes_over_from_a_leader_that_stalled() {
    let place = Place::postgres();
    let mut old = place.lead();
    append(&mut old, 2);
    let started = Instant::now();
    let (waiting, _heard) = wait_for_lease(&place, "newcomer");
    let mut new = waiting.join().expect("no panic");
    assert!(started.elapsed() >= LEASE, "after {:?}", started.elapsed());
    append(&mut new, 1);
    assert_eq!(old.append(&entries(expected_head(2), 1)), Err(AppendError::Fenced));
    assert!(matches!(old.lead("test", 3), Err(Error::Fenced)));
}

#[test]
fn of_two_newcomers_one_leads_and_the_other_waits() {
    let place = Place::postgres();
    drop(place.lead());
    let (first, _) = wait_for_lease(&place, "first");
    let (second, _) = wait_for_lease(&place, "second");
    let writing = Instant::now() + LEASE + LEASE / 3;
    while !first.is_finished() && !second.is_finished() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let (leader, other) = if first.is_finished() { (first, second) } else { (second, first) };
    let mut leader = leader.join().expect("no panic");
    while Instant::now() < writing {
        append(&mut leader, 1);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(!other.is_finished(), "both lead");
    drop(leader);
    append(&mut other.join().expect("no panic"), 1);
}

#[test]
fn a_commit_that_no_standby_takes_is_in_doubt_in_time_and_leading_again_waits_with_a_reason() {
    let server = PostgresServer::start();
    let data = folder();
    let mut journal = Journal::postgres(&server.url(), data.path()).expect("opened");
    journal.lead("test", 1).expect("led");
    append(&mut journal, 2);
    standby(&server, "absent");
    let asked = Instant::now();
    let answer = journal.append(&entries(expected_head(2), 1));
    assert!(matches!(answer, Err(AppendError::Unknown(_))), "{answer:?}");
    assert!(asked.elapsed() < Duration::from_secs(10), "after {:?}", asked.elapsed());
    for _ in 0..2 {
        let asked = Instant::now();
        let answer = journal.lead("test", 2);
        assert!(matches!(answer, Err(Error::Late(_))), "{answer:?}");
        assert!(asked.elapsed() < Duration::from_secs(10), "after {:?}", asked.elapsed());
    }
    standby(&server, "");
    let deadline = Instant::now() + Duration::from_secs(30);
    let lease = loop {
        match journal.lead("test", 3) {
            Ok(lease) => break lease,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
    };
    assert_eq!(lease.head, expected_head(3), "it was committed after all");
    append(&mut journal, 1);
}

#[test]
fn leaders_in_a_race_never_lose_an_acknowledged_group() {
    let server = PostgresServer::start();
    let race = |node: &'static str| {
        let url = server.url();
        move || {
            let data = folder();
            let mut journal = Journal::postgres(&url, data.path()).expect("opened");
            let mut acknowledged = Vec::new();
            for round in 0..15 {
                let Ok(lease) = journal.lead(node, round) else {
                    // A deposed handle never leads again.
                    journal = Journal::postgres(&url, data.path()).expect("opened");
                    continue;
                };
                let mut head = lease.head;
                while let Ok(next) = journal.append(&entries(head, 3)) {
                    head = next;
                    acknowledged.push(head);
                    if acknowledged.len() % 7 == 0 {
                        break;
                    }
                }
            }
            acknowledged
        }
    };
    let nodes = ["a", "b", "c"].map(|node| std::thread::spawn(race(node)));
    let acknowledged: Vec<Head> = nodes.into_iter().flat_map(|node| node.join().expect("no panic")).collect();
    assert!(acknowledged.len() > 20, "only {} groups", acknowledged.len());
    let data = folder();
    let mut journal = Journal::postgres(&server.url(), data.path()).expect("opened");
    let mut heads = Vec::new();
    journal.verify(|group| heads.push(group.head())).expect("verified");
    for head in acknowledged {
        assert!(heads.contains(&head), "entry {} is lost", head.seq);
    }
}

/// After a group of two, a group of one ends with `fault`; then `lead` must find `expected`.
fn doubt(fault: Fault, crash: bool, expected: u64) {
    let database = MemoryDatabase::new();
    let mut journal = Journal::memory(&database).expect("opened");
    journal.lead("test", 1).expect("led");
    append(&mut journal, 2);
    database.script([fault]);
    let head = expected_head(2);
    let answer = journal.append(&entries(head, 1));
    assert!(matches!(answer, Err(AppendError::Unknown(_))), "{answer:?}");
    // In doubt the handle refuses everything.
    let refused = journal.append(&entries(head, 1));
    assert!(matches!(refused, Err(AppendError::NotWritten(_))), "{refused:?}");
    assert!(matches!(journal.head(), Err(Error::InDoubt)));
    assert!(matches!(journal.read(1, 1), Err(Error::InDoubt)));
    assert!(matches!(journal.verify(|_| ()), Err(Error::InDoubt)));
    if crash {
        database.crash();
    }
    assert_eq!(journal.lead("test", 2).expect("led").head, expected_head(expected));
    // The outcome stays as it is.
    database.crash();
    assert_eq!(journal.lead("test", 3).expect("led").head, expected_head(expected));
    assert_eq!(append(&mut journal, 1), expected_head(expected + 1));
}

#[test]
fn doubt_ends_with_the_truth() {
    doubt(Fault::AnswerLost, false, 3);
    doubt(Fault::AnswerLost, true, 3);
    doubt(Fault::CommitLost, false, 2);
    doubt(Fault::Unsynced, false, 3);
    doubt(Fault::Unsynced, true, 2);
    doubt(Fault::Crash, false, 2);
}

#[test]
fn a_definite_refusal_leaves_nothing_and_the_leader_leading() {
    let database = MemoryDatabase::new();
    let mut journal = Journal::memory(&database).expect("opened");
    journal.lead("test", 1).expect("led");
    database.script([Fault::Refused, Fault::None, Fault::Deposed]);
    let refused = journal.append(&entries(Head::GENESIS, 1));
    assert!(matches!(refused, Err(AppendError::NotWritten(_))), "{refused:?}");
    assert_eq!(append(&mut journal, 1), expected_head(1));
    let deposed = journal.append(&entries(expected_head(1), 1));
    assert_eq!(deposed, Err(AppendError::Fenced));
    assert!(matches!(journal.lead("test", 2), Err(Error::Fenced)));
    let mut journal = Journal::memory(&database).expect("opened");
    assert_eq!(journal.lead("test", 2).expect("led").epoch, 3);
}

#[test]
fn what_was_sealed_behind_a_group_that_was_not_acknowledged_is_never_committed() {
    for (fault, found) in
        [(Fault::Refused, 1), (Fault::CommitLost, 1), (Fault::Crash, 1), (Fault::Unsynced, 4), (Fault::AnswerLost, 4), (Fault::Deposed, 1)]
    {
        let database = MemoryDatabase::new();
        let mut journal = Journal::memory(&database).expect("opened");
        journal.lead("test", 1).expect("led");
        append(&mut journal, 1);
        let mut sealer = journal.sealer().expect("leads");
        let mut seal = |count| {
            let group = entries(sealer.head(), count);
            sealer.seal(&group).expect("sealed")
        };
        let (first, second) = (seal(3), seal(2));
        database.script([fault]);
        assert!(journal.commit(&first).is_err(), "{fault:?}");
        let refused = |journal: &mut Journal| matches!(journal.commit(&second), Err(AppendError::NotWritten(_)));
        assert!(refused(&mut journal), "{fault:?}");
        if fault == Fault::Deposed {
            assert!(matches!(journal.lead("test", 2), Err(Error::Fenced)));
            continue;
        }
        assert_eq!(journal.lead("test", 2).expect("led").head, expected_head(found), "{fault:?}");
        // Not even if the group before it turned out to be there.
        assert!(refused(&mut journal), "{fault:?}");
        append(&mut journal, 2);
        assert_eq!(journal.verify(|_| ()).expect("verified"), expected_head(found + 2), "{fault:?}");
    }
}

#[test]
fn a_number_that_sql_cannot_keep_is_refused_for_certain() {
    for place in [Place::sqlite(), Place::postgres()] {
        let mut journal = place.lead();
        let mut group = entries(Head::GENESIS, 1);
        group[0].time_ms = u64::MAX;
        let refused = journal.append(&group);
        assert!(matches!(refused, Err(AppendError::NotWritten(_))), "{refused:?}");
        assert_eq!(append(&mut journal, 1), expected_head(1));
    }
}

/// Waits until a journal connection waits for the absent standby, then runs `command` on its process.
fn disturb_waiting_commit(server: &PostgresServer, command: &str) {
    let mut client = server.connect();
    let disturb = format!(
        "select {command}(pid) from pg_stat_activity
         where application_name = 'meridian journal' and wait_event = 'SyncRep'"
    );
    for _ in 0..1500 {
        if !client.query(&disturb, &[]).expect("asked").is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no commit waits for the standby");
}

fn cut_sessions(server: &PostgresServer) {
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
               where application_name = 'meridian journal'";
    server.connect().batch_execute(end).expect("ended");
}

fn standby(server: &PostgresServer, names: &str) {
    let mut client = server.connect();
    let set = format!("alter system set synchronous_standby_names = '{names}'");
    client.batch_execute(&set).expect("set");
    client.batch_execute("select pg_reload_conf()").expect("reloaded");
    for _ in 0..1500 {
        let row = server.connect().query_one("show synchronous_standby_names", &[]);
        if row.expect("shown").get::<_, String>(0) == names {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the setting did not change");
}

#[test]
fn a_commit_that_did_not_reach_the_standby_is_in_doubt() {
    for command in ["pg_cancel_backend", "pg_terminate_backend"] {
        let server = PostgresServer::start();
        let data = folder();
        let mut journal = Journal::postgres(&server.url(), data.path()).expect("opened");
        journal.lead("test", 1).expect("led");
        append(&mut journal, 2);
        standby(&server, "absent");
        std::thread::scope(|scope| {
            scope.spawn(|| disturb_waiting_commit(&server, command));
            let answer = journal.append(&entries(expected_head(2), 1));
            assert!(matches!(answer, Err(AppendError::Unknown(_))), "{command}: {answer:?}");
        });
        // The barrier itself must be durable, too.
        std::thread::scope(|scope| {
            scope.spawn(|| disturb_waiting_commit(&server, command));
            assert!(journal.lead("test", 2).is_err(), "{command}");
        });
        assert!(matches!(journal.head(), Err(Error::InDoubt)));
        standby(&server, "");
        assert_eq!(journal.lead("test", 3).expect("led").head, expected_head(3));
    }
}

#[test]
fn a_lost_connection_is_in_doubt_until_a_new_one_tells() {
    let server = PostgresServer::start();
    let data = folder();
    let mut journal = Journal::postgres(&server.url(), data.path()).expect("opened");
    journal.lead("test", 1).expect("led");
    append(&mut journal, 1);
    cut_sessions(&server);
    let answer = journal.append(&entries(expected_head(1), 1));
    assert!(matches!(answer, Err(AppendError::Unknown(_))), "{answer:?}");
    assert_eq!(journal.lead("test", 2).expect("led").head, expected_head(1));
    assert_eq!(append(&mut journal, 1), expected_head(2));
}

#[test]
fn a_server_that_may_lose_commits_is_refused() {
    for setting in ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "synchronous_commit=local"] {
        let server = PostgresServer::start_with(&[setting]);
        let refused = Journal::postgres(&server.url(), folder().path());
        assert!(matches!(refused, Err(Error::Unsuitable(_))), "{setting}: {refused:?}");
    }
}

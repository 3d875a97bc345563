use engine::catalog::{Catalog, Wallet};
use engine::command::{Genesis, Mode};
use engine::event::Event;
use engine::ids::{AssetId, UserId};
use engine::published::Published;
use engine::time::Time;
use journal::{Journal, MemoryDatabase};

use super::super::{Outlets, outlet, writer};
use super::*;
use crate::journal_clock::Clock;

const EVERY: u64 = 10;

/// A sequencer over this database, which keeps what it makes known to itself, with a genesis.
async fn started(database: &MemoryDatabase) -> Sequencer {
    let mut journal = Journal::memory(database).unwrap();
    journal.lead("test", 1).unwrap();
    let (sequencer, inbox) = Sequencer::new();
    let (history, _) = tokio::sync::mpsc::channel(1);
    let outlets = Outlets { history, backlog: std::env::temp_dir(), sockets: outlet::to_sockets().0, market_stats: Arc::default() };
    let (head, node, clock) = (Head::GENESIS, "test".to_owned(), Arc::new(Clock::default()));
    let worker = writer::Worker {
        sequencer: sequencer.clone(),
        inbox,
        journal,
        head,
        node,
        clock,
        outlets,
        snapshot_every: EVERY,
        snapshot: 0,
        in_background: || false,
    };
    worker.start().unwrap();
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    sequencer.submit(Command::Genesis(Box::new(genesis)), None).await.unwrap();
    sequencer
}

async fn register(sequencer: &Sequencer, users: std::ops::Range<u64>) {
    for user in users {
        sequencer.submit(Command::RegisterMember { user: UserId(user), house: false }, None).await.unwrap();
    }
}

/// The first state that the log records.
async fn recorded(database: &MemoryDatabase) -> (u64, [u8; 32]) {
    let mut journal = Journal::memory(database).unwrap();
    loop {
        if let Some((seq, hash)) = replay::recorded_states(&mut journal, Head::GENESIS).unwrap().pop_first() {
            return (seq, hash);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shadow_keeps_the_state_that_the_log_gives_and_has_it_recorded() {
    let database = MemoryDatabase::new();
    let sequencer = started(&database).await;
    register(&sequencer, 1..2 * EVERY).await;
    let (seq, hash) = recorded(&database).await;
    register(&sequencer, 2 * EVERY..5 * EVERY).await;
    sequencer.stop().await;
    let mut journal = Journal::memory(&database).unwrap();
    let mut engine = Engine::default();
    let end = replay::tail(&mut journal, &mut engine, Head::GENESIS, |_, _| Ok(())).unwrap();
    let mut early = Engine::default();
    replay::up_to(&mut journal, &mut early, Head::GENESIS, seq).unwrap();
    assert_eq!((early.seq(), early.state_hash()), (Seq(seq), hash));
    let last = journal.snapshot(u64::MAX).unwrap().unwrap();
    assert_eq!((last.head, last.state_hash), (end, engine.state_hash()));
    assert!(last.bytes == engine.snapshot());
    assert!(journal.snapshot(end.seq - 1).unwrap().is_some(), "one was kept on the way");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_whose_shadow_has_another_state_than_the_log_says_stops() {
    let database = MemoryDatabase::new();
    let sequencer = started(&database).await;
    register(&sequencer, 1..2 * EVERY).await;
    let (seq, _) = recorded(&database).await;
    sequencer.record_state(Seq(seq), [7; 32]);
    let why = sequencer.failure().await;
    assert!(why.contains(&format!("the state after entry {seq} is not the one")), "{why}");
    assert!(!sequencer.leads());
}

fn entry(seq: u64, command: Command) -> Entry {
    Entry { seq: Seq(seq), time: Time(seq), request: None, command }
}

/// The first entries of a log: a genesis, a member, and paper money of theirs.
fn entries() -> [Entry; 3] {
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    let user = UserId(2);
    let faucet = Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount: MONEY };
    [entry(1, Command::Genesis(Box::new(genesis))), entry(2, Command::RegisterMember { user, house: false }), entry(3, faucet)]
}

const MONEY: u64 = 123_456_789;

/// A shadow behind the state of this sequencer, which is the one after the entry `seq`.
fn behind(sequencer: &Sequencer, seq: u64) -> Shadow {
    let snapshots = Journal::memory(&MemoryDatabase::new()).unwrap().snapshots();
    Shadow::start(sequencer, snapshots, Head { seq, ..Head::GENESIS }, seq, EVERY, std::env::temp_dir()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shadow_that_makes_something_else_known_than_was_published_stops_its_node() {
    for diverges in [false, true] {
        let (sequencer, _inbox) = Sequencer::new();
        let (mut shadow, mut engine) = (behind(&sequencer, 0), Engine::default());
        for entry in entries() {
            let (mut published, _) = replay::apply_entry(&mut engine, &entry);
            if diverges && entry.seq == Seq(3) {
                published.balances[0].balance.available += 1;
            }
            sequencer.published.send_replace(entry.seq.0);
            shadow.follow(Head { seq: entry.seq.0, ..Head::GENESIS }, vec![entry], [published].into()).unwrap();
        }
        shadow.finish();
        assert_eq!(sequencer.shadow_lag(), u64::from(diverges));
        let failure = sequencer.failure.borrow().clone();
        assert_eq!(failure.map(|why| why.contains("the shadow diverged: entry 3 ")), diverges.then_some(true));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shadow_keeps_and_records_no_state_whose_invariants_do_not_hold() {
    let mut engine = Engine::default();
    entries().iter().for_each(|entry| replay::repeat(&mut engine, entry));
    // A memory fault: one bit of the member's balance flips.
    let (mut bytes, money) = (engine.snapshot(), postcard::to_allocvec(&MONEY).unwrap());
    let place = bytes.windows(money.len()).position(|window| window == money).unwrap();
    bytes[place] ^= 1;
    let (sequencer, inbox) = Sequencer::new();
    sequencer.load(Engine::restore(&bytes).unwrap());
    behind(&sequencer, 3).finish();
    let failure = sequencer.failure.borrow().clone().unwrap();
    assert!(failure.contains("the shadow diverged: I-1"), "{failure}");
    assert!(inbox.0.try_recv().is_err(), "nothing is recorded");
}

#[test]
fn groups_that_cannot_be_kept_for_the_shadow_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let feed = Arc::new(Backlog::new(folder.path().join("no such folder"), "the shadow"));
    let mut shadow = Shadow { feed, abandoned: Arc::default(), thread: None };
    let events = vec![Event::MemberRegistered { user: UserId(1), house: false }; 100_000];
    let many = Published { seq: Seq(1), time: Time(1), events, balances: Vec::new(), answer: None, stops: None };
    assert_eq!(shadow.follow(Head::GENESIS, Vec::new(), [many].into()), Ok(()));
    // Memory is full, and the file cannot be made.
    let error = shadow.follow(Head::GENESIS, Vec::new(), Vec::new().into()).unwrap_err();
    assert!(error.starts_with("what the shadow has not applied yet cannot be kept"), "{error}");
}

//! The sequencer's answers when the journal fails: never "failed" for something that may have happened, and the truth afterwards.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::codec::{self, Encoded};
use engine::command::SPARE_KEYS;
use engine::command::{Command, Genesis, Mode, Request};
use engine::feature::Feature;
use engine::ids::{AssetId, Seq, UserId, WithdrawalId};
use engine::published::Batch;
use engine::requests::{KEPT_MS, MOST_KEYS};
use engine::time::Time;
use futures_util::FutureExt;
use futures_util::future::join_all;
use journal::{Fault, Head, Journal, MemoryDatabase};
use kernel::journal_clock::{Clock, Reading};
use kernel::sequencer::outlet::{self, News, SocketInlet};
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{Applied, Outlets, POISON, Sequencer, SubmitError};
use tokio::sync::mpsc;
use tokio::task::unconstrained;

const MEMBER: UserId = UserId(2);

/// The entries of this group that changed a balance.
fn about_money(batch: &Batch) -> impl Iterator<Item = Seq> {
    batch.iter().filter(|published| !published.balances.is_empty()).map(|published| published.seq)
}

struct Node {
    sequencer: Sequencer,
    database: MemoryDatabase,
    history: mpsc::Receiver<Batch>,
    sockets: SocketInlet,
}

impl Node {
    async fn start() -> Node {
        Node::start_at(Clock::default()).await
    }

    /// A sequencer over a journal in memory, with one member and this clock.
    async fn start_at(clock: Clock) -> Node {
        Node::start_with(clock, 10_000).await
    }

    /// The same; its history takes so many batches before it is read.
    async fn start_with(clock: Clock, batches: usize) -> Node {
        let database = MemoryDatabase::new();
        let mut journal = Journal::memory(&database).unwrap();
        journal.lead("test", 1).unwrap();
        let (sequencer, inbox) = Sequencer::new();
        let (to_history, history) = mpsc::channel(batches);
        let (to_sockets, sockets) = outlet::to_sockets();
        let outlets = Outlets { history: to_history, backlog: std::env::temp_dir(), sockets: to_sockets, market_stats: Default::default() };
        let worker = Worker {
            sequencer: sequencer.clone(),
            inbox,
            journal,
            head: Head::GENESIS,
            node: "test".to_owned(),
            clock: Arc::new(clock),
            outlets,
            snapshot_every: 50_000,
            snapshot: 0,
            in_background: || false,
        };
        worker.start().unwrap();
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        for command in [Command::Genesis(Box::new(genesis)), Command::RegisterMember { user: MEMBER, house: false }] {
            assert!(sequencer.submit(command, None).await.unwrap().outcome.result.is_ok());
        }
        Node { sequencer, database, history, sockets }
    }

    /// Paper funds under a key.
    async fn fund(&self, key: u128) -> Result<Applied, SubmitError> {
        let command = Command::SandboxFaucet { user: MEMBER, asset: AssetId(3), wallet: Wallet::Spot, amount: 5 };
        self.sequencer.submit(command, Some(Request { key, content: 1 })).await
    }

    /// The next append that is not a `Clock` of its own meets this fault: the queue never stays empty for that long here.
    fn fail_next(&self, fault: Fault) {
        self.database.script([fault]);
    }

    /// Sends the same again until there is a definite answer, as a client does.
    async fn settle(&self, key: u128) -> Applied {
        loop {
            match self.fund(key).await {
                Ok(applied) => return applied,
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }

    fn balance(&self) -> u64 {
        self.sequencer.engine().balance(MEMBER, Wallet::Spot, AssetId(3)).unwrap().available
    }

    /// Entries about money that reached the history since the last call. The sockets got the same before, and nothing else.
    fn published_postings(&mut self) -> usize {
        let mut kept = Vec::new();
        while let Ok(batch) = self.history.try_recv() {
            kept.extend(about_money(&batch));
        }
        assert_eq!(self.told(), kept, "the sockets were told something else than the history");
        kept.len()
    }

    /// Entries about money that reached the sockets since the last call.
    fn told(&mut self) -> Vec<Seq> {
        let mut told = Vec::new();
        // Without the limit on a task's work at a time, which would end this look before everything is taken.
        while let Some(Some(news)) = unconstrained(self.sockets.recv()).now_or_never() {
            let News::Entries(batch) = news else { panic!("the sockets lag behind") };
            told.extend(about_money(&batch));
        }
        told
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_answer_was_lost_is_found_under_its_key() {
    let mut node = Node::start().await;
    node.fail_next(Fault::AnswerLost);
    assert_eq!(node.fund(1).await.err(), Some(SubmitError::OutcomeUnknown));
    let again = node.settle(1).await;
    assert!(again.is_repetition() && again.outcome.result.is_ok(), "it was in the journal, so it counts");
    assert_eq!((node.balance(), node.published_postings()), (5, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_commit_was_lost_is_done_once_when_it_is_sent_again() {
    let mut node = Node::start().await;
    node.fail_next(Fault::CommitLost);
    assert_eq!(node.fund(1).await.err(), Some(SubmitError::OutcomeUnknown));
    assert!(!node.settle(1).await.is_repetition());
    assert!(node.settle(1).await.is_repetition());
    assert_eq!((node.balance(), node.published_postings()), (5, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_was_refused_by_the_database_was_not_done_and_may_be_sent_again() {
    let mut node = Node::start().await;
    node.fail_next(Fault::Refused);
    assert_eq!(node.fund(1).await.err(), Some(SubmitError::NotReady));
    assert_eq!(node.balance(), 0);
    assert!(!node.settle(1).await.is_repetition());
    assert_eq!((node.balance(), node.published_postings()), (5, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_another_one_replaced_stops_and_says_so() {
    let node = Node::start().await;
    let mut other = Journal::memory(&node.database).unwrap();
    other.lead("other", 2).unwrap();
    assert!(node.fund(1).await.is_err());
    let reason = tokio::time::timeout(Duration::from_secs(60), node.sequencer.failure()).await.unwrap();
    assert!(reason.contains("another node"), "{reason}");
    assert!(!node.sequencer.leads());
    assert_eq!(node.fund(2).await.err(), Some(SubmitError::NotReady));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_doubt_while_the_clock_is_a_little_behind_the_log_moves_no_time() {
    let start = Reading { wall_ms: 1_800_000_000_000, uptime_ms: 1_000 };
    // After half a second the clock was set back by half a minute.
    let behind = |ms: u64| Reading { wall_ms: start.wall_ms + ms - 30_000, uptime_ms: start.uptime_ms + ms };
    let source = Arc::new(Mutex::new(start));
    let read = source.clone();
    let node = Node::start_at(Clock::new(move || *read.lock().unwrap())).await;
    *source.lock().unwrap() = behind(500);
    node.fail_next(Fault::AnswerLost);
    assert_eq!(node.fund(1).await.err(), Some(SubmitError::OutcomeUnknown));
    assert_eq!(node.settle(1).await.time.0, start.wall_ms, "time never goes back");
    *source.lock().unwrap() = behind(40_000);
    assert_eq!(node.fund(2).await.unwrap().time.0, start.wall_ms + 10_000, "the clock has caught up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_whose_clock_jumped_and_stayed_there_gives_up_the_lead() {
    let start = Reading { wall_ms: 1_800_000_000_000, uptime_ms: 1_000 };
    let at = |ms: u64, wrong: u64| Reading { wall_ms: start.wall_ms + ms + wrong, uptime_ms: start.uptime_ms + ms };
    let source = Arc::new(Mutex::new(start));
    let read = source.clone();
    let node = Node::start_at(Clock::new(move || *read.lock().unwrap())).await;
    const DAY: u64 = 86_400_000;
    *source.lock().unwrap() = at(1_000, DAY);
    let applied = node.fund(1).await.unwrap();
    assert_eq!(applied.time.0, start.wall_ms + 1_000, "the jump is not followed");
    *source.lock().unwrap() = at(62_000, DAY);
    let reason = tokio::time::timeout(Duration::from_secs(60), node.sequencer.failure()).await.unwrap();
    assert!(reason.contains("jumped") && reason.contains("gives up the lead"), "{reason}");
    assert_eq!(node.fund(2).await.err(), Some(SubmitError::NotReady));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_the_engine_cannot_apply_is_refused_and_never_written() {
    let mut node = Node::start().await;
    // Alone, between others, and twice in one group; the others succeed as if it had never been sent.
    assert_eq!(node.fund(POISON).await.err(), Some(SubmitError::Internal));
    let keys = [1, POISON, 2, 3, POISON, 4];
    let answers = join_all(keys.map(|key| node.fund(key))).await;
    for (key, answer) in keys.into_iter().zip(answers) {
        assert_eq!(answer.err(), (key == POISON).then_some(SubmitError::Internal), "{key}");
    }
    assert!(node.settle(4).await.is_repetition());
    assert_eq!((node.balance(), node.published_postings()), (20, 4));
    // The log has no trace of it, and every replay gives the same state.
    let state = node.sequencer.engine();
    let (mut journal, mut replayed) = (Journal::memory(&node.database).unwrap(), Engine::default());
    for record in journal.read(1, 1_000).unwrap().into_iter().flat_map(|group| group.records) {
        let encoded = Encoded { kind: record.kind, version: record.version, public: record.public, private: record.private };
        let entry = codec::decode(Seq(record.seq), Time(record.time_ms), &encoded).unwrap();
        assert!(entry.request.is_none_or(|request| request.key != POISON));
        if entry.seq <= state.seq() {
            replayed.apply(&entry, &mut Vec::new());
        }
    }
    assert_eq!((replayed.seq(), replayed.state_hash()), (state.seq(), state.state_hash()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_read_before_it_is_durable_and_what_failed_leaves_no_trace() {
    let mut node = Node::start().await;
    let before = node.balance();
    // Each of these was applied ahead of the log, and never got into it.
    for (key, fault) in [(1, Fault::Refused), (2, Fault::CommitLost)] {
        node.fail_next(fault);
        assert!(node.fund(key).await.is_err());
        assert_eq!(node.balance(), before, "{fault:?}");
        assert_eq!((node.told(), node.published_postings()), (Vec::new(), 0), "{fault:?}");
    }
    node.settle(3).await;
    assert_eq!(node.balance(), before + 5, "the state ahead of the log was made again without them");
    assert_eq!(node.published_postings(), 1);
    node.settle(1).await;
    assert_eq!((node.balance(), node.published_postings()), (before + 10, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn such_a_command_in_a_group_that_was_sealed_while_another_commits_is_refused_as_well() {
    const FULL: usize = 512;
    let mut node = Node::start().await;
    let mut reader = Journal::memory(&node.database).unwrap();
    let keys: Vec<u128> = (0..=2 * FULL as u128 + 100).map(|key| if key == FULL as u128 + 200 { POISON } else { key }).collect();
    let mut writes: Vec<_> = keys.iter().map(|key| Box::pin(node.fund(*key))).collect();
    {
        let _state = node.sequencer.engine();
        let before = reader.head().unwrap().seq;
        let mut context = Context::from_waker(Waker::noop());
        for (place, write) in writes.iter_mut().enumerate() {
            assert!(write.as_mut().poll(&mut context).is_pending());
            while place == 0 && reader.head().unwrap().seq == before {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
    for (key, answer) in keys.iter().zip(join_all(writes).await) {
        assert_eq!(answer.err(), (*key == POISON).then_some(SubmitError::Internal), "{key}");
    }
    assert_eq!((node.balance() / 5, node.published_postings()), (2 * FULL as u64 + 100, 2 * FULL + 100));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_node_writes_the_time_when_somebody_needs_it_and_every_ten_seconds() {
    let node = Node::start().await;
    let mut reader = Journal::memory(&node.database).unwrap();
    let (start, begun) = (reader.head().unwrap().seq, Instant::now());
    let mut end = || reader.head().unwrap().seq;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(end(), start, "nobody needs it");
    // Nothing was applied for a while, so readiness has one entry written for all who ask.
    let ready = join_all((0..20).map(|_| node.sequencer.makes_progress())).await;
    assert!(ready.into_iter().all(|ready| ready));
    assert_eq!(end(), start + 1);
    while end() == start + 1 {
        assert!(begun.elapsed() < Duration::from_secs(60), "at least every ten seconds");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(begun.elapsed() > Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_stands_still_holds_no_write_up_and_catches_up() {
    let mut node = Node::start_with(Clock::default(), 1).await;
    // More than the channel, a batch each.
    for key in 1..=200 {
        let applied = tokio::time::timeout(Duration::from_secs(60), node.fund(key)).await.expect("a write waits for no history");
        assert!(applied.is_ok());
    }
    let mut seen = 0;
    while seen < 200 {
        let batch = tokio::time::timeout(Duration::from_secs(60), node.history.recv()).await.unwrap().unwrap();
        seen += batch.iter().filter(|published| !published.balances.is_empty()).count();
    }
}

/// More than two full groups wait at once; the first of them meets `fault`, when the second one is sealed already.
async fn behind_a_full_group(fault: Fault, first_answer: Option<SubmitError>, written: bool) {
    const FULL: usize = 512;
    let mut node = Node::start().await;
    let mut reader = Journal::memory(&node.database).unwrap();
    let mut writes: Vec<_> = (0..=2 * FULL as u128 + 100).map(|key| Box::pin(node.fund(key))).collect();
    let mut enqueue = |from: usize, to: usize| {
        let mut context = Context::from_waker(Waker::noop());
        writes[from..to].iter_mut().for_each(|write| assert!(write.as_mut().poll(&mut context).is_pending()));
    };
    {
        // A reader of the state holds the sequencer up after its next commit; meanwhile the queue grows.
        let _state = node.sequencer.engine();
        let before = reader.head().unwrap().seq;
        enqueue(0, 1);
        while reader.head().unwrap().seq == before {
            std::thread::sleep(Duration::from_millis(1));
        }
        enqueue(1, 2 * FULL + 101);
        node.fail_next(fault);
    }
    let answers = join_all(writes).await;
    let (mut settled, mut failed) = (Vec::new(), 0);
    for (key, answer) in answers.into_iter().enumerate() {
        let full_group = key.saturating_sub(1) / FULL;
        let error = answer.err();
        match full_group {
            // The very first one came alone, before the fault.
            0 if key > 0 => assert_eq!(error, first_answer, "{fault:?} {key}"),
            1 if first_answer.is_some() => assert_eq!(error, Some(SubmitError::NotReady), "{fault:?} {key}"),
            _ => assert!(matches!(error, None | Some(SubmitError::NotReady)), "{fault:?} {key} {error:?}"),
        }
        failed += usize::from(error.is_some());
        let again = node.settle(key as u128).await;
        let was_written = error.is_none() || (full_group == 0 && written);
        assert_eq!(again.is_repetition(), was_written, "{fault:?} {key}");
        settled.push(again.answered_by());
    }
    assert!(failed == 0 || failed >= 2 * FULL, "{fault:?}: {failed} failed");
    settled.sort_unstable();
    settled.dedup();
    assert_eq!((settled.len(), node.balance() / 5, node.published_postings()), (2 * FULL + 101, 2 * FULL as u64 + 101, 2 * FULL + 101));
    let mut sizes = Vec::new();
    // On a new connection, because a crash ended the other.
    let mut reader = Journal::memory(&node.database).unwrap();
    reader.verify(|group| sizes.push(group.records.len())).unwrap();
    if fault == Fault::None {
        assert_eq!(sizes.iter().filter(|size| **size == FULL).count(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_was_sealed_behind_one_in_doubt_is_refused_and_nothing_is_lost_or_doubled() {
    behind_a_full_group(Fault::None, None, true).await;
    behind_a_full_group(Fault::Refused, Some(SubmitError::NotReady), false).await;
    behind_a_full_group(Fault::CommitLost, Some(SubmitError::OutcomeUnknown), false).await;
    behind_a_full_group(Fault::AnswerLost, Some(SubmitError::OutcomeUnknown), true).await;
    behind_a_full_group(Fault::Unsynced, Some(SubmitError::OutcomeUnknown), true).await;
    behind_a_full_group(Fault::Crash, Some(SubmitError::OutcomeUnknown), false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_with_too_many_keys_is_refused_before_the_log_until_the_oldest_are_forgotten() {
    let node = Node::start().await;
    let submit = async |user: UserId, key: Option<u128>| {
        let command = Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount: 5 };
        let request = key.map(|key| Request { key, content: 1 });
        node.sequencer.submit(command, request).await.map(|applied| applied.is_repetition())
    };
    let other = UserId(3);
    node.sequencer.submit(Command::RegisterMember { user: other, house: false }, None).await.unwrap();
    node.sequencer.submit(Command::Activate(Feature::CompactRequests), None).await.unwrap();
    // None of them is the poisoned one.
    let key = |number: u32| 1 << 64 | u128::from(number);
    for first in (0..MOST_KEYS).step_by(500) {
        let sent = join_all((first..first + 500).map(|number| submit(MEMBER, Some(key(number))))).await;
        assert!(sent.iter().all(|sent| *sent == Ok(false)), "{first}");
    }
    let new = key(MOST_KEYS);
    assert_eq!(submit(MEMBER, Some(new)).await, Err(SubmitError::TooManyKeys { retry_ms: 60_000 }));
    // A caller who used them up cannot keep the owner from cancelling, and a canceller cannot keep them from freezing.
    let protect = async |command: Command, number: u32| {
        let request = Request { key: key(MOST_KEYS + number), content: 1 };
        node.sequencer.submit(command, Some(request)).await.map(drop)
    };
    let cancel_all = || Command::CancelAllSpotOrders { user: MEMBER, base: None, quote: None };
    let cancel = || Command::CancelWithdrawal { user: MEMBER, withdrawal: WithdrawalId(1) };
    for number in 1..=SPARE_KEYS {
        assert_eq!(protect(cancel_all(), number).await, Ok(()), "{number}");
    }
    assert_eq!(protect(cancel_all(), SPARE_KEYS + 1).await, Err(SubmitError::TooManyKeys { retry_ms: 60_000 }));
    assert_eq!(protect(cancel(), SPARE_KEYS + 1).await, Ok(()));
    assert_eq!(protect(Command::FreezeSelf { user: MEMBER, until: None }, SPARE_KEYS + 2).await, Ok(()));
    assert!(!node.sequencer.engine().was_answered(Request { key: new, content: 1 }), "it is in no entry");
    // A known key is not a new one; here no history can answer it.
    assert_eq!(submit(MEMBER, Some(key(7))).await, Err(SubmitError::OutcomeUnknown));
    assert_eq!(submit(MEMBER, None).await, Ok(false));
    assert_eq!(submit(other, Some(new)).await, Ok(false));
    let tomorrow = node.sequencer.engine().time().plus(KEPT_MS + 1);
    node.sequencer.advance(tomorrow, Vec::new()).await.unwrap();
    assert_eq!(submit(MEMBER, Some(new)).await, Ok(false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_for_parts_of_the_log_that_others_asked_for_and_no_longer_want() {
    let node = Node::start().await;
    let newest = node.fund(1).await.unwrap().seq.0;
    for _ in 0..400 {
        // Like a call whose connection ends.
        let mut asked = Box::pin(node.sequencer.read_log(1..=newest));
        assert!(asked.poll_unpin(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let begun = Instant::now();
    assert!(!node.sequencer.read_log(1..=newest).await.unwrap().is_empty());
    assert!(begun.elapsed() < Duration::from_secs(2), "after {:?}", begun.elapsed());
}

//! What the sequencer answers when the journal does not: never "failed" for something that may have happened, and the truth afterwards.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::future::Future;
use std::task::{Context, Waker};
use std::time::Duration;

use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode, Request};
use engine::ids::{AssetId, UserId};
use futures_util::future::join_all;
use journal::{Fault, Head, Journal, MemoryDatabase};
use server::sequencer::writer::Worker;
use server::sequencer::{Applied, Batch, Outlets, Sequencer};
use tokio::sync::mpsc;

const MEMBER: UserId = UserId(2);

struct Node {
    sequencer: Sequencer,
    database: MemoryDatabase,
    history: mpsc::Receiver<Batch>,
}

impl Node {
    /// A sequencer over a journal in memory, with one member.
    async fn start() -> Node {
        let database = MemoryDatabase::new();
        let mut journal = Journal::memory(&database).unwrap();
        journal.lead("test", 1).unwrap();
        let (sequencer, inbox) = Sequencer::new();
        let (to_history, history) = mpsc::channel(10_000);
        let outlets = Outlets { history: to_history, sockets: mpsc::unbounded_channel().0, tickers: Default::default() };
        let worker = Worker {
            sequencer: sequencer.clone(),
            inbox,
            journal,
            head: Head::GENESIS,
            node: "test".to_owned(),
            clock: Default::default(),
            outlets,
        };
        worker.start().unwrap();
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        for command in [Command::Genesis(Box::new(genesis)), Command::RegisterMember { user: MEMBER, house: false }] {
            assert!(sequencer.submit(command, None).await.unwrap().outcome.result.is_ok());
        }
        Node { sequencer, database, history }
    }

    /// Paper funds under a key.
    async fn fund(&self, key: u128) -> Result<Applied, &'static str> {
        let command = Command::SandboxFaucet { user: MEMBER, asset: AssetId(3), wallet: Wallet::Spot, amount: 5 };
        self.sequencer.submit(command, Some(Request { key, content: 1 })).await.map_err(|refusal| refusal.name)
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

    /// Events that reached the history for this member.
    fn published_postings(&mut self) -> usize {
        let mut count = 0;
        while let Ok(batch) = self.history.try_recv() {
            count += batch.iter().filter(|published| !published.balances.is_empty()).count();
        }
        count
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_answer_was_lost_is_found_under_its_key() {
    let mut node = Node::start().await;
    node.fail_next(Fault::AnswerLost);
    assert_eq!(node.fund(1).await.err(), Some("E_OUTCOME_UNKNOWN"));
    let again = node.settle(1).await;
    assert!(again.is_repetition() && again.outcome.result.is_ok(), "it was in the journal, so it counts");
    assert_eq!((node.balance(), node.published_postings()), (5, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_commit_was_lost_is_done_once_when_it_is_sent_again() {
    let mut node = Node::start().await;
    node.fail_next(Fault::CommitLost);
    assert_eq!(node.fund(1).await.err(), Some("E_OUTCOME_UNKNOWN"));
    assert!(!node.settle(1).await.is_repetition());
    assert!(node.settle(1).await.is_repetition());
    assert_eq!((node.balance(), node.published_postings()), (5, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_was_refused_by_the_database_was_not_done_and_may_be_sent_again() {
    let mut node = Node::start().await;
    node.fail_next(Fault::Refused);
    assert_eq!(node.fund(1).await.err(), Some("E_NOT_READY"));
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
    assert_eq!(node.fund(2).await.err(), Some("E_NOT_READY"));
}

/// More than two full groups wait at once; the first of them meets `fault`, when the second one is sealed already.
async fn behind_a_full_group(fault: Fault, first_answer: Option<&str>, written: bool) {
    const FULL: usize = 512;
    let mut node = Node::start().await;
    let mut reader = Journal::memory(&node.database).unwrap();
    let mut writes: Vec<_> = (0..=2 * FULL as u128 + 100).map(|key| Box::pin(node.fund(key))).collect();
    let mut enqueue = |from: usize, to: usize| {
        let mut context = Context::from_waker(Waker::noop());
        writes[from..to].iter_mut().for_each(|write| assert!(write.as_mut().poll(&mut context).is_pending()));
    };
    {
        // Who reads the state holds the sequencer back behind its next commit; meanwhile the queue grows.
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
            1 if first_answer.is_some() => assert_eq!(error, Some("E_NOT_READY"), "{fault:?} {key}"),
            _ => assert!(matches!(error, None | Some("E_NOT_READY")), "{fault:?} {key} {error:?}"),
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
    // On a new connection: a crash ended the other.
    let mut reader = Journal::memory(&node.database).unwrap();
    reader.verify(|group| sizes.push(group.records.len())).unwrap();
    if fault == Fault::None {
        assert_eq!(sizes.iter().filter(|size| **size == FULL).count(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_was_sealed_behind_one_in_doubt_is_refused_and_nothing_is_lost_or_doubled() {
    behind_a_full_group(Fault::None, None, true).await;
    behind_a_full_group(Fault::Refused, Some("E_NOT_READY"), false).await;
    behind_a_full_group(Fault::CommitLost, Some("E_OUTCOME_UNKNOWN"), false).await;
    behind_a_full_group(Fault::AnswerLost, Some("E_OUTCOME_UNKNOWN"), true).await;
    behind_a_full_group(Fault::Unsynced, Some("E_OUTCOME_UNKNOWN"), true).await;
    behind_a_full_group(Fault::Crash, Some("E_OUTCOME_UNKNOWN"), false).await;
}

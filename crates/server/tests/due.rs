//! The server's handling of due work: it writes clock entries until nothing is due, few enough in a group that an order comes between.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{OPEN_MS, Proposed};
use engine::catalog::Catalog;
use engine::codec::{self, Encoded};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::ids::{Digest, OperatorId, Seq, UserId};
use engine::operators::approval::Reviewer;
use engine::scheduler::SLICE;
use engine::security::ReferralRole;
use engine::snapshot::FORMAT;
use engine::time::{HOUR_MS, Time};
use futures_util::future::join_all;
use journal::{Head, Journal, MemoryDatabase};
use kernel::journal_clock::Clock;
use kernel::sequencer::outlet;
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{Outlets, Sequencer};
use tokio::sync::mpsc;

const MEMBER: UserId = UserId(2);
/// Most clock entries after the commands of a group.
const CLOCKS: usize = 2;

/// A sequencer over a journal in memory. Its output is not followed.
async fn start(database: &MemoryDatabase) -> Sequencer {
    let mut journal = Journal::memory(database).unwrap();
    journal.lead("test", 1).unwrap();
    let (sequencer, inbox) = Sequencer::new();
    let (history, mut batches) = mpsc::channel(100);
    tokio::spawn(async move { while batches.recv().await.is_some() {} });
    let outlets = Outlets { history, backlog: std::env::temp_dir(), sockets: outlet::to_sockets().0, market_stats: Arc::default() };
    let (head, node, clock) = (Head::GENESIS, "test".to_owned(), Arc::new(Clock::default()));
    let worker = Worker {
        sequencer: sequencer.clone(),
        inbox,
        journal,
        head,
        node,
        clock,
        outlets,
        snapshot_every: 50_000,
        snapshot: 0,
        in_background: || false,
    };
    worker.start().unwrap();
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    let register = Command::RegisterMember { user: MEMBER, house: false };
    for command in [Command::Genesis(Box::new(genesis)), register, Command::Activate(Feature::DueWork)] {
        sequencer.submit(command, None).await.unwrap().outcome.result.unwrap();
    }
    sequencer
}

/// A proposal that expires unless it is confirmed.
fn proposal() -> Command {
    let by = Reviewer { operator: OperatorId(1), member: None };
    let proposed = Proposed::SetReferralRole { user: MEMBER, role: ReferralRole::Promoter };
    Command::Operate(Box::new(Operate { by, act: OperatorAct::Propose { proposed, reason: Digest([7; 32]) } }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_are_written_until_nothing_is_due_and_few_stand_in_a_group() {
    let database = MemoryDatabase::new();
    let sequencer = start(&database).await;
    let slices = 3 * CLOCKS;
    join_all((0..slices * SLICE).map(|_| sequencer.submit(proposal(), None))).await.into_iter().for_each(|done| drop(done.unwrap()));
    let target = Time(sequencer.engine().time().0 + OPEN_MS + HOUR_MS);
    let then = vec![Command::RegisterMember { user: UserId(3), house: false }];
    let jumped = sequencer.advance(target, then).await.unwrap();
    assert!(!sequencer.engine().has_backlog(), "it is answered when everything is settled");
    assert!(sequencer.engine().proposals().all(|proposal| proposal.status == Status::Expired));
    let groups = Journal::memory(&database).unwrap().read(jumped.seq.0, 1_000).unwrap();
    let mut settled = 0;
    for group in groups.iter().filter(|group| group.records.iter().any(|record| record.seq >= jumped.seq.0)) {
        let command = |record: &journal::Record| {
            let encoded =
                Encoded { kind: record.kind, version: record.version, public: record.public.clone(), private: record.private.clone() };
            codec::decode(Seq(record.seq), Time(record.time_ms), &encoded).unwrap().command
        };
        let clocks = group.records.iter().filter(|record| command(record) == Command::Clock).count();
        assert!(clocks <= CLOCKS + 1, "an order would wait for {clocks} slices");
        settled += clocks;
    }
    assert!(settled + 1 >= slices, "the jump and {settled} clocks settle {slices} slices");
    let order_of_groups: Vec<usize> = groups.iter().map(|group| group.records.len()).take(1).collect();
    assert_eq!(order_of_groups, [2 + CLOCKS], "what happens at the instant of the jump stands before the slices");
}

/// How much fell due at a jump behind which this follows at once, while more is due than the jump itself settles.
async fn fell_due_around(then: Command) -> u64 {
    let sequencer = start(&MemoryDatabase::new()).await;
    join_all((0..SLICE + SLICE / 2).map(|_| sequencer.submit(proposal(), None))).await.into_iter().for_each(|done| drop(done.unwrap()));
    let target = Time(sequencer.engine().time().0 + OPEN_MS + HOUR_MS);
    let before = sequencer.passed();
    sequencer.advance(target, vec![then]).await.unwrap();
    assert!(sequencer.engine().proposals().all(|proposal| proposal.status == Status::Expired));
    sequencer.passed() - before
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_falls_due_in_an_entry_of_the_node_itself_is_counted_in_whichever() {
    let state = Command::RecordState { seq: Seq(1), form: FORMAT, hash: Digest([7; 32]) };
    let (clock, state) = (fell_due_around(Command::Clock).await, fell_due_around(state).await);
    // At least one event reports each proposal; the instants before them depend on when it was made.
    let due = u64::try_from(SLICE + SLICE / 2).unwrap();
    assert!(clock >= due && state >= due, "{clock} and {state} of {due}");
}

use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::{OPEN_MS, Proposed};
use engine::catalog::Catalog;
use engine::command::{Entry, Genesis, Mode};
use engine::feature::Feature;
use engine::ids::{OperatorId, UserId};
use engine::operators::approval::Reviewer;
use engine::scheduler::SLICE;
use engine::security::ReferralRole;
use journal::{Head, Journal, MemoryDatabase};

use super::*;
use crate::journal_clock::Clock;

#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_snapshot_enters_the_log_although_nobody_waits_for_it() {
    let database = MemoryDatabase::new();
    let mut journal = Journal::memory(&database).unwrap();
    journal.lead("test", 1).unwrap();
    let (sequencer, inbox) = Sequencer::new();
    let (history, _rows) = mpsc::channel(100);
    let outlets = Outlets { history, backlog: std::env::temp_dir(), sockets: outlet::to_sockets().0, market_stats: Arc::default() };
    let (head, node, clock) = (Head::GENESIS, "test".to_owned(), Arc::new(Clock::default()));
    writer::Worker {
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
    }
    .start()
    .unwrap();
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    sequencer.submit(Command::Genesis(Box::new(genesis)), None).await.unwrap();
    let hash = sequencer.engine().state_hash();
    sequencer.record_state(Seq(1), hash);
    sequencer.submit(Command::Clock, None).await.unwrap();
    sequencer.stop().await;
    let groups = Journal::memory(&database).unwrap().read(1, 10).unwrap();
    let commands = groups.iter().flat_map(|group| &group.records).map(|record| crate::replay::entry_of(record).unwrap().command);
    assert!(commands.into_iter().any(|command| command == Command::RecordState { seq: Seq(1), form: FORMAT, hash: Digest(hash) }));
}

#[tokio::test]
async fn a_panic_in_a_task_that_the_node_depends_on_ends_the_node() {
    let (sequencer, _inbox) = Sequencer::new();
    let task = async {
        tokio::task::yield_now().await;
        panic!("as a defect would");
    };
    sequencer.clone().depend_on("the task", task).await;
    assert_eq!(sequencer.failure().await, "the task stopped: it panicked");
}

#[tokio::test]
async fn who_advances_the_time_is_told_when_the_lead_is_lost_before_all_is_settled() {
    let mut engine = Engine::default();
    let mut apply = |command: Command, ms: u64| {
        let entry = Entry { seq: Seq(engine.seq().0 + 1), time: Time(ms), request: None, command };
        let outcome = engine.apply(&entry, &mut Vec::new());
        outcome.result.as_ref().unwrap();
        (engine.clone(), outcome)
    };
    let (member, by) = (UserId(2), Reviewer { operator: OperatorId(1), member: None });
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    apply(Command::Genesis(Box::new(genesis)), 1);
    apply(Command::RegisterMember { user: member, house: false }, 1);
    apply(Command::Activate(Feature::DueWork), 1);
    for _ in 0..=SLICE {
        let proposed = Proposed::SetReferralRole { user: member, role: ReferralRole::Promoter };
        let act = OperatorAct::Propose { proposed, reason: Digest([7; 32]) };
        apply(Command::Operate(Box::new(Operate { by, act })), 1);
    }
    let (engine, outcome) = apply(Command::SandboxClock, 2 * OPEN_MS);
    assert!(engine.has_backlog());
    let (seq, time) = (engine.seq(), engine.time());

    let (sequencer, inbox) = Sequencer::new();
    sequencer.load(engine);
    sequencer.leads.store(true, Ordering::Release);
    let caller = sequencer.clone();
    let advancing = tokio::spawn(async move { caller.advance(time, Vec::new()).await.map(drop) });
    tokio::task::yield_now().await;
    let Ok(Job::Advance { done, .. }) = inbox.0.try_recv() else { panic!("no clock is asked for") };
    assert!(done.send(Ok(Applied { seq, time, outcome, group: Arc::new([]), place: 0 })).is_ok());
    while sequencer.published.receiver_count() == 0 {
        tokio::task::yield_now().await;
    }
    sequencer.fail("another node leads");
    let told = timeout(Duration::from_secs(10), advancing).await.expect("it does not wait for ever").unwrap();
    assert_eq!(told, Err(SubmitError::OutcomeUnknown));
}

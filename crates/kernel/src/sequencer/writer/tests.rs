use engine::event::Event;
use engine::ids::{Seq, UserId};
use engine::published::Published;
use engine::time::Time;

use super::super::outlet::to_sockets;
use super::*;

/// A group of one entry with so many events.
fn group(seq: u64, events: usize) -> Durable {
    let event = Event::MemberRegistered { user: UserId(1), house: false };
    let (events, balances) = (vec![event; events], Vec::new());
    Durable { batch: [Published { seq: Seq(seq), time: Time(1), events, balances, answer: None, stops: None }].into(), answers: Vec::new() }
}

#[tokio::test]
async fn nothing_reaches_the_history_behind_a_group_that_could_not_be_kept() {
    let (sequencer, _inbox) = Sequencer::new();
    let (history, mut rows) = mpsc::channel(1);
    let (durable, groups) = mpsc::channel(8);
    let folder = tempfile::tempdir().unwrap();
    let backlog = Arc::new(Backlog::new(folder.path().join("no such folder"), "the history"));
    let handing = tokio::spawn(hand_over(groups, history, backlog.clone(), to_sockets().0, sequencer.clone()));
    // The history takes the first, memory the second, and the file would take the third.
    for (seq, events) in [(1, 0), (2, 100_000), (3, 0)] {
        assert!(durable.send(group(seq, events)).await.is_ok());
    }
    assert!(sequencer.failure().await.starts_with("what the history has not written yet cannot be kept"));
    assert_eq!(rows.recv().await.map(|batch| batch[0].seq.0), Some(1));
    assert_eq!(backlog.take().unwrap().map(|batch| batch[0].seq.0), Some(2));
    assert!(backlog.is_idle());
    let _ = durable.send(group(4, 0)).await;
    drop(durable);
    handing.await.unwrap();
    assert!(rows.recv().await.is_none(), "the fourth would leave a gap");
    assert!(backlog.is_closed());
}

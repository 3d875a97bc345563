//! What the tests of the engine share.

use engine::Engine;
use engine::command::{Command, Entry};
use engine::event::Event;
use engine::ids::Seq;
use engine::reject::Reject;
use engine::reply::Reply;
use engine::time::Time;

/// Applies the next entry; afterwards the events are its own, and every invariant holds.
pub fn apply(engine: &mut Engine, events: &mut Vec<Event>, time: Time, command: Command) -> Result<Reply, Reject> {
    events.clear();
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time, request: None, command };
    let result = engine.apply(&entry, events).result;
    engine.check_invariants().unwrap();
    result
}

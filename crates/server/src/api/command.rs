//! The answer to a command, for every area.

use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use kernel::sequencer::Applied;

use crate::http::reply::{Refusal, Reply};

/// The engine's reply, or its refusal with sequence and repetition mark.
pub fn done(applied: &Applied, refusal: impl Fn(&Reject) -> Refusal) -> Result<&EngineReply, Refusal> {
    applied.outcome.result.as_ref().map_err(|reject| {
        let mut refusal = refusal(reject);
        // A key that was used for something else has no answer of its own to keep.
        refusal.seq = Some(applied.answered_by());
        refusal.replay = applied.is_repetition();
        refusal
    })
}

/// A sentence that carries the sequence of the command and whether it is a repetition.
pub fn answer(sentence: &'static str, applied: &Applied) -> Reply {
    let mut reply = Reply::say(sentence).at(applied.answered_by());
    reply.replay = applied.is_repetition();
    reply
}

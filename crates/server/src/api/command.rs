//! The answer to a command, for every area.

use engine::ids::Digest;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use kernel::sequencer::Applied;
use store::secrets::from_hex;

use crate::http::reply::{Refusal, Reply};

/// The engine's reply, or its refusal with sequence and repetition mark.
pub fn done(applied: &Applied, refusal: impl Fn(&Reject) -> Refusal) -> Result<&EngineReply, Refusal> {
    applied.outcome.result.as_ref().map_err(|reject| answered(refusal(reject), applied))
}

/// A refusal with sequence and repetition mark. A key that was used for a different command has no answer of its own.
pub fn answered(refusal: Refusal, applied: &Applied) -> Refusal {
    let mut refusal = refusal.at(applied.answered_by());
    refusal.replay = applied.is_repetition();
    refusal
}

/// The rule that a member says they were shown. A text that is not a hash matches no rule, so it is refused as a different one.
pub fn shown_rule(sent: Option<&String>) -> Option<Digest> {
    sent.map(|text| Digest(from_hex(text).unwrap_or([0; 32])))
}

/// False if the text sent as the hash of a rule is not a hash.
pub fn is_hash(sent: Option<&String>) -> bool {
    sent.is_none_or(|text| from_hex::<32>(text).is_some())
}

/// A sentence that carries the sequence of the command and whether it is a repetition.
pub fn answer(sentence: &'static str, applied: &Applied) -> Reply {
    let mut reply = Reply::say(sentence).at(applied.answered_by());
    reply.replay = applied.is_repetition();
    reply
}

//! The answer to a command, for every area.

use engine::ids::{Digest, UserId};
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use kernel::sequencer::Applied;
use store::db::{DbError, Done};
use store::documents;
use store::secrets::from_hex;

use crate::http::App;
use crate::http::reply::{Refusal, Reply};

/// The engine's reply, or its refusal with sequence and repetition mark.
pub fn done(applied: &Applied, refusal: impl Fn(&Reject) -> Refusal) -> Result<&EngineReply, Refusal> {
    applied.outcome.result.as_ref().map_err(|reject| answered(refusal(reject), applied))
}

/// Forgets a text that was stored for a command, if the command was refused: nothing names it then. Only the one that stored it forgets it,
/// and the turn of the member, from before the one until after the other, keeps out a second command that relies on it. A repetition
/// has no say, because the first attempt may have come to something else.
pub async fn forget_refused(app: &App, (owner, digest): (UserId, Digest), stored: &Done, applied: &Applied) -> Result<(), DbError> {
    if stored.hit > 0 && applied.outcome.result.is_err() && !applied.is_repetition() {
        app.db.exec(documents::forget(owner, digest)).await?;
    }
    Ok(())
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

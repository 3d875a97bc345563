//! Writes that take more than one step: the decision of the first step is kept until the answer is stored, so a repetition after a crash
//! continues from there and reaches the same answer.
//!
//! The note is stored among the answers under a name that no caller has, and is deleted with them after 24 h.

use store::answers;
use store::db::{DbError, Sql};

use crate::http::App;
use crate::http::answers::Write;
use crate::http::reply::{Code, Refusal, refuse};

/// The note of an earlier attempt of this write; `E_DUP_REQUEST` if it was another write under the same key.
pub async fn note(app: &App, write: Option<&Write>) -> Result<Option<String>, Refusal> {
    let Some(write) = write else { return Ok(None) };
    let stored = answers::stored_name(&app.vault, &name(write));
    let Some(note) = answers::find(&app.db, &stored).await? else { return Ok(None) };
    if note.content != write.content {
        return Err(refuse(Code::DuplicateRequest));
    }
    let note = answers::open(&app.vault, &stored, &note.sealed)?;
    Ok(Some(String::from_utf8_lossy(&note).into_owned()))
}

/// The statement that notes the decision, for the transaction of the first step. A write without a key cannot be repeated.
pub fn begin(app: &App, write: Option<&Write>, note: &str) -> Result<Option<Sql>, DbError> {
    let insert = |write: &Write| answers::insert(&app.vault, &name(write), write.content, note.as_bytes(), None, app.clock.wall_ms());
    write.map(insert).transpose()
}

/// The statement that deletes the note, for the transaction that stores the answer.
pub fn end(app: &App, write: Option<&Write>) -> Option<Sql> {
    write.map(|write| answers::forget(answers::stored_name(&app.vault, &name(write))))
}

fn name(write: &Write) -> String {
    format!("begun {}", write.caller)
}

//! Writes that take more than one step: what the first step decided is kept until the answer is stored, so that a repetition after
//! a crash goes on from there and comes to the same answer.
//!
//! The note lies among the stored answers under a name that no caller has, and is forgotten with them after 24 h.

use crate::app::App;
use crate::db::{DbError, Sql};
use crate::http::answers::{self, Write};
use crate::http::reply::{Code, Refusal, refuse};
use crate::sql;

/// What an earlier attempt of this write noted; `E_DUP_REQUEST` if it was another write under the same key.
pub async fn note(app: &App, write: Option<&Write>) -> Result<Option<String>, Refusal> {
    let Some(write) = write else { return Ok(None) };
    let stored = answers::stored_name(&app.vault, &name(write));
    let done = app.db.query(sql!("select content, body from answers where caller = $1", &stored)).await?;
    let Some(row) = done.first() else { return Ok(None) };
    if row.blob(0)? != write.content {
        return Err(refuse(Code::DuplicateRequest));
    }
    let note = answers::open(&app.vault, &stored, &row.blob(1)?)?;
    Ok(Some(String::from_utf8_lossy(&note).into_owned()))
}

/// The statement that notes what was decided, for the transaction of the first step. A write without a key cannot be repeated.
pub fn begin(app: &App, write: Option<&Write>, note: &str) -> Result<Option<Sql>, DbError> {
    let note_of = |write: &Write| Write { caller: name(write), content: write.content };
    write.map(|write| answers::insert(&app.vault, &note_of(write), note.as_bytes(), None, app.clock.wall_ms())).transpose()
}

/// The statement that drops the note, for the transaction that stores the answer.
pub fn end(app: &App, write: Option<&Write>) -> Option<Sql> {
    write.map(|write| sql!("delete from answers where caller = $1", answers::stored_name(&app.vault, &name(write))))
}

fn name(write: &Write) -> String {
    format!("begun {}", write.caller)
}

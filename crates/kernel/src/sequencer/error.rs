//! Why a command got no answer from the engine.

use std::fmt;

/// Why the sequencer gave no answer. A refusal of the engine is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmitError {
    /// This node takes no commands now: nothing was done.
    NotReady,
    /// It may have been executed, or is in progress: look up its key.
    OutcomeUnknown,
    /// The engine cannot apply it: nothing was done.
    Internal,
    /// Its member has too many keys; the oldest expires at about that time. Nothing was done.
    TooManyKeys {
        /// When to retry, ms from now.
        retry_ms: u64,
    },
    /// A sandbox clock must go ahead of the log, by at most 366 days: nothing was done.
    Time,
    /// It was answered once, and that answer can never be read again.
    AnswerGone,
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubmitError::NotReady => "this node takes no commands now",
            SubmitError::OutcomeUnknown => "the outcome is unknown",
            SubmitError::Internal => "the engine cannot apply this command",
            SubmitError::TooManyKeys { .. } => "too many keys of this member are kept",
            SubmitError::Time => "the clock cannot go to this instant",
            SubmitError::AnswerGone => "the first answer can never be read",
        })
    }
}

impl std::error::Error for SubmitError {}

//! Why a command came to no answer of the engine.

use std::fmt;

/// What the sequencer says instead of an answer. A refusal of the engine is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmitError {
    /// This node takes no commands now: nothing was done.
    NotReady,
    /// It may have been done, or is under way: its key finds the truth.
    OutcomeUnknown,
    /// The engine cannot apply it: nothing was done.
    Internal,
    /// Too many keys of its member are kept; the oldest of them is forgotten about then: nothing was done.
    TooManyKeys {
        /// When to ask again, ms from now.
        retry_ms: u64,
    },
    /// A sandbox clock must go ahead of the log, and by 366 days at most: nothing was done.
    Time,
    /// It was answered once, and that answer can never be read.
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

//! Connects kernel and store: what each needs from the other, though neither knows the other.

use std::ops::Deref;
use std::sync::Arc;

use engine::Engine;
use engine::ids::Seq;
use engine::reply::FirstAnswer;
use kernel::journal_clock::Clock;
use kernel::sequencer::{self, Later, Sequencer, SubmitError};
use store::StoreError;
use store::rows::first_answers::FirstAnswers;

/// The time of this node and the state of its log, for the rows that depend on them.
#[derive(Debug)]
pub struct Present {
    /// The time.
    pub clock: Arc<Clock>,
    /// The state.
    pub sequencer: Sequencer,
}

impl store::Present for Present {
    fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    fn wall_ms(&self) -> u64 {
        self.clock.wall_ms()
    }

    fn engine(&self) -> Box<dyn Deref<Target = Engine> + '_> {
        Box::new(self.sequencer.engine())
    }
}

/// First answers are rows of the history.
#[derive(Debug)]
pub struct Answered(pub FirstAnswers);

impl sequencer::FirstAnswers for Answered {
    fn of(&self, seq: Seq) -> Later<'_, Result<FirstAnswer, SubmitError>> {
        Box::pin(async move {
            let found = self.0.of(seq).await.map_err(|error| {
                if error != StoreError::NotReady {
                    tracing::error!(%error, seq = seq.0, "first answer");
                }
                SubmitError::OutcomeUnknown
            })?;
            found.ok_or(SubmitError::AnswerGone)
        })
    }
}

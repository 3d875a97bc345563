//! What whoever checks knows of the log from before: the key that was published elsewhere, and the head that an earlier check saved.

use engine::command::Mode;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::verify::evidence::inner;
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::{Entry, SignedHead};
use crate::verify::samples;

/// The known key and the saved head.
#[derive(Debug, Default)]
pub struct Known {
    key: Option<Vec<u8>>,
    /// The head of an earlier check.
    pub head: Option<SignedHead>,
}

impl Known {
    /// A key and a saved head, whose signature must be right.
    ///
    /// # Errors
    /// [`Reason::Format`] and [`Reason::Signature`] of the saved head.
    pub fn new(key: Option<Vec<u8>>, saved: Option<&Json>) -> Result<Known, Fault> {
        let read = |saved| SignedHead::deserialize(saved).map_err(|error| Reason::Format.because(format!("saved head: {error}")));
        let head = saved.map(read).transpose()?;
        head.as_ref().map(SignedHead::check).transpose()?;
        Ok(Known { key, head })
    }

    /// The key that every head must be signed with.
    pub fn key(&self) -> Option<&[u8]> {
        self.key.as_deref().or(self.head.as_ref().map(|head| head.key.as_slice()))
    }

    /// The head of a document is not of another log than the saved one, as far as the two show it by themselves.
    ///
    /// # Errors
    /// [`Reason::Consistency`].
    pub fn check(&self, shown: &SignedHead) -> Result<(), Fault> {
        let another = |known: &SignedHead| known.genesis != shown.genesis || (known.seq == shown.seq && known.root != shown.root);
        match &self.head {
            Some(known) if another(known) => {
                Err(Reason::Consistency.because(format!("its head is of another log than the saved head at entry {}", known.seq)))
            }
            _ => Ok(()),
        }
    }
}

/// The mode in the first entry of a receipt or a leaf that was checked.
pub fn mode_of(document: &Json) -> Option<Mode> {
    let first = Entry::deserialize(&inner(document)["proof"]["genesis"]).ok()?;
    samples::genesis(&first).ok().map(|genesis| genesis.mode)
}

/// The head in the proof of a receipt or a leaf, which may be the whole answer of its call.
///
/// # Errors
/// [`Reason::Format`].
pub fn head_of(document: &Json) -> Result<SignedHead, Fault> {
    SignedHead::deserialize(&inner(document)["proof"]["head"]).map_err(|error| Reason::Format.because(error.to_string()))
}

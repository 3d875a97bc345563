//! What the dispatcher asks of the operator interface: every call of an operator is recorded, refused ones included.

use std::fmt;
use std::pin::Pin;

use store::operators::OperatorSession;

use super::form::Params;
use super::reply::{Answer, Refusal};
use super::routes::Entry;
use super::{App, Call};

/// Work that ends in this.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The call of an operator, if there is a good session, and why it was refused.
pub type TurnedAway = for<'a> fn(&'a App, Option<&'a OperatorSession>, &'a Entry, &'a Params, &'a Refusal) -> Work<'a, Result<(), Refusal>>;

/// The audit log of operator calls. The operator interface is above the dispatcher, so the composition root passes it in.
#[derive(Clone, Copy)]
pub struct AuditTrail {
    /// Writes down that a call was refused before its handler.
    pub turned_away: TurnedAway,
    /// Runs a call and records it before its answer is sent.
    pub answered: fn(Call, Params, &'static Entry) -> Work<'static, Answer>,
}

impl fmt::Debug for AuditTrail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditTrail")
    }
}

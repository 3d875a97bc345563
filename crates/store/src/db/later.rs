//! Arguments that only the transaction itself can know: they are computed from the results of its earlier statements.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::{Args, DbError, Done, Row, Sql, Value};

type Make = dyn Fn(&[Done]) -> Result<Vec<Value>, DbError> + Send + Sync;

/// Computes the arguments of a statement from the results of those before it.
#[derive(Clone)]
pub(super) struct Later(Arc<Make>);

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Later")
    }
}

impl Later {
    pub(super) fn args(&self, before: &[Done]) -> Result<Vec<Value>, DbError> {
        (self.0)(before)
    }
}

impl Sql {
    /// A statement whose arguments are computed inside its transaction, from the result of each statement before it, such as a number that
    /// the database assigned. An error of `make` undoes the transaction. Every other write waits while `make` runs, and a panic in it would
    /// end the thread of the database, and the node.
    pub fn later(text: impl Into<Cow<'static, str>>, make: impl Fn(&[Done]) -> Result<Vec<Value>, DbError> + Send + Sync + 'static) -> Sql {
        Sql { text: text.into(), args: Args::Later(Later(Arc::new(make))), exactly: None }
    }
}

/// The statements of a write that returns its result, and the position of the statement that has it.
#[derive(Clone, Debug)]
pub struct Returning {
    /// One transaction.
    pub statements: Vec<Sql>,
    /// Which of them, from 0. Statements may be added behind it.
    pub place: usize,
}

impl Done {
    /// The row that a statement cannot but return.
    ///
    /// # Errors
    /// There is none.
    pub fn row(&self) -> Result<&Row, DbError> {
        self.first().ok_or_else(|| DbError::Failed("a statement returned no row".to_owned()))
    }
}

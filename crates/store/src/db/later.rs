//! What only a transaction itself can know: arguments that are made of what its earlier statements returned.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::{Args, DbError, Done, Row, Sql, Value};

type Make = dyn Fn(&[Done]) -> Result<Vec<Value>, DbError> + Send + Sync;

/// Makes the arguments of a statement of what those before it did.
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
    /// A statement whose arguments are made inside its transaction, of what each statement before it did: of a number that the database gave,
    /// for one. An error of `make` undoes the transaction. Every other write waits while `make` runs, and a panic in it would end the thread
    /// of the database.
    pub fn later(text: impl Into<Cow<'static, str>>, make: impl Fn(&[Done]) -> Result<Vec<Value>, DbError> + Send + Sync + 'static) -> Sql {
        Sql { text: text.into(), args: Args::Later(Later(Arc::new(make))), exactly: None }
    }
}

/// The statements of a write that says what it did, and the place of the one that says it.
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

//! Inserts many rows in one statement.

use super::{DbError, Value};

/// Rows of one step of a bulk insert: each step opens the table and its indices, and looks up the last number given.
pub(super) const STEP: usize = 32;

/// Rows of a bulk insert. The cells of a step are contiguous: a vector for each row costs more than its content, and one for all rows is so
/// large that its memory is newly allocated each time.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Cells of a row; 0 when there is none, or when two rows differ.
    width: usize,
    steps: Vec<Vec<Value>>,
}

impl Rows {
    /// Adds a row, as long as those before.
    pub fn push(&mut self, row: impl IntoIterator<Item = Value>) {
        let full = self.steps.last().is_none_or(|step| step.len() >= STEP * self.width);
        if full {
            self.steps.push(Vec::with_capacity(STEP * self.width));
        }
        let first = full && self.steps.len() == 1;
        let Some(step) = self.steps.last_mut() else { return };
        let before = step.len();
        step.extend(row);
        let width = step.len() - before;
        if first {
            self.width = width;
        } else if self.width != width {
            self.width = 0;
        }
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Cells of a row.
    pub(super) fn width(&self) -> Result<usize, DbError> {
        match self.width {
            0 if !self.is_empty() => Err(DbError::Failed("rows of different lengths".to_owned())),
            width => Ok(width),
        }
    }

    /// The full steps, and the cells of the rows that do not fill one.
    pub(super) fn split(&self) -> (&[Vec<Value>], &[Value]) {
        match self.steps.split_last() {
            Some((last, before)) if last.len() < STEP * self.width => (before, last),
            _ => (&self.steps, &[]),
        }
    }
}

impl<R: IntoIterator<Item = Value>> FromIterator<R> for Rows {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Rows {
        let mut all = Rows::default();
        rows.into_iter().for_each(|row| all.push(row));
        all
    }
}

/// The `($1,$2),($3,$4)` of a bulk insert.
pub(super) fn placeholders(rows: usize, columns: usize) -> String {
    let mut text = String::with_capacity(rows * columns * 6);
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..columns {
            let separator = if column == 0 { "$" } else { ",$" };
            text.push_str(separator);
            text.push_str(&(row * columns + column + 1).to_string());
        }
        text.push(')');
    }
    text
}

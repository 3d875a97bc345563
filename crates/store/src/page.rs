//! Which page of a list is requested.

/// A checked page request (`docs/api.md` 1.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// From 1.
    pub page: u64,
    /// 1 to 100.
    pub limit: u64,
}

impl Page {
    /// Rows to skip.
    pub fn offset(self) -> u64 {
        (self.page - 1).saturating_mul(self.limit)
    }

    /// Rows to skip, and then to take, of a list in memory.
    pub fn bounds(self) -> (usize, usize) {
        (usize::try_from(self.offset()).unwrap_or(usize::MAX), usize::try_from(self.limit).unwrap_or(0))
    }
}

//! The three forms of a page (`docs/api.md` 1.9, 5.1), and the text form of an instant.

use serde::Serialize;
use store::Page;
use utoipa::ToSchema;

use super::decimal::WireTime;

/// A page, form A.
#[derive(Debug, Serialize, ToSchema)]
pub struct Paginator<T> {
    /// Page returned.
    pub current_page: u64,
    /// Rows of the page.
    pub data: Vec<T>,
    /// Applied limit.
    pub per_page: u64,
    /// Number of rows over all pages.
    pub total: u64,
    /// At least 1.
    pub last_page: u64,
    /// First row number on the page.
    pub from: Option<u64>,
    /// Last row number on the page.
    pub to: Option<u64>,
    /// Query of the next page.
    pub next_page_url: Option<String>,
    /// Query of the page before.
    pub prev_page_url: Option<String>,
}

impl<T> Paginator<T> {
    /// Rows of this page and how many there are in all.
    pub fn new(data: Vec<T>, total: u64, page: Page) -> Paginator<T> {
        let last_page = total.div_ceil(page.limit).max(1);
        let url = |number: u64| format!("?page={number}&limit={}", page.limit);
        let rows = u64::try_from(data.len()).unwrap_or(u64::MAX);
        Paginator {
            current_page: page.page,
            per_page: page.limit,
            total,
            last_page,
            from: (rows > 0).then_some(page.offset() + 1),
            to: (rows > 0).then_some(page.offset() + rows),
            next_page_url: (page.page < last_page).then(|| url(page.page + 1)),
            prev_page_url: (page.page > 1).then(|| url((page.page - 1).min(last_page))),
            data,
        }
    }
}

/// A page, form B.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageB<T> {
    /// Rows of the page.
    pub list: Vec<T>,
    /// Number of rows over all pages.
    pub count: u64,
    /// Page returned.
    pub page: u64,
    /// Applied limit.
    pub limit: u64,
}

impl<T> PageB<T> {
    /// Rows of this page and how many there are in all.
    pub fn new(list: Vec<T>, count: u64, page: Page) -> PageB<T> {
        PageB { list, count, page: page.page, limit: page.limit }
    }
}

/// A page, form C.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageC<T> {
    /// Rows of the page.
    pub order_list: Vec<T>,
    /// Number of rows over all pages.
    pub total: u64,
    /// Page returned.
    pub page: u64,
    /// Applied limit.
    pub limit: u64,
}

impl<T> PageC<T> {
    /// Rows of this page and how many there are in all.
    pub fn new(order_list: Vec<T>, total: u64, page: Page) -> PageC<T> {
        PageC { order_list, total, page: page.page, limit: page.limit }
    }
}

/// Offset of the wire's zone: UTC-4, without daylight saving.
pub const WIRE_OFFSET_MINUTES: i64 = -240;

/// `YYYY-MM-DD HH:mm:ss` in the zone of the wire.
pub fn ts(ms: u64) -> String {
    WireTime(ms).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_beyond_the_end_is_empty() {
        let empty = Paginator::<u8>::new(vec![], 12, Page { page: 9, limit: 5 });
        assert_eq!((empty.last_page, empty.from, empty.next_page_url), (3, None, None));
        let middle = Paginator::new(vec![0; 5], 12, Page { page: 2, limit: 5 });
        assert_eq!((middle.from, middle.to), (Some(6), Some(10)));
    }
}

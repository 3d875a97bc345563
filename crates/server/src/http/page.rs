//! The three forms of a page (`api.md` 1.9, 5.1), and the two texts of an instant.

use serde::Serialize;
use utoipa::ToSchema;

use super::form::Page;

/// Form A.
#[derive(Debug, Serialize, ToSchema)]
pub struct Paginator<T> {
    /// Page returned.
    pub current_page: u64,
    /// Rows.
    pub data: Vec<T>,
    /// Applied limit.
    pub per_page: u64,
    /// Rows in all.
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

/// Form B.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageB<T> {
    /// Rows.
    pub list: Vec<T>,
    /// Rows in all.
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

/// Offset of the wire's zone: UTC-4, without daylight saving.
pub const WIRE_OFFSET_MINUTES: i64 = -240;

/// `YYYY-MM-DD HH:mm:ss` in the zone of the wire.
pub fn ts(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX / 2).saturating_add(WIRE_OFFSET_MINUTES * 60);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days to a date of the Gregorian calendar, counted in years that begin in March.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_in_the_zone_of_the_wire() {
        assert_eq!(ts(1_767_268_800_000), "2026-01-01 08:00:00");
        assert_eq!(ts(1_709_179_199_000), "2024-02-28 23:59:59");
        assert_eq!(ts(1_709_265_600_000), "2024-03-01 00:00:00");
        assert_eq!(ts(0), "1969-12-31 20:00:00");
    }

    #[test]
    fn a_page_beyond_the_end_is_empty() {
        let empty = Paginator::<u8>::new(vec![], 12, Page { page: 9, limit: 5 });
        assert_eq!((empty.last_page, empty.from, empty.next_page_url), (3, None, None));
        let middle = Paginator::new(vec![0; 5], 12, Page { page: 2, limit: 5 });
        assert_eq!((middle.from, middle.to), (Some(6), Some(10)));
    }
}

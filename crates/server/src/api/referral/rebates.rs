//! Credited rebates (`docs/api.md` 4.13, `user/my_account_return`).

use engine::candles::day_number;
use engine::ids::UserId;
use serde::Serialize;
use store::Page;
use store::rebates::{self, day_text};
use utoipa::ToSchema;

use super::invite::{account, by_number};
use crate::http::Call;
use crate::http::page::{Paginator, ts};
use crate::http::params::Kind;
use crate::http::reply::{Answer, Refusal, Reply, bad_field};
use crate::http::request::request;
use crate::http::units::{amount, code};
use crate::http::values::Value;

/// A UTC day, `2026-01-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day(u64);

impl Value for Day {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<Day, Refusal> {
        day(text).ok_or_else(|| bad_field(name, "format"))
    }
}

fn day(text: &str) -> Option<Day> {
    let mut parts = text.split('-');
    let mut number = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))?;
        part.parse::<u64>().ok()
    };
    let (year, month, date) = (number(4)?, number(2)?, number(2)?);
    let found = day_number(year, month, date);
    // A date that does not exist would be read as another day.
    (parts.next().is_none() && year >= 1970 && day_text(found) == text).then_some(Day(found))
}

request! {
    /// What `user/my_account_return` takes.
    pub struct ListRebates {
        optional time: Option<Day>,
        optional page: Page,
    }
}

/// A rebate.
#[derive(Debug, Serialize, ToSchema)]
pub struct RebateRow {
    id: u64,
    value: String,
    currency_id: u32,
    currency_name: String,
    level: u64,
    day: String,
    from_account_number: String,
    created_time: String,
    created_time_ms: u64,
}

/// `POST user/my_account_return`
pub async fn list(call: Call, request: ListRebates) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let seq = app.sequencer.engine().seq().0;
    app.wait_for(seq).await?;
    let (rows, total) = rebates::list(&app.db, me, request.time.map(|day| day.0), seq, request.page).await?;
    let payers: Vec<UserId> = rows.iter().filter_map(|row| row.payer).collect();
    let people = by_number(app, &payers).await?;
    let row = |row: rebates::Credited| RebateRow {
        id: row.id,
        value: amount(&app.catalog, row.asset, row.amount),
        currency_id: row.asset.0,
        currency_name: code(&app.catalog, row.asset).to_string(),
        level: row.level,
        day: day_text(row.day),
        from_account_number: row.payer.map_or_else(|| "*".to_owned(), |payer| account(people.get(&payer))),
        created_time: ts(row.time_ms),
        created_time_ms: row.time_ms,
    };
    Ok(Reply::ok(Paginator::new(rows.into_iter().map(row).collect(), total, request.page)).at(seq))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_date_that_exists() {
        assert_eq!(day("1970-01-01"), Some(Day(0)));
        assert_eq!(day("2026-02-28").map(|day| day_text(day.0)), Some("2026-02-28".to_owned()));
        for text in
            ["", "2026-02-29", "2026-13-01", "2026-00-01", "2026-1-01", "2026-01-32", "26-01-01", "2026-01-01-", "+026-01-01", "1969-12-31"]
        {
            assert_eq!(day(text), None, "{text}");
        }
    }
}

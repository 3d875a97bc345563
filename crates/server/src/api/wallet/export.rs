//! A member's statement as a table for spreadsheets, of any length: it is produced page by page while it is sent.

use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};
use engine::time::DAY_MS;
use futures_util::stream::{self, StreamExt};
use store::db::DbError;
use store::history::{self, StatementLine};

use super::statement::{kind_text, signed};
use crate::http::page::ts;
use crate::http::reply::{Answer, Reply, bad_field};
use crate::http::request::{Input, request};
use crate::http::streamed_body::Pages;
use crate::http::units;
use crate::http::{App, Call};
use crate::i18n::Lang;

/// Longest span of one table, days.
const DAYS: u64 = 366;
/// Lines of one wallet and coin that are read at once.
const READ: u64 = 1_000;
/// Lines per page: the most that is in memory for a slow client.
const PAGE: usize = 2_000;

const HEAD: &str = "id,time_utc_minus_4,time_ms,account,part,currency,kind,info,change,balance_after,object,object_id\r\n";

request! {
    /// What `wallet/export` takes.
    pub struct Export checked by handler {
        required from_ms: u64,
        required to_ms: u64,
        optional currency: Input<u64>,
    }
}

/// `GET wallet/export`
pub async fn statement(call: Call, request: Export) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let (from, to) = (request.from_ms, request.to_ms);
    if to < from || to - from > DAYS * DAY_MS {
        return Err(bad_field("to_ms", "range"));
    }
    let asset = match request.currency.is_sent() {
        true => Some(units::coin(&app.catalog, request.currency.readable())?.id),
        false => None,
    };
    // Later lines are not in the table.
    let up_to = app.sequencer.engine().seq().0;
    app.wait_for(up_to).await?;
    let balances = app.catalog.balances().filter(|(_, coin)| asset.is_none_or(|asset| *coin == asset)).collect();
    let mut table = Table { app: app.clone(), lang: call.lang, user, to, up_to, balances, after: (from, 0) };
    // The first page is made before the response begins, so its failure is a refusal. A later failure cuts the connection, because a
    // partial table must not pass for a whole one.
    let first = table.page().await?.unwrap_or_default();
    let first = stream::iter([Ok([HEAD.as_bytes(), first.as_slice()].concat())]);
    let others = stream::try_unfold(table, |mut table| async move {
        let page = table.page().await.map_err(|error| {
            tracing::error!(%error, "a statement broke off");
            std::io::Error::other(error)
        })?;
        Ok(page.map(|page| (page, table)))
    });
    Ok(Reply::pages("text/csv; charset=utf-8", Pages::new(first.chain(others))))
}

/// A table on its way.
struct Table {
    app: App,
    lang: Lang,
    user: UserId,
    /// The last instant, ms.
    to: u64,
    /// The last entry.
    up_to: u64,
    /// Balances that may have more lines.
    balances: Vec<(Wallet, AssetId)>,
    /// Instant and number of the last line that is on its way.
    after: (u64, u64),
}

/// The position of a line in the order in which things happened.
fn place(line: &StatementLine) -> (u64, u64) {
    (line.time_ms, line.id)
}

impl Table {
    /// The next page; none after the last.
    async fn page(&mut self) -> Result<Option<Vec<u8>>, DbError> {
        let exports = self.app.exports.clone();
        exports
            .page(async {
                let lines = self.next().await?;
                let page = lines.iter().fold(String::new(), |page, line| self.with(page, line));
                Ok((!lines.is_empty()).then_some(page.into_bytes()))
            })
            .await
    }

    /// The next lines of all wallets and coins, in the order in which they happened.
    async fn next(&mut self) -> Result<Vec<StatementLine>, DbError> {
        let mut lines = Vec::new();
        // A balance that has more lines than were read may have some right after the last one read, so the page ends there.
        let mut known = (self.to, u64::MAX);
        for balance in std::mem::take(&mut self.balances) {
            let read = history::statement_after(&self.app.db, self.user, balance, self.up_to, self.after, READ).await?;
            let Some(last) = read.last() else { continue };
            if read.len() as u64 == READ {
                known = known.min(place(last));
            }
            lines.extend(read);
            self.balances.push(balance);
        }
        lines.retain(|line| place(line) <= known);
        lines.sort_unstable_by_key(place);
        lines.truncate(PAGE);
        self.after = lines.last().map_or(self.after, place);
        Ok(lines)
    }

    fn with(&self, mut page: String, line: &StatementLine) -> String {
        let scale = self.app.catalog.scale(line.asset);
        let cells = [
            line.id.to_string(),
            ts(line.time_ms),
            line.time_ms.to_string(),
            units::wallet_word(line.wallet).to_owned(),
            if line.held { "frozen" } else { "avail" }.to_owned(),
            cell(units::code(&self.app.catalog, line.asset)),
            line.kind.to_string(),
            cell(kind_text(self.lang, line.kind)),
            signed(line.change, scale),
            signed(line.after, scale),
            cell(&line.object),
            line.object_id.to_string(),
        ];
        page.push_str(&cells.join(","));
        page.push_str("\r\n");
        page
    }
}

/// A text: in quotes where it must be, and never the start of a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let plain = if formula { format!("'{text}") } else { text.to_owned() };
    if formula || plain.contains([',', '"', '\r', '\n']) { format!("\"{}\"", plain.replace('"', "\"\"")) } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for text in ["=1+1", "+1", "-1", "@x", "\t=1"] {
            assert_eq!(cell(text), format!("\"'{text}\""));
        }
        assert_eq!((cell("a,b"), cell("say \"x\""), cell("BTC")), ("\"a,b\"".into(), "\"say \"\"x\"\"\"".into(), "BTC".into()));
    }
}

//! A member's statement as a table that spreadsheets read.

use engine::time::DAY_MS;
use store::history;

use super::statement::{kind_text, signed};
use crate::http::Call;
use crate::http::figures;
use crate::http::page::ts;
use crate::http::reply::{Answer, Reply, bad_field};
use crate::http::request::{Input, request};

/// Longest span of one table, days.
const DAYS: u64 = 366;
/// Most lines of one table.
const LINES: u64 = 100_000;

request! {
    /// What `wallet/export` takes.
    pub struct Export in turn {
        required from_ms: u64,
        required to_ms: u64,
        optional currency: Input<u64>,
    }
}

/// `GET wallet/export`
pub async fn statement(call: Call, request: Export) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let (from, to) = (request.from_ms, request.to_ms);
    if to < from || to - from > DAYS * DAY_MS {
        return Err(bad_field("to_ms", "range"));
    }
    let asset = match request.currency.is_sent() {
        true => Some(figures::coin(&app.catalog, request.currency.readable())?.id),
        false => None,
    };
    let mut table = String::from("id,time_utc_minus_4,time_ms,account,part,currency,kind,info,change,balance_after,object,object_id\r\n");
    let lines = history::statement_between(&app.db, me, (from, to), asset, LINES + 1).await?;
    if lines.len() as u64 > LINES {
        return Err(bad_field("to_ms", "range").with("max_lines", LINES));
    }
    for line in lines {
        let scale = app.catalog.asset(line.asset).map_or(0, |asset| asset.scale);
        let cells = [
            line.id.to_string(),
            ts(line.time_ms),
            line.time_ms.to_string(),
            figures::wallet_word(line.wallet).to_owned(),
            if line.held { "frozen" } else { "avail" }.to_owned(),
            cell(figures::code(&app.catalog, line.asset)),
            line.kind.to_string(),
            cell(kind_text(call.lang, line.kind)),
            signed(line.change, scale),
            signed(line.after, scale),
            cell(&line.object),
            line.object_id.to_string(),
        ];
        table.push_str(&cells.join(","));
        table.push_str("\r\n");
    }
    Ok(Reply::raw("text/csv; charset=utf-8", table.into_bytes()))
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

//! A member's contracts: open ones from the engine, closed ones from the history (`docs/api.md` 4.9).

use std::borrow::Cow;
use std::cmp::Reverse;

use engine::contracts::position::{Position, Status};
use engine::ids::{AssetId, MarketId};
use serde::Serialize;
use store::Page;
use store::contracts::{self, Ended, Filter};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::api::contracts::view::{PositionView, Totals, position_view, totals};
use crate::http::Call;
use crate::http::page::Paginator;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Refusal, Reply, bad_field};
use crate::http::request::request;
use crate::http::values::Value;

/// 0 waiting, 1 holding, 3 closed, 4 cancelled, -1 all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListStatus(Option<Status>);

impl Value for ListStatus {
    const KIND: Kind = Kind::OneOf(&["0", "1", "3", "4", "-1"]);

    fn parse(name: &'static str, text: &str) -> Result<ListStatus, Refusal> {
        match text {
            "0" => Ok(ListStatus(Some(Status::Waiting))),
            "1" => Ok(ListStatus(Some(Status::Holding))),
            "3" => Ok(ListStatus(Some(Status::Closed))),
            "4" => Ok(ListStatus(Some(Status::Cancelled))),
            "-1" => Ok(ListStatus(None)),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `lever/my_trade` takes.
    pub struct ListContracts checked by handler {
        optional currency_id: Option<u64>,
        optional legal_id: Option<u64>,
        optional status: Option<ListStatus>,
        optional page: Page,
    }
}

/// A page of contracts, with the totals of all open positions.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeverTrades {
    rate_profits_total: Totals,
    message: PositionPage,
}

/// A page of contracts, under the name that pages have.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct PositionPage(Paginator<PositionView>);

impl PartialSchema for PositionPage {
    fn schema() -> RefOr<Schema> {
        Paginator::<PositionView>::schema()
    }
}

impl ToSchema for PositionPage {
    fn name() -> Cow<'static, str> {
        "Paginator_Position".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Paginator::<PositionView>::schemas(schemas);
    }
}

/// `POST lever/my_trade`
pub async fn list(call: Call, request: ListContracts) -> Answer {
    let (app, user, page) = (&call.app, call.user()?, request.page);
    let markets = markets(&call, request.currency_id, request.legal_id);
    let status = request.status.and_then(|status| status.0);
    let (seq, mut rows) = {
        let engine = app.sequencer.engine();
        let fits = |position: &&Position| {
            status.is_none_or(|status| position.status == status)
                && markets.as_ref().is_none_or(|markets| markets.contains(&position.market))
        };
        let seq = engine.seq().0;
        let open = engine.contracts_of(user).filter(fits).map(|position| Ended { position: *position, seq });
        (seq, open.collect::<Vec<_>>())
    };
    let open = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    // Each open contract shifts the page by at most one row, so the page is within the rows from here to its end.
    let before = page.offset().min(open);
    let mut total = open;
    if !matches!(status, Some(Status::Waiting | Status::Holding)) {
        app.wait_for(seq).await?;
        let filter = Filter { markets, status, up_to_seq: seq };
        let (ended, count) = contracts::list(&app.db, user, &filter, page.limit + open, page.offset() - before).await?;
        rows.extend(ended);
        total += count;
    }
    rows.sort_by_key(|row| Reverse(row.position.id));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let engine = app.sequencer.engine();
    let shown = rows.iter().skip(bound(before)).take(bound(page.limit));
    let shown = shown.map(|row| position_view(&engine, call.lang, &row.position, row.seq)).collect::<Result<_, _>>()?;
    let trades = LeverTrades { rate_profits_total: totals(&engine, user), message: PositionPage(Paginator::new(shown, total, page)) };
    Ok(Reply::ok(trades).at(seq))
}

/// The pairs of these coins; `None` when no coin is asked for.
fn markets(call: &Call, base: Option<u64>, quote: Option<u64>) -> Option<Vec<MarketId>> {
    let fits = |wanted: Option<u64>, asset: AssetId| wanted.is_none_or(|wanted| wanted == u64::from(asset.0));
    let markets = call.app.catalog.markets.iter().filter(|market| fits(base, market.base) && fits(quote, market.quote));
    (base.is_some() || quote.is_some()).then(|| markets.map(|market| market.id).collect())
}

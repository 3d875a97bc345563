//! The entries that last changed open orders; the engine knows only the instants.

use std::collections::HashMap;

use engine::ids::OrderId;
use engine::spot::OrderKind;
use engine::spot::SpotOrder;
use engine::spot::status::Status;

use crate::error::StoreError;
use crate::handle::Store;
use crate::sql;

/// By order, as far as `seq`. One that nothing has happened to since it was placed has the number of that entry.
pub async fn last(store: &Store, orders: &[&SpotOrder], seq: u64) -> Result<HashMap<OrderId, u64>, StoreError> {
    let triggered = |order: &SpotOrder| matches!(order.kind, OrderKind::StopLimit { .. }) && order.status != Status::Waiting;
    let changed: Vec<&SpotOrder> = orders.iter().copied().filter(|order| order.filled > 0 || triggered(order)).collect();
    let mut last: HashMap<OrderId, u64> = orders.iter().map(|order| (order.id, order.id.0)).collect();
    if changed.is_empty() {
        return Ok(last);
    }
    store.wait_for(seq).await?;
    let fill = "select max(seq) from fills where order_id = $1 and seq <= $2";
    // A sample of the pair triggers a stop, at the instant of that sample.
    let sample = "select max(seq) from index_samples where market = $1 and time_ms = $2 and seq <= $3";
    let questions = changed.iter().map(|order| match order.filled {
        0 => sql!(sample, order.market.0, order.updated.0, seq),
        _ => sql!(fill, order.id.0, seq),
    });
    for (order, done) in changed.iter().zip(store.db.read(questions.collect()).await?) {
        let at = done.first().map_or(Ok(None), |row| row.maybe_int(0))?;
        if let Some(at) = at.and_then(|at| u64::try_from(at).ok()) {
            last.insert(order.id, at);
        }
    }
    Ok(last)
}

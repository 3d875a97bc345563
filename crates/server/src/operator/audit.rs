//! The audit log as auditors read it.

use serde::Serialize;
use store::audit::{self, Line, Search};
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Reply};

/// What an operator saw or did.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditRow {
    id: u64,
    seq: u64,
    operator_id: u32,
    action: String,
    kind: String,
    object_id: u64,
    reason: String,
    hash: String,
    created_at: String,
    created_at_ms: u64,
}

/// `GET /operator/api/audit`
pub async fn list(call: Call) -> Answer {
    let params = &call.params;
    params.complete()?;
    let search = Search {
        operator: params.int("operator_id")?,
        action: params.text("action", 1..=40)?,
        kind: params.text("object", 1..=40)?,
        object_id: params.int("object_id")?,
        from_ms: params.int("from_ms")?,
        to_ms: params.int("to_ms")?,
    };
    let page = params.page()?;
    let (lines, total) = audit::list(&call.app, search, page).await?;
    let row = |line: Line| AuditRow {
        id: line.id,
        seq: line.seq,
        operator_id: line.operator.0,
        action: line.action,
        kind: line.kind,
        object_id: line.object_id,
        reason: line.reason,
        hash: hex(&line.hash),
        created_at: ts(line.created_at_ms),
        created_at_ms: line.created_at_ms,
    };
    Ok(Reply::ok(Paginator::new(lines.into_iter().map(row).collect(), total, page)))
}

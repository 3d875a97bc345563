//! The audit log, as auditors read it.

use serde::Serialize;
use store::Page;
use store::audit::{self, Search};
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::http::values::Line;

/// An operator's access or action.
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

request! {
    /// What `audit` takes.
    pub struct SearchAudit {
        optional operator_id: Option<u64>,
        optional action: Option<Line<1, 40>>,
        optional object: Option<Line<1, 40>>,
        optional object_id: Option<u64>,
        optional from_ms: Option<u64>,
        optional to_ms: Option<u64>,
        optional page: Page,
    }
}

/// `GET /operator/api/audit`
pub async fn list(call: Call, request: SearchAudit) -> Answer {
    let SearchAudit { operator_id, action, object, object_id, from_ms, to_ms, page } = request;
    let text = |typed: Option<Line<1, 40>>| typed.map(|Line(text)| text);
    let search = Search { operator: operator_id, action: text(action), kind: text(object), object_id, from_ms, to_ms };
    let (lines, total) = audit::list(&call.app, search, page).await?;
    let row = |line: audit::Line| AuditRow {
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

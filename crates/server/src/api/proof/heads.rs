//! Signed heads of the log, and the path from an entry to one of them (`docs/api.md` 4.15).

use engine::command::Mode;
use journal::Hash;
use journal::merkle::{self, Side};
use serde::Serialize;
use store::proofs::{self, SignedHead};
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::{App, Call, types};

/// A signed head: the end of the log at a full minute.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Head)]
pub struct HeadView {
    seq: u64,
    hash: String,
    root: String,
    signature: String,
    key: String,
    state_hash: String,
    state_seq: u64,
    epoch: u64,
    time_ms: u64,
    #[schema(value_type = types::Mode)]
    mode: &'static str,
    genesis: String,
}

/// The Merkle path from an entry to the root of a head.
#[derive(Debug, Serialize, ToSchema)]
pub struct Inclusion {
    seq: u64,
    hash: String,
    head_seq: u64,
    root: String,
    path: Vec<Step>,
}

/// A sibling hash on a Merkle path.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InclusionStep)]
pub struct Step {
    #[schema(value_type = types::PathSide)]
    side: &'static str,
    hash: String,
}

/// `GET proof/head`
pub async fn head(call: Call) -> Answer {
    let head = newest(&call.app, call.app.proof.size()).await?.or_refuse(Code::NotReady)?;
    Ok(Reply::ok(view(&call.app, &head)))
}

request! {
    /// What `proof/inclusion` takes.
    pub struct Include checked by handler {
        required seq: Input<u64>,
        optional head_seq: Input<u64>,
    }
}

/// `GET proof/inclusion`
pub async fn inclusion(call: Call, request: Include) -> Answer {
    let seq = request.seq.required()?;
    let wanted = request.head_seq.optional()?;
    let head = newest(&call.app, wanted.unwrap_or_else(|| call.app.proof.size())).await?;
    let head =
        head.filter(|head| seq > 0 && seq <= head.seq && wanted.is_none_or(|wanted| wanted == head.seq)).or_refuse(Code::NotFound)?;
    let (hash, path) = path(&call, seq, &head).await?;
    Ok(Reply::ok(Inclusion { seq, hash: hex(&hash), head_seq: head.seq, root: hex(&head.root), path }).at(seq))
}

/// Chain hash of an entry and the way from it to the root of a head.
///
/// # Errors
/// When the log cannot be read.
pub async fn path(call: &Call, seq: u64, head: &SignedHead) -> Result<(Hash, Vec<Step>), Refusal> {
    let (hash, path) = call.app.proof.path(&call.app.sequencer, seq, head.seq).await?.or_refuse(Code::NotReady)?;
    Ok((hash, steps(&path)))
}

/// A path on the wire.
pub fn steps(path: &merkle::Path) -> Vec<Step> {
    let step = |(side, hash): &(Side, Hash)| Step { side: if *side == Side::Left { "left" } else { "right" }, hash: hex(hash) };
    path.iter().map(step).collect()
}

/// The newest signed head at or before an entry.
///
/// # Errors
/// When it cannot be read.
pub async fn newest(app: &App, at_most: u64) -> Result<Option<SignedHead>, Refusal> {
    let at_most = at_most.min(i64::MAX.unsigned_abs());
    proofs::newest_head(&app.db, at_most).await.map_err(|error| {
        tracing::error!(%error, "signed heads");
        refuse(Code::NotReady)
    })
}

/// A head on the wire.
pub fn view(app: &App, head: &SignedHead) -> HeadView {
    let proof = &app.proof;
    HeadView {
        seq: head.seq,
        hash: hex(&head.hash),
        root: hex(&head.root),
        signature: hex(&head.signature),
        key: hex(proof.public_key()),
        state_hash: hex(&head.state_hash),
        state_seq: head.state_seq,
        epoch: head.epoch,
        time_ms: head.time_ms,
        mode: if app.mode == Mode::Sandbox { "sandbox" } else { "live" },
        genesis: hex(&proof.genesis()),
    }
}

//! The exit kit: a copy of everything that moved a member's money, with the log entries that moved it and their paths to one signed head.
//! It is read and checked without us (`meridian verify --kit`, `docs/verify.md`).

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::time::Duration;

use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};
use engine::time::HOUR_MS;
use journal::merkle::BLOCK;
use journal::{Group, Hash};
use kernel::sequencer::SubmitError;
use serde::Serialize;
use serde_json::json;
use store::db::DbError;
use store::exports::{self, State};
use store::history::{self, StatementLine};
use store::people;
use store::proofs::SignedHead;
use store::secrets::{hex, random};
use utoipa::ToSchema;

use super::profile::check_password;
use crate::api::proof::{entries, heads};
use crate::exports::KIT;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{ById, request};
use crate::http::units::wallet_word;
use crate::http::{App, Call, types};

/// A finished kit is kept for this long.
const KEPT_MS: u64 = 24 * HOUR_MS;
/// Lines read at once.
const LINES: u64 = 2_000;
/// How long the kit waits for a head that covers the moment of the request, and how often it looks for one.
const LOOK: Duration = Duration::from_millis(500);
const LOOKS: usize = 180;

/// An export of the member's own data that was started.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnExport)]
pub struct ExportBegun {
    id: u64,
    #[schema(value_type = types::ExportStatus)]
    status: &'static str,
}

/// Progress of an export.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnExportState)]
pub struct ExportState {
    id: u64,
    #[schema(value_type = types::ExportStatus)]
    status: &'static str,
    url: Option<String>,
    expires_ms: Option<u64>,
}

request! {
    /// What `user/export` takes.
    pub struct BeginExport {
        required password: String,
    }
}

/// `POST user/export`
pub async fn begin(call: Call, request: BeginExport) -> Answer {
    let app = call.app.clone();
    let me = people::get(&app, call.user()?).await?;
    check_password(&call, &me, &request.password).await?;
    forget_old(&app).await?;
    let key = format!("{KIT}{}.ndjson", hex(&random::<16>().map_err(|_| refuse(Code::Internal))?));
    let write = exports::begin(me.id, &key, app.now_ms());
    let begun = call.commit_with(write, |done| Ok(Reply::ok(ExportBegun { id: exports::begun(done)?, status: "working" }))).await;
    let reply = begun.map_err(|error| match error {
        DbError::Missed(1) => refuse(Code::TooManyOpen).with("max", 1),
        other => other.into(),
    })?;
    let up_to = app.sequencer.engine().seq().0;
    // The thread waits for the database and the log, and no caller waits for the thread.
    let (exports, runtime) = (app.exports.clone(), tokio::runtime::Handle::current());
    tokio::spawn(async move {
        exports.run(move || runtime.block_on(make(&app, me.id, &key, up_to))).await;
    });
    Ok(reply)
}

/// `GET user/export`
pub async fn state(call: Call, request: ById) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    forget_old(app).await?;
    let id = request.id.or(Code::NotFound)?;
    let export = exports::find(&app.db, user, id).await?.or_refuse(Code::NotFound)?;
    let status = match export.state {
        State::Working => "working",
        State::Ready => "ready",
        State::Over => "expired",
    };
    let url = (export.state == State::Ready).then(|| format!("/files/{}", export.key));
    Ok(Reply::ok(ExportState { id, status, url, expires_ms: export.expires_ms }))
}

async fn forget_old(app: &App) -> Result<(), Refusal> {
    for key in exports::expire(&app.db, app.now_ms()).await? {
        app.exports.forget(&key);
    }
    Ok(())
}

/// Deletes kits that can no longer be fetched: expired ones, and those that an interrupted run of the server left.
///
/// # Errors
/// When the database or the folder cannot be read.
pub async fn sweep(app: &App) -> Result<(), Refusal> {
    forget_old(app).await?;
    let unread = |error: std::io::Error| {
        tracing::error!(%error, "copies of members' data");
        refuse(Code::NotReady)
    };
    // A kit's row exists before its file does.
    let found = app.exports.keys().map_err(unread)?;
    let live = exports::live(&app.db).await?;
    found.iter().filter(|key| !live.contains(*key)).for_each(|key| app.exports.forget(key));
    Ok(())
}

/// Makes a member's kit, the file with this name, and says so.
async fn make(app: &App, user: UserId, key: &str, up_to: u64) {
    let made = async {
        let head = head_after(app, up_to).await?;
        app.wait_for(head.seq).await.map_err(|refusal| refusal.code.name())?;
        let out = app.exports.draft(key).map_err(|_| "the file cannot be written")?;
        let mut out = BufWriter::new(out);
        write(app, user, &head, &mut out).await?;
        let out = out.into_inner().map_err(|_| "the file cannot be written")?;
        out.sync_all().and_then(|()| app.exports.publish(key)).map_err(|_| "the file cannot be written")
    };
    let expires_ms = match made.await {
        Ok(()) => Some(app.now_ms() + KEPT_MS),
        Err(why) => {
            tracing::error!(why, "a copy of a member's data was not made");
            app.exports.forget(key);
            None
        }
    };
    if let Err(error) = exports::end(&app.db, key, expires_ms).await {
        tracing::error!(%error, "exports");
    }
}

/// The newest signed head, once one covers an entry.
async fn head_after(app: &App, seq: u64) -> Result<SignedHead, &'static str> {
    for _ in 0..LOOKS {
        let head = heads::newest(app, app.proof.size()).await.map_err(|refusal| refusal.code.name())?;
        if let Some(head) = head.filter(|head| head.seq >= seq) {
            return Ok(head);
        }
        tokio::time::sleep(LOOK).await;
    }
    Err("no head was signed")
}

/// Why a kit was not made.
type Why = &'static str;

/// First the proof: the head, the first entry, and each entry that moved the member's money. Then the movements, wallet by wallet and coin
/// by coin. At most [`LINES`] lines are in memory, and the numbers of the entries.
pub async fn write(app: &App, user: UserId, head: &SignedHead, out: &mut impl Write) -> Result<(), Why> {
    let mut line = |value: &serde_json::Value| writeln!(out, "{value}").map_err(|_| "the file cannot be written");
    let first = one(app, 1).await?;
    line(&json!({ "kit": 1, "user_id": user.0, "head": heads::view(app, head), "genesis": first }))?;
    let mut seqs: Vec<u64> = Vec::new();
    for balance in app.catalog.balances() {
        each_line(app, user, balance, head.seq, |lines| {
            seqs.extend(lines.iter().map(|line| line.seq));
            seqs.dedup();
            Ok(())
        })
        .await?;
    }
    seqs.sort_unstable();
    seqs.dedup();
    let mut blocks: BTreeMap<u64, Vec<Hash>> = BTreeMap::new();
    let last = head.seq / BLOCK;
    blocks.insert(last, block_of(app, last).await?.1);
    for of_block in seqs.chunk_by(|one, next| (one - 1) / BLOCK == (next - 1) / BLOCK) {
        let block = of_block.first().map_or(0, |seq| (seq - 1) / BLOCK);
        blocks.retain(|known, _| *known == last);
        let (groups, hashes) = block_of(app, block).await?;
        blocks.insert(block, hashes);
        for entry in groups.iter().flat_map(Group::chained) {
            let seq = entry.record.seq;
            if of_block.binary_search(&seq).is_ok() {
                let path = match app.proof.path_within(&blocks, seq, head.seq) {
                    Ok(path) => path,
                    // The block of the head was not full when it was read, but is full now.
                    Err(_) => {
                        blocks.insert(last, block_of(app, last).await?.1);
                        app.proof.path_within(&blocks, seq, head.seq).map_err(|_| UNREAD)?
                    }
                };
                let entry = entries::view(Some(user), entry).map_err(|_| UNREAD)?;
                line(&json!({ "entry": entry, "path": heads::steps(&path) }))?;
            }
        }
    }
    let mut count = 0_u64;
    for balance in app.catalog.balances() {
        each_line(app, user, balance, head.seq, |lines| {
            count += lines.len() as u64;
            lines.iter().try_for_each(|one| line(&json!({ "line": LineView::of(app, one) })))
        })
        .await?;
    }
    line(&json!({ "end": { "entries": seqs.len(), "lines": count } }))
}

const UNREAD: Why = "the log cannot be read";

/// A block of the log. Trading comes first: if the log is busy the read is retried.
async fn block_of(app: &App, block: u64) -> Result<(Vec<Group>, Vec<Hash>), Why> {
    for _ in 0..LOOKS {
        match app.proof.block(&app.sequencer, block).await {
            Err(SubmitError::NotReady) => tokio::time::sleep(LOOK).await,
            read => return read.map_err(|_| UNREAD),
        }
    }
    Err(UNREAD)
}

async fn each_line(
    app: &App,
    user: UserId,
    balance: (Wallet, AssetId),
    up_to: u64,
    mut take: impl FnMut(&[StatementLine]) -> Result<(), Why>,
) -> Result<(), Why> {
    let mut after = (0, 0);
    loop {
        let lines =
            history::statement_after(&app.db, user, balance, up_to, after, LINES).await.map_err(|_| "the history cannot be read")?;
        let Some(last) = lines.last() else { return Ok(()) };
        after = (last.time_ms, last.id);
        take(&lines)?;
    }
}

async fn one(app: &App, seq: u64) -> Result<entries::EntryView, Why> {
    let groups = app.sequencer.read_log(seq..=seq).await.map_err(|_| UNREAD)?;
    let entry = groups.iter().flat_map(Group::chained).find(|entry| entry.record.seq == seq).ok_or(UNREAD)?;
    entries::view(None, entry).map_err(|_| UNREAD)
}

/// A line of the statement, in atoms.
#[derive(Debug, Serialize)]
struct LineView {
    id: u64,
    seq: u64,
    time_ms: u64,
    account: &'static str,
    part: &'static str,
    currency_id: u32,
    currency: String,
    scale: u8,
    kind: u32,
    change: i64,
    after: i64,
    object: String,
    object_id: u64,
}

impl LineView {
    fn of(app: &App, line: &StatementLine) -> LineView {
        let asset = app.catalog.asset(line.asset);
        LineView {
            id: line.id,
            seq: line.seq,
            time_ms: line.time_ms,
            account: wallet_word(line.wallet),
            part: if line.held { "frozen" } else { "avail" },
            currency_id: line.asset.0,
            currency: asset.as_ref().map_or_else(String::new, |asset| asset.code.clone()),
            scale: asset.as_ref().map_or(0, |asset| asset.scale),
            kind: line.kind,
            change: line.change,
            after: line.after,
            object: line.object.clone(),
            object_id: line.object_id,
        }
    }
}

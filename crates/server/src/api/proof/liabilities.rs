//! Proof of liabilities: what all members have of each coin, and a member's own leaf in its tree (`docs/api.md` 10, `docs/log-bytes.md`).

use engine::amount::Amount;
use engine::catalog::Asset;
use engine::codec;
use engine::command::Command;
use engine::ids::AssetId;
use engine::ledger::HouseAccount;
use engine::liabilities::{CoinRoot, RecordLiabilities, Side, Step};
use serde::Serialize;
use store::proofs::{self, RecordedCut};
use store::secrets::hex;
use utoipa::ToSchema;

use crate::api::market::pools::word;
use crate::api::proof::evidence::{Evidence, evidence};
use crate::http::code::Code;
use crate::http::decimal::{fixed, signed};
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::{Call, types};

/// What all members have at one entry.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Liabilities)]
pub struct LiabilitiesView {
    seq: u64,
    previous_seq: Option<u64>,
    recorded_seq: u64,
    time_ms: u64,
    assets: Vec<AssetView>,
}

/// The liabilities tree of one coin.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiabilitiesAsset)]
struct AssetView {
    currency_id: u32,
    currency_name: String,
    total: String,
    users: u64,
    root: String,
    external: String,
    /// Balances of the house accounts at the same entry. With `total` they add up to `external`. Only recent cuts have them.
    pools: Option<Vec<PoolHolding>>,
}

/// The balance of one house account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiabilitiesPool)]
struct PoolHolding {
    #[schema(value_type = types::PoolAccount)]
    account: &'static str,
    balance: String,
}

/// The caller's own leaf, its path to the root, and the proof that the root is in the log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Leaf)]
pub struct LeafView {
    seq: u64,
    recorded_seq: u64,
    time_ms: u64,
    user_id: u64,
    currency_id: u32,
    currency_name: String,
    balance: String,
    nonce: String,
    index: u64,
    leaf: String,
    path: Vec<SumStep>,
    root: String,
    total: String,
    proof: Option<Evidence>,
}

/// A sibling node on the path.
#[derive(Debug, Serialize, ToSchema)]
struct SumStep {
    #[schema(value_type = types::PathSide)]
    side: &'static str,
    hash: String,
    sum: String,
}

request! {
    /// What `proof/liabilities` takes.
    pub struct ShowLiabilities checked by handler {
        optional seq: Input<u64>,
    }
}

/// `GET proof/liabilities`
pub async fn liabilities(call: Call, request: ShowLiabilities) -> Answer {
    let wanted = request.seq.optional()?;
    let cut = newest(&call, wanted.unwrap_or(u64::MAX)).await?;
    let cut = cut.filter(|cut| wanted.is_none_or(|wanted| wanted == cut.seq)).or_refuse(Code::NotFound)?;
    let previous = newest(&call, cut.seq - 1).await?;
    let record = record(&cut)?;
    let engine = call.app.sequencer.engine();
    let coin = |root: &CoinRoot| {
        let coin = engine.known_coin(root.asset)?;
        Some(AssetView {
            currency_id: root.asset.0,
            currency_name: coin.code.clone(),
            total: fixed(root.total, coin.scale),
            users: root.users,
            root: hex(&root.root.0),
            external: signed(-i128::from(root.came_in), coin.scale),
            pools: call.app.liabilities.house(record.seq, root.asset).map(|pools| pools.into_iter().map(pool(coin.scale)).collect()),
        })
    };
    Ok(Reply::ok(LiabilitiesView {
        seq: cut.seq,
        previous_seq: previous.map(|cut| cut.seq),
        recorded_seq: cut.entry,
        time_ms: record.time.0,
        assets: record.coins.iter().filter_map(coin).collect(),
    })
    .at(cut.entry))
}

request! {
    /// What `proof/my_leaf` takes.
    pub struct ShowLeaf checked by handler {
        required currency_id: Input<u64>,
    }
}

/// `GET proof/my_leaf`
pub async fn my_leaf(call: Call, request: ShowLeaf) -> Answer {
    let user = call.user()?;
    let coin = coin(&call, request.currency_id.readable()).or_refuse(Code::UnknownAsset)?;
    let cut = newest(&call, u64::MAX).await?.or_refuse(Code::NotFound)?;
    let record = record(&cut)?;
    let recorded = record.coins.iter().find(|root| root.asset == coin.id).or_refuse(Code::NotFound)?;
    // After a start the leaves are known again only with the next cut, so their absence says nothing about the member.
    let proven = call.app.liabilities.proven(user, record.seq, recorded).await.or_refuse(Code::NotReady)?;
    let proven = proven.or_refuse(Code::NotFound)?;
    // The sealed part of this entry belongs to no member and is shown to none.
    let proof = evidence(&call, &[cut.entry..=cut.entry], &[]).await?;
    let step = |(side, node): &Step| SumStep {
        side: if *side == Side::Left { "left" } else { "right" },
        hash: hex(&node.hash.0),
        sum: fixed(node.sum, coin.scale),
    };
    Ok(Reply::ok(LeafView {
        seq: cut.seq,
        recorded_seq: cut.entry,
        time_ms: record.time.0,
        user_id: user.0,
        currency_id: coin.id.0,
        currency_name: coin.code.clone(),
        balance: fixed(proven.leaf.sum, coin.scale),
        nonce: hex(&proven.nonce.0),
        index: proven.index,
        leaf: hex(&proven.leaf.hash.0),
        path: proven.path.iter().map(step).collect(),
        root: hex(&recorded.root.0),
        total: fixed(recorded.total, coin.scale),
        proof,
    })
    .at(cut.entry))
}

/// The holding of a house account in a coin with this scale.
fn pool(scale: u8) -> impl Fn((HouseAccount, Amount)) -> PoolHolding {
    move |(account, atoms)| PoolHolding { account: word(account), balance: fixed(atoms, scale) }
}

/// A coin of which anybody can have something: also one that is offered and not listed yet.
fn coin(call: &Call, id: Option<&u64>) -> Option<Asset> {
    let id = u32::try_from(*id?).ok()?;
    call.app.sequencer.engine().known_coin(AssetId(id)).cloned()
}

/// The newest recorded cut at or before an entry.
async fn newest(call: &Call, at_most: u64) -> Result<Option<RecordedCut>, Refusal> {
    proofs::newest_cut(&call.app.db, at_most.min(i64::MAX.unsigned_abs())).await.map_err(|error| {
        tracing::error!(%error, "recorded liabilities");
        refuse(Code::NotReady)
    })
}

/// The contents of the entry of a cut.
fn record(cut: &RecordedCut) -> Result<RecordLiabilities, Refusal> {
    match codec::parts::decode_public(codec::RECORD_LIABILITIES, 1, &cut.roots) {
        Ok(Some(Command::RecordLiabilities(record))) => Ok(*record),
        _ => {
            tracing::error!(seq = cut.seq, "recorded liabilities cannot be read");
            Err(refuse(Code::Internal))
        }
    }
}

//! Checks a member's leaf of the liabilities from the document alone. The leaf is the hash of the member's number, the nonce and the
//! balance; the path and its sums lead to root and total; and the log of a signed head has both (`docs/verify.md`). The app does the same
//! in `web/src/lib/verify/leaf.ts`.

use engine::amount::{MAX_AMOUNT, parse_decimal};
use engine::codec;
use engine::command::Command;
use engine::ids::{Digest, UserId};
use engine::liabilities::{CoinRoot, Node, RecordLiabilities, Side, Step, fold, sides};
use serde::Deserialize;
use serde_json::Value as Json;
use store::secrets::from_hex;

use crate::http::decimal::fixed;
use crate::verify::evidence::{Proof, inner};
use crate::verify::fault::{Fault, Reason};

/// A leaf that passed every check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Number of the member.
    pub user: u64,
    /// What the venue owed them, and in which coin.
    pub balance: (String, String),
    /// What it owed all members, and their number.
    pub total: (String, u64),
    /// The entry after which the balances were taken.
    pub seq: u64,
    /// The head that covers it, and its key.
    pub head: (u64, Vec<u8>),
    /// What the leaf could not show by itself: `terms`, the decimals of a coin that the first entry does not list.
    pub unshown: Vec<&'static str>,
}

#[derive(Debug, Deserialize)]
struct Claims {
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
    path: Vec<StepClaim>,
    root: String,
    total: String,
    proof: Option<Json>,
}

#[derive(Debug, Deserialize)]
struct StepClaim {
    side: Beside,
    hash: String,
    sum: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Beside {
    Left,
    Right,
}

/// Checks a leaf; `known` is the key that its head must be signed with, if that is known from elsewhere.
///
/// # Errors
/// The first check that fails.
pub fn check(document: &Json, known: Option<&[u8]>) -> Result<Checked, Fault> {
    let claims = Claims::deserialize(inner(document)).map_err(|error| Reason::Format.because(error.to_string()))?;
    let scale = claims.balance.split_once('.').map_or(0, |(_, digits)| digits.len());
    let scale = u8::try_from(scale).map_err(|_| Reason::Format.because("balance"))?;
    let (nonce, leaf, root) = (digest(&claims.nonce)?, digest(&claims.leaf)?, digest(&claims.root)?);
    let (balance, total) = (atoms(&claims.balance, scale)?, atoms(&claims.total, scale)?);
    let path = claims.path.iter().map(|step| step.read(scale)).collect::<Result<Vec<Step>, Fault>>()?;
    let (proof, genesis) = Proof::checked(claims.proof.as_ref(), known)?;
    let listed = genesis.catalog.assets.iter().find(|coin| coin.id.0 == claims.currency_id);
    if let Some(coin) = listed
        && (coin.scale, &coin.code) != (scale, &claims.currency_name)
    {
        return Err(Reason::Terms.because("the coin has another name or other decimals"));
    }
    let recorded = recorded(&claims, &proof)?;
    if (recorded.root, recorded.total) != (root, total) {
        return Err(Reason::Root.because("the log has another root or total"));
    }
    let made = Node::leaf(UserId(claims.user_id), &nonce, balance);
    if made.hash != leaf {
        return Err(Reason::Leaf.because("the leaf is not made of this member, nonce and balance"));
    }
    let led = fold(made, &path).filter(|led| led.sum == total).ok_or_else(|| Reason::Sum.because("the sums do not come to the total"))?;
    let expected = sides(claims.index, recorded.users);
    if led.hash != root || expected.is_none_or(|sides| !sides.into_iter().eq(path.iter().map(|(side, _)| *side))) {
        return Err(Reason::Root.because("the path does not lead from this place to the root"));
    }
    Ok(Checked {
        user: claims.user_id,
        balance: (claims.balance, claims.currency_name),
        total: (claims.total, recorded.users),
        seq: claims.seq,
        head: (proof.head.seq, proof.head.key),
        unshown: if listed.is_some() { Vec::new() } else { vec!["terms"] },
    })
}

/// The log's record of the coin at this cut.
fn recorded(claims: &Claims, proof: &Proof) -> Result<CoinRoot, Fault> {
    let Claims { recorded_seq, seq, time_ms, currency_id, .. } = claims;
    let entry = proof.entry(*recorded_seq).ok_or_else(|| Reason::Proof.because(format!("entry {recorded_seq} is missing")))?;
    let other = || Reason::Cut.because(format!("entry {recorded_seq} does not have the roots of this coin after entry {seq}"));
    let Ok(Some(Command::RecordLiabilities(record))) = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) else {
        return Err(other());
    };
    let RecordLiabilities { seq: cut, time, coins, .. } = *record;
    let coin = coins.into_iter().find(|coin| coin.asset.0 == *currency_id);
    coin.filter(|_| (cut.0, time.0) == (*seq, *time_ms) && cut.0 < entry.seq).ok_or_else(other)
}

impl StepClaim {
    fn read(&self, scale: u8) -> Result<Step, Fault> {
        let side = match self.side {
            Beside::Left => Side::Left,
            Beside::Right => Side::Right,
        };
        Ok((side, Node { hash: digest(&self.hash)?, sum: atoms(&self.sum, scale)? }))
    }
}

fn digest(text: &str) -> Result<Digest, Fault> {
    let lower = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    from_hex(text).filter(|_| lower).map(Digest).ok_or_else(|| Reason::Format.because("a hash has 64 lower-case hex digits"))
}

/// An amount in its one form: all decimals of the coin, no sign, and no other zero in front.
fn atoms(text: &str, scale: u8) -> Result<u64, Fault> {
    let atoms = parse_decimal(text, scale, MAX_AMOUNT).ok().filter(|atoms| fixed(*atoms, scale) == text);
    atoms.ok_or_else(|| Reason::Format.because(format!("{text} is no amount with {scale} decimals")))
}

/// The verified contents, in words for the user.
pub fn describe(checked: &Checked) -> Vec<String> {
    let Checked { user, balance: (balance, coin), total: (total, users), seq, head: (head, key), .. } = checked;
    vec![
        format!("ok  signature        head at entry {head}, key {}", data_encoding::HEXLOWER.encode(key)),
        "ok  entries          the entry of the roots has its hash and is in the log of the head".to_owned(),
        format!("ok  leaf             member {user} is owed {balance} {coin} after entry {seq}"),
        format!("ok  sum              it is part of the {total} {coin} that are owed to {users} members"),
        "ok  root             the path leads to the root in the log".to_owned(),
    ]
}

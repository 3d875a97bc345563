//! Texts that the journal knows only by their digest: addresses, card and identity fields, proofs, reasons, transactions. A text is stored
//! before the command that names it, so every digest can be resolved to its text. All of them are sealed.

use std::collections::HashMap;

use engine::identity::KycLevel;
use engine::identity::status::Status;
use engine::ids::{Digest, UserId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::db::{DbError, Sql, Value};
use crate::handle::Store;
use crate::secrets::hex;
use crate::sql;
use crate::vault::Place;

/// Fields of a bank card (K-1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardPaper {
    /// Number in the list of banks, if it was chosen there.
    pub bank_id: Option<u64>,
    /// Bank.
    pub bank_name: String,
    /// Printed number.
    pub bank_account: String,
    /// Holder.
    pub real_name: String,
    /// Branch.
    pub bank_branch: String,
    /// International: address of the bank.
    pub bank_address: String,
    /// International: SWIFT or Fedwire.
    pub swift_code: String,
    /// International: account number.
    pub iban: String,
    /// International: address of the recipient.
    pub residence_address: String,
    /// International: postal code.
    pub postal_code: String,
    /// International variant.
    pub is_international: bool,
}

/// Fields of the basic level (V-1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasicPaper {
    /// Two letters.
    pub country: String,
    /// Name as in the document.
    pub name: String,
    /// Number of the document.
    pub card_id: String,
    /// Contact address.
    pub address: String,
    /// Residence address.
    pub residence_address: String,
}

/// Pictures of the advanced level (V-1), by file key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdvancedPaper {
    /// Front of the document.
    pub front_pic: String,
    /// Back of the document.
    pub reverse_pic: String,
    /// Its holder with it.
    pub hand_pic: String,
}

/// The content of a deposit notice (D-2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofPaper {
    /// File key of the picture.
    pub img: String,
    /// Transaction, if the member named it.
    pub tx: Option<String>,
}

/// SHA-256, for texts that cannot be guessed or that are public anyway.
pub fn plain_digest(text: &str) -> Digest {
    Digest(Sha256::digest(text).into())
}

/// HMAC-SHA-256 with the server's key, for texts that could be guessed.
pub fn keyed_digest(store: &Store, kind: &'static str, text: &str) -> Digest {
    Digest(store.vault.index(kind, text))
}

/// Fields as the stored text, and its keyed digest.
pub fn written(store: &Store, kind: &'static str, paper: &impl Serialize) -> Result<(String, Digest), DbError> {
    let text = serde_json::to_string(paper).map_err(DbError::failed)?;
    let digest = keyed_digest(store, kind, &text);
    Ok((text, digest))
}

fn place<'a>(owner: UserId, row: &'a str) -> Place<'a> {
    Place { column: "papers.sealed", owner, row }
}

/// The statement that stores a text under its digest; storing it twice is harmless.
pub fn keep(store: &Store, owner: UserId, digest: Digest, text: &str) -> Result<Sql, DbError> {
    let sealed = store.vault.seal(place(owner, &hex(&digest.0)), text.as_bytes())?;
    let statement =
        "insert into papers (user_id, digest, sealed, created_at_ms) values ($1, $2, $3, $4) on conflict (user_id, digest) do nothing";
    Ok(sql!(statement, owner.0, digest.0, sealed, store.now_ms()))
}

/// The statement that forgets a text that nothing names.
pub fn forget(owner: UserId, digest: Digest) -> Sql {
    sql!("delete from papers where user_id = $1 and digest = $2", owner.0, digest.0)
}

/// The texts behind these digests of a member; digests without a stored text are missing.
pub async fn find(store: &Store, owner: UserId, digests: &[Digest]) -> Result<HashMap<Digest, String>, DbError> {
    if digests.is_empty() {
        return Ok(HashMap::new());
    }
    let holes: Vec<String> = (0..digests.len()).map(|at| format!("${}", at + 2)).collect();
    let text = format!("select digest, sealed from papers where user_id = $1 and digest in ({})", holes.join(","));
    let args = std::iter::once(Value::from(owner.0)).chain(digests.iter().map(|digest| digest.0.into())).collect();
    let done = store.db.query(Sql::new(text, args)).await?;
    let mut found = HashMap::new();
    for row in &done.rows {
        let digest = row.blob(0)?.try_into().map(Digest).map_err(|_| DbError::Failed("digest".to_owned()))?;
        found.insert(digest, store.vault.unseal_text(place(owner, &hex(&digest.0)), &row.blob(1)?)?);
    }
    Ok(found)
}

/// The text behind one digest.
pub async fn one(store: &Store, owner: UserId, digest: Digest) -> Result<Option<String>, DbError> {
    Ok(find(store, owner, &[digest]).await?.remove(&digest))
}

/// The papers of the basic level of a member while it is verified.
pub async fn verified(store: &Store, user: UserId) -> Result<Option<BasicPaper>, DbError> {
    let basic = store.engine().identity(user, KycLevel::Basic).filter(|basic| basic.status == Status::Verified).map(|basic| basic.content);
    let Some(content) = basic else { return Ok(None) };
    one(store, user, content).await?.map(|text| read(&text)).transpose()
}

/// The fields behind a digest.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, DbError> {
    serde_json::from_str(text).map_err(DbError::failed)
}

/// The object that a label belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// A stored address.
    Address,
    /// A withdrawal.
    Withdrawal,
}

impl LabelKind {
    fn word(self) -> &'static str {
        match self {
            LabelKind::Address => "address",
            LabelKind::Withdrawal => "withdrawal",
        }
    }
}

fn label_place<'a>(owner: UserId, row: &'a str) -> Place<'a> {
    Place { column: "labels.sealed", owner, row }
}

/// The statement that stores a member's label for an object; the first label stays.
pub fn set_label(store: &Store, kind: LabelKind, id: u64, owner: UserId, text: &str) -> Result<Sql, DbError> {
    let sealed = store.vault.seal(label_place(owner, &format!("{}{id}", kind.word())), text.as_bytes())?;
    let statement = "insert into labels (kind, id, user_id, sealed) values ($1, $2, $3, $4) on conflict (kind, id) do nothing";
    Ok(sql!(statement, kind.word(), id, owner.0, sealed))
}

/// The labels of a member's objects of one kind, by number.
pub async fn labels(store: &Store, kind: LabelKind, owner: UserId, ids: &[u64]) -> Result<HashMap<u64, String>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let holes: Vec<String> = (0..ids.len()).map(|at| format!("${}", at + 3)).collect();
    let text = format!("select id, sealed from labels where kind = $1 and user_id = $2 and id in ({})", holes.join(","));
    let args = [kind.word().into(), owner.0.into()].into_iter().chain(ids.iter().map(|id| (*id).into())).collect();
    let done = store.db.query(Sql::new(text, args)).await?;
    let label = |row: &crate::db::Row| {
        let id = row.id(0)?;
        Ok((id, store.vault.unseal_text(label_place(owner, &format!("{}{id}", kind.word())), &row.blob(1)?)?))
    };
    done.rows.iter().map(label).collect()
}

//! A member's second factor: the sealed secret of their authenticator, recovery codes as keyed hashes, and log-ins waiting for a code.

use engine::ids::UserId;
use engine::time::MINUTE_MS;
use serde::{Deserialize, Serialize};

use crate::db::{DbError, Sql};
use crate::handle::Store;
use crate::people::Person;
use crate::secrets::{hex, random};
use crate::security::same_password;
use crate::sql;
use crate::totp;
use crate::vault::Place;

/// A set-up that was begun, or a log-in that waits for its code, ends after this long.
pub const PENDING_MS: u64 = 10 * MINUTE_MS;
/// Recovery codes of a member.
pub const RECOVERY_CODES: usize = 10;
/// Letters of a recovery code: 10 of 32, so 50 bits.
const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// An active authenticator.
#[derive(Debug)]
pub struct Authenticator {
    /// Shared with the app.
    pub secret: Vec<u8>,
    /// A code of this time step or an earlier one was used.
    pub last_step: u64,
}

/// The authenticator of a member.
pub async fn authenticator(store: &Store, user: UserId) -> Result<Option<Authenticator>, DbError> {
    let done = store.db.query(sql!("select secret, last_step from totp where user_id = $1", user.0)).await?;
    let Some(row) = done.first() else { return Ok(None) };
    Ok(Some(Authenticator { secret: store.vault.unseal(secret_place(user), &row.blob(0)?)?, last_step: row.id(1)? }))
}

/// True if the member has switched it on.
pub async fn is_on(store: &Store, user: UserId) -> Result<bool, DbError> {
    Ok(store.db.query(sql!("select user_id from totp where user_id = $1", user.0)).await?.first().is_some())
}

/// The statement that uses up a code; misses if it, or a later one, was used meanwhile.
pub fn use_step(user: UserId, step: u64) -> Sql {
    sql!("update totp set last_step = $1 where user_id = $2 and last_step < $1", step, user.0).exactly(1)
}

/// The statement that uses up a recovery code; misses if there is none like it.
pub fn use_recovery(store: &Store, user: UserId, typed: &str) -> Sql {
    sql!("delete from recovery_codes where user_id = $1 and hash = $2", user.0, recovery_hash(store, user, typed)).exactly(1)
}

/// True if this is an unused recovery code of the member.
pub async fn is_recovery(store: &Store, user: UserId, typed: &str) -> Result<bool, DbError> {
    let hash = recovery_hash(store, user, typed);
    let done = store.db.query(sql!("select user_id from recovery_codes where user_id = $1 and hash = $2", user.0, hash)).await?;
    Ok(done.first().is_some())
}

/// How many recovery codes are left.
pub async fn recovery_left(store: &Store, user: UserId) -> Result<u64, DbError> {
    let done = store.db.query(sql!("select count(*) from recovery_codes where user_id = $1", user.0)).await?;
    done.first().map_or(Ok(0), |row| row.id(0))
}

/// Ten new codes as they are shown once, and the statements that replace the old ones.
pub fn new_recovery(store: &Store, user: UserId) -> Result<(Vec<String>, Vec<Sql>), DbError> {
    let mut codes = Vec::new();
    let mut statements = vec![sql!("delete from recovery_codes where user_id = $1", user.0)];
    for _ in 0..RECOVERY_CODES {
        let drawn: [u8; 10] = random().map_err(|error| DbError::Failed(error.0))?;
        let letters: String = drawn.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
        let (first, second) = letters.split_at(5);
        let code = format!("{first}-{second}");
        statements.push(sql!("insert into recovery_codes (user_id, hash) values ($1, $2)", user.0, recovery_hash(store, user, &code)));
        codes.push(code);
    }
    Ok((codes, statements))
}

fn recovery_hash(store: &Store, user: UserId, typed: &str) -> [u8; 32] {
    let letters: String = typed.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_uppercase()).collect();
    store.secrets.keyed("recovery", &[&user.0.to_string(), &letters])
}

/// Begins a set-up, replacing an earlier one, and returns its opaque number.
pub async fn begin(store: &Store, user: UserId, secret: &[u8]) -> Result<String, DbError> {
    let id = token()?;
    let text = "insert into totp_setups (user_id, setup_hash, secret, expires_ms) values ($1, $2, $3, $4) on conflict (user_id) do update \
                set setup_hash = excluded.setup_hash, secret = excluded.secret, expires_ms = excluded.expires_ms";
    let sealed = store.vault.seal(setup_place(user), secret)?;
    store.db.exec(sql!(text, user.0, store.secrets.keyed("totp setup", &[&id]), sealed, store.wall_ms() + PENDING_MS)).await?;
    Ok(id)
}

/// The secret of a set-up that this member began and that has not ended.
pub async fn begun(store: &Store, user: UserId, id: &str) -> Result<Option<Vec<u8>>, DbError> {
    let text = "select secret from totp_setups where user_id = $1 and setup_hash = $2 and expires_ms > $3";
    let done = store.db.query(sql!(text, user.0, store.secrets.keyed("totp setup", &[id]), store.wall_ms())).await?;
    done.first().map(|row| store.vault.unseal(setup_place(user), &row.blob(0)?)).transpose()
}

/// The statements that switch it on with its first code; the first misses if it is on already, the second if this set-up is over: undoing
/// a change ends it.
pub fn enable(store: &Store, user: UserId, id: &str, secret: &[u8], step: u64) -> Result<[Sql; 2], DbError> {
    let text = "insert into totp (user_id, secret, last_step, enabled_at_ms) values ($1, $2, $3, $4) on conflict (user_id) do nothing";
    let sealed = store.vault.seal(secret_place(user), secret)?;
    let begun = store.secrets.keyed("totp setup", &[id]);
    Ok([
        sql!(text, user.0, sealed, step, store.wall_ms()).exactly(1),
        sql!("delete from totp_setups where user_id = $1 and setup_hash = $2", user.0, begun).exactly(1),
    ])
}

/// The statements that switch it off.
pub fn disable(user: UserId) -> Vec<Sql> {
    vec![sql!("delete from totp where user_id = $1", user.0).exactly(1), sql!("delete from recovery_codes where user_id = $1", user.0)]
}

/// An authenticator and its recovery codes as they were at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactorRow {
    secret: Vec<u8>,
    last_step: u64,
    enabled_at_ms: u64,
    /// Keyed hashes.
    recovery: Vec<Vec<u8>>,
}

/// A member's present second factor, if it is switched on.
pub async fn kept(store: &Store, user: UserId) -> Result<Option<SecondFactorRow>, DbError> {
    let on = sql!("select secret, last_step, enabled_at_ms from totp where user_id = $1", user.0);
    let recovery = sql!("select hash from recovery_codes where user_id = $1", user.0);
    let [on, recovery] = &store.db.read(vec![on, recovery]).await?[..] else { return Ok(None) };
    let Some(row) = on.first() else { return Ok(None) };
    Ok(Some(SecondFactorRow {
        secret: store.vault.unseal(secret_place(user), &row.blob(0)?)?,
        last_step: row.id(1)?,
        enabled_at_ms: row.id(2)?,
        recovery: recovery.rows.iter().map(|row| row.blob(0)).collect::<Result<_, _>>()?,
    }))
}

/// The statements that restore an earlier second factor, whatever it is now. Codes of steps before now are no longer valid.
pub fn put_back(store: &Store, user: UserId, kept: Option<&SecondFactorRow>) -> Result<Vec<Sql>, DbError> {
    let mut statements: Vec<Sql> =
        ["totp", "recovery_codes", "totp_setups"].map(|table| sql!(format!("delete from {table} where user_id = $1"), user.0)).into();
    let Some(kept) = kept else { return Ok(statements) };
    let last_step = kept.last_step.max(totp::step(store.wall_ms()).saturating_sub(1));
    let sealed = store.vault.seal(secret_place(user), &kept.secret)?;
    let text = "insert into totp (user_id, secret, last_step, enabled_at_ms) values ($1, $2, $3, $4)";
    statements.push(sql!(text, user.0, sealed, last_step, kept.enabled_at_ms));
    let hash = |hash: &Vec<u8>| sql!("insert into recovery_codes (user_id, hash) values ($1, $2)", user.0, hash.clone());
    statements.extend(kept.recovery.iter().map(hash));
    Ok(statements)
}

/// A log-in with the right password waits for its second factor: the opaque number, and its end by the wall clock. Misses if the password
/// was changed meanwhile.
pub async fn challenge(store: &Store, of: &Person) -> Result<(String, u64), DbError> {
    let (id, expires_ms) = (token()?, store.wall_ms() + PENDING_MS);
    let hash = store.secrets.keyed("challenge", &[&id]);
    let insert = sql!("insert into login_challenges (hash, user_id, expires_ms) values ($1, $2, $3)", hash, of.id.0, expires_ms);
    store.db.run(vec![same_password(of), insert]).await?;
    Ok((id, expires_ms))
}

/// The member waiting under this number.
pub async fn challenged(store: &Store, id: &str) -> Result<Option<UserId>, DbError> {
    let hash = store.secrets.keyed("challenge", &[id]);
    let text = "select user_id from login_challenges where hash = $1 and expires_ms > $2";
    store.db.query(sql!(text, hash, store.wall_ms())).await?.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// The statement that ends a challenge; misses if it was used meanwhile.
pub fn end_challenge(store: &Store, id: &str) -> Sql {
    sql!("delete from login_challenges where hash = $1", store.secrets.keyed("challenge", &[id])).exactly(1)
}

/// The statement that ends all challenges of a member: the password behind them is another now.
pub fn end_challenges(user: UserId) -> Sql {
    sql!("delete from login_challenges where user_id = $1", user.0)
}

fn token() -> Result<String, DbError> {
    random::<32>().map(|bytes| hex(&bytes)).map_err(|error| DbError::Failed(error.0))
}

fn secret_place(user: UserId) -> Place<'static> {
    Place { column: "totp.secret", owner: user, row: "" }
}

fn setup_place(user: UserId) -> Place<'static> {
    Place { column: "totp_setups.secret", owner: user, row: "" }
}

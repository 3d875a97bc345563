//! Addresses that deposits arrive at: one for each member, coin and chain, never another member's (D-1).

use chain::derive::AccountKey;
use data_encoding::BASE32_NOPAD;
use engine::catalog::change::{CatalogChange, TextKind};
use engine::catalog::funding::Chain;
use engine::ids::{AssetId, Digest, UserId};

use super::catalog_texts;
use crate::app::App;
use crate::db::{Db, DbError, Row, Value};
use crate::secrets::random;
use crate::sql;

/// A member's address for a coin on a chain, made when it is first asked for. `None` where no receiving key is in force.
pub async fn of(app: &App, user: UserId, asset: AssetId, chain: Chain) -> Result<Option<String>, DbError> {
    if let Some(address) = stored(&app.db, user, asset, chain).await? {
        return Ok(Some(address));
    }
    let Some(Fresh { address, source, place }) = fresh(app, chain).await? else { return Ok(None) };
    let statement = "insert into deposit_addresses (user_id, asset, chain, address, source, place, created_at_ms) \
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_id, asset, chain) do nothing";
    let source: Value = source.map(|source| source.0.to_vec()).into();
    app.db.exec(sql!(statement, user.0, asset.0, chain.name(), address, source, place, app.now_ms())).await?;
    // Whoever came first at the same time has given it; the other place stays unused.
    stored(&app.db, user, asset, chain).await
}

async fn stored(db: &Db, user: UserId, asset: AssetId, chain: Chain) -> Result<Option<String>, DbError> {
    let text = "select address from deposit_addresses where user_id = $1 and asset = $2 and chain = $3";
    db.query(sql!(text, user.0, asset.0, chain.name())).await?.first().map(|row| row.text(0)).transpose()
}

struct Fresh {
    address: String,
    source: Option<Digest>,
    place: Option<u64>,
}

async fn fresh(app: &App, chain: Chain) -> Result<Option<Fresh>, DbError> {
    if app.is_sandbox() {
        // No chain takes this for an address, so nobody can send anything real to it.
        let letters: [u8; 12] = random().map_err(|error| DbError::Failed(error.0))?;
        let address = format!("SANDBOX-{}-{}", chain.name(), BASE32_NOPAD.encode(&letters));
        return Ok(Some(Fresh { address, source: None, place: None }));
    }
    let Some(source) = receiving_key(app, chain) else { return Ok(None) };
    let Some(key) = catalog_texts::find(&app.db, source).await? else {
        return Err(DbError::Failed(format!("the receiving key of {} is missing", chain.name())));
    };
    let named = chain::Chain::named(chain.name()).ok_or_else(|| DbError::Failed(chain.name().to_owned()))?;
    // What a key cannot be is never repeated: it could be a private one.
    let key =
        AccountKey::parse(named, &key).map_err(|_| DbError::Failed(format!("the receiving key of {} cannot be used", chain.name())))?;
    let next = "insert into deposit_places (chain, next) values ($1, 1) \
         on conflict (chain) do update set next = deposit_places.next + 1 returning next";
    // One place in 2^127 has no address.
    for _ in 0..2 {
        let done = app.db.exec(sql!(next, chain.name())).await?;
        let place = done.first().map_or(Ok(0), |row| row.id(0))?.saturating_sub(1);
        let index = u32::try_from(place).map_err(DbError::failed)?;
        if let Ok(address) = key.address(index) {
            return Ok(Some(Fresh { address: address.into_text(), source: Some(source), place: Some(place) }));
        }
    }
    Err(DbError::Failed(format!("no place on {}", chain.name())))
}

/// Digest of the key that two operators agreed on for a chain.
fn receiving_key(app: &App, chain: Chain) -> Option<Digest> {
    let engine = app.sequencer.engine();
    engine.catalog_versions().iter().rev().find_map(|version| match &version.change {
        CatalogChange::Text { kind: TextKind::ReceivingKey(of), digest, .. } if *of == chain => Some(*digest),
        _ => None,
    })
}

/// Whose an address is, and for which coin it was given out.
pub async fn owner(db: &Db, chain: Chain, address: &str) -> Result<Option<(UserId, AssetId)>, DbError> {
    let done =
        db.query(sql!("select user_id, asset from deposit_addresses where address = $1 and chain = $2", address, chain.name())).await?;
    let owner = |row: &Row| Ok((UserId(row.id(0)?), AssetId(u32::try_from(row.id(1)?).map_err(DbError::failed)?)));
    done.first().map(owner).transpose()
}

/// Addresses of a chain that were given out after this row, oldest first, for whoever watches it.
pub async fn since(db: &Db, chain: Chain, after: u64) -> Result<Vec<(u64, String)>, DbError> {
    let done =
        db.query(sql!("select id, address from deposit_addresses where chain = $1 and id > $2 order by id", chain.name(), after)).await?;
    done.rows.iter().map(|row| Ok((row.id(0)?, row.text(1)?))).collect()
}

//! Deposit addresses: one for each member, coin and chain, never shared with another member (D-1).

use chain::derive::AccountKey;
use data_encoding::BASE32_NOPAD;
use engine::catalog::funding::Chain;
use engine::ids::{AssetId, Digest, UserId};
use engine::listing::change::{CatalogChange, TextKind};
use store::catalog_texts;
use store::db::DbError;
use store::deposit_addresses::{self as rows, Fresh};
use store::secrets::random;

use crate::http::App;

/// A member's address for a coin on a chain, made when it is first asked for. `None` where no receiving key is in force.
pub async fn of(app: &App, user: UserId, asset: AssetId, chain: Chain) -> Result<Option<String>, DbError> {
    if let Some(address) = rows::find(&app.db, user, asset, chain).await? {
        return Ok(Some(address));
    }
    let Some(fresh) = fresh(app, chain).await? else { return Ok(None) };
    app.db.exec(rows::give(user, asset, chain, fresh, app.now_ms())).await?;
    // Of simultaneous calls the first one decides; the other index stays unused.
    rows::find(&app.db, user, asset, chain).await
}

async fn fresh(app: &App, chain: Chain) -> Result<Option<Fresh>, DbError> {
    if app.is_sandbox() {
        // No chain accepts this as an address, so no real coins can be sent to it.
        let letters: [u8; 12] = random().map_err(|error| DbError::Failed(error.0))?;
        let address = format!("SANDBOX-{}-{}", chain.name(), BASE32_NOPAD.encode(&letters));
        return Ok(Some(Fresh { address, source: None, place: None }));
    }
    let Some(source) = receiving_key(app, chain) else { return Ok(None) };
    let Some(key) = catalog_texts::find(&app.db, source).await? else {
        return Err(DbError::Failed(format!("the receiving key of {} is missing", chain.name())));
    };
    let named = chain::Chain::named(chain.name()).ok_or_else(|| DbError::Failed(chain.name().to_owned()))?;
    // The value of an invalid key is never repeated, because it could be a private key.
    let key =
        AccountKey::parse(named, &key).map_err(|_| DbError::Failed(format!("the receiving key of {} cannot be used", chain.name())))?;
    // One index in 2^127 has no address.
    for _ in 0..2 {
        let place = rows::next_place(&app.db, chain).await?;
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

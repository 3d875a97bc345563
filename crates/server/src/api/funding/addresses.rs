//! A member's withdrawal addresses (W-1, W-9). The engine knows their digests and ages; the texts are sealed documents.

use engine::Engine;
use engine::catalog::funding::Chain;
use engine::catalog::{Catalog, Wallet};
use engine::command::Command;
use engine::funding::destinations::{Address, usable_at};
use engine::ids::{AddressId, AssetId, Digest, UserId};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use serde::Serialize;
use store::documents::{self, LabelKind};
use store::notices::{Topic, insert_once};
use store::people;
use utoipa::ToSchema;

use crate::api::account::step_up;
use crate::api::account::step_up::Factors;
use crate::api::command::{answer, done, forget_refused};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::page::ts;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, disabled, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About};
use crate::http::values::{Line, digits};

/// Longest address text.
pub(super) const ADDRESS_MAX: usize = 300;

/// A stored withdrawal address.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Address)]
pub struct AddressRow {
    id: u64,
    currency: u32,
    nettype: &'static str,
    address: String,
    notes: String,
    usable_at_ms: u64,
    created_at: String,
    created_at_ms: u64,
}

/// Data returned when an address or a card was stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stored {
    /// Number of the address or card.
    pub id: u64,
    /// When it can first be used.
    pub usable_at_ms: u64,
}

/// The chain with this name.
pub(super) fn chain_named(name: Option<&str>) -> Option<Chain> {
    Chain::ALL.into_iter().find(|chain| Some(chain.name()) == name)
}

/// `E_CHAIN` with the chains there are for a coin.
pub(super) fn bad_chain(catalog: &Catalog, asset: AssetId) -> Refusal {
    let chains: Vec<&str> =
        catalog.funding.networks.iter().filter(|network| network.asset == asset).map(|network| network.chain.name()).collect();
    refuse(Code::UnknownChain).with("chains", chains)
}

/// The one spelling of an address that is stored and compared.
fn canonical(chain: Chain, text: &str) -> Option<String> {
    let chain = chain::Chain::named(chain.name())?;
    chain::address::Address::parse(chain, text.trim()).ok().map(chain::address::Address::into_text)
}

/// A refusal of a command about money from or to the outside.
pub(super) fn refusal(catalog: &Catalog, asset: Option<AssetId>, product: Product, reject: &Reject) -> Refusal {
    match (reject, asset) {
        (Reject::Disabled(named), _) => disabled(named.unwrap_or(product)),
        (Reject::BadChain, Some(asset)) => bad_chain(catalog, asset),
        _ => {
            // The pair that gives the coin's value (W-5).
            let market = catalog.markets.iter().find(|market| Some(market.base) == asset && market.quote == catalog.funding.bank.asset);
            About { catalog, market, asset, wallet: Wallet::Spot }.refusal(reject)
        }
    }
}

request! {
    /// What `wallet/addaddress` takes.
    pub struct AddAddress checked by handler {
        required currency_id: Input<u64>,
        required network: Option<String> = "netType" | "nettype",
        required address: Input<Line<1, ADDRESS_MAX>>,
        optional notes: Input<Line<1, 100>>,
        required pay_password: Input<String> = "pay_password" | "password",
        required code: Input<String>,
        optional otp: Option<String>,
    }
}

/// An address that was asked for, as far as it makes sense.
struct AddressRequest {
    asset: AssetId,
    chain: Chain,
    address: String,
    label: Option<String>,
    pay_password: String,
    code: String,
}

fn wanted(call: &Call, request: &AddAddress) -> Result<AddressRequest, Refusal> {
    let (pay_password, code) = (request.pay_password.required()?, request.code.required()?);
    let label = request.notes.optional()?.map(|Line(label)| label);
    let engine = call.app.sequencer.engine();
    let catalog = engine.catalog();
    let asset = units::coin(catalog, request.currency_id.readable())?.id;
    let chain = chain_named(request.network.as_deref()).filter(|chain| catalog.funding.network(asset, *chain).is_some());
    let chain = chain.ok_or_else(|| bad_chain(catalog, asset))?;
    let Line(text) = request.address.or(Code::BadAddress)?;
    Ok(AddressRequest { asset, chain, address: canonical(chain, &text).or_refuse(Code::BadAddress)?, label, pay_password, code })
}

/// `POST wallet/addaddress`
pub async fn add(call: Call, request: AddAddress) -> Answer {
    let app = &call.app;
    let me = people::get(app, call.user()?).await?;
    let AddressRequest { asset, chain, address, label, pay_password, code } = match wanted(&call, &request) {
        Ok(wanted) => wanted,
        // An unreadable field is refused in the order of W-1 as well, and does not reach the log.
        Err(fault) => {
            let earlier = app.sequencer.engine().check_address(me.id).err();
            return Err(earlier.map_or(fault, |reject| refusal(&app.catalog, None, Product::CoinWithdrawal, &reject)));
        }
    };
    let destination = documents::plain_digest(&address);
    let typed = Factors { pay_password: &pay_password, code: Some(&code), otp: request.otp.as_deref() };
    let mut shown = step_up::shown(&call, &me, true, typed).await?;
    let command = Command::AddAddress { user: me.id, asset, chain, destination, verification: shown.verification };
    // In the turn of the member, which the factors have taken.
    let stored = app.db.exec(documents::keep(app, me.id, destination, &address)?).await?;
    let applied = step_up::submit(&call, &mut shown, command).await?;
    forget_refused(app, (me.id, destination), &stored, &applied).await?;
    step_up::settle(&call, shown, &applied).await?;
    let told = |reject: &Reject| refusal(&app.catalog, Some(asset), Product::CoinWithdrawal, reject);
    let EngineReply::Address(stored) = done(&applied, told)? else { return Err(refuse(Code::Internal)) };
    let id = stored.id.0;
    // Also on a repetition, because the first attempt may have been interrupted between the command and these rows.
    let mut statements = vec![insert_once(me.id, Topic::AddressAdded, &[], id, app.now_ms())];
    if let Some(label) = label {
        statements.push(documents::set_label(app, LabelKind::Address, id, me.id, &label)?);
    }
    app.db.run(statements).await?;
    app.notices.tell(me.id).await;
    Ok(answer("ok.address_added", &applied).data(Stored { id, usable_at_ms: usable_at(stored.created).0 }))
}

request! {
    /// What `wallet/get_address` takes.
    pub struct ListAddresses checked by handler {
        optional currency: Input<u64>,
    }
}

/// `POST wallet/get_address`
pub async fn list(call: Call, request: ListAddresses) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let asset = match request.currency.is_sent() {
        true => Some(units::coin(&app.catalog, request.currency.readable())?.id),
        false => None,
    };
    let chosen = |address: &&Address| asset.is_none_or(|asset| address.asset == asset);
    let mut stored: Vec<Address> = app.sequencer.engine().addresses(me).filter(chosen).copied().collect();
    stored.reverse();
    let digests: Vec<Digest> = stored.iter().map(|address| address.destination).collect();
    let ids: Vec<u64> = stored.iter().map(|address| address.id.0).collect();
    let texts = documents::find(app, me, &digests).await?;
    let mut labels = documents::labels(app, LabelKind::Address, me, &ids).await?;
    let row = |address: Address| AddressRow {
        id: address.id.0,
        currency: address.asset.0,
        nettype: address.chain.name(),
        address: texts.get(&address.destination).cloned().unwrap_or_default(),
        notes: labels.remove(&address.id.0).unwrap_or_default(),
        usable_at_ms: usable_at(address.created).0,
        created_at: ts(address.created.0),
        created_at_ms: address.created.0,
    };
    Ok(Reply::ok(stored.into_iter().map(row).collect::<Vec<_>>()))
}

request! {
    /// What `wallet/deladdress` takes.
    pub struct RemoveAddress checked by handler {
        required address_id: Input<u64>,
    }
}

/// `POST wallet/deladdress`
pub async fn remove(call: Call, request: RemoveAddress) -> Answer {
    let command = Command::RemoveAddress { user: call.user()?, address: AddressId(request.address_id.or(Code::NotFound)?) };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    done(&applied, |reject| refusal(&call.app.catalog, None, Product::CoinWithdrawal, reject).in_state(Some("in_use")))?;
    Ok(answer("ok.address_removed", &applied))
}

/// The stored address that a withdrawal names: by its number, or by its text, on the asked chain first.
pub(super) fn find(
    engine: &Engine,
    user: UserId,
    asset: AssetId,
    chain: Option<Chain>,
    (number, text): (&Input<u64>, Option<&str>),
) -> Option<Address> {
    let by_id = |id: u64| engine.address(user, AddressId(id)).copied();
    if number.is_sent() {
        return number.readable().copied().and_then(by_id);
    }
    let text = text?;
    if let Some(id) = digits(text) {
        return by_id(id);
    }
    let same = |address: &&Address| {
        address.asset == asset && canonical(address.chain, text).is_some_and(|text| documents::plain_digest(&text) == address.destination)
    };
    let mut found: Vec<Address> = engine.addresses(user).filter(same).copied().collect();
    found.sort_by_key(|address| Some(address.chain) != chain);
    found.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coin_without_a_price_names_its_pair() {
        let catalog = Catalog::standard();
        let told = |asset| refusal(&catalog, Some(AssetId(asset)), Product::CoinWithdrawal, &Reject::PriceStale);
        assert_eq!(told(1), refuse(Code::PriceStale).with("symbol", "BTC/USDT"));
        assert_eq!(told(3), refuse(Code::PriceStale));
    }
}

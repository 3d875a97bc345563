//! The catalog as operators see and change it: present and pending values with their version, and proposals of new ones. A proposal has the
//! same keys as the values shown. A change affects objects opened later.

use std::collections::BTreeMap;

use chain::derive::AccountKey;
use engine::Engine;
use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{FURTHEST_MS, NOTICE_MS, Proposal, Proposed};
use engine::catalog::IndexOrigin;
use engine::catalog::funding::Chain;
use engine::ids::{Digest, MarketId};
use engine::listing::change::{CatalogChange, TextKind};
use engine::reject::Reject;
use engine::time::Time;
use serde_json::{Map, Value as Json, json};
use store::catalog_texts;
use store::db::DbError;
use store::documents::plain_digest;

use super::Reason;
use super::agreed_texts;
use super::catalog_kinds::{CatalogKind, ChangeKind};
use super::catalog_values as values;
use super::listing;
use super::proposals::propose;
use super::states;
use super::terms;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::{App, Call};

/// Number of the bank among the networks (`docs/api.md` 2.1).
pub(super) const BANK: u64 = 9_999;
/// Number of the house's own account for deposits by bank among the networks.
const BANK_ACCOUNT: u64 = 9_998;
/// Numbers of the receiving keys among the networks: this and the number of the chain.
const KEYS: u64 = 9_000;
/// The one object of the limits.
const LIMITS: u64 = 1;

/// Number of a chain, from 1.
fn chain_number(chain: Chain) -> u64 {
    Chain::ALL.iter().position(|other| *other == chain).map_or(0, |at| at as u64 + 1)
}

/// Number of the object within its kind.
pub(super) fn number_of(change: &CatalogChange) -> u64 {
    match change {
        CatalogChange::Fee { market, .. } | CatalogChange::MarketFilters { market, .. } | CatalogChange::IndexSources { market, .. } => {
            u64::from(market.0)
        }
        CatalogChange::Network(network) => u64::from(network.asset.0) * 10 + chain_number(network.chain),
        CatalogChange::Bank(_) => BANK,
        CatalogChange::Limits(_) => LIMITS,
        CatalogChange::Text { kind: TextKind::ReceivingKey(chain), .. } => KEYS + chain_number(*chain),
        CatalogChange::Text { kind: TextKind::BankAccount, .. } => BANK_ACCOUNT,
        CatalogChange::Text { id, .. } => u64::from(*id),
        CatalogChange::ListCoin(asset) => u64::from(asset.id.0),
        CatalogChange::ListMarket { market, .. } => u64::from(market.id.0),
        CatalogChange::OptionDuration(duration) => u64::from(duration.seconds),
        CatalogChange::OptionShared(_) => terms::option::SHARED,
        CatalogChange::ContractTerms(terms) => u64::from(terms.market.0),
        CatalogChange::LoanProduct(product) => u64::from(product.id.0),
        CatalogChange::LoanShared(_) => terms::loan::SHARED,
        CatalogChange::ConversionTerms(_) => terms::conversion::NUMBER,
        CatalogChange::Offering(terms) => u64::from(terms.id.0),
        CatalogChange::Plan(plan) => u64::from(plan.id.0),
    }
}

/// The first three addresses of an extended public key, for comparison with the custody wallet; none if it is no such key.
pub(super) fn first_addresses(chain: Chain, key: &str) -> Vec<String> {
    let named = chain::Chain::named(chain.name());
    let key = named.and_then(|named| AccountKey::parse(named, key).ok());
    let three = key.and_then(|key| key.first_three().ok());
    three.map_or_else(Vec::new, |three| three.map(chain::address::Address::into_text).to_vec())
}

/// The present name of a proposed change's object.
pub(super) fn subject(engine: &Engine, proposed: &Proposed) -> Option<String> {
    if let Proposed::ChangeCatalog { change, .. } = proposed { Some(values::name(engine, change)) } else { None }
}

/// The values of a change, and those that are in force now.
pub(super) fn change_values(engine: &Engine, change: &CatalogChange) -> (Json, Json) {
    let facts = engine.catalog();
    // A listing replaces nothing.
    let listing = matches!(change, CatalogChange::ListCoin(_) | CatalogChange::ListMarket { .. });
    let rows = ChangeKind::of(change).rows().filter(|_| !listing).map(|kind| present(engine, kind));
    let present = rows.into_iter().flatten().find(|now| number_of(now) == number_of(change));
    (values::written(facts, change), present.map_or(Json::Null, |now| values::written(facts, &now)))
}

/// Everything of a kind that is in force, each as the change that would bring it about.
fn present(engine: &Engine, kind: CatalogKind) -> Vec<CatalogChange> {
    let facts = engine.catalog();
    match kind {
        CatalogKind::Fee => facts
            .markets
            .iter()
            .map(|market| CatalogChange::Fee { market: market.id, maker: market.maker_fee, taker: market.taker_fee })
            .collect(),
        CatalogKind::Market => facts.markets.iter().map(values::filters).collect(),
        CatalogKind::Network => {
            let networks = facts.funding.networks.iter().map(|network| CatalogChange::Network(*network));
            let keys = Chain::ALL.map(TextKind::ReceivingKey).into_iter().chain([TextKind::BankAccount]);
            let texts = keys.flat_map(|kind| texts(engine, kind));
            networks.chain([CatalogChange::Bank(facts.funding.bank)]).chain(texts).collect()
        }
        CatalogKind::Country => texts(engine, TextKind::Country),
        CatalogKind::WhitePaper => texts(engine, TextKind::WhitePaper),
        CatalogKind::Coin => facts.assets.iter().map(|asset| CatalogChange::ListCoin(Box::new(asset.clone()))).collect(),
        CatalogKind::Limit => vec![CatalogChange::Limits(facts.funding.limits.clone())],
        CatalogKind::IndexSource => facts
            .indices
            .iter()
            .filter_map(|index| match &index.origin {
                IndexOrigin::Sources(sources) => Some(CatalogChange::IndexSources { market: index.market, sources: sources.clone() }),
                IndexOrigin::Cross { .. } => None,
            })
            .collect(),
        CatalogKind::OptionDuration => terms::option::present(engine),
        CatalogKind::LoanProduct => terms::loan::present(engine),
        CatalogKind::Conversion => engine.conversion_terms().map(|terms| CatalogChange::ConversionTerms(*terms)).into_iter().collect(),
        CatalogKind::Contract => engine.all_contract_terms().map(|terms| CatalogChange::ContractTerms(Box::new(terms.clone()))).collect(),
        CatalogKind::Offering => terms::offering::present(engine),
        CatalogKind::Plan => engine.plans().map(|listed| CatalogChange::Plan(listed.plan)).collect(),
    }
}

/// The texts of a kind that are in force, by number.
fn texts(engine: &Engine, wanted: TextKind) -> Vec<CatalogChange> {
    let of_kind = engine.catalog_versions().iter().filter_map(|version| match &version.change {
        CatalogChange::Text { kind, id, .. } if *kind == wanted => Some((*id, version.change.clone())),
        _ => None,
    });
    of_kind.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The values of the text of a kind that is in force, if there is one.
pub(super) async fn text_in_force(app: &App, kind: TextKind, number: &Json) -> Result<Json, DbError> {
    let id = if kind == TextKind::BankAccount { 0 } else { number.as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(0) };
    let Some(digest) = app.catalog.text(kind, id) else { return Ok(Json::Null) };
    Ok(catalog_texts::find(&app.db, digest).await?.map_or(Json::Null, |text| agreed_texts::values(&text)))
}

request! {
    /// What `catalog` takes.
    pub struct ListCatalog {
        required kind: CatalogKind,
    }
}

/// `GET /operator/api/catalog`
pub async fn list(call: Call, request: ListCatalog) -> Answer {
    let mut rows = rows(&call.app.sequencer.engine(), request.kind);
    for row in &mut rows {
        let Some((kind, digest)) = row.text else { continue };
        let text = catalog_texts::find(&call.app.db, digest).await?.unwrap_or_default();
        match kind {
            TextKind::ReceivingKey(chain) => {
                row.json["values"]["addresses"] = first_addresses(chain, &text).into();
                row.json["values"]["receiving_key"] = text.into();
            }
            TextKind::Country | TextKind::BankAccount | TextKind::RiskText | TextKind::WhitePaper => {
                row.json["values"] = agreed_texts::values(&text);
            }
        }
    }
    Ok(Reply::ok(rows.into_iter().map(|row| row.json).collect::<Vec<_>>()))
}

struct CatalogRow {
    json: Json,
    text: Option<(TextKind, Digest)>,
}

fn rows(engine: &Engine, kind: CatalogKind) -> Vec<CatalogRow> {
    let facts = engine.catalog();
    let row = |change: &CatalogChange| {
        let number = number_of(change);
        let same = |other: &CatalogChange| ChangeKind::of(other) == ChangeKind::Row(kind) && number_of(other) == number;
        let version = engine.catalog_versions().iter().rev().find(|version| same(&version.change));
        let coming = engine.proposals().filter_map(|kept| match &kept.proposed {
            Proposed::ChangeCatalog { change, .. } if kept.status == Status::Confirmed && same(change) => Some(json!({
                "values": values::written(facts, change), "effective_ms": kept.effective.map(|at| at.0), "proposal_id": kept.id.0})),
            _ => None,
        });
        let text = match change {
            CatalogChange::Text { kind, digest, .. } => Some((*kind, *digest)),
            _ => None,
        };
        let state = if let CatalogChange::Offering(terms) = change { states::state_of_offering(engine, terms.id) } else { None };
        let json = json!({
            "id": number,
            "kind": kind.word(),
            "name": values::name(engine, change),
            "state": state,
            "version": version.map_or(1, |version| version.version),
            "since_ms": version.map(|version| version.since.0),
            "values": values::written(facts, change),
            "coming": coming.collect::<Vec<_>>(),
        });
        CatalogRow { json, text }
    };
    present(engine, kind).iter().map(row).collect()
}

request! {
    /// What `catalog/propose` takes.
    pub struct ProposeChange {
        required kind: ChangeKind,
        optional id: Input<u64>,
        required values: Map<String, Json>,
        optional effective_ms: Input<Time>,
        required reason: Reason,
    }
}

/// `POST /operator/api/catalog/propose`
pub async fn propose_change(call: Call, request: ProposeChange) -> Answer {
    let ProposeChange { kind, values: given, reason: Reason(why), .. } = request;
    let id = request.id.optional()?;
    let effective = request.effective_ms.optional()?.unwrap_or_default();
    let change = match key_chain(kind, id, &given) {
        Some(chain) => receiving_key_change(&call, chain, &given).await?,
        None if kind == ChangeKind::Row(CatalogKind::Country) => agreed_texts::country(&call, id, &given).await?,
        None if kind == ChangeKind::Row(CatalogKind::WhitePaper) => agreed_texts::white_paper(&call, id, &given).await?,
        None if id == Some(BANK_ACCOUNT) || (id.is_none() && given.contains_key("account_number")) => {
            agreed_texts::bank_account(&call, &given).await?
        }
        None => {
            let engine = call.app.sequencer.engine();
            let market = id.and_then(|id| u32::try_from(id).ok()).map(MarketId);
            let mut rows = kind.rows().into_iter().flat_map(|kind| present(&engine, kind));
            if let Some(id) = id
                && !rows.any(|change| number_of(&change) == id)
            {
                return Err(refuse(Code::NotFound));
            }
            let given = values::FieldValues::new(&given, call.app.market);
            let change = match kind {
                ChangeKind::Row(CatalogKind::Coin) => listing::coin(&engine, given)?,
                ChangeKind::Pair => listing::pair(&engine, given)?,
                ChangeKind::Row(CatalogKind::Offering) => terms::offering::read(&engine, id, given)?,
                ChangeKind::Row(kind) => values::read(engine.catalog(), kind, market, id == Some(BANK), given)?,
                ChangeKind::RiskText => return Err(refuse(Code::NotFound)),
            };
            if id.is_some_and(|id| id != number_of(&change)) {
                return Err(bad_value("id", "enum"));
            }
            change
        }
    };
    let effective = signed_instant(&call, &change, effective)?;
    let (facts, refused) = (call.app.sequencer.engine().catalog().clone(), change.clone());
    let proposed = propose(&call, Proposed::ChangeCatalog { change, effective }, None, &why).await;
    proposed.map_err(|refusal| match refusal.code {
        Code::BadCatalog => {
            let (field, rule) = values::not_allowed(&facts, &refused);
            refusal.with("field", field).with("rule", rule)
        }
        Code::BadTime => bad_field("effective_ms", "range"),
        _ => refusal,
    })
}

/// The instant that both sign. If none was given, a change that waits a day after its confirmation leaves the second person another day.
fn signed_instant(call: &Call, change: &CatalogChange, given: Time) -> Result<Time, Refusal> {
    let now = call.app.now_ms();
    let waits = call.app.sequencer.engine().acts_a_day_later(change);
    let effective = if waits && given == Time(0) { Time(now + 2 * NOTICE_MS) } else { given };
    let bounds = if waits { now + NOTICE_MS..=now + FURTHEST_MS } else { 0..=now + FURTHEST_MS };
    if call.was_answered() || bounds.contains(&effective.0) { Ok(effective) } else { Err(bad_field("effective_ms", "range")) }
}

/// The chain of a receiving key: by its number, or for a new one by its values.
fn key_chain(kind: ChangeKind, id: Option<u64>, given: &Map<String, Json>) -> Option<Chain> {
    let named = given.get("chain").and_then(Json::as_str).filter(|_| given.contains_key("receiving_key"));
    let meant = |chain: &Chain| id == Some(KEYS + chain_number(*chain)) || (id.is_none() && Some(chain.name()) == named);
    Chain::ALL.into_iter().find(meant).filter(|_| kind == ChangeKind::Row(CatalogKind::Network))
}

async fn receiving_key_change(call: &Call, chain: Chain, given: &Map<String, Json>) -> Result<CatalogChange, Refusal> {
    if let Some(other) = given.keys().find(|key| !["chain", "receiving_key"].contains(&key.as_str())) {
        return Err(bad_value(other, "unknown"));
    }
    let text = given.get("receiving_key").and_then(Json::as_str).map(str::trim).ok_or_else(|| bad_value("receiving_key", "required"))?;
    // A text that is not an extended public key is not stored, because it could be a private key.
    let named = chain::Chain::named(chain.name()).or_refuse(Code::Internal)?;
    AccountKey::parse(named, text).map_err(|_| bad_value("receiving_key", "format"))?;
    call.app.db.exec(catalog_texts::keep(text)).await?;
    Ok(CatalogChange::Text { kind: TextKind::ReceivingKey(chain), id: 0, digest: plain_digest(text) })
}

/// The value that made a change of the catalog impossible when it was to act, and the rule that it breaks.
pub(super) fn refused_value(engine: &Engine, kept: &Proposal) -> Option<values::Problem> {
    match &kept.proposed {
        Proposed::ChangeCatalog { change, .. } if kept.refused == Some(Reject::BadCatalog) => {
            Some(values::not_allowed(engine.catalog(), change))
        }
        _ => None,
    }
}

/// `E_CATALOG` with the value that is not allowed.
pub(super) fn bad_value(field: &str, rule: &str) -> Refusal {
    refuse(Code::BadCatalog).with("field", field).with("rule", rule)
}

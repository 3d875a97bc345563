//! Which products a country has. Two operators agree on the table of a country; its text is kept outside the log, and so is what is known
//! of a member's country: a member who is refused here never comes to the engine. Only opening and money in and out are asked about.
//!
//! Where nobody agreed on a table, a sandbox has everything, and live has what [`country_defaults`] does not forbid. An unknown country has
//! nothing in live, and everything in a sandbox.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use engine::Engine;
use engine::catalog::change::TextKind;
use engine::identity::KycLevel;
use engine::identity::status::Status;
use engine::ids::{Digest, UserId};
use engine::product::Product;
use serde::{Deserialize, Serialize};
use store::db::DbError;
use store::{catalog_texts, people};

use super::countries::COUNTRIES;
use super::country_defaults;
use crate::api::identity::verification::verified_paper;
use crate::app::App;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Refusal, disabled, refuse};

/// What a country says about a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Open to everybody.
    On,
    /// Open to members of the advanced level.
    Advanced,
    /// Not there.
    Off,
}

/// The table of a country, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountryTable {
    /// Two letters.
    pub country: String,
    /// By the word of a product; what a table does not name is off.
    #[serde(flatten)]
    pub products: BTreeMap<String, Rule>,
}

impl CountryTable {
    fn rule(&self, product: Product) -> Rule {
        self.products.get(product.name()).copied().unwrap_or(Rule::Off)
    }
}

/// Tables that were read, and the countries of members with the papers that they are of.
#[derive(Debug, Default)]
pub struct CountryPolicy {
    tables: Mutex<HashMap<Digest, Arc<CountryTable>>>,
    members: Mutex<HashMap<UserId, (Option<Digest>, String)>>,
}

/// Members whose country is remembered; then it is asked for again.
const REMEMBERED: usize = 100_000;

/// Number of a country, from its two letters.
pub fn number(country: &str) -> Option<u32> {
    COUNTRIES.iter().find(|fact| fact.iso == country).and_then(|fact| u32::try_from(fact.id).ok())
}

/// What a country says about a product now.
pub async fn rule(app: &App, country: &str, product: Product) -> Result<Rule, DbError> {
    let Some(number) = number(country) else { return Ok(if app.is_sandbox() { Rule::On } else { Rule::Off }) };
    match app.catalog.text(TextKind::Country, number) {
        None if !app.is_sandbox() && country_defaults::forbids(country, product) => Ok(Rule::Off),
        None => Ok(Rule::On),
        Some(digest) => Ok(table(app, digest).await?.map_or(Rule::Off, |table| table.rule(product))),
    }
}

/// The table with this digest. One that is lost or changed says nothing, so nothing is open.
pub async fn table(app: &App, digest: Digest) -> Result<Option<Arc<CountryTable>>, DbError> {
    if let Some(known) = app.policy.tables.lock().unwrap_or_else(PoisonError::into_inner).get(&digest) {
        return Ok(Some(known.clone()));
    }
    let read = catalog_texts::find(&app.db, digest).await?.and_then(|text| serde_json::from_str::<CountryTable>(&text).ok());
    let Some(table) = read.map(Arc::new) else {
        tracing::error!("the table of a country is missing");
        return Ok(None);
    };
    app.policy.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(digest, table.clone());
    Ok(Some(table))
}

/// The country of a member: that of his verified papers, else the one he named at sign-up, else none.
pub async fn of_member(app: &App, user: UserId) -> Result<String, DbError> {
    let verified = {
        let engine = app.sequencer.engine();
        engine.identity(user, KycLevel::Basic).filter(|basic| basic.status == Status::Verified).map(|basic| basic.content)
    };
    if let Some((papers, country)) = app.policy.members.lock().unwrap_or_else(PoisonError::into_inner).get(&user)
        && *papers == verified
    {
        return Ok(country.clone());
    }
    let country = match verified_paper(app, user).await?.filter(|_| verified.is_some()) {
        Some(paper) => paper.country,
        None => people::country(&app.db, user).await?,
    };
    let mut members = app.policy.members.lock().unwrap_or_else(PoisonError::into_inner);
    if members.len() >= REMEMBERED {
        members.clear();
    }
    members.insert(user, (verified, country.clone()));
    Ok(country)
}

/// `E_COUNTRY`, or `E_KYC_ADVANCED` where that level would open it. `is_disabled` says whether the engine would refuse before it comes to this;
/// a repeated write gets its first answer from the engine, whatever is agreed on since.
pub async fn check(call: &Call, product: Product, is_disabled: impl Fn(&Engine) -> bool) -> Result<(), Refusal> {
    let (app, me) = (&call.app, call.user()?);
    if app.is_sandbox() && app.catalog.numbers(TextKind::Country).next().is_none() {
        return Ok(());
    }
    let refused = match rule(app, &of_member(app, me).await?, product).await? {
        Rule::On => return Ok(()),
        Rule::Off => refuse(Code::CountryForbids).with("product", product.name()),
        Rule::Advanced => refuse(Code::AdvancedIdentityMissing).with("product", product.name()),
    };
    let engine = app.sequencer.engine();
    match () {
        () if refused.code == Code::AdvancedIdentityMissing && engine.kyc_level(me) == Some(KycLevel::Advanced) => Ok(()),
        () if call.request.is_some_and(|request| engine.was_answered(request)) => Ok(()),
        () if is_disabled(&engine) => Err(disabled(product)),
        () => Err(refused),
    }
}

//! Which products are available in a country. Two operators approve the table of a country; its text is kept outside the log, and so is a
//! member's country: a member refused here never reaches the engine. The policy covers only opening, deposits and withdrawals.
//!
//! Until a table is approved, a sandbox has everything, and live has what [`defaults`] does not forbid. An unknown country has nothing in
//! live, and everything in a sandbox.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use engine::identity::KycLevel;
use engine::identity::status::Status;
use engine::ids::{Digest, UserId};
use engine::listing::change::TextKind;
use engine::product::Product;
use kernel::sequencer::Sequencer;
use serde::{Deserialize, Serialize};
use store::db::DbError;
use store::{Store, catalog_texts, documents, people};

use super::{defaults, number};

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
#[derive(Debug)]
pub struct CountryPolicy {
    store: Arc<Store>,
    sequencer: Sequencer,
    tables: Mutex<HashMap<Digest, Arc<CountryTable>>>,
    members: Mutex<HashMap<UserId, (Option<Digest>, String)>>,
}

/// Members whose country is cached; beyond this it is read again.
const REMEMBERED: usize = 100_000;

impl CountryPolicy {
    /// Nothing was read yet.
    pub fn new(store: Arc<Store>, sequencer: Sequencer) -> CountryPolicy {
        CountryPolicy { store, sequencer, tables: Mutex::default(), members: Mutex::default() }
    }

    /// A country's present rule for a product.
    pub async fn rule(&self, country: &str, product: Product) -> Result<Rule, DbError> {
        let sandbox = self.store.terms.sandbox;
        let Some(number) = number(country) else { return Ok(if sandbox { Rule::On } else { Rule::Off }) };
        match self.sequencer.listed().text(TextKind::Country, number) {
            None if !sandbox && defaults::forbids(country, product) => Ok(Rule::Off),
            None => Ok(Rule::On),
            Some(digest) => Ok(self.table(digest).await?.map_or(Rule::Off, |table| table.rule(product))),
        }
    }

    /// The table with this digest. One that is lost or changed says nothing, so nothing is open.
    async fn table(&self, digest: Digest) -> Result<Option<Arc<CountryTable>>, DbError> {
        if let Some(known) = self.tables.lock().unwrap_or_else(PoisonError::into_inner).get(&digest) {
            return Ok(Some(known.clone()));
        }
        let read = catalog_texts::find(&self.store.db, digest).await?.and_then(|text| serde_json::from_str::<CountryTable>(&text).ok());
        let Some(table) = read.map(Arc::new) else {
            tracing::error!("the table of a country is missing");
            return Ok(None);
        };
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(digest, table.clone());
        Ok(Some(table))
    }

    /// The country of a member: that of their verified papers, else the one they named at sign-up, else none.
    pub async fn of_member(&self, user: UserId) -> Result<String, DbError> {
        let verified = {
            let engine = self.sequencer.engine();
            engine.identity(user, KycLevel::Basic).filter(|basic| basic.status == Status::Verified).map(|basic| basic.content)
        };
        if let Some((papers, country)) = self.members.lock().unwrap_or_else(PoisonError::into_inner).get(&user)
            && *papers == verified
        {
            return Ok(country.clone());
        }
        let country = match documents::verified(&self.store, user).await?.filter(|_| verified.is_some()) {
            Some(paper) => paper.country,
            None => people::country(&self.store.db, user).await?,
        };
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        if members.len() >= REMEMBERED {
            members.clear();
        }
        members.insert(user, (verified, country.clone()));
        Ok(country)
    }
}

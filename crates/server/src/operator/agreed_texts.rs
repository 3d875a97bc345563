//! Texts of the catalog under dual control: the table of a country, the house's own account for bank deposits, and where the white paper of
//! a new coin is. The log has their digest; they are stored under it, in one form.

use std::collections::BTreeMap;

use axum::http::Uri;
use engine::ids::OfferingId;
use engine::listing::change::{CatalogChange, TextKind};
use engine::product::Product;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::catalog_texts;
use store::documents::plain_digest;

use super::catalog::bad_value;
use crate::api::funding::deposits::BankAccount;
use crate::countries::number;
use crate::countries::policy::{CountryTable, Rule};
use crate::http::Call;
use crate::http::reply::Refusal;
use crate::http::text_policy::clean_text;

/// The text that is asked for once, kept and named by its digest.
async fn keep(call: &Call, kind: TextKind, id: u32, text: &str) -> Result<CatalogChange, Refusal> {
    call.app.db.exec(catalog_texts::keep(text)).await?;
    Ok(CatalogChange::Text { kind, id, digest: plain_digest(text) })
}

fn one_of<'a>(given: &'a Map<String, Json>, key: &str) -> Result<&'a str, Refusal> {
    given.get(key).ok_or_else(|| bad_value(key, "required"))?.as_str().ok_or_else(|| bad_value(key, "format"))
}

fn nothing_else(given: &Map<String, Json>, known: &[&str]) -> Result<(), Refusal> {
    given.keys().find(|key| !known.contains(&key.as_str())).map_or(Ok(()), |key| Err(bad_value(key, "unknown")))
}

/// The table of a country: every product with `on`, `advanced` or `off`.
pub(super) async fn country(call: &Call, id: Option<u64>, given: &Map<String, Json>) -> Result<CatalogChange, Refusal> {
    let country = one_of(given, "country")?;
    let number = number(country).ok_or_else(|| bad_value("country", "enum"))?;
    if id.is_some_and(|id| id != u64::from(number)) {
        return Err(bad_value("country", "enum"));
    }
    let mut products = BTreeMap::new();
    let words: Vec<&str> = Product::offered().map(Product::name).collect();
    for product in words.iter().copied() {
        let rule: Rule = serde_json::from_value(one_of(given, product)?.into()).map_err(|_| bad_value(product, "enum"))?;
        products.insert(product.to_owned(), rule);
    }
    nothing_else(given, &[&["country"], words.as_slice()].concat())?;
    let table = CountryTable { country: country.to_owned(), products };
    keep(call, TextKind::Country, number, &written(&table)).await
}

/// The house's own account for deposits by bank, as members are shown it.
pub(super) async fn bank_account(call: &Call, given: &Map<String, Json>) -> Result<CatalogChange, Refusal> {
    let text = |key: &str| {
        let text = clean_text(one_of(given, key)?).ok_or_else(|| bad_value(key, "chars"))?;
        if (1..=100).contains(&text.chars().count()) { Ok(text) } else { Err(bad_value(key, "length")) }
    };
    let account =
        BankAccount { bank_name: text("bank_name")?, account_number: text("account_number")?, account_name: text("account_name")? };
    nothing_else(given, &["bank_name", "account_number", "account_name"])?;
    keep(call, TextKind::BankAccount, 0, &written(&account)).await
}

/// Maximum length of a white paper's address.
const LONGEST_URL: usize = 300;

/// Where the white paper of an offering is.
#[derive(Serialize)]
struct WhitePaper {
    offering_id: u32,
    url: String,
}

/// An address that a browser opens without a warning, on a named host, with every letter visible to its signers: no user, no port, only
/// visible ASCII.
fn is_plain_https(url: &str) -> bool {
    let Ok(parsed) = url.parse::<Uri>() else { return false };
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let named = |host: &str| host.rsplit_once('.').is_some_and(|(_, last)| last.starts_with(|c: char| c.is_ascii_alphabetic()));
    let host = |host: &str| named(host) && host.split('.').all(label);
    parsed.scheme_str() == Some("https")
        && parsed.authority().is_some_and(|at| host(at.as_str()))
        && url.bytes().all(|byte| byte.is_ascii_graphic())
        && url.len() <= LONGEST_URL
}

/// The address of an offering's white paper; an empty one takes it away.
pub(super) async fn white_paper(call: &Call, id: Option<u64>, given: &Map<String, Json>) -> Result<CatalogChange, Refusal> {
    let offering = given.get("offering_id").ok_or_else(|| bad_value("offering_id", "required"))?;
    let offering = offering.as_u64().and_then(|id| u32::try_from(id).ok()).ok_or_else(|| bad_value("offering_id", "format"))?;
    let known = call.app.sequencer.engine().offering(OfferingId(offering)).is_some();
    if !known || id.is_some_and(|id| id != u64::from(offering)) {
        return Err(bad_value("offering_id", "enum"));
    }
    let url = one_of(given, "url")?.trim().to_owned();
    if !url.is_empty() && !is_plain_https(&url) {
        return Err(bad_value("url", "format"));
    }
    nothing_else(given, &["offering_id", "url"])?;
    keep(call, TextKind::WhitePaper, offering, &written(&WhitePaper { offering_id: offering, url })).await
}

fn written(kept: &impl serde::Serialize) -> String {
    serde_json::to_string(kept).unwrap_or_default()
}

/// The values in a stored text, by the keys of a proposal.
pub(super) fn values(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|_| json!({}))
}

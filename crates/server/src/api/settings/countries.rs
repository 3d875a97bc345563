//! Countries with a dial code, and the call that lists them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::text::Lang;

/// A row of `data/countries.json`.
#[derive(Debug, Deserialize)]
pub struct CountryFact {
    /// Number.
    pub id: u64,
    /// Two letters.
    pub iso: String,
    /// Dial code without `+`.
    pub area_code: String,
    /// Names by code of the language.
    pub names: BTreeMap<String, String>,
}

/// All countries with a dial code, names in the eleven languages (from CLDR).
pub static COUNTRIES: LazyLock<Vec<CountryFact>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../data/countries.json")).unwrap_or_default());

/// True for the two letters of a country with a dial code.
pub fn is_country(iso: &str) -> bool {
    COUNTRIES.iter().any(|country| country.iso == iso)
}

/// The country with this name in any of the eleven languages, or these two letters.
pub fn country_named(text: &str) -> Option<&'static str> {
    let wanted = text.to_lowercase();
    let named =
        |country: &&CountryFact| country.iso.to_lowercase() == wanted || country.names.values().any(|name| name.to_lowercase() == wanted);
    COUNTRIES.iter().find(named).map(|country| country.iso.as_str())
}

/// A country to choose.
#[derive(Debug, Serialize, ToSchema)]
pub struct Country {
    id: u64,
    name: &'static str,
    area_code: &'static str,
    iso: &'static str,
}

/// Beside the countries: how sign-up can be verified.
#[derive(Debug, Serialize, ToSchema)]
pub struct Verification {
    verification: &'static str,
}

request! {
    /// What `area_code` takes.
    pub struct AreaCodes in turn {
        optional lang: Option<Lang>,
    }
}

/// `POST area_code`
pub async fn area_codes(call: Call, request: AreaCodes) -> Answer {
    let lang = request.lang.unwrap_or(call.lang);
    let name = |country: &'static CountryFact| country.names.get(lang.code()).map_or(country.iso.as_str(), String::as_str);
    let mut countries: Vec<Country> = COUNTRIES
        .iter()
        .map(|country| Country { id: country.id, name: name(country), area_code: &country.area_code, iso: &country.iso })
        .collect();
    countries.sort_by_key(|country| country.name);
    Ok(Reply::ok(countries).data(Verification { verification: "code" }))
}

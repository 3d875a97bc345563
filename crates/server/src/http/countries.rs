//! Countries with a dial code.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

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
    LazyLock::new(|| serde_json::from_str(include_str!("../../data/countries.json")).unwrap_or_default());

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

//! Countries with a dial code, and what each of them allows.

pub mod defaults;
pub mod policy;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// A row of `data/countries.json`.
#[derive(Debug, Deserialize)]
pub struct CountryFact {
    /// Number.
    pub id: u64,
    /// Two-letter code.
    pub iso: String,
    /// Dial code without `+`.
    pub area_code: String,
    /// Names by code of the language.
    pub names: BTreeMap<String, String>,
}

/// All countries with a dial code, names in the eleven languages (from CLDR).
pub static COUNTRIES: LazyLock<Vec<CountryFact>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/countries.json")).unwrap_or_default());

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

/// Number of a country, from its two letters.
pub fn number(country: &str) -> Option<u32> {
    COUNTRIES.iter().find(|fact| fact.iso == country).and_then(|fact| u32::try_from(fact.id).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;

    #[test]
    fn every_country_has_a_name_in_every_language() {
        assert!(COUNTRIES.len() > 200);
        for country in COUNTRIES.iter() {
            assert!(Lang::ALL.iter().all(|lang| country.names.contains_key(lang.code())), "{}", country.iso);
        }
    }
}

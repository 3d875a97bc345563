//! The call that lists the countries with a dial code.

use serde::Serialize;
use utoipa::ToSchema;

use crate::countries::{COUNTRIES, CountryFact};
use crate::http::Call;
use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::i18n::Lang;

/// A country to choose from.
#[derive(Debug, Serialize, ToSchema)]
pub struct Country {
    id: u64,
    name: &'static str,
    area_code: &'static str,
    iso: &'static str,
}

/// Data returned with the countries: how a sign-up can be verified.
#[derive(Debug, Serialize, ToSchema)]
pub struct Verification {
    verification: &'static str,
}

request! {
    /// What `area_code` takes.
    pub struct AreaCodes checked by handler {
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

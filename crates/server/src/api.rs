//! The calls, one folder per area: handlers beside the types they answer with, and the rows of the route table.

pub mod account;
pub mod command;
pub mod contact;
pub mod content;
pub mod contracts;
pub mod convert;
pub mod country;
pub mod funding;
pub mod identity;
pub mod loans;
pub mod market;
pub mod options;
pub mod pictures;
pub mod plans;
pub mod proof;
pub mod referral;
pub mod resume_note;
pub mod samples;
pub mod sandbox;
pub mod settings;
pub mod spot;
pub mod subscriptions;
pub mod support;
pub mod terms;
pub mod wallet;
pub mod worth;

use crate::http::routes::Route;

/// Every call other than an operator's, area by area: one page per product.
pub static AREAS: [&[Route]; 20] = [
    settings::routes::ROUTES,
    account::routes::access::ROUTES,
    account::routes::security::ROUTES,
    account::routes::profile::ROUTES,
    identity::routes::ROUTES,
    content::routes::ROUTES,
    market::routes::ROUTES,
    proof::routes::ROUTES,
    wallet::routes::ROUTES,
    funding::routes::ROUTES,
    spot::routes::ROUTES,
    options::routes::ROUTES,
    contracts::routes::ROUTES,
    loans::routes::ROUTES,
    convert::routes::ROUTES,
    subscriptions::routes::ROUTES,
    referral::routes::ROUTES,
    plans::routes::ROUTES,
    support::routes::ROUTES,
    sandbox::routes::ROUTES,
];

//! Calls for proofs (`docs/api.md` 4.15).

use crate::api::proof::{entries, heads, liabilities};
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "proof/head",
        access: Access::Guest,
        rate: RateClass::Proof,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: of::<heads::HeadView>(),
        audit: None,
        handler: handler!(heads::head()),
    },
    Route {
        verb: Verb::Get,
        path: "proof/entries",
        access: Access::Guest,
        rate: RateClass::Proof,
        effect: Effect::ReadNow,
        refusals: &[Code::BadField],
        answers: list::<entries::EntryView>(),
        audit: None,
        handler: handler!(entries::list(entries::ListEntries)),
    },
    Route {
        verb: Verb::Get,
        path: "proof/inclusion",
        access: Access::Guest,
        rate: RateClass::Proof,
        effect: Effect::ReadNow,
        refusals: &[Code::BadField, Code::NotFound],
        answers: of::<heads::Inclusion>(),
        audit: None,
        handler: handler!(heads::inclusion(heads::Include)),
    },
    Route {
        verb: Verb::Get,
        path: "proof/liabilities",
        access: Access::Guest,
        rate: RateClass::Proof,
        effect: Effect::ReadNow,
        refusals: &[Code::BadField, Code::NotFound],
        answers: of::<liabilities::LiabilitiesView>(),
        audit: None,
        handler: handler!(liabilities::liabilities(liabilities::ShowLiabilities)),
    },
    Route {
        verb: Verb::Get,
        path: "proof/my_leaf",
        access: Access::User,
        rate: RateClass::Proof,
        effect: Effect::ReadNow,
        refusals: &[Code::UnknownAsset, Code::NotFound],
        answers: of::<liabilities::LeafView>(),
        audit: None,
        handler: handler!(liabilities::my_leaf(liabilities::ShowLeaf)),
    },
];

//! The text of the rule that decides an option, whose hash the purchase fixes (`api.md` 10): anybody who has the text and the log can tell
//! the outcome.

use sha2::{Digest as _, Sha256};

use super::terms::{DurationTerms, SharedTerms};
use crate::amount::{PRICE_SCALE, Price, Rate, format_decimal};
use crate::catalog::{Catalog, IndexMarket, IndexOrigin, QUORUM};
use crate::ids::{Digest, MarketId};
use crate::index::{DEVIATION, FRESH_MS, JUMP, JUMP_AGREEMENT, JUMP_CANDIDATES, JUMP_RESET_MS, SOURCE_STALE_MS};

/// Version of the wording.
pub const VERSION: u32 = 1;

/// SHA-256 of a text.
pub fn hash(text: &str) -> Digest {
    Digest(Sha256::digest(text).into())
}

/// A rate in percent.
fn percent(rate: Rate) -> String {
    format!("{} %", format_decimal(rate.0, 6, 6))
}

fn price(price: Price) -> String {
    format_decimal(price.0, PRICE_SCALE, PRICE_SCALE)
}

fn symbol(catalog: &Catalog, market: MarketId) -> &str {
    catalog.market(market).map_or("", |market| market.symbol.as_str())
}

/// Where the price of an index comes from.
fn origin(catalog: &Catalog, index: &IndexMarket) -> String {
    match &index.origin {
        IndexOrigin::Sources(names) => format!(
            "sources: {}\n\
             trimming: quotes that are not positive or older than {SOURCE_STALE_MS} ms are dropped; then those more than {} from the median \
             are; the price is the median of the rest, rounded half to even to the step; fewer than {QUORUM} quotes make no sample\n\
             jumps: a step of more than {} within {JUMP_RESET_MS} ms waits until {JUMP_CANDIDATES} samples in a row lie within {} of \
             each other\n",
            names.join(", "),
            percent(DEVIATION),
            percent(JUMP),
            percent(JUMP_AGREEMENT),
        ),
        IndexOrigin::Cross { numerator, denominator } => {
            let leg = |market| catalog.index(market).map(|leg| format!("{}\n{}", symbol(catalog, market), self::origin(catalog, leg)));
            let legs: Vec<String> = [*numerator, *denominator].into_iter().filter_map(leg).collect();
            format!(
                "computed: the first index over the second, with the time of the older sample, rounded half to even to the step\n{}",
                legs.concat()
            )
        }
    }
}

/// The rule of one pair and one length, without the amounts of an order.
pub(crate) fn text(catalog: &Catalog, index: &IndexMarket, shared: &SharedTerms, duration: &DurationTerms) -> String {
    let DurationTerms { seconds, profit, profit_flat, tolerance, tie, .. } = duration;
    let tie = match tie {
        super::option::TieRule::Refund => "the stake is paid back and the fee is kept",
        super::option::TieRule::Lose => "it loses",
    };
    format!(
        "Meridian option rule {VERSION}\n\
         index: {} in steps of {}\n\
         {}\
         open price: the latest sample at or before the purchase, at most {FRESH_MS} ms old\n\
         delivery instant: {seconds} s after the purchase\n\
         delivery price: the latest sample at or before the delivery instant, at most {FRESH_MS} ms old\n\
         band: {} of the open price, rounded down to 0.00000001\n\
         outcome: up if the delivery price is above the open price by more than the band, down if it is below it by more than the band, \
         otherwise flat\n\
         payout: stake and {} of it if the bet is up or down and the outcome, stake and {} of it if both are flat; profit rounds down\n\
         fee: {} of the stake, rounded up\n\
         tie: if the bet is up or down and the outcome is flat, {tie}\n\
         gap: without a delivery price stake and fee are paid back\n",
        symbol(catalog, index.market),
        price(index.tick),
        origin(catalog, index),
        percent(*tolerance),
        percent(*profit),
        percent(*profit_flat),
        percent(shared.fee),
    )
}

//! The text of the rule that decides an option. The purchase fixes its hash (`docs/api.md` 10): with the text and the log anyone can
//! compute the outcome.

use sha2::{Digest as _, Sha256};

use super::option::TieRule;
use super::terms::{DurationTerms, SharedTerms};
use crate::amount::{MAX_PRICE, PRICE_SCALE, Price, Rate, format_decimal, parse_decimal};
use crate::catalog::{Catalog, IndexMarket, IndexOrigin, QUORUM};
use crate::ids::{Digest, MarketId};
use crate::index::{DEVIATION, FRESH_MS, JUMP, JUMP_AGREEMENT, JUMP_CANDIDATES, JUMP_RESET_MS, SOURCE_STALE_MS};

/// Version of the wording.
pub const VERSION: u32 = 1;

/// Where the price of an index comes from, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Outside sources, in the order of their numbers.
    Sources(Vec<String>),
    /// The first index over the second, each with its pair.
    Computed(Vec<(String, Origin)>),
}

/// The rule of one pair and one duration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The pair.
    pub symbol: String,
    /// Step of its index.
    pub tick: Price,
    /// Where its price comes from.
    pub origin: Origin,
    /// Length, seconds.
    pub seconds: u32,
    /// Half width of the flat band.
    pub tolerance: Rate,
    /// Profit of up and down.
    pub profit: Rate,
    /// Profit of flat.
    pub profit_flat: Rate,
    /// Fee as a share of the stake.
    pub fee: Rate,
    /// How a flat outcome settles a bet on up or down.
    pub tie: TieRule,
}

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

impl Origin {
    fn of(catalog: &Catalog, index: &IndexMarket) -> Origin {
        match &index.origin {
            IndexOrigin::Sources(names) => Origin::Sources(names.clone()),
            IndexOrigin::Cross { numerator, denominator } => {
                let leg = |market| Some((symbol(catalog, market).to_owned(), Origin::of(catalog, catalog.index(market)?)));
                Origin::Computed([*numerator, *denominator].into_iter().filter_map(leg).collect())
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Origin::Sources(names) => format!(
                "sources: {}\n\
                 trimming: quotes that are not positive or older than {SOURCE_STALE_MS} ms are dropped; then those more than {} from the \
                 median are; the price is the median of the rest, rounded half to even to the step; fewer than {QUORUM} quotes make no \
                 sample\n\
                 jumps: a step of more than {} within {JUMP_RESET_MS} ms waits until {JUMP_CANDIDATES} samples in a row lie within {} of \
                 each other\n",
                names.join(", "),
                percent(DEVIATION),
                percent(JUMP),
                percent(JUMP_AGREEMENT),
            ),
            Origin::Computed(legs) => {
                let legs: Vec<String> = legs.iter().map(|(symbol, origin)| format!("{symbol}\n{}", origin.text())).collect();
                format!(
                    "computed: the first index over the second, with the time of the older sample, rounded half to even to the step\n{}",
                    legs.concat()
                )
            }
        }
    }

    /// From the lines after that of the index.
    fn read<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<Origin> {
        let first = lines.next()?;
        if let Some(names) = first.strip_prefix("sources: ") {
            lines.nth(1)?;
            return Some(Origin::Sources(names.split(", ").map(str::to_owned).collect()));
        }
        let mut leg = || {
            let symbol = lines.next()?.to_owned();
            let names = lines.next()?.strip_prefix("sources: ")?;
            lines.nth(1)?;
            Some((symbol, Origin::Sources(names.split(", ").map(str::to_owned).collect())))
        };
        Some(Origin::Computed(vec![leg()?, leg()?]))
    }
}

impl Rule {
    /// The rule of one pair and one length, without the amounts of an order.
    pub(crate) fn of(catalog: &Catalog, index: &IndexMarket, shared: &SharedTerms, duration: &DurationTerms) -> Rule {
        let DurationTerms { seconds, profit, profit_flat, tolerance, tie, .. } = *duration;
        let (symbol, origin) = (symbol(catalog, index.market).to_owned(), Origin::of(catalog, index));
        Rule { symbol, tick: index.tick, origin, seconds, tolerance, profit, profit_flat, fee: shared.fee, tie }
    }

    /// Its text.
    pub fn text(&self) -> String {
        let Rule { symbol, tick, origin, seconds, tolerance, profit, profit_flat, fee, tie } = self;
        let tie = match tie {
            TieRule::Refund => "the stake is paid back and the fee is kept",
            TieRule::Lose => "it loses",
        };
        format!(
            "Meridian option rule {VERSION}\n\
             index: {symbol} in steps of {}\n\
             {}\
             open price: the latest sample at or before the purchase, at most {FRESH_MS} ms old\n\
             delivery instant: {seconds} s after the purchase\n\
             delivery price: the latest sample at or before the delivery instant, at most {FRESH_MS} ms old\n\
             band: {} of the open price, rounded down to 0.00000001\n\
             outcome: up if the delivery price is above the open price by more than the band, down if it is below it by more than the \
             band, otherwise flat\n\
             payout: stake and {} of it if the bet is up or down and the outcome, stake and {} of it if both are flat; profit rounds \
             down\n\
             fee: {} of the stake, rounded up\n\
             tie: if the bet is up or down and the outcome is flat, {tie}\n\
             gap: without a delivery price stake and fee are paid back\n",
            price(*tick),
            origin.text(),
            percent(*tolerance),
            percent(*profit),
            percent(*profit_flat),
            percent(*fee),
        )
    }

    /// The rule of a text, if it exactly matches this version.
    pub fn read(text: &str) -> Option<Rule> {
        let rate = |text: &str| parse_decimal(text.split(' ').next()?, 6, u64::MAX).ok().map(Rate);
        let mut lines = text.lines();
        let (symbol, tick) = lines.nth(1)?.strip_prefix("index: ")?.split_once(" in steps of ")?;
        let origin = Origin::read(&mut lines)?;
        let mut field = |name: &str| lines.by_ref().find_map(|line| line.strip_prefix(name));
        let seconds = field("delivery instant: ")?.split(' ').next()?.parse().ok()?;
        let tolerance = rate(field("band: ")?)?;
        let (directed, flat) = field("payout: stake and ")?.split_once(" stake and ").or(None)?;
        let (profit, profit_flat) = (rate(directed)?, rate(flat)?);
        let fee = rate(field("fee: ")?)?;
        let tie = if field("tie: ")?.ends_with("it loses") { TieRule::Lose } else { TieRule::Refund };
        let tick = parse_decimal(tick, PRICE_SCALE, MAX_PRICE.0).ok().map(Price)?;
        let rule = Rule { symbol: symbol.to_owned(), tick, origin, seconds, tolerance, profit, profit_flat, fee, tie };
        // If parsing skipped anything, it is missing in the text made here.
        (rule.text() == text).then_some(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::terms::OptionTerms;

    #[test]
    fn every_rule_is_read_from_its_text_and_no_other_text_is_read() {
        let (catalog, mut terms) = (Catalog::standard(), OptionTerms::standard());
        terms.durations[1].tie = TieRule::Lose;
        for index in &catalog.indices {
            for duration in &terms.durations {
                let rule = Rule::of(&catalog, index, &terms.shared, duration);
                let text = rule.text();
                assert_eq!(Rule::read(&text), Some(rule), "{text}");
                for (old, new) in [("2.000000 %", "3.000000 %"), ("half to even", "up"), ("3000", "4000"), ("rule 1", "rule 2")] {
                    assert_eq!(Rule::read(&text.replacen(old, new, 1)), None, "{old}");
                }
                assert_eq!(Rule::read(&format!("{text}but not today\n")), None);
            }
        }
        assert_eq!(Rule::read(""), None);
    }

    #[test]
    fn the_wording_never_changes() {
        let (catalog, terms) = (Catalog::standard(), OptionTerms::standard());
        let text: String =
            catalog.indices.iter().map(|index| Rule::of(&catalog, index, &terms.shared, &terms.durations[0]).text()).collect();
        let digest: String = hash(&text).0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, WORDING, "every option that is open was bought under it");
    }

    const WORDING: &str = "ac6b5f2a55e38b5b1e8170cce5ea7c6fd28db3e96e500b37d5f192c51dd81fae";
}

//! Which market an instance has, and what its catalog calls the sources of its prices.

use engine::catalog::{Catalog, IndexOrigin, QUORUM};
use engine::command::Mode;

use crate::venues::VENUES;

/// Where the prices of the indices come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Market {
    /// The public tickers of large venues.
    Live,
    /// Simulated, or a tape. For a sandbox.
    Simulated,
}

impl Market {
    /// The default market of a new journal in this mode.
    pub fn of(mode: Mode) -> Market {
        match mode {
            Mode::Live => Market::Live,
            Mode::Sandbox => Market::Simulated,
        }
    }

    /// The standard catalog, with the names of this market's sources.
    pub fn catalog(self) -> Catalog {
        let mut catalog = Catalog::standard();
        if self == Market::Live {
            for index in &mut catalog.indices {
                if let IndexOrigin::Sources(names) = &mut index.origin {
                    *names = VENUES.iter().map(|venue| venue.name.to_owned()).collect();
                }
            }
        }
        catalog
    }

    /// True if this market has a source of this name.
    pub fn knows(self, name: &str) -> bool {
        match self {
            Market::Live => VENUES.iter().any(|venue| venue.name == name),
            Market::Simulated => sourced(&Catalog::standard()).any(|(_, names)| names.iter().any(|other| other == name)),
        }
    }

    /// The market of a journal: that of its genesis. A live journal has only the live market. A sandbox has the one whose sources its
    /// catalog named first, because quotes must never carry the name of another source.
    ///
    /// # Errors
    /// How that contradicts the requested one.
    pub fn of_journal(asked: Option<Market>, mode: Mode, genesis: &Catalog) -> Result<Market, String> {
        let enough = |names: &[String]| names.iter().filter(|name| Market::Live.knows(name)).count() >= QUORUM;
        let other = sourced(genesis).find(|(_, names)| !enough(names));
        let own = if mode == Mode::Live || other.is_none() { Market::Live } else { Market::Simulated };
        match (asked, other) {
            (Some(Market::Simulated), _) if mode == Mode::Live => {
                Err("--market simulated is for a sandbox; this journal is live".to_owned())
            }
            (Some(Market::Simulated), None) => {
                Err("--market simulated: the sources of this journal are real venues, and no imagined price may \
                bear their names; leave the option out, or begin another data directory"
                    .to_owned())
            }
            (Some(Market::Live), Some((symbol, names))) if mode == Mode::Sandbox => Err(format!(
                "--market live: the sources of {symbol} in this journal are {}, which are simulated; begin another data directory with this option",
                names.join(", ")
            )),
            _ => Ok(own),
        }
    }
}

/// The indices that are not computed from others, and their sources.
fn sourced(catalog: &Catalog) -> impl Iterator<Item = (&str, &[String])> {
    catalog.indices.iter().filter_map(|index| {
        let IndexOrigin::Sources(names) = &index.origin else { return None };
        Some((catalog.market(index.market)?.symbol.as_str(), names.as_slice()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_follows_the_journal_or_is_refused() {
        let (venues, imagined) = (Market::Live.catalog(), Market::Simulated.catalog());
        let of = |asked, mode, catalog| Market::of_journal(asked, mode, catalog).ok();
        for asked in [None, Some(Market::Live)] {
            assert_eq!(of(asked, Mode::Live, &venues), Some(Market::Live));
            assert_eq!(of(asked, Mode::Sandbox, &venues), Some(Market::Live));
            // A live journal of an earlier release: its operators name the venues.
            assert_eq!(of(asked, Mode::Live, &imagined), Some(Market::Live));
        }
        for asked in [None, Some(Market::Simulated)] {
            assert_eq!(of(asked, Mode::Sandbox, &imagined), Some(Market::Simulated));
        }
        assert_eq!(of(Some(Market::Simulated), Mode::Live, &venues), None);
        assert_eq!(of(Some(Market::Simulated), Mode::Sandbox, &venues), None);
        let refused = Market::of_journal(Some(Market::Live), Mode::Sandbox, &imagined).unwrap_err();
        assert!(refused.contains("BTC/USDT") && refused.contains("alder, birch, cedar, hazel, maple"), "{refused}");
    }

    #[test]
    fn each_market_knows_the_sources_of_its_catalogue_and_no_others() {
        for market in [Market::Live, Market::Simulated] {
            let other = if market == Market::Live { Market::Simulated } else { Market::Live };
            assert_eq!(market.catalog().fault(), None);
            assert_eq!(sourced(&market.catalog()).count(), 3);
            for (_, names) in sourced(&market.catalog()) {
                assert_eq!(names.len(), 5);
                assert!(names.iter().all(|name| market.knows(name) && !other.knows(name)), "{names:?}");
            }
        }
        assert_eq!(Market::Simulated.catalog(), Catalog::standard());
    }
}

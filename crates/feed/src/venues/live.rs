//! The prices of a live market: the venues' latest quotes, as commands for the log.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use engine::Engine;
use engine::catalog::IndexOrigin;
use engine::command::Command;
use engine::ids::MarketId;
use engine::index::{self, MarketQuotes, Quote, SOURCE_STALE_MS};
use engine::time::Time;
use tokio::task::JoinHandle;

use super::VENUES;
use super::address::Addresses;
use super::board::Asked;
pub use super::connection::Patience;
use super::connection::Source;
use super::past::{self, PastCandle, Pasts};
use super::status::SourceStatus;
pub use super::volumes::{MinuteVolume, Pace};
use super::volumes::{ReportedVolumes, follow};

/// A quote older than this is not passed on, ms. Until then the log shows that its source fell silent.
const LAST_WORD_MS: u64 = 60_000;

/// Wall time in milliseconds, as the process believes it.
#[derive(Clone)]
pub struct WallClock(Arc<dyn Fn() -> u64 + Send + Sync>);

impl WallClock {
    /// A clock read by this function.
    pub fn new(read: impl Fn() -> u64 + Send + Sync + 'static) -> WallClock {
        WallClock(Arc::new(read))
    }

    pub(super) fn now_ms(&self) -> u64 {
        (self.0)()
    }
}

impl fmt::Debug for WallClock {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("WallClock")
    }
}

/// A connection to every venue, closed when this is dropped.
#[derive(Debug)]
pub struct Live {
    sources: Vec<Arc<Source>>,
    lines: Vec<JoinHandle<()>>,
    told: Arc<ReportedVolumes>,
    pasts: Arc<Pasts>,
    /// For the past of a pair.
    patience: Duration,
}

impl Live {
    /// Opens the connections, in this runtime, as soon as an index names their venues.
    pub fn start(addresses: &Addresses, clock: &WallClock, patience: Patience, pace: Pace) -> Live {
        let source = |venue| Source::new(venue, addresses.of(venue), clock.clone(), patience);
        let sources: Vec<Arc<Source>> = VENUES.iter().map(source).collect();
        let (told, pasts) = (Arc::new(ReportedVolumes::default()), Arc::new(Pasts::default()));
        let lines = sources.iter().map(|source| tokio::spawn(source.clone().run()));
        let candles = sources.iter().flat_map(|source| {
            let base = addresses.candles_of(source.venue);
            let volumes = tokio::spawn(follow(source.clone(), base.clone(), told.clone(), pace));
            [volumes, tokio::spawn(past::follow(source.clone(), base, pasts.clone(), pace))]
        });
        let lines = lines.chain(candles).collect();
        Live { sources, lines, told, pasts, patience: pace.past }
    }

    /// The commands for one sample of every index that is not halted and has fresh quotes.
    pub fn sample(&self, engine: &Engine) -> Vec<Command> {
        self.follow(engine);
        let (mut quotes, mut pinned) = (Vec::new(), Vec::new());
        for facts in &engine.catalog().indices {
            let (Some(index), IndexOrigin::Sources(names)) = (engine.index(facts.market), &facts.origin) else { continue };
            match index.feed {
                index::Feed::Halted => {}
                index::Feed::Pinned(price) => pinned.push(Command::SandboxPrice { market: facts.market, price }),
                index::Feed::Sources => quotes.extend(self.quotes(facts.market, names)),
            }
        }
        (!quotes.is_empty()).then_some(Command::PublishQuotes(quotes)).into_iter().chain(pinned).collect()
    }

    /// The volumes reported by the venues since the last call.
    pub fn volumes(&self) -> Vec<MinuteVolume> {
        self.told.take()
    }

    /// Requests the past of a pair once: its candles that are complete at this instant.
    pub fn want_past(&self, market: MarketId, until: Time) {
        self.pasts.want(market, until);
    }

    /// The requested pasts that are complete, since the last call. A past is empty if fewer than three venues reported it.
    pub fn pasts(&self) -> Vec<(MarketId, Vec<PastCandle>)> {
        let has_it = |source: &&Arc<Source>, market| source.pairs().iter().any(|pair| pair.market == market);
        self.pasts.take(|market| self.sources.iter().filter(|source| has_it(source, market)).count(), self.patience)
    }

    /// Closes the connections for good.
    pub fn close(&self) {
        self.lines.iter().for_each(JoinHandle::abort);
    }

    /// The state of each venue.
    pub fn status(&self) -> Vec<SourceStatus> {
        self.sources.iter().map(|source| source.status()).collect()
    }

    /// Requests from each venue the pairs whose indices name it now.
    fn follow(&self, engine: &Engine) {
        let catalog = engine.catalog();
        for source in &self.sources {
            let names_it = |names: &[String]| names.iter().any(|name| name == source.venue.name);
            let pairs = catalog.indices.iter().filter_map(|facts| {
                let IndexOrigin::Sources(names) = &facts.origin else { return None };
                let market = catalog.market(facts.market).filter(|_| names_it(names))?;
                let (base, quote) = (catalog.asset(market.base)?, catalog.asset(market.quote)?);
                Some(Asked { market: market.id, symbol: (source.venue.symbol)(&base.code, &quote.code), scale: base.scale })
            });
            source.ask(pairs.collect());
        }
    }

    /// The latest quotes of a pair, in the order of its sources; `None` when none is fresh.
    fn quotes(&self, market: MarketId, names: &[String]) -> Option<MarketQuotes> {
        let said = (0u8..=u8::MAX).zip(names).filter_map(|(number, name)| {
            let source = self.sources.iter().find(|source| source.venue.name == name)?;
            let (price, age_ms) = source.board().quote(market).filter(|(_, age_ms)| *age_ms <= LAST_WORD_MS)?;
            Some(Quote { source: number, price, age_ms: u32::try_from(age_ms).unwrap_or(u32::MAX) })
        });
        let quotes: Vec<Quote> = said.collect();
        quotes.iter().any(|quote| quote.age_ms <= SOURCE_STALE_MS).then_some(MarketQuotes { market, quotes })
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.close();
    }
}

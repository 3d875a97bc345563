//! Input to the log without a caller: prices, a sandbox's market, clock ticks, and what watchers see on chains.

pub mod chain;
pub mod chart_history;
pub mod past;
pub mod payouts;

use std::sync::Arc;
use std::time::Duration;

use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::index::Sample;
use engine::time::Time;
use feed::house::{House, Plan};
use feed::simulated::Simulated;
use feed::venues::live::Live;
use feed::venues::status::{Connection, SourceStatus};
use feed::venues::volumes::MinuteVolume;
use futures_util::future::join_all;
use kernel::journal_clock::Clock;
use kernel::sequencer::{Applied, Sequencer, SubmitError};
use store::db::{Db, DbError};
use store::people::HOUSE;
use store::volumes::{self, Said};
use tokio::sync::Mutex;

use self::past::Past;

/// Time between two samples.
const EVERY: Duration = Duration::from_secs(1);
/// Interval at which the candles of the sources are checked.
const CANDLES_EVERY: Duration = Duration::from_secs(5);

/// Where prices come from.
#[derive(Debug)]
pub enum Prices {
    /// Imagination, or a tape.
    Simulated(Box<Simulated>),
    /// The venues.
    Live(Arc<Live>),
}

impl Prices {
    fn sample(&mut self, sequencer: &Sequencer, now: Time) -> Vec<Command> {
        match self {
            Prices::Simulated(simulated) => simulated.sample(&sequencer.engine(), now),
            Prices::Live(live) => live.sample(&sequencer.engine()),
        }
    }

    /// The volumes reported by the sources.
    fn volumes(&self) -> Vec<MinuteVolume> {
        match self {
            Prices::Simulated(simulated) => simulated.volumes(),
            Prices::Live(live) => live.volumes(),
        }
    }
}

/// Brings prices into the log; in a sandbox also the orders of the house, and the reports of chains without a watcher.
#[derive(Debug)]
pub struct Feed {
    sequencer: Sequencer,
    db: Db,
    clock: Arc<Clock>,
    /// Chains without a watcher.
    unwatched: Vec<Chain>,
    live: Option<Arc<Live>>,
    state: Mutex<State>,
}

/// The effects of a move of the clock.
#[derive(Debug)]
pub struct Advanced {
    /// The clock's own entry at the target.
    pub applied: Applied,
    /// All that happened on the way and there.
    pub events: u64,
    /// Samples that were accepted.
    pub samples: u64,
}

#[derive(Debug)]
struct State {
    prices: Prices,
    house: Option<House>,
}

impl Feed {
    /// A feed of these prices. `liquidity`: the house quotes both sides of every pair.
    pub fn new(sequencer: Sequencer, db: Db, clock: Arc<Clock>, unwatched: Vec<Chain>, seed: u64, prices: Prices, liquidity: bool) -> Feed {
        let live = if let Prices::Live(live) = &prices { Some(live.clone()) } else { None };
        let state = State { prices, house: liquidity.then(|| House::new(HOUSE, seed)) };
        Feed { sequencer, db, clock, unwatched, live, state: Mutex::new(state) }
    }

    /// Ends the lines to the venues.
    pub fn close(&self) {
        if let Some(live) = &self.live {
            live.close();
        }
    }

    /// How each venue is; none where prices are simulated.
    pub fn venues(&self) -> Vec<SourceStatus> {
        self.live.as_ref().map(|live| live.status()).unwrap_or_default()
    }

    /// One sample of every index that is not halted, then the house's orders. Returns how many samples were accepted.
    ///
    /// # Errors
    /// When the sequencer takes no commands.
    pub async fn tick(&self) -> Result<u64, SubmitError> {
        let mut state = self.state.lock().await;
        let before = samples(&self.sequencer);
        let now = Time(self.clock.now_ms()).max(self.sequencer.engine().time());
        let sample = state.prices.sample(&self.sequencer, now);
        for command in sample {
            self.sequencer.submit(command, None).await?;
        }
        state.house(&self.sequencer).await?;
        Ok(accepted(&self.sequencer, &before))
    }

    /// Moves a sandbox's clock to this instant and does the same there: the samples bear that very instant. So do those on the way, one at
    /// every instant for which something is due.
    ///
    /// # Errors
    /// As [`Sequencer::advance`].
    pub async fn advance(&self, to: Time) -> Result<Advanced, SubmitError> {
        let mut state = self.state.lock().await;
        let (passed, mut made) = (self.sequencer.passed(), 0);
        while let Some(due) = self.due_before(to) {
            // Work that falls due a millisecond after its instant uses the price of that instant (T-4).
            for instant in [Time(due.0.saturating_sub(1)), due] {
                made += self.move_to(&mut state, instant).await?;
            }
        }
        let before = samples(&self.sequencer);
        let sample = state.prices.sample(&self.sequencer, to);
        let applied = self.sequencer.advance(to, sample).await?;
        // The server's own clock may have settled part of it in the meantime.
        let events = self.sequencer.passed() - passed;
        state.house(&self.sequencer).await?;
        Ok(Advanced { applied, events, samples: made + accepted(&self.sequencer, &before) })
    }

    /// The first instant on the way at which something is due.
    fn due_before(&self, to: Time) -> Option<Time> {
        let engine = self.sequencer.engine();
        engine.next_due().filter(|due| *due > engine.time() && *due <= to)
    }

    /// Moves the clock, with a sample at this instant, if it lies ahead. Returns how many samples were accepted.
    async fn move_to(&self, state: &mut State, instant: Time) -> Result<u64, SubmitError> {
        if instant <= self.sequencer.engine().time() {
            return Ok(0);
        }
        let before = samples(&self.sequencer);
        let sample = state.prices.sample(&self.sequencer, instant);
        match self.sequencer.advance(instant, sample).await {
            // Time is already there.
            Ok(_) | Err(SubmitError::Time) => Ok(accepted(&self.sequencer, &before)),
            Err(error) => Err(error),
        }
    }

    /// Does this between two ticks. A tick repeats the pins that it read; one that a tester changes meanwhile would come back.
    pub async fn between_ticks<T>(&self, work: impl Future<Output = T>) -> T {
        let _state = self.state.lock().await;
        work.await
    }

    /// Ticks for ever.
    pub async fn run(self: Arc<Feed>) {
        let mut every = tokio::time::interval(EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(error) = self.tick().await {
                tracing::warn!(%error, "no samples");
            }
            self.measure();
            if let Err(error) = payouts::pretend(&self.sequencer, &self.unwatched).await {
                tracing::warn!(%error, "no payouts confirmed");
            }
        }
    }

    /// Stores the sources' data for the charts, for ever. A task of its own: prices continue whatever the state of the database of people.
    pub async fn keep(self: Arc<Feed>) {
        let mut every = tokio::time::interval(CANDLES_EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut past = Past::default();
        loop {
            every.tick().await;
            if let Err(error) = self.keep_volumes().await {
                tracing::warn!(%error, "no volumes");
            }
            if let Some(live) = &self.live
                && let Err(error) = past.keep(&self.db, live, self.sequencer.listed()).await
            {
                tracing::warn!(%error, "no past for the charts");
            }
        }
    }
}

impl Feed {
    /// Stores the volumes reported by the sources, for the charts.
    async fn keep_volumes(&self) -> Result<(), DbError> {
        let said = self.state.lock().await.prices.volumes();
        let said: Vec<Said<'_>> = said
            .iter()
            .map(|MinuteVolume { market, source, start_ms, volume }| Said { market: *market, source, start_ms: *start_ms, volume: *volume })
            .collect();
        volumes::put(&self.db, &said).await
    }

    /// The figures of the venues, for `/metrics`.
    fn measure(&self) {
        for SourceStatus { name, connection, opened, strays, pairs, .. } in self.venues() {
            let taken: u64 = pairs.iter().map(|pair| pair.accepted).sum();
            let rejected = strays + pairs.iter().map(|pair| pair.rejected).sum::<u64>();
            metrics::counter!("source_quotes_total", "source" => name, "outcome" => "accepted").absolute(taken);
            metrics::counter!("source_quotes_total", "source" => name, "outcome" => "rejected").absolute(rejected);
            metrics::counter!("source_connections_total", "source" => name).absolute(opened);
            metrics::gauge!("source_open", "source" => name).set(u32::from(connection == Connection::Open));
        }
    }
}

impl State {
    async fn house(&mut self, sequencer: &Sequencer) -> Result<(), SubmitError> {
        let Some(house) = &mut self.house else { return Ok(()) };
        let Plan { cancel, place } = house.refresh(&sequencer.engine());
        // Commands submitted together become one group. New orders come after the old ones are cancelled.
        for commands in [cancel, place] {
            let sent = commands.into_iter().map(|command| sequencer.submit(command, None));
            join_all(sent).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        }
        Ok(())
    }
}

/// The last sample of each index.
fn samples(sequencer: &Sequencer) -> Vec<Option<Sample>> {
    let engine = sequencer.engine();
    sequencer.listed().indices.iter().map(|facts| engine.index(facts.market).and_then(|index| index.filter.last())).collect()
}

/// How many indices have another last sample than they had.
fn accepted(sequencer: &Sequencer, before: &[Option<Sample>]) -> u64 {
    let changed = samples(sequencer).iter().zip(before).filter(|(after, before)| after != before).count();
    u64::try_from(changed).unwrap_or_default()
}

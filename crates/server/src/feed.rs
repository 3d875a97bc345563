//! What makes a sandbox's market live: simulated price sources or a tape, house liquidity, and a past for the charts.
//!
//! Floats are allowed in here and nowhere else: they imagine prices, which become integers before they leave.

pub mod chain;
pub mod chart_history;
pub mod house;
pub mod payouts;
pub mod simulated;
pub mod tape;
mod walk;

use std::time::Duration;

use engine::ids::MarketId;
use engine::index::Sample;
use engine::time::Time;
use tokio::sync::Mutex;

use crate::app::App;
use crate::http::reply::Refusal;
use crate::sequencer::Applied;
#[cfg(doc)]
use crate::sequencer::Sequencer;
use house::House;
use simulated::Simulated;
use tape::Tape;

/// Time between two samples.
const EVERY: Duration = Duration::from_secs(1);

/// Pairs with sources of their own: BTC, ETH and USDC in USDT.
pub(crate) const SOURCED: [MarketId; 3] = [MarketId(1), MarketId(2), MarketId(3)];
/// Computed pairs: numerator and denominator as positions in [`SOURCED`].
pub(crate) const CROSSES: [(MarketId, usize, usize); 3] = [(MarketId(4), 0, 2), (MarketId(5), 1, 2), (MarketId(6), 1, 0)];

/// The feed of a sandbox.
#[derive(Debug)]
pub struct Feed(Mutex<State>);

#[derive(Debug)]
struct State {
    simulated: Simulated,
    house: Option<House>,
}

impl Feed {
    /// A feed that starts from the last prices of the log, or plays a tape. `liquidity`: the house quotes both sides of every pair.
    pub fn new(app: &App, seed: u64, tape: Option<Tape>, liquidity: bool) -> Feed {
        Feed(Mutex::new(State { simulated: Simulated::new(app, seed, tape), house: liquidity.then(|| House::new(seed)) }))
    }

    /// One sample of every index that is not halted, then the house's orders. Returns how many samples were accepted.
    ///
    /// # Errors
    /// When the sequencer takes no commands.
    pub async fn tick(&self, app: &App) -> Result<u64, Refusal> {
        let mut state = self.0.lock().await;
        let before = samples(app);
        state.simulated.publish(app).await?;
        state.house(app).await?;
        Ok(accepted(app, &before))
    }

    /// Moves a sandbox's clock to this instant and does the same there: the samples bear that very instant.
    ///
    /// # Errors
    /// As [`Sequencer::advance`].
    pub async fn advance(&self, app: &App, to: Time) -> Result<(Applied, u64), Refusal> {
        let mut state = self.0.lock().await;
        let before = samples(app);
        let sample = state.simulated.sample(app, to);
        let applied = app.sequencer.advance(to, sample).await?;
        state.house(app).await?;
        Ok((applied, accepted(app, &before)))
    }

    /// Does this between two ticks. A tick repeats the pins that it read; one that a tester changes meanwhile would come back.
    pub async fn between_ticks<T>(&self, work: impl Future<Output = T>) -> T {
        let _state = self.0.lock().await;
        work.await
    }

    /// Ticks for ever.
    pub async fn run(app: App) {
        let Some(feed) = app.feed.get() else { return };
        let mut every = tokio::time::interval(EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(refusal) = feed.tick(&app).await {
                tracing::warn!(refusal.name = refusal.code.name(), "no samples");
            }
            if let Err(refusal) = payouts::pretend(&app).await {
                tracing::warn!(refusal.name = refusal.code.name(), "no payouts confirmed");
            }
        }
    }
}

impl State {
    async fn house(&mut self, app: &App) -> Result<(), Refusal> {
        match &mut self.house {
            Some(house) => house.refresh(app).await,
            None => Ok(()),
        }
    }
}

/// The last sample of each index.
fn samples(app: &App) -> Vec<Option<Sample>> {
    let engine = app.sequencer.engine();
    app.catalog.indices.iter().map(|facts| engine.index(facts.market).and_then(|index| index.filter.last())).collect()
}

/// How many indices have another last sample than they had.
fn accepted(app: &App, before: &[Option<Sample>]) -> u64 {
    let changed = samples(app).iter().zip(before).filter(|(after, before)| after != before).count();
    u64::try_from(changed).unwrap_or_default()
}

/// How much time the imagined price lived through since the last sample, seconds; long pauses count as one minute.
fn elapsed_s(last: Option<Time>, now: Time) -> f64 {
    let ms = last.map_or(1_000, |last| now.since(last).clamp(200, 60_000));
    f64::from(u32::try_from(ms).unwrap_or(u32::MAX)) / 1_000.0
}

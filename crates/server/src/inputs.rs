//! What enters the log without a caller: the market of a sandbox, which ticks, and what watchers see on chains.

pub mod chain;
pub mod chart_history;
pub mod payouts;

use std::time::Duration;

use engine::index::Sample;
use engine::time::Time;
use feed::house::{House, Plan};
use feed::simulated::Simulated;
use feed::tape::Tape;
use futures_util::future::join_all;
#[cfg(doc)]
use kernel::sequencer::Sequencer;
use kernel::sequencer::{Applied, SubmitError};
use store::people::HOUSE;
use tokio::sync::Mutex;

use crate::app::App;

/// Time between two samples.
const EVERY: Duration = Duration::from_secs(1);

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
        let simulated = Simulated::new(&app.sequencer.engine(), seed, tape);
        Feed(Mutex::new(State { simulated, house: liquidity.then(|| House::new(HOUSE, seed)) }))
    }

    /// One sample of every index that is not halted, then the house's orders. Returns how many samples were accepted.
    ///
    /// # Errors
    /// When the sequencer takes no commands.
    pub async fn tick(&self, app: &App) -> Result<u64, SubmitError> {
        let mut state = self.0.lock().await;
        let before = samples(app);
        let now = Time(app.now_ms()).max(app.sequencer.engine().time());
        let sample = state.simulated.sample(&app.sequencer.engine(), now);
        for command in sample {
            app.sequencer.submit(command, None).await?;
        }
        state.house(app).await?;
        Ok(accepted(app, &before))
    }

    /// Moves a sandbox's clock to this instant and does the same there: the samples bear that very instant.
    ///
    /// # Errors
    /// As [`Sequencer::advance`].
    pub async fn advance(&self, app: &App, to: Time) -> Result<(Applied, u64), SubmitError> {
        let mut state = self.0.lock().await;
        let before = samples(app);
        let sample = state.simulated.sample(&app.sequencer.engine(), to);
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
            if let Err(error) = feed.tick(&app).await {
                tracing::warn!(%error, "no samples");
            }
            if let Err(error) = payouts::pretend(&app).await {
                tracing::warn!(%error, "no payouts confirmed");
            }
        }
    }
}

impl State {
    async fn house(&mut self, app: &App) -> Result<(), SubmitError> {
        let Some(house) = &mut self.house else { return Ok(()) };
        let Plan { cancel, place } = house.refresh(&app.sequencer.engine());
        // Commands that wait together become one group; new orders come after the old ones are gone.
        for commands in [cancel, place] {
            let sent = commands.into_iter().map(|command| app.sequencer.submit(command, None));
            join_all(sent).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        }
        Ok(())
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

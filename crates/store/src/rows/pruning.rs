//! Forgets old samples and first answers, a step at a time between two transactions of the history.
//!
//! Samples are forgotten by the time they are of: each round continues where the last one ended, and never reads again what that one kept.

use engine::ids::MarketId;
use engine::time::{HOUR_MS, MINUTE_MS, Time};

use super::SAMPLES_KEPT_MS;
use crate::db::{Db, DbError};
use crate::{first_answers, prices, sql};

/// Facts that come with one step: fewer rows than it forgets at most, so the tables do not grow while the log is replayed.
const FACTS: usize = 1_000;

/// How far the samples are forgotten.
#[derive(Debug)]
pub(super) struct Pruning {
    /// End of the last round, ms.
    done_ms: u64,
    round: Option<Round>,
    /// Nothing is done before this, after a fault: the history must not wait for the same one each time.
    again_ms: u64,
}

#[derive(Clone, Copy, Debug)]
struct Round {
    now_ms: u64,
    to_ms: u64,
    left: Left,
}

/// What a round has still to do.
#[derive(Clone, Copy, Debug)]
enum Left {
    /// First answers, then all samples.
    Answers,
    /// The samples of a pair from this instant on, then those of later pairs.
    Samples(MarketId, u64),
}

impl Pruning {
    /// Continues behind the last round.
    pub(super) async fn load(db: &Db) -> Result<Pruning, DbError> {
        let done = db.query(sql!("select pruned_ms from history where id = 1")).await?;
        Ok(Pruning { done_ms: done.first().map_or(Ok(0), |row| row.id(0))?, round: None, again_ms: 0 })
    }

    /// Does a part of what has to be forgotten at journal time `now`, after so many facts were written.
    pub(super) async fn run(&mut self, db: &Db, now: Time, facts: usize) {
        if now.0 < self.again_ms {
            return;
        }
        if let Err(error) = self.steps(db, now, facts).await {
            tracing::error!(%error, "old samples and first answers");
            self.again_ms = now.plus(MINUTE_MS).0;
        }
    }

    async fn steps(&mut self, db: &Db, now: Time, facts: usize) -> Result<(), DbError> {
        let to_ms = now.0.saturating_sub(SAMPLES_KEPT_MS);
        // Before a replay of the costs reaches the present, nothing is that old.
        if self.round.is_none() && to_ms > self.done_ms.saturating_add(HOUR_MS) {
            self.round = Some(Round { now_ms: now.0, to_ms, left: Left::Answers });
        }
        for _ in 0..=facts / FACTS {
            let Some(Round { now_ms, to_ms, left }) = self.round else { return Ok(()) };
            match self.step(db, now_ms, to_ms, left).await? {
                Some(left) => self.round = Some(Round { now_ms, to_ms, left }),
                None => {
                    db.run_relaxed([sql!("update history set pruned_ms = $1 where id = 1", to_ms)].into()).await?;
                    (self.done_ms, self.round) = (to_ms, None);
                }
            }
        }
        Ok(())
    }

    /// One step, and what is left after it.
    async fn step(&self, db: &Db, now_ms: u64, to_ms: u64, left: Left) -> Result<Option<Left>, DbError> {
        let next = |market: Option<MarketId>| market.map(|market| Left::Samples(market, self.done_ms));
        Ok(match left {
            Left::Answers if first_answers::prune(db, now_ms).await? => Some(left),
            Left::Answers => next(prices::sampled(db, None).await?),
            Left::Samples(market, from_ms) => match prices::prune_samples(db, market, from_ms..to_ms).await? {
                Some(from_ms) => Some(Left::Samples(market, from_ms)),
                None => next(prices::sampled(db, Some(market)).await?),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use engine::time::DAY_MS;

    use super::*;
    use crate::db::{Rows, Sql};

    const MARKETS: u64 = 3;

    async fn migrated(folder: &tempfile::TempDir) -> Db {
        let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
        db.migrate(&crate::migrations::migrations()).await.unwrap();
        db
    }

    /// A sample of each pair at each of these instants.
    async fn sampled(db: &Db, times_ms: impl Iterator<Item = u64>) {
        let cells =
            |market: u64, time_ms: u64| [market.into(), time_ms.into(), time_ms.into(), 1_u64.into(), false.into(), vec![0_u8].into()];
        let rows: Rows = times_ms.flat_map(|time_ms| (1..=MARKETS).map(move |market| cells(market, time_ms))).collect();
        db.run(vec![Sql::bulk("insert into index_samples (market, seq, time_ms, price, sandbox, quotes) values", "", rows)]).await.unwrap();
    }

    async fn times(db: &Db, market: u64) -> Vec<u64> {
        let done = db.query(sql!("select time_ms from index_samples where market = $1 order by time_ms", market)).await.unwrap();
        done.rows.iter().map(|row| row.id(0).unwrap()).collect()
    }

    async fn count(db: &Db) -> u64 {
        db.query(sql!("select count(*) from index_samples")).await.unwrap().rows[0].id(0).unwrap()
    }

    #[tokio::test]
    async fn old_samples_go_step_by_step_and_those_that_decided_something_stay() {
        let folder = tempfile::tempdir().unwrap();
        let db = migrated(&folder).await;
        let now = 30 * DAY_MS;
        sampled(&db, (0..=now).step_by(300_000)).await;
        let option = "insert into options (id, user_id, market, asset, open_ms, delivery_ms, seq, body) values (1, 2, 2, 3, $1, $2, 1, '')";
        db.exec(sql!(option, DAY_MS, DAY_MS + 300_000)).await.unwrap();

        let mut pruning = Pruning::load(&db).await.unwrap();
        let (mut all, mut steps) = (count(&db).await, 0);
        while steps == 0 || pruning.round.is_some() {
            pruning.run(&db, Time(now), 0).await;
            let left = count(&db).await;
            assert!(all - left <= 2_001, "{} samples in one step", all - left);
            (all, steps) = (left, steps + 1);
        }
        assert!(steps > 9, "{steps} steps");
        let kept: Vec<u64> = (now - SAMPLES_KEPT_MS..=now).step_by(300_000).collect();
        assert_eq!((times(&db, 1).await, times(&db, 3).await), (kept.clone(), kept.clone()));
        assert_eq!(times(&db, 2).await, [&[DAY_MS, DAY_MS + 300_000], kept.as_slice()].concat());
    }

    #[tokio::test]
    async fn a_round_begins_where_the_last_one_ended_and_a_replay_of_old_entries_begins_none() {
        let folder = tempfile::tempdir().unwrap();
        let db = migrated(&folder).await;
        let now = 30 * DAY_MS;
        sampled(&db, (0..=now).step_by(300_000)).await;
        // Much came with it, so it does not lag behind.
        Pruning::load(&db).await.unwrap().run(&db, Time(now), 1_000_000).await;
        let end = now - SAMPLES_KEPT_MS;
        assert_eq!(times(&db, 1).await.first(), Some(&end));

        // What an earlier round kept is not looked at again.
        sampled(&db, [1].into_iter()).await;
        let mut pruning = Pruning::load(&db).await.unwrap();
        pruning.run(&db, Time(DAY_MS), 1_000_000).await;
        pruning.run(&db, Time(now + HOUR_MS / 2), 1_000_000).await;
        assert_eq!(times(&db, 1).await[..2], [1, end]);
        pruning.run(&db, Time(now + 2 * HOUR_MS), 1_000_000).await;
        assert_eq!(times(&db, 1).await[..2], [1, end + 2 * HOUR_MS]);
    }
}

//! Which alerts the samples of a transaction reach. The database keeps waiting alerts ordered by level, so a sample costs two lookups
//! however many there are.

use std::collections::BTreeMap;

use engine::amount::Price;
use engine::ids::MarketId;
use engine::index::IndexSample;

use crate::db::Sql;
use crate::notices::Topic;
use crate::sql;

/// A sample: its entry, its instant, its price.
#[derive(Clone, Copy, Debug)]
struct Reached {
    seq: u64,
    time_ms: u64,
    price: Price,
}

/// The samples of one transaction, in their order.
#[derive(Debug, Default)]
pub(super) struct Levels {
    samples: BTreeMap<MarketId, Vec<Reached>>,
}

impl Levels {
    pub(super) fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    pub(super) fn sample(&mut self, seq: u64, sample: &IndexSample) {
        self.samples.entry(sample.market).or_default().push(Reached { seq, time_ms: sample.time.0, price: sample.price });
    }

    /// The statements that fire alerts and leave a notice for each.
    pub(super) fn statements(self) -> Vec<Sql> {
        let mut made = Vec::new();
        for (market, samples) in self.samples {
            for above in [true, false] {
                extremes(&samples, above).for_each(|sample| made.extend(fire(market, above, sample)));
            }
        }
        made
    }
}

/// The samples that may be the first to reach a level: none before it went as far, or none after it, for an alert that was made in between.
fn extremes(samples: &[Reached], above: bool) -> impl Iterator<Item = &Reached> {
    let further = move |one: Price, other: Price| if above { one > other } else { one < other };
    let mut first = vec![false; samples.len()];
    let mut mark = |order: &mut dyn Iterator<Item = usize>| {
        let mut furthest = None;
        for at in order {
            if furthest.is_none_or(|price| further(samples[at].price, price)) {
                furthest = Some(samples[at].price);
                first[at] = true;
            }
        }
    };
    mark(&mut (0..samples.len()));
    mark(&mut (0..samples.len()).rev());
    samples.iter().zip(first).filter_map(|(sample, first)| first.then_some(sample))
}

/// First the alerts, then the notices for those that this sample fired: one created between the two waits for the next sample.
fn fire(market: MarketId, above: bool, sample: &Reached) -> [Sql; 2] {
    let Reached { seq, time_ms, price } = *sample;
    let (set, topic) = if above {
        let set = "update alerts set fired_seq = $1, fired_ms = $2 \
                   where market = $3 and above = 1 and level <= $4 and fired_seq is null and after_seq < $1";
        (set, Topic::AlertAbove)
    } else {
        let set = "update alerts set fired_seq = $1, fired_ms = $2 \
                   where market = $3 and above = 0 and level >= $4 and fired_seq is null and after_seq < $1";
        (set, Topic::AlertBelow)
    };
    let (kind, name) = topic.words();
    let tell = "insert into notices (user_id, kind, topic, args, object_id, read, told, created_at_ms) \
                select user_id, cast($1 as text), cast($2 as text), args, id, 0, 0, fired_ms from alerts \
                where fired_seq = $3 and market = $4 and above = $5 \
                and not exists (select 1 from notices where notices.user_id = alerts.user_id and topic = $2 and object_id = alerts.id)";
    [sql!(set, seq, time_ms, market.0, price.0), sql!(tell, kind, name, seq, market.0, above)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_samples_of_many_are_asked_about_and_none_is_left_out_that_could_be_the_first() {
        let samples: Vec<Reached> = [5u64, 3, 7, 6, 7, 4, 6, 2]
            .into_iter()
            .zip(1..)
            .map(|(price, seq)| Reached { seq, time_ms: seq, price: Price(price) })
            .collect();
        let asked = |above| extremes(&samples, above).map(|sample| sample.seq).collect::<Vec<_>>();
        // For every alert level and creation time, the chosen samples include the first later sample that reaches the level, or one that
        // also reaches it.
        for above in [true, false] {
            for made_after in 0..samples.len() as u64 {
                for level in 1..9 {
                    let reaches = |sample: &&Reached| {
                        sample.seq > made_after && if above { sample.price.0 >= level } else { sample.price.0 <= level }
                    };
                    let fires = samples.iter().find(reaches);
                    let found = samples.iter().filter(|sample| asked(above).contains(&sample.seq)).find(reaches);
                    assert_eq!(fires.is_some(), found.is_some(), "{above} {made_after} {level}");
                    assert!(made_after > 0 || fires.map(|sample| sample.seq) == found.map(|sample| sample.seq), "{above} {level}");
                }
            }
        }
        let rising: Vec<Reached> = (1..=1_000).map(|seq| Reached { seq, time_ms: seq, price: Price(seq % 7 + 1) }).collect();
        assert!(extremes(&rising, true).count() < 20);
    }
}

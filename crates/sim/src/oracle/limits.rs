//! Limits that members set for themselves: every request is kept, and all are worked through again for each result.

use engine::self_limits::SelfLimit;

use super::people::DAY;
use super::{AMOUNT_LIMIT, Done, Oracle, Refusal, need};

/// A member's request: when, which limit, what value.
pub(super) type Asked = (u64, SelfLimit, Option<u64>);

/// How strict a value is: the larger, the stricter.
fn hardness(limit: SelfLimit, value: Option<u64>) -> i128 {
    match (limit, value) {
        (_, None) => i128::MIN,
        (SelfLimit::PauseUntil, Some(until)) => i128::from(until),
        (_, Some(most)) => -i128::from(most),
    }
}

/// The value in force and the waiting one, with its instant.
fn work_through(asked: &[Asked], limit: SelfLimit, now: u64) -> (Option<u64>, Option<(Option<u64>, u64)>) {
    let over = |value: Option<u64>, at: u64| value.filter(|value| limit != SelfLimit::PauseUntil || *value > at);
    let (mut value, mut waits): (Option<u64>, Option<(Option<u64>, u64)>) = (None, None);
    let settle = |value: &mut Option<u64>, waits: &mut Option<(Option<u64>, u64)>, at: u64| {
        if let Some((later, due)) = *waits
            && due <= at
        {
            (*value, *waits) = (later, None);
        }
        *value = over(*value, at);
    };
    for (at, _, wanted) in asked.iter().filter(|(_, of, _)| *of == limit) {
        settle(&mut value, &mut waits, *at);
        let wanted = over(*wanted, *at);
        (value, waits) = match hardness(limit, wanted) >= hardness(limit, value) {
            true => (wanted, None),
            false => (value, Some((wanted, at.saturating_add(DAY)))),
        };
    }
    settle(&mut value, &mut waits, now);
    (value, waits)
}

impl Oracle {
    pub(super) fn set_limits(&mut self, user: u64, changes: &[(SelfLimit, Option<u64>)]) -> Result<Done, Refusal> {
        self.member(user)?;
        for (limit, value) in changes {
            let money = matches!(limit, SelfLimit::OptionStakeDay | SelfLimit::LossDay);
            let most = if money { AMOUNT_LIMIT } else { i128::MAX };
            let fits = |value: u64| *limit == SelfLimit::PauseUntil || (value > 0 && i128::from(value) < most);
            need(value.is_none_or(fits), "E_AMOUNT")?;
        }
        let now = self.now;
        let asked = self.world.asked_limits.entry(user).or_default();
        asked.extend(changes.iter().map(|(limit, value)| (now, *limit, *value)));
        Ok(Done::Object(self.limits_summary(user)))
    }

    /// The value in force now.
    pub(super) fn own_limit(&self, user: u64, limit: SelfLimit) -> Option<u64> {
        let asked = self.world.asked_limits.get(&user).map_or(&[][..], Vec::as_slice);
        work_through(asked, limit, self.now).0
    }

    /// All four as text, as on the engine's side.
    pub(super) fn limits_summary(&self, user: u64) -> String {
        let asked = self.world.asked_limits.get(&user).map_or(&[][..], Vec::as_slice);
        let one = |limit: &SelfLimit| {
            let (value, waits) = work_through(asked, *limit, self.now);
            format!(" {value:?} {waits:?}")
        };
        format!("limits{}", SelfLimit::ALL.iter().map(one).collect::<String>())
    }
}

//! The words of scenarios about referral.

use engine::command::Command;
use engine::event::{AccountEvent, Event};
use engine::ids::UserId;
use engine::ledger::LineKind;

use super::{Parsed, Stage, equal, plain};

/// The effects of the end of a day, whatever the result of the command after it (T-3).
pub fn by_itself(event: &Event) -> bool {
    match event {
        Event::Posted(posting) => posting.kind == LineKind::Rebate,
        Event::Account(change) => matches!(&**change, AccountEvent::RebatePaid(_)),
        _ => false,
    }
}

impl Stage {
    pub fn note_rebates(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::RebatePaid(rebate) = &**change
            {
                self.rebates.push(*rebate);
            }
        }
    }

    /// `member ben by ann`.
    pub fn referral_command(&mut self, line: &[&str]) -> Option<Command> {
        let ["member", name, "by", inviter] = line else { return None };
        let next = UserId(self.members.len() as u64 + 1);
        let inviter = if inviter == name { next } else { self.member(inviter) };
        Some(Command::RegisterInvited { user: *self.members.entry((*name).to_owned()).or_insert(next), inviter })
    }

    fn name_of(&self, user: UserId) -> &str {
        self.members.iter().find(|(_, found)| **found == user).map_or("nobody", |(name, _)| name.as_str())
    }

    pub fn check_referral(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["inviter", name, inviter] => equal(self.engine.inviter(self.member(name)).map_or("none", |user| self.name_of(user)), inviter),
            ["invitees", name, rest @ ..] => {
                let user = self.member(name);
                let names: Vec<&str> = self.engine.invitees(user).map(|invitee| self.name_of(invitee)).collect();
                equal(&format!("{} verified {}", names.join(" "), self.engine.verified_invitees(user)), &rest.join(" "))
            }
            ["return", name, total] => equal(&plain(self.engine.rebate_total(self.member(name)), 6), total),
            ["unsettled", rest @ ..] => {
                let shown = self.engine.unsettled_fees().map(|fees| {
                    let asset = self.catalog().asset(fees.asset).unwrap();
                    format!("{} {} {} {}", self.name_of(fees.user), fees.level.number(), plain(fees.fees, asset.scale), asset.code)
                });
                equal(&or_none(&shown.collect::<Vec<_>>()), &rest.join(" "))
            }
            ["rebates", rest @ ..] => {
                let shown = self.rebates.iter().map(|rebate| {
                    let asset = self.catalog().asset(rebate.asset).unwrap();
                    let (amount, payer) = (plain(rebate.amount, asset.scale), rebate.payer.map_or("several", |user| self.name_of(user)));
                    let (name, level, value) = (self.name_of(rebate.user), rebate.level.number(), plain(rebate.value, 6));
                    format!("{name} {level} {amount} {} worth {value} from {payer}", asset.code)
                });
                equal(&or_none(&shown.collect::<Vec<_>>()), &rest.join(" "))
            }
            ["board", rest @ ..] => {
                let shown = self.engine.leaderboard().map(|place| format!("{} {}", self.name_of(place.user), plain(place.total, 6)));
                equal(&or_none(&shown.collect::<Vec<_>>()), &rest.join(" "))
            }
            _ => return None,
        })
    }
}

fn or_none(lines: &[String]) -> String {
    if lines.is_empty() { "none".to_owned() } else { lines.join(", ") }
}

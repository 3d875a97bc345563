//! The words of scenarios about locked plans.

use engine::amount::{Rate, parse_decimal};
use engine::backoffice::proposals::Proposed;
use engine::command::Command;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, PlanId, PlanOrderId};
use engine::ledger::{LineKind, ObjectKind};
use engine::listing::change::CatalogChange;
use engine::plans::order::{BuyPlan, PlanOrder, RedeemPlan, Redemption, Terms};
use engine::plans::status::Status;
use engine::plans::terms::Plan;
use engine::time::Time;

use super::outside::Named;
use super::{Parsed, Stage, equal, plain};

/// The effects of a due order, whatever the result of the command after it (T-3).
pub fn by_itself(event: &Event) -> bool {
    match event {
        Event::Posted(posting) => posting.object == ObjectKind::Plan && posting.kind != LineKind::PlanLocked,
        Event::Account(change) => matches!(&**change, AccountEvent::PlanChanged(order) if order.status == Status::Completed),
        _ => false,
    }
}

fn number(word: &str) -> Parsed<PlanId> {
    word.parse().map(PlanId).map_err(|_| "which plan?".to_owned())
}

fn rate(percent: &str) -> Parsed<Rate> {
    parse_decimal(percent, 6, u64::MAX).map(Rate).map_err(|why| format!("{percent}: {why:?}"))
}

impl Stage {
    /// Every reported state of a plan order.
    pub fn note_plans(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::PlanChanged(order) = &**change
            {
                self.plans.insert(order.id, order.clone());
            }
        }
    }

    fn plan_order_id(&self, name: &str) -> PlanOrderId {
        if let Some(Named::Plan(id)) = self.names.get(name) { *id } else { PlanOrderId(9_999) }
    }

    pub fn plan_command(&self, line: &[&str]) -> Parsed<Option<Command>> {
        Ok(match line {
            ["activate", "plans"] => Some(Command::Activate(Feature::Plans)),
            [name, "locks", amount, code, "in", "plan", plan, rest @ ..] => {
                let ((amount, _), plan) = (self.money(amount, code)?, number(plan)?);
                let (rest, rule) = match rest {
                    [rest @ .., "under", "this", "rule"] => (rest, self.engine.plan(plan).map(|listed| listed.plan.rule())),
                    [rest @ .., "under", "another", "rule"] => (rest, Some(Digest([0; 32]))),
                    rest => (rest, None),
                };
                Some(Command::BuyPlan(BuyPlan { user: self.member(name), plan, amount, agreed: rest.is_empty(), rule }))
            }
            [name, "redeems", order, rest @ ..] => {
                let max_deduction = match rest {
                    [] => None,
                    ["for", "at", "most", amount, code] => Some(self.money(amount, code)?.0),
                    _ => return Err("for how much?".to_owned()),
                };
                Some(Command::RedeemPlan(RedeemPlan { user: self.member(name), order: self.plan_order_id(order), max_deduction }))
            }
            _ => None,
        })
    }

    /// `plan 2 yield 0.5|damage 1|cycle 20|from 50 USDT|to 900 USDT|agreement 2|off|coin BTC`; a new number is like plan 2.
    pub fn plan_terms(&self, words: &[&str]) -> Parsed<Option<Proposed>> {
        let ["plan", plan, rest @ ..] = words else { return Ok(None) };
        let id = number(plan)?;
        let like = Plan { id, ..self.engine.plan(id).map_or(Plan::standard()[1], |listed| listed.plan) };
        let whole = |word: &str| word.parse::<u32>().map_err(|_| "how many?".to_owned());
        let with = |terms: Terms| Plan { terms, ..like };
        let plan = match rest {
            ["yield", percent] => with(Terms { day_yield: rate(percent)?, ..like.terms }),
            ["damage", percent] => with(Terms { damage: rate(percent)?, ..like.terms }),
            ["cycle", days] => with(Terms { cycle: whole(days)?, ..like.terms }),
            ["agreement", version] => with(Terms { agreement: whole(version)?, ..like.terms }),
            ["from", amount, code] => Plan { min: self.money(amount, code)?.0, ..like },
            ["to", amount, code] => Plan { max: self.money(amount, code)?.0, ..like },
            ["coin", code] => Plan { asset: self.asset(code).map_or(AssetId(77), |asset| asset.id), ..like },
            ["off"] => Plan { on: false, ..like },
            ["on"] => Plan { on: true, ..like },
            _ => return Err(format!("unknown terms {rest:?}")),
        };
        Ok(Some(Proposed::ChangeCatalog { change: CatalogChange::Plan(plan), effective: Time(0) }))
    }

    pub fn check_plans(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["plan", name, rest @ ..] => equal(&self.shown_plan(self.plan_order_id(name)), &rest.join(" ")),
            ["preview", name, "of", order, rest @ ..] => equal(&self.shown_preview(name, order), &rest.join(" ")),
            ["open", "plans", name, count] => equal(&self.engine.plan_orders_of(self.member(name)).count().to_string(), count),
            ["listed", "plans", count] => equal(&self.engine.plans().count().to_string(), count),
            _ => return None,
        })
    }

    fn shown_preview(&self, name: &str, order: &str) -> String {
        let id = self.plan_order_id(order);
        match self.engine.redemption(self.member(name), id) {
            Ok(redemption) => self.shown_redemption(id, &redemption),
            Err(reject) => reject.name().to_owned(),
        }
    }

    fn shown_redemption(&self, id: PlanOrderId, found: &Redemption) -> String {
        let scale = self.plans.get(&id).map_or(0, |order| self.catalog().scale(order.asset));
        let amount = |atoms| plain(atoms, scale);
        let Redemption { days, remaining, interest, damages, penalty, deduction, payout } = *found;
        let figures = [interest, damages, penalty, deduction, payout].map(amount).join(" ");
        format!("day {days} left {remaining} figures {figures}")
    }

    fn shown_plan(&self, id: PlanOrderId) -> String {
        let Some(order) = self.plans.get(&id) else { return "gone".to_owned() };
        let PlanOrder { asset, amount, interest, terms, status, ended, .. } = order;
        let scale = self.catalog().scale(*asset);
        let shown = |atoms| plain(atoms, scale);
        let now = self.engine.time();
        let what = format!("{status:?} {} for {} days promised {}", shown(*amount), terms.cycle, shown(*interest));
        match ended {
            None => format!("{what} earned {} left {}", shown(order.accrued(now)), terms.cycle - order.days_earned(now)),
            Some(ended) => {
                let figures = ended.redemption.map(|redemption| format!(" {}", self.shown_redemption(id, &redemption)));
                format!("{what} returned {}{}", shown(ended.returned), figures.unwrap_or_default())
            }
        }
    }
}

//! Contracts by the rules (`docs/rules.md` 4): a list of positions, searched at each sample, and a list of what a sample triggered.

mod terms;

use std::collections::{BTreeMap, VecDeque};

use engine::amount::{Price, Rate};
use engine::catalog::Wallet;
use engine::contracts::FINISHED_KEPT;
use engine::contracts::formulas::Direction;
use engine::contracts::position::OpenContract;
use engine::contracts::terms::Terms;
use engine::feature::Feature;
use engine::ledger::HouseAccount;
use engine::self_limits::SelfLimit;

use super::people::DAY;
use super::{Done, Oracle, PRICE_LIMIT, Refusal, need, refuse};
use terms::tier;

const POOL: HouseAccount = HouseAccount::ContractPool;
const USDT: u32 = 3;
const ONE: i128 = 100_000_000;
/// Steps of the indices.
const TICKS: [i128; 6] = [1_000_000, 1_000_000, 10_000, 1_000_000, 1_000_000, 1_000];

/// A position or a waiting order.
#[derive(Clone, Debug)]
struct KnownContract {
    user: u64,
    pair: u32,
    long: bool,
    lots: u64,
    multiple: i128,
    terms: Terms,
    /// Atoms of one tick.
    value: i128,
    limit: Option<i128>,
    waits: bool,
    entry: i128,
    rate: i128,
    deduction: i128,
    held: i128,
    margin: i128,
    open_fee: i128,
    /// Fees of nights that were paid.
    nights: i128,
    cap: i128,
    stops: (Option<i128>, Option<i128>),
    due: u64,
}

/// Something that a sample triggered.
#[derive(Clone, Copy, Debug)]
struct Queued {
    at: u64,
    id: u64,
    mark: i128,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Close(&'static str),
    Fill,
    Release,
}

/// Everything about contracts.
#[derive(Debug, Default)]
pub(super) struct Pit {
    terms: BTreeMap<u32, Terms>,
    open: BTreeMap<u64, KnownContract>,
    finished: VecDeque<(u64, u64)>,
    queue: Vec<Queued>,
    /// Day, equity at its start, treasury moves since.
    day: (u64, i128, i128),
}

fn up(value: i128, by: i128) -> i128 {
    (value + by - 1).div_euclid(by)
}

fn rate(rate: Rate) -> i128 {
    i128::from(rate.0)
}

/// C-1: buying, selling.
fn executed(buys: bool, mark: i128, spread: Rate) -> i128 {
    if buys { up(mark * (ONE + rate(spread)), ONE) } else { (mark * (ONE - rate(spread)) / ONE).max(1) }
}

impl KnownContract {
    fn profit(&self, price: i128) -> i128 {
        self.value * if self.long { price - self.entry } else { self.entry - price }
    }

    fn capped(&self, price: i128) -> i128 {
        self.profit(price).min(self.cap)
    }

    /// C-9 with a margin other than the present one.
    fn gone(&self, margin: i128, mark: i128) -> bool {
        let required = self.value * mark * (self.rate + rate(self.terms.liquidation_fee)) - self.deduction * ONE;
        (margin + self.profit(mark)) * ONE <= required.max(0)
    }

    /// C-15.
    fn check_stops(&self, margin: i128, mark: i128, (profit, loss): (Option<i128>, Option<i128>)) -> Result<(), Refusal> {
        // No further than the first price at which the cap is reached.
        let short_of_cap = |price: i128| self.profit(if self.long { price - 1 } else { price + 1 }) < self.cap;
        let gains = |price: i128| if self.long { price > mark } else { price < mark && price >= 1 };
        need(profit.is_none_or(|price| gains(price) && short_of_cap(price)), "E_TP")?;
        let loses = |price: i128| if self.long { price < mark } else { price > mark };
        need(loss.is_none_or(|price| loses(price) && !self.gone(margin, price)), "E_SL")
    }

    /// Opens it at a price; refused if no tier admits it.
    fn at(&self, entry: i128) -> Result<KnownContract, Refusal> {
        let notional = self.value * entry;
        let Some((most, rate_of_tier, deduction)) = tier(&self.terms, notional) else { return refuse("E_TIER") };
        need(self.multiple <= most, "E_LEVERAGE")?;
        let margin = up(notional, self.multiple);
        let cap = notional.min(i128::from(self.terms.cap_roi) * notional / self.multiple);
        let open_fee = up(notional * rate(self.terms.fee), ONE);
        Ok(KnownContract { entry, rate: rate_of_tier, deduction, margin, held: margin, open_fee, cap, waits: false, ..self.clone() })
    }

    fn cost(&self, price: i128) -> i128 {
        up(self.value * price, self.multiple) + up(self.value * price * rate(self.terms.fee), ONE)
    }

    fn direction(&self) -> Direction {
        if self.long { Direction::Long } else { Direction::Short }
    }

    fn reached(&self, mark: i128) -> bool {
        let price = executed(self.long, mark, self.terms.spread);
        self.limit.is_none_or(|limit| if self.long { price <= limit } else { price >= limit })
    }

    fn summary(&self, id: u64, state: &str, returned: i128, fee: i128) -> String {
        let KnownContract { lots, held, cap, entry, stops, due, margin, open_fee, .. } = self;
        let direction = self.direction();
        format!(
            "contract {id} {direction:?} {lots} {state} held {held} cap {cap} entry {entry} margin {margin} fees {open_fee} {fee} stops \
             {stops:?} due {due} returned {returned}"
        )
    }
}

impl Oracle {
    fn mark(&self, pair: u32) -> Option<i128> {
        self.last_sample(pair).map(|(_, price)| price / TICKS[pair as usize - 1])
    }

    /// Whether contracts are offered on a coin, in any pair.
    pub(super) fn has_contracts(&self, coin: u32) -> bool {
        self.contracts.terms.keys().any(|pair| [1, 2, 4, 1, 2, 2][*pair as usize - 1] == coin)
    }

    fn fresh_mark(&self, pair: u32) -> Result<i128, Refusal> {
        let Some(price) = self.fresh(pair) else { return refuse("E_PRICE_STALE") };
        Ok(price / TICKS[pair as usize - 1])
    }

    fn pool(&self) -> i128 {
        self.world.pools.get(&(POOL, USDT)).copied().unwrap_or(0)
    }

    /// The pool's balance less what it owes.
    fn equity(&self) -> i128 {
        let owed = |kept: &KnownContract| self.mark(kept.pair).map_or(0, |mark| kept.profit(mark));
        self.pool() - self.contracts.open.values().filter(|kept| !kept.waits).map(owed).sum::<i128>()
    }

    pub(super) fn begin_pool_day(&mut self) {
        let today = self.now / DAY;
        if !self.contracts.terms.is_empty() && self.contracts.day.0 != today {
            self.contracts.day = (today, self.equity(), 0);
        }
    }

    pub(super) fn pool_moved(&mut self, account: HouseAccount, coin: u32, amount: i128) {
        if account == POOL && coin == USDT && !self.contracts.terms.is_empty() {
            self.contracts.day.2 += amount;
        }
    }

    pub(super) fn bound_by_contracts(&self, account: HouseAccount, coin: u32) -> i128 {
        if (account, coin) == (POOL, USDT) { self.contracts.open.values().map(|kept| kept.cap).sum() } else { 0 }
    }

    /// Amount that a member's contracts hold.
    pub(super) fn held_by_contracts(&self, user: u64) -> i128 {
        self.contracts.open.values().filter(|kept| kept.user == user).map(|kept| kept.held).sum()
    }

    /// Amount that they may lose: what they hold, and the fees that were paid for them.
    pub(super) fn risked_by_contracts(&self, user: u64) -> i128 {
        let counts = self.features.contains(&Feature::ContractCorrections);
        let fees = |kept: &KnownContract| if counts { kept.open_fee + kept.nights } else { 0 };
        self.contracts.open.values().filter(|kept| kept.user == user).map(|kept| kept.held + fees(kept)).sum()
    }

    /// C-13 and the reserve.
    fn check_pool(&self, kept: &KnownContract) -> Result<(), Refusal> {
        let (_, beginning, moved) = self.contracts.day;
        let result = self.equity() - beginning - moved;
        need(result >= 0 || result * ONE > -(beginning * 20_000_000), "E_POOL_LOSS_LIMIT")?;
        need(self.free(POOL, USDT) >= kept.cap, "E_POOL_SHORT")
    }

    /// C-16.
    fn check_suits_all(&self, id: u64, asked: &KnownContract) -> Result<(), Refusal> {
        if !self.features.contains(&Feature::RiskBounds) {
            return Ok(());
        }
        let others = self.contracts.open.iter().filter(|(other, kept)| **other != id && (kept.user, kept.pair) == (asked.user, asked.pair));
        let notional = |kept: &KnownContract| kept.value * if kept.waits { kept.limit.unwrap_or(0) } else { kept.entry };
        let sum = others.map(|(_, kept)| notional(kept)).sum::<i128>() + asked.value * asked.entry;
        let Some((most, ..)) = tier(&asked.terms, sum) else { return refuse("E_TIER") };
        need(asked.multiple <= most, "E_LEVERAGE")
    }

    fn count(&self, user: u64, waits: bool) -> usize {
        self.contracts.open.values().filter(|kept| kept.user == user && kept.waits == waits).count()
    }

    fn margin(&self, user: u64) -> i128 {
        self.balance(user, Wallet::Futures, USDT).map_or(0, |(available, _)| available)
    }

    /// 4.4, in the order of its refusals.
    pub(super) fn open_contract(&mut self, id: u64, order: &OpenContract) -> Result<Done, Refusal> {
        let (user, pair, now) = (order.user.0, order.market.0, self.now);
        self.member(user)?;
        need(!self.contracts.terms.is_empty(), "E_DISABLED")?;
        self.check_pause("contract", Some(pair))?;
        self.person(user)?.check_frozen(now, true)?;
        need(!self.world.retired.contains(&pair) && !self.is_retiring_now(pair) && !self.ends_soon(pair), "E_MARKET")?;
        let Some(terms) = self.contracts.terms.get(&pair).cloned() else { return refuse("E_MARKET") };
        need(order.lots > 0, "E_LOTS")?;
        need(order.lots <= terms.max_lots, "E_LOTS_MAX")?;
        need(terms.multiples.contains(&order.multiple), "E_LEVERAGE")?;
        let value = self.whole_value(&terms, order.lots).unwrap_or(0);
        let tick = i128::from(terms.tick.0);
        let (long, multiple) = (order.direction == Direction::Long, i128::from(order.multiple));
        let limit = order.limit.map(|price| i128::from(price.0)).filter(|price| price % tick == 0).map(|price| price / tick);
        let blank = KnownContract {
            user,
            pair,
            long,
            lots: order.lots,
            multiple,
            terms,
            value,
            limit,
            waits: false,
            entry: 0,
            rate: 0,
            deduction: 0,
            held: 0,
            margin: 0,
            open_fee: 0,
            nights: 0,
            cap: 0,
            stops: (None, None),
            due: (now / DAY + 1) * DAY,
        };
        let mark = self.fresh_mark(pair);
        let spread = blank.terms.spread;
        let at_once = mark.as_ref().ok().filter(|mark| blank.reached(**mark)).map(|mark| executed(long, *mark, spread));
        let prices = [order.limit, order.take_profit, order.stop_loss].map(|price| price.map(|price| i128::from(price.0)));
        let in_range = prices.iter().flatten().all(|price| *price > 0 && *price < PRICE_LIMIT);
        let on_tick = prices.iter().flatten().all(|price| price % tick == 0);
        self.check_own_loss(&blank, order, at_once.or(limit), in_range && on_tick)?;
        need(in_range, "E_AMOUNT")?;
        need(on_tick, "E_TICK")?;
        let [_, profit, loss] = prices.map(|price| price.map(|price| price / tick));
        let waits = limit.is_some() && at_once.is_none();
        need(self.count(user, waits) < 50, "E_OPEN_LIMIT")?;
        let mark = mark?;
        let (entry, against) = if waits { (limit.unwrap_or(0), limit.unwrap_or(0)) } else { (at_once.unwrap_or(0), mark) };
        let figures = KnownContract { stops: (profit, loss), ..blank.at(entry)? };
        self.check_suits_all(id, &figures)?;
        need(waits || !figures.gone(figures.margin, mark), "E_LIQ_AT_OPEN")?;
        figures.check_stops(figures.margin, against, figures.stops)?;
        let (available, cost) = (self.margin(user), figures.margin + figures.open_fee);
        if available < cost {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((USDT, available, cost)) });
        }
        if waits {
            let due = now + 30 * DAY;
            let waiting = KnownContract { waits, entry: 0, held: cost, margin: 0, open_fee: 0, cap: 0, due, ..figures };
            let done = Done::Object(waiting.summary(id, "Waiting", 0, 0));
            self.contracts.open.insert(id, waiting);
            return Ok(done);
        }
        self.check_pool(&figures)?;
        self.pay_contract_fee(user, figures.open_fee);
        let done = Done::Object(figures.summary(id, "Holding", 0, 0));
        self.contracts.open.insert(id, figures);
        Ok(done)
    }

    /// Own limits: everything that can still be lost counts as lost. What is refused under another name anyway costs nothing.
    fn check_own_loss(&self, blank: &KnownContract, order: &OpenContract, price: Option<i128>, readable: bool) -> Result<(), Refusal> {
        let user = blank.user;
        need(self.own_limit(user, SelfLimit::PauseUntil).is_none(), "E_SELF_LIMIT")?;
        need(self.own_limit(user, SelfLimit::LeverageMax).is_none_or(|most| u64::from(order.multiple) <= most), "E_SELF_LIMIT")?;
        let Some(most) = self.own_limit(user, SelfLimit::LossDay) else { return Ok(()) };
        let largest = blank.terms.tiers.last().map_or(0, |tier| i128::from(tier.bound));
        let cost = match price {
            Some(price) if blank.value * price <= largest => blank.cost(price),
            None if readable => return refuse("E_PRICE_STALE"),
            Some(_) | None => 0,
        };
        need(self.lost_or_at_risk(user) + cost <= i128::from(most), "E_SELF_LIMIT")
    }

    fn pay_contract_fee(&mut self, user: u64, fee: i128) {
        self.add(user, Wallet::Futures, USDT, -fee);
        *self.fees.entry(USDT).or_default() += fee;
        *self.world.day_fees.entry((self.now / DAY, USDT)).or_default() += fee;
        self.share_fee(user, USDT, fee);
    }

    /// A member's own contract in this state, without due work.
    fn own_contract(&self, user: u64, id: u64, waits: bool) -> Result<KnownContract, Refusal> {
        self.member(user)?;
        let Some(kept) = self.contracts.open.get(&id) else {
            return refuse(if self.contracts.finished.contains(&(id, user)) { "E_STATE" } else { "E_NOT_FOUND" });
        };
        need(kept.user == user, "E_NOT_FOUND")?;
        let idle = kept.due > self.now && self.contracts.queue.iter().all(|queued| queued.id != id);
        need(idle && kept.waits == waits, "E_STATE")?;
        need(!(self.features.contains(&Feature::ContractCorrections) && self.is_retiring_now(kept.pair)), "E_STATE")?;
        Ok(kept.clone())
    }

    pub(super) fn close_contract(&mut self, user: u64, id: u64) -> Result<Done, Refusal> {
        let kept = self.own_contract(user, id, false)?;
        let mark = self.fresh_mark(kept.pair)?;
        Ok(Done::Object(self.conclude(id, mark, "User")))
    }

    pub(super) fn cancel_contract(&mut self, user: u64, id: u64) -> Result<Done, Refusal> {
        self.own_contract(user, id, true)?;
        Ok(Done::Object(self.let_go(id)))
    }

    pub(super) fn set_contract_stops(&mut self, user: u64, id: u64, profit: Option<Price>, loss: Option<Price>) -> Result<Done, Refusal> {
        let kept = self.own_contract(user, id, false)?;
        let (prices, tick) = ([profit, loss].map(|price| price.map(|price| i128::from(price.0))), i128::from(kept.terms.tick.0));
        need(prices.iter().flatten().all(|price| *price > 0 && *price < PRICE_LIMIT), "E_AMOUNT")?;
        need(prices.iter().flatten().all(|price| price % tick == 0), "E_TICK")?;
        let mark = self.fresh_mark(kept.pair)?;
        let stops = (prices[0].map(|price| price / tick), prices[1].map(|price| price / tick));
        kept.check_stops(kept.held, mark, stops)?;
        let kept = KnownContract { stops, ..kept };
        let done = Done::Object(kept.summary(id, "Holding", 0, 0));
        self.contracts.open.insert(id, kept);
        Ok(done)
    }

    fn finish_contract(&mut self, id: u64, user: u64) {
        self.contracts.open.remove(&id);
        self.contracts.queue.retain(|queued| queued.id != id);
        self.contracts.finished.push_back((id, user));
        if self.contracts.finished.len() > FINISHED_KEPT {
            self.contracts.finished.pop_front();
        }
    }

    /// A waiting order ends.
    fn let_go(&mut self, id: u64) -> String {
        let Some(kept) = self.contracts.open.get(&id).cloned() else { return String::new() };
        self.finish_contract(id, kept.user);
        let returned = kept.held;
        KnownContract { held: 0, ..kept }.summary(id, "Cancelled", returned, 0)
    }

    /// 4.5, 4.6, 4.9 and the end of a pair.
    fn conclude(&mut self, id: u64, mark: i128, why: &str) -> String {
        let Some(kept) = self.contracts.open.get(&id).cloned() else { return String::new() };
        let (price, fee_rate) = match why {
            "Liquidation" => (mark, rate(kept.terms.liquidation_fee)),
            "Deleveraged" | "Retired" => (mark, 0),
            _ => (executed(!kept.long, mark, kept.terms.spread), rate(kept.terms.fee)),
        };
        let profit = kept.capped(price);
        let equity = kept.held + profit;
        self.finish_contract(id, kept.user);
        let (mut returned, mut fee) = (0, 0);
        if equity <= 0 {
            let insurance = self.world.pools.entry((HouseAccount::Insurance, USDT)).or_default();
            let cover = (-equity).min(*insurance);
            *insurance -= cover;
            *self.world.pools.entry((POOL, USDT)).or_default() += kept.held + cover;
        } else {
            fee = up(kept.value * price * fee_rate, ONE).min(equity);
            returned = equity - fee;
            *self.world.pools.entry((POOL, USDT)).or_default() -= profit;
            if why == "Liquidation" {
                *self.world.pools.entry((HouseAccount::Insurance, USDT)).or_default() += fee;
            } else {
                *self.fees.entry(USDT).or_default() += fee;
                *self.world.day_fees.entry((self.now / DAY, USDT)).or_default() += fee;
                self.share_fee(kept.user, USDT, fee);
            }
        }
        self.add(kept.user, Wallet::Futures, USDT, returned - kept.held);
        let lost = kept.margin + kept.open_fee - returned;
        if lost > 0 {
            self.options.used.push((self.now / DAY, kept.user, 0, lost));
        }
        KnownContract { held: 0, cap: 0, ..kept }.summary(id, "Closed", returned, fee)
    }

    /// What a sample does (4.6, 4.7, 4.9).
    pub(super) fn sample_contracts(&mut self, pair: u32) {
        let Some(mark) = self.mark(pair).filter(|_| self.contracts.terms.contains_key(&pair)) else { return };
        let idle = |id: &u64| self.contracts.queue.iter().all(|queued| queued.id != *id);
        let here: Vec<(u64, KnownContract)> =
            self.contracts.open.iter().filter(|(id, kept)| kept.pair == pair && idle(id)).map(|(id, kept)| (*id, kept.clone())).collect();
        let (at, behind) = (self.now, self.first_due().is_some());
        for (id, kept) in here.iter().filter(|(_, kept)| !kept.waits) {
            if let Some(why) = kept.ends_at(mark) {
                self.contracts.queue.push(Queued { at, id: *id, mark, what: What::Close(why) });
            }
        }
        for (id, _) in here.iter().filter(|(_, kept)| kept.waits && kept.reached(mark)) {
            let what = if self.ends_soon(pair) { What::Release } else { What::Fill };
            self.contracts.queue.push(Queued { at, id: *id, mark, what });
        }
        if !behind {
            self.carry_out_contracts();
            if !self.features.contains(&Feature::ContractCorrections) {
                self.deleverage_now();
            }
        }
    }

    pub(super) fn deleverage_now(&mut self) {
        self.deleverage();
        self.carry_out_contracts();
    }

    fn carry_out_contracts(&mut self) {
        while let Some((_, 8, _)) = self.first_due() {
            self.carry_out_one();
        }
    }

    /// Settles the first of the queue.
    pub(super) fn carry_out_one(&mut self) {
        if self.contracts.queue.is_empty() {
            return;
        }
        let Queued { id, mark, what, .. } = self.contracts.queue.remove(0);
        match what {
            What::Close(why) => drop(self.conclude(id, mark, why)),
            What::Fill => self.fill_contract(id, mark),
            What::Release => drop(self.let_go(id)),
        }
    }

    fn fill_contract(&mut self, id: u64, mark: i128) {
        let Some(kept) = self.contracts.open.get(&id).cloned() else { return };
        let price = executed(kept.long, mark, kept.terms.spread);
        let dear = tier(&kept.terms, kept.value * price).is_some() && kept.cost(price) > kept.held + self.margin(kept.user);
        let too_good =
            self.features.contains(&Feature::RiskBounds) && kept.at(price).and_then(|filled| self.check_suits_all(id, &filled)).is_err();
        let filled = kept.at(if dear || too_good { kept.limit.unwrap_or(0) } else { price });
        let filled = filled.map(|filled| KnownContract { due: (self.now / DAY + 1) * DAY, ..filled });
        let good = filled.clone().and_then(|filled| {
            self.check_suits_all(id, &filled)?;
            need(!filled.gone(filled.margin, mark), "E_LIQ_AT_OPEN")?;
            need(self.count(kept.user, false) < 50, "E_OPEN_LIMIT")?;
            self.check_pool(&filled)
        });
        match (filled, good) {
            (Ok(filled), Ok(())) => {
                self.pay_contract_fee(kept.user, filled.open_fee);
                self.contracts.open.insert(id, filled);
            }
            _ => drop(self.let_go(id)),
        }
    }

    /// 4.9.
    pub(super) fn deleverage(&mut self) {
        if !self.contracts.queue.is_empty() {
            return;
        }
        let holding = || self.contracts.open.iter().filter(|(_, kept)| !kept.waits);
        let wins = |kept: &KnownContract, mark: i128| kept.capped(mark).max(0);
        let mut left: i128 = holding().filter_map(|(_, kept)| Some(wins(kept, self.mark(kept.pair)?))).sum();
        let mut pool = self.pool();
        if left * ONE <= pool * 80_000_000 {
            return;
        }
        let mut ranked: Vec<(i128, i128, u64, i128)> = holding()
            .filter_map(|(id, kept)| {
                let mark = self.fresh_mark(kept.pair).ok()?;
                let profit = wins(kept, mark);
                let share = profit * ONE / (kept.value * kept.entry);
                let score = share * (kept.value * mark * 10_000 / (kept.held + profit).max(1));
                (profit > 0).then_some((-score, -profit, *id, mark))
            })
            .collect();
        ranked.sort_unstable();
        for (_, minus, id, mark) in ranked {
            if left * ONE <= pool * 60_000_000 {
                break;
            }
            (left, pool) = (left + minus, pool + minus);
            self.contracts.queue.push(Queued { at: self.now, id, mark, what: What::Close("Deleveraged") });
        }
    }

    /// The end of a pair (0.6).
    pub(super) fn retire_contracts(&mut self, pair: u32) {
        let now = self.world.acts_at;
        let tick = TICKS[pair as usize - 1];
        let since = now.saturating_sub(30 * 60_000);
        let all = self.options.samples.get(&pair).map_or(&[][..], Vec::as_slice);
        let recent: Vec<i128> = all.iter().filter(|(made, ..)| (since..=now).contains(made)).map(|(.., price)| price / tick).collect();
        let mean = recent.iter().sum::<i128>().checked_div(recent.len() as i128).or(self.mark(pair)).unwrap_or(0);
        let queued: Vec<u64> = self.contracts.queue.iter().map(|queued| queued.id).collect();
        let left = self.contracts.open.iter().filter(|(id, kept)| kept.pair == pair && !queued.contains(id));
        let left: Vec<(u64, bool)> = left.map(|(id, kept)| (*id, kept.waits)).collect();
        for (id, waits) in left {
            let what = if waits { What::Release } else { What::Close("Retired") };
            self.contracts.queue.push(Queued { at: now, id, mark: mean, what });
        }
    }

    /// 4.8.
    pub(super) fn charge_overnight(&mut self, id: u64) {
        let Some(kept) = self.contracts.open.get(&id).cloned() else { return };
        let (at, due) = (kept.due, kept.due + DAY);
        let over = self.contracts.queue.iter().any(|queued| queued.id == id && queued.at <= at);
        let all = self.options.samples.get(&kept.pair).map_or(&[][..], Vec::as_slice);
        let known = all.iter().rev().find(|(made, ..)| *made < at).map(|(.., price)| price / TICKS[kept.pair as usize - 1]);
        let mark = known.or(self.mark(kept.pair)).unwrap_or(0);
        let paid = if over { 0 } else { up(kept.value * mark * rate(kept.terms.overnight), ONE).min(kept.held) };
        *self.world.pools.entry((POOL, USDT)).or_default() += paid;
        self.add(kept.user, Wallet::Futures, USDT, -paid);
        self.contracts.open.insert(id, KnownContract { held: kept.held - paid, nights: kept.nights + paid, due, ..kept });
    }

    pub(super) fn expire_contract(&mut self, id: u64) {
        drop(self.let_go(id));
    }

    /// Planned work of contracts: instant, class, number.
    pub(super) fn contract_dues(&self) -> impl Iterator<Item = (u64, u8, u64)> {
        let planned = self.contracts.open.iter().map(|(id, kept)| (kept.due, if kept.waits { 6 } else { 4 }, *id));
        planned.chain(self.contracts.queue.iter().zip(0..).map(|(queued, order)| (queued.at, 8, order)))
    }

    pub(super) fn contract_summaries(&self) -> impl Iterator<Item = String> {
        self.contracts.open.iter().map(|(id, kept)| kept.summary(*id, if kept.waits { "Waiting" } else { "Holding" }, 0, 0))
    }

    /// Numbers of open contracts with their owners.
    pub fn contract_numbers(&self) -> Vec<(u64, u64)> {
        self.contracts.open.iter().map(|(id, kept)| (*id, kept.user)).collect()
    }
}

impl KnownContract {
    /// The effect of a sample on a position: the first match.
    fn ends_at(&self, mark: i128) -> Option<&'static str> {
        let (profit, loss) = self.stops;
        let falls_to = |price: Option<i128>| price.is_some_and(|price| mark <= price);
        let rises_to = |price: Option<i128>| price.is_some_and(|price| mark >= price);
        let (stopped, taken) = if self.long { (falls_to(loss), rises_to(profit)) } else { (rises_to(loss), falls_to(profit)) };
        match () {
            () if self.gone(self.held, mark) => Some("Liquidation"),
            () if self.profit(mark) >= self.cap => Some("ProfitCap"),
            () if stopped => Some("StopLoss"),
            () if taken => Some("TakeProfit"),
            () => None,
        }
    }
}

//! Short-term options by the rules (`docs/rules.md` 3): a list of options and a list of all samples, searched each time.

use std::collections::BTreeMap;

use engine::catalog::Wallet;
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::Digest;
use engine::ledger::HouseAccount;
use engine::options::option::{BuyOption, Direction, TieRule};
use engine::options::terms::{DurationTerms, SharedTerms, StakeCoin, StakeMax};
use engine::self_limits::SelfLimit;
use sha2::{Digest as _, Sha256};

use super::people::DAY;
use super::{AMOUNT_LIMIT, Done, Oracle, Refusal, need, refuse};

const POOL: HouseAccount = HouseAccount::OptionPool;

/// One option.
#[derive(Clone, Debug)]
pub(super) struct Bet {
    pub(super) id: u64,
    user: u64,
    pair: u32,
    direction: Direction,
    coin: u32,
    stake: i128,
    profit: i128,
    fee: i128,
    tolerance: i128,
    loses_ties: bool,
    due: u64,
    open: i128,
    value: i128,
}

impl Bet {
    fn summary(&self) -> String {
        let Bet { id, direction, coin, stake, profit, fee, due, open, value, .. } = self;
        format!("option {id} {direction:?} {coin} {stake} {profit} {fee} until {due} from {open} worth {value}")
    }
}

/// Everything about options.
#[derive(Debug, Default)]
pub(super) struct Market {
    /// Terms by duration; none before options are sold.
    lengths: BTreeMap<u32, DurationTerms>,
    shared: Option<SharedTerms>,
    pub(super) bets: Vec<Bet>,
    /// When each sample of a pair was made, its own time, its price.
    pub(super) samples: BTreeMap<u32, Vec<(u64, u64, i128)>>,
    /// Day, member, value staked, value lost.
    pub(super) used: Vec<(u64, u64, i128, i128)>,
    /// Day, what the pool had of each coin at its start, treasury moves since.
    days: (u64, BTreeMap<u32, i128>, BTreeMap<u32, i128>),
    /// Names of the sources of each pair whose list was changed.
    pub(super) sources: BTreeMap<u32, Vec<String>>,
}

/// `value` of `10^-digits` with all its decimals.
fn decimal(value: i128, digits: u32) -> String {
    let one = 10_i128.pow(digits);
    format!("{}.{:0width$}", value / one, value % one, width = digits as usize)
}

/// A rate in percent: a hundredth of a percent is 10 000.
fn percent(rate: u64) -> String {
    format!("{} %", decimal(i128::from(rate), 6))
}

impl Oracle {
    /// From here on options are sold, with the terms of the rules' table (3.1).
    pub(super) fn begin_options(&mut self) {
        let coins = [(1, 5_000, 5_000_000), (2, 150_000, 150_000_000), (3, 5_000_000, 5_000_000_000), (4, 5_000_000, 5_000_000_000)];
        let coin = |(coin, min, open_max)| StakeCoin { asset: engine::ids::AssetId(coin), min, open_max };
        let fee = engine::amount::Rate(500_000);
        self.options.shared = Some(SharedTerms { fee, open_options: 20, coins: coins.map(coin).into() });
        for (seconds, percent, tolerance, usdt) in [
            (60, 70, 5_000, 1_000),
            (120, 72, 7_000, 1_000),
            (300, 75, 11_000, 2_000),
            (600, 80, 16_000, 2_000),
            (1_800, 82, 27_000, 5_000),
            (3_600, 85, 39_000, 5_000),
        ] {
            let rate = engine::amount::Rate;
            let max = |coin, directed| StakeMax { asset: engine::ids::AssetId(coin), directed, flat: directed / 10 };
            let max = vec![max(1, usdt * 1_000), max(2, usdt * 30_000), max(3, usdt * 1_000_000), max(4, usdt * 1_000_000)];
            let (profit, profit_flat, tolerance) = (rate(percent * 1_000_000), rate(900_000_000), rate(tolerance));
            let terms = DurationTerms { seconds, profit, profit_flat, tolerance, tie: TieRule::Refund, on: true, max };
            self.options.lengths.insert(seconds, terms);
        }
    }

    pub(super) fn check_length(&self, terms: &DurationTerms) -> Result<(), Refusal> {
        need(self.options.shared.is_some(), "E_NOT_FOUND")?;
        let mut coins: Vec<u32> = terms.max.iter().map(|max| max.asset.0).collect();
        coins.sort_unstable();
        let once = coins.windows(2).all(|two| two[0] != two[1]) && coins.iter().all(|coin| (1..=4).contains(coin));
        let stakes = terms.max.iter().all(|max| i128::from(max.directed.max(max.flat)) < AMOUNT_LIMIT);
        let rates = terms.profit.0.max(terms.profit_flat.0) <= 10_000_000_000 && terms.tolerance.0 < 100_000_000;
        need(once && stakes && rates && terms.seconds > 0 && terms.seconds <= 86_400, "E_CATALOG")
    }

    pub(super) fn check_shared(&self, terms: &SharedTerms) -> Result<(), Refusal> {
        need(self.options.shared.is_some(), "E_NOT_FOUND")?;
        let mut coins: Vec<u32> = terms.coins.iter().map(|coin| coin.asset.0).collect();
        coins.sort_unstable();
        let once = coins.windows(2).all(|two| two[0] != two[1]) && coins.iter().all(|coin| (1..=4).contains(coin));
        let good = |coin: &StakeCoin| coin.min > 0 && coin.min <= coin.open_max && i128::from(coin.open_max) < AMOUNT_LIMIT;
        need(once && terms.coins.iter().all(good) && terms.fee.0 <= 100_000_000, "E_CATALOG")
    }

    pub(super) fn set_length(&mut self, terms: &DurationTerms) {
        self.options.lengths.insert(terms.seconds, terms.clone());
    }

    pub(super) fn set_shared(&mut self, terms: &SharedTerms) {
        self.options.shared = Some(terms.clone());
    }

    /// A sample made now; none is kept before that rule is active.
    pub(super) fn keep_sample(&mut self, pair: u32, time: u64, price: i128) {
        if self.features.contains(&Feature::IndexRing) {
            self.options.samples.entry(pair).or_default().push((self.now, time, price));
        }
    }

    /// O-1, O-2: the latest sample known at an instant, if it was fresh then.
    pub(super) fn price_at(&self, pair: u32, instant: u64) -> Option<i128> {
        let all = self.options.samples.get(&pair)?;
        let (_, time, price) = all.iter().rev().find(|(made, ..)| *made <= instant)?;
        (instant - time <= 3_000).then_some(*price)
    }

    /// The text of the rule, written independently from the rules.
    fn rule_text(&self, pair: u32, shared: &SharedTerms, length: &DurationTerms) -> String {
        let symbols = ["BTC/USDT", "ETH/USDT", "USDC/USDT", "BTC/USDC", "ETH/USDC", "ETH/BTC"];
        let symbol = |pair: u32| symbols[pair as usize - 1];
        let step = |pair: u32| decimal([1_000_000, 1_000_000, 10_000, 1_000_000, 1_000_000, 1_000][pair as usize - 1], 8);
        let standard = ["alder", "birch", "cedar", "hazel", "maple"].map(str::to_owned).to_vec();
        let sources = |pair: u32| {
            let names = self.options.sources.get(&pair).unwrap_or(&standard).join(", ");
            format!(
                "sources: {names}\ntrimming: quotes that are not positive or older than 5000 ms are dropped; then those more than 2.000000 % \
                 from the median are; the price is the median of the rest, rounded half to even to the step; fewer than 3 quotes make no \
                 sample\njumps: a step of more than 5.000000 % within 60000 ms waits until 3 samples in a row lie within 1.000000 % of \
                 each other\n"
            )
        };
        let origin = match [(0, 0), (0, 0), (0, 0), (1, 3), (2, 3), (2, 1)][pair as usize - 1] {
            (0, _) => sources(pair),
            (above, below) => format!(
                "computed: the first index over the second, with the time of the older sample, rounded half to even to the step\n\
                 {}\n{}{}\n{}",
                symbol(above),
                sources(above),
                symbol(below),
                sources(below)
            ),
        };
        let tie = if length.tie == TieRule::Lose { "it loses" } else { "the stake is paid back and the fee is kept" };
        format!(
            "Meridian option rule 1\nindex: {} in steps of {}\n{origin}open price: the latest sample at or before the purchase, at most \
             3000 ms old\ndelivery instant: {} s after the purchase\ndelivery price: the latest sample at or before the delivery instant, at \
             most 3000 ms old\nband: {} of the open price, rounded down to 0.00000001\noutcome: up if the delivery price is above the open \
             price by more than the band, down if it is below it by more than the band, otherwise flat\npayout: stake and {} of it if the bet \
             is up or down and the outcome, stake and {} of it if both are flat; profit rounds down\nfee: {} of the stake, rounded up\n\
             tie: if the bet is up or down and the outcome is flat, {tie}\ngap: without a delivery price stake and fee are paid back\n",
            symbol(pair),
            step(pair),
            length.seconds,
            percent(length.tolerance.0),
            percent(length.profit.0),
            percent(length.profit_flat.0),
            percent(shared.fee.0),
        )
    }

    /// 3.1: pairs of a coin that has contracts with one that has none.
    fn sells_options(&self, pair: u32) -> bool {
        if !self.features.contains(&Feature::ProductCorrections) {
            return true;
        }
        let (base, quote) = [(1, 3), (2, 3), (4, 3), (1, 4), (2, 4), (2, 1)][pair as usize - 1];
        self.has_contracts(base) && !self.has_contracts(quote)
    }

    /// O-1 to O-4, in the order of 3.4.
    pub(super) fn buy_option(&mut self, id: u64, buy: &BuyOption) -> Result<Done, Refusal> {
        let (user, pair, coin, stake, now) = (buy.user.0, buy.market.0, buy.asset.0, i128::from(buy.stake), self.now);
        self.member(user)?;
        let Some(shared) = self.options.shared.clone() else { return refuse("E_DISABLED") };
        self.check_pause("option", Some(pair))?;
        self.person(user)?.check_frozen(now, true)?;
        need((1..=6).contains(&pair) && !self.world.retired.contains(&pair) && !self.is_retiring_now(pair), "E_MARKET")?;
        need(self.sells_options(pair), "E_MARKET")?;
        let Some(limits) = shared.coins.iter().find(|limits| limits.asset.0 == coin).filter(|_| coin <= 4) else {
            return refuse("E_ASSET");
        };
        let Some(length) = self.options.lengths.get(&buy.seconds).filter(|length| length.on).cloned() else { return refuse("E_DURATION") };
        let rule: [u8; 32] = Sha256::digest(self.rule_text(pair, &shared, &length)).into();
        need(buy.rule == Digest(rule), "E_DURATION")?;
        let rate = if buy.direction == Direction::Flat { length.profit_flat.0 } else { length.profit.0 };
        let profit = stake * i128::from(rate) / 100_000_000;
        let fee = (stake * i128::from(shared.fee.0) + 99_999_999) / 100_000_000;
        need(stake > 0 && [stake, profit, fee].into_iter().all(|amount| amount < AMOUNT_LIMIT), "E_AMOUNT")?;
        need(self.verified(user, KycLevel::Basic), "E_KYC_BASIC")?;
        let value = self.usdt_value(coin, stake + fee);
        let staked_value = self.usdt_value(coin, stake);
        self.check_own_limits(user, staked_value, value)?;
        need(stake >= i128::from(limits.min), "E_STAKE_MIN")?;
        let max = length.max.iter().find(|max| max.asset.0 == coin);
        let max = max.map_or(0, |max| if buy.direction == Direction::Flat { max.flat } else { max.directed });
        need(stake <= i128::from(max), "E_STAKE_MAX")?;
        let own: Vec<&Bet> = self.options.bets.iter().filter(|bet| bet.user == user).collect();
        let staked: i128 = own.iter().filter(|bet| bet.coin == coin).map(|bet| bet.stake).sum();
        need(own.len() < shared.open_options as usize && staked + stake <= i128::from(limits.open_max), "E_OPEN_LIMIT")?;
        let Some(open) = self.price_at(pair, now).filter(|_| !self.contradicted(pair)) else { return refuse("E_PRICE_STALE") };
        let (Some(value), Some(staked_value)) = (value, staked_value) else { return refuse("E_PRICE_STALE") };
        let available = self.balance(user, Wallet::BinaryOptions, coin).map_or(0, |(available, _)| available);
        if available < stake + fee {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((coin, available, stake + fee)) });
        }
        need(!self.option_pool_has_lost(coin), "E_POOL_LOSS_LIMIT")?;
        need(self.free(POOL, coin) >= profit, "E_POOL_SHORT")?;
        self.add(user, Wallet::BinaryOptions, coin, -(stake + fee));
        *self.world.pools.entry((POOL, coin)).or_default() += stake + fee;
        self.options.used.push((now / DAY, user, staked_value, 0));
        let (tolerance, loses_ties) = (i128::from(length.tolerance.0), length.tie == TieRule::Lose);
        let due = now + u64::from(buy.seconds) * 1_000 + 1;
        let direction = buy.direction;
        let bet = Bet { id, user, pair, direction, coin, stake, profit, fee, tolerance, loses_ties, due, open, value };
        let done = Done::Object(bet.summary());
        self.options.bets.push(bet);
        Ok(done)
    }

    /// The pool of a coin without stakes and fees of open options.
    fn option_equity(&self, coin: u32) -> i128 {
        let open = self.options.bets.iter().filter(|bet| bet.coin == coin);
        self.world.pools.get(&(POOL, coin)).copied().unwrap_or(0) - open.map(|bet| bet.stake + bet.fee).sum::<i128>()
    }

    /// O-11.
    fn option_pool_has_lost(&self, coin: u32) -> bool {
        let of = |all: &BTreeMap<u32, i128>| all.get(&coin).copied().unwrap_or(0);
        let (_, beginning, moved) = &self.options.days;
        let result = self.option_equity(coin) - of(beginning) - of(moved);
        self.features.contains(&Feature::RiskBounds) && result < 0 && result * 5 <= -of(beginning)
    }

    pub(super) fn begin_option_day(&mut self) {
        let today = self.now / DAY;
        if self.features.contains(&Feature::RiskBounds) && self.options.days.0 != today {
            let coins: Vec<u32> = self.world.pools.keys().filter(|(account, _)| *account == POOL).map(|(_, coin)| *coin).collect();
            let beginning = coins.into_iter().map(|coin| (coin, self.option_equity(coin))).collect();
            self.options.days = (today, beginning, BTreeMap::new());
        }
    }

    pub(super) fn option_pool_moved(&mut self, account: HouseAccount, coin: u32, amount: i128) {
        if account == POOL && self.features.contains(&Feature::RiskBounds) {
            *self.options.days.2.entry(coin).or_default() += amount;
        }
    }

    fn check_own_limits(&self, user: u64, stake: Option<i128>, cost: Option<i128>) -> Result<(), Refusal> {
        need(self.own_limit(user, SelfLimit::PauseUntil).is_none(), "E_SELF_LIMIT")?;
        let staked = self.used_today(user).0;
        for (limit, used, added) in [(SelfLimit::OptionStakeDay, staked, stake), (SelfLimit::LossDay, self.lost_or_at_risk(user), cost)] {
            let Some(most) = self.own_limit(user, limit) else { continue };
            let Some(added) = added else { return refuse("E_PRICE_STALE") };
            need(used + added <= i128::from(most), "E_SELF_LIMIT")?;
        }
        Ok(())
    }

    /// Losses of today, and possible losses of open options and contracts.
    pub(super) fn lost_or_at_risk(&self, user: u64) -> i128 {
        let bets: i128 = self.options.bets.iter().filter(|bet| bet.user == user).map(|bet| bet.value).sum();
        self.used_today(user).1 + bets + self.risked_by_contracts(user)
    }

    /// Value of stakes and losses of this day.
    fn used_today(&self, user: u64) -> (i128, i128) {
        let today = self.options.used.iter().filter(|(day, of, ..)| (*day, *of) == (self.now / DAY, user));
        today.fold((0, 0), |(staked, lost), (.., stake, loss)| (staked + stake, lost + loss))
    }

    /// Planned work of options: instant and number.
    pub(super) fn bet_dues(&self) -> impl Iterator<Item = (u64, u64)> {
        self.options.bets.iter().map(|bet| (bet.due, bet.id))
    }

    /// O-5 to O-10.
    pub(super) fn deliver(&mut self, id: u64) {
        let Some(at) = self.options.bets.iter().position(|bet| bet.id == id) else { return };
        let bet = self.options.bets.remove(at);
        let band = bet.open * bet.tolerance / 100_000_000;
        let went = self.price_at(bet.pair, bet.due - 1).map(|price| match price - bet.open {
            by if by > band => Direction::Up,
            by if by < -band => Direction::Down,
            _ => Direction::Flat,
        });
        let (received, fee) = match went {
            None => (bet.stake + bet.fee, 0),
            Some(went) if went == bet.direction => (bet.stake + bet.profit, bet.fee),
            Some(Direction::Flat) if !bet.loses_ties => (bet.stake, bet.fee),
            Some(_) => (0, bet.fee),
        };
        *self.world.pools.entry((POOL, bet.coin)).or_default() -= received + fee;
        self.add(bet.user, Wallet::BinaryOptions, bet.coin, received);
        *self.fees.entry(bet.coin).or_default() += fee;
        // Before that rule, a late settlement belonged to the day on which it came.
        let day = if self.features.contains(&Feature::DueWork) { bet.due } else { self.now } / DAY;
        *self.world.day_fees.entry((day, bet.coin)).or_default() += fee;
        self.share_fee(bet.user, bet.coin, fee);
        let cost = bet.stake + bet.fee;
        if received < cost {
            let lost = (bet.value * (cost - received) + cost - 1) / cost;
            self.options.used.push((bet.due / DAY, bet.user, 0, lost));
        }
    }

    /// What the pool may still have to pay.
    pub(super) fn bound_by_options(&self, account: HouseAccount, coin: u32) -> i128 {
        let of = |bet: &&Bet| account == POOL && bet.coin == coin;
        self.options.bets.iter().filter(of).map(|bet| bet.stake + bet.profit + bet.fee).sum()
    }

    pub(super) fn option_summaries(&self) -> impl Iterator<Item = String> {
        let used = self.members.iter().map(|user| format!("{user} used {:?}", self.used_today(*user)));
        self.options.bets.iter().map(Bet::summary).chain(used)
    }
}

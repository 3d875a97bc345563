//! Conversions by the rules (`docs/rules.md` 8): a list of quotes and a list of conversions, searched each time.

use engine::catalog::Wallet;
use engine::convert::conversion::Convert;
use engine::convert::terms::ConversionTerms;
use engine::feature::Feature;
use engine::ledger::HouseAccount;

use super::people::DAY;
use super::{AMOUNT_LIMIT, COINS, Done, Oracle, Refusal, need, refuse};

const POOL: HouseAccount = HouseAccount::FlashPool;

/// The amounts of a conversion.
#[derive(Clone, Copy, Debug)]
struct Deal {
    from: u32,
    to: u32,
    amount: i128,
    value: i128,
    gross: i128,
    fee: i128,
    prices: (i128, i128),
}

impl Deal {
    fn summary(&self) -> String {
        let Deal { from, to, amount, value, gross, fee, prices } = self;
        format!("{amount} of {from} worth {value} to {gross} of {to} fee {fee} at {prices:?}")
    }
}

/// A quote.
#[derive(Clone, Debug)]
struct Quote {
    id: u64,
    user: u64,
    deal: Deal,
    day: i128,
    /// Spread and fee, 10^-8.
    edge: i128,
    expires: u64,
    used: bool,
}

impl Quote {
    fn summary(&self) -> String {
        let Quote { id, deal, expires, used, .. } = self;
        format!("quote {id} {} until {expires} used {used}", deal.summary())
    }
}

/// Everything about conversions.
#[derive(Debug, Default)]
pub(super) struct Counter {
    /// `None` before coins can be converted.
    terms: Option<ConversionTerms>,
    quotes: Vec<Quote>,
    /// Day, member, value.
    converted: Vec<(u64, u64, i128)>,
}

impl Oracle {
    /// From here on coins can be converted, with the terms of the rules' defaults.
    pub(super) fn begin_conversions(&mut self) {
        let tenth = engine::amount::Rate(100_000);
        let usdt = |whole: u64| whole * 1_000_000;
        let (min, max, day) = (usdt(10), usdt(50_000), usdt(500_000));
        self.conversions.terms = Some(ConversionTerms { spread: tenth, fee: tenth, min, max, day, life_ms: 10_000 });
    }

    pub(super) fn check_conversion_terms(&self, terms: &ConversionTerms) -> Result<(), Refusal> {
        need(self.conversions.terms.is_some(), "E_NOT_FOUND")?;
        let ConversionTerms { spread, fee, min, max, day, life_ms } = *terms;
        let bounds = 0 < min && min <= max && max <= day && i128::from(day) < AMOUNT_LIMIT;
        need(bounds && spread.0 < 100_000_000 && fee.0 < 100_000_000 && life_ms > 0 && life_ms <= 60_000, "E_CATALOG")
    }

    pub(super) fn set_conversion_terms(&mut self, terms: &ConversionTerms) {
        self.conversions.terms = Some(*terms);
    }

    /// A quote is known until five minutes after its end.
    pub(super) fn forget_quotes(&mut self) {
        let now = self.now;
        self.conversions.quotes.retain(|quote| quote.expires + 300_000 >= now);
    }

    /// F-1: the fresh index of a coin in USDT.
    fn coin_price(&self, coin: u32) -> Option<i128> {
        match coin {
            1 => self.fresh(1),
            2 => self.fresh(2),
            3 => Some(100_000_000),
            4 => self.fresh(3),
            _ => None,
        }
    }

    fn prices(&self, from: u32, to: u32) -> Result<(i128, i128), Refusal> {
        match (self.coin_price(from), self.coin_price(to)) {
            (Some(from), Some(to)) => Ok((from, to)),
            _ => refuse("E_PRICE_STALE"),
        }
    }

    fn check_day(&self, user: u64, value: i128, limit: i128) -> Result<(), Refusal> {
        need(self.converted_today(user) + value <= limit, "E_FLASH_DAY")
    }

    fn converted_today(&self, user: u64) -> i128 {
        self.conversions.converted.iter().filter(|(day, of, _)| (*day, *of) == (self.now / DAY, user)).map(|(.., value)| value).sum()
    }

    fn open_counter(&self, user: u64) -> Result<ConversionTerms, Refusal> {
        self.member(user)?;
        let Some(terms) = self.conversions.terms else { return refuse("E_DISABLED") };
        self.check_pause("flash", None)?;
        Ok(terms)
    }

    /// F-2, with its refusals in order.
    fn deal(&self, wanted: &Convert, terms: &ConversionTerms) -> Result<Deal, Refusal> {
        let (from, to, amount) = (wanted.from.0, wanted.to.0, i128::from(wanted.amount));
        let scale = |coin: u32| COINS.iter().find(|(number, _)| *number == coin).map(|(_, scale)| *scale);
        // Coins that were listed later are known, but have no index here.
        let listed = |coin: u32| scale(coin).is_some() || self.world.coins.contains(&coin);
        need(listed(from) && listed(to), "E_ASSET")?;
        // An atom of a coin with this many decimals, in 10^-14 USDT, a thousand times.
        let coarse = |coin: u32| {
            let (Some(price), Some(scale)) = (self.coin_price(coin), scale(coin)) else { return false };
            price * 1_000_000_000 > i128::from(terms.min) * 10_i128.pow(scale + 8)
        };
        need(!self.features.contains(&Feature::RiskBounds) || !(coarse(from) || coarse(to)), "E_ASSET")?;
        need(from != to, "E_SAME_ASSET")?;
        need(amount > 0 && amount < AMOUNT_LIMIT, "E_AMOUNT")?;
        let prices = self.prices(from, to)?;
        let (Some(of_from), Some(of_to)) = (scale(from), scale(to)) else { return refuse("E_PRICE_STALE") };
        let ten = |digits: u32| 10_i128.pow(digits);
        // Atoms of 10^-6 USDT: six of the eight decimals of a price stay.
        let value = amount * prices.0 / ten(of_from + 2);
        need(value >= i128::from(terms.min), "E_FLASH_MIN")?;
        need(value <= i128::from(terms.max), "E_FLASH_MAX")?;
        let kept = 100_000_000 - i128::from(terms.spread.0);
        // Both have eight decimals or six, so one of them has at most two more.
        let (up, down) = (ten(of_to.saturating_sub(of_from)), ten(of_from.saturating_sub(of_to)));
        let gross = amount * prices.0 * kept * up / (prices.1 * 100_000_000 * down);
        need(gross < AMOUNT_LIMIT, "E_OVERFLOW")?;
        let fee = (gross * i128::from(terms.fee.0) + 99_999_999) / 100_000_000;
        need(gross > fee, "E_AMOUNT")?;
        self.check_day(wanted.user.0, value, i128::from(terms.day))?;
        Ok(Deal { from, to, amount, value, gross, fee, prices })
    }

    pub(super) fn ask(&mut self, id: u64, wanted: &Convert) -> Result<Done, Refusal> {
        let user = wanted.user.0;
        let terms = self.open_counter(user)?;
        let deal = self.deal(wanted, &terms)?;
        let edge = i128::from(terms.spread.0) + i128::from(terms.fee.0);
        let quote = Quote { id, user, deal, day: i128::from(terms.day), edge, expires: self.now + terms.life_ms, used: false };
        let done = Done::Object(quote.summary());
        self.conversions.quotes.push(quote);
        let own: Vec<u64> = self.conversions.quotes.iter().filter(|quote| quote.user == user).map(|quote| quote.id).collect();
        if own.len() > 8 {
            self.conversions.quotes.retain(|quote| quote.id != own[0]);
        }
        Ok(done)
    }

    pub(super) fn accept(&mut self, id: u64, user: u64, quote: u64) -> Result<Done, Refusal> {
        self.open_counter(user)?;
        let now = self.now;
        self.person(user)?.check_frozen(now, true)?;
        let Some(at) = self.conversions.quotes.iter().position(|found| (found.id, found.user) == (quote, user)) else {
            return refuse("E_NOT_FOUND");
        };
        let Quote { deal, day, edge, expires, used, .. } = self.conversions.quotes[at].clone();
        need(!used, "E_STATE")?;
        need(now <= expires, "E_QUOTE_EXPIRED")?;
        let prices = self.prices(deal.from, deal.to)?;
        self.check_day(user, deal.value, day)?;
        let (now, then) = (prices.0 * deal.prices.1, deal.prices.0 * prices.1);
        let most = if self.features.contains(&Feature::RiskBounds) { edge } else { 1_000_000 };
        // Both prices have up to 16 digits, and the edge nine.
        need((now - then).abs() <= then / 100_000_000 * most + then % 100_000_000 * most / 100_000_000, "E_PRICE_MOVED")?;
        let done = self.pay(id, user, &deal)?;
        self.conversions.quotes[at].used = true;
        Ok(done)
    }

    pub(super) fn convert(&mut self, id: u64, wanted: &Convert, min_net: Option<u64>) -> Result<Done, Refusal> {
        let terms = self.open_counter(wanted.user.0)?;
        let now = self.now;
        self.person(wanted.user.0)?.check_frozen(now, true)?;
        let deal = self.deal(wanted, &terms)?;
        need(min_net.is_none_or(|least| deal.gross - deal.fee >= i128::from(least)), "E_PRICE_MOVED")?;
        self.pay(id, wanted.user.0, &deal)
    }

    /// F-5.
    fn pay(&mut self, id: u64, user: u64, deal: &Deal) -> Result<Done, Refusal> {
        let available = self.balance(user, Wallet::Spot, deal.from).map_or(0, |(available, _)| available);
        if available < deal.amount {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((deal.from, available, deal.amount)) });
        }
        need(self.free(POOL, deal.to) >= deal.gross, "E_POOL_SHORT")?;
        self.add(user, Wallet::Spot, deal.from, -deal.amount);
        self.add(user, Wallet::Spot, deal.to, deal.gross - deal.fee);
        *self.world.pools.entry((POOL, deal.from)).or_default() += deal.amount;
        *self.world.pools.entry((POOL, deal.to)).or_default() -= deal.gross;
        *self.fees.entry(deal.to).or_default() += deal.fee;
        *self.world.day_fees.entry((self.now / DAY, deal.to)).or_default() += deal.fee;
        self.share_fee(user, deal.to, deal.fee);
        self.conversions.converted.push((self.now / DAY, user, deal.value));
        Ok(Done::Object(format!("conversion {id} {}", deal.summary())))
    }

    /// Number and owner of every known quote.
    pub fn quote_numbers(&self) -> Vec<(u64, u64)> {
        self.conversions.quotes.iter().map(|quote| (quote.id, quote.user)).collect()
    }

    pub(super) fn conversion_summaries(&self) -> impl Iterator<Item = String> {
        let today = self.members.iter().map(|user| format!("{user} converted {}", self.converted_today(*user)));
        self.conversions.quotes.iter().map(Quote::summary).chain(today)
    }
}

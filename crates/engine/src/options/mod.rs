//! Short-term options: fixed payouts on the index, against the option pool, each fully covered from its purchase on (`docs/rules.md` 3).
//!
//! The rules see the ledger, the schedule and the events, never the engine. No command cancels an option or changes what it pays.

pub mod option;
pub(crate) mod pool_days;
pub mod rule;
pub mod terms;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::catalog::{Catalog, IndexMarket, Wallet};
use crate::event::{AccountEvent, Event};
use crate::exact::{COUNTED, Exact};
use crate::ids::{AssetId, Digest, OptionId, Seq, UserId, to_u32};
use crate::index::ring::Made;
use crate::ledger::{AssetIndex, Available, Holder, HouseAccount, Ledger, LeftBy, LineKind, ObjectKind, Reason, Reserve};
use crate::pool_day;
use crate::reject::Reject;
use crate::scheduler::{Class, Due, Scheduler};
use crate::time::Time;
use option::{BinaryOption, BuyOption, Quote, Settlement, Status, Terms, outcome, payments, result};
use pool_days::PoolDays;
use rule::Rule;
use terms::{DurationTerms, OptionTerms, SharedTerms};

const POOL: HouseAccount = HouseAccount::OptionPool;
const PAID_IN: &str = "the pool holds what was paid for open options, which is below 10^18 (I-4)";
const COVERED: &str = "what an option may cost was free when it was bought (O-4)";

/// What an option works with.
pub(crate) struct OptionContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) scheduler: &'a mut Scheduler,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) seq: Seq,
    pub(crate) now: Time,
}

/// An offer to a buyer: terms, amounts, and the text of the rule.
pub(crate) struct Offer {
    pub(crate) terms: Terms,
    pub(crate) quote: Quote,
    pub(crate) text: String,
}

/// Terms of sale, open options, and the rules that options were bought under.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// `None` before [`crate::feature::Feature::Options`].
    terms: Option<OptionTerms>,
    open: BTreeMap<OptionId, BinaryOption>,
    /// The text of every rule that an option was bought under, by its hash: as many as terms and sources had versions.
    rules: BTreeMap<Digest, String>,
    /// Empty before [`crate::feature::Feature::RiskBounds`].
    days: PoolDays,
    /// Derived from the open options, as is `paid_in`: the atoms of each coin that were paid for them.
    of_member: BTreeMap<UserId, BTreeSet<OptionId>>,
    paid_in: BTreeMap<AssetId, Amount>,
}

/// The same in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OptionsState {
    terms: Option<OptionTerms>,
    open: Vec<BinaryOption>,
    rules: Vec<String>,
}

impl Options {
    pub(crate) fn terms(&self) -> Option<&OptionTerms> {
        self.terms.as_ref()
    }

    /// The standard terms are in force from here on.
    pub(crate) fn begin(&mut self) {
        self.terms = Some(OptionTerms::standard());
    }

    pub(crate) fn set_duration(&mut self, duration: &DurationTerms) {
        self.terms.iter_mut().for_each(|terms| terms.set_duration(duration.clone()));
    }

    pub(crate) fn set_shared(&mut self, shared: &SharedTerms) {
        self.terms.iter_mut().for_each(|terms| terms.shared = shared.clone());
    }

    pub(crate) fn get(&self, id: OptionId) -> Option<&BinaryOption> {
        self.open.get(&id)
    }

    /// All open ones, oldest first.
    pub(crate) fn open(&self) -> impl DoubleEndedIterator<Item = &BinaryOption> {
        self.open.values()
    }

    /// A member's open ones, oldest first.
    pub(crate) fn of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &BinaryOption> {
        self.of_member.get(&user).into_iter().flatten().filter_map(|id| self.open.get(id))
    }

    /// Value of the possible losses of a member's open options.
    pub(crate) fn at_risk(&self, user: UserId) -> Amount {
        self.of(user).fold(0, |sum, option| sum.saturating_add(option.value))
    }

    /// The text of a rule that an option was bought under.
    pub(crate) fn rule(&self, hash: Digest) -> Option<&str> {
        self.rules.get(&hash).map(String::as_str)
    }

    pub(crate) fn reserves(&self) -> impl Iterator<Item = Reserve> {
        self.open.values().map(|option| Reserve { account: POOL, asset: option.asset, amount: option.quote.reserve() })
    }

    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        self.open.values().map(|option| Due { at: option.due(), class: Class::OptionDelivery, id: option.id.0 })
    }

    /// A duration on offer.
    pub(crate) fn duration(&self, seconds: u32) -> Result<(&SharedTerms, &DurationTerms), Reject> {
        let terms = self.terms.as_ref().ok_or(Reject::Duration)?;
        let duration = terms.duration(seconds).filter(|duration| duration.on).ok_or(Reject::Duration)?;
        Ok((&terms.shared, duration))
    }

    /// The present offer; a rule other than the one shown to the buyer is another offer.
    pub(crate) fn offer(&self, catalog: &Catalog, index: &IndexMarket, buy: &BuyOption) -> Result<Offer, Reject> {
        let (shared, duration) = self.duration(buy.seconds)?;
        let text = Rule::of(catalog, index, shared, duration).text();
        let rule = rule::hash(&text);
        if rule != buy.rule {
            return Err(Reject::Duration);
        }
        if buy.stake == 0 {
            return Err(Reject::BadAmount);
        }
        let profit = duration.profit_of(buy.direction);
        let quote = Quote::of(buy.stake, profit, shared.fee).ok_or(Reject::BadAmount)?;
        Ok(Offer { terms: Terms { profit, fee: shared.fee, tolerance: duration.tolerance, tie: duration.tie, rule }, quote, text })
    }

    /// Smallest and largest stake, then the member's open options (3.4).
    pub(crate) fn check_limits(&self, buy: &BuyOption) -> Result<(), Reject> {
        let (shared, duration) = self.duration(buy.seconds)?;
        let coin = shared.coin(buy.asset).ok_or(Reject::BadAsset)?;
        if buy.stake < coin.min {
            return Err(Reject::StakeMin { min: coin.min });
        }
        let max = duration.max_of(buy.asset, buy.direction).unwrap_or(0);
        if buy.stake > max {
            return Err(Reject::StakeMax { max });
        }
        let (mut open, mut staked) = (0_usize, buy.stake);
        for option in self.of(buy.user) {
            open = open.plus(1, COUNTED);
            staked = staked.saturating_add(if option.asset == buy.asset { option.quote.stake } else { 0 });
        }
        if to_u32(open) >= shared.open_options {
            return Err(Reject::OpenLimit { max: shared.open_options });
        }
        if staked > coin.open_max { Err(Reject::OpenStakes { max: coin.open_max }) } else { Ok(()) }
    }

    /// O-3, O-4, O-11: balance and pool, then the purchase.
    pub(crate) fn buy(
        &mut self,
        context: &mut OptionContext,
        holder: Holder,
        buy: &BuyOption,
        offer: Offer,
        (open, value): (Made, Amount),
    ) -> Result<BinaryOption, Reject> {
        let asset = context.ledger.asset(buy.asset).ok_or(Reject::BadAsset)?;
        let Offer { terms, quote, text } = offer;
        let (cost, available) = (quote.cost(), context.ledger.available(holder.member, Wallet::BinaryOptions, asset));
        if available < cost {
            return Err(Reject::Insufficient { asset: buy.asset, available, needed: cost });
        }
        self.days.check(buy.asset, self.pool_equity(context.ledger, buy.asset))?;
        let free = context.ledger.house(POOL, asset).saturating_sub(context.ledger.reserved(POOL, asset));
        if free < quote.profit {
            return Err(Reject::PoolShort { free });
        }
        let BuyOption { user, market, direction, seconds, .. } = *buy;
        let option = BinaryOption {
            id: OptionId(context.seq.0),
            user,
            market,
            direction,
            asset: buy.asset,
            quote,
            terms,
            seconds,
            bought: context.now,
            open,
            value,
            status: Status::Open,
            settled: None,
        };
        context.post(asset, Available(holder, Wallet::BinaryOptions), POOL, (cost, LineKind::OptionBought), option.id);
        context.ledger.reserve(asset, POOL, quote.reserve()).expect(COVERED);
        context.scheduler.plan(Class::OptionDelivery, option.id.0, None, Some(option.due()));
        self.rules.entry(terms.rule).or_insert(text);
        self.keep(option.clone());
        context.events.push(AccountEvent::OptionChanged(option.clone()).into());
        Ok(option)
    }

    /// O-5 to O-10: a due option ends with the delivery price, or without one.
    pub(crate) fn settle(
        &mut self,
        context: &mut OptionContext,
        holder: Holder,
        id: OptionId,
        delivery: Option<Made>,
    ) -> Option<BinaryOption> {
        let mut option = self.open.remove(&id)?;
        self.forget(&option);
        let asset = context.ledger.asset(option.asset)?;
        let outcome = delivery.map(|made| outcome(option.open.sample.price, made.sample.price, option.terms.tolerance));
        option.status = result(option.direction, outcome, option.terms.tie);
        let (received, fee) = payments(&option.quote, option.status);
        option.settled = Some(Settlement { seq: context.seq, time: option.due(), delivery, outcome, received });
        context.scheduler.plan(Class::OptionDelivery, id.0, Some(option.due()), None);
        context.ledger.release(asset, POOL, option.quote.reserve());
        let kind = if option.status == Status::Refunded { LineKind::OptionRefunded } else { LineKind::OptionSettled };
        context.post(asset, POOL, Available(holder, Wallet::BinaryOptions), (received, kind), id);
        context.post(asset, LeftBy(holder.member, POOL), HouseAccount::Fee, (fee, LineKind::OptionFee), id);
        context.events.push(AccountEvent::OptionChanged(option.clone()).into());
        Some(option)
    }

    fn keep(&mut self, option: BinaryOption) {
        let paid_in = self.paid_in.entry(option.asset).or_default();
        *paid_in = paid_in.plus(option.quote.cost(), PAID_IN);
        self.of_member.entry(option.user).or_default().insert(option.id);
        self.open.insert(option.id, option);
    }

    fn forget(&mut self, option: &BinaryOption) {
        if let Some(paid_in) = self.paid_in.get_mut(&option.asset) {
            *paid_in = paid_in.less(option.quote.cost(), PAID_IN);
        }
        if let Some(options) = self.of_member.get_mut(&option.user) {
            options.remove(&option.id);
            if options.is_empty() {
                self.of_member.remove(&option.user);
            }
        }
    }

    /// The pool without what was paid for open options: its own capital, with what it won and lost on those that are settled (O-11).
    fn pool_equity(&self, ledger: &Ledger, asset: AssetId) -> i128 {
        let balance = ledger.asset(asset).map_or(0, |asset| ledger.house(POOL, asset));
        pool_day::equity(balance, i128::from(self.paid_in.get(&asset).copied().unwrap_or(0)))
    }

    /// At the first entry of a UTC day, before its other effects (O-11).
    pub(crate) fn begin_day(&mut self, ledger: &Ledger, catalog: &Catalog, now: Time) {
        if self.days.is_over(now) {
            let equities = catalog.assets.iter().map(|asset| (asset.id, self.pool_equity(ledger, asset.id)));
            let equities: Vec<(AssetId, i128)> = equities.collect();
            self.days.begin(now, equities.into_iter());
        }
    }

    /// Operators moved capital, possibly into the pool or out of it (O-11).
    pub(crate) fn treasury_moved(&mut self, asset: AssetId, (from, to): (HouseAccount, HouseAccount), amount: Amount) {
        if (from == POOL) != (to == POOL) {
            let amount = i128::from(amount);
            self.days.moved(asset, if to == POOL { amount } else { amount.saturating_neg() });
        }
    }

    pub(crate) fn days(&self) -> &PoolDays {
        &self.days
    }

    pub(crate) fn with_days(self, days: PoolDays) -> Options {
        Options { days, ..self }
    }

    pub(crate) fn state(&self) -> OptionsState {
        OptionsState {
            terms: self.terms.clone(),
            open: self.open.values().cloned().collect(),
            rules: self.rules.values().cloned().collect(),
        }
    }

    /// `None` for a state that [`Options::state`] would not produce.
    pub(crate) fn restore(state: OptionsState) -> Option<Options> {
        let mut options = Options { terms: state.terms.clone(), ..Options::default() };
        options.rules = state.rules.iter().map(|text| (rule::hash(text), text.clone())).collect();
        state.open.iter().cloned().for_each(|option| options.keep(option));
        (options.fault().is_none() && options.state() == state).then_some(options)
    }

    /// I-11: every open option has the terms and amounts of its purchase.
    pub(crate) fn fault(&self) -> Option<String> {
        let wrong = self.open.values().find(|option| {
            let BinaryOption { quote, terms, status, settled, .. } = option;
            let sound = Quote::of(quote.stake, terms.profit, terms.fee).as_ref() == Some(quote);
            !sound || *status != Status::Open || settled.is_some() || !self.rules.contains_key(&terms.rule)
        });
        let members: usize = self.of_member.values().map(BTreeSet::len).sum();
        let listed = self.open.values().all(|option| self.of_member.get(&option.user).is_some_and(|all| all.contains(&option.id)));
        let paid_in = |(asset, paid): (&AssetId, &Amount)| {
            let open = self.open.values().filter(|option| option.asset == *asset);
            open.fold(0, |sum: Amount, option| sum.saturating_add(option.quote.cost())) == *paid
        };
        match wrong {
            Some(option) => Some(format!("I-11: option {} is not what was bought", option.id.0)),
            None if !self.paid_in.iter().all(paid_in) => Some("what was paid for open options is not what they cost".to_owned()),
            None if members != self.open.len() || !listed => Some("the open options of members are not those that are open".to_owned()),
            None => None,
        }
    }

    /// The coins that a change of terms speaks of are among these.
    pub(crate) fn check_change(&self, coins: impl Iterator<Item = AssetId>, catalog: &Catalog) -> Result<(), Reject> {
        self.terms.as_ref().ok_or(Reject::NotFound)?;
        let admits = |asset| catalog.asset(asset).is_some_and(|facts| facts.wallets.contains(&Wallet::BinaryOptions));
        let mut unknown = coins.filter(|asset| !admits(*asset));
        if unknown.next().is_some() { Err(Reject::BadCatalog) } else { Ok(()) }
    }
}

impl OptionContext<'_> {
    fn post(
        &mut self,
        asset: AssetIndex,
        debit: impl crate::ledger::Account,
        credit: impl crate::ledger::Account,
        (amount, kind): (Amount, LineKind),
        id: OptionId,
    ) {
        let reason = Reason { kind, object: ObjectKind::Option, debit_id: id.0, credit_id: id.0 };
        self.ledger.transfer(asset, debit, credit, amount, reason, self.events);
    }
}

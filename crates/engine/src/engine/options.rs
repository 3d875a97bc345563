//! Short-term options: what their rules need from the whole state, and what the server reads about them.

use super::Engine;
use crate::amount::Amount;
use crate::catalog::{Market, Wallet};
use crate::event::Event;
use crate::feature::Feature;
use crate::identity::KycLevel;
use crate::identity::status::Status as IdentityStatus;
use crate::ids::{AssetId, Digest, MarketId, OptionId, UserId};
use crate::index::ring::Made;
use crate::index::{FRESH_MS, Index};
use crate::ledger::Holder;
use crate::options::option::{BinaryOption, BuyOption, Status};
use crate::options::rule::{self, Rule};
use crate::options::terms::{DurationTerms, OptionTerms, SharedTerms};
use crate::options::{OptionContext, Options};
use crate::product::{Product, SelfPause};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::Due;
use crate::security::FreezeScope;
use crate::self_limits::{DayUse, SelfLimit};
use crate::time::Time;

impl Engine {
    /// O-1 to O-4, with the refusals in the order of 3.4.
    pub(crate) fn buy_option(&mut self, buy: &BuyOption, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(buy.user)?;
        self.may_buy_option(buy.user, Some(buy.market))?;
        self.check_option_pair(buy.market, buy.asset)?;
        let index = self.indices.get(buy.market).ok_or(Reject::UnknownMarket)?;
        let offer = self.options.offer(&self.catalog, &index.facts, buy)?;
        if self.identities.status(holder.member, KycLevel::Basic) != IdentityStatus::Verified {
            return Err(Reject::KycBasic);
        }
        let stake_value = self.value(buy.asset, buy.stake);
        let value = self.value(buy.asset, offer.quote.cost());
        self.check_self_limits(holder, stake_value, value)?;
        self.options.check_limits(buy)?;
        let fresh = self.fresh_price(buy.market).and(usable(index, self.time));
        let open = fresh.ok_or(Reject::PriceStale)?;
        let (stake_value, value) = stake_value.zip(value).ok_or(Reject::PriceStale)?;
        let (options, mut context) = self.option_context(events);
        let bought = options.buy(&mut context, holder, buy, offer, (open, value))?;
        self.day_uses.add(holder.member, self.time, DayUse { option_stakes: stake_value, losses: 0 });
        Ok(Reply::Option(Box::new(bought)))
    }

    /// O-2: a due option ends with the price known at its delivery instant.
    pub(crate) fn deliver_option(&mut self, due: Due, events: &mut Vec<Event>) {
        let id = OptionId(due.id);
        let option = self.options.get(id).expect("what is planned is open");
        let (user, instant) = (option.user, option.delivery_time());
        let delivery = self.indices.get(option.market).and_then(|index| usable(index, instant));
        let holder = self.holder(user).expect("an option has an owner");
        let (options, mut context) = self.option_context(events);
        let settled = options.settle(&mut context, holder, id, delivery).expect("what is planned is open");
        if matches!(settled.status, Status::Lost | Status::Pushed) {
            self.day_uses.add(holder.member, due.at, DayUse { option_stakes: 0, losses: settled.loss() });
        }
    }

    fn option_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Options, OptionContext<'a>) {
        let Engine { options, ledger, scheduler, seq, time, .. } = self;
        (options, OptionContext { ledger, scheduler, events, seq: *seq, now: *time })
    }

    /// The member's own limits. The possible losses of open options count as lost, so the limit holds whatever their outcome.
    fn check_self_limits(&self, holder: Holder, stake: Option<Amount>, cost: Option<Amount>) -> Result<(), Reject> {
        let (limits, now) = (self.self_limits.of(holder.member), self.time);
        let used = self.day_uses.of(holder.member, now);
        self.check_self_pause(Product::Option, SelfPause::ClosedWithLimits, holder.member)?;
        limits.check(SelfLimit::OptionStakeDay, used.option_stakes, stake, now)?;
        limits.check(SelfLimit::LossDay, used.losses.saturating_add(self.at_risk(holder.user)), cost, now)
    }

    /// The guards of a change of a duration's terms (0.6).
    pub(crate) fn check_option_duration(&self, duration: &DurationTerms) -> Result<(), Reject> {
        self.options.check_change(duration.max.iter().map(|max| max.asset), &self.catalog)?;
        duration.check()
    }

    /// The guards of a change of the terms that all durations share (0.6).
    pub(crate) fn check_option_shared(&self, shared: &SharedTerms) -> Result<(), Reject> {
        self.options.check_change(shared.coins.iter().map(|coin| coin.asset), &self.catalog)?;
        shared.check()
    }
}

/// The sample that an option may use at an instant: the latest that was known then, if it is fresh.
fn usable(index: &Index, instant: Time) -> Option<Made> {
    index.made_at(instant).filter(|made| instant.since(made.sample.time) <= FRESH_MS)
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// Why any purchase of a member would be refused before its pair: a pause, then a freeze. The product is paused as long as no terms are
    /// in force.
    ///
    /// # Errors
    /// [`Reject::Disabled`] or [`Reject::Frozen`].
    pub fn may_buy_option(&self, user: UserId, market: Option<MarketId>) -> Result<(), Reject> {
        let member = self.member(user)?;
        self.options.terms().ok_or(Reject::Disabled(Some(Product::Option)))?;
        self.check_open(Product::Option, market, member)?;
        self.security.check_freezes(member, self.time, FreezeScope::All)
    }

    /// The guards of the pair and the stake coin, in this order (3.4).
    ///
    /// # Errors
    /// [`Reject::UnknownMarket`] for a pair that sells none, [`Reject::BadAsset`] for a coin that cannot be staked.
    pub fn check_option_pair(&self, market: MarketId, asset: AssetId) -> Result<(), Reject> {
        self.check_option_market(market)?;
        let terms = self.options.terms().ok_or(Reject::BadAsset)?;
        let admits = self.catalog.asset(asset).is_some_and(|facts| facts.wallets.contains(&Wallet::BinaryOptions));
        if admits && terms.shared.coin(asset).is_some() { Ok(()) } else { Err(Reject::BadAsset) }
    }

    /// The guard of the pair alone: it has an index, is not retired, and its price moves (3.1).
    ///
    /// # Errors
    /// [`Reject::UnknownMarket`].
    pub fn check_option_market(&self, market: MarketId) -> Result<(), Reject> {
        if self.is_retired(market) || self.indices.get(market).is_none() || !self.suits_options(market) {
            Err(Reject::UnknownMarket)
        } else {
            Ok(())
        }
    }

    /// The one table of payouts fits coins like bitcoin. On two coins that move together, or a coin that hardly trades, "even" would be
    /// almost certain. Terms of contracts are the word of two operators that a coin moves and is liquid.
    fn suits_options(&self, market: MarketId) -> bool {
        let with_contracts = |coin| {
            let mut bases = self.all_contract_terms().filter_map(|terms| self.catalog.market(terms.market)).map(|pair| pair.base);
            bases.any(|base| base == coin)
        };
        let suits = |pair: &Market| with_contracts(pair.base) && !with_contracts(pair.quote);
        !self.active(Feature::ProductCorrections) || self.catalog.market(market).is_some_and(suits)
    }

    /// The terms of options; `None` before there are any.
    pub fn option_terms(&self) -> Option<&OptionTerms> {
        self.options.terms()
    }

    /// The hash of the rule that a purchase of this length in this pair is made under now.
    pub fn offered_rule(&self, market: MarketId, seconds: u32) -> Option<Digest> {
        let (shared, duration) = self.options.duration(seconds).ok()?;
        let rule = Rule::of(&self.catalog, &self.indices.get(market)?.facts, shared, duration);
        Some(rule::hash(&rule.text()))
    }

    /// The text of a rule that an option was bought under.
    pub fn option_rule(&self, hash: Digest) -> Option<&str> {
        self.options.rule(hash)
    }

    /// An open option.
    pub fn option(&self, id: OptionId) -> Option<&BinaryOption> {
        self.options.get(id)
    }

    /// All open options, oldest first.
    pub fn open_options(&self) -> impl DoubleEndedIterator<Item = &BinaryOption> {
        self.options.open()
    }

    /// A member's open options, oldest first.
    pub fn options_of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &BinaryOption> {
        self.options.of(user)
    }

    /// Today's use of a member's own limits.
    pub fn day_use(&self, user: UserId) -> DayUse {
        self.members.index(user).map(|member| self.day_uses.of(member, self.time)).unwrap_or_default()
    }
}

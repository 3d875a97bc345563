//! Subscriptions: what their rules need from the whole state, and what the server reads about them.

use super::Engine;
use crate::amount::{Amount, MAX_AMOUNT};
use crate::catalog::{Asset, Catalog, Wallet};
use crate::command::Mode;
use crate::event::Event;
use crate::ids::{AssetId, CommitmentId, MarketId, OfferingId, ProposalId, UserId};
use crate::ledger::{HouseAccount, LineKind, ObjectKind, Reason};
use crate::listing::change::{CatalogChange, FirstReference};
use crate::product::Product;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::Due;
use crate::security::FreezeScope;
use crate::subscriptions::offering::{Commit, Commitment, Offering, Terms};
use crate::subscriptions::status::OfferingStatus;
use crate::subscriptions::{SubscriptionContext, Subscriptions};
use crate::time::Time;
use crate::units::{Base, Scales};

impl Engine {
    /// N-1 and N-2, with the refusals in their order.
    pub(crate) fn commit_to_offering(&mut self, commit: &Commit, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(commit.user)?;
        self.may_subscribe(commit.user)?;
        let value = self.check_commitment(commit)?;
        let (subscriptions, mut context) = self.subscription_context(events);
        subscriptions.commit(&mut context, holder, commit, value).map(|commitment| Reply::Commitment(Box::new(commitment)))
    }

    /// Due work of an offering.
    pub(crate) fn run_offering(&mut self, due: Due, events: &mut Vec<Event>) {
        let id = OfferingId(u32::try_from(due.id).expect("it was planned by its number"));
        let (subscriptions, mut context) = self.subscription_context(events);
        subscriptions.run(&mut context, id);
    }

    /// Tokens may have come into the escrow.
    pub(crate) fn open_funded_offering(&mut self, token: AssetId, events: &mut Vec<Event>) {
        let (subscriptions, mut context) = self.subscription_context(events);
        subscriptions.open_funded(&mut context, token);
    }

    /// Offerings are accepted from here on. A sandbox begins with two paper offerings, one of them running.
    pub(crate) fn begin_subscriptions(&mut self, events: &mut Vec<Event>) {
        self.subscriptions.begin();
        if self.mode != Mode::Sandbox {
            return;
        }
        let quote = self.catalog.funding.bank.asset;
        let coins = [Some(quote), self.coin("BTC"), self.coin("ETH")];
        let pays: Vec<AssetId> = coins.into_iter().flatten().filter(|coin| self.check_payment(*coin).is_ok()).collect();
        for terms in Terms::sandbox(self.time, quote, &pays) {
            if self.check_offering(&terms).is_err() {
                continue;
            }
            self.list_offering(&terms, events);
            let reason = Reason { kind: LineKind::Endowment, object: ObjectKind::Genesis, debit_id: self.seq.0, credit_id: self.seq.0 };
            if let Some(token) = self.ledger.asset(terms.token.id) {
                self.ledger.transfer(token, HouseAccount::External, HouseAccount::SubEscrow, terms.supply, reason, events);
            }
            self.open_funded_offering(terms.token.id, events);
        }
    }

    fn coin(&self, code: &str) -> Option<AssetId> {
        self.catalog.assets.iter().find(|asset| asset.code == code).map(|asset| asset.id)
    }

    /// The token gets its column in the ledger, so the escrow can hold it; the catalog lists it at the launch.
    pub(crate) fn list_offering(&mut self, terms: &Terms, events: &mut Vec<Event>) {
        let Some(quote_scale) = self.catalog.asset(terms.market.quote).map(|asset| asset.scale) else { return };
        if self.ledger.asset(terms.token.id).is_none() {
            self.ledger.list(&terms.token);
        }
        let (subscriptions, mut context) = self.subscription_context(events);
        subscriptions.list(&mut context, terms, quote_scale);
        self.open_funded_offering(terms.token.id, events);
    }

    /// The guards of a coin's listing beside the offerings (0.6): none of them has its number or, before it is over, its code.
    pub(crate) fn check_unoffered_coin(&self, asset: &Asset) -> Result<(), Reject> {
        let same = |other: &Asset, over: bool| other.id == asset.id || (other.code == asset.code && !over);
        let taken = self.subscriptions.offerings().any(|offering| same(&offering.terms.token, offering.status.is_over()));
        if taken { Err(Reject::BadCatalog) } else { Ok(()) }
    }

    /// The guards of a pair's listing beside the offerings (0.6): none of them has its number.
    pub(crate) fn check_unoffered_pair(&self, market: MarketId) -> Result<(), Reject> {
        let taken = self.subscriptions.offerings().any(|offering| offering.terms.market.id == market);
        if taken { Err(Reject::BadCatalog) } else { Ok(()) }
    }

    /// Adds an offering of an unlisted coin, or changes the terms of one that has not opened and is not due to.
    pub(crate) fn check_offering(&self, terms: &Terms) -> Result<(), Reject> {
        if !self.subscriptions.is_on() {
            return Err(Reject::WrongState);
        }
        let quote = self.catalog.asset(terms.market.quote).filter(|asset| asset.id == self.catalog.funding.bank.asset);
        let quote_scale = quote.ok_or(Reject::BadAsset)?.scale;
        terms.pay.iter().try_for_each(|coin| self.check_payment(*coin))?;
        match self.subscriptions.offering(terms.id) {
            Some(known) if known.status != OfferingStatus::Upcoming => return Err(Reject::WrongState),
            Some(known) if known.terms.token != terms.token || known.terms.market.id != terms.market.id => return Err(Reject::BadCatalog),
            Some(_) => {}
            None if self.ledger.asset(terms.token.id).is_some() => return Err(Reject::BadCatalog),
            None => {}
        }
        let others = self.subscriptions.offerings().filter(|other| other.terms.id != terms.id);
        let taken = |other: &Offering| {
            let code = other.terms.token.code == terms.token.code && !other.status.is_over();
            code || other.terms.market.id == terms.market.id
        };
        if terms.id.0 == 0 || !terms.are_sound(quote_scale) || terms.close <= self.time || others.into_iter().any(taken) {
            return Err(Reject::BadCatalog);
        }
        let [coin, pair] = listing(terms);
        self.catalog.changed(&coin)?.changed(&pair).map(drop)
    }

    /// The coin is in the spot wallet, and an index values it.
    fn check_payment(&self, coin: AssetId) -> Result<(), Reject> {
        let quote = self.catalog.funding.bank.asset;
        let admits = self.catalog.asset(coin).is_some_and(|asset| asset.wallets.contains(&Wallet::Spot));
        let priced = coin == quote || self.spot.pair_of(coin, quote).is_some_and(|pair| self.indices.get(pair).is_some());
        if admits && priced { Ok(()) } else { Err(Reject::BadAsset) }
    }

    /// The guards of a launch (6.2): the offering, then what it lists.
    pub(crate) fn check_launch(&self, id: OfferingId) -> Result<(), Reject> {
        let [coin, pair] = listing(&self.subscriptions.check_launch(id, self.time)?.terms);
        self.catalog.changed(&coin)?.changed(&pair).map(drop)
    }

    /// Lists coin and pair, with the issue price as the first reference, and delivers what was allotted.
    pub(crate) fn launch_offering(
        &mut self,
        proposal: ProposalId,
        id: OfferingId,
        since: Time,
        events: &mut Vec<Event>,
    ) -> Result<(), Reject> {
        self.check_launch(id)?;
        for change in listing(&self.subscriptions.check_launch(id, self.time)?.terms) {
            self.enter_change(proposal, &change, since, events)?;
        }
        let (subscriptions, mut context) = self.subscription_context(events);
        subscriptions.launch(&mut context, id);
        Ok(())
    }

    /// Value of a payment at the latest price of any age, rounded down (N-1). A value that is not an amount is above every cap.
    fn commitment_value(&self, asset: AssetId, amount: Amount) -> Option<Amount> {
        let scale = |asset| self.catalog.asset(asset).map(|facts| facts.scale);
        let scales = Scales { base: scale(asset)?, quote: scale(self.catalog.funding.bank.asset)? };
        let value = Base(amount).value_floor(self.latest_value_price(asset)?, scales);
        Some(value.map_or(MAX_AMOUNT, |value| value.0))
    }

    fn check_fresh(&self, asset: AssetId) -> Result<(), Reject> {
        let quote = self.catalog.funding.bank.asset;
        let fresh = || self.spot.pair_of(asset, quote).and_then(|pair| self.indices.fresh(pair, self.time));
        if asset == quote || fresh().is_some() { Ok(()) } else { Err(Reject::PriceStale) }
    }

    fn subscription_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Subscriptions, SubscriptionContext<'a>) {
        let Engine { subscriptions, ledger, members, scheduler, seq, time, .. } = self;
        (subscriptions, SubscriptionContext { ledger, members, scheduler, events, seq: *seq, now: *time })
    }
}

/// The coin and the pair that a launch lists.
fn listing(terms: &Terms) -> [CatalogChange; 2] {
    let reference = FirstReference::IssuePrice(terms.price);
    let (coin, market) = (Box::new(terms.token.clone()), Box::new(terms.market.clone()));
    [CatalogChange::ListCoin(coin), CatalogChange::ListMarket { market, reference }]
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// Why any commitment of a member would be refused before its offering: a pause, then a freeze. The product is paused as long as its
    /// rules are not active.
    ///
    /// # Errors
    /// [`Reject::Disabled`] or [`Reject::Frozen`].
    pub fn may_subscribe(&self, user: UserId) -> Result<(), Reject> {
        let member = self.member(user)?;
        if !self.subscriptions.is_on() {
            return Err(Reject::Disabled(Some(Product::Subscription)));
        }
        self.check_open(Product::Subscription, None, member)?;
        self.security.check_freezes(member, self.time, FreezeScope::All)
    }

    /// The guards of a commitment from its offering on, up to its price; returns its value.
    ///
    /// # Errors
    /// The first refusal.
    pub fn check_commitment(&self, commit: &Commit) -> Result<Amount, Reject> {
        let value = self.commitment_value(commit.asset, commit.amount);
        let value = self.subscriptions.check(commit, value, self.time)?;
        self.check_fresh(commit.asset)?;
        Ok(value)
    }

    /// An offering.
    pub fn offering(&self, id: OfferingId) -> Option<&Offering> {
        self.subscriptions.offering(id)
    }

    /// All offerings, by number.
    pub fn offerings(&self) -> impl DoubleEndedIterator<Item = &Offering> {
        self.subscriptions.offerings()
    }

    /// A coin of the catalog, or an offered token that is not listed yet.
    pub fn known_coin(&self, asset: AssetId) -> Option<&Asset> {
        self.catalog.asset(asset).or_else(|| self.subscriptions.of_token(asset).map(|offering| &offering.terms.token))
    }

    /// The catalog with the offered tokens that are not listed yet, to name and print what the escrow holds.
    pub fn catalog_with_tokens(&self) -> Catalog {
        let mut catalog = self.catalog.clone();
        catalog.assets.extend(self.unlisted_tokens().cloned());
        catalog
    }

    /// The offered tokens that are not listed yet.
    pub fn unlisted_tokens(&self) -> impl Iterator<Item = &Asset> {
        self.subscriptions.unlisted_tokens().filter_map(|token| self.subscriptions.of_token(token)).map(|offering| &offering.terms.token)
    }

    /// The pair of a launched token.
    pub fn launched_pair(&self, id: OfferingId) -> Option<MarketId> {
        self.offering(id).filter(|offering| offering.launched.is_some()).map(|offering| offering.terms.market.id)
    }

    /// A commitment that is not final.
    pub fn commitment(&self, offering: OfferingId, id: CommitmentId) -> Option<&Commitment> {
        self.subscriptions.commitment(offering, id)
    }

    /// All commitments that are not final, by offering and number.
    pub fn open_commitments(&self) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.subscriptions.commitments()
    }

    /// The commitments to one offering that are not final, oldest first.
    pub fn commitments_to(&self, offering: OfferingId) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.subscriptions.commitments_to(offering)
    }

    /// Those after one of them.
    pub fn commitments_after(&self, offering: OfferingId, after: u64) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.subscriptions.commitments_after(offering, after)
    }

    /// A member's commitments that are not final, by offering and number.
    pub fn commitments_of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.subscriptions.of(user)
    }
}

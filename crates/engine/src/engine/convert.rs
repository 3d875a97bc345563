//! Conversions: what their rules need from the whole state, and what the server reads about them.

use super::Engine;
use crate::amount::{Amount, MAX_AMOUNT, PRICE_ONE, Price, pow10};
use crate::catalog::Wallet;
use crate::convert::conversion::{Convert, Deal, FirmQuote, MOVED_BEFORE, Priced};
use crate::convert::terms::ConversionTerms;
use crate::convert::{ConversionContext, Conversions};
use crate::event::Event;
use crate::feature::Feature;
use crate::ids::{AssetId, QuoteId, UserId};
use crate::product::Product;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::security::FreezeScope;
use crate::units::value_divisor;

/// The smallest conversion is worth at least so many atoms of either coin (F-1).
const COARSE_PART: u128 = 1_000;

impl Engine {
    /// F-1 to F-3: a quote, with the refusals in the order of `docs/rules.md` 8. Nothing moves, so a freeze does not matter yet.
    pub(crate) fn quote_conversion(&mut self, wanted: &Convert) -> Result<Reply, Reject> {
        let terms = *self.conversion_opening(wanted.user)?;
        let deal = self.conversion_deal(wanted, &terms)?;
        let expires = self.time.plus(terms.life_ms);
        let quote = FirmQuote { id: QuoteId(self.seq.0), user: wanted.user, deal, terms, expires, used: false };
        self.conversions.quote(quote);
        Ok(Reply::Quote(Box::new(quote)))
    }

    /// F-3 to F-5.
    pub(crate) fn accept_quote(&mut self, user: UserId, id: QuoteId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.may_convert(user)?;
        let holder = self.holder(user)?;
        let quote = *self.conversions.acceptable(user, id, self.time)?;
        let FirmQuote { deal, terms, .. } = &quote;
        let (from, to) = self.priced(deal.from).zip(self.priced(deal.to)).ok_or(Reject::PriceStale)?;
        self.conversions.check_day(user, deal.value, terms.day, self.time)?;
        let most = if self.active(Feature::RiskBounds) { terms.edge() } else { MOVED_BEFORE };
        if deal.has_moved(from.price, to.price, most) {
            let again = Deal::of(&quote.wanted(), from, to, self.bank_scale(), terms);
            return Err(Reject::PriceMoved { net: again.map_or(0, |again| again.net()) });
        }
        let (conversions, mut context) = self.conversion_context(events);
        let done = conversions.convert(&mut context, holder, quote.deal, Some(id))?;
        Ok(Reply::Conversion(Box::new(done)))
    }

    /// F-6: a quote and its acceptance in one.
    pub(crate) fn convert(&mut self, wanted: &Convert, min_net: Option<Amount>, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.may_convert(wanted.user)?;
        let holder = self.holder(wanted.user)?;
        let terms = *self.conversion_opening(wanted.user)?;
        let deal = self.conversion_deal(wanted, &terms)?;
        if min_net.is_some_and(|least| deal.net() < least) {
            return Err(Reject::PriceMoved { net: deal.net() });
        }
        let (conversions, mut context) = self.conversion_context(events);
        let done = conversions.convert(&mut context, holder, deal, None)?;
        Ok(Reply::Conversion(Box::new(done)))
    }

    fn conversion_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Conversions, ConversionContext<'a>) {
        let Engine { conversions, ledger, seq, time, .. } = self;
        (conversions, ConversionContext { ledger, events, seq: *seq, now: *time })
    }

    fn conversion_opening(&self, user: UserId) -> Result<&ConversionTerms, Reject> {
        let member = self.member(user)?;
        let terms = self.conversions.terms().ok_or(Reject::Disabled(Some(Product::Flash)))?;
        self.check_open(Product::Flash, None, member)?;
        Ok(terms)
    }

    fn conversion_deal(&self, wanted: &Convert, terms: &ConversionTerms) -> Result<Deal, Reject> {
        self.check_conversion_coins(wanted.from, wanted.to)?;
        if wanted.amount == 0 || wanted.amount >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        let (from, to) = self.priced(wanted.from).zip(self.priced(wanted.to)).ok_or(Reject::PriceStale)?;
        let deal = Deal::of(wanted, from, to, self.bank_scale(), terms)?;
        self.conversions.check_day(wanted.user, deal.value, terms.day, self.time)?;
        Ok(deal)
    }

    fn bank_scale(&self) -> u8 {
        self.catalog.scale(self.catalog.funding.bank.asset)
    }

    fn priced(&self, asset: AssetId) -> Option<Priced> {
        Some(Priced { price: self.conversion_price(asset)?, scale: self.catalog.asset(asset)?.scale })
    }

    /// I-11: every quote matches its prices and its terms.
    pub(crate) fn conversions_fault(&self) -> Option<String> {
        self.conversions.fault(|quote| {
            let FirmQuote { deal, terms, .. } = quote;
            let scale = |asset| self.catalog.asset(asset).map(|facts| facts.scale);
            let from = Priced { price: deal.from_price, scale: scale(deal.from)? };
            let to = Priced { price: deal.to_price, scale: scale(deal.to)? };
            Deal::of(&quote.wanted(), from, to, self.bank_scale(), terms).ok()
        })
    }

    /// The guards of a change of the terms (0.6).
    pub(crate) fn check_conversion_terms(&self, terms: &ConversionTerms) -> Result<(), Reject> {
        self.conversions.terms().ok_or(Reject::NotFound)?;
        terms.check()
    }
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// Why any quote for a member would be refused before its coins: a pause. The product is paused as long as no terms are in force.
    ///
    /// # Errors
    /// [`Reject::Disabled`].
    pub fn may_quote_conversion(&self, user: UserId) -> Result<(), Reject> {
        self.conversion_opening(user).map(drop)
    }

    /// The same of a conversion: a pause, then a freeze.
    ///
    /// # Errors
    /// [`Reject::Disabled`] or [`Reject::Frozen`].
    pub fn may_convert(&self, user: UserId) -> Result<(), Reject> {
        self.conversion_opening(user)?;
        self.security.check_freezes(self.member(user)?, self.time, FreezeScope::All)
    }

    /// The guards of the two coins (F-1). An atom that is worth more than a thousandth of the smallest conversion would be too coarse for
    /// its fee.
    ///
    /// # Errors
    /// [`Reject::BadAsset`], [`Reject::SameAsset`].
    pub fn check_conversion_coins(&self, from: AssetId, to: AssetId) -> Result<(), Reject> {
        let admits = |asset| self.catalog.asset(asset).is_some_and(|facts| facts.wallets.contains(&Wallet::Spot));
        let coarse = |asset| self.active(Feature::RiskBounds) && self.is_coarse(asset).unwrap_or(false);
        if [from, to].into_iter().any(|asset| !admits(asset) || coarse(asset)) {
            return Err(Reject::BadAsset);
        }
        if from == to { Err(Reject::SameAsset) } else { Ok(()) }
    }

    /// Whether an atom of a coin is worth more than [`COARSE_PART`] of the smallest conversion; `None` without a fresh price.
    fn is_coarse(&self, asset: AssetId) -> Option<bool> {
        let (coin, min) = (self.priced(asset)?, self.conversions.terms()?.min);
        // A price is below 10^16 and an amount below 10^18, and no coin has more than 8 decimals.
        let atom = u128::from(coin.price.0).checked_mul(pow10(self.bank_scale()))?.checked_mul(COARSE_PART)?;
        Some(atom > u128::from(min).checked_mul(value_divisor(coin.scale).get())?)
    }

    /// The terms of conversions; `None` before there are any.
    pub fn conversion_terms(&self) -> Option<&ConversionTerms> {
        self.conversions.terms()
    }

    /// The price at which a coin is converted now: its fresh index, or 1 for the coin of the bank terms.
    pub fn conversion_price(&self, asset: AssetId) -> Option<Price> {
        let quote = self.catalog.funding.bank.asset;
        if asset == quote {
            return Some(PRICE_ONE);
        }
        self.indices.fresh(self.spot.pair_of(asset, quote)?, self.time)
    }

    /// The smallest and the largest number of atoms of a coin that may be converted at this price; `None` if no amount is worth enough, or
    /// before conversions are offered.
    pub fn conversion_bounds(&self, coin: Priced) -> Option<(Amount, Amount)> {
        self.conversions.terms()?.bounds(coin, self.bank_scale())
    }

    /// A member's quote, as long as it is known.
    pub fn conversion_quote(&self, user: UserId, id: QuoteId) -> Option<&FirmQuote> {
        self.conversions.quote_of(user, id)
    }

    /// All known quotes, oldest first.
    pub fn conversion_quotes(&self) -> impl DoubleEndedIterator<Item = &FirmQuote> {
        self.conversions.quotes()
    }

    /// Value of a member's conversions today, atoms of the coin of the bank terms.
    pub fn converted_today(&self, user: UserId) -> Amount {
        self.conversions.used(user, self.time)
    }
}

//! Events -> moves of costs, in order. They are applied when the rows are written, because only then are the members' holdings read. The
//! rules are those of [`crate::costs`]. Current prices are known here, so flows in and out are valued here as well.

mod book;
mod flows;

use std::collections::{BTreeMap, HashMap};

use engine::amount::{Amount, Price};
use engine::catalog::Catalog;
use engine::convert::conversion::Conversion;
use engine::event::{AccountEvent, Event, Trade, TradeParty};
use engine::funding::status::WithdrawalStatus;
use engine::ids::{AssetId, UserId};
use engine::index::IndexSample;
use engine::ledger::{LineKind, Owner, Posting};
use engine::loans::loan::Loan;
use engine::options::option::Status as OptionStatus;
use engine::published::Published;
use engine::spot::Side;
use engine::subscriptions::offering::Commitment;
use engine::subscriptions::status::CommitmentStatus;
use engine::time::Time;
use engine::units::Scales;

use crate::costs::{self, Aside, Key};
use crate::db::{self, Db, DbError, Sql, Value};
use crate::people::HOUSE;
use book::{Book, Move, Priced};
use flows::{Flows, is_outside};

/// The moves since rows were last written, and the current prices.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// With the sequence of the entry.
    moves: Vec<(u64, Move)>,
    prices: HashMap<AssetId, Price>,
    /// Prices that no row has yet, with the sequence of their entry.
    sampled: BTreeMap<AssetId, (Price, u64)>,
    flows: Flows,
}

impl Costs {
    /// Continues from the stored rows.
    pub(super) async fn load(db: &Db) -> Result<Costs, DbError> {
        Ok(Costs { prices: costs::prices(db).await?.into_iter().collect(), ..Costs::default() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.sampled.is_empty() && self.flows.is_empty()
    }

    pub(super) fn take(&mut self, catalog: &Catalog, published: &Published) {
        let seq = published.seq.0;
        let mut entry = Entry { catalog, seq, at: published.time, usdt: catalog.funding.bank.asset, allotted: None, costs: self };
        for event in &published.events {
            match event {
                Event::Posted(posting) => entry.post(posting),
                Event::Traded(trade) => entry.trade(trade),
                Event::IndexSampled(sample) => entry.sample(sample),
                Event::Account(change) => entry.account(change),
                Event::HappenedAt(instant) => entry.at = *instant,
                // These move no money, or repeat what was posted.
                Event::MemberRegistered { .. } | Event::SpotOrderChanged(_) | Event::LevelChanged { .. } | Event::Transferred(_) => {}
            }
        }
    }

    /// The statements that write the moves since the last write.
    pub(super) async fn statements(&self, db: &Db) -> Result<Vec<Sql>, DbError> {
        let mut book = Book::read(db, &self.moves).await?;
        self.moves.iter().for_each(|(seq, moved)| book.apply(*seq, *moved));
        let cells = |(asset, (price, seq)): (&AssetId, &(Price, u64))| [Value::from(asset.0), price.0.into(), (*seq).into()];
        let prices: db::Rows = self.sampled.iter().map(cells).collect();
        let prices = (!prices.is_empty()).then(|| Sql::bulk(costs::INSERT_PRICE, costs::CHANGE_PRICE, prices));
        Ok(book.statements().into_iter().chain(prices).chain(self.flows.statements()).collect())
    }

    /// Only the current prices: the rest is about to be written.
    pub(super) fn written(self) -> Costs {
        Costs { prices: self.prices, ..Costs::default() }
    }
}

/// The events of one entry.
struct Entry<'a> {
    catalog: &'a Catalog,
    seq: u64,
    /// Due work has instants of its own.
    at: Time,
    /// The coin that costs are counted in.
    usdt: AssetId,
    /// The commitment whose coins were just delivered; their cost is reported after that.
    allotted: Option<u64>,
    costs: &'a mut Costs,
}

impl Entry<'_> {
    fn note(&mut self, moved: Move) {
        self.costs.moves.push((self.seq, moved));
    }

    /// Atoms of USDT cost themselves, and the house has no costs.
    fn key(&self, user: UserId, asset: AssetId) -> Option<Key> {
        (user != HOUSE && asset != self.usdt).then_some((user, asset))
    }

    fn price(&self, asset: AssetId) -> Option<Priced> {
        let scale = |asset| self.catalog.asset(asset).map(|facts| facts.scale);
        let scales = Scales { base: scale(asset)?, quote: scale(self.usdt)? };
        self.costs.prices.get(&asset).map(|price| Priced(*price, scales))
    }

    /// The value of atoms in USDT; `None` without a price.
    fn worth(&self, asset: AssetId, atoms: Amount) -> Option<Amount> {
        if asset == self.usdt { Some(atoms) } else { self.price(asset)?.worth(atoms) }
    }

    fn sample(&mut self, sample: &IndexSample) {
        let Some(market) = self.catalog.market(sample.market).filter(|market| market.quote == self.usdt) else { return };
        self.costs.prices.insert(market.base, sample.price);
        self.costs.sampled.insert(market.base, (sample.price, self.seq));
    }

    fn post(&mut self, posting: &Posting) {
        let member = |owner| if let Owner::Member(user, ..) = owner { Some(user) } else { None };
        let (payer, payee) = (member(posting.debit.owner), member(posting.credit.owner));
        // Between wallets, or from available to held and back.
        if payer == payee {
            return;
        }
        let Posting { asset, amount, kind, .. } = *posting;
        if is_outside(kind) {
            let worth = self.worth(asset, amount);
            self.costs.flows.add((self.seq, self.at), posting, (payer, payee), worth);
        }
        let from = payer.and_then(|user| self.key(user, asset));
        let to = payee.and_then(|user| self.key(user, asset));
        let moved = match kind {
            // A later event has what these were exchanged for.
            LineKind::SpotTrade
            | LineKind::SpotFee
            | LineKind::ConversionSold
            | LineKind::ConversionReceived
            | LineKind::ConversionFee
            | LineKind::LoanSold => None,
            LineKind::TokensAllotted => {
                self.allotted = Some(posting.credit.object_id);
                None
            }
            LineKind::WithdrawalDone | LineKind::WithdrawalFee => {
                from.map(|key| Move::SetAside(key, amount, Aside::Withdrawal(posting.debit.object_id)))
            }
            LineKind::OptionBought => from.map(|key| Move::SetAside(key, amount, Aside::Option(posting.debit.object_id))),
            LineKind::SubscriptionPaid => from.map(|key| Move::SetAside(key, amount, Aside::Commitment(posting.debit.object_id))),
            LineKind::WithdrawalBack => self.back(to, amount, Aside::Withdrawal(posting.credit.object_id)),
            LineKind::OptionSettled | LineKind::OptionRefunded => self.back(to, amount, Aside::Option(posting.credit.object_id)),
            LineKind::SubscriptionRefunded => self.back(to, amount, Aside::Commitment(posting.credit.object_id)),
            LineKind::Transfer
            | LineKind::SpotHold
            | LineKind::SpotRelease
            | LineKind::Faucet
            | LineKind::Endowment
            | LineKind::WithdrawalHold
            | LineKind::Deposit
            | LineKind::DepositCorrection
            | LineKind::TreasuryMove
            | LineKind::OptionFee
            | LineKind::ContractMargin
            | LineKind::ContractClose
            | LineKind::ContractLiquidation
            | LineKind::ContractOvernight
            | LineKind::ContractFee
            | LineKind::ContractRelease
            | LineKind::ContractHold
            | LineKind::LoanCollateral
            | LineKind::LoanRelease
            | LineKind::LoanPaidOut
            | LineKind::LoanRepayment
            | LineKind::SubscriptionProceeds
            | LineKind::TokensReleased
            | LineKind::Rebate
            | LineKind::PlanLocked
            | LineKind::PlanReleased
            | LineKind::PlanInterest
            | LineKind::PlanDeduction => {
                from.map(|key| Move::Out(key, amount)).or(to.map(|key| Move::In(key, amount, self.worth(asset, amount))))
            }
        };
        if let Some(moved) = moved {
            self.note(moved);
        }
    }

    fn back(&self, to: Option<Key>, amount: Amount, object: Aside) -> Option<Move> {
        to.map(|key| Move::Back(key, amount, object, self.price(key.1)))
    }

    /// One coin for another: the coin given was sold, and the coin received was bought, for the same value.
    fn exchange(&mut self, user: UserId, (given, gave): (AssetId, Amount), (received, got): (AssetId, Amount), value: Option<Amount>) {
        if let Some(key) = self.key(user, given) {
            self.note(Move::Sold(key, gave, value));
        }
        if let Some(key) = self.key(user, received) {
            self.note(Move::In(key, got, value));
        }
    }

    fn trade(&mut self, trade: &Trade) {
        let Some((base, quote)) = self.catalog.market(trade.market).map(|market| (market.base, market.quote)) else { return };
        for (TradeParty { user, fee, .. }, side) in [(trade.taker, trade.taker_side), (trade.maker, trade.taker_side.opposite())] {
            if user == HOUSE {
                continue;
            }
            match side {
                Side::Buy => {
                    let got = trade.quantity.saturating_sub(fee);
                    self.exchange(user, (quote, trade.value), (base, got), self.worth(quote, trade.value));
                }
                Side::Sell => {
                    let got = trade.value.saturating_sub(fee);
                    self.exchange(user, (base, trade.quantity), (quote, got), self.worth(quote, got));
                }
            }
        }
    }

    fn account(&mut self, change: &AccountEvent) {
        match change {
            AccountEvent::Converted(done) => self.convert(done),
            AccountEvent::LoanChanged(loan, _) => self.sell_collateral(loan),
            AccountEvent::CommitmentChanged(commitment) => self.commitment(commitment),
            // Its payout was posted before.
            AccountEvent::OptionChanged(option) if option.status != OptionStatus::Open => {
                self.close(option.user, option.asset, Aside::Option(option.id.0), None);
            }
            AccountEvent::WithdrawalChanged(withdrawal)
                if matches!(withdrawal.status, WithdrawalStatus::Confirmed | WithdrawalStatus::Returned) =>
            {
                self.close(withdrawal.user, withdrawal.asset, Aside::Withdrawal(withdrawal.id.0), None);
            }
            // These buy and sell no coin.
            AccountEvent::OptionChanged(_)
            | AccountEvent::WithdrawalChanged(_)
            | AccountEvent::AddressAdded(_)
            | AccountEvent::AddressRemoved { .. }
            | AccountEvent::CardAdded(_)
            | AccountEvent::CardRemoved { .. }
            | AccountEvent::DepositChanged(_)
            | AccountEvent::ObservationChanged(_)
            | AccountEvent::IdentityChanged(_)
            | AccountEvent::SecurityChanged(_)
            | AccountEvent::ProposalChanged(_)
            | AccountEvent::CatalogChanged(_)
            | AccountEvent::Paused { .. }
            | AccountEvent::Audited { .. }
            | AccountEvent::OperatorChanged(_)
            | AccountEvent::IncidentChanged(_)
            | AccountEvent::PayoutDisputed(_)
            | AccountEvent::ContractChanged(_)
            | AccountEvent::OfferingChanged(_)
            | AccountEvent::RebatePaid(_)
            | AccountEvent::PlanChanged(_) => {}
        }
    }

    /// USDT is never set aside.
    fn close(&mut self, user: UserId, asset: AssetId, object: Aside, proceeds: Option<Amount>) {
        if self.key(user, asset).is_some() {
            self.note(Move::Closed(object, proceeds));
        }
    }

    fn convert(&mut self, done: &Conversion) {
        let deal = done.deal;
        // A quote is valued in the coin of the bank terms.
        let value = if deal.from == self.usdt {
            deal.amount
        } else if deal.to == self.usdt {
            deal.net()
        } else {
            deal.value
        };
        self.exchange(done.user, (deal.from, deal.amount), (deal.to, deal.net()), Some(value));
    }

    /// A sale ends its loan, so it is reported once.
    fn sell_collateral(&mut self, loan: &Loan) {
        let Some(sale) = loan.sale else { return };
        let Some(key) = self.key(loan.user, loan.collateral_asset) else { return };
        let paid = self.worth(loan.terms.asset, sale.debt.saturating_sub(sale.shortfall));
        self.note(Move::Sold(key, sale.sold, paid));
    }

    fn commitment(&mut self, commitment: &Commitment) {
        let Commitment { id, user, token, asset, tokens, cost, .. } = *commitment;
        if self.allotted.take_if(|allotted| *allotted == id.0).is_some() {
            self.close(user, asset, Aside::Commitment(id.0), Some(cost));
            if let Some(key) = self.key(user, token) {
                self.note(Move::In(key, tokens, Some(cost)));
            }
        } else if commitment.status == CommitmentStatus::Refunded {
            self.close(user, asset, Aside::Commitment(id.0), None);
        }
    }
}

#[cfg(test)]
mod tests;

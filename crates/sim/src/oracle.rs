//! A deliberately naive model of the rules (`docs/rules.md`): signed 128-bit integers, sorted lists, everything recomputed each time.
//!
//! It was written from the rules and shares no code with the engine but the types of commands. Where the two differ, one of them is wrong.

mod changes;
mod contracts;
mod conversions;
mod credits;
mod funding;
mod house;
mod index;
mod limits;
mod loans;
mod operators;
mod options;
mod payouts;
mod people;
mod plans;
mod referral;
mod spot;
mod subscriptions;

use std::collections::{BTreeMap, BTreeSet};

use engine::catalog::Wallet;
use engine::command::{Command, Entry, Mode};
use engine::feature::Feature;
use engine::spot::OrderRef;

pub use house::{Numbers, WRONG_HASH};
pub use spot::{Deal, Order, State};
pub(crate) use spot::{PAIRS, Pair};

/// 24 h, ms.
const REQUEST_KEPT: u64 = 86_400_000;
/// 0.1: one amount is below 10^18.
const AMOUNT_LIMIT: i128 = 1_000_000_000_000_000_000;
/// 0.1: one price is below 10^16.
const PRICE_LIMIT: i128 = 10_000_000_000_000_000;

/// A coin of the standard list: number, decimals.
const COINS: [(u32, u32); 4] = [(1, 8), (2, 8), (3, 6), (4, 6)];

/// A refusal: its name on the wire, and for a short balance the available and needed amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Name.
    pub name: &'static str,
    /// Coin, available and needed atoms of `E_INSUFFICIENT`.
    pub short: Option<(u32, i128, i128)>,
}

/// The reply to a command that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// No reply.
    Nothing,
    /// Order placed.
    Placed(u64),
    /// Order cancelled.
    Cancelled(u64),
    /// Order moved: the old one and the new one.
    Moved(u64, u64),
    /// Orders cancelled.
    CancelledAll(Vec<u64>),
    /// Available in both wallets.
    Transferred(i128, i128),
    /// Available afterwards.
    Credited(i128),
    /// Price.
    Priced(i128),
    /// An object in its present state, as text.
    Object(String),
}

/// The model's answer to one entry.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Done or refused.
    pub result: Result<Done, Refusal>,
    /// The first entry, if this was a repetition.
    pub repeats: Option<u64>,
    /// Trades of this entry.
    pub deals: Vec<Deal>,
    /// Index samples of this entry: pair, instant, price.
    pub samples: Vec<(u32, u64, i128)>,
}

/// The state of the model.
#[derive(Debug)]
pub struct Oracle {
    mode: Option<Mode>,
    /// Journal time, ms.
    pub now: u64,
    /// Members in the order in which they joined.
    pub members: Vec<u64>,
    /// Everything in a wallet, held or not.
    money: BTreeMap<(u64, Wallet, u32), i128>,
    /// Balance of the house fee account for each coin.
    pub fees: BTreeMap<u32, i128>,
    /// Everything that came in from outside for each coin.
    outside: BTreeMap<u32, i128>,
    /// Largest faucet call for each coin, from genesis.
    faucet: BTreeMap<u32, i128>,
    spot: spot::SpotModel,
    indices: BTreeMap<u32, index::Feed>,
    requests: BTreeMap<u128, KnownObject>,
    world: house::World,
    options: options::Market,
    contracts: contracts::Pit,
    conversions: conversions::Counter,
    loans: loans::Shop,
    subscriptions: subscriptions::SubscriptionModel,
    referral: referral::Referral,
    plans: plans::Vault,
    /// Rules of later releases that are active.
    features: BTreeSet<Feature>,
    /// Number of the present entry.
    entry: u64,
}

#[derive(Debug)]
struct KnownObject {
    content: u128,
    seq: u64,
    time: u64,
    result: Result<Done, Refusal>,
}

/// A refusal without figures.
fn refuse<T>(name: &'static str) -> Result<T, Refusal> {
    Err(Refusal { name, short: None })
}

fn need(holds: bool, name: &'static str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { refuse(name) }
}

impl Default for Oracle {
    fn default() -> Oracle {
        Oracle {
            mode: None,
            now: 0,
            members: Vec::new(),
            money: BTreeMap::new(),
            fees: BTreeMap::new(),
            outside: BTreeMap::new(),
            faucet: BTreeMap::new(),
            spot: spot::SpotModel::default(),
            indices: index::standard(),
            requests: BTreeMap::new(),
            world: house::World::default(),
            options: options::Market::default(),
            contracts: contracts::Pit::default(),
            conversions: conversions::Counter::default(),
            loans: loans::Shop::default(),
            subscriptions: subscriptions::SubscriptionModel::default(),
            referral: referral::Referral::default(),
            plans: plans::Vault::default(),
            features: BTreeSet::new(),
            entry: 0,
        }
    }
}

impl Oracle {
    /// Applies an entry by the rules.
    pub fn apply(&mut self, entry: &Entry) -> Answer {
        let before = self.now;
        self.now = entry.time.0;
        self.entry = entry.seq.0;
        let now = self.now;
        self.begin_pool_day();
        self.begin_option_day();
        self.run_due();
        self.forget_finals();
        self.forget_quotes();
        self.requests.retain(|_, kept| now - kept.time <= REQUEST_KEPT);
        let (mut deals, mut samples) = (Vec::new(), Vec::new());
        let Some(request) = entry.request else {
            let result = self.execute(entry, before, &mut deals, &mut samples);
            return Answer { result, repeats: None, deals, samples };
        };
        if let Some(kept) = self.requests.get(&request.key) {
            if kept.content != request.content {
                return Answer { result: refuse("E_DUP_REQUEST"), repeats: None, deals, samples };
            }
            return Answer { result: kept.result.clone(), repeats: Some(kept.seq), deals, samples };
        }
        let result = self.execute(entry, before, &mut deals, &mut samples);
        self.requests.insert(request.key, KnownObject { content: request.content, seq: entry.seq.0, time: now, result: result.clone() });
        Answer { result, repeats: None, deals, samples }
    }

    fn execute(&mut self, entry: &Entry, before: u64, deals: &mut Vec<Deal>, samples: &mut Vec<(u32, u64, i128)>) -> Result<Done, Refusal> {
        match &entry.command {
            Command::Genesis(genesis) => {
                need(self.mode.is_none(), "E_PATH")?;
                self.mode = Some(genesis.mode);
                self.faucet = genesis.catalog.assets.iter().map(|coin| (coin.id.0, i128::from(coin.faucet_max))).collect();
                for market in &genesis.catalog.markets {
                    let (quantity, value) = ((market.min_quantity, market.max_quantity), (market.min_notional, market.max_notional));
                    self.set_filters(market.id, quantity, value, [market.band_buy, market.band_sell]);
                }
                for (account, coin, atoms) in &genesis.endowments {
                    *self.outside.entry(coin.0).or_default() += i128::from(*atoms);
                    *self.world.pools.entry((*account, coin.0)).or_default() += i128::from(*atoms);
                }
                Ok(Done::Nothing)
            }
            Command::Clock => Ok(Done::Nothing),
            Command::RecordState { seq, .. } => {
                need(seq.0 < self.entry, "E_STATE")?;
                Ok(Done::Nothing)
            }
            Command::RecordLiabilities(record) => {
                need(record.seq.0 < self.entry, "E_STATE")?;
                Ok(Done::Nothing)
            }
            Command::Activate(feature) => {
                need(self.entry > 1 && self.features.insert(*feature), "E_STATE")?;
                match feature {
                    Feature::Payments => self.date_credits(),
                    Feature::FinalPayments => self.begin_finals(),
                    Feature::Options => self.begin_options(),
                    Feature::Contracts => self.begin_contracts(),
                    Feature::Conversions => self.begin_conversions(),
                    Feature::Loans => self.begin_loans(),
                    Feature::Subscriptions => self.begin_subscriptions(),
                    Feature::Plans => self.begin_plans(),
                    Feature::RiskBounds => self.begin_option_day(),
                    _ => {}
                }
                Ok(Done::Nothing)
            }
            Command::DeclareOperator(declared) => self.declare(declared),
            Command::BuyOption(buy) => self.buy_option(entry.seq.0, buy),
            Command::OpenContract(order) => self.open_contract(entry.seq.0, order),
            Command::CloseContract { user, position } => self.close_contract(user.0, position.0),
            Command::SetContractStops { user, position, take_profit, stop_loss } => {
                self.set_contract_stops(user.0, position.0, *take_profit, *stop_loss)
            }
            Command::CancelContract { user, position } => self.cancel_contract(user.0, position.0),
            Command::QuoteConversion(wanted) => self.ask(entry.seq.0, wanted),
            Command::AcceptQuote { user, quote } => self.accept(entry.seq.0, user.0, quote.0),
            Command::Convert { wanted, min_net } => self.convert(entry.seq.0, wanted, *min_net),
            Command::ApplyForLoan(apply) => self.apply_for_loan(entry.seq.0, apply),
            Command::RepayLoan { user, loan, amount, max_debt } => self.repay_loan(user.0, loan.0, (*amount, *max_debt)),
            Command::AddCollateral { user, loan, amount } => self.add_collateral(user.0, loan.0, *amount),
            Command::CancelLoan { user, loan } => self.cancel_loan(user.0, loan.0),
            Command::CommitToOffering(commit) => self.commit(entry.seq.0, commit),
            Command::BuyPlan(buy) => self.buy_plan(entry.seq.0, buy),
            Command::RedeemPlan(redeem) => self.redeem_plan(redeem),
            Command::RegisterMember { user, .. } => {
                need(!self.members.contains(&user.0), "E_STATE")?;
                self.members.push(user.0);
                Ok(Done::Nothing)
            }
            Command::RegisterInvited { user, inviter } => self.register_invited(user.0, inviter.0),
            Command::PublishQuotes(all) => {
                self.publish(all, deals, samples);
                Ok(Done::Nothing)
            }
            Command::PlaceSpotOrder(place) => {
                self.member(place.user.0)?;
                self.check_new_order(place.user.0, place.market.0)?;
                self.place(entry.seq.0, place, deals)?;
                Ok(Done::Placed(entry.seq.0))
            }
            Command::CancelSpotOrder { user, order } => {
                self.member(user.0)?;
                self.cancel(user.0, order).map(Done::Cancelled)
            }
            Command::MoveSpotOrder { user, order, price } => {
                let old = self.live_order(user.0, &OrderRef::Id(*order))?;
                let (pair, waits) = self.spot.live.get(&old).map_or((0, true), |order| (order.pair, order.state == State::Waiting));
                need(!waits, "E_STATE")?;
                self.check_new_order(user.0, pair)?;
                self.move_order(entry.seq.0, user.0, old, *price, deals).map(|replaced| Done::Moved(replaced, entry.seq.0))
            }
            Command::CancelAllSpotOrders { user, base, quote } => {
                self.member(user.0)?;
                Ok(Done::CancelledAll(self.spot.cancel_all(user.0, base.map(|coin| coin.0), quote.map(|coin| coin.0))))
            }
            Command::Transfer { user, asset, from, to, amount } => {
                self.member(user.0)?;
                self.transfer(user.0, asset.0, *from, *to, i128::from(*amount))
            }
            Command::AddAddress { user, asset, chain, destination, verification } => {
                self.add_address(entry.seq.0, user.0, (asset.0, *chain), *destination, *verification)
            }
            Command::RemoveAddress { user, address } => self.remove_stored(user.0, address.0, false),
            Command::AddCard { user, number, .. } => self.add_card(entry.seq.0, user.0, *number),
            Command::RemoveCard { user, card } => self.remove_stored(user.0, card.0, true),
            Command::ClaimDeposit { user, claimed, .. } => self.claim(entry.seq.0, user.0, *claimed),
            Command::Withdraw(wanted) => self.withdraw(entry.seq.0, wanted),
            Command::CancelWithdrawal { user, withdrawal } => self.cancel_paper(user.0, withdrawal.0),
            Command::SetFundPassword { user, change } => self.set_fund_password(user.0, *change),
            Command::RecordSecurityChange { user } => {
                let now = self.now;
                self.person(user.0)?.changed = Some(now);
                self.security_done(user.0)
            }
            Command::FreezeSelf { user, until } => self.freeze_self(user.0, until.map(|until| until.0)),
            Command::SetSelfLimits { user, changes } => self.set_limits(user.0, changes),
            Command::SubmitIdentity { user, level, document, .. } => self.submit(entry.seq.0, user.0, *level, *document),
            Command::ObserveDeposit { tx, observed, confirmations } => self.observe(entry.seq.0, *tx, *observed, *confirmations),
            Command::ReportReorganisation { tx } => self.vanish(*tx),
            Command::ReportPayout(report) => self.report_payout(report),
            Command::Operate(operate) => self.operate(entry.seq.0, operate),
            Command::SandboxFaucet { user, asset, wallet, amount } => {
                self.sandbox()?;
                self.member(user.0)?;
                self.faucet(user.0, asset.0, *wallet, i128::from(*amount))
            }
            Command::SandboxClock => {
                self.sandbox()?;
                need(self.now - before <= 366 * 86_400_000, "E_TIME")?;
                Ok(Done::Nothing)
            }
            Command::SandboxPrice { market, price } => {
                self.sandbox()?;
                self.pin(market.0, i128::from(price.0), deals, samples)
            }
            Command::SandboxFeed { market, halt } => {
                self.sandbox()?;
                self.feed(market.0, *halt)
            }
        }
    }

    fn sandbox(&self) -> Result<(), Refusal> {
        need(self.mode == Some(Mode::Sandbox), "E_PATH")
    }

    fn member(&self, user: u64) -> Result<(), Refusal> {
        need(self.members.contains(&user), "E_NOT_FOUND")
    }

    /// Available and held atoms; `None` if the wallet does not admit the coin (TR-1).
    pub fn balance(&self, user: u64, wallet: Wallet, coin: u32) -> Option<(i128, i128)> {
        let listed = COINS.iter().any(|(number, _)| *number == coin);
        if !listed || (wallet == Wallet::Futures && coin != 3) {
            return None;
        }
        let total = self.money.get(&(user, wallet, coin)).copied().unwrap_or(0);
        let papers = self.world.papers.iter().filter(|paper| (paper.user, paper.coin, paper.state) == (user, coin, "UnderReview"));
        let withdrawn: i128 = papers.map(|paper| paper.amount).sum();
        let held = match wallet {
            Wallet::Spot => self.spot.held(user, coin) + withdrawn + self.held_by_loans(user, coin),
            Wallet::Futures => self.held_by_contracts(user),
            Wallet::BinaryOptions => 0,
            Wallet::Earn => self.held_by_plans(user, coin),
        };
        Some((total - held, held))
    }

    fn add(&mut self, user: u64, wallet: Wallet, coin: u32, atoms: i128) {
        *self.money.entry((user, wallet, coin)).or_default() += atoms;
    }

    /// TR-1 to TR-4.
    fn transfer(&mut self, user: u64, coin: u32, from: Wallet, to: Wallet, amount: i128) -> Result<Done, Refusal> {
        need(from != to, "E_ACCOUNT")?;
        let (Some((available, _)), Some(_)) = (self.balance(user, from, coin), self.balance(user, to, coin)) else {
            return refuse("E_ASSET");
        };
        need(amount > 0 && amount < AMOUNT_LIMIT, "E_AMOUNT")?;
        let now = self.now;
        self.person(user)?.check_frozen(now, true)?;
        if available < amount {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((coin, available, amount)) });
        }
        self.add(user, from, coin, -amount);
        self.add(user, to, coin, amount);
        let left = |wallet| self.balance(user, wallet, coin).map_or(0, |balance| balance.0);
        Ok(Done::Transferred(left(from), left(to)))
    }

    /// Paper funds: at most the coin's largest call; all that ever came in stays below the limit of an amount.
    fn faucet(&mut self, user: u64, coin: u32, wallet: Wallet, amount: i128) -> Result<Done, Refusal> {
        let Some((available, _)) = self.balance(user, wallet, coin) else { return refuse("E_ASSET") };
        need(amount > 0, "E_AMOUNT")?;
        need(amount <= self.faucet.get(&coin).copied().unwrap_or(0), "E_FAUCET_MAX")?;
        let outside = self.outside.entry(coin).or_default();
        need(*outside + amount < AMOUNT_LIMIT, "E_OVERFLOW")?;
        *outside += amount;
        self.add(user, wallet, coin, amount);
        Ok(Done::Credited(available + amount))
    }

    /// What a new order needs before the rules of its pair.
    fn check_new_order(&mut self, user: u64, pair: u32) -> Result<(), Refusal> {
        self.check_pause("spot", Some(pair))?;
        let now = self.now;
        self.person(user)?.check_frozen(now, true)?;
        need(!self.world.retired.contains(&pair) && !self.is_retiring_now(pair), "E_MARKET")
    }

    fn cancel(&mut self, user: u64, order: &OrderRef) -> Result<u64, Refusal> {
        let id = self.live_order(user, order)?;
        self.spot.finish(id, State::Cancelled, Some("USER"));
        Ok(id)
    }

    /// The number of a user's live order.
    fn live_order(&self, user: u64, order: &OrderRef) -> Result<u64, Refusal> {
        let id = match order {
            OrderRef::Id(id) => id.0,
            OrderRef::Client(client) => self.spot.by_client_id(user, client.as_str()).map_or(0, |order| order.id),
        };
        if self.spot.live.get(&id).is_some_and(|order| order.user == user) {
            return Ok(id);
        }
        refuse(if self.spot.was_of(user, id) { "E_STATE" } else { "E_NOT_FOUND" })
    }

    /// Live orders by number.
    pub fn live(&self) -> &BTreeMap<u64, Order> {
        &self.spot.live
    }

    /// An order, live or recently finished.
    pub fn order(&self, id: u64) -> Option<&Order> {
        self.spot.live.get(&id).or_else(|| self.spot.finished.iter().rev().find(|order| order.id == id))
    }

    /// Open orders of one side of a pair in trading order (S-1).
    pub fn side(&self, pair: u32, buy: bool) -> Vec<&Order> {
        self.spot.side(pair, buy)
    }

    /// Price of the last trade of a pair.
    pub fn last_trade(&self, pair: u32) -> Option<i128> {
        self.spot.last_trades.get(&pair).copied()
    }

    /// The last sample of a pair's index: instant and price.
    pub fn last_sample(&self, pair: u32) -> Option<(u64, i128)> {
        self.indices.get(&pair)?.last
    }

    /// the price at journal time, if the last sample is at most 3 000 ms old and nothing contradicts it.
    pub fn fresh(&self, pair: u32) -> Option<i128> {
        self.last_sample(pair).filter(|_| !self.contradicted(pair)).filter(|(time, _)| self.now - time <= 3_000).map(|(_, price)| price)
    }
}

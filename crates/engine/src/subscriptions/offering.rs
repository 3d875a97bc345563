//! Offerings and commitments: their data, and what the terms of an offering must satisfy (6.1).

use serde::{Deserialize, Serialize};

use super::formulas::{Issue, Tranche};
use super::status::{CommitmentStatus, OfferingStatus};
use crate::amount::{Amount, MAX_AMOUNT, Price, RATE_ONE, Rate};
use crate::catalog::{Asset, Market, Wallet};
use crate::ids::{AssetId, CommitmentId, MarketId, OfferingId, UserId};
use crate::time::{DAY_MS, Time};
use crate::units::{Base, Scales};

/// An offering that is not launched within this time after its close is cancelled, ms (6.2).
pub const LAUNCH_WITHIN_MS: u64 = 30 * DAY_MS;
/// Largest oversubscription factor: then no product of an allocation passes 128 bits.
const MOST_OVERSUB: u32 = 100;
/// Most tranches and most payment coins.
const MOST_ROWS: usize = 60;
/// The last day of a schedule: ten years.
const LAST_DAY: u32 = 3_650;

/// The terms of an offering. Two operators agree on them; they never change once it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Number.
    pub id: OfferingId,
    /// The token, which is listed at the launch.
    pub token: Asset,
    /// Its pair, which is listed at the launch.
    pub market: Market,
    /// Atoms of the token.
    pub supply: Amount,
    /// Price of one token in the quote coin of the pair; the first reference of the pair (S-5).
    pub price: Price,
    /// Coins accepted as payment, the usual one first.
    pub pay: Vec<AssetId>,
    /// The first instant at which commitments are accepted.
    pub start: Time,
    /// The instant from which on none are.
    pub close: Time,
    /// The earliest instant of the launch.
    pub launch: Time,
    /// When the tokens are released (N-6).
    pub release: Vec<Tranche>,
    /// Smallest commitment, value.
    pub min: Amount,
    /// Largest sum of one member's commitments, value.
    pub user_cap: Amount,
    /// Commitments are accepted up to this multiple of the supply's value.
    pub oversub: u32,
}

impl Terms {
    /// Supply, price and decimals; `quote_scale` is that of the quote coin.
    pub fn issue(&self, quote_scale: u8) -> Issue {
        Issue { supply: self.supply, price: self.price, scales: Scales { base: self.token.scale, quote: quote_scale } }
    }

    /// The last instant of a launch: at it the offering is cancelled.
    pub fn launch_until(&self) -> Time {
        self.close.plus(LAUNCH_WITHIN_MS)
    }

    /// Figures, instants and schedule are allowed; the catalog judges token and pair.
    pub(crate) fn are_sound(&self, quote_scale: u8) -> bool {
        let scales = Scales { base: self.token.scale, quote: quote_scale };
        let value = self.issue(quote_scale).value().filter(|_| Base(self.supply).value_ceil(self.price, scales).is_ok());
        let most = value.and_then(|value| value.checked_mul(u64::from(self.oversub))).filter(|most| *most < MAX_AMOUNT);
        let figures = self.supply > 0 && self.supply < MAX_AMOUNT && self.price.in_bounds() && (1..=MOST_OVERSUB).contains(&self.oversub);
        let bounds = self.min > 0 && self.min <= self.user_cap && self.user_cap < MAX_AMOUNT && most.is_some_and(|most| self.min <= most);
        let instants = self.start < self.close && self.close <= self.launch && self.launch < self.launch_until();
        let once = self.pay.iter().enumerate().all(|(at, coin)| !self.pay.iter().take(at).any(|other| other == coin));
        let coins = !self.pay.is_empty() && self.pay.len() <= MOST_ROWS && once;
        figures && bounds && instants && coins && self.releases_all() && self.market.base == self.token.id
    }

    /// Days and shares rise, and the last share is all.
    fn releases_all(&self) -> bool {
        let rising = self.release.is_sorted_by(|(day, share), (next_day, next)| day < next_day && share < next);
        let first = self.release.first().is_some_and(|(day, share)| *day > 0 && share.0 > 0);
        let last = self.release.last().is_some_and(|(day, share)| *day <= LAST_DAY && share.0 == RATE_ONE);
        rising && first && last && self.release.len() <= MOST_ROWS
    }

    /// The two paper offerings of a new sandbox: one that runs from now on, and one that follows it.
    pub(crate) fn sandbox(now: Time, price_coin: AssetId, pays: &[AssetId]) -> Vec<Terms> {
        const CENT: u64 = 1_000_000;
        const TOKEN: u64 = 100_000_000;
        let month = |count: u64| now.plus(count.saturating_mul(30).saturating_mul(DAY_MS));
        let terms = |id: u32, code: &str, (supply, price): (u64, u64), start, close: Time, release: &[(u32, u64)]| Terms {
            id: OfferingId(id),
            token: Asset {
                id: AssetId(SANDBOX_NUMBERS.saturating_add(id)),
                code: code.to_owned(),
                scale: 8,
                wallets: vec![Wallet::Spot],
                faucet_max: 0,
            },
            market: Market {
                id: MarketId(SANDBOX_NUMBERS.saturating_add(id)),
                symbol: format!("{code}/USDT"),
                base: AssetId(SANDBOX_NUMBERS.saturating_add(id)),
                quote: price_coin,
                tick: Price(10_000),
                step: CENT,
                min_quantity: CENT,
                max_quantity: supply.saturating_mul(TOKEN),
                min_notional: 5_000_000,
                max_notional: 1_000_000_000_000,
                maker_fee: Rate(80_000),
                taker_fee: Rate(100_000),
                band_buy: (Rate(50_000_000), Rate(105_000_000)),
                band_sell: (Rate(95_000_000), Rate(200_000_000)),
            },
            supply: supply.saturating_mul(TOKEN),
            price: Price(price.saturating_mul(CENT)),
            pay: pays.to_vec(),
            start,
            close,
            launch: close.plus(DAY_MS),
            release: release.iter().map(|(day, percent)| (*day, Rate(percent.saturating_mul(CENT)))).collect(),
            min: 10_000_000,
            user_cap: 10_000_000_000,
            oversub: 10,
        };
        vec![
            terms(1, "NOVA", (200_000, 50), now, month(1), &[(7, 100)]),
            terms(2, "AURUM", (500_000, 20), month(1), month(2), &[(30, 25), (60, 50), (90, 75), (120, 100)]),
        ]
    }
}

/// Coins and pairs of the sandbox's offerings have numbers above this, so those that operators list first stay free.
const SANDBOX_NUMBERS: u32 = 1_000;

/// A step that is executed for each commitment of an offering, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Tokens are allotted and the rest is returned (N-3, N-4).
    Allot,
    /// Charges go to the proceeds, tokens to the wallets (N-5).
    Deliver,
    /// A tranche is released (N-6).
    Release,
    /// Charges are returned (6.2).
    Return,
}

/// Remaining work: every commitment from this one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The step.
    pub step: Step,
    /// The next commitment.
    pub next: CommitmentId,
}

/// An offering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offering {
    /// Its terms.
    pub terms: Terms,
    /// Decimals of the quote coin.
    pub quote_scale: u8,
    /// State.
    pub status: OfferingStatus,
    /// When it was listed.
    pub listed: Time,
    /// Value of all commitments.
    pub committed: Amount,
    /// Atoms of the token that all commitments together want (N-3).
    pub wanted: u128,
    /// Commitments that were accepted.
    pub commitments: u64,
    /// Atoms of the token that were allotted.
    pub sold: Amount,
    /// When it was launched.
    pub launched: Option<Time>,
    /// Tranches released so far.
    pub tranches: u32,
    /// The step in progress for its commitments.
    pub work: Option<Work>,
    /// When something is done next.
    pub due: Option<Time>,
}

impl Offering {
    /// Supply, price and decimals.
    pub fn issue(&self) -> Issue {
        self.terms.issue(self.quote_scale)
    }

    /// The value of commitments up to which more are accepted (N-2).
    pub fn limit(&self) -> Amount {
        self.issue().value().unwrap_or(0).saturating_mul(u64::from(self.terms.oversub))
    }

    /// The next tranche, with its release instant (N-6).
    pub fn next_tranche(&self) -> Option<(Time, Rate)> {
        let (day, share) = self.terms.release.get(crate::ids::to_usize(self.tranches))?;
        Some((self.tranche_at(*day)?, *share))
    }

    fn tranche_at(&self, day: u32) -> Option<Time> {
        Some(Time::of_day(self.launched?.day().saturating_add(u64::from(day))))
    }

    /// Commitments are accepted at this instant, or would be if they fitted.
    pub fn is_open(&self, now: Time) -> bool {
        let selling = matches!(self.status, OfferingStatus::Open | OfferingStatus::SoldOut);
        selling && self.terms.start <= now && now < self.terms.close
    }
}

/// Commit a payment to an offering (N-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Owner.
    pub user: UserId,
    /// To which.
    pub offering: OfferingId,
    /// Payment coin.
    pub asset: AssetId,
    /// Atoms, from the spot wallet.
    pub amount: Amount,
}

/// A commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment {
    /// Number: the sequence of its entry.
    pub id: CommitmentId,
    /// Owner.
    pub user: UserId,
    /// To which offering.
    pub offering: OfferingId,
    /// Its token.
    pub token: AssetId,
    /// Payment coin.
    pub asset: AssetId,
    /// Atoms that were paid.
    pub paid: Amount,
    /// Value, fixed when it was paid: atoms of the quote coin, rounded down.
    pub value: Amount,
    /// State.
    pub status: CommitmentStatus,
    /// Atoms of the token.
    pub tokens: Amount,
    /// Cost of the tokens, atoms of the quote coin.
    pub cost: Amount,
    /// Charge, atoms of the payment coin.
    pub charge: Amount,
    /// Returned, atoms of the payment coin.
    pub refund: Amount,
    /// Atoms of the token that were released.
    pub released: Amount,
    /// When it was paid.
    pub created: Time,
    /// When it last changed.
    pub changed: Time,
}

impl Commitment {
    /// The escrow holds something of this coin for it.
    pub fn binds(&self, coin: AssetId) -> bool {
        match self.status {
            CommitmentStatus::Review => coin == self.asset,
            CommitmentStatus::Passed => coin == self.asset || coin == self.token,
            CommitmentStatus::Locked | CommitmentStatus::Released | CommitmentStatus::Refunded => false,
        }
    }

    /// Nothing happens to it any more.
    pub fn is_over(&self) -> bool {
        match self.status {
            CommitmentStatus::Released | CommitmentStatus::Refunded => true,
            CommitmentStatus::Review | CommitmentStatus::Passed | CommitmentStatus::Locked => false,
        }
    }
}

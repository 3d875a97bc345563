//! Terms of deposits and withdrawals (10, 11): networks, bank transfers, limits. They are part of the catalog.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT, PRICE_ONE, Price, Rate};
use crate::ids::AssetId;
use crate::units::{product, rate_up};

/// A chain that coins travel on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Chain {
    /// Bitcoin.
    Btc,
    /// Ethereum and its tokens.
    Erc20,
    /// Tron tokens.
    Trc20,
}

impl Chain {
    /// All chains.
    pub const ALL: [Chain; 3] = [Chain::Btc, Chain::Erc20, Chain::Trc20];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Chain::Btc => "BTC",
            Chain::Erc20 => "ERC20",
            Chain::Trc20 => "TRC20",
        }
    }
}

/// A coin on a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// Coin.
    pub asset: AssetId,
    /// Chain.
    pub chain: Chain,
    /// Smallest credited deposit, atoms (D-2, D-4).
    pub deposit_min: Amount,
    /// Confirmations before a credit (D-4).
    pub confirmations: u32,
    /// Smallest withdrawal, atoms; above the fee.
    pub withdraw_min: Amount,
    /// Fee inside the amount of a withdrawal, atoms (W-6).
    pub withdraw_fee: Amount,
    /// Claims are accepted.
    pub deposit_on: bool,
    /// Applications are accepted.
    pub withdraw_on: bool,
}

/// Bank transfers: US dollars outside, one coin inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankTerms {
    /// The coin that bank transfers are credited in and paid from (USDT).
    pub asset: AssetId,
    /// Smallest transfer in, US cents.
    pub deposit_min_cents: u64,
    /// Largest claim, US cents (D-5).
    pub deposit_max_cents: u64,
    /// Coins for one US dollar, price units; fixed when a claim is made (10.2).
    pub deposit_rate: Price,
    /// Smallest withdrawal to a card, atoms; above the fee.
    pub withdraw_min: Amount,
    /// Smallest fee of a withdrawal to a card, atoms.
    pub withdraw_fee_min: Amount,
    /// Fee of a withdrawal to a card as a share of the amount, rounded up.
    pub withdraw_fee: Rate,
    /// US dollars for one coin, price units; fixed at submission (W-10).
    pub payout_rate: Price,
    /// Claims are accepted.
    pub deposit_on: bool,
    /// Applications are accepted.
    pub withdraw_on: bool,
}

/// Bounds of money coming in and going out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Withdrawal applications of one member and UTC day (W-4).
    pub withdrawals_per_day: u32,
    /// Value of one UTC day's applications with basic verification, atoms of the coin of [`BankTerms::asset`] (W-5).
    pub withdraw_day_basic: Amount,
    /// The same with advanced verification.
    pub withdraw_day_advanced: Amount,
    /// A deposit that a watcher saw is credited without an operator below this value (D-5).
    pub deposit_unattended_below: Amount,
    /// Largest manual deposit by operators, for each coin in atoms (D-5).
    pub hand_entry_max: Vec<(AssetId, Amount)>,
    /// Open deposit claims of one member (D-2).
    pub open_claims: u32,
    /// Stored withdrawal addresses of one member (W-1).
    pub addresses: u32,
    /// Stored bank cards of one member (K-3).
    pub cards: u32,
}

/// All terms of money coming in and going out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FundingTerms {
    /// Coins on chains.
    pub networks: Vec<Network>,
    /// Bank transfers.
    pub bank: BankTerms,
    /// Bounds.
    pub limits: Limits,
}

impl FundingTerms {
    /// The coin on the chain, if it is listed.
    pub fn network(&self, asset: AssetId, chain: Chain) -> Option<&Network> {
        self.networks.iter().find(|network| network.asset == asset && network.chain == chain)
    }

    /// What is wrong with these terms, if anything; `listed` says which coins there are.
    pub(super) fn fault(&self, listed: impl Fn(AssetId) -> bool) -> Option<String> {
        for (at, network) in self.networks.iter().enumerate() {
            let Network { asset, chain, deposit_min, withdraw_min, withdraw_fee, .. } = *network;
            let repeated = self.networks.iter().take(at).any(|other| other.asset == asset && other.chain == chain);
            let bounds = deposit_min > 0 && deposit_min < MAX_AMOUNT && withdraw_min > withdraw_fee && withdraw_min < MAX_AMOUNT;
            if repeated || !bounds || !listed(asset) || network.confirmations == 0 {
                return Some(format!("coin {} on {}", asset.0, chain.name()));
            }
        }
        let BankTerms { asset, deposit_min_cents, deposit_max_cents, deposit_rate, payout_rate, .. } = self.bank;
        let rates = [deposit_rate, payout_rate].iter().all(|rate| rate.in_bounds());
        let cents = deposit_min_cents > 0 && deposit_min_cents <= deposit_max_cents && deposit_max_cents < MAX_AMOUNT / 10_000;
        if !listed(asset) || !rates || !cents || self.bank.fee(self.bank.withdraw_min).is_none_or(|fee| fee >= self.bank.withdraw_min) {
            return Some("bank terms".to_owned());
        }
        let Limits { withdraw_day_basic, withdraw_day_advanced, deposit_unattended_below, .. } = self.limits;
        let days = withdraw_day_basic <= withdraw_day_advanced && withdraw_day_advanced < MAX_AMOUNT;
        let hands = self.limits.hand_entry_max.iter().all(|(asset, most)| listed(*asset) && *most < MAX_AMOUNT);
        let counts = [self.limits.withdrawals_per_day, self.limits.open_claims, self.limits.addresses, self.limits.cards];
        let few = counts.iter().all(|count| (1..=1_000).contains(count));
        (!days || !hands || !few || deposit_unattended_below >= MAX_AMOUNT).then(|| "limits".to_owned())
    }

    /// The terms that a new data directory starts with (10, 11).
    pub(super) fn standard() -> FundingTerms {
        let network = |asset, chain, deposit_min, confirmations, withdraw_min, withdraw_fee| Network {
            asset: AssetId(asset),
            chain,
            deposit_min,
            confirmations,
            withdraw_min,
            withdraw_fee,
            deposit_on: true,
            withdraw_on: true,
        };
        let dollars = 1_000_000;
        FundingTerms {
            networks: vec![
                network(1, Chain::Btc, 10_000, 3, 100_000, 20_000),
                network(2, Chain::Erc20, 500_000, 32, 1_000_000, 200_000),
                network(3, Chain::Trc20, dollars, 20, 10 * dollars, dollars),
                network(3, Chain::Erc20, 10 * dollars, 32, 20 * dollars, 5 * dollars),
                network(4, Chain::Erc20, 10 * dollars, 32, 20 * dollars, 5 * dollars),
                network(4, Chain::Trc20, dollars, 20, 10 * dollars, dollars),
            ],
            bank: BankTerms {
                asset: AssetId(3),
                deposit_min_cents: 1_000,
                deposit_max_cents: 100_000_000,
                deposit_rate: PRICE_ONE,
                withdraw_min: 50 * dollars,
                withdraw_fee_min: 5 * dollars,
                withdraw_fee: Rate(1_000_000),
                payout_rate: PRICE_ONE,
                deposit_on: true,
                withdraw_on: true,
            },
            limits: Limits {
                withdrawals_per_day: 3,
                withdraw_day_basic: 10_000 * dollars,
                withdraw_day_advanced: 100_000 * dollars,
                deposit_unattended_below: 1_000 * dollars,
                hand_entry_max: vec![
                    (AssetId(1), 10 * 100_000_000),
                    (AssetId(2), 200 * 100_000_000),
                    (AssetId(3), 1_000_000 * dollars),
                    (AssetId(4), 1_000_000 * dollars),
                ],
                open_claims: 10,
                addresses: 20,
                cards: 5,
            },
        }
    }
}

impl Default for FundingTerms {
    /// No deposits or withdrawals: the terms of a log whose genesis defines none.
    fn default() -> FundingTerms {
        let standard = FundingTerms::standard();
        let bank = BankTerms { deposit_on: false, withdraw_on: false, ..standard.bank };
        FundingTerms { networks: Vec::new(), bank, ..standard }
    }
}

impl BankTerms {
    /// Fee of a withdrawal to a card: `max(minimum, ceil(amount * rate))`; `None` for an amount out of bounds.
    pub fn fee(&self, amount: Amount) -> Option<Amount> {
        let share = rate_up(amount, self.withdraw_fee).filter(|_| amount < MAX_AMOUNT)?;
        Some(share.max(self.withdraw_fee_min))
    }

    /// US cents paid out for `received` atoms: `floor(received * rate / 10^12)` (W-10).
    pub fn payout_cents(&self, received: Amount) -> Option<u64> {
        u64::try_from(product(received, self.payout_rate.0) / 1_000_000_000_000).ok()
    }

    /// Atoms credited for `cents` at `rate`: `floor(cents * 10^4 * rate / 10^8)`, which is `floor(cents * rate / 10^4)` (10.2).
    pub fn credit(cents: u64, rate: Price) -> Option<Amount> {
        u64::try_from(product(cents, rate.0) / 10_000).ok().filter(|atoms| *atoms < MAX_AMOUNT)
    }
}

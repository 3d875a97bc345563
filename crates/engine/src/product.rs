//! The products of the venue: one closed list for pauses, country policies, self-limits and refusals.

use serde::{Deserialize, Serialize};

/// What a member may open. The numbers are part of every log: a new product comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Product {
    /// Spot orders.
    Spot,
    /// Claims of coins on a chain.
    CoinDeposit,
    /// Claims of bank transfers.
    BankDeposit,
    /// Withdrawals of coins to an address.
    CoinWithdrawal,
    /// Withdrawals to a bank card.
    BankWithdrawal,
    /// Short-term options.
    Option,
    /// Leveraged contracts.
    Contract,
    /// Locked plans.
    Plan,
    /// Subscriptions of new coins.
    Subscription,
    /// Loans against collateral.
    Loan,
    /// Conversions.
    Flash,
}

/// The effect of a member's own pause on opening a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfPause {
    /// Nothing: it stays open.
    Open,
    /// Closes it, at the same point as a pause by operators.
    Closed,
    /// Closes it at the point of the member's other limits, which comes later in its order of refusals.
    ClosedWithLimits,
}

impl Product {
    /// All of them, in the order of their numbers.
    pub const ALL: [Product; 11] = [
        Product::Spot,
        Product::CoinDeposit,
        Product::BankDeposit,
        Product::CoinWithdrawal,
        Product::BankWithdrawal,
        Product::Option,
        Product::Contract,
        Product::Plan,
        Product::Subscription,
        Product::Loan,
        Product::Flash,
    ];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Product::Spot => "spot",
            Product::CoinDeposit => "deposit_coin",
            Product::BankDeposit => "deposit_bank",
            Product::CoinWithdrawal => "withdraw_coin",
            Product::BankWithdrawal => "withdraw_bank",
            Product::Option => "option",
            Product::Contract => "contract",
            Product::Plan => "plan",
            Product::Subscription => "subscription",
            Product::Loan => "loan",
            Product::Flash => "flash",
        }
    }

    /// The product with this wire name.
    pub fn named(word: &str) -> Option<Product> {
        Product::ALL.into_iter().find(|product| product.name() == word)
    }

    /// This release has it.
    pub fn is_offered(self) -> bool {
        match self {
            Product::Spot
            | Product::CoinDeposit
            | Product::BankDeposit
            | Product::CoinWithdrawal
            | Product::BankWithdrawal
            | Product::Option
            | Product::Contract
            | Product::Loan
            | Product::Subscription
            | Product::Plan
            | Product::Flash => true,
        }
    }

    /// Those that this release has.
    pub fn offered() -> impl Iterator<Item = Product> {
        Product::ALL.into_iter().filter(|product| product.is_offered())
    }

    /// An operator may stop opening it. Money on its way out has no pause (0.6).
    pub fn may_pause(self) -> bool {
        match self {
            Product::CoinWithdrawal | Product::BankWithdrawal => false,
            Product::Spot
            | Product::CoinDeposit
            | Product::BankDeposit
            | Product::Option
            | Product::Contract
            | Product::Plan
            | Product::Subscription
            | Product::Loan
            | Product::Flash => self.is_offered(),
        }
    }

    /// The effect of a member's own pause on its opening. Deposits, withdrawals, and what a member already has are never affected by their
    /// own pause.
    pub fn self_pause(self) -> SelfPause {
        match self {
            Product::Option | Product::Contract => SelfPause::ClosedWithLimits,
            Product::Spot
            | Product::CoinDeposit
            | Product::BankDeposit
            | Product::CoinWithdrawal
            | Product::BankWithdrawal
            | Product::Plan
            | Product::Subscription
            | Product::Loan
            | Product::Flash => SelfPause::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_is_listed_once_under_a_word_of_its_own() {
        for (at, product) in Product::ALL.into_iter().enumerate() {
            assert_eq!(postcard::to_allocvec(&product).unwrap(), [u8::try_from(at).unwrap()]);
            assert_eq!(Product::named(product.name()), Some(product));
        }
        assert_eq!(Product::named("withdraw"), None);
    }

    #[test]
    fn money_on_its_way_out_has_no_pause() {
        let paused: Vec<&str> = Product::ALL.into_iter().filter(|product| product.may_pause()).map(Product::name).collect();
        let all = ["spot", "deposit_coin", "deposit_bank", "option", "contract", "plan", "subscription", "loan", "flash"];
        assert_eq!(paused, all);
    }

    #[test]
    fn a_members_own_pause_closes_what_is_lost_in_minutes() {
        let closed = Product::ALL.into_iter().filter(|product| product.self_pause() != SelfPause::Open);
        assert_eq!(closed.map(Product::name).collect::<Vec<_>>(), ["option", "contract"]);
    }
}

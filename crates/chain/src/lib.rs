//! What Meridian knows about blockchains: the format of [`address`]es, addresses [`derive`]d from public keys, and deposits that a
//! [`watch`]er sees. It has no private key, no database and no money rule: an observation is a fact that the engine judges (D-3, D-4).

#![deny(missing_docs, clippy::as_conversions, clippy::float_arithmetic)]

pub mod address;
pub mod derive;
mod encoding;
pub mod watch;

use serde::{Deserialize, Serialize};

/// A chain that coins are deposited and withdrawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Chain {
    /// Bitcoin, for BTC.
    #[serde(rename = "BTC")]
    Bitcoin,
    /// Ethereum, for ETH and ERC-20 tokens.
    #[serde(rename = "ERC20")]
    Ethereum,
    /// Tron, for TRC-20 tokens.
    #[serde(rename = "TRC20")]
    Tron,
}

impl Chain {
    /// Every chain, in the order of the catalog.
    pub const ALL: [Chain; 3] = [Chain::Bitcoin, Chain::Ethereum, Chain::Tron];

    /// The name in calls, catalog and observation keys: `BTC`, `ERC20` or `TRC20`.
    pub fn name(self) -> &'static str {
        match self {
            Chain::Bitcoin => "BTC",
            Chain::Ethereum => "ERC20",
            Chain::Tron => "TRC20",
        }
    }

    /// The chain with this name.
    pub fn named(name: &str) -> Option<Chain> {
        Chain::ALL.into_iter().find(|chain| chain.name() == name)
    }
}

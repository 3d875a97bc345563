//! Prices: from large venues for a live market, simulated or from a tape for a sandbox; also the orders of the house, and a past for the
//! charts. It receives the state of the engine and returns commands and candles; it neither submits nor stores anything.
//!
//! Floats are allowed only here: they simulate prices, which become integers before they leave. A price from a venue is never a float.

pub mod house;
pub mod market;
pub mod past;
pub mod simulated;
pub mod tape;
#[cfg(feature = "testing")]
pub mod testing;
pub mod venues;
mod walk;

use engine::ids::MarketId;

/// Pairs with sources of their own: BTC, ETH and USDC in USDT.
const SOURCED: [MarketId; 3] = [MarketId(1), MarketId(2), MarketId(3)];
/// Computed pairs: numerator and denominator as positions in [`SOURCED`].
const CROSSES: [(MarketId, usize, usize); 3] = [(MarketId(4), 0, 2), (MarketId(5), 1, 2), (MarketId(6), 1, 0)];

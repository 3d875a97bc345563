//! Simulated prices: random walks with the volatility that such coins have.

use engine::amount::{PRICE_SCALE, Price, pow10};

const YEAR_S: f64 = 365.25 * 86_400.0;
/// Share of Bitcoin's move that Ether follows.
const FOLLOWS: f64 = 0.9;

/// A coin's volatility and volume, and where its simulated price starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Character {
    /// First price of a new sandbox.
    pub start: Price,
    /// Standard deviation of the annual log return of its own.
    volatility: f64,
    /// Share of the distance to one that is lost per second; only a pegged coin has it.
    pull: f64,
    /// Whole coins traded in a quiet second across all sources.
    traded: f64,
}

/// In the order of [`crate::SOURCED`].
pub(super) const CHARACTERS: [Character; 3] = [
    Character { start: Price(9_743_215_000_000), volatility: 0.42, pull: 0.0, traded: 0.3 },
    Character { start: Price(341_288_000_000), volatility: 0.38, pull: 0.0, traded: 4.0 },
    Character { start: Price(100_000_000), volatility: 0.01, pull: 0.002, traded: 2_500.0 },
];

/// First price of an index that was listed later: a whole quote coin.
pub(super) const LISTED_AT: Price = Price(100_000_000);
/// Volatility of a coin that was listed later.
const LISTED_VOLATILITY: f64 = 0.6;

/// A standard normal number.
pub(super) fn normal(random: &mut fastrand::Rng) -> f64 {
    let radius = (-2.0 * (1.0 - random.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.f64()).cos()
}

/// Log returns of the three coins over `seconds`; the second follows the first in part.
pub(super) fn returns(random: &mut fastrand::Rng, seconds: f64) -> [f64; 3] {
    let root = (seconds / YEAR_S).sqrt();
    let own = CHARACTERS.map(|character| character.volatility * root * normal(random));
    let [bitcoin, ether, dollar] = own;
    [bitcoin, FOLLOWS * bitcoin + ether, dollar]
}

/// Volume of a coin in this many seconds, in atoms: more if the price moved by more (a log) than usual.
pub(super) fn traded(random: &mut fastrand::Rng, coin: usize, seconds: f64, moved: f64, scale: u8) -> u64 {
    let Some(character) = CHARACTERS.get(coin) else { return 0 };
    let usual = character.volatility * (seconds / YEAR_S).sqrt();
    let whole = character.traded * seconds * (0.4 + 0.6 * moved.abs() / usual) * (0.5 * normal(random)).exp();
    to_atoms(whole, scale)
}

/// Log return of a coin that was listed later.
pub(super) fn listed_return(random: &mut fastrand::Rng, seconds: f64) -> f64 {
    LISTED_VOLATILITY * (seconds / YEAR_S).sqrt() * normal(random)
}

/// The effect of a peg on a log price over `seconds`: it pulls it towards 0.
pub(super) fn pulled(coin: usize, log_price: f64, seconds: f64) -> f64 {
    log_price * (1.0 - CHARACTERS[coin].pull).powf(seconds)
}

/// A price as a float of whole quote coins.
#[expect(clippy::cast_precision_loss, reason = "simulated prices need no more than 53 bits")]
pub(super) fn to_float(price: Price) -> f64 {
    price.0 as f64 / pow10(PRICE_SCALE) as f64
}

/// A whole amount as atoms.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a simulated amount becomes an integer here"
)]
fn to_atoms(whole: f64, scale: u8) -> u64 {
    (whole * pow10(scale) as f64) as u64
}

/// The nearest price on the tick, at least one tick.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a simulated price becomes an integer here"
)]
pub(super) fn to_price(value: f64, tick: Price) -> Price {
    let ticks = (value * pow10(PRICE_SCALE) as f64 / tick.0 as f64).round();
    Price((ticks as u64).max(1) * tick.0)
}

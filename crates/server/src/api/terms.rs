//! Which products are open now, and on what terms, for every area.

use engine::Engine;
use engine::amount::{PRICE_SCALE, Price};
use engine::catalog::Catalog;
use engine::catalog::funding::{Chain, Network};
use engine::contracts::formulas::Direction;
use engine::contracts::terms::Terms;
use engine::ids::{AssetId, MarketId};
use engine::listing::change::TextKind;
use engine::product::Product;

use crate::http::decimal::{fixed, trimmed};
use crate::http::{App, types};

/// The wire's state of a pair.
pub fn market_status(engine: &Engine, market: MarketId) -> &'static str {
    let paused = engine.paused().any(|(product, of)| product == Product::Spot && of.is_none_or(|of| of == market));
    match () {
        () if engine.retired_at(market).is_some() => "retired",
        () if paused => "paused",
        () if engine.retires_at(market).is_some() => "retiring",
        () => "open",
    }
}

/// Whether orders are taken in a pair of this state.
pub fn takes_orders(status: &str) -> bool {
    matches!(status, "open" | "retiring")
}

/// Contracts can be opened in a pair.
pub fn takes_contracts(engine: &Engine, market: MarketId) -> bool {
    let paused = engine.paused().any(|(product, of)| product == Product::Contract && of.is_none_or(|of| of == market));
    !paused && engine.check_contract_market(market).is_ok()
}

/// How far above its mark a long contract is opened, as a price; 0 before the first price.
pub fn spread_points(terms: &Terms, mark: Option<Price>) -> Price {
    let mark = mark.and_then(|mark| terms.ticks(mark)).unwrap_or_default();
    let away = Direction::Long.opening(mark, terms.spread).0.saturating_sub(mark.0);
    Price(away.saturating_mul(terms.tick.0))
}

/// Whether options can be bought on a pair, as far as operators decide it.
pub fn sells_options(engine: &Engine, market: MarketId) -> bool {
    let paused = engine.paused().any(|(product, of)| product == Product::Option && of.is_none_or(|of| of == market));
    engine.option_terms().is_some() && !paused && engine.check_option_market(market).is_ok()
}

/// What may be opened in a pair; changes are broadcast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// The wire's state of the pair.
    pub status: &'static str,
    /// Options are sold.
    pub options: bool,
    /// Contracts are opened.
    pub contracts: bool,
}

impl Openings {
    /// The present state.
    pub fn of(engine: &Engine, market: MarketId) -> Openings {
        Openings {
            status: market_status(engine, market),
            options: sells_options(engine, market),
            contracts: takes_contracts(engine, market),
        }
    }
}

/// Deposits by bank can be opened: they are on, and there is an account to pay to.
pub fn bank_is_open(app: &App, engine: &Engine) -> bool {
    let paused = engine.paused().any(|paused| paused == (Product::BankDeposit, None));
    let account = app.is_sandbox() || app.catalog.text(TextKind::BankAccount, 0).is_some();
    account && !paused && engine.catalog().funding.bank.deposit_on
}

/// Deposits of this coin, or of any, can be opened.
pub fn coin_is_open(engine: &Engine, asset: Option<AssetId>) -> bool {
    let paused = engine.paused().any(|paused| paused == (Product::CoinDeposit, None));
    let mut networks = engine.catalog().funding.networks.iter();
    !paused && networks.any(|network| network.deposit_on && asset.is_none_or(|asset| network.asset == asset))
}

/// Coins go in and out: deposits and withdrawals can be opened.
pub fn coins_go_in_and_out(engine: &Engine) -> bool {
    coin_is_open(engine, None) && engine.catalog().funding.networks.iter().any(|network| network.withdraw_on)
}

/// US dollars for a USDT (W-10).
pub fn ex_rate(engine: &Engine) -> String {
    trimmed(engine.catalog().funding.bank.payout_rate.0, PRICE_SCALE)
}

/// Terms of a coin on a chain.
pub fn network_view(catalog: &Catalog, network: &Network) -> types::Network {
    let amount = |atoms| fixed(atoms, catalog.scale(network.asset));
    types::Network {
        chain: network.chain.name().to_owned(),
        name: match network.chain {
            Chain::Btc => "Bitcoin",
            Chain::Erc20 => "Ethereum (ERC20)",
            Chain::Trc20 => "Tron (TRC20)",
        }
        .to_owned(),
        deposit_min: amount(network.deposit_min),
        confirmations: network.confirmations,
        withdraw_min: amount(network.withdraw_min),
        withdraw_fee: amount(network.withdraw_fee),
        deposit_on: network.deposit_on.into(),
        withdraw_on: network.withdraw_on.into(),
    }
}

#[cfg(test)]
mod tests {
    use engine::command::{Command, Entry, Genesis, Mode};
    use engine::ids::Seq;
    use engine::time::Time;

    use super::*;

    #[test]
    fn coins_are_open_while_both_ways_are() {
        let open = |deposits: bool, withdrawals: bool| {
            let mut catalog = Catalog::standard();
            catalog.funding.networks.iter_mut().for_each(|one| (one.deposit_on, one.withdraw_on) = (deposits, withdrawals));
            let genesis = Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() };
            let mut engine = Engine::default();
            let command = Command::Genesis(Box::new(genesis));
            let entry = Entry { seq: Seq(1), time: Time(1_767_225_600_000), request: None, command };
            engine.apply(&entry, &mut Vec::new()).result.expect("a genesis is applied");
            (coins_go_in_and_out(&engine), coin_is_open(&engine, None))
        };
        assert_eq!([open(true, true), open(false, true), open(true, false)], [(true, true), (false, false), (false, true)]);
    }
}

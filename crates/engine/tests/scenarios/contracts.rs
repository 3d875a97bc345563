//! The words of scenarios about contracts.

use engine::amount::{Price, Rate, parse_decimal};
use engine::backoffice::proposals::Proposed;
use engine::command::Command;
use engine::contracts::formulas::Direction;
use engine::contracts::position::{EndReason, OpenContract, Position, Status};
use engine::contracts::terms::Terms;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{MarketId, PositionId};
use engine::ledger::{LineKind, ObjectKind};
use engine::listing::change::CatalogChange;
use engine::time::Time;

use super::outside::Named;
use super::{Parsed, Stage, equal, plain, price_of};

/// Due and triggered work, whatever the result of the command after it (T-3).
pub fn by_itself(event: &Event) -> bool {
    match event {
        Event::Posted(posting) => posting.object == ObjectKind::Contract && posting.kind != LineKind::ContractHold,
        Event::Account(change) => {
            matches!(&**change, AccountEvent::ContractChanged(position) if position.reason != Some(EndReason::User))
        }
        _ => false,
    }
}

/// Pairs of a word and a price, which may be `none`.
fn prices(mut words: &[&str]) -> Parsed<[Option<Price>; 3]> {
    let mut found = [None; 3];
    while let [word, price, rest @ ..] = words {
        let at = ["limit", "profit", "loss"].iter().position(|known| known == word).ok_or(format!("no price {word}"))?;
        found[at] = if *price == "none" { None } else { Some(price_of(price)?) };
        words = rest;
    }
    Ok(found)
}

impl Stage {
    /// Every reported state of a contract.
    pub fn note_contracts(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::ContractChanged(position) = &**change
            {
                self.contracts.insert(position.id, *position);
            }
        }
    }

    fn contract_id(&self, name: &str) -> PositionId {
        if let Some(Named::Contract(id)) = self.names.get(name) { *id } else { PositionId(9_999) }
    }

    pub fn contract_command(&self, line: &[&str]) -> Parsed<Option<Command>> {
        Ok(match line {
            ["activate", "contracts"] => Some(Command::Activate(Feature::Contracts)),
            [name, "opens", way @ ("long" | "short"), lots, "lots", "of", symbol, "at", multiple, rest @ ..] => {
                let market = self.market(symbol).map_or(MarketId(99), |market| market.id);
                let direction = if *way == "long" { Direction::Long } else { Direction::Short };
                let lots = lots.parse().map_err(|_| "how many lots?")?;
                let multiple = multiple.trim_end_matches('x').parse().map_err(|_| "which multiple?")?;
                let [limit, take_profit, stop_loss] = prices(rest)?;
                let user = self.member(name);
                Some(Command::OpenContract(OpenContract { user, market, direction, lots, multiple, limit, take_profit, stop_loss }))
            }
            [name, "closes", contract] => Some(Command::CloseContract { user: self.member(name), position: self.contract_id(contract) }),
            [name, "stops", contract, rest @ ..] => {
                let [_, take_profit, stop_loss] = prices(rest)?;
                let (user, position) = (self.member(name), self.contract_id(contract));
                Some(Command::SetContractStops { user, position, take_profit, stop_loss })
            }
            [name, "takes", "back", contract] => {
                Some(Command::CancelContract { user: self.member(name), position: self.contract_id(contract) })
            }
            _ => None,
        })
    }

    /// `contracts BTC/USDT fee 0.1|spread 0.02|overnight 0.1|most 5 lots`.
    pub fn contract_terms(&self, words: &[&str]) -> Parsed<Option<Proposed>> {
        let ["contracts", symbol, rest @ ..] = words else { return Ok(None) };
        let id = self.market(symbol)?.id;
        let standard = || Terms { market: id, ..Terms::standard().swap_remove(0) };
        let like = self.engine.contract_terms(id).cloned().unwrap_or_else(standard);
        let rate = |percent: &str| parse_decimal(percent, 6, u64::MAX).map(Rate).map_err(|why| format!("{percent}: {why:?}"));
        let terms = match rest {
            ["fee", percent] => Terms { fee: rate(percent)?, ..like },
            ["spread", percent] => Terms { spread: rate(percent)?, ..like },
            ["overnight", percent] => Terms { overnight: rate(percent)?, ..like },
            ["most", lots, "lots"] => Terms { max_lots: lots.parse().map_err(|_| "how many lots?")?, ..like },
            _ => return Err(format!("unknown terms {rest:?}")),
        };
        let change = CatalogChange::ContractTerms(Box::new(terms));
        Ok(Some(Proposed::ChangeCatalog { change, effective: Time(0) }))
    }

    pub fn check_contracts(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["contract", name, rest @ ..] => equal(&self.shown_contract(self.contract_id(name)), &rest.join(" ")),
            ["open", "contracts", name, count] => equal(&self.engine.contracts_of(self.member(name)).count().to_string(), count),
            _ => return None,
        })
    }

    fn shown_contract(&self, id: PositionId) -> String {
        let Some(position) = self.contracts.get(&id) else { return "gone".to_owned() };
        let Position { status, reason, held, entry, close, profit, close_fee, returned, overnight_paid, .. } = position;
        let price = |ticks| plain(position.price(ticks).0, 8);
        let amount = |atoms| plain(atoms, 6);
        let why = reason.map(EndReason::name).unwrap_or_default();
        match status {
            Status::Waiting => format!("Waiting held {} limit {}", amount(*held), price(position.limit.unwrap_or_default())),
            Status::Cancelled => format!("Cancelled {why} returned {}", amount(*returned)),
            Status::Holding => {
                let liquidation = price(position.liquidation_price());
                let cap = position.cap_price().map_or("never".to_owned(), price);
                let nights = if *overnight_paid > 0 { format!(" nights {}", amount(*overnight_paid)) } else { String::new() };
                format!("Holding margin {} at {} liquidation {liquidation} cap {cap}{nights}", amount(*held), price(*entry))
            }
            Status::Closed => {
                let sign = if *profit < 0 { "-" } else { "" };
                let profit = amount(u64::try_from(profit.unsigned_abs()).unwrap_or(u64::MAX));
                format!("Closed {why} at {} profit {sign}{profit} fee {} returned {}", price(*close), amount(*close_fee), amount(*returned))
            }
        }
    }
}

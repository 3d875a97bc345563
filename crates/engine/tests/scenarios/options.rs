//! The words of scenarios about short-term options.

use engine::amount::Rate;
use engine::backoffice::proposals::Proposed;
use engine::command::Command;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{Digest, OptionId};
use engine::ledger::{LineKind, ObjectKind};
use engine::listing::change::CatalogChange;
use engine::options::option::{BinaryOption, BuyOption, Direction, Status, TieRule};
use engine::options::terms::{DurationTerms, StakeMax};
use engine::time::Time;

use super::outside::Named;
use super::{Parsed, Stage, duration, equal, plain};

/// The effects of a due option, whatever the result of the command after it (T-3).
pub fn by_itself(event: &Event) -> bool {
    match event {
        Event::Posted(posting) => posting.object == ObjectKind::Option && posting.kind != LineKind::OptionBought,
        Event::Account(change) => matches!(&**change, AccountEvent::OptionChanged(option) if option.status != Status::Open),
        _ => false,
    }
}

fn direction(word: &str) -> Parsed<Direction> {
    match word {
        "up" => Ok(Direction::Up),
        "down" => Ok(Direction::Down),
        "flat" => Ok(Direction::Flat),
        _ => Err(format!("no direction {word}")),
    }
}

fn seconds(amount: &str, unit: &str) -> Parsed<u32> {
    u32::try_from(duration(amount, unit)? / 1_000).map_err(|error| error.to_string())
}

impl Stage {
    /// Every reported state of an option.
    pub fn note_options(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::OptionChanged(option) = &**change
            {
                self.options.insert(option.id, option.clone());
            }
        }
    }

    pub fn option_command(&self, line: &[&str]) -> Parsed<Option<Command>> {
        Ok(match line {
            ["activate", "options"] => Some(Command::Activate(Feature::Options)),
            [name, "bets", amount, code, "on", bet, "of", symbol, "for", length, unit, rest @ ..] => {
                let (stake, asset) = self.money(amount, code)?;
                let market = self.market(symbol).map_or(engine::ids::MarketId(99), |market| market.id);
                let seconds = seconds(length, unit)?;
                let offered = self.engine.offered_rule(market, seconds).filter(|_| rest.is_empty());
                let (user, direction, rule) = (self.member(name), direction(bet)?, offered.unwrap_or(Digest([9; 32])));
                Some(Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule }))
            }
            _ => None,
        })
    }

    /// `options 60 s profit 80|tie lose|off|most 50 USDT`, `options fee 1|open 2`.
    pub fn option_terms(&self, words: &[&str]) -> Parsed<Option<Proposed>> {
        let Some(terms) = self.engine.option_terms() else {
            let none = matches!(words, ["options", ..]);
            return if none { Ok(Some(self.change(CatalogChange::OptionDuration(unknown())))) } else { Ok(None) };
        };
        let change = match words {
            ["options", "fee", percent] => {
                CatalogChange::OptionShared(engine::options::terms::SharedTerms { fee: rate(percent)?, ..terms.shared.clone() })
            }
            ["options", "open", most] => {
                let open_options = most.parse().map_err(|_| "how many?")?;
                CatalogChange::OptionShared(engine::options::terms::SharedTerms { open_options, ..terms.shared.clone() })
            }
            ["options", length, unit, rest @ ..] => {
                let seconds = seconds(length, unit)?;
                let like = terms.duration(seconds).cloned().unwrap_or(DurationTerms { seconds, on: true, ..terms.durations[0].clone() });
                CatalogChange::OptionDuration(match rest {
                    ["profit", percent] => DurationTerms { profit: rate(percent)?, ..like },
                    ["tie", "lose"] => DurationTerms { tie: TieRule::Lose, ..like },
                    ["off"] => DurationTerms { on: false, ..like },
                    ["most", amount, code] => {
                        let (directed, asset) = self.money(amount, code)?;
                        DurationTerms { max: vec![StakeMax { asset, directed, flat: directed }], ..like }
                    }
                    _ => return Err(format!("unknown terms {rest:?}")),
                })
            }
            _ => return Ok(None),
        };
        Ok(Some(self.change(change)))
    }

    fn change(&self, change: CatalogChange) -> Proposed {
        Proposed::ChangeCatalog { change, effective: Time(0) }
    }

    pub fn check_options(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["option", name, rest @ ..] => match self.names.get(*name) {
                Some(Named::Option(id)) => equal(&self.shown_option(*id), &rest.join(" ")),
                _ => Err(format!("no option {name}")),
            },
            ["open", "options", name, count] => equal(&self.engine.options_of(self.member(name)).count().to_string(), count),
            ["used", name, rest @ ..] => {
                let used = self.engine.day_use(self.member(name));
                equal(&format!("stakes {} losses {}", plain(used.option_stakes, 6), plain(used.losses, 6)), &rest.join(" "))
            }
            _ => return None,
        })
    }

    fn shown_option(&self, id: OptionId) -> String {
        let Some(option) = self.options.get(&id) else { return "gone".to_owned() };
        let BinaryOption { asset, quote, status, settled, .. } = option;
        let scale = self.catalog().scale(*asset);
        let amount = |atoms| plain(atoms, scale);
        let ended = settled.map(|end| {
            let price = end.delivery.map_or("nothing".to_owned(), |made| plain(made.sample.price.0, 8));
            format!(" received {} at {price}", amount(end.received))
        });
        let open = plain(option.open.sample.price.0, 8);
        format!("{status:?} profit {} fee {} from {open}{}", amount(quote.profit), amount(quote.fee), ended.unwrap_or_default())
    }
}

fn rate(percent: &str) -> Parsed<Rate> {
    engine::amount::parse_decimal(percent, 6, u64::MAX).map(Rate).map_err(|why| format!("{percent}: {why:?}"))
}

/// A length of a log that sells no options yet.
fn unknown() -> DurationTerms {
    DurationTerms {
        seconds: 60,
        profit: Rate(1),
        profit_flat: Rate(1),
        tolerance: Rate(1),
        tie: TieRule::Refund,
        on: true,
        max: Vec::new(),
    }
}

//! The words of scenarios about conversions.

use engine::amount::{MAX_AMOUNT, Rate, parse_decimal};
use engine::backoffice::proposals::Proposed;
use engine::command::Command;
use engine::convert::conversion::{Convert, Deal};
use engine::convert::terms::ConversionTerms;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::QuoteId;
use engine::listing::change::CatalogChange;
use engine::time::Time;

use super::outside::Named;
use super::{Parsed, Stage, duration, equal, plain};

impl Stage {
    /// Every reported conversion.
    pub fn note_conversions(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::Converted(done) = &**change
            {
                self.conversions.insert(done.id, *done);
            }
        }
    }

    pub fn conversion_command(&self, line: &[&str]) -> Parsed<Option<Command>> {
        Ok(match line {
            ["activate", "conversions"] => Some(Command::Activate(Feature::Conversions)),
            [name, "asks", "for", to, "for", amount, from] => Some(Command::QuoteConversion(self.wanted(name, amount, from, to)?)),
            [name, "accepts", quote] => {
                let id = match self.names.get(*quote) {
                    Some(Named::Quote(_, id)) => *id,
                    _ => QuoteId(9_999),
                };
                Some(Command::AcceptQuote { user: self.member(name), quote: id })
            }
            [name, "converts", amount, from, "to", to, rest @ ..] => {
                let wanted = self.wanted(name, amount, from, to)?;
                let min_net = match rest {
                    [] => None,
                    ["for", "at", "least", least] => Some(self.money(least, to)?.0),
                    _ => return Err(format!("unknown words {rest:?}")),
                };
                Some(Command::Convert { wanted, min_net })
            }
            _ => None,
        })
    }

    fn wanted(&self, name: &str, amount: &str, from: &str, to: &str) -> Parsed<Convert> {
        let (amount, from) = self.money(amount, from)?;
        Ok(Convert { user: self.member(name), from, to: self.money("0", to)?.1, amount })
    }

    /// `conversions spread 0|fee 0.2|smallest 20|largest 100|a day 1000|life 5 s`.
    pub fn conversion_terms(&self, words: &[&str]) -> Parsed<Option<Proposed>> {
        let ["conversions", rest @ ..] = words else { return Ok(None) };
        let like = self.engine.conversion_terms().copied().unwrap_or_else(ConversionTerms::standard);
        let number = |text: &str, most| parse_decimal(text, 6, most).map_err(|why| format!("{text}: {why:?}"));
        let terms = match rest {
            ["spread", percent] => ConversionTerms { spread: Rate(number(percent, u64::MAX)?), ..like },
            ["fee", percent] => ConversionTerms { fee: Rate(number(percent, u64::MAX)?), ..like },
            ["smallest", usdt] => ConversionTerms { min: number(usdt, MAX_AMOUNT)?, ..like },
            ["largest", usdt] => ConversionTerms { max: number(usdt, MAX_AMOUNT)?, ..like },
            ["a", "day", usdt] => ConversionTerms { day: number(usdt, MAX_AMOUNT)?, ..like },
            ["life", amount, unit] => ConversionTerms { life_ms: duration(amount, unit)?, ..like },
            _ => return Err(format!("unknown terms {rest:?}")),
        };
        Ok(Some(Proposed::ChangeCatalog { change: CatalogChange::ConversionTerms(terms), effective: Time(0) }))
    }

    pub fn check_conversions(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["quote", name, rest @ ..] => match self.names.get(*name) {
                Some(Named::Quote(user, id)) => {
                    let found = self.engine.conversion_quote(*user, *id);
                    let shown = found.map_or("gone".to_owned(), |quote| {
                        let used = if quote.used { " used" } else { "" };
                        format!("{}{used}", self.shown_deal(&quote.deal))
                    });
                    equal(&shown, &rest.join(" "))
                }
                _ => Err(format!("no quote {name}")),
            },
            ["conversion", name, rest @ ..] => match self.names.get(*name) {
                Some(Named::Conversion(id)) => {
                    let shown = self.conversions.get(id).map_or("gone".to_owned(), |done| self.shown_deal(&done.deal));
                    equal(&shown, &rest.join(" "))
                }
                _ => Err(format!("no conversion {name}")),
            },
            ["quotes", name, count] => {
                let user = self.member(name);
                equal(&self.engine.conversion_quotes().filter(|quote| quote.user == user).count().to_string(), count)
            }
            ["converted", name, usdt] => equal(&plain(self.engine.converted_today(self.member(name)), 6), usdt),
            _ => return None,
        })
    }

    fn shown_deal(&self, deal: &Deal) -> String {
        let scale = self.catalog().scale(deal.to);
        let [gross, fee, net] = [deal.gross, deal.fee, deal.net()].map(|atoms| plain(atoms, scale));
        format!("gross {gross} fee {fee} net {net}")
    }
}

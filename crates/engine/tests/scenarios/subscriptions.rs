//! The words of scenarios about subscriptions of new coins.

use engine::amount::{Price, Rate};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::command::Command;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{AssetId, CommitmentId, MarketId, OfferingId};
use engine::ledger::{LineKind, ObjectKind};
use engine::listing::change::CatalogChange;
use engine::subscriptions::offering::{Commit, Commitment, Offering, Terms};
use engine::subscriptions::status::CommitmentStatus;
use engine::time::Time;

use super::outside::Named;
use super::{Parsed, Stage, duration, equal, plain, price_of};

/// The effects of a due offering, whatever the result of the command after it (T-3).
pub fn by_itself(event: &Event) -> bool {
    match event {
        Event::Posted(posting) => posting.object == ObjectKind::Commitment && posting.kind != LineKind::SubscriptionPaid,
        Event::Account(change) => match &**change {
            AccountEvent::CommitmentChanged(commitment) => commitment.status != CommitmentStatus::Review,
            AccountEvent::OfferingChanged(_) => true,
            _ => false,
        },
        _ => false,
    }
}

impl Stage {
    /// Every reported state of a commitment.
    pub fn note_commitments(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::CommitmentChanged(commitment) = &**change
            {
                self.commitments.insert(commitment.id, commitment.clone());
            }
        }
    }

    fn offering(&self, code: &str) -> Option<&Offering> {
        self.engine.offerings().find(|offering| offering.terms.token.code == code)
    }

    pub fn commit_command(&self, line: &[&str]) -> Parsed<Option<Command>> {
        Ok(match line {
            ["activate", "subscriptions"] => Some(Command::Activate(Feature::Subscriptions)),
            [name, "commits", amount, code, "to", token] => {
                let (amount, asset) = self.money(amount, code)?;
                let offering = self.offering(token).map_or(OfferingId(99), |offering| offering.terms.id);
                Some(Command::CommitToOffering(Commit { user: self.member(name), offering, asset, amount }))
            }
            _ => None,
        })
    }

    /// `launch TOK`, or `offering TOK supply 150 price 0.5 opens 1 h closes 2 h launches 3 h [min 10] [cap 100] [factor 1] [scale 6]
    /// [release 7:100,30:50] [code ABC] [pays BTC]`: instants are counted from now.
    pub fn offering_proposed(&self, words: &[&str]) -> Parsed<Option<Proposed>> {
        let (token, mut rest) = match words {
            ["launch", token] => {
                let offering = self.offering(token).map_or(OfferingId(99), |offering| offering.terms.id);
                return Ok(Some(Proposed::LaunchOffering { offering }));
            }
            ["offering", token, rest @ ..] => (*token, rest),
            _ => return Ok(None),
        };
        let count = self.engine.offerings().count() as u32;
        let number = self.offering(token).map_or(101 + count, |known| known.terms.token.id.0);
        let like = Catalog::standard().markets[0].clone();
        let (id, now) = (AssetId(number), self.now());
        let mut terms = Terms {
            id: self.offering(token).map_or(OfferingId(11 + count), |known| known.terms.id),
            token: Asset { id, code: token.to_owned(), scale: 8, wallets: vec![Wallet::Spot], faucet_max: 0 },
            market: Market {
                id: MarketId(number),
                symbol: format!("{token}/USDT"),
                base: id,
                tick: Price(10_000),
                step: 1_000_000,
                ..like
            },
            supply: 0,
            price: Price(0),
            pay: vec![AssetId(3), AssetId(1)],
            start: now,
            close: now,
            launch: now,
            release: vec![(7, Rate(100_000_000))],
            min: 10_000_000,
            user_cap: 10_000_000_000,
            oversub: 10,
        };
        (terms.market.min_quantity, terms.market.max_quantity) = (1_000_000, 100_000_000_000_000);
        loop {
            rest = match rest {
                [] => break,
                ["supply", amount, rest @ ..] => {
                    terms.supply = engine::amount::parse_decimal(amount, terms.token.scale, u64::MAX).map_err(|why| format!("{why:?}"))?;
                    rest
                }
                ["price", price, rest @ ..] => {
                    terms.price = price_of(price)?;
                    rest
                }
                [word @ ("opens" | "closes" | "launches"), amount, unit, rest @ ..] => {
                    let at = now.plus(duration(amount, unit)?);
                    match *word {
                        "opens" => terms.start = at,
                        "closes" => terms.close = at,
                        _ => terms.launch = at,
                    }
                    rest
                }
                ["min", least, rest @ ..] => {
                    terms.min = self.money(least, "USDT")?.0;
                    rest
                }
                ["cap", most, rest @ ..] => {
                    terms.user_cap = self.money(most, "USDT")?.0;
                    rest
                }
                ["factor", times, rest @ ..] => {
                    terms.oversub = times.parse().map_err(|_| "how often?")?;
                    rest
                }
                ["pays", code, rest @ ..] => {
                    terms.pay = vec![self.money("0", code)?.1];
                    rest
                }
                ["release", schedule, rest @ ..] => {
                    let tranche = |text: &str| {
                        let (day, percent) = text.split_once(':').ok_or("day and percent")?;
                        let share = percent.parse::<u64>().map_err(|error| error.to_string())? * 1_000_000;
                        Ok((day.parse().map_err(|_| "which day?")?, Rate(share)))
                    };
                    terms.release = schedule.split(',').map(tranche).collect::<Parsed<_>>()?;
                    rest
                }
                other => return Err(format!("unknown terms {other:?}")),
            };
        }
        Ok(Some(Proposed::ChangeCatalog { change: CatalogChange::Offering(Box::new(terms)), effective: Time(0) }))
    }

    pub fn check_subscriptions(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["offering", token, rest @ ..] => {
                let shown = self.offering(token).map_or("none".to_owned(), |offering| {
                    let sold = plain(offering.sold, offering.terms.token.scale);
                    format!("{:?} committed {} sold {sold} tranches {}", offering.status, plain(offering.committed, 6), offering.tranches)
                });
                equal(&shown, &rest.join(" "))
            }
            ["commitment", name, rest @ ..] => match self.names.get(*name) {
                Some(Named::Commitment(id)) => equal(&self.shown_commitment(*id), &rest.join(" ")),
                _ => Err(format!("no commitment {name}")),
            },
            ["commitments", name, count] => equal(&self.engine.commitments_of(self.member(name)).count().to_string(), count),
            ["reference", symbol, price] => {
                let reference = self.market(symbol).ok().and_then(|market| self.engine.reference_price(market.id));
                equal(&reference.map_or("none".to_owned(), |reference| plain(reference.0, 8)), price)
            }
            _ => return None,
        })
    }

    fn shown_commitment(&self, id: CommitmentId) -> String {
        let Some(commitment) = self.commitments.get(&id) else { return "gone".to_owned() };
        let Commitment { offering, asset, value, status, tokens, cost, charge, refund, released, .. } = commitment;
        let scale = |asset| self.engine.known_coin(asset).map_or(0, |facts| facts.scale);
        let token = self.engine.offering(*offering).map_or(0, |offering| offering.terms.token.scale);
        let (paid, tokens, released) = (scale(*asset), plain(*tokens, token), plain(*released, token));
        let (charge, refund) = (plain(*charge, paid), plain(*refund, paid));
        format!(
            "{status:?} worth {} tokens {tokens} cost {} charge {charge} refund {refund} released {released}",
            plain(*value, 6),
            plain(*cost, 6)
        )
    }
}

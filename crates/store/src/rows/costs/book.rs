//! Members' holdings, and what moves them.

use std::collections::{BTreeMap, BTreeSet};

use engine::amount::{Amount, Price};
use engine::units::{Base, Scales};

use crate::costs::{self, Aside, Cost, Holding, Key};
use crate::db::{self, Db, DbError, Sql, Value};

/// A move of atoms of a holding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Move {
    /// They came in at this cost, if it is known.
    In(Key, Amount, Option<Amount>),
    /// They left for good.
    Out(Key, Amount),
    /// They were sold for this amount, if it is known.
    Sold(Key, Amount, Option<Amount>),
    /// They are set aside in an object.
    SetAside(Key, Amount, Aside),
    /// This many come back from an object. Atoms that were not in it come in at this price.
    Back(Key, Amount, Aside, Option<Priced>),
    /// No more comes back from an object; what is still in it was sold for this amount, or is lost.
    Closed(Aside, Option<Amount>),
}

impl Move {
    fn key(self) -> Option<Key> {
        match self {
            Move::In(key, ..) | Move::Out(key, _) | Move::Sold(key, ..) | Move::SetAside(key, ..) | Move::Back(key, ..) => Some(key),
            Move::Closed(..) => None,
        }
    }

    fn object(self) -> Option<Aside> {
        match self {
            Move::SetAside(_, _, object) | Move::Back(_, _, object, _) | Move::Closed(object, _) => Some(object),
            Move::In(..) | Move::Out(..) | Move::Sold(..) => None,
        }
    }
}

/// A price of a coin in USDT, and the decimals of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Priced(pub(super) Price, pub(super) Scales);

impl Priced {
    /// The value of atoms, rounded down; `None` if it is not an amount.
    pub(super) fn worth(self, atoms: Amount) -> Option<Amount> {
        Base(atoms).value_floor(self.0, self.1).ok().map(|value| value.0)
    }
}

/// A row that changed carries the sequence of the entry that changed it last.
#[derive(Clone, Copy, Debug, Default)]
struct Versioned<T> {
    now: T,
    changed: Option<u64>,
}

impl<T> Versioned<T> {
    fn change(&mut self, seq: u64) -> &mut T {
        self.changed = Some(seq);
        &mut self.now
    }
}

/// The holdings of members with moves, and what the objects of these moves hold.
#[derive(Debug, Default)]
pub(super) struct Book {
    costs: BTreeMap<Key, Versioned<Cost>>,
    aside: BTreeMap<Aside, Versioned<Option<(Key, Holding)>>>,
}

impl Book {
    pub(super) async fn read(db: &Db, moves: &[(u64, Move)]) -> Result<Book, DbError> {
        let objects: BTreeSet<Aside> = moves.iter().filter_map(|(_, moved)| moved.object()).collect();
        let aside = costs::aside(db, &objects.into_iter().collect::<Vec<_>>()).await?;
        // Coins set aside may be sold, which gives their owner a profit.
        let owners = aside.iter().map(|(_, (key, _))| *key);
        let users: BTreeSet<u64> = moves.iter().filter_map(|(_, moved)| moved.key()).chain(owners).map(|(user, _)| user.0).collect();
        let costs = costs::of_members(db, &users.into_iter().collect::<Vec<_>>()).await?;
        Ok(Book {
            costs: costs.into_iter().map(|(key, now)| (key, Versioned { now, changed: None })).collect(),
            aside: aside.into_iter().map(|(object, now)| (object, Versioned { now: Some(now), changed: None })).collect(),
        })
    }

    /// A member's holding.
    #[cfg(test)]
    pub(super) fn of(&self, key: Key) -> Cost {
        self.costs.get(&key).map_or(Cost::default(), |kept| kept.now)
    }

    fn cost(&mut self, seq: u64, key: Key) -> &mut Cost {
        self.costs.entry(key).or_default().change(seq)
    }

    fn object(&mut self, seq: u64, object: Aside) -> &mut Option<(Key, Holding)> {
        self.aside.entry(object).or_default().change(seq)
    }

    pub(super) fn apply(&mut self, seq: u64, moved: Move) {
        match moved {
            Move::In(key, atoms, cost) => self.cost(seq, key).holding.add(atoms, cost),
            Move::Out(key, atoms) => {
                self.cost(seq, key).holding.take(atoms);
            }
            Move::Sold(key, atoms, proceeds) => {
                let taken = self.cost(seq, key).holding.take(atoms);
                self.sold(seq, key, taken, proceeds);
            }
            Move::SetAside(key, atoms, object) => {
                let taken = self.cost(seq, key).holding.take(atoms);
                self.object(seq, object).get_or_insert((key, Holding::default())).1.put_back(taken);
            }
            Move::Back(key, atoms, object, price) => {
                let lying = self.object(seq, object).as_mut();
                let taken = lying.map_or(Holding::default(), |(_, holding)| holding.take(atoms));
                let more = atoms.saturating_sub(taken.atoms());
                let holding = &mut self.cost(seq, key).holding;
                holding.put_back(taken);
                if more > 0 {
                    holding.add(more, price.and_then(|price| price.worth(more)));
                }
            }
            Move::Closed(object, proceeds) => {
                if let Some((key, holding)) = self.object(seq, object).take() {
                    self.sold(seq, key, holding, proceeds);
                }
            }
        }
    }

    /// Without proceeds there is no profit.
    fn sold(&mut self, seq: u64, key: Key, taken: Holding, proceeds: Option<Amount>) {
        if let Some(proceeds) = proceeds {
            let cost = self.cost(seq, key);
            cost.realised = cost.realised.saturating_add(taken.profit(proceeds));
        }
    }

    pub(super) fn statements(self) -> Vec<Sql> {
        let (mut costs, mut aside, mut gone) = (db::Rows::default(), db::Rows::default(), Vec::new());
        for ((user, asset), Versioned { now, changed }) in self.costs {
            let Some(seq) = changed else { continue };
            let Cost { holding: Holding { quantity, uncosted, cost }, realised } = now;
            costs.push([Value::from(user.0), asset.0.into(), quantity.into(), uncosted.into(), cost.into(), realised.into(), seq.into()]);
        }
        for (object, Versioned { now, changed }) in self.aside {
            let Some(seq) = changed else { continue };
            let Some(((user, asset), Holding { quantity, uncosted, cost })) = now else {
                gone.push(object);
                continue;
            };
            let amounts = [Value::from(user.0), asset.0.into(), quantity.into(), uncosted.into(), cost.into(), seq.into()];
            aside.push(object.cells().into_iter().chain(amounts));
        }
        let mut statements = costs::gone(&gone);
        let rows = [(costs::INSERT, costs::CHANGE, costs), (costs::INSERT_ASIDE, costs::CHANGE_ASIDE, aside)];
        statements.extend(rows.into_iter().filter(|(.., rows)| !rows.is_empty()).map(|(head, tail, rows)| Sql::bulk(head, tail, rows)));
        statements
    }
}

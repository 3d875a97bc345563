//! Cost basis and realized profit of members' coins, in USDT: derived from the log by average cost, rebuildable from it.
//!
//! Costs are counted in USDT (the coin of the bank terms). USDT costs itself, so it has no row. For every other coin a member has one
//! [`Holding`] across all accounts: atoms whose cost is known, what they cost, and atoms whose cost is unknown. The two kinds of atoms add
//! up to the member's balance in the ledger. A holding moves with the lines of the ledger, by their purpose:
//!
//! * **Bought**: a fill, a conversion or an allotment of a new coin adds what was paid, fees included. A fee in the bought coin reduces the
//!   quantity, not the cost.
//! * **Sold**: a fill, a conversion, collateral that pays a debt, or a coin that paid for a new one takes out cost in proportion. The
//!   profit is the proceeds after fees, less that cost.
//! * **Came in** otherwise: deposits, paper money, rebates, interest, borrowed money and the gains of options and contracts are costed at
//!   the last index price at that time, of whatever age. Before a first price their cost is unknown.
//! * **Left** otherwise: withdrawals, fees, repayments and the losses of options and contracts take their cost with them, without a profit:
//!   options, contracts, loans and plans have results of their own.
//! * **Stayed**: transfers, holds, margins, locked plans and collateral change nothing.
//! * **Set aside**: what left a wallet for an object that may return it takes its cost along and brings it back: the stake of an option,
//!   the payment for a new coin, a withdrawal that may be returned. What comes back is not a purchase.
//!
//! An exchange without USDT is valued at the index price of the coin its price is in: for a pair, the quote coin; for a conversion, what
//! its quote says; for a new coin, its issue price; for collateral, the debt that it paid. Without such a price no profit is counted, and
//! the cost of what was received is unknown. A holding with both kinds of atoms moves both in proportion, and only the part with a known
//! cost makes a profit.
//!
//! All figures are whole atoms. Values and shares are rounded down, so the remainder stays where it was: taking everything leaves a cost of
//! 0, and what is set aside comes back with exactly what it took. Where a sum of costs would reach 10^18 atoms, which is not an amount, its
//! last part has no known cost.

use engine::amount::{Amount, MAX_AMOUNT, PRICE_SCALE, Price, pow10};
use engine::ids::{AssetId, UserId};
use engine::units::Scales;

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::history::small;
use crate::sql;

/// `quantity` are atoms with a known cost, `uncosted` the others; `cost` and `realised` are atoms of USDT. `object` is a number of
/// [`Aside`]. A database of an earlier release has no costs up to its mark: they are made by a replay of the whole journal.
pub(crate) const MIGRATION: Migration = Migration {
    id: 92,
    name: "costs",
    ddl: &[
        "ALTER TABLE history ADD COLUMN costs_seq INTEGER NOT NULL DEFAULT 0",
        "CREATE TABLE costs (
            user_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            quantity INTEGER NOT NULL,
            uncosted INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            realised INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (user_id, asset)
        ) WITHOUT ROWID, STRICT",
        "CREATE TABLE costs_aside (
            object INTEGER NOT NULL,
            object_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            quantity INTEGER NOT NULL,
            uncosted INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (object, object_id)
        ) WITHOUT ROWID, STRICT",
        // The last price of the index before `costs_seq`, because samples are kept only for days.
        "CREATE TABLE cost_prices (asset INTEGER PRIMARY KEY, price INTEGER NOT NULL, seq INTEGER NOT NULL) STRICT",
    ],
};

pub(crate) const INSERT: &str = "insert into costs (user_id, asset, quantity, uncosted, cost, realised, seq) values";
pub(crate) const CHANGE: &str = "on conflict (user_id, asset) do update set quantity = excluded.quantity, uncosted = excluded.uncosted,
    cost = excluded.cost, realised = excluded.realised, seq = excluded.seq";
pub(crate) const INSERT_ASIDE: &str = "insert into costs_aside (object, object_id, user_id, asset, quantity, uncosted, cost, seq) values";
pub(crate) const CHANGE_ASIDE: &str =
    "on conflict (object, object_id) do update set quantity = excluded.quantity, uncosted = excluded.uncosted,
    cost = excluded.cost, seq = excluded.seq";
pub(crate) const INSERT_PRICE: &str = "insert into cost_prices (asset, price, seq) values";
pub(crate) const CHANGE_PRICE: &str = "on conflict (asset) do update set price = excluded.price, seq = excluded.seq";

/// Members or objects of one statement.
const CHUNK: usize = 32;
/// Statements of one read, which PostgreSQL has to answer within seconds.
const STATEMENTS: usize = 64;

/// Atoms of a coin, and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    /// Atoms whose cost is known.
    pub quantity: Amount,
    /// Atoms whose cost is unknown.
    pub uncosted: Amount,
    /// Cost of `quantity`, atoms of USDT, below 10^18.
    pub cost: Amount,
}

impl Holding {
    /// Atoms in all.
    pub fn atoms(self) -> Amount {
        self.quantity.saturating_add(self.uncosted)
    }

    /// Atoms come in, with their cost if it is known.
    pub fn add(&mut self, atoms: Amount, cost: Option<Amount>) {
        match cost.and_then(|cost| self.cost.checked_add(cost)).filter(|sum| *sum < MAX_AMOUNT) {
            Some(sum) => (self.quantity, self.cost) = (self.quantity.saturating_add(atoms), sum),
            None => self.uncosted = self.uncosted.saturating_add(atoms),
        }
    }

    /// Returns what was taken, with its cost.
    pub fn put_back(&mut self, taken: Holding) {
        self.add(taken.quantity, Some(taken.cost));
        self.uncosted = self.uncosted.saturating_add(taken.uncosted);
    }

    /// Takes atoms out, of both kinds and with their cost in proportion; at most all.
    pub fn take(&mut self, atoms: Amount) -> Holding {
        let atoms = atoms.min(self.atoms());
        let quantity = share(self.quantity, atoms, self.atoms());
        let taken = Holding { quantity, uncosted: atoms.saturating_sub(quantity), cost: share(self.cost, quantity, self.quantity) };
        self.quantity = self.quantity.saturating_sub(taken.quantity);
        self.uncosted = self.uncosted.saturating_sub(taken.uncosted);
        self.cost = self.cost.saturating_sub(taken.cost);
        taken
    }

    /// Average cost of a whole coin, rounded down; `None` without a known cost, or if the price exceeds 64 bits.
    pub fn average(self, scales: Scales) -> Option<Price> {
        // Below 10^18 times 10^16.
        let above = u128::from(self.cost) * pow10(PRICE_SCALE.saturating_add(scales.base));
        let price = above.checked_div(u128::from(self.quantity).checked_mul(pow10(scales.quote))?)?;
        u64::try_from(price).ok().map(Price)
    }

    /// The profit of these atoms when all of them were sold for `proceeds`: only the part with a known cost counts. Atoms of USDT.
    pub fn profit(self, proceeds: Amount) -> i64 {
        // Both are below 10^18.
        share(proceeds, self.quantity, self.atoms()).cast_signed().saturating_sub(self.cost.cast_signed())
    }
}

/// `whole` times `part` of `of`, rounded down; 0 of nothing. `part` is at most `of`.
fn share(whole: Amount, part: Amount, of: Amount) -> Amount {
    let product = u128::from(whole) * u128::from(part);
    product.checked_div(u128::from(of)).map_or(0, |share| Amount::try_from(share).unwrap_or(Amount::MAX))
}

/// A member's holding of a coin in all accounts, and the profit from selling it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Atoms and their cost.
    pub holding: Holding,
    /// Profit of all sales, negative for a loss, atoms of USDT. It ends at the bounds of 64 bits.
    pub realised: i64,
}

/// Member and coin.
pub(crate) type Key = (UserId, AssetId);

/// An object that may return what it holds, by its number. Its kind has a number in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aside {
    /// A withdrawal that left: it may be returned until it is confirmed.
    Withdrawal(u64),
    /// The stake and fee of an option.
    Option(u64),
    /// The payment for a new coin.
    Commitment(u64),
}

impl Aside {
    /// The number of its kind, and its own.
    fn numbers(self) -> (u8, u64) {
        match self {
            Aside::Withdrawal(id) => (1, id),
            Aside::Option(id) => (2, id),
            Aside::Commitment(id) => (3, id),
        }
    }

    pub(crate) fn cells(self) -> [Value; 2] {
        let (kind, id) = self.numbers();
        [kind.into(), id.into()]
    }

    fn of(row: &Row) -> Result<Aside, DbError> {
        let id = row.id(1)?;
        match row.id(0)? {
            1 => Ok(Aside::Withdrawal(id)),
            2 => Ok(Aside::Option(id)),
            3 => Ok(Aside::Commitment(id)),
            kind => Err(DbError::Failed(format!("object {kind} of costs"))),
        }
    }
}

fn holding(row: &Row, at: usize) -> Result<Holding, DbError> {
    Ok(Holding { quantity: row.id(at)?, uncosted: row.id(at + 1)?, cost: row.id(at + 2)? })
}

fn cost(row: &Row) -> Result<(Key, Cost), DbError> {
    let key = (UserId(row.id(0)?), AssetId(small(row, 1)?));
    Ok((key, Cost { holding: holding(row, 2)?, realised: row.int(5)? }))
}

const COST: &str = "select user_id, asset, quantity, uncosted, cost, realised from costs";

/// A member's coins by their number, of all coins or of one; also those that they no longer have. USDT is not among them.
pub async fn of_member(db: &Db, user: UserId, asset: Option<AssetId>) -> Result<Vec<(AssetId, Cost)>, DbError> {
    let find = match asset {
        Some(asset) => sql!(format!("{COST} where user_id = $1 and asset = $2"), user.0, asset.0),
        None => sql!(format!("{COST} where user_id = $1 order by asset"), user.0),
    };
    db.query(find).await?.rows.iter().map(|row| cost(row).map(|((_, asset), cost)| (asset, cost))).collect()
}

/// Arguments of a statement for [`CHUNK`] items, padded with the last of them, so one text serves any number.
fn filled(chunk: &[u64]) -> Vec<Value> {
    (0..CHUNK).filter_map(|at| chunk.get(at).or(chunk.last())).map(|id| (*id).into()).collect()
}

fn places(first: usize) -> String {
    (first..first + CHUNK).map(|place| format!("${place}")).collect::<Vec<_>>().join(",")
}

/// The holdings of these members in all coins.
pub(crate) async fn of_members(db: &Db, users: &[u64]) -> Result<Vec<(Key, Cost)>, DbError> {
    let text = format!("{COST} where user_id in ({})", places(1));
    let find = users.chunks(CHUNK).map(|chunk| Sql::new(text.clone(), filled(chunk))).collect();
    read(db, find).await?.iter().map(cost).collect()
}

/// The rows that these statements find.
async fn read(db: &Db, mut find: Vec<Sql>) -> Result<Vec<Row>, DbError> {
    let mut rows = Vec::new();
    while !find.is_empty() {
        let later = find.split_off(find.len().min(STATEMENTS));
        let found = db.read(std::mem::replace(&mut find, later)).await?;
        rows.extend(found.into_iter().flat_map(|done| done.rows));
    }
    Ok(rows)
}

/// This statement for these objects, which are in their order.
fn of_objects(head: &str, objects: &[Aside]) -> Vec<Sql> {
    let text = format!("{head} where object = $1 and object_id in ({})", places(2));
    let of_kind = objects.chunk_by(|one, next| one.numbers().0 == next.numbers().0).flat_map(|of_kind| of_kind.chunks(CHUNK));
    let args = |chunk: &[Aside]| {
        let ids: Vec<u64> = chunk.iter().map(|object| object.numbers().1).collect();
        chunk.first().map(|first| first.numbers().0.into()).into_iter().chain(filled(&ids)).collect()
    };
    of_kind.map(|chunk| Sql::new(text.clone(), args(chunk))).collect()
}

/// Nothing more comes back from these objects, which are in their order.
pub(crate) fn gone(objects: &[Aside]) -> Vec<Sql> {
    of_objects("delete from costs_aside", objects)
}

/// What these objects hold, which are in their order, and for which member; nothing for those without.
pub(crate) async fn aside(db: &Db, objects: &[Aside]) -> Result<Vec<(Aside, (Key, Holding))>, DbError> {
    let find = of_objects("select object, object_id, user_id, asset, quantity, uncosted, cost from costs_aside", objects);
    let row = |row: &Row| Ok((Aside::of(row)?, ((UserId(row.id(2)?), AssetId(small(row, 3)?)), holding(row, 4)?)));
    read(db, find).await?.iter().map(row).collect()
}

/// The last prices of coins at the mark of the costs.
pub(crate) async fn prices(db: &Db) -> Result<Vec<(AssetId, Price)>, DbError> {
    let row = |row: &Row| Ok((AssetId(small(row, 0)?), Price(row.id(1)?)));
    db.query(sql!("select asset, price from cost_prices")).await?.rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(quantity: u64, uncosted: u64, cost: u64) -> Holding {
        Holding { quantity, uncosted, cost }
    }

    #[tokio::test]
    async fn many_objects_are_found_and_deleted_by_few_statements() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
        let history = Migration { id: 1, name: "history", ddl: &["CREATE TABLE history (id INTEGER NOT NULL PRIMARY KEY)"] };
        db.migrate(&[history, MIGRATION]).await.unwrap();
        let of_kind = |kind: fn(u64) -> Aside| (1..=5_000).map(kind);
        let all: Vec<Aside> = of_kind(Aside::Withdrawal).chain(of_kind(Aside::Option)).chain(of_kind(Aside::Commitment)).collect();
        let cells = |object: &Aside| object.cells().into_iter().chain([7_u64, 3, object.numbers().1, 0, 1, 1].map(Value::from));
        db.run(vec![Sql::bulk(INSERT_ASIDE, CHANGE_ASIDE, all.iter().map(cells).collect())]).await.unwrap();

        assert!(of_objects("", &all).len() < all.len() / 30);
        let found = aside(&db, &all).await.unwrap();
        assert!(found.iter().all(|(object, (_, held))| *held == of(object.numbers().1, 0, 1)));
        let mut found: Vec<Aside> = found.into_iter().map(|(object, _)| object).collect();
        found.sort_unstable();
        assert!(found == all, "{} of {}", found.len(), all.len());
        db.run(gone(&all[1..])).await.unwrap();
        assert_eq!(aside(&db, &all).await.unwrap().into_iter().map(|(object, _)| object).collect::<Vec<_>>(), all[..1]);
        assert_eq!(aside(&db, &[]).await, Ok(Vec::new()));
    }

    #[test]
    fn what_is_taken_in_parts_takes_all_of_the_cost_and_no_more() {
        // The steps run through a full cycle modulo a prime.
        let mut step: u64 = 1;
        let mut next = move |below: u64| {
            step = step * 48_271 % 2_147_483_647;
            step % below.max(1)
        };
        for _ in 0..5_000 {
            let whole = of(next(1_000_000_000) + 1, next(3) * next(1_000), next(1_000_000_000));
            let (mut left, mut taken) = (whole, Holding::default());
            while left.atoms() > 0 {
                let part = left.take(next(left.atoms()) + 1);
                assert!(part.atoms() > 0);
                taken.put_back(part);
                assert_eq!((left.quantity + taken.quantity, left.uncosted + taken.uncosted), (whole.quantity, whole.uncosted));
                assert_eq!(left.cost + taken.cost, whole.cost);
            }
            assert_eq!((left, taken), (Holding::default(), whole));
        }
    }

    #[test]
    fn a_part_leaves_what_is_rounded_with_the_rest() {
        let mut three = of(3, 0, 100);
        assert_eq!((three.take(1), three), (of(1, 0, 33), of(2, 0, 67)));
        let mut mixed = of(3, 1, 100);
        // Of the two atoms taken, three quarters, rounded down, have a cost.
        assert_eq!((mixed.take(2), mixed), (of(1, 1, 33), of(2, 0, 67)));
        let mut unknown = of(0, 5, 0);
        assert_eq!((unknown.take(2), unknown), (of(0, 2, 0), of(0, 3, 0)));
        let mut few = of(1, 1, 7);
        assert_eq!((few.take(9), few), (of(1, 1, 7), of(0, 0, 0)));
        assert_eq!(Holding::default().take(1), Holding::default());
    }

    #[test]
    fn only_the_part_with_a_cost_makes_a_profit() {
        assert_eq!(of(4, 0, 100).profit(130), 30);
        assert_eq!(of(4, 0, 100).profit(70), -30);
        assert_eq!(of(1, 3, 20).profit(100), 5);
        assert_eq!((of(0, 4, 0).profit(100), of(0, 0, 0).profit(1)), (0, 0));
        let most = MAX_AMOUNT - 1;
        assert_eq!(of(most, 0, most).profit(most), 0);
    }

    #[test]
    fn the_average_is_a_price_that_is_rounded_down() {
        let scales = Scales { base: 8, quote: 6 };
        assert_eq!(of(150_000_000, 7, 90_000_000_000).average(scales), Some(Price(6_000_000_000_000)));
        assert_eq!(of(3, 0, 1).average(scales), Some(Price(3_333_333_333)));
        assert_eq!((of(0, 5, 0).average(scales), of(1, 0, MAX_AMOUNT - 1).average(scales)), (None, None));
    }

    #[test]
    fn a_sum_of_costs_that_is_no_amount_leaves_its_last_part_without_one() {
        let mut rich = of(1, 0, MAX_AMOUNT - 10);
        rich.add(5, Some(9));
        assert_eq!(rich, of(6, 0, MAX_AMOUNT - 1));
        rich.add(7, Some(1));
        assert_eq!(rich, of(6, 7, MAX_AMOUNT - 1));
        rich.add(8, None);
        assert_eq!(rich, of(6, 15, MAX_AMOUNT - 1));
        rich.put_back(of(2, 3, 50));
        assert_eq!(rich, of(6, 20, MAX_AMOUNT - 1));
    }
}

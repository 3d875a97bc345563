//! Double entry. Money moves only by [`Ledger::transfer`]: one debit and one credit of the same amount, so an unbalanced posting cannot be written.

pub(crate) mod posting;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT};
use crate::catalog::{Asset, Wallet};
use crate::column::Column;
use crate::event::{Event, emit};
use crate::exact::Exact;
use crate::ids::{AssetId, IdTable, MemberIndex, UserId, to_u32, to_usize};
use crate::reject::Reject;
pub use posting::{HouseAccount, Line, LineKind, ObjectKind, Owner, Part, Posting, PostingSide};

/// Why a posting is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason {
    /// Kind of line.
    pub kind: LineKind,
    /// Kind of the object.
    pub object: ObjectKind,
    /// Number of the object on the debit side.
    pub debit_id: u64,
    /// Number of the object on the credit side.
    pub credit_id: u64,
}

/// Available and held atoms of one wallet in one coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Balance {
    /// Free to use.
    pub available: Amount,
    /// Bound by open objects.
    pub held: Amount,
}

impl Balance {
    /// Available and held together.
    pub fn total(self) -> Amount {
        self.available.plus(self.held, BELOW_MAX)
    }
}

/// Position of a coin in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AssetIndex(u32);

/// A member whose balances move: their index in the columns, and their number for the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) member: MemberIndex,
    pub(crate) user: UserId,
}

/// What one open object holds of its owner's money (L-1).
pub(crate) struct Hold {
    pub(crate) member: MemberIndex,
    pub(crate) wallet: Wallet,
    pub(crate) asset: AssetId,
    pub(crate) amount: Amount,
}

/// What one open object may still cost the house (L-2).
pub(crate) struct Reserve {
    pub(crate) account: HouseAccount,
    pub(crate) asset: AssetId,
    pub(crate) amount: Amount,
}

/// An account as the engine names it. One type for each kind: a posting then knows its accounts when it is compiled.
pub(crate) trait Account: Copy {
    fn owner(self) -> Owner;

    /// Changes its balance and returns the result of `how`; `None` for the outside.
    fn change(self, coin: &mut Coin, how: impl FnOnce(&mut Amount) -> Amount) -> Option<Amount>;

    /// The paying member.
    fn payer(self) -> Option<MemberIndex> {
        None
    }

    /// What a payment must leave in it.
    fn reserved(self, _: &Coin) -> Amount {
        0
    }
}

/// A member's available balance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Available(pub(crate) Holder, pub(crate) Wallet);

impl Account for Available {
    fn owner(self) -> Owner {
        Owner::Member(self.0.user, self.1, Part::Available)
    }

    fn change(self, coin: &mut Coin, how: impl FnOnce(&mut Amount) -> Amount) -> Option<Amount> {
        Some(coin.change(self.0.member, self.1, |balance| how(&mut balance.available)))
    }

    fn payer(self) -> Option<MemberIndex> {
        Some(self.0.member)
    }
}

/// A house account that pays from what a member left with it: the fee of an option is in the pool with its stake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftBy(pub(crate) MemberIndex, pub(crate) HouseAccount);

impl Account for LeftBy {
    fn owner(self) -> Owner {
        self.1.owner()
    }

    fn change(self, coin: &mut Coin, how: impl FnOnce(&mut Amount) -> Amount) -> Option<Amount> {
        self.1.change(coin, how)
    }

    fn payer(self) -> Option<MemberIndex> {
        Some(self.0)
    }

    fn reserved(self, coin: &Coin) -> Amount {
        self.1.reserved(coin)
    }
}

/// What a member's open objects bind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoldKey(pub(crate) Holder, pub(crate) Wallet);

impl Account for HoldKey {
    fn owner(self) -> Owner {
        Owner::Member(self.0.user, self.1, Part::Held)
    }

    fn change(self, coin: &mut Coin, how: impl FnOnce(&mut Amount) -> Amount) -> Option<Amount> {
        Some(coin.change(self.0.member, self.1, |balance| how(&mut balance.held)))
    }

    fn payer(self) -> Option<MemberIndex> {
        Some(self.0.member)
    }
}

impl Account for HouseAccount {
    fn owner(self) -> Owner {
        Owner::House(self)
    }

    fn change(self, coin: &mut Coin, how: impl FnOnce(&mut Amount) -> Amount) -> Option<Amount> {
        if self == HouseAccount::External { None } else { coin.house.get_mut(self.at()).map(how) }
    }

    fn reserved(self, coin: &Coin) -> Amount {
        coin.reserved.get(self.at()).copied().unwrap_or(0)
    }
}

/// All balances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    coins: Vec<Coin>,
    by_id: IdTable,
    /// Number of coins from genesis, which come first.
    of_genesis: usize,
    /// A bit for each member whose fees are noted, up to the last of them.
    noted: Vec<u64>,
    /// Fees that were paid by such members and not taken since.
    noted_fees: VecDeque<(MemberIndex, AssetId, Amount)>,
}

/// Balances of one coin: a column for each wallet that admits it, indexed by member.
#[derive(Clone, Debug)]
pub(crate) struct Coin {
    asset: AssetId,
    wallets: [Option<Column<Balance>>; 4],
    house: [Amount; HouseAccount::COUNT],
    /// Part of each house balance that open objects may still cost (L-2). Derived from them, so it is in no snapshot.
    reserved: [Amount; HouseAccount::COUNT],
    external: i128,
}

impl Ledger {
    pub(crate) fn new(assets: &[Asset]) -> Ledger {
        let coins: Vec<Coin> = assets.iter().map(|asset| Coin::new(asset, Column::full)).collect();
        Ledger { of_genesis: coins.len(), by_id: IdTable::of(coins.iter().map(|coin| u64::from(coin.asset.0))), coins, ..Ledger::default() }
    }

    /// Lists a coin that is not in the ledger.
    pub(crate) fn list(&mut self, asset: &Asset) {
        self.by_id.insert(u64::from(asset.id.0), to_u32(self.coins.len()));
        self.coins.push(Coin::new(asset, Column::sparse));
    }

    /// Adds a member with empty wallets.
    pub(crate) fn add_member(&mut self) {
        for coin in self.coins.iter_mut().take(self.of_genesis) {
            coin.wallets.iter_mut().flatten().for_each(Column::add_member);
        }
    }

    pub(crate) fn asset(&self, id: AssetId) -> Option<AssetIndex> {
        self.by_id.find(u64::from(id.0)).map(AssetIndex)
    }

    /// Balance of a wallet; `None` when the wallet does not admit the coin.
    pub(crate) fn balance(&self, member: MemberIndex, wallet: Wallet, asset: AssetIndex) -> Option<Balance> {
        let column = self.coin(asset).wallets.get(wallet.at())?.as_ref()?;
        Some(column.get(member))
    }

    /// Available atoms, 0 where the wallet does not admit the coin.
    pub(crate) fn available(&self, member: MemberIndex, wallet: Wallet, asset: AssetIndex) -> Amount {
        self.balance(member, wallet, asset).unwrap_or_default().available
    }

    pub(crate) fn house(&self, account: HouseAccount, asset: AssetIndex) -> Amount {
        self.coin(asset).house.get(account.at()).copied().unwrap_or(0)
    }

    /// The reserve of a house account (L-2).
    pub(crate) fn reserved(&self, account: HouseAccount, asset: AssetIndex) -> Amount {
        account.reserved(self.coin(asset))
    }

    /// Reserves atoms of a house account for an object that opens. No payment can take them before they are released, so the object's
    /// maximum cost is available when it ends.
    ///
    /// # Errors
    /// [`Reject::FreeShort`] when less is free; a product gives it a name of its own.
    pub(crate) fn reserve(&mut self, asset: AssetIndex, account: HouseAccount, amount: Amount) -> Result<(), Reject> {
        let coin = self.coins.get_mut(to_usize(asset.0)).expect(GUARDED);
        let free = coin.house.get(account.at()).copied().unwrap_or(0).saturating_sub(account.reserved(coin));
        let reserved = coin.reserved.get_mut(account.at()).filter(|_| amount <= free).ok_or(Reject::FreeShort { free })?;
        *reserved = reserved.plus(amount, GUARDED);
        Ok(())
    }

    /// Releases a reserve; the payment that it was for comes after.
    ///
    /// # Panics
    /// When less is reserved: objects release exactly what they reserved.
    pub(crate) fn release(&mut self, asset: AssetIndex, account: HouseAccount, amount: Amount) {
        let reserved = self.coins.get_mut(to_usize(asset.0)).and_then(|coin| coin.reserved.get_mut(account.at())).expect(GUARDED);
        *reserved = reserved.checked_sub(amount).expect(GUARDED);
    }

    /// The total that came in from outside stays below the bound of one amount: then, by I-1, no account can ever exceed it.
    pub(crate) fn may_come_in(&self, asset: AssetIndex, amount: Amount) -> bool {
        i128::from(amount).less(self.coin(asset).external, BELOW_MAX) < i128::from(MAX_AMOUNT)
    }

    /// Moves `amount` from `debit` to `credit`; does nothing for 0.
    ///
    /// # Panics
    /// When the debit side has less: the caller's guard is wrong, and the node must stop rather than continue.
    pub(crate) fn transfer(
        &mut self,
        asset: AssetIndex,
        debit: impl Account,
        credit: impl Account,
        amount: Amount,
        reason: Reason,
        events: &mut Vec<Event>,
    ) {
        if amount == 0 {
            return;
        }
        let coin = self.coins.get_mut(to_usize(asset.0)).expect(GUARDED);
        let (debit_after, credit_after) = (coin.pay(debit, amount), coin.receive(credit, amount));
        let asset = coin.asset;
        let Reason { kind, object, debit_id, credit_id } = reason;
        if kind.is_shared()
            && let Some(payer) = debit.payer().filter(|payer| self.is_noted(*payer))
        {
            self.noted_fees.push_back((payer, asset, amount));
        }
        emit(events, || {
            Event::Posted(Posting {
                asset,
                amount,
                kind,
                object,
                debit: PostingSide { owner: debit.owner(), after: debit_after, object_id: debit_id },
                credit: PostingSide { owner: credit.owner(), after: credit_after, object_id: credit_id },
            })
        });
    }

    /// From now on a member's fees are noted (G-1).
    pub(crate) fn note_fees_of(&mut self, member: MemberIndex) {
        let (word, bit) = (member.at() / 64, 1 << (member.at() % 64));
        if self.noted.len() <= word {
            self.noted.resize(word.saturating_add(1), 0);
        }
        self.noted.iter_mut().skip(word).take(1).for_each(|found| *found |= bit);
    }

    fn is_noted(&self, member: MemberIndex) -> bool {
        self.noted.get(member.at() / 64).is_some_and(|word| word & (1 << (member.at() % 64)) != 0)
    }

    /// The oldest fee that was noted and not taken yet: payer, coin, atoms.
    pub(crate) fn next_noted_fee(&mut self) -> Option<(MemberIndex, AssetId, Amount)> {
        self.noted_fees.pop_front()
    }

    fn coin(&self, asset: AssetIndex) -> &Coin {
        self.coins.get(to_usize(asset.0)).expect("an asset index is only made by the ledger")
    }

    /// All coins, in the order in which they were listed.
    pub(crate) fn coins(&self) -> impl Iterator<Item = (AssetId, AssetIndex)> {
        (0..).zip(&self.coins).map(|(at, coin)| (coin.asset, AssetIndex(at)))
    }

    /// Net inflow from outside.
    pub(crate) fn came_in(&self, asset: AssetIndex) -> Amount {
        Amount::try_from(self.coin(asset).external.unsigned_abs()).expect(BELOW_MAX)
    }

    /// The members who have any of a coin, with the total of all their wallets, available and held.
    pub(crate) fn totals(&self, asset: AssetIndex) -> Vec<(MemberIndex, Amount)> {
        let columns = self.coin(asset).wallets.iter().flatten();
        let mut all: Vec<(MemberIndex, Amount)> =
            columns.flat_map(Column::cells).map(|(member, balance)| (member, balance.total())).collect();
        // Columns follow one another, each in this order, so the sort only merges them.
        all.sort_by_key(|(member, _)| *member);
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.plus(next.1, BELOW_MAX);
            }
            is_same
        });
        all
    }

    /// I-1: for each coin the sum over all accounts including the outside is 0. Returns the first coin where it is not.
    pub(crate) fn unbalanced(&self) -> Option<AssetId> {
        self.coins.iter().find(|coin| coin.sum() != 0).map(|coin| coin.asset)
    }

    /// The coins of genesis as they are in every snapshot.
    pub(crate) fn state(&self) -> impl ExactSizeIterator<Item = CoinState> + Clone {
        self.coins.iter().take(self.of_genesis).map(Coin::state)
    }

    /// The coins that were listed later.
    pub(crate) fn listed(&self) -> Vec<ListedCoinState> {
        self.coins.iter().skip(self.of_genesis).map(Coin::listed_state).collect()
    }

    pub(crate) fn restore(members: usize, coins: Vec<CoinState>, listed: Vec<ListedCoinState>) -> Option<Ledger> {
        let fits = |coin: &CoinState| coin.wallets.iter().flatten().all(|column| column.len() == members);
        let owned = |coin: &ListedCoinState| coin.wallets.iter().flatten().flatten().all(|(member, _)| member.at() < members);
        if !coins.iter().all(fits) || !listed.iter().all(owned) {
            return None;
        }
        let of_genesis = coins.len();
        let coins: Vec<Coin> = coins.into_iter().map(Coin::from).chain(listed.into_iter().map(Coin::from)).collect();
        Some(Ledger { of_genesis, by_id: IdTable::of(coins.iter().map(|coin| u64::from(coin.asset.0))), coins, ..Ledger::default() })
    }
}

const BELOW_MAX: &str = "everything that came in is below 10^18 (I-1)";
const GUARDED: &str = "a guard let a posting through that the account cannot bear (I-2, L-2)";

impl Coin {
    fn new(asset: &Asset, column: fn() -> Column<Balance>) -> Coin {
        Coin {
            asset: asset.id,
            wallets: Wallet::ALL.map(|wallet| asset.wallets.contains(&wallet).then(column)),
            house: [0; HouseAccount::COUNT],
            reserved: [0; HouseAccount::COUNT],
            external: 0,
        }
    }

    fn change(&mut self, member: MemberIndex, wallet: Wallet, how: impl FnOnce(&mut Balance) -> Amount) -> Amount {
        let column = self.wallets.get_mut(wallet.at()).and_then(Option::as_mut);
        column.and_then(|column| column.change(member, how)).expect(GUARDED)
    }

    fn pay(&mut self, account: impl Account, amount: Amount) -> Amount {
        let reserved = account.reserved(self);
        let pay = |balance: &mut Amount| {
            *balance = balance.checked_sub(amount).filter(|left| *left >= reserved).expect(GUARDED);
            *balance
        };
        account.change(self, pay).unwrap_or_else(|| {
            self.external = self.external.less(i128::from(amount), BELOW_MAX);
            0
        })
    }

    fn receive(&mut self, account: impl Account, amount: Amount) -> Amount {
        let receive = |balance: &mut Amount| {
            *balance = balance.checked_add(amount).expect(GUARDED);
            *balance
        };
        account.change(self, receive).unwrap_or_else(|| {
            self.external = self.external.plus(i128::from(amount), BELOW_MAX);
            0
        })
    }

    fn sum(&self) -> i128 {
        let members = self.wallets.iter().flatten().flat_map(Column::values).map(Balance::total);
        members.chain(self.house).map(i128::from).sum::<i128>().plus(self.external, BELOW_MAX)
    }
}

/// One coin's balances in a snapshot: a cell for each member.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CoinState {
    asset: AssetId,
    wallets: [Option<Vec<Balance>>; 4],
    house: [Amount; HouseAccount::COUNT],
    external: i128,
}

/// The same of a coin that was listed later: a cell for each holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListedCoinState {
    asset: AssetId,
    wallets: [Option<Vec<(MemberIndex, Balance)>>; 4],
    house: [Amount; HouseAccount::COUNT],
    external: i128,
}

impl Coin {
    fn state(&self) -> CoinState {
        let wallets = std::array::from_fn(|at| self.wallets.get(at)?.as_ref().map(|column| column.values().collect()));
        CoinState { asset: self.asset, wallets, house: self.house, external: self.external }
    }

    fn listed_state(&self) -> ListedCoinState {
        let wallets = std::array::from_fn(|at| self.wallets.get(at)?.as_ref().map(|column| column.cells().collect()));
        ListedCoinState { asset: self.asset, wallets, house: self.house, external: self.external }
    }
}

impl From<CoinState> for Coin {
    fn from(CoinState { asset, wallets, house, external }: CoinState) -> Coin {
        Coin { asset, wallets: wallets.map(|column| column.map(Column::Full)), house, reserved: [0; HouseAccount::COUNT], external }
    }
}

impl From<ListedCoinState> for Coin {
    fn from(ListedCoinState { asset, wallets, house, external }: ListedCoinState) -> Coin {
        let column = |cells: Vec<(MemberIndex, Balance)>| Column::Sparse(cells.into_iter().collect());
        Coin { asset, wallets: wallets.map(|cells| cells.map(column)), house, reserved: [0; HouseAccount::COUNT], external }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    const POOL: HouseAccount = HouseAccount::OptionPool;

    fn funded(amount: Amount) -> (Ledger, AssetIndex) {
        let mut ledger = Ledger::new(&Catalog::standard().assets);
        let asset = ledger.asset(AssetId(3)).unwrap();
        pay(&mut ledger, HouseAccount::External, POOL, amount);
        (ledger, asset)
    }

    fn pay(ledger: &mut Ledger, from: HouseAccount, to: HouseAccount, amount: Amount) {
        let reason = Reason { kind: LineKind::TreasuryMove, object: ObjectKind::Genesis, debit_id: 1, credit_id: 1 };
        ledger.transfer(AssetIndex(2), from, to, amount, reason, &mut Vec::new());
    }

    #[test]
    fn a_reserve_takes_the_last_free_atom_and_never_more() {
        let (mut ledger, asset) = funded(170);
        assert_eq!(ledger.reserve(asset, POOL, 100), Ok(()));
        assert_eq!(ledger.reserve(asset, POOL, 71), Err(Reject::FreeShort { free: 70 }));
        assert_eq!(ledger.reserve(asset, POOL, 70), Ok(()));
        ledger.release(asset, POOL, 100);
        assert_eq!(ledger.reserved(POOL, asset), 70);
        pay(&mut ledger, POOL, HouseAccount::Fee, 100);
        assert_eq!((ledger.house(POOL, asset), ledger.reserved(POOL, asset)), (70, 70));
    }

    #[test]
    #[should_panic(expected = "L-2")]
    fn a_payment_out_of_a_reserve_stops_the_node() {
        let (mut ledger, asset) = funded(170);
        ledger.reserve(asset, POOL, 100).unwrap();
        pay(&mut ledger, POOL, HouseAccount::Fee, 71);
    }
}

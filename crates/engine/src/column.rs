//! One value per member: dense, with a slot for every member, or sparse, with cells only for the few who have one.

use std::collections::BTreeMap;

use crate::ids::{MemberIndex, to_u32};

/// A column of values by member. Data from genesis, which every member uses, is dense; a listed token with a thousand holders costs a
/// thousand cells.
#[derive(Clone, Debug)]
pub(crate) enum Column<T> {
    /// A slot for every member.
    Full(Vec<T>),
    /// Cells that differ from the default.
    Sparse(BTreeMap<MemberIndex, T>),
}

impl<T: Copy + Default + PartialEq> Column<T> {
    pub(crate) fn sparse() -> Column<T> {
        Column::Sparse(BTreeMap::new())
    }

    pub(crate) fn full() -> Column<T> {
        Column::Full(Vec::new())
    }

    pub(crate) fn add_member(&mut self) {
        match self {
            Column::Full(all) => all.push(T::default()),
            Column::Sparse(_) => {}
        }
    }

    pub(crate) fn get(&self, member: MemberIndex) -> T {
        match self {
            Column::Full(all) => all.get(member.at()).copied(),
            Column::Sparse(cells) => cells.get(&member).copied(),
        }
        .unwrap_or_default()
    }

    /// Changes the value of an existing member. A sparse cell that becomes the default is removed.
    pub(crate) fn change<R>(&mut self, member: MemberIndex, how: impl FnOnce(&mut T) -> R) -> Option<R> {
        match self {
            Column::Full(all) => all.get_mut(member.at()).map(how),
            Column::Sparse(cells) => Some(change_cell(cells, member, how)),
        }
    }

    /// The members who have a cell, with its value; in a full column those who differ from the default.
    pub(crate) fn cells(&self) -> Box<dyn Iterator<Item = (MemberIndex, T)> + '_> {
        match self {
            Column::Full(all) => {
                let cells = all.iter().enumerate().map(|(at, value)| (MemberIndex(to_u32(at)), *value));
                Box::new(cells.filter(|(_, value)| *value != T::default()))
            }
            Column::Sparse(cells) => Box::new(cells.iter().map(|(member, value)| (*member, *value))),
        }
    }

    /// All stored values.
    pub(crate) fn values(&self) -> Box<dyn Iterator<Item = T> + '_> {
        match self {
            Column::Full(all) => Box::new(all.iter().copied()),
            Column::Sparse(cells) => Box::new(cells.values().copied()),
        }
    }
}

/// A separate function, so that columns used by every member are changed without a call.
#[inline(never)]
fn change_cell<T: Default + PartialEq, R>(cells: &mut BTreeMap<MemberIndex, T>, member: MemberIndex, how: impl FnOnce(&mut T) -> R) -> R {
    let cell = cells.entry(member).or_default();
    let result = how(cell);
    if *cell == T::default() {
        cells.remove(&member);
    }
    result
}

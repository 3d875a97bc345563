//! The addresses that belong to us.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::Chain;
use crate::address::{Address, AddressError};

/// The deposit addresses of one chain. It holds many; keep it and insert new ones.
#[derive(Clone, Debug)]
pub struct AddressBook {
    chain: Chain,
    texts: BTreeSet<String>,
    /// The addresses by their accounts, on Ethereum and Tron.
    accounts: BTreeMap<[u8; 20], String>,
}

impl AddressBook {
    /// An empty book.
    pub fn new(chain: Chain) -> AddressBook {
        AddressBook { chain, texts: BTreeSet::new(), accounts: BTreeMap::new() }
    }

    /// Adds an address; one already present changes nothing. Do so **before** the address is shown to anyone: a block of Ethereum is
    /// compared once, when it is read.
    pub fn insert(&mut self, text: &str) -> Result<(), AddressError> {
        let address = Address::parse(self.chain, text)?;
        if let Some(account) = address.account() {
            self.accounts.insert(account, address.as_str().to_owned());
        }
        self.texts.insert(address.into_text());
        Ok(())
    }

    /// The chain of these addresses.
    pub fn chain(&self) -> Chain {
        self.chain
    }

    /// The number of addresses.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Our address of an account.
    pub(super) fn of_account(&self, account: &[u8; 20]) -> Option<&str> {
        self.accounts.get(account).map(String::as_str)
    }

    /// The next addresses in their order, and whether the last one is among them.
    pub(super) fn after(&self, last: Option<&str>, most: usize) -> (Vec<&str>, bool) {
        let from = last.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = self.texts.range::<str, _>((from, Bound::Unbounded)).map(String::as_str);
        let part = rest.by_ref().take(most).collect();
        (part, rest.next().is_none())
    }
}

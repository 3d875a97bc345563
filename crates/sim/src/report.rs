//! The result of a run.

use std::collections::BTreeMap;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries in the journal.
    pub entries: u64,
    /// Commands that were refused, by name.
    pub refused: BTreeMap<&'static str, u64>,
    /// What was done, by the names of [`kinds`](crate::kinds).
    pub done: BTreeMap<&'static str, u64>,
    /// Trades.
    pub trades: u64,
    /// Stop orders that were triggered.
    pub triggered: u64,
    /// Withdrawals that two operators approved.
    pub withdrawn: u64,
    /// Deposits that were credited.
    pub deposited: u64,
    /// Proposals that acted.
    pub proposals: u64,
    /// Orders that a retired pair returned.
    pub given_back: u64,
    /// Own limits that members set.
    pub limits: u64,
    /// Appends that met a fault.
    pub faults: u64,
    /// Restarts, each from a snapshot and from nothing.
    pub restarts: u64,
    /// Hash of everything that happened.
    pub trace: [u8; 32],
}

impl Report {
    /// Adds the figures of another run.
    pub fn add(&mut self, other: &Report) {
        self.entries += other.entries;
        self.trades += other.trades;
        self.triggered += other.triggered;
        self.withdrawn += other.withdrawn;
        self.deposited += other.deposited;
        self.proposals += other.proposals;
        self.given_back += other.given_back;
        self.limits += other.limits;
        self.faults += other.faults;
        self.restarts += other.restarts;
        for (name, count) in &other.refused {
            *self.refused.entry(name).or_default() += count;
        }
        for (name, count) in &other.done {
            *self.done.entry(name).or_default() += count;
        }
    }

    /// Counts what was done, by the names of [`kinds`](crate::kinds).
    pub(crate) fn count(&mut self, done: Vec<&'static str>) {
        for name in done {
            *self.done.entry(name).or_default() += 1;
        }
    }
}

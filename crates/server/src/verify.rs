//! `meridian verify`: checks the whole journal, hash by hash, and the resulting state. Its submodules need no data directory: they check a
//! running venue and what a member saved.

mod contract;
pub mod contract_log;
mod contract_order;
pub mod contract_stops;
pub mod cuts;
mod evidence;
pub mod fault;
pub mod kit;
pub mod known;
pub mod leaf;
pub mod log;
mod prices;
pub mod receipt;
pub mod samples;
pub mod venue;

use std::collections::BTreeMap;
use std::path::Path;

use engine::Engine;
use engine::command::Command;
use engine::feature::Feature;
use engine::ledger::HouseAccount;
use engine::liabilities::{RecordLiabilities, interval};
use engine::published::Published;
use engine::time::Time;
use journal::{Group, Head, Journal, Record};
use kernel::replay;
use store::audit::{self, Act};
use store::db::{Db, DbError};
use store::rows::audit::Rebuilt;
use store::secrets::Secrets;
use store::vault::Vault;
use store::{history, operator_changes, proofs, tie_out};

use crate::config::VerifyArgs;
use crate::databases;
use crate::error::StartError;
use crate::progress_bar;

/// For this many of the newest cuts the trees are rebuilt; for the others only the sums are compared.
const TREES: usize = 6;

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Entries in the chain.
    pub entries: u64,
    /// Chain hash after the last one.
    pub hash: [u8; 32],
    /// Hash of the state that they give.
    pub state_hash: [u8; 32],
    /// Snapshots whose state the replay reached exactly.
    pub snapshots: usize,
    /// The public key that heads of this log are signed with, as hex, for checks from outside.
    pub head_key: Option<String>,
}

/// Replays everything, compares every hash and every snapshot, checks every invariant, the liabilities that the log records, the statements of all members against the state, the
/// rows of the history and of operators against those that the log gives, and the audit log against the acts of operators.
pub fn run(args: &VerifyArgs) -> Result<Verified, StartError> {
    // Opening would create a missing file. Without the high-water file, a truncated journal in PostgreSQL would look complete.
    let first = if args.database.is_none() { "journal.db" } else { "journal.high" };
    if !args.data.join(first).is_file() {
        return Err(StartError(format!("no {first} in {}", args.data.display())));
    }
    let (mut journal, snapshot) = match args.database.as_deref() {
        // A server may keep running meanwhile, so the log and the rows are read at one instant.
        Some(url) => Journal::postgres_frozen(url, &args.data).map(|(journal, snapshot)| (journal, Some(snapshot)))?,
        None => (Journal::sqlite(&args.data)?, None),
    };
    let mut expected = BTreeMap::new();
    let mut at_most = u64::MAX;
    while let Some(snapshot) = journal.snapshot(at_most)? {
        // A start skips a snapshot of another form.
        if replay::is_of_our_form(&snapshot) {
            expected.insert(snapshot.head.seq, snapshot.state_hash);
        }
        at_most = snapshot.head.seq.saturating_sub(1);
    }
    let entries = journal.head()?.seq;
    if entries == 0 {
        return Err(StartError("the journal is empty".to_owned()));
    }
    let recorded = replay::recorded_states(&mut journal, Head::GENESIS)?;
    let owed = replay::recorded_liabilities(&mut journal)?;
    let mut run = Run {
        engine: Engine::default(),
        at_rows: Engine::default(),
        rows: Rows::open(args, snapshot.as_deref())?,
        snapshots: expected,
        recorded,
        trees_from: owed.keys().rev().nth(TREES - 1).copied().unwrap_or(0),
        owed,
        acts: BTreeMap::new(),
        last_cut: 0,
    };
    let mut fault = None;
    let bar = progress_bar::over_entries("verify", entries);
    let head = journal.verify(|group| {
        if fault.is_none() {
            fault = run.replay(group).err();
        }
        bar.set_position(run.engine.seq().0);
    })?;
    bar.finish_and_clear();
    if let Some(fault) = fault {
        return Err(StartError(fault));
    }
    let Run { engine, at_rows, mut rows, snapshots, acts, .. } = run;
    engine.check_invariants().map_err(StartError)?;
    rows.check_statements(&at_rows, head.seq)?;
    rows.check_history(&at_rows)?;
    rows.check_operators(&at_rows)?;
    if !acts.is_empty() {
        rows.check_audit(args, &acts)?;
    }
    let head_key = rows.runtime.block_on(proofs::head_key(&rows.db))?;
    Ok(Verified { entries: head.seq, hash: head.hash, state_hash: engine.state_hash(), snapshots: snapshots.len(), head_key })
}

/// A replay of the whole log, with what its entries are compared with.
struct Run {
    engine: Engine,
    /// The state at the entry up to which the rows are written.
    at_rows: Engine,
    rows: Rows,
    /// The states of snapshots, by entry.
    snapshots: BTreeMap<u64, [u8; 32]>,
    /// The states that the log records, by entry.
    recorded: BTreeMap<u64, [u8; 32]>,
    /// The liabilities that the log records, by entry.
    owed: BTreeMap<u64, RecordLiabilities>,
    /// The first entry whose liabilities are rebuilt as a tree.
    trees_from: u64,
    /// The acts of operators, by entry.
    acts: BTreeMap<u64, Act>,
    /// The entry of the newest accepted record of liabilities.
    last_cut: u64,
}

impl Run {
    /// Ends with the first fault.
    fn replay(&mut self, group: &Group) -> Result<(), String> {
        group.records.iter().try_for_each(|record| self.replay_record(record))?;
        let seq = self.engine.seq().0;
        if self.snapshots.get(&seq).is_some_and(|hash| *hash != self.engine.state_hash()) {
            return Err(format!("the snapshot at entry {seq} is not the state that the entries give"));
        }
        Ok(())
    }

    fn replay_record(&mut self, record: &Record) -> Result<(), String> {
        let seq = record.seq;
        let entry = replay::entry_of(record).map_err(|error| format!("entry {seq}: {error}"))?;
        let before = self.engine.time();
        let (published, outcome) = replay::apply_entry(&mut self.engine, &entry);
        replay::check_recorded(&self.engine, &self.recorded).map_err(|error| error.to_string())?;
        if let Some(made) = self.owed.get(&seq) {
            owed_otherwise(&self.engine, before, made, seq >= self.trees_from).map_or(Ok(()), Err)?;
        }
        match &entry.command {
            Command::Operate(operate) => {
                let first = outcome.is_answered_by();
                let accepted = first.map_or(outcome.result.is_ok(), |first| self.acts.get(&first.0).is_some_and(Act::was_accepted));
                let act = Act::of(operate, accepted);
                self.acts.insert(seq, first.map_or(act, |first| act.repeated(first.0)));
            }
            Command::RecordLiabilities(made) if outcome.result.is_ok() => {
                if made.seq.0 <= self.last_cut {
                    return Err(format!("entry {seq}: its liabilities are not newer than those recorded before"));
                }
                self.last_cut = made.seq.0;
            }
            Command::DeclareOperator(_) => drop(self.acts.insert(seq, Act::of_machine(outcome.result.is_ok()))),
            _ => {}
        }
        self.rows.take(&self.engine, &published).map_err(|error| error.to_string())?;
        if seq == self.rows.written {
            self.at_rows = self.engine.clone();
        }
        Ok(())
    }
}

/// What is wrong with the liabilities recorded after the entry that led to this state; `before` is the journal time of the previous entry.
/// The trees themselves are built only if requested.
fn owed_otherwise(engine: &Engine, before: Time, record: &RecordLiabilities, trees: bool) -> Option<String> {
    let seq = record.seq.0;
    let begins = before > Time(0) && interval(before) < interval(engine.time());
    if !begins || record.time != engine.time() {
        return Some(format!("the liabilities at entry {seq} are not those of the first entry of ten minutes"));
    }
    if !record.coins.iter().map(|coin| coin.asset).eq(engine.coins()) {
        return Some(format!("the liabilities at entry {seq} are not of every coin"));
    }
    let house = |asset| HouseAccount::POOLS.into_iter().map(|account| engine.house_balance(account, asset)).sum::<u64>();
    if let Some(coin) = record.coins.iter().find(|coin| coin.total.checked_add(house(coin.asset)) != Some(coin.came_in)) {
        return Some(format!(
            "the liabilities at entry {seq}: members and house together do not have what came in of coin {}",
            coin.asset.0
        ));
    }
    let made = trees.then(|| RecordLiabilities::of(engine.cut(), record.seed).1);
    made.is_some_and(|made| made != *record).then(|| format!("the liabilities at entry {seq} are not those that the state gives"))
}

/// The rows in SQL beside the journal.
struct Rows {
    db: Db,
    runtime: tokio::runtime::Runtime,
    /// Entry up to which they are written.
    written: u64,
    /// The expected rows.
    rebuilt: Rebuilt,
}

impl Rows {
    fn open(args: &VerifyArgs, snapshot: Option<&str>) -> Result<Rows, StartError> {
        let people = args.data.join("meridian.db");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (db, written, rebuilt) = runtime.block_on(async {
            let db = match (args.database.as_deref(), snapshot) {
                (Some(url), Some(snapshot)) => databases::postgres_at(url, snapshot)?,
                _ => {
                    needed(&people)?;
                    Db::sqlite(&people)?
                }
            };
            let written = history::applied_seq(&db).await?;
            Ok::<_, StartError>((db, written, Rebuilt::open(&args.data).await?))
        })?;
        Ok(Rows { db, runtime, written, rebuilt })
    }

    /// The events of the next entry, which led to this state.
    fn take(&mut self, engine: &Engine, published: &Published) -> Result<(), DbError> {
        if published.seq.0 > self.written {
            return Ok(());
        }
        self.runtime.block_on(self.rebuilt.take(engine.catalog(), published))
    }

    fn check_statements(&self, engine: &Engine, head: u64) -> Result<(), StartError> {
        if self.written > head {
            return Err(StartError(format!("the rows are written up to entry {}, the journal ends with entry {head}", self.written)));
        }
        let bar = progress_bar::over_entries("statements", 0);
        let fault = self.runtime.block_on(tie_out::fault(&self.db, engine, progress_bar::moving(&bar)))?;
        bar.finish_and_clear();
        fault.map_or(Ok(()), |fault| Err(StartError(fault)))
    }

    fn check_history(&mut self, engine: &Engine) -> Result<(), StartError> {
        let bar = progress_bar::over_entries("history", 0);
        let fault =
            self.runtime.block_on(self.rebuilt.difference(&self.db, engine.active(Feature::FinalPayments), progress_bar::moving(&bar)))?;
        bar.finish_and_clear();
        fault.map_or(Ok(()), |fault| Err(StartError(fault)))
    }

    /// Checks that operators and their roles match the log.
    fn check_operators(&self, engine: &Engine) -> Result<(), StartError> {
        if !engine.active(Feature::OperatorRegistry) {
            return Ok(());
        }
        self.runtime.block_on(operator_changes::difference(&self.db, engine))?.map_or(Ok(()), |fault| Err(StartError(fault)))
    }

    /// Checks that the audit log contains the operators' acts of the journal.
    fn check_audit(&self, args: &VerifyArgs, acts: &BTreeMap<u64, Act>) -> Result<(), StartError> {
        let key_file = args.key_file.clone().unwrap_or_else(|| args.data.join("secrets").join("data-keys"));
        needed(&key_file)?;
        self.runtime.block_on(async {
            let lost = || StartError("the database does not know the keys of its audit log".to_owned());
            let secrets = Secrets::known(&args.data, &self.db).await?.ok_or_else(lost)?;
            let vault = Vault::known(&key_file, &secrets, &self.db).await?.ok_or_else(lost)?;
            audit::fault(&self.db, &vault, acts).await?.map_or(Ok(()), |fault| Err(StartError(fault)))
        })
    }
}

/// Opening would create what is missing.
fn needed(file: &Path) -> Result<(), StartError> {
    if file.is_file() { Ok(()) } else { Err(StartError(format!("this cannot be verified without {}", file.display()))) }
}

#[cfg(test)]
mod tests {
    use engine::catalog::{Catalog, Wallet};
    use engine::command::{Entry, Genesis, Mode};
    use engine::ids::{AssetId, Digest, Seq, UserId};

    use super::*;

    /// The state after an entry at this time, which follows one at 599 999 ms, and the roots that it gives.
    fn cut_at(time: u64) -> (Engine, RecordLiabilities) {
        let (mut engine, user) = (Engine::default(), UserId(2));
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        let faucet = |amount| Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount };
        let commands =
            [(1, Command::Genesis(Box::new(genesis))), (2, Command::RegisterMember { user, house: false }), (599_999, faucet(5))];
        for (seq, (time, command)) in (1..).zip(commands.into_iter().chain([(time, faucet(7))])) {
            let entry = Entry { seq: Seq(seq), time: Time(time), request: None, command };
            engine.apply(&entry, &mut Vec::new()).result.unwrap();
        }
        let (_, record) = RecordLiabilities::of(engine.cut(), Digest([3; 32]));
        (engine, record)
    }

    #[test]
    fn liabilities_are_those_of_the_state_at_the_first_entry_of_ten_minutes() {
        let before = Time(599_999);
        let (engine, right) = cut_at(600_001);
        assert_eq!(owed_otherwise(&engine, before, &right, true), None);
        let place = right.coins.iter().position(|coin| coin.asset == AssetId(3)).unwrap();
        let with = |change: &dyn Fn(&mut RecordLiabilities)| {
            let mut record = right.clone();
            change(&mut record);
            [true, false].map(|trees| owed_otherwise(&engine, before, &record, trees).is_some())
        };
        assert_eq!(with(&|record| record.coins[place].total += 1), [true, true], "members have another sum");
        assert_eq!(with(&|record| record.coins[place].came_in -= 1), [true, true], "less came in");
        assert_eq!(with(&|record| record.time = Time(600_002)), [true, true], "another time");
        assert_eq!(with(&|record| record.coins[place].root = Digest([1; 32])), [true, false], "another root");
        assert_eq!(with(&|record| record.coins[place].users += 1), [true, false], "another number of members");
        assert_eq!(with(&|record| record.seed = Digest([4; 32])), [true, false], "another seed");
        assert_eq!(with(&|record| record.coins.retain(|coin| coin.asset != AssetId(3))), [true, true], "a coin is left out");
        let (engine, record) = cut_at(599_999);
        assert!(owed_otherwise(&engine, before, &record, false).is_some(), "another moment");
        let (engine, record) = cut_at(600_001);
        assert!(owed_otherwise(&engine, Time(600_000), &record, false).is_some(), "the second entry of ten minutes");
        assert!(owed_otherwise(&engine, Time(0), &record, false).is_some(), "nothing was before");
    }
}

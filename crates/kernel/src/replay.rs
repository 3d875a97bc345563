//! From the journal to the engine: at the start, after doubt, and for `meridian verify`.

use std::collections::{BTreeMap, HashSet};

use engine::Engine;
use engine::catalog::Wallet;
use engine::codec::{self, CodecError, Encoded};
use engine::command::{Command, Entry, Genesis};
use engine::event::Event;
use engine::ids::{AssetId, MarketId, PositionId, Seq, UserId};
use engine::ledger::Owner;
use engine::liabilities::RecordLiabilities;
use engine::published::{NewBalance, Published};
use engine::reply::{Outcome, Reply};
use engine::snapshot::FORMAT;
use engine::time::Time;
use journal::{Head, Journal, Record, Snapshot};

use crate::error::RecoveryError;

/// Groups read at a time.
const RUN: usize = 256;

/// The journal's form of an entry.
pub fn record_of(entry: &Entry, salt: [u8; 16]) -> Record {
    let Encoded { kind, version, public, private } = codec::encode(entry.request, &entry.command);
    let salt = if private.is_empty() { [0; 16] } else { salt };
    Record { seq: entry.seq.0, time_ms: entry.time.0, kind, version, public, private, salt }
}

/// The entry that a record holds.
pub fn entry_of(record: &Record) -> Result<Entry, CodecError> {
    let encoded = Encoded { kind: record.kind, version: record.version, public: record.public.clone(), private: record.private.clone() };
    codec::decode(Seq(record.seq), Time(record.time_ms), &encoded)
}

/// Applies one durable entry.
pub fn apply_entry(engine: &mut Engine, entry: &Entry) -> (Published, Outcome) {
    let mut events = Vec::new();
    let mut outcome = engine.apply(entry, &mut events);
    let balances = new_balances(engine, &events);
    let answer = outcome.in_history.take().map(|first| first.to_bytes());
    let stops = stops_set(&entry.command, &outcome);
    (Published { seq: entry.seq, time: entry.time, events, balances, answer, stops }, outcome)
}

/// The contract whose stops a command set; `None` for a refused command or a repetition, which set nothing.
fn stops_set(command: &Command, outcome: &Outcome) -> Option<(PositionId, MarketId)> {
    match (command, &outcome.result) {
        (Command::SetContractStops { .. }, Ok(Reply::Contract(position))) if outcome.repeated.is_none() => {
            Some((position.id, position.market))
        }
        _ => None,
    }
}

/// The balances of members that these events changed, in the order of their first change. Linear in the events: a sweep of the book changes
/// two balances of every maker.
pub fn new_balances(engine: &Engine, events: &[Event]) -> Vec<NewBalance> {
    let mut touched: HashSet<(UserId, Wallet, AssetId)> = HashSet::new();
    let mut changed = Vec::new();
    for event in events {
        let Event::Posted(posting) = event else { continue };
        for side in [posting.debit, posting.credit] {
            let Owner::Member(user, wallet, _) = side.owner else { continue };
            let asset = posting.asset;
            if touched.insert((user, wallet, asset))
                && let Some(balance) = engine.balance(user, wallet, asset)
            {
                changed.push(NewBalance { user, wallet, asset, balance });
            }
        }
    }
    changed
}

/// Brings a second state up to the first one; the entry's events are known already.
pub fn repeat(engine: &mut Engine, entry: &Entry) {
    engine.apply(entry, &mut Vec::new());
}

/// The data of the first entry, and its time.
pub fn genesis(journal: &mut Journal) -> Result<(Genesis, Time), RecoveryError> {
    let groups = journal.read(1, 1)?;
    let first = groups.first().and_then(|group| group.records.first());
    let first = entry_of(first.ok_or_else(|| RecoveryError("the journal is empty".to_owned()))?)?;
    match first.command {
        Command::Genesis(genesis) => Ok((*genesis, first.time)),
        other => Err(RecoveryError(format!("the first entry is no genesis: {other:?}"))),
    }
}

/// A state, its place in the chain, and the entry and hash of the snapshot it was restored from.
pub type Restored = (Engine, Head, Option<(u64, [u8; 32])>);

/// True if this state has the format that this release reads and writes. A state in another format can be neither used nor compared.
pub fn is_of_our_form(snapshot: &Snapshot) -> bool {
    postcard::take_from_bytes::<u16>(&snapshot.bytes).is_ok_and(|(form, _)| form == FORMAT)
}

/// The state of the newest good snapshot at or before `at_most`, or the empty one.
pub fn newest_state(journal: &mut Journal, mut at_most: u64) -> Result<Restored, RecoveryError> {
    while let Some(snapshot) = journal.snapshot(at_most)? {
        let restored = Engine::restore(&snapshot.bytes)
            .filter(|engine| engine.seq() == Seq(snapshot.head.seq) && engine.state_hash() == snapshot.state_hash);
        match restored {
            Some(engine) => return Ok((engine, snapshot.head, Some((snapshot.head.seq, snapshot.state_hash)))),
            // A damaged snapshot is not used; an older one may be good.
            None if is_of_our_form(&snapshot) => tracing::warn!(seq = snapshot.head.seq, "snapshot damaged: not used"),
            None => tracing::warn!(seq = snapshot.head.seq, "snapshot of another form: not used"),
        }
        at_most = snapshot.head.seq.saturating_sub(1);
    }
    Ok((Engine::default(), Head::GENESIS, None))
}

/// The state hashes of the present format recorded by entries after `head`, by the entry of the state.
pub fn recorded_states(journal: &mut Journal, mut head: Head) -> Result<BTreeMap<u64, [u8; 32]>, RecoveryError> {
    let mut states = BTreeMap::new();
    loop {
        let groups = journal.read_after(head, RUN)?;
        let Some(last) = groups.last() else { return Ok(states) };
        head = last.head();
        for record in groups.iter().flat_map(|group| &group.records).filter(|record| record.kind == codec::RECORD_STATE) {
            if let Command::RecordState { seq, form: FORMAT, hash } = entry_of(record)?.command {
                states.insert(seq.0, hash.0);
            }
        }
    }
}

/// The liabilities that the log records, by the entry of their cut; if two have the same cut, the first.
pub fn recorded_liabilities(journal: &mut Journal) -> Result<BTreeMap<u64, RecordLiabilities>, RecoveryError> {
    let (mut cuts, mut head) = (BTreeMap::new(), Head::GENESIS);
    loop {
        let groups = journal.read_after(head, RUN)?;
        let Some(last) = groups.last() else { return Ok(cuts) };
        head = last.head();
        for record in groups.iter().flat_map(|group| &group.records).filter(|record| record.kind == codec::RECORD_LIABILITIES) {
            if let Command::RecordLiabilities(record) = entry_of(record)?.command {
                cuts.entry(record.seq.0).or_insert(*record);
            }
        }
    }
}

/// Compares the state with the one that the log recorded after the same entry, if any.
///
/// # Errors
/// When they differ: two nodes computed different states, and neither may continue before it is known which is wrong.
pub fn check_recorded(engine: &Engine, recorded: &BTreeMap<u64, [u8; 32]>) -> Result<(), RecoveryError> {
    let seq = engine.seq().0;
    match recorded.get(&seq) {
        Some(hash) if *hash != engine.state_hash() => Err(RecoveryError(another_state(seq))),
        _ => Ok(()),
    }
}

/// Why a node ends when its state after entry `seq` differs from the log's record.
pub fn another_state(seq: u64) -> String {
    format!(
        "the state after entry {seq} is not the one that the log recorded: the snapshot or the release that this node began with is wrong, or those of the node that wrote the log"
    )
}

/// Applies everything after `head`, and compares the states recorded on the way; `each` receives every entry's events, in groups, with the
/// state after them. Returns the end of the journal.
pub fn tail(
    journal: &mut Journal,
    engine: &mut Engine,
    mut head: Head,
    mut each: impl FnMut(&Engine, Vec<Published>) -> Result<(), RecoveryError>,
) -> Result<Head, RecoveryError> {
    let recorded = recorded_states(journal, head)?;
    check_recorded(engine, &recorded)?;
    loop {
        let groups = journal.read_after(head, RUN)?;
        let Some(last) = groups.last() else { return Ok(head) };
        head = last.head();
        let mut published = Vec::new();
        for record in groups.iter().flat_map(|group| &group.records) {
            published.push(apply_entry(engine, &entry_of(record)?).0);
            check_recorded(engine, &recorded)?;
        }
        each(engine, published)?;
    }
}

/// Applies the groups after `head` that end at or before entry `last`, and compares the states recorded on the way. Returns the end of the
/// last group.
pub fn up_to(journal: &mut Journal, engine: &mut Engine, mut head: Head, last: u64) -> Result<Head, RecoveryError> {
    let recorded = recorded_states(journal, head)?;
    while head.seq < last {
        let groups = journal.read_after(head, RUN)?;
        let known = groups.iter().take_while(|group| group.head().seq <= last);
        let before = head;
        for group in known {
            for record in &group.records {
                apply_entry(engine, &entry_of(record)?);
                check_recorded(engine, &recorded)?;
            }
            head = group.head();
        }
        if head == before {
            break;
        }
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::catalog::{Catalog, Wallet};
    use engine::command::Mode;
    use engine::ids::{AssetId, Digest, UserId};
    use journal::MemoryDatabase;

    const USER: UserId = UserId(2);

    fn faucet(amount: u64) -> Command {
        Command::SandboxFaucet { user: USER, asset: AssetId(3), wallet: Wallet::Spot, amount }
    }

    /// The engine after these commands, and their entries.
    fn after(commands: Vec<Command>) -> (Engine, Vec<Entry>) {
        let mut engine = Engine::default();
        let mut entries = Vec::new();
        for (seq, command) in (1..).zip(commands) {
            let entry = Entry { seq: Seq(seq), time: Time(1_000), request: None, command };
            engine.apply(&entry, &mut Vec::new()).result.expect("done");
            entries.push(entry);
        }
        (engine, entries)
    }

    fn beginning(amount: u64) -> Vec<Command> {
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        vec![Command::Genesis(Box::new(genesis)), Command::RegisterMember { user: USER, house: false }, faucet(amount)]
    }

    /// A journal of three entries, one that records the state after them, and one more.
    fn journal(recorded: [u8; 32]) -> (Journal, Head) {
        let mut journal = Journal::memory(&MemoryDatabase::new()).expect("memory");
        journal.lead("test", 1).expect("leads");
        let mut commands = beginning(100);
        commands.extend([Command::RecordState { seq: Seq(3), form: FORMAT, hash: Digest(recorded) }, faucet(1)]);
        let records: Vec<Record> = after(commands).1.iter().map(|entry| record_of(entry, [1; 16])).collect();
        let three = journal.append(&records[..3]).expect("written");
        journal.append(&records[3..]).expect("written");
        (journal, three)
    }

    fn replayed(journal: &mut Journal, mut engine: Engine, head: Head) -> Result<Head, String> {
        tail(journal, &mut engine, head, |_, _| Ok(())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_state_that_is_not_the_recorded_one_stops_the_replay() {
        let (engine, _) = after(beginning(100));
        let (mut log, three) = journal(engine.state_hash());
        assert_eq!(replayed(&mut log, Engine::default(), Head::GENESIS).map(|head| head.seq), Ok(5));
        assert_eq!(replayed(&mut log, engine, three).map(|head| head.seq), Ok(5), "from a snapshot");
        // A snapshot with one atom too many, whose own hashes are all correct.
        let (bent, _) = after(beginning(101));
        let bent = Engine::restore(&bent.snapshot()).expect("a sound snapshot of another state");
        let refused = replayed(&mut log, bent, three).expect_err("a bent state");
        assert!(refused.contains("after entry 3"), "{refused}");
    }

    #[test]
    fn a_log_whose_recorded_state_does_not_come_out_is_refused_from_the_beginning() {
        let (mut log, _) = journal([7; 32]);
        let refused = replayed(&mut log, Engine::default(), Head::GENESIS).expect_err("another state");
        assert!(refused.contains("after entry 3"), "{refused}");
    }
}

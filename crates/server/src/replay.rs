//! From the journal to the engine: at the start, after doubt, and for `meridian verify`.

use engine::Engine;
use engine::codec::{self, CodecError, Encoded};
use engine::command::{Command, Entry, Genesis};
use engine::ids::Seq;
use engine::reply::Outcome;
use engine::time::Time;
use indicatif::{ProgressBar, ProgressStyle};
use journal::{Head, Journal, Record};
use sha2::{Digest, Sha256};

use crate::app::StartError;
use crate::sequencer::{Published, new_balances};

/// Groups read at a time.
const RUN: usize = 256;

/// The journal's form of an entry.
pub(crate) fn record_of(entry: &Entry, salt: [u8; 16]) -> Record {
    let Encoded { kind, version, public, private } = codec::encode(entry.request, &entry.command);
    let salt = if private.is_empty() { [0; 16] } else { salt };
    Record { seq: entry.seq.0, time_ms: entry.time.0, kind, version, public, private, salt }
}

/// The entry that a record holds.
pub(crate) fn entry_of(record: &Record) -> Result<Entry, CodecError> {
    let encoded = Encoded { kind: record.kind, version: record.version, public: record.public.clone(), private: record.private.clone() };
    codec::decode(Seq(record.seq), Time(record.time_ms), &encoded)
}

/// The hash that a snapshot of these bytes is compared by.
pub(crate) fn hash_of(state: &[u8]) -> [u8; 32] {
    Sha256::digest(state).into()
}

/// Applies one durable entry.
pub(crate) fn apply(engine: &mut Engine, entry: &Entry) -> (Published, Outcome) {
    let mut events = Vec::new();
    let outcome = engine.apply(entry, &mut events);
    let balances = new_balances(engine, &events);
    (Published { seq: entry.seq, time: entry.time, events, balances }, outcome)
}

/// The facts of the first entry, and its time.
pub(crate) fn genesis(journal: &mut Journal) -> Result<(Genesis, Time), StartError> {
    let groups = journal.read(1, 1)?;
    let first = groups.first().and_then(|group| group.records.first());
    let first = entry_of(first.ok_or_else(|| StartError("the journal is empty".to_owned()))?)?;
    match first.command {
        Command::Genesis(genesis) => Ok((*genesis, first.time)),
        other => Err(StartError(format!("the first entry is no genesis: {other:?}"))),
    }
}

/// The state of the newest good snapshot at or before `at_most`, or the empty one, with its place in the chain.
pub(crate) fn newest_state(journal: &mut Journal, mut at_most: u64) -> Result<(Engine, Head), StartError> {
    while let Some(snapshot) = journal.snapshot(at_most)? {
        let restored = Engine::restore(&snapshot.bytes)
            .filter(|engine| engine.seq() == Seq(snapshot.head.seq) && engine.state_hash() == snapshot.state_hash);
        match restored {
            Some(engine) => return Ok((engine, snapshot.head)),
            // Damaged or of another release: not trusted, the one before may do.
            None => tracing::warn!(seq = snapshot.head.seq, "snapshot not used"),
        }
        at_most = snapshot.head.seq.saturating_sub(1);
    }
    Ok((Engine::default(), Head::GENESIS))
}

/// Applies everything after `head`; `each` sees every entry's facts, in groups. Returns the end of the journal.
pub(crate) fn tail(
    journal: &mut Journal,
    engine: &mut Engine,
    mut head: Head,
    mut each: impl FnMut(Vec<Published>) -> Result<(), StartError>,
) -> Result<Head, StartError> {
    loop {
        let groups = journal.read_after(head, RUN)?;
        let Some(last) = groups.last() else { return Ok(head) };
        head = last.head();
        let mut published = Vec::new();
        for record in groups.iter().flat_map(|group| &group.records) {
            published.push(apply(engine, &entry_of(record)?).0);
        }
        each(published)?;
    }
}

/// A bar for work over this many entries; hidden where there is no terminal.
pub(crate) fn progress_bar(what: &'static str, entries: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} entries, {per_sec}, {eta} left");
    ProgressBar::new(entries).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
}

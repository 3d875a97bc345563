//! Checks an exit kit from the file alone, line by line: every entry is in the log of one signed head, every sealed part is the member's
//! own, and the lines of their statement connect from 0 to the last balance (`docs/verify.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use engine::codec::{self, Encoded};
use engine::command::Mode;
use engine::ids::Seq;
use engine::time::Time;
use serde::Deserialize;

use crate::http::decimal::fixed;
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::{Entry, SignedHead, Step};
use crate::verify::samples::genesis;

/// The verified contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kit {
    /// Number of the member.
    pub user: u64,
    /// The head that covers it.
    pub head: SignedHead,
    /// The first entry is that of a sandbox.
    pub sandbox: bool,
    /// Entries, and how many of them the member asked for.
    pub entries: (u64, u64),
    /// Lines of the statement.
    pub lines: u64,
    /// The remaining balances, atoms: by account, coin and part.
    pub balances: BTreeMap<(String, String, String), i64>,
    /// Decimals of the coins that the first entry lists; one that was listed later is not in the file.
    pub decimals: BTreeMap<String, u8>,
}

#[derive(Debug, Deserialize)]
struct First {
    kit: u64,
    user_id: u64,
    head: SignedHead,
    genesis: Entry,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", untagged)]
enum Part {
    Entry { entry: Entry, path: Vec<Step> },
    Line { line: Line },
    End { end: End },
}

#[derive(Debug, Deserialize)]
struct Line {
    seq: u64,
    account: String,
    part: String,
    currency: String,
    change: i64,
    after: i64,
}

#[derive(Debug, Deserialize)]
struct End {
    entries: u64,
    lines: u64,
}

/// Checks a kit; `known` is the key that its head must be signed with, if that is known from elsewhere.
///
/// # Errors
/// The first check that fails.
pub fn check(from: impl BufRead, known: Option<&[u8]>) -> Result<Kit, Fault> {
    let mut lines = from.lines();
    let mut next = || lines.next().transpose().map_err(|error| Reason::Format.because(error.to_string()));
    let first = next()?.ok_or_else(|| Reason::Format.because("an empty file"))?;
    let First { kit, user_id, head, genesis: entry } = serde_json::from_str(&first).map_err(malformed)?;
    if kit != 1 {
        return Err(Reason::Format.because("a kit of a later release"));
    }
    head.check()?;
    head.check_key(known)?;
    if entry.computed() != entry.hash || entry.hash != head.genesis {
        return Err(Reason::Genesis.because("the first entry is not the one that the head names"));
    }
    let genesis = genesis(&entry)?;
    let sandbox = genesis.mode == Mode::Sandbox;
    let decimals = genesis.catalog.assets.into_iter().map(|asset| (asset.code, asset.scale)).collect();
    let mut done = Kit { user: user_id, head, sandbox, decimals, ..Kit::default() };
    let mut proven: BTreeSet<u64> = BTreeSet::new();
    let mut ended = None;
    while let Some(text) = next()? {
        if ended.is_some() {
            return Err(Reason::Format.because("something follows the end"));
        }
        match serde_json::from_str(&text).map_err(malformed)? {
            Part::Entry { entry, path } => {
                check_entry(&done.head, &entry, &path)?;
                done.entries.0 += 1;
                done.entries.1 += u64::from(is_own(&entry, user_id)?);
                proven.insert(entry.seq);
            }
            Part::Line { line } => {
                check_line(&mut done, &proven, &line)?;
                done.lines += 1;
            }
            Part::End { end } => ended = Some(end),
        }
    }
    let End { entries, lines } = ended.ok_or_else(|| Reason::Statement.because("the file was cut short"))?;
    if (entries, lines) != (done.entries.0, done.lines) || entries != proven.len() as u64 {
        return Err(Reason::Statement.because("entries or lines are missing"));
    }
    Ok(done)
}

fn malformed(error: serde_json::Error) -> Fault {
    Reason::Format.because(error.to_string())
}

fn check_entry(head: &SignedHead, entry: &Entry, path: &[Step]) -> Result<(), Fault> {
    if entry.computed() != entry.hash {
        return Err(Reason::Chain.because(format!("entry {} does not have the hash that it bears", entry.seq)));
    }
    head.check_inclusion(entry.seq, &entry.hash, path)
}

/// Whether the member sent it: its sealed part is shown, matches the seal, and names them.
fn is_own(entry: &Entry, user: u64) -> Result<bool, Fault> {
    let Some(private) = entry.opened()? else { return Ok(false) };
    let encoded = Encoded { kind: entry.kind, version: entry.version, public: entry.bytes.clone(), private: private.to_vec() };
    let command = codec::decode(Seq(entry.seq), Time(entry.time_ms), &encoded);
    let owner = command.ok().and_then(|entry| entry.command.member()).map(|owner| owner.0);
    if owner == Some(user) { Ok(true) } else { Err(Reason::Purchase.because(format!("entry {} is of another member", entry.seq))) }
}

/// A line is about an entry that was proven, and continues the balance that the one before it left.
fn check_line(done: &mut Kit, proven: &BTreeSet<u64>, line: &Line) -> Result<(), Fault> {
    let Line { seq, account, part, currency, change, after } = line;
    if !proven.contains(seq) {
        return Err(Reason::Statement.because(format!("a line is about entry {seq}, which is not in the file")));
    }
    let balance = done.balances.entry((account.clone(), currency.clone(), part.clone())).or_default();
    if balance.checked_add(*change) != Some(*after) || *after < 0 {
        return Err(
            Reason::Statement.because(format!("{account} {currency} {part}: {balance} and {change} make not {after} (entry {seq})"))
        );
    }
    *balance = *after;
    Ok(())
}

/// The verified contents, in words for the user.
pub fn describe(kit: &Kit) -> Vec<String> {
    let Kit { user, head: SignedHead { seq, key, .. }, entries: (entries, own), lines, balances, decimals, sandbox } = kit;
    let mut all = vec![
        format!("ok  signature        head at entry {seq}, key {}", data_encoding::HEXLOWER.encode(key)),
        format!("ok  entries          {entries}, each with its hash and in the log of the head; {own} were asked for by member {user}"),
        format!("ok  genesis          {}", if *sandbox { "sandbox" } else { "live" }),
        format!("ok  statement        {lines} lines, each about one of these entries, from 0 to the balance at its end"),
    ];
    let left = balances.iter().filter_map(|(place, atoms)| Some((place, u64::try_from(*atoms).ok().filter(|atoms| *atoms > 0)?)));
    all.extend(left.map(|((account, coin, part), atoms)| match decimals.get(coin) {
        Some(scale) => format!("    {account} {part}: {} {coin}", fixed(atoms, *scale)),
        None => format!("    {account} {part}: {atoms} atoms of {coin}"),
    }));
    all
}

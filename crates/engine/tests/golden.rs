//! What released versions wrote. From 2.5.8 on every log and every snapshot stays readable: `golden/<version>/` holds what that release
//! wrote, and this release must read it, write the same bytes again, and come to the same results and states.
//!
//! The folders grow and never change. What the coming release adds (a kind, a version, a variant, another form of the state) is in
//! `golden/next/`, which `make golden` writes; `digests.txt` seals a folder when it gets the release's number (`make golden VERSION=2.6.0`).

#![allow(clippy::unwrap_used, reason = "a golden file that cannot be read has failed")]

#[path = "golden/answers.rs"]
mod answers;
#[path = "golden/entries.rs"]
mod entries;
#[path = "golden/loans.rs"]
mod loans;
#[path = "golden/numbers.rs"]
mod numbers;
#[path = "golden/text.rs"]
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use engine::Engine;
use engine::codec::{decode, encode, versions};
use engine::command::Entry;
use engine::ids::Seq;
use engine::reply::{FirstAnswer, Reply};
use engine::time::Time;
use sha2::{Digest, Sha256};

/// A state hash is noted after so many entries of a journal.
const STATE_EVERY: usize = 50;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folders of all releases, oldest first.
fn releases() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    // `next` is not a number and comes last.
    let numbers = |path: &PathBuf| -> Vec<u32> {
        path.file_name().unwrap().to_str().unwrap().split('.').map(|number| number.parse().unwrap_or(u32::MAX)).collect()
    };
    folders.sort_by_key(numbers);
    folders
}

/// The folder of the coming release.
const NEXT: &str = "next";

/// The lines of a file of every release that has it.
fn lines(file: &str) -> Vec<String> {
    let found: Vec<String> = releases().iter().filter_map(|folder| fs::read_to_string(folder.join(file)).ok()).collect();
    assert!(!found.is_empty(), "no release has {file}");
    found.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}

/// Entries with the outcome of each, by the name of their journal.
type Journals = BTreeMap<String, Vec<(Entry, String)>>;

fn journals() -> Journals {
    releases().iter().flat_map(|folder| journals_of(folder)).collect()
}

fn journals_of(folder: &Path) -> Journals {
    let folder = folder.join("journals");
    let paths = if folder.exists() { files(&folder) } else { Vec::new() };
    let journal = |path: PathBuf| {
        let entries = fs::read_to_string(&path).unwrap().lines().map(journal_line).collect();
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), entries)
    };
    paths.into_iter().map(journal).collect()
}

/// `seq time kind version public private = outcome`.
fn journal_line(line: &str) -> (Entry, String) {
    let (entry, outcome) = line.split_once(" = ").unwrap_or((line, ""));
    let mut words = entry.splitn(3, ' ');
    let mut number = || words.next().unwrap().parse().unwrap();
    let (seq, time) = (Seq(number()), Time(number()));
    (decode(seq, time, &text::read_encoded(words.next().unwrap())).unwrap(), outcome.to_owned())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Number of the form in which this release writes a state.
fn form() -> u16 {
    postcard::take_from_bytes(&Engine::default().snapshot()).unwrap().0
}

#[test]
fn every_entry_that_a_release_wrote_reads_as_its_value_and_is_written_as_the_same_bytes() {
    let values: BTreeMap<_, _> = entries::all().into_iter().map(|(name, request, command)| (name, (request, command))).collect();
    for line in lines("entries.txt") {
        let (name, bytes) = line.split_once(": ").unwrap_or_else(|| panic!("{line} has no name"));
        let golden = text::read_encoded(bytes);
        let (request, command) = values.get(name).unwrap_or_else(|| panic!("the value of {name} is gone"));
        let read = decode(Seq(7), Time(8), &golden).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, Entry { seq: Seq(7), time: Time(8), request: *request, command: command.clone() }, "{name} means something else");
        assert_eq!(text::encoded(&encode(*request, command)), bytes, "{name} is written as other bytes");
    }
}

#[test]
fn every_version_of_a_kind_and_every_value_has_a_golden_line() {
    let lines = lines("entries.txt");
    let golden: BTreeSet<&str> = lines.iter().map(|line| line.split_once(": ").unwrap().0).collect();
    let values = entries::all();
    for (name, ..) in &values {
        assert!(golden.contains(name.as_str()), "{name} has no golden line");
    }
    let written = values.iter().map(|(_, request, command)| encode(*request, command)).map(|encoded| (encoded.kind, encoded.version));
    assert_eq!(written.collect::<BTreeSet<_>>(), versions().collect(), "a version of a kind has no value");
}

#[test]
fn every_first_answer_that_a_release_stored_reads_as_its_value_and_is_stored_as_the_same_bytes() {
    let values: BTreeMap<String, FirstAnswer> = answers::all().into_iter().collect();
    let golden = lines("answers.txt");
    for line in &golden {
        let (name, bytes) = line.split_once(": ").unwrap_or_else(|| panic!("{line} has no name"));
        let value = values.get(name).unwrap_or_else(|| panic!("the value of {name} is gone"));
        let mut stored = text::unhex(bytes);
        assert_eq!(FirstAnswer::from_bytes(&stored).as_ref(), Some(value), "{name} means something else");
        assert_eq!(text::hex(&value.to_bytes()), bytes, "{name} is stored as other bytes");
        stored.push(0);
        assert_eq!(FirstAnswer::from_bytes(&stored), None, "{name} with more behind it");
        stored[0] = 2;
        assert_eq!(FirstAnswer::from_bytes(&stored), None, "{name} as a later form");
    }
    for name in values.keys() {
        assert!(golden.iter().any(|line| line.starts_with(&format!("{name}: "))), "{name} has no golden line");
    }
    // Refusals are found by number, and so is a reply without a value.
    let replies: BTreeSet<u8> = values.values().filter(|first| first.result.is_ok()).map(|first| first.to_bytes()[1]).collect();
    assert_eq!(replies.len(), numbers::with_ones::<Reply>().len(), "a reply has no value");
}

#[test]
fn every_number_that_is_stored_keeps_its_meaning() {
    let present = numbers::all();
    for line in lines("numbers.txt") {
        assert!(present.contains(&line), "{line}: this number means something else now");
    }
    let golden = lines("numbers.txt");
    for line in &present {
        assert!(golden.contains(line), "{line} has no golden line");
    }
}

#[test]
fn every_journal_that_a_release_wrote_has_the_same_outcomes_and_states() {
    let states = states();
    for (name, entries) in journals() {
        let mut engine = Engine::default();
        for (at, (entry, golden)) in entries.iter().enumerate() {
            let mut events = Vec::new();
            let outcome = engine.apply(entry, &mut events);
            assert_eq!(&text::outcome(&outcome, &events), golden, "{name}: entry {} {:?}", entry.seq.0, entry.command);
            engine.check_invariants().unwrap();
            if (at + 1).is_multiple_of(STATE_EVERY) || at + 1 == entries.len() {
                let hash = states.get(&(name.clone(), entry.seq.0)).unwrap_or_else(|| panic!("{name}: no state after {}", entry.seq.0));
                assert_eq!(&text::hex(&engine.state_hash()), hash, "{name}: another state after entry {}", entry.seq.0);
            }
        }
    }
}

/// Hashes in the present form, by journal and entry.
fn states() -> BTreeMap<(String, u64), String> {
    let line = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, seq, hash] = words.as_slice() else { panic!("{line} is no state") };
        ((name.to_string(), seq.parse().unwrap()), hash.to_string())
    };
    lines(&format!("states-form-{}.txt", form())).iter().map(line).collect()
}

/// The state at the end of this journal is the golden snapshot.
const SNAPSHOT_OF: &str = "people";

#[test]
fn every_snapshot_that_a_release_wrote_restores_to_the_state_of_its_journal() {
    let states = states();
    let journals = journals();
    let last = journals[SNAPSHOT_OF].last().unwrap().0.seq.0;
    let mut restored = 0;
    for folder in releases() {
        for path in files(&folder).iter().filter(|path| path.extension().is_some_and(|ending| ending == "snapshot")) {
            let bytes = fs::read(path).unwrap();
            let engine = Engine::restore(&bytes).unwrap_or_else(|| panic!("{} does not restore", path.display()));
            assert_eq!(text::hex(&engine.state_hash()), states[&(SNAPSHOT_OF.to_owned(), last)], "{}", path.display());
            engine.check_invariants().unwrap();
            if postcard::take_from_bytes::<u16>(&bytes).unwrap().0 == form() {
                assert!(engine.snapshot() == bytes, "{} is written as other bytes", path.display());
            }
            restored += 1;
        }
    }
    assert!(restored > 0, "no release has a snapshot");
}

#[test]
fn golden_files_are_added_and_never_changed() {
    let list = fs::read_to_string(root().join("digests.txt")).unwrap();
    let list: BTreeMap<&str, &str> = list.lines().map(|line| line.split_once(' ').unwrap()).map(|(digest, file)| (file, digest)).collect();
    // The list itself begins with the files of the first release, whose digests are here, so it cannot be edited unnoticed.
    let first: String =
        list.iter().filter(|(file, _)| file.starts_with("2.5.8/")).map(|(file, digest)| format!("{digest} {file}\n")).collect();
    assert_eq!(text::hex(&Sha256::digest(first)), FIRST_RELEASE);
    let mut present = BTreeSet::new();
    for path in releases().iter().filter(|folder| !folder.ends_with(NEXT)).flat_map(|folder| files(folder)) {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let digest = text::hex(&Sha256::digest(fs::read(&path).unwrap()));
        let known = list.get(name.as_str()).unwrap_or_else(|| panic!("{name} is new: add `{digest} {name}` to digests.txt"));
        assert_eq!(&digest, known, "{name} was changed: what a release wrote stays as it is");
        present.insert(name);
    }
    for file in list.keys() {
        assert!(present.contains(*file), "{file} is gone: what a release wrote stays");
    }
}

const FIRST_RELEASE: &str = "fdda8b9b85194bb4d482d369af1f72aa165946cca4c7bb07fe3bf35320e9e41f";

/// Writes what no earlier release has: into `next`, or with `MERIDIAN_GOLDEN=<version>` into the folder of that release, sealed.
/// `MERIDIAN_ENTRIES=<folder>` has the entries of new journals, one `journals/<name>.txt` each; `scenarios.rs` and the example `entries` of `sim`
/// write such.
#[test]
#[ignore = "writes the folder of a release"]
#[allow(clippy::disallowed_methods, reason = "a tool, not the engine")]
fn the_files_of_this_release_are_written() {
    let version = std::env::var("MERIDIAN_GOLDEN").unwrap_or_else(|_| NEXT.to_owned());
    let folder = root().join(&version);
    assert!(version == NEXT || !folder.exists(), "{} is there already: golden files are never changed", folder.display());
    let coming = journals_of(&root().join(NEXT));
    let _ = fs::remove_dir_all(root().join(NEXT));
    let known = |file: &str| -> BTreeSet<String> {
        let texts = releases().into_iter().filter_map(|folder| fs::read_to_string(folder.join(file)).ok());
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let new = |file: &str, lines: Vec<String>| {
        let known = known(file);
        lines.into_iter().filter(|line| !known.contains(line)).map(|line| line + "\n").collect::<String>()
    };
    let entry_lines =
        entries::all().into_iter().map(|(name, request, command)| format!("{name}: {}", text::encoded(&encode(request, &command))));
    let entry_lines = new("entries.txt", entry_lines.collect());
    let number_lines = new("numbers.txt", numbers::all());
    let answer_lines = answers::all().into_iter().map(|(name, first)| format!("{name}: {}", text::hex(&first.to_bytes())));
    let answer_lines = new("answers.txt", answer_lines.collect());
    let mut written = journals();
    let mut fresh: BTreeMap<String, String> = coming.keys().map(|name| (name.clone(), String::new())).collect();
    written.extend(coming);
    if let Ok(raw) = std::env::var("MERIDIAN_ENTRIES") {
        for (name, entries) in journals_of(Path::new(&raw)) {
            assert!(written.insert(name.clone(), entries).is_none(), "{name} is a journal already");
            fresh.insert(name, String::new());
        }
    }
    let mut states = Vec::new();
    let mut snapshot = Vec::new();
    for (name, entries) in &written {
        let mut engine = Engine::default();
        for (at, (entry, _)) in entries.iter().enumerate() {
            let mut events = Vec::new();
            let outcome = engine.apply(entry, &mut events);
            if let Some(text) = fresh.get_mut(name) {
                let Entry { seq, time, request, command } = entry;
                let line =
                    format!("{} {} {} = {}\n", seq.0, time.0, text::encoded(&encode(*request, command)), text::outcome(&outcome, &events));
                text.push_str(&line);
            }
            if (at + 1).is_multiple_of(STATE_EVERY) || at + 1 == entries.len() {
                states.push(format!("{name} {} {}", entry.seq.0, text::hex(&engine.state_hash())));
            }
        }
        if name == SNAPSHOT_OF {
            snapshot = engine.snapshot();
        }
    }
    let write = |file: &str, bytes: &[u8]| {
        if !bytes.is_empty() {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), bytes).unwrap();
        }
    };
    write("entries.txt", entry_lines.as_bytes());
    write("numbers.txt", number_lines.as_bytes());
    write("answers.txt", answer_lines.as_bytes());
    fresh.iter().for_each(|(name, text)| write(&format!("journals/{name}.txt"), text.as_bytes()));
    let states_file = format!("states-form-{}.txt", form());
    let no_snapshot = known(&states_file).is_empty();
    write(&states_file, new(&states_file, states).as_bytes());
    write(&format!("form-{}.snapshot", form()), if no_snapshot { &snapshot } else { &[] });
    if version == NEXT {
        return;
    }
    let digests = files(&folder).into_iter().map(|path| {
        let digest = text::hex(&Sha256::digest(fs::read(&path).unwrap()));
        format!("{digest} {}\n", path.strip_prefix(root()).unwrap().display())
    });
    let list = fs::read_to_string(root().join("digests.txt")).unwrap_or_default() + &digests.collect::<String>();
    fs::write(root().join("digests.txt"), list).unwrap();
}

//! Equal accounts: the label of the house liquidity exempts from nothing.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Engine;
use engine::command::{Command, Entry};

use super::{run_file, sorted};

/// The result of each entry, and its events, as text; `house`: every member who joined on their own has the label.
fn told(entries: &[Entry], house: bool) -> Vec<String> {
    let mut engine = Engine::default();
    let mut told = Vec::new();
    for entry in entries {
        let mut entry = entry.clone();
        if let Command::RegisterMember { house: label, .. } = &mut entry.command {
            *label = house;
        }
        let mut events = Vec::new();
        let outcome = engine.apply(&entry, &mut events);
        told.push(format!("{} {:?} {events:?}", entry.seq.0, outcome.result));
    }
    engine.check_invariants().unwrap();
    told
}

/// Every guard, every fee and every posting of every product, as all scenarios together have them.
#[test]
fn an_account_with_the_label_of_the_house_passes_the_same_guards_and_pays_the_same_fees() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let (mut refused, mut fees, mut labels) = (0, 0, 0);
    for folder in sorted(&root).into_iter().filter(|path| path.is_dir()) {
        for file in sorted(&folder) {
            let entries = run_file(&file).unwrap();
            for (member, house) in told(&entries, false).iter().zip(told(&entries, true)) {
                labels += house.matches("house: true").count();
                assert_eq!(*member, house.replace("house: true", "house: false"), "{}", file.display());
                refused += usize::from(member.contains(" Err("));
                fees += member.matches("kind: SpotFee").count();
            }
        }
    }
    assert!(refused > 500 && fees > 50 && labels > 100, "{refused} refusals, {fees} fees, {labels} labels");
}

/// The label is read when a trade is reported, and when the balances of the house are published, from a list of their own. No other code
/// can ask for it.
#[test]
fn the_label_of_the_house_is_read_for_the_public_record_alone() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    read(&root, &mut |path, text| {
        let lines = text.lines().filter(|line| ["is_house", "member.house", "members.house"].iter().any(|word| line.contains(word)));
        found.extend(lines.map(|line| (path.strip_prefix(&root).unwrap().display().to_string(), line.trim().to_owned())));
    });
    found.sort();
    let expected = [
        ("engine/queries.rs", "self.members.house()"),
        ("members.rs", "if member.house {"),
        ("members.rs", "pub(crate) fn is_house(&self, member: MemberIndex) -> bool {"),
        ("members.rs", "self.list.get(member.at()).is_some_and(|member| member.house)"),
        ("spot/matching.rs", "TradeParty { order: id, user, fee, house: context.members.is_house(self.orders.member(slot)) }"),
    ];
    assert_eq!(found, expected.map(|(file, line)| (file.to_owned(), line.to_owned())));
    // The label gives the identity, and nothing else, to the rest of the program.
    let queries = fs::read_to_string(root.join("engine/queries.rs")).unwrap();
    assert!(queries.contains("pub fn house_members(&self) -> impl Iterator<Item = UserId> {\n        self.members.house()\n"));
}

fn read(folder: &Path, take: &mut impl FnMut(&Path, &str)) {
    for path in sorted(folder) {
        if path.is_dir() {
            read(&path, take);
        } else {
            take(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

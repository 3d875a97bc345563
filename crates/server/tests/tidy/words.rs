//! The words of the code: GLOSSARY.md lists the names that nothing may have, because they say nothing or were ours alone.

use std::path::Path;

use crate::{code_lines, files, home, none, read};

/// Keywords that declare a name in Rust or TypeScript, or give an imported one another.
const DECLARE: [&str; 7] = ["struct", "enum", "trait", "type", "interface", "mod", "as"];

/// The names in the left column under "Never say".
fn never_said() -> Vec<String> {
    let glossary = read("GLOSSARY.md");
    let (_, list) = glossary.split_once("## Never say").expect("the list of names");
    let rows = list.lines().filter(|line| line.starts_with("| `"));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let names: Vec<String> = first.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    assert!(names.len() > 20, "{names:?}");
    names
}

/// The names of a line that are among those; of functions those that are listed in both cases, because most in lower case are bad names
/// of modules only.
fn found<'a>(line: &'a str, never: &[String]) -> Vec<&'a str> {
    let listed = |name: &str| never.iter().any(|other| other == name);
    let as_type = |name: &str| listed(&format!("{}{}", name[..1].to_uppercase(), &name[1..]));
    let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let pairs = words.clone().zip(words.skip(1)).filter(|(_, name)| listed(name));
    pairs.filter(|(word, name)| DECLARE.contains(word) || (*word == "fn" && as_type(name))).map(|(_, name)| name).collect()
}

#[test]
fn names_that_say_nothing_stay_out() {
    let never = never_said();
    let folders = crate::OURS.iter().map(|name| format!("{}/src", home(name))).chain(["web/src".to_owned()]);
    let mut faults = Vec::new();
    for file in folders.flat_map(|folder| files(&folder, &[".rs", ".ts", ".tsx"])) {
        let path = Path::new(&file).with_extension("");
        let parts = path.iter().filter_map(|part| part.to_str());
        for part in parts.filter(|part| part.starts_with(char::is_lowercase) && never.iter().any(|name| name == part)) {
            faults.push(format!("{file} has the name `{part}` itself"));
        }
        for (number, line) in code_lines(&read(&file)) {
            for name in found(line, &never) {
                faults.push(format!("{file}:{number} `{name}`"));
            }
        }
    }
    none("names that GLOSSARY.md says never to use", faults);
}

#[test]
fn the_search_for_such_names_finds_them() {
    let never = never_said();
    for (line, name) in [
        ("pub(crate) struct Desk<'a> {", "Desk"),
        ("mod telling;", "telling"),
        ("export interface Standing {", "Standing"),
        ("    fn till<'a>(&'a mut self) {", "till"),
        ("use engine::backoffice::proposals::{Proposal as Kept, Proposed};", "Kept"),
    ] {
        assert_eq!(found(line, &never), [name], "{line}");
    }
    for line in ["let mut held = Vec::new();", "fn clean(&mut self) -> Result<(), Error>;"] {
        assert!(found(line, &never).is_empty(), "{line}");
    }
}

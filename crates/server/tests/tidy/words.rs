//! The words of the code: GLOSSARY.md lists the names that nothing may have, because they say nothing or were ours alone.

use std::path::Path;

use crate::{code_lines, files, home, none, read};

/// Keywords that declare a name in Rust or TypeScript.
const DECLARE: [&str; 6] = ["struct", "enum", "trait", "type", "interface", "mod"];

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

/// The name that a line declares, if any.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.by_ref().find(|word| DECLARE.contains(word))?;
    words.next()
}

#[test]
fn names_that_say_nothing_stay_out() {
    let never = never_said();
    let folders = crate::OURS.iter().map(|name| format!("{}/src", home(name))).chain(["web/src".to_owned()]);
    let mut faults = Vec::new();
    for file in folders.flat_map(|folder| files(&folder, &[".rs", ".ts", ".tsx"])) {
        let stem = Path::new(&file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if never.iter().any(|name| name == stem && name.starts_with(char::is_lowercase)) {
            faults.push(format!("{file} has that name itself"));
        }
        for (number, line) in code_lines(&read(&file)) {
            if let Some(name) = declared(line).filter(|name| never.iter().any(|other| other == name)) {
                faults.push(format!("{file}:{number} `{name}`"));
            }
        }
    }
    none("names that GLOSSARY.md says never to use", faults);
}

#[test]
fn the_search_for_such_names_finds_them() {
    for (line, name) in [("pub(crate) struct Desk<'a> {", "Desk"), ("mod telling;", "telling"), ("export interface Standing {", "Standing")]
    {
        assert_eq!(declared(line), Some(name));
        assert!(never_said().iter().any(|other| other == name));
    }
    assert_eq!(declared("let mut held = Vec::new();"), None);
}

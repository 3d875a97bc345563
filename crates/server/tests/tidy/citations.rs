//! Whatever a comment or a document cites is here: each rule id is an anchor of docs/rules.md, each section a heading or an anchor of the
//! document that is named. A reader of the code needs nothing that is not in the repository.

use std::collections::BTreeSet;

use super::{files, none, read};

/// The documents whose sections are cited by number.
const CITED: [&str; 2] = ["docs/rules.md", "docs/api.md"];

/// Folders where a dotted number in brackets in a comment, such as `(4.6)`, is a section of the rules.
const OF_RULES: [&str; 3] = ["crates/", "web/src/", "e2e/"];

/// Names of documents that cannot be read here.
const ELSEWHERE: [&str; 2] = ["`api.md`", "domain-rules.md"];

/// The places of a document that can be cited: named anchors, and numbers of its headings.
fn places(document: &str) -> BTreeSet<String> {
    let text = read(document);
    let anchors = text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let headings =
        text.lines().filter(|line| line.starts_with('#')).filter_map(|line| line.trim_start_matches('#').split_whitespace().next());
    anchors.chain(headings.filter(|word| is_number(word))).map(str::to_owned).collect()
}

fn is_digits(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_number(text: &str) -> bool {
    text.split_once('.').map_or_else(|| is_digits(text), |(whole, part)| is_digits(whole) && is_digits(part))
}

/// A rule id: one capital letter, or `TR`, with a hyphen and a number of one or two digits. `UTF-8`, `SHA-2`, `ISO-4217`, `ED25519`, `P-256`
/// and `UTC-4` are none.
fn is_id(word: &str) -> bool {
    let (kind, number) = word.split_once('-').unwrap_or((word, ""));
    (kind == "TR" || (kind.len() == 1 && kind.bytes().all(|byte| byte.is_ascii_uppercase()))) && is_digits(number)
}

/// Rule ids among the words of a text.
fn ids(text: &str) -> Vec<&str> {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.split(|c: char| !in_word(c)).map(first_two_parts).filter(|word| is_id(word)).collect()
}

/// A scenario's name continues after its rule: `D-3-final`.
fn first_two_parts(word: &str) -> &str {
    word.match_indices('-').nth(1).map_or(word, |(end, _)| &word[..end])
}

/// The sections that a text cites of a document: the numbers behind its name.
fn cited<'a>(text: &'a str, document: &str) -> Vec<&'a str> {
    let numbers = |rest: &'a str| {
        let words = rest.split([' ', ',', ';', ')', ':', '\n']).filter(|word| !word.is_empty() && *word != "and");
        words.map(|word| word.trim_end_matches('.')).take_while(|word| is_number(word))
    };
    text.split(&format!("`{document}`")).skip(1).filter(|rest| rest.starts_with(' ')).flat_map(numbers).collect()
}

/// Numbers with a dot in brackets that hold citations only, such as `(7.1, B-4 to B-6)`.
fn bracketed(text: &str) -> Vec<&str> {
    let inside = text.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    let cites = |part: &&str| {
        part.split([' ', ',']).filter(|word| !word.is_empty()).all(|word| is_number(word) || is_id(word) || matches!(word, "and" | "to"))
    };
    inside.filter(cites).flat_map(|part| part.split([' ', ','])).filter(|word| word.contains('.') && is_number(word)).collect()
}

/// The comments of a file, one behind the other without their marks.
fn comments(file: &str, text: &str) -> String {
    let marked = |line: &str| {
        let line = line.trim();
        if file.ends_with(".txt") || file.ends_with(".sh") || file.ends_with(".py") {
            return line.strip_prefix('#').unwrap_or_default().to_owned();
        }
        if let Some(rest) = line.strip_prefix('*') {
            return rest.to_owned();
        }
        let starts = ["//", "/*"].iter().flat_map(|mark| line.match_indices(mark)).map(|(at, _)| at);
        starts
            .filter(|at| !line[..*at].ends_with(':'))
            .min()
            .map_or_else(String::new, |at| line[at..].trim_start_matches(['/', '!', '*']).to_owned())
    };
    text.lines().map(marked).collect::<Vec<_>>().join(" ")
}

/// A file: its comments, and what else is looked through. Of our crates that is what they say as well, of a document all of it.
struct Text {
    file: String,
    comments: String,
    all: String,
}

fn texts() -> Vec<Text> {
    let folders = ["crates", "web/src", "e2e", "scripts"];
    let code = folders.into_iter().flat_map(|folder| files(folder, &[".rs", ".ts", ".tsx", ".mjs", ".css", ".sh", ".py", ".txt"]));
    let code = code.filter(|file| !file.ends_with("tidy/citations.rs")).map(|file| {
        let text = read(&file);
        let comments = comments(&file, &text);
        let all = if file.ends_with(".rs") { format!("{comments} {text}") } else { comments.clone() };
        Text { file, comments, all }
    });
    let documents = files(".", &[".md"]).into_iter().map(|file| Text { all: read(&file), comments: String::new(), file });
    code.chain(documents).collect()
}

/// The citations of a text that cannot be found.
fn unknown(text: &Text, places: &[BTreeSet<String>; 2]) -> Vec<String> {
    let Text { file, comments, all } = text;
    let mut faults: BTreeSet<String> = ids(all).into_iter().filter(|id| !places[0].contains(*id)).map(str::to_owned).collect();
    for (document, known) in CITED.iter().zip(places) {
        faults.extend(
            cited(all, document).into_iter().filter(|number| !known.contains(*number)).map(|number| format!("{document} {number}")),
        );
    }
    if OF_RULES.iter().any(|folder| file.starts_with(folder)) {
        faults.extend(bracketed(comments).into_iter().filter(|number| !places[0].contains(*number)).map(|number| format!("({number})")));
    }
    faults.extend(ELSEWHERE.iter().filter(|name| all.contains(**name)).map(ToString::to_string));
    faults.into_iter().map(|fault| format!("{file}: {fault}")).collect()
}

#[test]
fn whatever_is_cited_is_in_the_repository() {
    let places = CITED.map(places);
    assert!(places[0].len() > 150 && places[1].len() > 40, "are the documents read right?");
    let texts = texts();
    let found: usize =
        texts.iter().map(|text| ids(&text.all).len() + CITED.map(|document| cited(&text.all, document).len()).iter().sum::<usize>()).sum();
    assert!(found > 1_000, "only {found} citations: are they read right?");
    none("citations of what is not there", texts.iter().flat_map(|text| unknown(text, &places)).collect());
}

#[test]
fn the_search_for_citations_finds_them_and_nothing_else() {
    let text =
        "S-3, X-6 to X-8 (TR-1; `I-12`) and D-3-final.txt, but no UTF-8, SHA-2, ISO-4217, ED25519, P-256, UTC-4, W-20418, FR-2020 or A-Z";
    assert_eq!(ids(text), ["S-3", "X-6", "X-8", "TR-1", "I-12", "D-3"]);
    assert_eq!(cited("(`docs/api.md` 4.9, 10). See `docs/api.md`, 3 times; `docs/api.md` 11.", "docs/api.md"), ["4.9", "10", "11"]);
    assert_eq!(bracketed("(4.6) and (0.4, I-12), not (15), (it is 1.82 %) nor 1.5"), ["4.6", "0.4"]);
    let wrapped = comments("a.rs", "/// What it is (`docs/api.md`\n/// 4.9).\nlet url = \"https://x\"; // O-1\n");
    assert_eq!((cited(&wrapped, "docs/api.md"), ids(&wrapped)), (vec!["4.9"], vec!["O-1"]));
}

#[test]
fn a_citation_of_what_is_not_there_is_red() {
    let places = CITED.map(places);
    for text in ["by O-99", "as Z-1 says", "(`docs/rules.md` 4.77)", "(`docs/api.md` 4.99)", "(9.99)", "by `api.md`"] {
        let file = Text { file: "crates/engine/src/x.rs".to_owned(), comments: text.to_owned(), all: text.to_owned() };
        assert_eq!(unknown(&file, &places).len(), 1, "{text}");
    }
}

//! The house rules that a compiler does not check: who may use whom, words, sizes, links. Each rule names its reason.

#[path = "tidy/citations.rs"]
mod citations;
#[path = "tidy/pages.rs"]
mod pages;
#[path = "tidy/refusals.rs"]
mod refusals;
#[path = "tidy/rooms.rs"]
mod rooms;
#[path = "tidy/words.rs"]
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that may be longer than their kind allows, until when they are this long, and why.
const LONG_FILES: &[(&str, usize, &str)] = &[];

/// Code that may speak the wire's words outside a path in quotes.
const WIRE_SPEAKERS: &[(&str, &str)] = &[
    ("crates/server/src/http/", "request and answer fields are the wire"),
    ("crates/server/src/api/", "request and answer fields are the wire"),
    ("crates/server/src/socket", "room and event names are the wire"),
    ("web/src/data/", "shared facts are read from the wire here"),
    ("web/src/app/routes.ts", "the hash routes are the spec's"),
    ("web/src/lib/nav", "the hash routes are the spec's"),
    ("web/src/lib/socket.ts", "room and event names are the wire"),
    ("web/src/lib/wire.ts", "accounts and pairs as calls name them"),
];

/// Wire words that are parts of other words too, so they count as whole words only.
const WIRE_WORDS: &[&str] = &["lever", "micro", "boss", "legal"];

/// Wire words that cannot be anything else.
const WIRE_STEMS: &[&str] = &["microtrade", "hzhistory", "flashagainst", "jied", "timeshar", "charge_req"];

/// Our crates.
const OURS: [&str; 9] = ["engine", "journal", "chain", "kernel", "store", "feed", "sim", "server", "bench"];

/// Libraries that serve HTTP.
const HTTP: &[&str] = &["axum", "http", "http-body-util", "hyper", "hyper-util", "multer", "socketioxide", "tower", "tower-http", "utoipa"];

/// Libraries that ask others over HTTP.
const HTTP_CLIENTS: &[&str] = &["object_store", "reqwest", "tokio-tungstenite", "ureq"];

/// Manifests of what is used from npm.
const PACKAGES: [&str; 3] = ["web/package.json", "web/mutants/package.json", "e2e/package.json"];

/// Drivers of databases.
const SQL: &[&str] = &["deadpool-postgres", "diesel", "postgres", "rusqlite", "sqlx", "tokio-postgres", "tokio-postgres-rustls"];

/// The folder of one of our crates.
fn home(name: &str) -> String {
    if name == "bench" { name.to_owned() } else { format!("crates/{name}") }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file of the repository below `folder` with one of these endings, as a path from the root.
fn files(folder: &str, endings: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                let foreign = ["node_modules", "target", "dist", "data", "results", "report", "venv"].contains(&name.as_str());
                // The data folder of a running sandbox is in the root; `data` folders of the sources are ours.
                let ours = name == "data" && folder != root();
                if (!foreign || ours) && (!name.starts_with('.') || name == ".ci") {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let path = path.strip_prefix(root()).expect("below the root");
                found.push(path.to_string_lossy().trim_start_matches("./").to_owned());
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no {endings:?} in {folder}");
    found
}

#[track_caller]
fn none(what: &str, faults: Vec<String>) {
    assert!(faults.is_empty(), "{what}:\n  {}\n", faults.join("\n  "));
}

#[test]
fn crates_depend_on_each_other_in_one_direction_only() {
    let may = |name: &str| match name {
        "kernel" => vec!["engine", "journal"],
        "store" | "feed" => vec!["engine"],
        "server" => vec!["engine", "journal", "chain", "kernel", "store", "feed"],
        "sim" => vec!["engine", "journal", "kernel"],
        "bench" => vec!["engine"],
        _ => vec![],
    };
    for name in OURS {
        let used = libraries(&read(&format!("{}/Cargo.toml", home(name))), false);
        assert!(!used.is_empty(), "{name} has no dependencies: is the manifest read right?");
        let wrong = OURS.iter().filter(|other| used.contains(**other) && !may(name).contains(other));
        none(&format!("crate {name} must not use"), wrong.map(ToString::to_string).collect());
    }
}

/// The manifests of our crates.
fn manifests() -> Vec<String> {
    OURS.iter().map(|name| format!("{}/Cargo.toml", home(name))).collect()
}

/// The libraries under any dependency heading of a manifest, including renamed ones; those of tests and examples `with_tests` only.
fn libraries(manifest: &str, with_tests: bool) -> BTreeSet<String> {
    let (mut found, mut counts) = (BTreeSet::new(), false);
    for line in manifest.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(heading) = line.strip_prefix('[') {
            counts = heading.contains("dependencies") && (with_tests || !heading.contains("dev-dependencies"));
            let of_one = heading.split_once("dependencies.").map(|(_, name)| name.trim_end_matches(']').to_owned());
            found.extend(of_one.filter(|_| counts));
        } else if counts && line.contains('=') {
            found.extend(line.split(['=', '.', ' ']).next().map(str::to_owned));
            let renamed = line.split_once("package = \"").and_then(|(_, rest)| rest.split('"').next());
            found.extend(renamed.map(str::to_owned));
        }
    }
    found
}

/// Engine, journal, kernel and store do not use HTTP; feed and chain use it as clients only.
#[test]
fn only_the_server_speaks_http_and_only_store_and_journal_have_a_database() {
    let mut faults = Vec::new();
    for name in OURS.into_iter().filter(|name| !["server", "bench"].contains(name)) {
        let manifest = read(&format!("{}/Cargo.toml", home(name)));
        // Their tests simulate a venue and a node.
        let asks = ["feed", "chain"].contains(&name);
        let (shipped, all) = (libraries(&manifest, false), libraries(&manifest, true));
        let http = HTTP.iter().filter(|library| if asks { &shipped } else { &all }.contains(**library));
        let clients = HTTP_CLIENTS.iter().filter(|library| !asks && all.contains(**library));
        faults.extend(http.chain(clients).map(|library| format!("{name} must not use {library}: no HTTP")));
    }
    for name in OURS.into_iter().filter(|name| !["store", "journal"].contains(name)) {
        let shipped = libraries(&read(&format!("{}/Cargo.toml", home(name))), false);
        faults.extend(SQL.iter().filter(|driver| shipped.contains(**driver)).map(|driver| format!("{name} must not use {driver}: no SQL")));
    }
    none("libraries", faults);
    let text = "[dependencies]\na.workspace = true\n# b = 1\nc = { package = \"d\", version = \"1\" }\n[dependencies.e]\n\n[features]\nf = []\n[dev-dependencies]\ng = \"1\"\n";
    assert_eq!(libraries(text, false).into_iter().collect::<String>(), "acde");
    assert_eq!(libraries(text, true).into_iter().collect::<String>(), "acdeg");
}

/// The two commands of the README and their options reach the server.
#[test]
fn make_run_takes_prices_of_real_venues_by_one_option() {
    let shown = |more: &[&str]| {
        let made = Command::new("make").args(["-n", "run"]).args(more).current_dir(root()).output().unwrap();
        String::from_utf8(made.stdout).unwrap()
    };
    let (plain, live) = (shown(&[]), shown(&["MARKET=live"]));
    assert!(plain.contains(" serve --data ./data ") && !plain.contains("--market"), "{plain}");
    assert!(live.contains(" serve --data ./data-live ") && live.contains("--market live"), "{live}");
}

/// Live it is the sequencer, and after a start or for `verify` the replay; nothing else that serves may move the state.
#[test]
fn only_the_kernel_applies_entries() {
    let mut faults = Vec::new();
    for file in ["store", "feed", "server"].into_iter().flat_map(|name| files(&format!("crates/{name}/src"), &[".rs"])) {
        let text = read(&file);
        let lines = code_lines(&text).filter(|(_, line)| line.contains("engine.apply(") || line.contains("Engine::apply("));
        faults.extend(lines.map(|(number, _)| format!("{file}:{number}")));
    }
    none("calls of Engine::apply", faults);
}

/// Only one place knows the tables. Other code uses the store, and the journal for entries; so do examples, benchmarks and the tests beside
/// the code. Tests of a whole server look at rows from outside.
#[test]
fn only_the_store_and_the_journal_speak_sql() {
    let words = ["sql!(", "Sql::new(", "Sql::bulk(", "Sql::later(", "rusqlite::", "postgres::", "deadpool_postgres"];
    let mut faults = Vec::new();
    for name in OURS.into_iter().filter(|name| !["store", "journal"].contains(name)) {
        let folders = ["src", "examples", "benches"].map(|part| format!("{}/{part}", home(name)));
        for file in folders.iter().filter(|folder| root().join(folder).exists()).flat_map(|folder| files(folder, &[".rs"])) {
            let text = read(&file);
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
            let lines = lines.filter(|(_, line)| words.iter().any(|word| line.contains(word)));
            faults.extend(lines.map(|(index, line)| format!("{file}:{} {}", index + 1, line.trim())));
        }
    }
    none("SQL outside the store and the journal", faults);
}

/// Lines of code with their numbers: no comments, and nothing from the tests of a Rust file on.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    let numbered = code.enumerate().map(|(index, line)| (index + 1, line));
    numbered.filter(|(_, line)| !line.trim_start().starts_with("//") && !line.trim_start().starts_with('*'))
}

#[test]
fn web_folders_import_in_one_direction_only() {
    let layers: &[(&str, &[&str])] = &[
        ("app", &["app", "features", "data", "ui", "lib", "generated", "locales", "styles"]),
        // The console is an app of its own: the two share these folders and never import each other.
        ("console", &["console", "data", "ui", "lib", "generated", "styles"]),
        ("features", &["data", "ui", "lib", "generated", "locales"]),
        ("data", &["data", "lib", "generated", "locales"]),
        ("ui", &["ui", "lib", "generated", "locales"]),
        ("lib", &["lib", "generated", "locales"]),
        ("generated", &[]),
        ("locales", &[]),
    ];
    let mut faults = Vec::new();
    for file in files("web/src", &[".ts", ".tsx"]) {
        let place: Vec<&str> = file.trim_start_matches("web/src/").split('/').collect();
        let Some((layer, may)) = layers.iter().find(|(layer, _)| *layer == place[0]) else {
            faults.push(format!("{file} is in a folder without a rule"));
            continue;
        };
        for import in imports(&read(&file)) {
            let Some(target) = resolve(&place, &import) else {
                if file.ends_with("model.ts") && import.starts_with("react") {
                    faults.push(format!("{file} is a model and must not import {import}"));
                }
                continue;
            };
            let own_feature = *layer == "features" && target.len() > 1 && target[0] == "features" && target[1] == place[1];
            let feature_part = *layer == "features" && target[0] == "features" && target.len() == 2 && place.len() == 2;
            if !own_feature && !feature_part && !may.contains(&target[0].as_str()) {
                faults.push(format!("{file} must not import {import}"));
            }
        }
    }
    none("app -> features -> data -> lib, features -> ui -> lib, console -> data and ui", faults);
}

/// The imports of a TypeScript file, static and dynamic.
fn imports(text: &str) -> Vec<String> {
    let quoted = |rest: &str| -> Option<String> {
        let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
        Some(rest[1..].split(quote).next()?.to_owned())
    };
    let mut found = Vec::new();
    for mark in [" from ", "import(", "import "] {
        found.extend(text.match_indices(mark).filter_map(|(at, _)| quoted(&text[at + mark.len()..])));
    }
    found
}

/// The parts of an imported path below `web/src`; `None` for a package.
fn resolve(place: &[&str], import: &str) -> Option<Vec<String>> {
    if !import.starts_with('.') {
        return None;
    }
    let mut at: Vec<String> = place[..place.len() - 1].iter().map(ToString::to_string).collect();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(at.pop()),
            name => at.push(name.to_owned()),
        }
    }
    Some(at)
}

#[test]
fn wire_words_stay_at_the_wire() {
    let crates = OURS.iter().filter(|name| !["bench", "sim"].contains(name)).map(|name| format!("{}/src", home(name)));
    let sources: Vec<String> = crates.chain(["web/src".to_owned()]).flat_map(|folder| files(&folder, &[".rs", ".ts", ".tsx"])).collect();
    let mut faults = Vec::new();
    for file in sources {
        let at_the_wire = file.contains("generated/") || file.ends_with("/api.ts") || file.contains(".test.");
        if at_the_wire || WIRE_SPEAKERS.iter().any(|(speaker, _)| file.starts_with(speaker)) {
            continue;
        }
        for (number, line) in code_lines(&read(&file)) {
            if line.contains("serde(") {
                continue;
            }
            if let Some(word) = wire_word(&without_paths(&without_fields(line, &file))) {
                faults.push(format!("{file}:{number} `{word}`: see GLOSSARY.md for the word of the code"));
            }
        }
    }
    none("old words", faults);
}

/// The line without the fields it reads, if it is the app's: their names are those of the generated types.
fn without_fields(line: &str, file: &str) -> String {
    if !file.starts_with("web/") {
        return line.to_owned();
    }
    let mut parts = line.split('.');
    let first = parts.next().unwrap_or("").to_owned();
    let rest = parts.map(|part| part.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'));
    rest.fold(first, |line, part| line + " " + part)
}

/// The line without quoted texts that contain a slash, which are paths of the wire.
fn without_paths(line: &str) -> String {
    let mut kept = String::new();
    for (index, part) in line.split(['\'', '"', '`']).enumerate() {
        if index % 2 == 0 || !part.contains('/') {
            kept.push_str(part);
            kept.push(' ');
        }
    }
    kept
}

fn wire_word(line: &str) -> Option<&'static str> {
    let low = line.to_lowercase();
    if let Some(stem) = WIRE_STEMS.iter().find(|stem| low.contains(**stem)) {
        return Some(stem);
    }
    let mut apart = String::new();
    for letter in line.chars() {
        if letter.is_uppercase() {
            apart.push(' ');
        }
        apart.push(if letter.is_alphabetic() { letter.to_ascii_lowercase() } else { ' ' });
    }
    WIRE_WORDS.iter().find(|word| apart.split(' ').any(|part| part == **word)).copied()
}

#[test]
fn the_search_for_wire_words_finds_them() {
    for bad in ["let lever = 1;", "fn open_lever_order()", "struct MicroOrder;", "const x = 'jied';", "type BossLoan = {}"] {
        assert!(wire_word(&without_paths(bad)).is_some(), "{bad}");
    }
    for good in ["let leverage = 5;", "fn microscope()", "api.get('lever/index')", "illegal"] {
        assert!(wire_word(&without_paths(good)).is_none(), "{good}");
    }
}

#[test]
fn files_stay_short() {
    let kinds: &[(&str, &[&str], usize)] = &[
        ("crates/engine/src", &[".rs"], 600),
        ("crates/journal/src", &[".rs"], 400),
        ("crates/chain/src", &[".rs"], 400),
        ("crates/kernel/src", &[".rs"], 400),
        ("crates/store/src", &[".rs"], 400),
        ("crates/feed/src", &[".rs"], 400),
        ("crates/server/src", &[".rs"], 400),
        ("crates/sim/src", &[".rs"], 600),
        ("web/src", &[".ts", ".tsx", ".css"], 300),
        ("e2e", &[".ts"], 300),
    ];
    let mut faults = Vec::new();
    for (folder, endings, limit) in kinds {
        for file in files(folder, endings).into_iter().filter(|file| !file.contains("generated/")) {
            let lines = read(&file).lines().count();
            let allowed = LONG_FILES.iter().find(|(path, ..)| *path == file);
            let limit = allowed.map_or(*limit, |(_, limit, _)| *limit);
            if lines > limit {
                faults.push(format!("{file} has {lines} lines, at most {limit}"));
            }
            if allowed.is_some_and(|(_, limit, _)| lines + 40 < *limit) {
                faults.push(format!("{file} has {lines} lines: lower its limit in LONG_FILES"));
            }
        }
    }
    none("files too long", faults);
}

/// Feed, bench and sim simulate prices. Two files of the server show them: a drawn chart, and the figures of `/metrics`.
#[test]
fn money_has_no_floats() {
    let shown = ["crates/server/src/http/units.rs", "crates/server/src/http/health.rs"];
    let crates = OURS.iter().filter(|name| !["bench", "feed", "sim"].contains(name));
    let mut faults = Vec::new();
    for file in crates.flat_map(|name| files(&format!("crates/{name}/src"), &[".rs"])).filter(|file| !shown.contains(&file.as_str())) {
        let text = read(&file);
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "f32" | "f64")));
        faults.extend(lines.map(|(index, _)| format!("{file}:{}", index + 1)));
    }
    none("float types", faults);
}

/// A reader finds the rule of every command, event and refusal in its comment.
#[test]
fn every_command_event_and_refusal_names_its_rule() {
    let is_rule = |word: &str| {
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let numbered = word.split_once('-').is_some_and(|(kind, rest)| kind.bytes().all(|byte| byte.is_ascii_uppercase()) && number(rest));
        numbered || word.split('.').all(number) || ["`docs/api.md`", "`docs/rules.md`"].contains(&word)
    };
    let names_one = |comment: &str| {
        let inside = comment.split('(').skip(1).filter_map(|rest| rest.split(')').next());
        inside.flat_map(|text| text.split([' ', ','])).any(is_rule)
    };
    for (file, name, least) in [("command", "Command", 25), ("event", "Event", 8), ("event", "AccountEvent", 13), ("reject", "Reject", 50)]
    {
        let text = read(&format!("crates/engine/src/{file}.rs"));
        let body = text.split(&format!("pub enum {name} {{")).nth(1).and_then(|rest| rest.split("\n}").next()).expect(name);
        let (mut comment, mut seen, mut without) = (String::new(), 0, Vec::new());
        for line in body.lines().filter_map(|line| line.strip_prefix("    ")) {
            if let Some(part) = line.strip_prefix("/// ") {
                comment += part;
                comment.push(' ');
            } else if line.starts_with(char::is_uppercase) {
                seen += 1;
                without.extend((!names_one(&std::mem::take(&mut comment))).then(|| line.to_owned()));
            }
        }
        assert!(seen >= least, "{name}: {seen}");
        none(&format!("variants of {name} without a rule"), without);
    }
}

/// The closed list of what may enter the log is in ARCHITECTURE.md, so that a new kind is a visible change.
#[test]
fn every_command_is_published() {
    let text = read("crates/engine/src/command.rs");
    let body = text.split("pub enum Command {").nth(1).and_then(|rest| rest.split("\n}").next()).expect("enum Command");
    let kinds = body.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| line.starts_with(char::is_uppercase));
    let kinds: Vec<&str> = kinds.filter_map(|line| line.split(|c: char| !c.is_alphanumeric()).next()).collect();
    assert!(kinds.contains(&"Genesis") && kinds.contains(&"PlaceSpotOrder"), "{kinds:?}");
    let published = read("ARCHITECTURE.md");
    let listed = |kind: &str| published.contains(&format!("| `{kind}` |"));
    none("commands without a row in ARCHITECTURE.md", kinds.iter().filter(|kind| !listed(kind)).map(ToString::to_string).collect());
    let rows = published.lines().filter_map(|line| line.strip_prefix("| `")?.split("` |").next());
    let gone = rows.filter(|row| row.chars().all(char::is_alphanumeric) && row.starts_with(char::is_uppercase));
    none("rows of ARCHITECTURE.md without a command", gone.filter(|row| !kinds.contains(row)).map(str::to_owned).collect());
}

/// Every Markdown link: text, target, file.
fn links() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for file in files(".", &[".md"]) {
        for part in read(&file).split("](").collect::<Vec<_>>().windows(2) {
            let text = part[0].rsplit('[').next().unwrap_or("").to_owned();
            let target = part[1].split(')').next().unwrap_or("").to_owned();
            all.push((text, target, file.clone()));
        }
    }
    all
}

#[test]
fn every_figure_is_in_the_manual_and_on_the_dashboard() {
    let (manual, dashboard) = (read("docs/operations.md"), read("docs/grafana.json"));
    let mut figures = BTreeSet::new();
    for path in ["kernel", "store", "feed", "server"].into_iter().flat_map(|name| files(&format!("crates/{name}/src"), &[".rs"])) {
        let text = read(&path);
        for kind in ["metrics::counter!(", "metrics::gauge!(", "metrics::histogram!("] {
            let named = text.split(kind).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
            figures.extend(named.map(str::to_owned));
        }
    }
    assert!(figures.len() > 10, "only {figures:?}: are they read right?");
    assert_eq!(table(&manual, "| metric |", 1), figures, "the metrics that docs/operations.md explains");
    let missing = figures.iter().filter(|name| !dashboard.contains(name.as_str()));
    none("figures that are not on the dashboard", missing.cloned().collect());
    let shown = dashboard.split("\"expr\": \"").skip(1).filter_map(|rest| rest.lines().next());
    let unknown = shown.filter(|shown| !figures.iter().any(|name| shown.contains(name.as_str())));
    none("what the dashboard shows of nothing", unknown.map(str::to_owned).collect());
}

/// The names in a column of a table, which begins with this head.
fn table(text: &str, head: &str, column: usize) -> BTreeSet<String> {
    let rows = text.lines().skip_while(|line| !line.starts_with(head)).skip(2).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').nth(column)).map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
}

#[test]
fn links_in_documents_resolve() {
    let mut faults = Vec::new();
    let all = links();
    assert!(all.len() > 40, "only {} links: are they read right?", all.len());
    for (text, target, file) in all.iter().filter(|(_, target, _)| !target.starts_with("http") && !target.starts_with("mailto:")) {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let full = if path.is_empty() { root().join(file) } else { root().join(file).with_file_name("").join(path) };
        if !full.exists() {
            faults.push(format!("{file}: {target} does not exist"));
        } else if !anchor.is_empty() && !headings(&full).contains(anchor) {
            faults.push(format!("{file}: {target} has no such heading"));
        } else if path.ends_with(".rs") || path.ends_with(".ts") || path.ends_with(".tsx") {
            // A link whose text is a code identifier requires that the file defines it.
            let name = text.trim_matches('`').trim_end_matches("()");
            let name = name.rsplit("::").next().unwrap_or(name);
            let is_name = text.starts_with('`') && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_name && !defines(&fs::read_to_string(&full).unwrap_or_default(), name) {
                faults.push(format!("{file}: {path} does not define {name}"));
            }
        }
    }
    none("links", faults);
}

fn headings(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim().to_lowercase());
    let kept = |title: String| title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect::<String>();
    let anchors = text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    titles.map(|title| kept(title).replace(' ', "-")).chain(anchors).collect()
}

fn defines(text: &str, name: &str) -> bool {
    let keywords = ["fn", "struct", "enum", "trait", "const", "static", "type", "mod", "function", "class", "interface"];
    text.lines().any(|line| {
        let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
        let variant = line.trim_start().strip_prefix(name).is_some_and(|rest| rest.starts_with([',', '(', ' ', '{']));
        variant || words.windows(2).any(|pair| keywords.contains(&pair[0]) && pair[1] == name)
    })
}

/// The variable of every option of the server is in the manual.
#[test]
fn every_option_is_documented() {
    let text = read("crates/server/src/config/arguments.rs");
    let variables = text.split("env = \"").skip(1).filter_map(|rest| rest.split('"').next());
    let variables: BTreeSet<String> = variables.map(str::to_owned).collect();
    assert!(variables.contains("MERIDIAN_DATA"), "{variables:?}");
    assert_eq!(table(&read("docs/operations.md"), "| option |", 2), variables, "the options that docs/operations.md explains");
}

/// Every added library needs a written reason.
#[test]
fn every_library_has_a_reason() {
    let mut all: BTreeSet<String> = manifests().iter().flat_map(|manifest| libraries(&read(manifest), true)).collect();
    for manifest in PACKAGES {
        for part in read(manifest).split("ependencies\": {").skip(1) {
            let names = part.split('}').next().unwrap_or("").lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
            all.extend(names.map(str::to_owned));
        }
    }
    for ours in OURS {
        all.remove(ours);
    }
    assert!(all.contains("axum") && all.contains("react") && all.contains("@playwright/test"), "{all:?}");
    let reasons: String = files("docs/decisions", &[".md"]).iter().map(|file| read(file)).collect();
    let missing = all.iter().filter(|name| !reasons.contains(&format!("`{name}`")));
    none("libraries without a line in docs/decisions", missing.cloned().collect());
}

#[test]
fn the_version_is_told_everywhere() {
    let text = read("Cargo.toml");
    let version = text.lines().find_map(|line| line.strip_prefix("version = \"")).and_then(|rest| rest.split('"').next());
    let version = version.expect("the workspace has a version");
    for file in ["CHANGELOG.md", "web/package.json", "e2e/package.json", "web/src/lib/version.ts"] {
        assert!(read(file).contains(version), "{file} does not name version {version}");
    }
}

#[test]
fn nothing_unfinished_is_left_lying_about() {
    // In two parts, so that this list does not find itself.
    let words = [("TO", "DO"), ("FIX", "ME"), ("XX", "X"), ("lorem ", "ipsum"), ("coming", " soon"), ("Coming", " soon")];
    let endings = [".rs", ".ts", ".tsx", ".css", ".js", ".mjs", ".json", ".md", ".sh", ".toml", ".html", "Makefile", ".txt"];
    let mut faults = Vec::new();
    for file in files(".", &endings).into_iter().filter(|file| !file.ends_with("package-lock.json")) {
        for (index, line) in read(&file).lines().enumerate() {
            for (start, end) in words {
                let word = format!("{start}{end}");
                let whole = word.chars().any(char::is_lowercase) || line.split(|c: char| !c.is_alphanumeric()).any(|part| part == word);
                if line.contains(&word) && whole {
                    faults.push(format!("{file}:{} {word}", index + 1));
                }
            }
        }
    }
    none("workplace words", faults);
}

/// A wildcard range would let two builds differ.
#[test]
fn dependencies_are_pinned() {
    let mut faults = Vec::new();
    for file in manifests() {
        for line in read(&file).lines().filter(|line| line.contains(" = ")) {
            let version = line.split("version = \"").nth(1).or_else(|| line.split_once(" = \"").map(|(_, rest)| rest));
            let Some(version) = version.and_then(|rest| rest.split('"').next()) else { continue };
            if version.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '^' | '~' | '>' | '*')) {
                faults.push(format!("{file}: {line}"));
            }
        }
    }
    for file in PACKAGES {
        let text = read(file);
        let lines = text
            .lines()
            .filter(|line| line.contains("\": \"^") || line.contains("\": \"~") || line.contains("\": \"*") || line.contains("\"latest\""));
        faults.extend(lines.map(|line| format!("{file}: {}", line.trim())));
    }
    none("dependencies without an exact version", faults);
}

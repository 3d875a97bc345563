//! Rooms: which files of a crate import one another. A circle may not be larger than one folder.

use std::collections::{BTreeMap, BTreeSet};

use super::{files, none, read, resolve};

/// The crates that have rooms.
const CRATES: [&str; 9] = [
    "bench",
    "crates/chain",
    "crates/engine",
    "crates/feed",
    "crates/journal",
    "crates/kernel",
    "crates/server",
    "crates/sim",
    "crates/store",
];

/// Folders whose folders are rooms of their own: the areas of the calls know one another as little as other parts do.
const HOUSES: &[&str] = &["api"];

/// A place in a crate: the names of the modules on the way there.
type Module = Vec<String>;

/// The files of a crate with their code, and the tests at their end.
struct Crate {
    files: BTreeMap<Module, (String, String)>,
    /// Macros that are exported, so that they are named at the root: the file of each.
    macros: BTreeMap<String, Module>,
}

impl Crate {
    fn read(folder: &str) -> Crate {
        let (mut all, mut macros) = (BTreeMap::new(), BTreeMap::new());
        for path in files(folder, &[".rs"]) {
            let mut place: Module = path[folder.len() + 1..].trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if place == ["main"] {
                continue;
            }
            if place.last().is_some_and(|last| last == "mod") || place == ["lib"] {
                place.pop();
            }
            let text = read(&path);
            let (shipped, tests) = text.split_once("\n#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
            let (shipped, tests) = (code(shipped), code(tests));
            for exported in shipped.split("#[macro_export]").skip(1) {
                let name = exported.split_once("macro_rules!").map_or("", |(_, rest)| rest.trim_start());
                macros.insert(name.chars().take_while(is_of_name).collect(), place.clone());
            }
            all.insert(place, (shipped, tests));
        }
        Crate { files: all, macros }
    }

    /// The file that a path from the root leads to.
    fn file(&self, path: &[String]) -> Module {
        if let [name] = path
            && let Some(place) = self.macros.get(name)
        {
            return place.clone();
        }
        let known = (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|place| self.files.contains_key(place));
        known.unwrap_or_default()
    }

    /// Which files each file names.
    fn imports(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let of = |(place, (shipped, tests)): (&Module, &(String, String))| {
            let children: BTreeSet<&str> = self
                .files
                .keys()
                .filter_map(|other| (other[..other.len().max(1) - 1] == *place).then(|| other.last()).flatten())
                .map(String::as_str)
                .collect();
            // The tests are a module in the file, so what is above them is the file.
            let parent = place[..place.len().max(1) - 1].to_vec();
            let said = [paths(place, &parent, shipped, &children), paths(place, place, tests, &children)].concat();
            let mut named: BTreeSet<Module> = said.iter().map(|path| self.file(path)).collect();
            named.remove(place);
            (place.clone(), named)
        };
        self.files.iter().map(of).collect()
    }
}

fn is_of_name(c: &char) -> bool {
    c.is_alphanumeric() || *c == '_'
}

/// The text without comments, texts in quotes, scopes such as `pub(in crate::x)`, and what is for documents only.
fn code(text: &str) -> String {
    let mut lines = text.lines();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(doc)]" {
            lines.next();
            continue;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    let bare = without_texts(&kept);
    let mut scopes = bare.split("pub(in ");
    let first = scopes.next().unwrap_or("").to_owned();
    scopes.fold(first, |text, scope| text + "pub " + scope.split_once(')').map_or("", |(_, rest)| rest))
}

/// The text without comments and string literals.
fn without_texts(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|raw| (raw, raw.len() - raw.trim_start_matches('#').len()));
        let raw = raw.filter(|(raw, marks)| raw[*marks..].starts_with('"') && !kept.ends_with(|c| is_of_name(&c)));
        rest = if rest.starts_with("//") {
            rest.find('\n').map_or("", |end| &rest[end..])
        } else if let Some((raw, marks)) = raw {
            let end = format!("\"{}", "#".repeat(marks));
            raw[marks + 1..].split_once(&end).map_or("", |(_, rest)| rest)
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or("", |end| &rest[end + 2..])
        } else if let Some(letter) = ["'\"'", "'\\\"'", "'/'"].iter().find(|letter| rest.starts_with(**letter)) {
            &rest[letter.len()..]
        } else {
            kept.push(c);
            &rest[c.len_utf8()..]
        };
    }
    kept
}

/// Every path from the root that a file names: in `use`, with its groups, and anywhere else. `above` is what it calls `super`.
fn paths(place: &Module, above: &Module, text: &str, children: &BTreeSet<&str>) -> Vec<Module> {
    let mut found = Vec::new();
    let starts = text.match_indices("::").filter_map(|(at, _)| {
        let word: String = text[..at].chars().rev().take_while(is_of_name).collect::<String>().chars().rev().collect();
        let before = text[..at - word.len()].trim_end();
        let is_first = !before.ends_with("::") && !before.ends_with('.');
        (is_first && !word.is_empty()).then_some((word, at))
    });
    for (word, at) in starts {
        let from: Module = match word.as_str() {
            "crate" => Module::new(),
            "self" => place.clone(),
            "super" => above.clone(),
            child if children.contains(child) => place.iter().cloned().chain([child.to_owned()]).collect(),
            _ => continue,
        };
        branch(&from, &text[at + 2..], &mut found);
    }
    found
}

/// Follows a path from here on, and in a group each of its branches. Answers what is left of the text behind it.
fn branch<'a>(from: &[String], text: &'a str, found: &mut Vec<Module>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = branch(from, rest, found).trim_start();
            match rest.chars().next() {
                Some(',') => rest = &rest[1..],
                Some('}') => return &rest[1..],
                // No group of paths.
                _ => return rest,
            }
        }
    }
    let name: String = text.chars().take_while(is_of_name).collect();
    if name.is_empty() && !text.starts_with('*') {
        // Behind the last comma of a group.
        return text;
    }
    let rest = &text[name.len()..];
    let mut path = from.to_vec();
    match name.as_str() {
        "" | "self" => {}
        "super" => drop(path.pop()),
        _ => path.push(name),
    }
    if let Some(deeper) = rest.strip_prefix("::") {
        return branch(&path, deeper, found);
    }
    found.push(path);
    // `as another`, and the mark of a glob.
    let end = rest.find([',', '}', ';', '\n']).unwrap_or(rest.len());
    &rest[end..]
}

/// The room of a file: its folder in the root of the crate, together with the file of the same name.
fn room(place: &[String]) -> String {
    let deep = place.first().is_some_and(|first| HOUSES.contains(&first.as_str()));
    let names = &place[..place.len().min(if deep { 2 } else { 1 })];
    if names.is_empty() { "lib".to_owned() } else { names.join("/") }
}

/// Everything that can be reached from each of these.
fn reached<T: Ord + Clone>(edges: &BTreeMap<T, BTreeSet<T>>) -> BTreeMap<T, BTreeSet<T>> {
    let from = |start: &T| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start.clone()]);
        while let Some(at) = next.pop() {
            next.extend(edges.get(&at).into_iter().flatten().filter(|to| seen.insert((*to).clone())).cloned());
        }
        (start.clone(), seen)
    };
    edges.keys().map(from).collect()
}

/// The circles: sets in which each reaches each other one.
fn circles<T: Ord + Clone>(edges: &BTreeMap<T, BTreeSet<T>>) -> BTreeSet<BTreeSet<T>> {
    let reached = reached(edges);
    let both = |one: &T, other: &T| reached[one].contains(other) && reached.get(other).is_some_and(|back| back.contains(one));
    let circle = |one: &T| reached[one].iter().filter(|other| both(one, other)).cloned().collect::<BTreeSet<T>>();
    reached.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// Which rooms each room imports.
fn rooms(imports: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, named) in imports {
        let own = room(file);
        let others = named.iter().map(|other| room(other)).filter(|other| *other != own);
        all.entry(own.clone()).or_default().extend(others);
    }
    all
}

/// The record of events, a file of the engine. It names the object that every room reports, and the rules of those rooms write into it, so
/// importing it closes circles of rooms. Only these are left out below: no file that it names may import it, because circles of files count
/// them.
const RECORD: (&str, &str) = ("crates/engine", "event");

/// Folders of the engine that every product may use. Each other folder is a product, so a new one is held to the rule from its first line.
const SHARED: [&str; 10] =
    ["backoffice", "catalog", "codec", "engine", "identity", "index", "ledger", "liabilities", "listing", "operators"];

/// They meet in the ledger only.
#[test]
fn engine_products_never_use_one_another() {
    let engine = Crate::read("crates/engine/src");
    let folders: BTreeSet<String> = engine.files.keys().filter(|place| place.len() > 1).map(|place| place[0].clone()).collect();
    none("shared folders that are gone", SHARED.iter().filter(|name| !folders.contains(**name)).map(ToString::to_string).collect());
    let products: BTreeSet<&String> = folders.iter().filter(|folder| !SHARED.contains(&folder.as_str())).collect();
    let product = |file: &Module| file.first().filter(|first| products.contains(first)).cloned();
    let imports = engine.imports();
    let mut faults = Vec::new();
    for (file, named) in &imports {
        let Some(own) = product(file) else { continue };
        let others = named.iter().filter(|other| product(other).is_some_and(|product| product != own));
        faults.extend(others.map(|other| format!("{} uses {}", file.join("/"), other.join("/"))));
    }
    assert!(products.len() > 8, "only {products:?}: are the folders read right?");
    none("products", faults);
}

#[test]
fn no_circle_of_imports_is_larger_than_one_folder() {
    let mut faults = Vec::new();
    for name in CRATES {
        let imports = Crate::read(&format!("{name}/src")).imports();
        assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 3, "{name} imports nothing: are its files read right?");
        for circle in circles(&imports) {
            let rooms: BTreeSet<String> = circle.iter().map(|file| room(file)).collect();
            if rooms.len() > 1 {
                faults.push(format!("{name}: {} files of {rooms:?}", circle.len()));
            }
        }
        let mut rooms = rooms(&imports);
        if name == RECORD.0 {
            assert!(!circles(&rooms).is_empty(), "imports of the record close no circle any more: count them");
            rooms.values_mut().for_each(|named| named.retain(|other| other != RECORD.1));
        }
        faults.extend(circles(&rooms).iter().map(|circle| format!("{name}: {circle:?} import one another")));
    }
    none("circles of imports beyond one folder", faults);
}

/// In the web a folder and the folders within it may use one another in both ways; folders side by side may not.
#[test]
fn no_circle_of_web_imports_is_larger_than_one_folder() {
    let of = |path: &str| path.trim_start_matches("web/src/").split('/').map(str::to_owned).collect::<Module>();
    let all: BTreeSet<Module> =
        files("web/src", &[".ts", ".tsx"]).iter().filter(|path| !path.contains(".test.")).map(|path| of(path)).collect();
    let mut imports: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for place in &all {
        let names: Vec<&str> = place.iter().map(String::as_str).collect();
        let targets =
            super::imports(&read(&format!("web/src/{}", place.join("/")))).into_iter().filter_map(|import| resolve(&names, &import));
        let file = |target: Module| {
            let (name, folder) = target.split_last()?;
            ["", ".ts", ".tsx"].iter().map(|end| [folder, &[format!("{name}{end}")]].concat()).find(|file| all.contains(file))
        };
        imports.insert(place.clone(), targets.filter_map(file).collect());
    }
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 1_000, "are the imports read right?");
    let folder = |file: &Module| file[..file.len() - 1].to_vec();
    let mut folders: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (file, named) in &imports {
        let own = folder(file);
        let beside = named.iter().map(folder).filter(|other| !other.starts_with(&own) && !own.starts_with(other));
        folders.entry(own.clone()).or_default().extend(beside);
    }
    let mut faults = Vec::new();
    for circle in circles(&imports) {
        if circle.iter().map(folder).collect::<BTreeSet<Module>>().len() > 1 {
            faults.push(format!("files {:?}", circle.iter().map(|file| file.join("/")).collect::<Vec<_>>()));
        }
    }
    for circle in circles(&folders) {
        faults.push(format!("folders {:?}", circle.iter().map(|folder| folder.join("/")).collect::<Vec<_>>()));
    }
    none("circles of imports in the web beyond one folder", faults);
}

/// The composition root is above everything, so only what starts it may name it.
#[test]
fn nothing_below_the_composition_root_imports_it() {
    let imports = Crate::read("crates/server/src").imports();
    let root: Module = vec!["app".to_owned()];
    let users = imports.iter().filter(|(_, named)| named.contains(&root)).map(|(file, _)| file.join("/"));
    assert_eq!(users.collect::<Vec<_>>(), ["boot"]);
}

#[test]
fn the_search_for_imports_finds_them() {
    let place: Module = vec!["http".to_owned(), "auth".to_owned()];
    let children = BTreeSet::from(["keys"]);
    let text = code(
        "//! `crate::a`\nuse crate::b::{self, c::{D, e as f,}, *}; // crate::g\nuse super::reply::refuse;\nuse keys::Key;\npub(in crate::h) fn x() {\n    crate::i::j(\"crate::k // \\\"\", '\"', r#\"\"crate::o\"#); other::super_l::m();\n}\n#[cfg(doc)]\nuse crate::n;\n",
    );
    let above = place[..1].to_vec();
    let mut found: Vec<String> = paths(&place, &above, &text, &children).iter().map(|path| path.join("::")).collect();
    found.sort();
    assert_eq!(found, ["b", "b", "b::c::D", "b::c::e", "http::auth::keys::Key", "http::reply::refuse", "i::j"]);
    let beside: Vec<String> =
        paths(&place, &place, "use super::{self, x}; use super::super::y::Z;", &children).iter().map(|path| path.join("::")).collect();
    assert_eq!(beside, ["http::auth", "http::auth::x", "http::y::Z"]);
    let of = |pairs: &[(&'static str, &'static str)]| {
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, to) in pairs {
            edges.entry(from).or_default().insert(to);
        }
        circles(&edges).into_iter().map(|circle| circle.into_iter().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]), [["a", "b", "c"]]);
    assert!(of(&[("a", "b"), ("a", "c"), ("b", "c")]).is_empty());
}

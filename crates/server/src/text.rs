//! The server's own sentences in eleven languages: refusals, answers, messages. English is the reference and the fallback.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::Serialize;

/// One of the eleven languages of the product (`api.md` 1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Japanese.
    Jp,
    /// Korean.
    Kr,
    /// Spanish.
    Esp,
    /// Chinese.
    Zh,
    /// Traditional Chinese.
    Hk,
    /// Thai.
    Th,
    /// Turkish.
    Teq,
    /// Italian.
    Ydl,
    /// German.
    Deyu,
    /// French.
    Fayu,
}

impl Lang {
    /// All, in the order in which they are offered.
    pub const ALL: [Lang; 11] =
        [Lang::En, Lang::Jp, Lang::Kr, Lang::Esp, Lang::Zh, Lang::Hk, Lang::Th, Lang::Teq, Lang::Ydl, Lang::Deyu, Lang::Fayu];

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        self.facts().0
    }

    /// The tag for browsers.
    pub fn bcp47(self) -> &'static str {
        self.facts().1
    }

    /// The language's own name.
    pub fn own_name(self) -> &'static str {
        self.facts().2
    }

    /// The language with this code.
    pub fn parse(code: &str) -> Option<Lang> {
        Lang::ALL.into_iter().find(|lang| lang.code() == code)
    }

    fn facts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Lang::En => ("en", "en", "English"),
            Lang::Jp => ("jp", "ja", "日本語"),
            Lang::Kr => ("kr", "ko", "한국어"),
            Lang::Esp => ("esp", "es", "Español"),
            Lang::Zh => ("zh", "zh-Hans", "简体中文"),
            Lang::Hk => ("hk", "zh-Hant", "繁體中文"),
            Lang::Th => ("th", "th", "ไทย"),
            Lang::Teq => ("teq", "tr", "Türkçe"),
            Lang::Ydl => ("ydl", "it", "Italiano"),
            Lang::Deyu => ("deyu", "de", "Deutsch"),
            Lang::Fayu => ("fayu", "fr", "Français"),
        }
    }
}

impl Serialize for Lang {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

#[derive(RustEmbed)]
#[folder = "locales"]
struct Files;

type Table = HashMap<String, String>;

static TABLES: LazyLock<HashMap<Lang, Table>> = LazyLock::new(|| {
    let table = |lang: Lang| -> Table {
        let file = Files::get(&format!("{}.json", lang.code()));
        file.and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
    };
    Lang::ALL.into_iter().map(|lang| (lang, table(lang))).collect()
});

/// The sentence for this key; English where the language lacks it; the key itself if nobody wrote it.
pub fn text(lang: Lang, key: &'static str) -> &'static str {
    let own = TABLES.get(&lang).and_then(|table| table.get(key));
    let found = own.or_else(|| TABLES.get(&Lang::En).and_then(|table| table.get(key)));
    found.map_or(key, String::as_str)
}

/// The sentence with `{name}` replaced by the values given.
pub fn filled<T: AsRef<str>>(lang: Lang, key: &str, values: &[(T, T)]) -> String {
    let own = TABLES.get(&lang).and_then(|table| table.get(key));
    let found = own.or_else(|| TABLES.get(&Lang::En).and_then(|table| table.get(key)));
    let sentence = found.map_or(key, String::as_str).to_owned();
    values.iter().fold(sentence, |sentence, (name, value)| sentence.replace(&format!("{{{}}}", name.as_ref()), value.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_sentence_with_the_same_placeholders() {
        let holes = |sentence: &str| {
            let mut names: Vec<String> = sentence.split('{').skip(1).filter_map(|part| part.split('}').next()).map(str::to_owned).collect();
            names.sort();
            names
        };
        let english = &TABLES[&Lang::En];
        assert!(english.len() > 132, "English has only {} sentences", english.len());
        for lang in Lang::ALL {
            let table = &TABLES[&lang];
            let mut missing: Vec<&String> = english.keys().filter(|key| !table.contains_key(*key)).collect();
            missing.extend(table.keys().filter(|key| !english.contains_key(*key)));
            assert!(missing.is_empty(), "{}: {missing:?}", lang.code());
            for (key, sentence) in table {
                assert_eq!(holes(sentence), holes(&english[key]), "{} {key}", lang.code());
            }
        }
    }
}

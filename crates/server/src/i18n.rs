//! The server's own sentences in eleven languages: refusals, answers, messages. English is the reference and the fallback.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_embed::RustEmbed;

pub use store::Lang;

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

/// The sentence for this key; English if the language lacks it; the key itself if there is no sentence.
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

/// A decimal number of the wire as this language writes it, with the marks of the app's own figures: every three digits a group, and the
/// language's decimal mark.
pub fn figure(lang: Lang, number: &str) -> String {
    let (group, mark) = match lang {
        Lang::En | Lang::Jp | Lang::Kr | Lang::Zh | Lang::Hk | Lang::Th => (',', '.'),
        Lang::Esp | Lang::Deyu | Lang::Ydl | Lang::Teq => ('.', ','),
        Lang::Fayu => ('\u{202f}', ','),
    };
    let (whole, decimals) = number.split_once('.').map_or((number, None), |(whole, decimals)| (whole, Some(decimals)));
    let mut text = String::with_capacity(number.len() + whole.len());
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(group);
        }
        text.push(digit);
    }
    if let Some(decimals) = decimals {
        text.push(mark);
        text.push_str(decimals);
    }
    text
}

/// A day of the wire, 2026-11-27, as this language writes it: as the app writes its own days.
pub fn day(lang: Lang, day: &str) -> String {
    let [year, month, date] = day.split('-').collect::<Vec<_>>()[..] else { return day.to_owned() };
    let named = month.parse().ok().and_then(|month: usize| text(lang, "date.months").split(' ').nth(month.checked_sub(1)?));
    let Some(named) = named else { return day.to_owned() };
    filled(lang, "date", &[("year", year), ("month", named), ("day", date.trim_start_matches('0'))])
}

/// The sentence of a message with a code in it.
pub fn with_code(lang: Lang, key: &str, code: &str) -> String {
    filled(lang, key, &[("code", code)])
}

#[cfg(test)]
mod tests {
    use store::notices::Topic;
    use store::rows::kind_key;

    use super::*;

    #[test]
    fn a_figure_is_written_as_the_app_writes_it_in_every_language() {
        let english = [Lang::En, Lang::Jp, Lang::Kr, Lang::Zh, Lang::Hk, Lang::Th];
        let european = [Lang::Esp, Lang::Teq, Lang::Ydl, Lang::Deyu];
        assert_eq!(english.len() + european.len() + 1, Lang::ALL.len());
        for (langs, written) in [
            (&english[..], ["1,234,567.5", "1,060", "96.90969", "999", "0"]),
            (&european, ["1.234.567,5", "1.060", "96,90969", "999", "0"]),
            (&[Lang::Fayu], ["1\u{202f}234\u{202f}567,5", "1\u{202f}060", "96,90969", "999", "0"]),
        ] {
            for lang in langs {
                assert_eq!(["1234567.5", "1060", "96.90969", "999", "0"].map(|number| figure(*lang, number)), written, "{}", lang.code());
            }
        }
    }

    #[test]
    fn a_day_is_written_as_the_app_writes_it_in_every_language() {
        let written = |lang| ["2026-11-27", "2026-09-05"].map(|date| day(lang, date));
        assert_eq!(written(Lang::En), ["27 Nov 2026", "5 Sept 2026"]);
        assert_eq!(written(Lang::Jp), ["2026年11月27日", "2026年9月5日"]);
        assert_eq!(written(Lang::Deyu), ["27. Nov. 2026", "5. Sept. 2026"]);
        for lang in Lang::ALL {
            assert_eq!(text(lang, "date.months").split(' ').count(), 12, "{}", lang.code());
            // A text that is not a date stays as it is.
            assert_eq!(["", "soon", "2026-00-01", "2026-13-01"].map(|date| day(lang, date)), ["", "soon", "2026-00-01", "2026-13-01"]);
        }
    }

    #[test]
    fn every_topic_of_notices_has_its_texts() {
        // Notices stored by earlier releases are read as they were written.
        for name in Topic::ALL.map(|topic| topic.words().1).into_iter().chain(["option_lost"]) {
            for part in ["title", "text"] {
                let key = format!("notice.{name}.{part}");
                assert_ne!(filled::<&str>(Lang::En, &key, &[]), key);
            }
        }
    }

    #[test]
    fn every_line_of_a_statement_has_its_words() {
        let keys: Vec<_> = (0..14_000).filter_map(kind_key).collect();
        assert!(keys.len() >= 18, "{keys:?}");
        for key in keys {
            assert_ne!(text(Lang::En, key), key, "no words");
        }
    }

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

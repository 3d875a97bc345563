//! The languages of the product.

use serde::Serialize;

/// One of the eleven languages of the product (`docs/api.md` 1.5).
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

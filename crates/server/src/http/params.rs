//! Parameters of a call, as the API contract describes them.

/// A parameter of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name, then its aliases.
    pub names: &'static [&'static str],
    /// Must be sent.
    pub required: bool,
    /// Form of its value.
    pub kind: Kind,
}

/// Form of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A number without decimals; of instants, in milliseconds.
    Integer,
    /// 0 or 1.
    Flag,
    /// An amount or a price.
    Decimal,
    /// One of these words; if all of them are digits, a number.
    OneOf(&'static [&'static str]),
    /// Code of a language.
    Language,
    /// Word of a wallet.
    Wallet,
    /// A list of texts.
    Texts,
    /// An object.
    Object,
    /// A file.
    File,
    /// This, or the word `none`.
    OrNone(&'static Kind),
}

impl Param {
    /// The name.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or("")
    }
}

//! Parameters of a call as the route table writes them: `name|alias*:type`.

/// A parameter of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    names: Vec<&'static str>,
    required: bool,
    /// Type as in the contract: `str`, `int`, `flag`, `dec`, `enum(a,b)`, ...
    pub kind: &'static str,
}

impl Param {
    /// The name.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or("")
    }

    /// The name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.names.iter().copied()
    }

    /// Must be sent.
    pub fn required(&self) -> bool {
        self.required
    }

    /// All parameters of a row.
    pub(super) fn parse_all(text: &'static str) -> Vec<Param> {
        text.split_whitespace()
            .flat_map(|word| if word == "paged" { "page:int limit:int" } else { word }.split(' '))
            .map(Param::parse)
            .collect()
    }

    fn parse(text: &'static str) -> Param {
        let (names, kind) = text.split_once(':').unwrap_or((text, "str"));
        let bare = names.strip_suffix('*');
        Param { names: bare.unwrap_or(names).split('|').collect(), required: bare.is_some(), kind }
    }
}

//! The kinds of the catalog: of its rows, and of what can be proposed.

use engine::listing::change::{CatalogChange, TextKind};

use crate::http::params::Kind;
use crate::http::reply::Refusal;
use crate::http::request::words;
use crate::http::values::Value;

words! {
    /// A kind of rows.
    pub enum CatalogKind as text {
        Fee = "fee",
        Network = "network",
        Market = "market",
        Limit = "limit",
        IndexSource = "index_source",
        Country = "country",
        Coin = "coin",
        OptionDuration = "option_duration",
        Contract = "contract",
        Plan = "plan",
        Offering = "offering",
        WhitePaper = "white_paper",
        LoanProduct = "loan_product",
        Conversion = "flash",
    }
}

impl CatalogKind {
    /// All.
    pub const ALL: [CatalogKind; 14] = [
        CatalogKind::Fee,
        CatalogKind::Network,
        CatalogKind::Market,
        CatalogKind::Limit,
        CatalogKind::IndexSource,
        CatalogKind::Country,
        CatalogKind::Coin,
        CatalogKind::OptionDuration,
        CatalogKind::Contract,
        CatalogKind::Plan,
        CatalogKind::Offering,
        CatalogKind::WhitePaper,
        CatalogKind::LoanProduct,
        CatalogKind::Conversion,
    ];
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// New values of a row, or a new row.
    Row(CatalogKind),
    /// A new pair.
    Pair,
    /// A text that no row shows, and that cannot be proposed any more.
    RiskText,
}

impl ChangeKind {
    pub(super) fn of(change: &CatalogChange) -> ChangeKind {
        ChangeKind::Row(match change {
            CatalogChange::Fee { .. } => CatalogKind::Fee,
            CatalogChange::MarketFilters { .. } => CatalogKind::Market,
            CatalogChange::Network(_) | CatalogChange::Bank(_) => CatalogKind::Network,
            CatalogChange::Text { kind: TextKind::ReceivingKey(_) | TextKind::BankAccount, .. } => CatalogKind::Network,
            CatalogChange::Limits(_) => CatalogKind::Limit,
            CatalogChange::IndexSources { .. } => CatalogKind::IndexSource,
            CatalogChange::Text { kind: TextKind::Country, .. } => CatalogKind::Country,
            CatalogChange::Text { kind: TextKind::RiskText, .. } => return ChangeKind::RiskText,
            CatalogChange::Text { kind: TextKind::WhitePaper, .. } => CatalogKind::WhitePaper,
            CatalogChange::ListCoin(_) => CatalogKind::Coin,
            CatalogChange::ListMarket { .. } => return ChangeKind::Pair,
            CatalogChange::OptionDuration(_) | CatalogChange::OptionShared(_) => CatalogKind::OptionDuration,
            CatalogChange::ContractTerms(_) => CatalogKind::Contract,
            CatalogChange::LoanProduct(_) | CatalogChange::LoanShared(_) => CatalogKind::LoanProduct,
            CatalogChange::ConversionTerms(_) => CatalogKind::Conversion,
            CatalogChange::Offering(_) => CatalogKind::Offering,
            CatalogChange::Plan(_) => CatalogKind::Plan,
        })
    }

    /// The rows that show what such a change brings about, if any do.
    pub(super) fn rows(self) -> Option<CatalogKind> {
        if let ChangeKind::Row(kind) = self { Some(kind) } else { None }
    }

    /// The word on the wire.
    pub(super) fn word(self) -> &'static str {
        match self {
            ChangeKind::Row(kind) => kind.word(),
            ChangeKind::Pair => "pair",
            ChangeKind::RiskText => "risk_text",
        }
    }
}

impl Value for ChangeKind {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<ChangeKind, Refusal> {
        if text == ChangeKind::Pair.word() { Ok(ChangeKind::Pair) } else { CatalogKind::parse(name, text).map(ChangeKind::Row) }
    }
}

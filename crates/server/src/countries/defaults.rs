//! What a live server forbids in a country without an approved table. Every line and its source are in `docs/country-defaults.md`, and a
//! test compares the two.

use engine::product::Product;

/// Countries, two letters each, and the products that are off there, by their wire names.
type Line = (&'static str, &'static str);

/// Products that this version does not have yet are forbidden in advance, so none of them starts anywhere by oversight.
pub const LINES: [Line; 11] = [
    // The European Economic Area, including territories that have a country code of their own.
    ("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO AX GF GP MF MQ RE YT", "option contract"),
    ("GB", "option contract"),
    ("AU CC CX NF", "option contract"),
    ("CA", "option contract"),
    ("US AS GU MP PR VI", "option contract"),
    ("IL", "option"),
    // Trading in coins is forbidden; existing balances may leave.
    ("CN", ALL_BUT_LEAVING),
    ("DZ KW NP", ALL_BUT_LEAVING),
    ("BD EG IQ MA QA TN", ALL_BUT_LEAVING),
    ("RU", ALL_BUT_LEAVING),
    // No service may be provided.
    ("CU IR KP", "option contract plan subscription loan flash spot deposit_coin deposit_bank withdraw_coin withdraw_bank"),
];

const ALL_BUT_LEAVING: &str = "option contract plan subscription loan flash spot deposit_coin deposit_bank";

/// True where this product is off in this country unless two operators agree on something else.
pub fn forbids(country: &str, product: Product) -> bool {
    let names = |words: &str, one: &str| words.split(' ').any(|word| word == one);
    LINES.iter().any(|(countries, off)| names(countries, country) && names(off, product.name()))
}

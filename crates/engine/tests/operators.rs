//! What operators may do is a closed list: this test prints it with every field and fails when it grows. No operator can set a price, an
//! outcome, a fill, a balance of a member, or the amount or address of a withdrawal, because no field for it exists.

#![allow(clippy::unwrap_used, reason = "a list that cannot be read has failed")]

use std::path::PathBuf;

/// The types that an operator's act is made of, with the file that defines each.
const TYPES: [(&str, &str); 33] = [
    ("backoffice/acts.rs", "pub struct Operate "),
    ("operators/approval.rs", "pub struct Reviewer "),
    ("backoffice/acts.rs", "pub enum OperatorAct "),
    ("backoffice/acts.rs", "pub enum Item "),
    ("backoffice/acts.rs", "pub enum Decision "),
    ("operators/approval.rs", "pub struct SignedVersion "),
    ("funding/deposit.rs", "pub struct Observed "),
    ("security.rs", "pub enum FreezeScope "),
    ("product.rs", "pub enum Product "),
    ("backoffice/acts.rs", "pub struct AuditNote "),
    ("backoffice/proposals.rs", "pub enum Proposed "),
    ("security.rs", "pub enum ReferralRole "),
    ("listing/change.rs", "pub enum CatalogChange "),
    ("listing/change.rs", "pub enum FirstReference "),
    ("catalog.rs", "pub struct Asset "),
    ("catalog.rs", "pub struct Market "),
    ("listing/change.rs", "pub enum TextKind "),
    ("catalog/funding.rs", "pub struct Network "),
    ("catalog/funding.rs", "pub struct BankTerms "),
    ("catalog/funding.rs", "pub struct Limits "),
    ("options/terms.rs", "pub struct DurationTerms "),
    ("options/terms.rs", "pub struct StakeMax "),
    ("options/terms.rs", "pub struct SharedTerms "),
    ("options/terms.rs", "pub struct StakeCoin "),
    ("options/option.rs", "pub enum TieRule "),
    ("contracts/terms.rs", "pub struct Terms "),
    ("contracts/terms.rs", "pub struct Tier "),
    ("convert/terms.rs", "pub struct ConversionTerms "),
    ("loans/terms.rs", "pub struct LoanProduct "),
    ("loans/terms.rs", "pub struct SharedTerms "),
    ("subscriptions/offering.rs", "pub struct Terms "),
    ("plans/terms.rs", "pub struct Plan "),
    ("plans/order.rs", "pub struct Terms "),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The lines of a type's body, without comments and attributes.
fn body(file: &str, head: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("src").join(file)).unwrap();
    let after = text.split(head).nth(1).unwrap_or_else(|| panic!("{head} is not in {file}"));
    let end = after.find("\n}").unwrap_or_else(|| panic!("{head} has no end"));
    let code = after[..end].lines().skip(1).filter(|line| !line.trim().starts_with("//") && !line.trim().starts_with('#'));
    code.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned()).collect()
}

fn printed() -> String {
    let part = |(file, head): &(&str, &str)| {
        let lines: Vec<String> = body(file, head).iter().map(|line| format!("  {line}\n")).collect();
        format!("{}\n{}", head.trim_start_matches("pub ").trim(), lines.concat())
    };
    TYPES.iter().map(part).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_list_of_operators_acts_is_closed() {
    let golden = std::fs::read_to_string(root().join("tests/operators.txt")).unwrap();
    assert!(printed() == golden, "operators can do something else now; if that is meant, this is the new list:\n{}", printed());
}

/// Every field whose name speaks of money is one of these, each with its reason.
const MONEY: [(&str, &str); 17] = [
    ("struct Observed", "amount: an outside fact, entered by two operators with the same key (D-5)"),
    ("enum Proposed", "amount: free house capital, never a member's (L-3)"),
    ("struct BankTerms", "rates and fees of claims and submissions made later (I-11)"),
    ("struct Network", "minimums and fees of claims and submissions made later (I-11)"),
    ("struct Limits", "bounds"),
    ("enum FirstReference", "price: the reference of a pair that was never traded, on which nothing can be open yet (S-5)"),
    ("struct Asset", "amount: the most that one faucet call of a sandbox gives"),
    ("struct Market", "filters and fees of a pair that is new"),
    ("struct DurationTerms", "profit and band of options bought later (I-11)"),
    ("struct StakeMax", "bounds of options bought later"),
    ("struct SharedTerms", "the fee of options bought, and the shares of loans applied for, later (I-11)"),
    ("struct StakeCoin", "bounds of options bought later"),
    ("struct Terms", "rates and sizes of contracts and plans bought later; price and bounds of an offering that is not open yet (I-11)"),
    ("struct Tier", "bounds and rates of contracts opened later (I-11)"),
    ("struct ConversionTerms", "rates and bounds of quotes made later (I-11)"),
    ("struct LoanProduct", "rate and bounds of loans applied for later (I-11)"),
    ("struct Plan", "bounds of plans bought later"),
];

#[test]
fn no_field_sets_a_price_an_outcome_a_fill_or_a_balance() {
    let list = printed();
    let mut of = "";
    for line in list.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            of = line;
        }
        let words: Vec<String> = line.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        for forbidden in ["outcome", "fill", "filled", "balance", "sample", "result", "strike", "address", "destination", "wallet"] {
            // The wallets that admit a new coin; the field does not name an owner.
            let admits = of == "struct Asset" && line.trim() == "pub wallets: Vec<Wallet>,";
            assert!(admits || !words.iter().any(|word| word == forbidden), "{of}: {line}");
        }
        let money = ["price", "amount", "rate"].iter().any(|money| words.iter().any(|word| word == money));
        assert!(!money || of.starts_with("enum CatalogChange") || MONEY.iter().any(|(known, _)| *known == of), "{of}: {line}");
    }
    assert!(list.contains("enum OperatorAct") && list.contains("TreasuryMove"), "the list was not read");
}

//! Forms of addresses against published vectors: BIP-173, BIP-350, EIP-55, and well-known addresses of each chain.

use chain::Chain;
use chain::address::{Address, AddressError};
use proptest::prelude::*;

fn canonical(chain: Chain, text: &str) -> Result<String, AddressError> {
    Address::parse(chain, text).map(Address::into_text)
}

/// Valid main network addresses of BIP-350 and BIP-173; those of witness version 1 and up by the checksum of BIP-350 only.
const SEGWIT: [&str; 6] = [
    "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    "BC1SW50QGDZ25J",
    "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
];

#[test]
fn segwit_addresses_of_bip_350_are_accepted_in_lower_case() {
    for text in SEGWIT {
        assert_eq!(canonical(Chain::Bitcoin, text), Ok(text.to_lowercase()), "{text}");
    }
}

#[test]
fn segwit_addresses_that_bip_350_calls_invalid_are_refused() {
    let wrong_checksum = [
        // Bech32 instead of Bech32m, and the reverse.
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
        "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
        // Valid by BIP-173, before version 1 and up got a checksum of their own.
        "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx",
        "BC1SW50QA3JX3S",
    ];
    for text in wrong_checksum {
        assert_eq!(canonical(Chain::Bitcoin, text), Err(AddressError::Checksum), "{text}");
    }
    let wrong_form = [
        "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut",
        "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
        "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
        "bc1pw5dgrnzv",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
        "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
        // Mixed case.
        "bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    ];
    for text in wrong_form {
        assert_eq!(canonical(Chain::Bitcoin, text), Err(AddressError::Form), "{text}");
    }
    // Nothing between the prefix and the checksum, or, read another way, a checksum that is too short.
    assert!(canonical(Chain::Bitcoin, "bc1gmk9yu").is_err());
}

#[test]
fn addresses_of_test_networks_are_refused_as_such() {
    for text in [
        "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
        "bcrt1qs758ursh4q9z627kt3pp5yysm78ddny6txaqgw",
        "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
        "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc",
    ] {
        assert_eq!(canonical(Chain::Bitcoin, text), Err(AddressError::TestNetwork), "{text}");
    }
}

#[test]
fn old_forms_of_bitcoin_are_accepted_and_their_typing_errors_found() {
    for text in ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "17VZNX1SN5NtKa8UQFxwQbFeFc3iqRYhem", "3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX"] {
        assert_eq!(canonical(Chain::Bitcoin, text), Ok(text.to_owned()));
    }
    assert_eq!(canonical(Chain::Bitcoin, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"), Err(AddressError::Checksum));
    assert_eq!(canonical(Chain::Bitcoin, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0"), Err(AddressError::Form));
    // The text of a private key is also Base58Check.
    assert_eq!(canonical(Chain::Bitcoin, "5Hwgr3u458GLafKBgxtssHSPqJnYoGrSzgQsPwLFhLNYskDPyyA"), Err(AddressError::Form));
}

/// The vectors of EIP-55: two of capitals only, two of small letters only, four of both.
const EIP_55: [&str; 8] = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

#[test]
fn ethereum_addresses_get_the_checksum_of_eip_55() {
    for text in EIP_55 {
        assert_eq!(canonical(Chain::Ethereum, text), Ok(text.to_owned()));
        assert_eq!(canonical(Chain::Ethereum, &text.to_lowercase()), Ok(text.to_owned()));
        let capitals = format!("0x{}", text[2..].to_uppercase());
        assert_eq!(canonical(Chain::Ethereum, &capitals), Ok(text.to_owned()));
    }
}

#[test]
fn a_letter_of_the_wrong_case_breaks_a_mixed_ethereum_address() {
    for text in &EIP_55[4..] {
        for at in (2..text.len()).filter(|at| text.as_bytes()[*at].is_ascii_alphabetic()) {
            let letter = &text[at..=at];
            let turned = if letter == letter.to_lowercase() { letter.to_uppercase() } else { letter.to_lowercase() };
            let wrong = format!("{}{turned}{}", &text[..at], &text[at + 1..]);
            assert_eq!(canonical(Chain::Ethereum, &wrong), Err(AddressError::Checksum), "{wrong}");
        }
    }
    for text in [
        "",
        "0x",
        "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
    ] {
        assert_eq!(canonical(Chain::Ethereum, text), Err(AddressError::Form), "{text}");
    }
}

#[test]
fn tron_addresses_are_base58check_with_their_own_version() {
    for text in ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8", "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"] {
        assert_eq!(canonical(Chain::Tron, text), Ok(text.to_owned()));
    }
    assert_eq!(canonical(Chain::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"), Err(AddressError::Checksum));
    assert_eq!(canonical(Chain::Tron, "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"), Err(AddressError::Form));
}

#[test]
fn an_address_of_one_chain_is_none_of_another() {
    let own = [
        (Chain::Bitcoin, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"),
        (Chain::Bitcoin, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"),
        (Chain::Ethereum, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
        (Chain::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    ];
    for (chain, text) in own {
        for other in Chain::ALL {
            assert_eq!(canonical(other, text).is_ok(), other == chain, "{text} on {}", other.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_check_panic_and_canonical_texts_stay(text in "\\PC*|[13T][1-9A-HJ-NP-Za-km-z]{20,60}|0x[0-9a-fA-F]{38,42}|(bc|BC)1[0-9a-z]{0,90}") {
        for chain in Chain::ALL {
            if let Ok(once) = canonical(chain, &text) {
                prop_assert_eq!(canonical(chain, &once), Ok(once));
            }
        }
    }

    /// Base58Check and Bech32 find every single wrong character.
    #[test]
    fn one_wrong_character_is_found(which in 0usize..4, at in 1usize..34, letter in "[0-9A-Za-z]") {
        let (chain, text) = [
            (Chain::Bitcoin, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"),
            (Chain::Bitcoin, "3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX"),
            (Chain::Bitcoin, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"),
            (Chain::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
        ][which];
        let wrong = format!("{}{letter}{}", &text[..at], &text[at + 1..]);
        prop_assume!(wrong != text);
        prop_assert!(canonical(chain, &wrong).is_err(), "{}", wrong);
    }
}

//! Deposit addresses against published vectors: the account of BIP-84, and the first accounts of two well-known mnemonics.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use chain::Chain;
use chain::derive::{AccountKey, KeyError};
use proptest::prelude::*;

/// BIP-84, m/84'/0'/0' of `abandon ... about`.
const BTC: &str = "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
/// The same key with the version of `xpub`.
const BTC_X: &str = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
/// m/44'/60'/0' of `test test ... junk`, which development nodes use.
const ETH: &str = "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP";
/// m/44'/60'/0' of `abandon ... about`.
const ETH_2: &str = "xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt";
/// m/44'/195'/0' of `abandon ... about`.
const TRX: &str = "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd";

fn addresses(chain: Chain, key: &str) -> [String; 3] {
    AccountKey::parse(chain, key).unwrap().first_three().unwrap().map(|address| address.to_string())
}

#[test]
fn bitcoin_addresses_are_those_of_bip_84() {
    for key in [BTC, BTC_X] {
        let [first, second, _] = addresses(Chain::Bitcoin, key);
        assert_eq!(first, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
        assert_eq!(second, "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
    }
}

#[test]
fn ethereum_addresses_are_those_of_the_known_mnemonics() {
    let known = [
        "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    ];
    assert_eq!(addresses(Chain::Ethereum, ETH), known);
    assert_eq!(addresses(Chain::Ethereum, ETH_2)[0], "0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
}

#[test]
fn tron_addresses_are_those_of_the_known_mnemonic() {
    let [first, second, _] = addresses(Chain::Tron, TRX);
    assert_eq!(first, "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH");
    assert_eq!(second, "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK");
}

#[test]
fn each_index_has_an_address_of_its_own_and_hardened_ones_have_none() {
    let key = AccountKey::parse(Chain::Tron, TRX).unwrap();
    let given: std::collections::BTreeSet<_> = (0..50).map(|index| key.address(index).unwrap()).collect();
    assert_eq!(given.len(), 50);
    assert!(key.address((1 << 31) - 1).is_ok());
    assert_eq!(key.address(1 << 31), Err(KeyError::Index));
}

/// Keys that must not be taken, with the reason. All of them belong to the mnemonic `abandon ... about` or to BIP-32.
const REFUSED: &[(Chain, &str, KeyError)] = &[
    // m/84'/0'/0', the private half.
    (
        Chain::Bitcoin,
        "xprv9ybY78BftS5UGANki6oSifuQEjkpyAC8ZmBvBNTshQnCBcxnefjHS7buPMkkqhcRzmoGZ5bokx7GuyDAiktd5HemohAU4wV1ZPMDRmLpBMm",
        KeyError::PrivateKey,
    ),
    // A private key under the version of a public one (BIP-32, vector 5).
    (
        Chain::Ethereum,
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm",
        KeyError::PrivateKey,
    ),
    // A wrong first byte of the point (BIP-32, vector 5).
    (
        Chain::Ethereum,
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4",
        KeyError::Point,
    ),
    // No depth, but a parent (BIP-32, vector 5).
    (
        Chain::Ethereum,
        "xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ",
        KeyError::Form,
    ),
    // m/49'/0'/0': another kind of address.
    (
        Chain::Bitcoin,
        "ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP",
        KeyError::Version,
    ),
    (Chain::Ethereum, BTC, KeyError::Version),
    (Chain::Tron, BTC, KeyError::Version),
    // m/84'/1'/0' with the version of the test network.
    (
        Chain::Bitcoin,
        "vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc",
        KeyError::TestNetwork,
    ),
    // m/44'/60', m/44'/60'/0'/0 and m/44'/60'/0.
    (
        Chain::Ethereum,
        "xpub6AmukNpN4yyPLhoxodeZnq8jGbGmwqLveeym8dLD4p8RVCpNjLfkcLvgWH9kQjSgLwFQBQDHn7297uNnCC8QHHZiCZV3DnDAxPi4GrczKnr",
        KeyError::Depth,
    ),
    (
        Chain::Ethereum,
        "xpub6EF8jXqFeFEW5bwMU7RpQtHkzE4KJxcqJtvkCjJumzW8CPpacXkb92ek4WzLQXjL93HycJwTPUAcuNxCqFPKKU5m5Z2Vq4nCyh5CyPeBFFr",
        KeyError::Depth,
    ),
    (
        Chain::Ethereum,
        "xpub6DCoCpSm4te4Yp3Rj3cnLMQ32iSJVV9Rgody8eCd1sHoxbgKFfSch8RsSvYtz4PLNiEmB3wC2kyo98MPM99AGYHVZ5wnsJ6mQWqkYyDRGck",
        KeyError::Depth,
    ),
    (Chain::Bitcoin, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", KeyError::Form),
    (Chain::Bitcoin, "", KeyError::Form),
];

#[test]
fn other_keys_are_refused_with_their_reason() {
    for (chain, text, reason) in REFUSED {
        assert_eq!(AccountKey::parse(*chain, text).err(), Some(*reason), "{text}");
    }
}

#[test]
fn a_typing_error_in_a_key_is_found_and_no_reason_repeats_the_key() {
    for at in [5, 40, 110] {
        let letter = if &BTC[at..=at] == "4" { "5" } else { "4" };
        let wrong = format!("{}{letter}{}", &BTC[..at], &BTC[at + 1..]);
        let error = AccountKey::parse(Chain::Bitcoin, &wrong).unwrap_err();
        assert_eq!(error, KeyError::Checksum);
        assert!(!error.to_string().contains("zpub"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*|[xz]p(ub|rv)[1-9A-HJ-NP-Za-km-z]{100,110}") {
        for chain in Chain::ALL {
            prop_assert!(AccountKey::parse(chain, &text).is_err());
        }
    }
}

//! The format of addresses (W-1): which texts are addresses of a chain, and the one canonical text of each.

use bech32::primitives::decode::SegwitHrpstringError;
use bech32::{Hrp, segwit};

use crate::Chain;
use crate::encoding::{Base58Error, LONGEST, from_base58check, from_hex, keccak256, to_base58check, to_hex};

/// First byte of a Bitcoin address that pays to the hash of a key.
const PAY_TO_KEY_HASH: u8 = 0x00;
/// First byte of a Bitcoin address that pays to the hash of a script.
const PAY_TO_SCRIPT_HASH: u8 = 0x05;
/// First bytes of the same on Bitcoin's test networks.
const BITCOIN_TEST: [u8; 2] = [0x6f, 0xc4];
/// First byte of a Tron address.
const TRON: u8 = 0x41;

/// Why a text is not an address of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It does not look like an address at all: wrong length, characters, version or kind.
    #[error("not an address of this chain")]
    Form,
    /// It looks like an address, but its checksum is wrong: most likely a typing error.
    #[error("the checksum of the address is wrong")]
    Checksum,
    /// It belongs to a test network, where coins are worth nothing.
    #[error("an address of a test network")]
    TestNetwork,
}

/// An address with a checked format, in canonical text: Bech32 in lower case, Ethereum with the checksum of EIP-55.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    chain: Chain,
    text: String,
}

impl Address {
    /// Checks a text. Two texts of the same address give the same value.
    pub fn parse(chain: Chain, text: &str) -> Result<Address, AddressError> {
        if text.len() > LONGEST || !text.is_ascii() {
            return Err(AddressError::Form);
        }
        let text = match chain {
            Chain::Bitcoin => bitcoin(text)?,
            Chain::Ethereum => ethereum(text)?,
            Chain::Tron => tron(text)?,
        };
        Ok(Address { chain, text })
    }

    /// The chain it belongs to.
    pub fn chain(&self) -> Chain {
        self.chain
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The owned text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The BIP-84 address that pays to the hash of a key: witness version 0.
    pub(crate) fn of_key_hash(hash: [u8; 20]) -> Option<Address> {
        let text = segwit::encode_v0(Hrp::parse("bc").ok()?, &hash).ok()?;
        Some(Address { chain: Chain::Bitcoin, text })
    }

    /// The address of an Ethereum account.
    pub(crate) fn of_ethereum(account: [u8; 20]) -> Address {
        Address { chain: Chain::Ethereum, text: eip55(&to_hex(&account)) }
    }

    /// The address of a Tron account.
    pub(crate) fn of_tron(account: [u8; 20]) -> Address {
        Address { chain: Chain::Tron, text: to_base58check([&[TRON][..], &account[..]].concat()) }
    }

    /// The account behind an address of Ethereum or Tron: the last 20 bytes of the hash of its key.
    pub(crate) fn account(&self) -> Option<[u8; 20]> {
        match self.chain {
            Chain::Bitcoin => None,
            Chain::Ethereum => from_hex(self.text.strip_prefix("0x")?),
            Chain::Tron => from_base58check(&self.text).ok()?.get(1..)?.try_into().ok(),
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.text)
    }
}

fn bitcoin(text: &str) -> Result<String, AddressError> {
    let low = text.to_ascii_lowercase();
    if ["tb1", "bcrt1"].iter().any(|prefix| low.starts_with(prefix)) {
        return Err(AddressError::TestNetwork);
    }
    if low.starts_with("bc1") {
        return match segwit::decode(text) {
            Ok(_) => Ok(low),
            Err(error) if matches!(error.0, SegwitHrpstringError::Checksum(_)) => Err(AddressError::Checksum),
            Err(_) => Err(AddressError::Form),
        };
    }
    match *base58(text)?.as_slice() {
        [PAY_TO_KEY_HASH | PAY_TO_SCRIPT_HASH, ref hash @ ..] if hash.len() == 20 => Ok(text.to_owned()),
        [version, ref hash @ ..] if hash.len() == 20 && BITCOIN_TEST.contains(&version) => Err(AddressError::TestNetwork),
        _ => Err(AddressError::Form),
    }
}

fn ethereum(text: &str) -> Result<String, AddressError> {
    let digits = text.strip_prefix("0x").ok_or(AddressError::Form)?;
    from_hex::<20>(digits).ok_or(AddressError::Form)?;
    let checked = eip55(&digits.to_ascii_lowercase());
    // A text in one case has no checksum; a text in mixed case must have the right one.
    let mixed = digits.contains(|letter: char| letter.is_ascii_lowercase()) && digits.contains(|letter: char| letter.is_ascii_uppercase());
    if mixed && checked != text { Err(AddressError::Checksum) } else { Ok(checked) }
}

fn tron(text: &str) -> Result<String, AddressError> {
    match *base58(text)?.as_slice() {
        [TRON, ref account @ ..] if account.len() == 20 => Ok(text.to_owned()),
        _ => Err(AddressError::Form),
    }
}

fn base58(text: &str) -> Result<Vec<u8>, AddressError> {
    from_base58check(text).map_err(|error| match error {
        Base58Error::Form => AddressError::Form,
        Base58Error::Checksum => AddressError::Checksum,
    })
}

/// The text of EIP-55: a letter is a capital where the hash of the lower-case digits has a high half-byte.
fn eip55(digits: &str) -> String {
    let hash = to_hex(&keccak256(digits.as_bytes()));
    let cased = digits.chars().zip(hash.chars()).map(|(digit, half)| if half >= '8' { digit.to_ascii_uppercase() } else { digit });
    format!("0x{}", cased.collect::<String>())
}

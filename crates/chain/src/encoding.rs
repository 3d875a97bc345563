//! Hashes and text encodings that the chains share.

use ripemd::Ripemd160;
use sha2::Sha256;
use sha3::{Digest, Keccak256};

/// The longest text that is decoded: an extended key has 111 characters, and decoding Base58 takes quadratic time.
pub const LONGEST: usize = 128;

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// RIPEMD-160 of SHA-256: what Bitcoin calls the hash of a key.
pub fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(sha256(bytes)).into()
}

/// Keccak-256, the hash of Ethereum and Tron.
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

/// Why a Base58Check text cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base58Error {
    /// A character outside the alphabet, or a length that none of our texts has.
    Form,
    /// The last four bytes are not the checksum of those before.
    Checksum,
}

/// The bytes of a Base58Check text, without the checksum.
pub fn from_base58check(text: &str) -> Result<Vec<u8>, Base58Error> {
    if text.len() > LONGEST {
        return Err(Base58Error::Form);
    }
    let mut bytes = bs58::decode(text).into_vec().map_err(|_| Base58Error::Form)?;
    let Some(length) = bytes.len().checked_sub(4) else { return Err(Base58Error::Form) };
    let checksum = bytes.split_off(length);
    if checksum == sha256(&sha256(&bytes))[..4] { Ok(bytes) } else { Err(Base58Error::Checksum) }
}

/// The Base58Check text of bytes.
pub fn to_base58check(mut bytes: Vec<u8>) -> String {
    let checksum = sha256(&sha256(&bytes));
    bytes.extend_from_slice(&checksum[..4]);
    bs58::encode(bytes).into_string()
}

/// Lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// Whether a text is the hash of a block or a transaction in the form used in keys: 64 digits in lower case.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Exactly `N` bytes from hexadecimal digits of any case.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(bytes)
}

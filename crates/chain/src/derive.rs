//! Deposit addresses from an extended **public** key (BIP-32): the account key of BIP-84 for Bitcoin, of BIP-44 for Ethereum and Tron.
//! There is never a private key here, so access to this machine does not allow anyone to spend what is sent to the addresses.

use hmac::{Hmac, KeyInit, Mac};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{ProjectivePoint, PublicKey, Scalar};
use sha2::Sha512;

use crate::Chain;
use crate::address::Address;
use crate::encoding::{Base58Error, from_base58check, hash160, keccak256};

/// The first child that can only be derived from a private key.
const HARDENED: u32 = 1 << 31;
/// An account key lies three steps below the seed: purpose, coin, account.
const ACCOUNT_DEPTH: u8 = 3;
/// The branch of addresses that are handed out to payers.
const EXTERNAL: u32 = 0;

const XPUB: u32 = 0x0488_b21e;
const ZPUB: u32 = 0x04b2_4746;
/// xprv, yprv, zprv, Yprv, Zprv, and the same of the test networks.
const PRIVATE: [u32; 10] =
    [0x0488_ade4, 0x049d_7878, 0x04b2_430c, 0x0295_b005, 0x02aa_7a99, 0x0435_8394, 0x044a_4e28, 0x045f_18bc, 0x0242_85b5, 0x0257_5048];
/// tpub, upub, vpub, Upub, Vpub.
const TEST_NETWORK: [u32; 5] = [0x0435_87cf, 0x044a_5262, 0x045f_1cf6, 0x0242_89ef, 0x0257_5483];

/// Why a text is not an account key. None of the texts repeats the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not an extended key at all.
    #[error("not an extended public key")]
    Form,
    /// The checksum is wrong: most likely a typing error.
    #[error("the checksum of the key is wrong")]
    Checksum,
    /// A private key. It must never be entered anywhere but in the wallet.
    #[error("this is a PRIVATE key: treat its coins as in danger and move them")]
    PrivateKey,
    /// A key of a test network.
    #[error("a key of a test network")]
    TestNetwork,
    /// A key for another kind of address, such as `ypub`, or a `zpub` for a chain that is not Bitcoin.
    #[error("a key for another kind of address")]
    Version,
    /// Not an account key: it must be three steps deep, with a hardened last step.
    #[error("not the key of an account (three steps deep, such as m/84'/0'/0')")]
    Depth,
    /// The point is not on the curve.
    #[error("not a point of the curve")]
    Point,
    /// The index is hardened, or one of the very few that BIP-32 excludes; the next one works.
    #[error("no address has this index")]
    Index,
}

/// The public key of an account of a wallet. Two operators set one for each chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountKey {
    chain: Chain,
    external: ExtendedKey,
}

impl AccountKey {
    /// Parses an `xpub`, or for Bitcoin also a `zpub`.
    pub fn parse(chain: Chain, text: &str) -> Result<AccountKey, KeyError> {
        let (version, key) = ExtendedKey::parse(text)?;
        match version {
            XPUB => {}
            ZPUB if chain == Chain::Bitcoin => {}
            version if TEST_NETWORK.contains(&version) => return Err(KeyError::TestNetwork),
            _ => return Err(KeyError::Version),
        }
        if key.depth != ACCOUNT_DEPTH || key.number < HARDENED {
            return Err(KeyError::Depth);
        }
        Ok(AccountKey { chain, external: key.child(EXTERNAL)? })
    }

    /// The deposit address with this number: the child `0/index` of the account (D-1: the caller uses each number once).
    pub fn address(&self, index: u32) -> Result<Address, KeyError> {
        let key = self.external.child(index)?;
        match self.chain {
            Chain::Bitcoin => Address::of_key_hash(hash160(&key.compressed())).ok_or(KeyError::Point),
            Chain::Ethereum => Ok(Address::of_ethereum(key.account()?)),
            Chain::Tron => Ok(Address::of_tron(key.account()?)),
        }
    }

    /// The first three addresses, to be compared with those that the wallet shows.
    pub fn first_three(&self) -> Result<[Address; 3], KeyError> {
        Ok([self.address(0)?, self.address(1)?, self.address(2)?])
    }
}

/// A node of the tree of BIP-32, without its private half.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ExtendedKey {
    depth: u8,
    /// The first bytes of the parent's hash.
    parent: [u8; 4],
    /// Which child of its parent it is.
    number: u32,
    chain_code: [u8; 32],
    point: PublicKey,
}

impl ExtendedKey {
    /// The version of the text, and the key.
    fn parse(text: &str) -> Result<(u32, ExtendedKey), KeyError> {
        let bytes = from_base58check(text.trim()).map_err(|error| match error {
            Base58Error::Form => KeyError::Form,
            Base58Error::Checksum => KeyError::Checksum,
        })?;
        let bytes: [u8; 78] = bytes.try_into().map_err(|_| KeyError::Form)?;
        let part = |from: usize| [bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]];
        let version = u32::from_be_bytes(part(0));
        // A private key under a public version is still a private key: its first byte is 0, while that of a point is 2 or 3.
        if PRIVATE.contains(&version) || bytes[45] == 0 {
            return Err(KeyError::PrivateKey);
        }
        let (depth, parent, number) = (bytes[4], part(5), u32::from_be_bytes(part(9)));
        if depth == 0 && (parent != [0; 4] || number != 0) {
            return Err(KeyError::Form);
        }
        let chain_code = std::array::from_fn(|index| bytes[13 + index]);
        let point = PublicKey::from_sec1_bytes(&bytes[45..]).map_err(|_| KeyError::Point)?;
        Ok((version, ExtendedKey { depth, parent, number, chain_code, point }))
    }

    /// Public derivation: the child's point is the parent's plus a number that both the wallet and we can compute.
    fn child(&self, number: u32) -> Result<ExtendedKey, KeyError> {
        if number >= HARDENED {
            return Err(KeyError::Index);
        }
        let own = self.compressed();
        let mut mac = Hmac::<Sha512>::new_from_slice(&self.chain_code).map_err(|_| KeyError::Form)?;
        mac.update(&own);
        mac.update(&number.to_be_bytes());
        let hash: [u8; 64] = mac.finalize().into_bytes().into();
        let tweak: [u8; 32] = std::array::from_fn(|index| hash[index]);
        let tweak = Option::<Scalar>::from(Scalar::from_repr(tweak.into())).ok_or(KeyError::Index)?;
        let point = ProjectivePoint::GENERATOR * tweak + self.point.to_projective();
        let hashed = hash160(&own);
        Ok(ExtendedKey {
            depth: self.depth.checked_add(1).ok_or(KeyError::Depth)?,
            parent: std::array::from_fn(|index| hashed[index]),
            number,
            chain_code: std::array::from_fn(|index| hash[32 + index]),
            point: PublicKey::from_affine(point.to_affine()).map_err(|_| KeyError::Index)?,
        })
    }

    /// The point in 33 bytes.
    fn compressed(&self) -> Vec<u8> {
        self.point.to_sec1_point(true).as_bytes().to_vec()
    }

    /// The account of Ethereum and Tron: the last 20 bytes of the hash of both coordinates.
    fn account(&self) -> Result<[u8; 20], KeyError> {
        let point = self.point.to_sec1_point(false);
        let coordinates = point.as_bytes().get(1..).ok_or(KeyError::Point)?;
        let hash = keccak256(coordinates);
        Ok(std::array::from_fn(|index| hash[12 + index]))
    }
}

#[cfg(test)]
mod tests;

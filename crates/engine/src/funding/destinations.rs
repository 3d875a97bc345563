//! Stored withdrawal addresses (W-1, W-9) and bank cards (12). The engine knows digests, ages and owners; the texts are outside the log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::catalog::funding::{Chain, FundingTerms};
use crate::ids::{AddressId, AssetId, CardId, Digest, UserId};
use crate::reject::Reject;
use crate::security::HOLD_MS;
use crate::time::Time;

/// A stored withdrawal address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct Address {
    pub id: AddressId,
    pub user: UserId,
    pub asset: AssetId,
    pub chain: Chain,
    /// SHA-256 of the canonical text of the destination.
    pub destination: Digest,
    /// When it was stored.
    pub created: Time,
}

/// A stored bank card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Number of the card in this log, not the one printed on it.
    pub id: CardId,
    /// Owner.
    pub user: UserId,
    /// Keyed digest of the printed number (K-3: once per member).
    pub number: Digest,
    /// Keyed digest of all fields: what an approver of a payout sees.
    pub destination: Digest,
    /// When it was stored.
    pub created: Time,
}

/// A new destination may be used from here on (W-1, K-3).
pub fn usable_at(created: Time) -> Time {
    created.plus(HOLD_MS)
}

/// All stored destinations, by owner and number.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Destinations {
    addresses: BTreeMap<(UserId, AddressId), Address>,
    cards: BTreeMap<(UserId, CardId), Card>,
}

impl Destinations {
    pub(crate) fn addresses_of(&self, user: UserId) -> impl Iterator<Item = &Address> {
        self.addresses.range((user, AddressId(0))..=(user, AddressId(u64::MAX))).map(|(_, address)| address)
    }

    pub(crate) fn cards_of(&self, user: UserId) -> impl Iterator<Item = &Card> {
        self.cards.range((user, CardId(0))..=(user, CardId(u64::MAX))).map(|(_, card)| card)
    }

    pub(crate) fn address(&self, user: UserId, id: AddressId) -> Option<&Address> {
        self.addresses.get(&(user, id))
    }

    pub(crate) fn card(&self, user: UserId, id: CardId) -> Option<&Card> {
        self.cards.get(&(user, id))
    }

    /// The last guards of W-1, then the address is stored.
    pub(crate) fn add_address(&mut self, terms: &FundingTerms, address: Address) -> Result<(), Reject> {
        let same = |other: &Address| (other.asset, other.chain, other.destination) == (address.asset, address.chain, address.destination);
        if self.addresses_of(address.user).any(same) {
            return Err(Reject::AddressDuplicate);
        }
        let max = terms.limits.addresses;
        if self.addresses_of(address.user).zip(0..max).count() >= usize::try_from(max).unwrap_or(usize::MAX) {
            return Err(Reject::AddressMax { max });
        }
        self.addresses.insert((address.user, address.id), address);
        Ok(())
    }

    /// K-3: at most five, each number once.
    pub(crate) fn add_card(&mut self, terms: &FundingTerms, card: Card) -> Result<(), Reject> {
        let max = terms.limits.cards;
        if self.cards_of(card.user).zip(0..max).count() >= usize::try_from(max).unwrap_or(usize::MAX) {
            return Err(Reject::CardMax { max });
        }
        if self.cards_of(card.user).any(|other| other.number == card.number) {
            return Err(Reject::CardDuplicate);
        }
        self.cards.insert((card.user, card.id), card);
        Ok(())
    }

    pub(crate) fn remove_address(&mut self, user: UserId, id: AddressId) -> Result<(), Reject> {
        self.addresses.remove(&(user, id)).map(drop).ok_or(Reject::NotFound)
    }

    pub(crate) fn remove_card(&mut self, user: UserId, id: CardId) -> Result<(), Reject> {
        self.cards.remove(&(user, id)).map(drop).ok_or(Reject::NotFound)
    }
}

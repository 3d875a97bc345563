//! Token transfers as Ethereum and Tron encode them: the event `Transfer(address,address,uint256)`, the same in ERC-20 and TRC-20.

use super::amount::atoms;
use super::{AddressBook, Observation, Settings, Token, Unfit, WatchError};
use crate::Chain;
use crate::address::Address;
use crate::encoding::from_hex;

/// Keccak-256 of the event's signature, which marks it in the list of topics.
pub const TRANSFER: &str = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// The contracts that count.
#[derive(Debug)]
pub struct Contracts(Vec<([u8; 20], Token)>);

/// The position of a transfer.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub chain: Chain,
    pub tx: &'a str,
    pub height: u64,
    pub block: &'a str,
}

/// What was found for us: deposits, and transfers whose amount we cannot represent.
#[derive(Debug, Default)]
pub struct Found {
    pub observed: Vec<Observation>,
    pub unfit: Vec<Unfit>,
}

impl Contracts {
    pub fn new(settings: &Settings) -> Result<Contracts, WatchError> {
        let read = |token: &Token| {
            let address = Address::parse(settings.chain, &token.contract).ok();
            let account = address.as_ref().and_then(Address::account);
            let (Some(address), Some(account)) = (address, account) else {
                return Err(WatchError::Settings(format!("{}: the contract is not an address of this chain", token.coin)));
            };
            Ok((account, Token { contract: address.into_text(), ..token.clone() }))
        };
        settings.tokens.iter().map(read).collect::<Result<_, _>>().map(Contracts)
    }

    /// The addresses of all.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, token)| token.contract.as_str())
    }

    fn token(&self, account: &[u8; 20]) -> Option<&Token> {
        self.0.iter().find(|(contract, _)| contract == account).map(|(_, token)| token)
    }

    /// What an event of a transaction transfers: one of our tokens, to this account, in the chain's unit, or the text of an amount that is
    /// too long. All texts are hexadecimal digits without `0x`.
    fn transfer<'e>(&self, event: Event<'e>) -> Option<(&Token, [u8; 20], Result<u128, &'e str>)> {
        let token = self.token(&from_hex(event.contract)?)?;
        let [kind, _, to] = event.topics else { return None };
        if !kind.eq_ignore_ascii_case(TRANSFER) {
            return None;
        }
        // An address fills the last 20 bytes of its word.
        let account = from_hex::<32>(to).map(|word| std::array::from_fn(|index| word[12 + index]))?;
        let raw = from_hex::<32>(event.data).and_then(|word| word.starts_with(&[0; 16]).then(|| word.split_at(16).1.try_into().ok())?);
        Some((token, account, raw.map(u128::from_be_bytes).ok_or(event.data)))
    }

    /// Takes one event of a transaction, if it transfers one of our tokens to one of our addresses. `output` is 1 plus the position of the
    /// event in its transaction.
    pub fn take(&self, event: Event<'_>, place: Place<'_>, output: u32, book: &AddressBook, found: &mut Found) {
        let Some((token, account, raw)) = self.transfer(event) else { return };
        let Some(address) = book.of_account(&account) else { return };
        found.add(place, output, address, Some(token), raw);
    }

    /// The transfer of one of our tokens with this number within its transaction, from 0, to any recipient.
    pub fn nth<'e>(&self, events: impl Iterator<Item = Event<'e>>, number: u64, place: Place<'_>) -> Option<Observation> {
        let mut transfers = events.zip(1..).filter_map(|(event, output)| Some((self.transfer(event)?, output)));
        let ((token, account, raw), output) = transfers.nth(usize::try_from(number).ok()?)?;
        Found::only(place, output, account, Some(token), raw)
    }
}

/// An event of a contract.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    pub contract: &'a str,
    pub topics: &'a [&'a str],
    pub data: &'a str,
}

impl Found {
    pub fn is_empty(&self) -> bool {
        self.observed.is_empty() && self.unfit.is_empty()
    }

    /// What arrived at an account, whoever owns it; `None` when we cannot represent the amount.
    pub fn only(place: Place<'_>, output: u32, account: [u8; 20], token: Option<&Token>, raw: Result<u128, &str>) -> Option<Observation> {
        let address = if place.chain == Chain::Tron { Address::of_tron(account) } else { Address::of_ethereum(account) };
        let mut found = Found::default();
        found.add(place, output, address.as_str(), token, raw);
        found.observed.pop()
    }

    /// Adds what arrived at an address: a token, or ether without one. `raw` is the amount, or the text of one that is too long.
    pub fn add(&mut self, place: Place<'_>, output: u32, address: &str, token: Option<&Token>, raw: Result<u128, &str>) {
        let (coin, chain_decimals, decimals) =
            token.map_or(("ETH", 18, 8), |token| (token.coin.as_str(), token.chain_decimals, token.decimals));
        let fits = raw.ok().and_then(|raw| atoms(raw, chain_decimals, decimals));
        // A transfer of less than an atom counts as nothing; such transfers are sent in masses as advertising.
        if fits.is_some_and(|(amount, _)| amount == 0) {
            return;
        }
        let (amount, rest) = fits.unwrap_or_default();
        let observation = Observation {
            chain: place.chain,
            tx: place.tx.to_owned(),
            output,
            address: address.to_owned(),
            coin: coin.to_owned(),
            contract: token.map(|token| token.contract.clone()),
            amount,
            rest,
            confirmations: 0,
            height: place.height,
            block: place.block.to_owned(),
        };
        if fits.is_some() {
            self.observed.push(observation);
        } else {
            let raw = raw.map_or_else(str::to_owned, |raw| raw.to_string());
            self.unfit.push(Unfit { key: observation.key(), address: observation.address, raw });
        }
    }
}

//! What each part of an entry says without the other: the public part to everyone, the sealed part to those who were given it.

use super::{
    ACTIVATE, BUY_OPTION, CANCEL_CONTRACT, CLOCK, CLOSE_CONTRACT, CodecError, DECLARE_OPERATOR, Encoded, GENESIS, OPEN_CONTRACT,
    OPERATE_HOUSE, PUBLISH_QUOTES, RECORD_LIABILITIES, RECORD_STATE, SANDBOX_FEED, SANDBOX_PRICE, SET_CONTRACT_STOPS, decode, encode,
    is_known, name_of, read,
};
use crate::backoffice::acts::Operate;
use crate::command::{Command, Request};
use crate::contracts::position::OpenContract;
use crate::ids::{Digest, Seq, UserId};
use crate::liabilities::{CoinRoot, RecordLiabilities};
use crate::operators::Declared;
use crate::operators::approval::Reviewer;
use crate::options::option::BuyOption;
use crate::time::Time;

/// The command of an entry with a sealed private part, as far as anyone can read it: with user 0 in place of its user. `None` for kinds
/// whose public part does not say what they do.
///
/// # Errors
/// As [`decode`].
pub fn decode_public(kind: u16, version: u8, public: &[u8]) -> Result<Option<Command>, CodecError> {
    let nobody = UserId(0);
    let command = match kind {
        GENESIS | CLOCK | PUBLISH_QUOTES | ACTIVATE | RECORD_STATE => {
            let encoded = Encoded { kind, version, public: public.to_vec(), private: Vec::new() };
            return decode(Seq(0), Time(0), &encoded).map(|entry| Some(entry.command));
        }
        _ if !is_known(kind, version) => return Err(CodecError::UnknownKind { kind, version }),
        RECORD_LIABILITIES => {
            let (seq, time, coins) = read(public)?;
            Command::RecordLiabilities(Box::new(RecordLiabilities { seq, time, coins, seed: Digest([0; 32]) }))
        }
        SANDBOX_PRICE => {
            let (market, price) = read(public)?;
            Command::SandboxPrice { market, price }
        }
        SANDBOX_FEED => {
            let (market, halt) = read(public)?;
            Command::SandboxFeed { market, halt }
        }
        BUY_OPTION => {
            let (market, direction, asset, seconds, stake, rule) = read(public)?;
            Command::BuyOption(BuyOption { user: nobody, market, direction, asset, seconds, stake, rule })
        }
        OPEN_CONTRACT => {
            let (market, direction, lots, multiple, limit, take_profit, stop_loss) = read(public)?;
            Command::OpenContract(OpenContract { user: nobody, market, direction, lots, multiple, limit, take_profit, stop_loss })
        }
        CLOSE_CONTRACT => Command::CloseContract { user: nobody, position: read(public)? },
        SET_CONTRACT_STOPS => {
            let (position, take_profit, stop_loss) = read(public)?;
            Command::SetContractStops { user: nobody, position, take_profit, stop_loss }
        }
        CANCEL_CONTRACT => Command::CancelContract { user: nobody, position: read(public)? },
        OPERATE_HOUSE => {
            let (operator, act) = read(public)?;
            Command::Operate(Box::new(Operate { by: Reviewer { operator, member: None }, act }))
        }
        DECLARE_OPERATOR => {
            let (operator, name, roles, active, cause) = read(public)?;
            Command::DeclareOperator(Declared { operator, name, roles, active, member: None, cause })
        }
        kind if name_of(kind).is_some() => return Ok(None),
        kind => return Err(CodecError::UnknownKind { kind, version }),
    };
    // Accept only the form that encoding produces, without trailing bytes.
    if encode(None, &command).public == public { Ok(Some(command)) } else { Err(CodecError::Damaged) }
}

/// Entry and hash of the state that an entry of kind [`RECORD_STATE`] records, from its public bytes.
pub fn recorded_state(public: &[u8]) -> Option<(u64, [u8; 32])> {
    let (Seq(seq), _form, Digest(hash)): (Seq, u16, Digest) = read(public).ok()?;
    Some((seq, hash))
}

/// The entry of the cut whose roots an entry of kind [`RECORD_LIABILITIES`] records, from its public bytes.
pub fn recorded_cut(public: &[u8]) -> Option<u64> {
    let (Seq(seq), _time, _coins): (Seq, Time, Vec<CoinRoot>) = read(public).ok()?;
    Some(seq)
}

/// The member of an entry, from its sealed part: of an option, a contract or its stops.
pub fn buyer(private: &[u8]) -> Option<UserId> {
    let (_, user): (Option<Request>, UserId) = read(private).ok()?;
    Some(user)
}

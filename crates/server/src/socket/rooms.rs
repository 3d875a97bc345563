//! Rooms: one channel of one pair; for candles also a period and a series.

use engine::candles::Series;
use engine::catalog::{Catalog, Market};
use engine::ids::MarketId;
use serde_json::Value as Json;

use crate::api::market::chart::period;
use crate::api::market::quotes::shown_series;
use crate::http::code::Code;
use crate::http::units::by_symbol;

/// The content of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Channel {
    Candles,
    Day,
    Depth,
    Trades,
    Book,
    Index,
    Status,
}

impl Channel {
    const ALL: [(Channel, &'static str); 7] = [
        (Channel::Candles, "kline"),
        (Channel::Day, "daymarket"),
        (Channel::Depth, "market_depth"),
        (Channel::Trades, "match_trade"),
        (Channel::Book, "book"),
        (Channel::Index, "index"),
        (Channel::Status, "market_status"),
    ];

    /// The wire name, which is also the name of its events.
    pub(super) fn word(self) -> &'static str {
        Channel::ALL.iter().find(|(channel, _)| *channel == self).map_or("", |(_, word)| word)
    }
}

/// A room. The default room of a pair and channel is separate from the one on request: it is updated less often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Room {
    pub(super) channel: Channel,
    pub(super) market: MarketId,
    /// Only for candles.
    pub(super) candles: Option<(&'static str, Series)>,
    pub(super) default: bool,
}

/// Name of the room for clients that requested none.
pub(super) const DEFAULT: &str = "default";

impl Room {
    /// The room that a client requests; a refusal if there is none.
    pub(super) fn parse(catalog: &Catalog, data: &Json) -> Result<Room, Code> {
        let word = data["channel"].as_str();
        let (channel, _) = Channel::ALL.into_iter().find(|(_, name)| Some(*name) == word).ok_or(Code::BadField)?;
        let market = by_symbol(catalog, data["symbol"].as_str()).map_err(|refusal| refusal.code)?;
        let indexed = catalog.index(market.id).is_some();
        if channel == Channel::Index && !indexed {
            return Err(Code::UnknownMarket);
        }
        let candles = if channel == Channel::Candles { Some(candles(catalog, market, data)?) } else { None };
        Ok(Room { channel, market: market.id, candles, default: false })
    }

    /// Its name for the library.
    pub(super) fn name(&self) -> String {
        if self.default {
            return DEFAULT.to_owned();
        }
        let (period, series) = self.candles.map_or(("", ""), |(period, series)| (period, series.word()));
        format!("{}|{}|{period}|{series}", self.channel.word(), self.market.0)
    }
}

fn candles(catalog: &Catalog, market: &Market, data: &Json) -> Result<(&'static str, Series), Code> {
    let (word, _) = match data["period"].as_str() {
        Some(word) => period(word).ok_or(Code::UnknownPeriod)?,
        None => period("1min").ok_or(Code::UnknownPeriod)?,
    };
    let series = match data["series"].as_str() {
        None => shown_series(catalog, market),
        Some("trade") => Series::Trade,
        Some("index") if catalog.index(market.id).is_some() => Series::Index,
        Some(_) => return Err(Code::BadField),
    };
    Ok((word, series))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_room_is_named_by_what_it_tells() {
        let catalog = Catalog::standard();
        let room = |data: Json| Room::parse(&catalog, &data).map(|room| room.name());
        assert_eq!(room(json!({"channel": "book", "symbol": "BTC/USDT"})), Ok("book|1||".to_owned()));
        assert_eq!(room(json!({"channel": "kline", "symbol": "ETH/BTC", "period": "1H"})), Ok("kline|6|60min|index".to_owned()));
        assert_eq!(room(json!({"channel": "kline", "symbol": "ETH/BTC", "period": "2min"})), Err(Code::UnknownPeriod));
        assert_eq!(room(json!({"channel": "book", "symbol": "DOGE/USDT"})), Err(Code::UnknownMarket));
        assert_eq!(room(json!({"channel": "money", "symbol": "BTC/USDT"})), Err(Code::BadField));
        assert_eq!(room(json!(7)), Err(Code::BadField));
    }
}

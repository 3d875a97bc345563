//! The candles of a local venue, in that venue's format.

/// One candle that it sends.
#[derive(Clone, Debug)]
pub(super) struct FakeCandle {
    /// Its length and start, seconds.
    pub at: (u64, u64),
    /// Open, high, low and close.
    pub prices: [String; 4],
    pub volume: String,
    /// It is sent whatever time range is requested.
    pub always: bool,
}

/// The answer to this path, which names at most one symbol.
pub(super) fn answer(name: &str, path: &str, all: &[FakeCandle]) -> String {
    let asked = Asked::read(name, path);
    let fits =
        |candle: &&FakeCandle| candle.at.0 == asked.length_s && (candle.always || (asked.from_s..=asked.to_s).contains(&candle.at.1));
    let mut kept: Vec<&FakeCandle> = all.iter().filter(fits).collect();
    kept.sort_by_key(|candle| candle.at.1);
    let most = if name == "kraken" { 720 } else { 300 };
    kept.drain(..kept.len().saturating_sub(most));
    if matches!(name, "coinbase" | "okx" | "bybit") {
        kept.reverse();
    }
    let rows = kept.into_iter().map(|candle| row(name, candle)).collect::<Vec<_>>().join(",");
    match name {
        "kraken" => format!(r#"{{"error":[],"result":{{"X":[{rows}],"last":1}}}}"#),
        "okx" => format!(r#"{{"code":"0","msg":"","data":[{rows}]}}"#),
        "bybit" => format!(r#"{{"retCode":0,"retMsg":"OK","result":{{"category":"spot","list":[{rows}]}},"time":1}}"#),
        _ => format!("[{rows}]"),
    }
}

/// What a path requests: a length, and starts from one second to another.
struct Asked {
    length_s: u64,
    from_s: u64,
    to_s: u64,
}

impl Asked {
    fn read(name: &str, path: &str) -> Asked {
        let query = path.split_once('?').map_or("", |(_, query)| query);
        let text = |key: &str| {
            query.split('&').find_map(|pair| pair.split_once('=').filter(|(name, _)| *name == key)).map_or("", |(_, text)| text)
        };
        let number = |key: &str| text(key).parse::<u64>().unwrap_or_default();
        let (length, from_s, to_s) = match name {
            "binance" => ("interval", number("startTime").div_ceil(1_000), number("endTime") / 1_000),
            "coinbase" => ("granularity", number("start"), number("end")),
            "kraken" => ("interval", number("since") + 1, u64::MAX),
            "okx" => ("bar", (number("before") + 1).div_ceil(1_000), number("after").saturating_sub(1) / 1_000),
            _ => ("interval", number("start").div_ceil(1_000), number("end") / 1_000),
        };
        let length_s = match (name, text(length)) {
            ("coinbase", seconds) => seconds.parse().unwrap_or_default(),
            (_, "1m" | "1") => 60,
            (_, "1h" | "1H" | "60") => 3_600,
            (_, "1d" | "1Dutc" | "1440" | "D") => 86_400,
            _ => 0,
        };
        Asked { length_s, from_s, to_s }
    }
}

fn row(name: &str, FakeCandle { at: (_, start), prices: [open, high, low, close], volume, .. }: &FakeCandle) -> String {
    match name {
        "binance" => {
            format!(r#"[{start}000,"{open}","{high}","{low}","{close}","{volume}",{start}999,"1198080.1",321,"6.1","590000.0","0"]"#)
        }
        "coinbase" => format!("[{start},{low},{high},{open},{close},{volume}]"),
        "kraken" => format!(r#"[{start},"{open}","{high}","{low}","{close}","{close}","{volume}",42]"#),
        "okx" => format!(r#"["{start}000","{open}","{high}","{low}","{close}","{volume}","1198080.1","1198080.1","0"]"#),
        _ => format!(r#"["{start}000","{open}","{high}","{low}","{close}","{volume}","1198080.1"]"#),
    }
}

//! Where venues are reached: at their own addresses, or at others that an operator configures.

use std::net::IpAddr;

use tokio_tungstenite::tungstenite::http::Uri;

use super::{VENUES, Venue};

/// Configured addresses of venues.
#[derive(Clone, Debug, Default)]
pub struct Addresses(Vec<(&'static str, Uri)>);

impl Addresses {
    /// Takes `NAME=ADDRESS`. Data without TLS can be changed in transit, so `ws://` is allowed only for this machine.
    ///
    /// # Errors
    /// What is wrong with it. The address is not repeated, because it may contain a secret.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let (name, address) = text.split_once('=').ok_or_else(|| "not of the form NAME=ADDRESS".to_owned())?;
        let known = || VENUES.each_ref().map(|venue| venue.name).join(", ");
        let venue = VENUES.iter().find(|venue| venue.name == name).ok_or_else(|| format!("{name} is none of {}", known()))?;
        let uri: Uri = address.parse().map_err(|_| format!("the address of {name} cannot be read"))?;
        let host = uri.host().ok_or_else(|| format!("the address of {name} has no host"))?;
        match uri.scheme_str() {
            Some("wss") => {}
            Some("ws") if is_here(host) => {}
            Some("ws") => return Err(format!("the address of {name} begins with ws and is on another machine")),
            _ => return Err(format!("the address of {name} does not begin with wss")),
        }
        self.0.retain(|(other, _)| *other != venue.name);
        self.0.push((venue.name, uri));
        Ok(())
    }

    /// Where this venue's candles are: at its own address, or at the configured one of its tickers.
    pub(super) fn candles_of(&self, venue: &Venue) -> String {
        let other = self.0.iter().find(|(name, _)| *name == venue.name).map(|(_, uri)| uri);
        other.map_or_else(
            || venue.candles.address.to_owned(),
            |uri| {
                let scheme = if uri.scheme_str() == Some("ws") { "http" } else { "https" };
                format!("{scheme}://{}", uri.authority().map_or("", |authority| authority.as_str()))
            },
        )
    }

    /// Where this venue is.
    pub(super) fn of(&self, venue: &Venue) -> Uri {
        let other = self.0.iter().find(|(name, _)| *name == venue.name).map(|(_, uri)| uri.clone());
        other.unwrap_or_else(|| Uri::from_static(venue.address))
    }
}

fn is_here(host: &str) -> bool {
    host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_tls_only_this_machine_is_asked() {
        for good in [
            "binance=wss://a.example/ws",
            "okx=ws://127.0.0.1:9",
            "okx=ws://127.9.9.9:9/x",
            "kraken=ws://[::1]:9",
            "bybit=ws://localhost:9/a",
        ] {
            assert_eq!(Addresses::default().add(good), Ok(()), "{good}");
        }
        let wrong = [
            "binance",
            "mtgox=wss://a.example",
            "okx=",
            "okx=http://127.0.0.1",
            "okx=https://a.example",
            "okx=/ws",
            "okx=a.example:80",
            "okx=ws://a.example",
            "okx=ws://10.0.0.1",
            "okx=ws://127.0.0.1.a.example",
            "okx=ws://localhost.a.example",
            "okx=ws://127.0.0.1@a.example",
        ];
        for wrong in wrong {
            assert!(Addresses::default().add(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn venues_are_sealed_unless_told_otherwise() {
        let mut addresses = Addresses::default();
        for venue in &VENUES {
            assert_eq!(addresses.of(venue).scheme_str(), Some("wss"), "{}", venue.name);
            assert!(addresses.candles_of(venue).starts_with("https://"), "{}", venue.name);
        }
        addresses.add("okx=wss://first.example").unwrap();
        addresses.add("okx=wss://second.example").unwrap();
        assert_eq!(addresses.of(&super::super::okx::VENUE).host(), Some("second.example"));
        assert_eq!(addresses.candles_of(&super::super::okx::VENUE), "https://second.example");
        addresses.add("okx=ws://127.0.0.1:9/ws").unwrap();
        assert_eq!(addresses.candles_of(&super::super::okx::VENUE), "http://127.0.0.1:9");
    }
}

//! Every setting, read once. Each option is also an environment variable `MERIDIAN_*`; all mistakes are reported together. An empty
//! variable counts as unset.

mod arguments;

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;

use engine::catalog::funding::Chain;
use engine::command::Mode;
use engine::time::MINUTE_MS;
use feed::market::Market;
use feed::venues::address::Addresses;
use journal::Address;
use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};

pub use arguments::{Cli, Command, OnMachine, OperatorArgs, OperatorCommand, OperatorPlace, PublicArgs, RescueArgs, ServeArgs, VerifyArgs};

/// The settings of a running server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Data directory.
    pub data: PathBuf,
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The same for the console, if it has an address of its own.
    pub console_listen: Option<SocketAddr>,
    /// How long one code of an operator's authenticator is good for approvals, ms.
    pub step_up_grace_ms: u64,
    /// PostgreSQL, if not SQLite.
    pub database: Option<String>,
    /// The lead is taken from a node that has it.
    pub take_over: bool,
    /// Mode of a new data directory.
    pub genesis: Mode,
    /// Where prices come from; absent: what the journal began with.
    pub market: Option<Market>,
    /// Where venues are reached.
    pub venues: Addresses,
    /// Where pictures lie, if not in the data directory.
    pub files: Option<String>,
    /// File of the keys that seal personal data.
    pub key_file: PathBuf,
    /// House orders of a sandbox; absent: on.
    pub house_liquidity: Option<bool>,
    /// Recorded index in place of the simulated sources of a sandbox.
    pub tape: Option<PathBuf>,
    /// Days of simulated past in the charts of a new sandbox.
    pub chart_days: u64,
    /// Worker threads of the HTTP side.
    pub workers: usize,
    /// Proxies whose forwarded address is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// `host[:port]` of pages that may call besides our own.
    pub origins: Vec<String>,
    /// Nodes that deposits are watched with, by chain.
    pub watched: Vec<(Chain, String)>,
    /// Mail server of live mode.
    pub smtp_url: Option<String>,
    /// Sender of mails.
    pub mail_from: String,
    /// SMS gateway of live mode.
    pub sms_url: Option<String>,
    /// Most codes by SMS an hour.
    pub sms_per_hour: u64,
    /// The same for one country.
    pub sms_per_country_hour: u64,
    /// Mail address shown for customer service.
    pub support_email: String,
    /// Common passwords of members are refused; absent: in live.
    pub password_blocklist: Option<bool>,
    /// Withdrawals ask for a second factor; absent: in live.
    pub withdrawal_code: Option<bool>,
    /// Entries between two snapshots.
    pub snapshot_every: u64,
    /// The clock is right, however far it is ahead of the log.
    pub accept_clock: bool,
    /// A live server may reach other machines without TLS.
    pub allow_plain: bool,
    /// JSON lines in place of text.
    pub json_log: bool,
}

impl Config {
    /// Chains that no node is configured for.
    pub fn unwatched(&self) -> Vec<Chain> {
        Chain::ALL.into_iter().filter(|chain| self.watched.iter().all(|(watched, _)| watched != chain)).collect()
    }

    /// The options whose address is on another machine and reached without TLS.
    pub fn plain_addresses(&self) -> Vec<&'static str> {
        let watched = self.watched.iter().map(|(chain, url)| {
            let option = match chain {
                Chain::Btc => "--chain-bitcoin",
                Chain::Erc20 => "--chain-ethereum",
                Chain::Trc20 => "--chain-tron",
            };
            (option, url.clone())
        });
        let gateways = [("--smtp-url", &self.smtp_url), ("--sms-url", &self.sms_url)];
        let gateways = gateways.into_iter().filter_map(|(option, url)| Some((option, url.clone()?)));
        let is_bucket = self.files.as_deref().is_some_and(|files| files.starts_with("s3://"));
        let endpoint = is_bucket.then(|| AmazonS3Builder::from_env().get_config_value(&AmazonS3ConfigKey::Endpoint)).flatten();
        let all = gateways.chain(watched).chain(endpoint.map(|url| ("--files", url)));
        let database = self.database.as_deref().and_then(|url| url.parse::<Address>().ok());
        let database = database.filter(Address::may_be_plain).map(|_| "--database");
        database.into_iter().chain(all.filter(|(_, url)| is_plain(url)).map(|(option, _)| option)).collect()
    }
}

/// True if this is the address of another machine, and what is sent there can be read on the way.
fn is_plain(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    let is_safe = match url.scheme() {
        "http" => false,
        // Without `required`, an attacker on the line who drops the offer of TLS would get the mail in plain text. The first of several
        // values counts, as when mail is sent.
        "smtp" => url.query_pairs().find(|(name, _)| name == "tls").is_some_and(|(_, value)| value == "required"),
        _ => true,
    };
    let is_here = match url.host_str() {
        Some(host) => host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        None => true,
    };
    !is_safe && !is_here
}

impl ServeArgs {
    /// The checked settings, or every mistake at once.
    pub fn check(self) -> Result<Config, Vec<String>> {
        let mut wrong = Mistakes::default();
        let address = "is no address with a port";
        let listen = wrong.parsed("--listen", &self.listen, address);
        let console_listen = self.console_listen.as_deref().and_then(|text| wrong.parsed("--console-listen", text, address));
        let step_up_grace = wrong.number("--step-up-grace", &self.step_up_grace, 0_u64..=60);
        let snapshot_every = wrong.number("--snapshot-every", &self.snapshot_every, 10_u64..);
        let genesis = wrong.one_of("--genesis", &self.genesis, [("sandbox", Mode::Sandbox), ("live", Mode::Live)]);
        let markets = [("live", Market::Live), ("simulated", Market::Simulated)];
        let market = self.market.as_deref().map(|text| wrong.one_of("--market", text, markets));
        let mut venues = Addresses::default();
        list(&self.venue_address).for_each(|text| wrong.note("--venue-address", venues.add(text)));
        let house_liquidity = self.house_liquidity.as_deref().map(|text| wrong.switch("--house-liquidity", text));
        let password_blocklist = self.password_blocklist.as_deref().map(|text| wrong.switch("--password-blocklist", text));
        let withdrawal_code = self.withdrawal_code.as_deref().map(|text| wrong.switch("--withdrawal-code", text));
        let accept_clock = wrong.switch("--accept-clock", &self.accept_clock);
        let take_over = wrong.switch("--take-over", &self.take_over);
        let allow_plain = wrong.switch("--allow-plain", &self.allow_plain);
        let sms_per_hour = wrong.number("--sms-per-hour", &self.sms_per_hour, 1..=1_000_000);
        let sms_per_country_hour = wrong.number("--sms-per-country-hour", &self.sms_per_country_hour, 1..=1_000_000);
        let workers = wrong.number("--workers", &self.workers, 1..=64);
        let chart_days = wrong.number("--chart-days", &self.chart_days, 1..=90);
        let proxies = list(&self.trusted_proxy).filter_map(|text| wrong.parsed("--trusted-proxy", text, "is no address"));
        let trusted_proxies = proxies.collect();
        if let Some(url) = self.database.as_deref() {
            wrong.note("--database", url.parse::<Address>());
        }
        if let Some(url) = self.smtp_url.as_deref() {
            wrong.note("--smtp-url", AsyncSmtpTransport::<Tokio1Executor>::from_url(url));
        }
        wrong.web_address("--sms-url", self.sms_url.as_deref());
        wrong.web_address("--chain-bitcoin", self.chain_bitcoin.as_deref());
        wrong.web_address("--chain-ethereum", self.chain_ethereum.as_deref());
        wrong.web_address("--chain-tron", self.chain_tron.as_deref());
        wrong.parsed::<Mailbox>("--mail-from", &self.mail_from, "is no mail address");
        let json_log = wrong.one_of("--log-format", &self.log_format, [("text", false), ("json", true)]);
        let (Some(listen), true) = (listen, wrong.0.is_empty()) else { return Err(wrong.0) };
        Ok(Config {
            files: self.files,
            key_file: self.key_file.unwrap_or_else(|| self.data.join("secrets").join("data-keys")),
            data: self.data,
            listen,
            console_listen,
            step_up_grace_ms: step_up_grace * MINUTE_MS,
            database: self.database,
            take_over,
            genesis,
            market,
            venues,
            house_liquidity,
            tape: self.tape,
            chart_days,
            workers,
            trusted_proxies,
            origins: list(&self.origin).map(str::to_owned).collect(),
            watched: [(Chain::Btc, self.chain_bitcoin), (Chain::Erc20, self.chain_ethereum), (Chain::Trc20, self.chain_tron)]
                .into_iter()
                .filter_map(|(chain, url)| Some((chain, url?)))
                .collect(),
            smtp_url: self.smtp_url,
            mail_from: self.mail_from,
            sms_url: self.sms_url,
            sms_per_hour,
            sms_per_country_hour,
            support_email: self.support_email,
            password_blocklist,
            withdrawal_code,
            snapshot_every,
            accept_clock,
            allow_plain,
            json_log,
        })
    }
}

/// What is wrong with the options. A value that cannot be read is replaced by one that can, for the sake of the other mistakes.
#[derive(Debug, Default)]
struct Mistakes(Vec<String>);

impl Mistakes {
    fn add(&mut self, option: &str, what: impl Display) {
        self.0.push(format!("{option}: {what}"));
    }

    /// Keeps why the value is wrong, if it is.
    fn note<T, E: Display>(&mut self, option: &str, read: Result<T, E>) {
        if let Err(why) = read {
            self.add(option, why);
        }
    }

    fn parsed<T: FromStr>(&mut self, option: &str, text: &str, what: &str) -> Option<T> {
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.add(option, format_args!("{text} {what}"));
        }
        parsed
    }

    fn number<N>(&mut self, option: &str, text: &str, range: impl RangeBounds<N>) -> N
    where
        N: FromStr + Copy + Default + PartialOrd + Display,
    {
        text.parse::<N>().ok().filter(|number| range.contains(number)).unwrap_or_else(|| {
            match (range.start_bound(), range.end_bound()) {
                (Bound::Included(least), Bound::Included(most)) => {
                    self.add(option, format_args!("{text} is not a number from {least} to {most}"));
                }
                (Bound::Included(least), _) => self.add(option, format_args!("{text} is not a number of at least {least}")),
                _ => self.add(option, format_args!("{text} is not a number")),
            }
            N::default()
        })
    }

    fn one_of<T: Copy>(&mut self, option: &str, text: &str, [one, other]: [(&str, T); 2]) -> T {
        [one, other]
            .into_iter()
            .find(|(word, _)| *word == text)
            .unwrap_or_else(|| {
                self.add(option, format_args!("{text} is neither {} nor {}", one.0, other.0));
                one
            })
            .1
    }

    fn switch(&mut self, option: &str, text: &str) -> bool {
        self.one_of(option, text, [("on", true), ("off", false)])
    }

    /// The value may hold a secret, so the mistake does not repeat it.
    fn web_address(&mut self, option: &str, url: Option<&str>) {
        let usable = |url: &str| reqwest::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if url.is_some_and(|url| !usable(url)) {
            self.add(option, "no address that begins with http or https");
        }
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn args(options: &[&str]) -> Box<ServeArgs> {
        let words = ["meridian", "serve"].iter().chain(options);
        match Cli::parse_from(words).command {
            Command::Serve(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_mistakes_are_reported_together() {
        let inside =
            ["--listen", "here", "--genesis", "maybe", "--workers", "0", "--house-liquidity", "perhaps", "--password-blocklist", "1"];
        assert_eq!(args(&inside).check().err().map(|list| list.len()), Some(5));
        assert_eq!(args(&["--console-listen", "there", "--step-up-grace", "61"]).check().err().map(|list| list.len()), Some(2));
        let market = ["--market", "real", "--venue-address", "okx=ws://10.0.0.1, mtgox=wss://a.example,kraken=ws://127.0.0.1:9"];
        assert_eq!(args(&market).check().err().map(|list| list.len()), Some(3));
        let outside = ["--smtp-url", "mail", "--sms-url", "sms", "--chain-bitcoin", "a", "--chain-ethereum", "ws://b", "--chain-tron", "c"];
        assert_eq!(args(&outside).check().err().map(|list| list.len()), Some(5));
    }

    #[test]
    fn what_another_machine_gets_without_tls_is_named() {
        let named = |options: &[&str]| args(options).check().map(|config| config.plain_addresses());
        let plain = ["--smtp-url", "smtp://mail.example", "--sms-url", "http://10.0.0.1/sms", "--chain-tron", "http://node.example"];
        assert_eq!(named(&plain), Ok(vec!["--smtp-url", "--sms-url", "--chain-tron"]));
        assert_eq!(named(&["--database", "postgres://10.0.0.1/a?sslmode=prefer"]), Ok(vec!["--database"]));
        assert_eq!(named(&["--database", "postgres://10.0.0.1/a?sslmode=require"]), Ok(vec![]));
        for plain in ["tls=opportunistic", "tls=opportunistic&tls=required"] {
            assert_eq!(named(&["--smtp-url", &format!("smtp://mail.example:587?{plain}")]), Ok(vec!["--smtp-url"]), "{plain}");
        }
        for sealed in ["smtps://mail.example", "smtp://mail.example:587?tls=required", "smtp://127.0.0.1:25"] {
            assert_eq!(named(&["--smtp-url", sealed]), Ok(vec![]), "{sealed}");
        }
        for sealed in ["https://node.example", "http://localhost:8545", "http://127.9.9.9:8545", "http://[::1]:8545"] {
            assert_eq!(named(&["--chain-ethereum", sealed]), Ok(vec![]), "{sealed}");
        }
    }

    #[test]
    fn commands_beside_the_server_open_no_plain_line_either() {
        let check = |words: &[&str]| match Cli::parse_from(["meridian"].iter().chain(words)).command {
            Command::Verify(asked) => asked.check(|args| args.database.as_deref()).map(drop),
            Command::Operator(OperatorCommand::Add(asked)) => asked.check(|args| args.place.database.as_deref()).map(drop),
            Command::Operator(OperatorCommand::Rescue(asked)) => asked.check(|args| args.place.database.as_deref()).map(drop),
            other => panic!("{other:?}"),
        };
        let add = ["operator", "add", "--name", "ann", "--roles", "admin", "--member", "none"];
        for command in [&["verify"][..], &add, &["operator", "rescue", "--name", "ann"]] {
            let with = |more: &[&str]| check(&[command, more].concat());
            let refused = with(&["--database", "postgres://me:secret@10.0.0.1/a"]).expect_err("a plain line");
            assert!(refused.contains("--allow-plain") && !refused.contains("secret"), "{refused}");
            assert_eq!(with(&["--database", "postgres://10.0.0.1/a", "--allow-plain", "on"]), Ok(()));
            for sealed in ["postgres://10.0.0.1/a?sslmode=require", "postgres://127.0.0.1/a"] {
                assert_eq!(with(&["--database", sealed]), Ok(()), "{sealed}");
            }
            assert_eq!(with(&[]), Ok(()));
            assert!(with(&["--database", "postgres://10.0.0.1/a?sslmode=perhaps"]).is_err());
        }
    }

    #[test]
    fn a_saved_head_is_compared_with_something() {
        let parsed = |more: &[&str]| Cli::try_parse_from(["meridian", "verify", "--head", "head.json"].iter().chain(more)).is_ok();
        assert!(!parsed(&[]));
        for what in ["--url", "--receipt", "--kit", "--leaf"] {
            assert!(parsed(&[what, "x"]), "{what}");
        }
        assert!(parsed(&["--leaf", "x", "--url", "y"]));
    }

    #[test]
    fn a_new_data_directory_is_live_unless_sandbox_is_asked_for() {
        assert_eq!(args(&[]).check().map(|config| config.genesis), Ok(Mode::Live));
        assert_eq!(args(&["--genesis", "sandbox"]).check().map(|config| config.genesis), Ok(Mode::Sandbox));
    }
}

//! Every setting, read once. Each option is also an environment variable `MERIDIAN_*`; all mistakes are reported together.
//! A variable that is empty counts as none.

use std::env;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use engine::catalog::funding::Chain;
use engine::command::Mode;
use lettre::{AsyncSmtpTransport, Tokio1Executor};

use crate::background;

/// The honest trading platform: cheating cannot be expressed in it, and anybody can check it.
#[derive(Debug, Parser)]
#[command(name = "meridian", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the app and the interface.
    Serve(Box<ServeArgs>),
    /// Replay the whole journal of a data directory and compare every hash.
    Verify(VerifyArgs),
    /// Operators of a data directory.
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// Print the OpenAPI 3.1 description of the interface.
    Openapi,
}

/// Options of `meridian verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Data directory; the server must not be running on it, unless its database is PostgreSQL.
    #[arg(long, env = "MERIDIAN_DATA", default_value = "data")]
    pub data: PathBuf,
    /// `postgres://...` when the journal is there.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
    /// File of the keys that seal personal data. Default: `secrets/data-keys` in the data directory.
    #[arg(long, env = "MERIDIAN_KEY_FILE")]
    pub key_file: Option<PathBuf>,
}

/// What can be done about operators on the machine itself.
#[derive(Debug, Subcommand)]
pub enum OperatorCommand {
    /// Add an operator, or give a known one new roles, and print a one-time link for the set-up. Logged, and the old sessions end.
    Add(OperatorArgs),
    /// Give an operator a new password and second factor: print a one-time link. Roles stay; logged, and the old sessions end.
    Rescue(RescueArgs),
}

/// Options of `meridian operator add`.
#[derive(Debug, Args)]
pub struct OperatorArgs {
    /// Where operators lie.
    #[command(flatten)]
    pub place: OperatorPlace,
    /// Log-in name.
    #[arg(long)]
    pub name: String,
    /// Roles, separated by commas: support, verifier, treasury, market, auditor, admin.
    #[arg(long)]
    pub roles: String,
    /// Account number of the same person as a member, or `none`: one person never counts twice and never decides about themselves.
    #[arg(long)]
    pub member: String,
}

/// Options of `meridian operator rescue`.
#[derive(Debug, Args)]
pub struct RescueArgs {
    /// Where operators lie.
    #[command(flatten)]
    pub place: OperatorPlace,
    /// Log-in name.
    #[arg(long)]
    pub name: String,
}

/// Where operators lie.
#[derive(Debug, Args)]
pub struct OperatorPlace {
    /// Data directory.
    #[arg(long, env = "MERIDIAN_DATA", default_value = "data")]
    pub data: PathBuf,
    /// `postgres://...` when the people are there.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
}

/// Options of `meridian serve`, as typed.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Data directory.
    #[arg(long, env = "MERIDIAN_DATA", default_value = "data")]
    pub data: PathBuf,
    /// Address and port.
    #[arg(long, env = "MERIDIAN_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// `postgres://...`; without it SQLite files in the data directory.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
    /// Take the lead from a node that leads now, and end it: on or off. Otherwise this one waits until the other is gone or stalled.
    #[arg(long, env = "MERIDIAN_TAKE_OVER", default_value = "off")]
    pub take_over: String,
    /// Mode of a new data directory: sandbox or live. An existing one keeps its own.
    #[arg(long, env = "MERIDIAN_GENESIS", default_value = "live")]
    pub genesis: String,
    /// Where pictures lie: a folder, or `s3://bucket/prefix` with the usual `AWS_*` variables. Default: `files` in the data directory.
    #[arg(long, env = "MERIDIAN_FILES")]
    pub files: Option<String>,
    /// File of the keys that seal personal data. Default: `secrets/data-keys` in the data directory.
    #[arg(long, env = "MERIDIAN_KEY_FILE")]
    pub key_file: Option<PathBuf>,
    /// House orders around the index of a sandbox, whose trades say so: on or off. Default: on.
    #[arg(long, env = "MERIDIAN_HOUSE_LIQUIDITY")]
    pub house_liquidity: Option<String>,
    /// Feeds a sandbox with the recorded index of another instance: a file of answers of `market/index`.
    #[arg(long, env = "MERIDIAN_TAPE")]
    pub tape: Option<PathBuf>,
    /// Days of simulated past that a new sandbox shows in its charts, 1 to 90.
    #[arg(long, env = "MERIDIAN_CHART_DAYS", default_value = "90")]
    pub chart_days: String,
    /// Worker threads of the HTTP side, 1 to 64. Default: one less than there are cores, for the sequencer has a thread of its own.
    #[arg(long, env = "MERIDIAN_WORKERS", default_value_t = background::cores_but_one().min(64).to_string())]
    pub workers: String,
    /// Addresses of proxies whose `X-Forwarded-For` is believed, separated by commas.
    #[arg(long, env = "MERIDIAN_TRUSTED_PROXY", default_value = "")]
    pub trusted_proxy: String,
    /// Hosts besides the own one from which pages may call, separated by commas, for example `localhost:5173`.
    #[arg(long, env = "MERIDIAN_ORIGIN", default_value = "")]
    pub origin: String,
    /// Node of Bitcoin that deposits are watched with: an Esplora-compatible address.
    #[arg(long, env = "MERIDIAN_CHAIN_BITCOIN", hide_env_values = true)]
    pub chain_bitcoin: Option<String>,
    /// Node of Ethereum that deposits are watched with: a JSON-RPC address.
    #[arg(long, env = "MERIDIAN_CHAIN_ETHEREUM", hide_env_values = true)]
    pub chain_ethereum: Option<String>,
    /// Node of Tron that deposits are watched with: a TronGrid-compatible address.
    #[arg(long, env = "MERIDIAN_CHAIN_TRON", hide_env_values = true)]
    pub chain_tron: Option<String>,
    /// Mail server of live mode, `smtp://user:password@host:587?tls=required` or `smtps://...`.
    #[arg(long, env = "MERIDIAN_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,
    /// Sender of mails.
    #[arg(long, env = "MERIDIAN_MAIL_FROM", default_value = "Meridian <no-reply@localhost>")]
    pub mail_from: String,
    /// Address that takes one HTTP POST for each SMS of live mode.
    #[arg(long, env = "MERIDIAN_SMS_URL", hide_env_values = true)]
    pub sms_url: Option<String>,
    /// Most codes by SMS an hour, to all numbers together.
    #[arg(long, env = "MERIDIAN_SMS_PER_HOUR", default_value = "1000")]
    pub sms_per_hour: String,
    /// Most codes by SMS an hour to the numbers of one country.
    #[arg(long, env = "MERIDIAN_SMS_PER_COUNTRY_HOUR", default_value = "200")]
    pub sms_per_country_hour: String,
    /// Mail address shown for customer service.
    #[arg(long, env = "MERIDIAN_SUPPORT_EMAIL", default_value = "")]
    pub support_email: String,
    /// Refuse common passwords of members too: on or off.
    #[arg(long, env = "MERIDIAN_PASSWORD_BLOCKLIST", default_value = "off")]
    pub password_blocklist: String,
    /// Start a live log although the clock is further ahead of it than the stop explains: on or off. For the one start where it is right.
    #[arg(long, env = "MERIDIAN_ACCEPT_CLOCK", default_value = "off")]
    pub accept_clock: String,
    /// Form of the log: text or json.
    #[arg(long, env = "MERIDIAN_LOG_FORMAT", default_value = "text")]
    pub log_format: String,
}

/// The settings of a running server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Data directory.
    pub data: PathBuf,
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// PostgreSQL, if not SQLite.
    pub database: Option<String>,
    /// The lead is taken from a node that has it.
    pub take_over: bool,
    /// Mode of a new data directory.
    pub genesis: Mode,
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
    /// Common passwords of members are refused.
    pub password_blocklist: bool,
    /// The clock is right, however far it is ahead of the log.
    pub accept_clock: bool,
    /// JSON lines in place of text.
    pub json_log: bool,
}

impl Cli {
    /// The arguments and variables of this process.
    pub fn read() -> Cli {
        let matches = without_empty_variables(Cli::command()).get_matches();
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |arg: &Arg| arg.get_env().and_then(env::var_os).is_some_and(|value| value.is_empty());
    command.mut_args(|arg| if is_empty(&arg) { arg.env(None::<&str>) } else { arg }).mut_subcommands(without_empty_variables)
}

impl ServeArgs {
    /// The checked settings, or every mistake at once.
    pub fn check(self) -> Result<Config, Vec<String>> {
        let mut wrong = Vec::new();
        let listen = self.listen.parse();
        if listen.is_err() {
            wrong.push(format!("--listen: {} is no address with a port", self.listen));
        }
        let genesis = match self.genesis.as_str() {
            "sandbox" => Some(Mode::Sandbox),
            "live" => Some(Mode::Live),
            other => {
                wrong.push(format!("--genesis: {other} is neither sandbox nor live"));
                None
            }
        };
        let mut switch = |option, text: &str| {
            if !matches!(text, "on" | "off") {
                wrong.push(format!("{option}: {text} is neither on nor off"));
            }
            text == "on"
        };
        let house_liquidity = self.house_liquidity.as_deref().map(|text| switch("--house-liquidity", text));
        let password_blocklist = switch("--password-blocklist", &self.password_blocklist);
        let accept_clock = switch("--accept-clock", &self.accept_clock);
        let take_over = switch("--take-over", &self.take_over);
        let mut cap = |option: &str, text: &str| {
            let cap = text.parse().ok().filter(|cap| (1..=1_000_000).contains(cap));
            if cap.is_none() {
                wrong.push(format!("{option}: {text} is not a number from 1 to 1000000"));
            }
            cap.unwrap_or(1)
        };
        let sms_per_hour: u64 = cap("--sms-per-hour", &self.sms_per_hour);
        let sms_per_country_hour: u64 = cap("--sms-per-country-hour", &self.sms_per_country_hour);
        let workers = self.workers.parse().ok().filter(|workers| (1..=64).contains(workers));
        if workers.is_none() {
            wrong.push(format!("--workers: {} is not a number from 1 to 64", self.workers));
        }
        let chart_days = self.chart_days.parse().ok().filter(|days| (1..=90).contains(days));
        if chart_days.is_none() {
            wrong.push(format!("--chart-days: {} is not a number from 1 to 90", self.chart_days));
        }
        let mut trusted_proxies = Vec::new();
        for text in list(&self.trusted_proxy) {
            match text.parse() {
                Ok(address) => trusted_proxies.push(address),
                Err(_) => wrong.push(format!("--trusted-proxy: {text} is no address")),
            }
        }
        if let Some(url) = self.database.as_deref()
            && let Err(error) = url.parse::<tokio_postgres::Config>()
        {
            wrong.push(format!("--database: {error}"));
        }
        if let Some(url) = self.smtp_url.as_deref()
            && let Err(error) = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
        {
            wrong.push(format!("--smtp-url: {error}"));
        }
        let addresses = [
            ("--sms-url", &self.sms_url),
            ("--chain-bitcoin", &self.chain_bitcoin),
            ("--chain-ethereum", &self.chain_ethereum),
            ("--chain-tron", &self.chain_tron),
        ];
        for (option, url) in addresses {
            // It may hold a secret and is not repeated.
            let usable = |url: &str| reqwest::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            if url.as_deref().is_some_and(|url| !usable(url)) {
                wrong.push(format!("{option}: no address that begins with http or https"));
            }
        }
        if self.mail_from.parse::<lettre::message::Mailbox>().is_err() {
            wrong.push(format!("--mail-from: {} is no mail address", self.mail_from));
        }
        if !matches!(self.log_format.as_str(), "text" | "json") {
            wrong.push(format!("--log-format: {} is neither text nor json", self.log_format));
        }
        match (listen, genesis, workers, chart_days) {
            (Ok(listen), Some(genesis), Some(workers), Some(chart_days)) if wrong.is_empty() => Ok(Config {
                files: self.files,
                key_file: self.key_file.unwrap_or_else(|| self.data.join("secrets").join("data-keys")),
                data: self.data,
                listen,
                database: self.database,
                take_over,
                genesis,
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
                accept_clock,
                json_log: self.log_format == "json",
            }),
            _ => Err(wrong),
        }
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
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
        let outside = ["--smtp-url", "mail", "--sms-url", "sms", "--chain-bitcoin", "a", "--chain-ethereum", "ws://b", "--chain-tron", "c"];
        assert_eq!(args(&outside).check().err().map(|list| list.len()), Some(5));
    }

    #[test]
    fn a_new_data_directory_is_live_unless_sandbox_is_asked_for() {
        assert_eq!(args(&[]).check().map(|config| config.genesis), Ok(Mode::Live));
        assert_eq!(args(&["--genesis", "sandbox"]).check().map(|config| config.genesis), Ok(Mode::Sandbox));
    }
}

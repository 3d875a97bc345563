//! Arguments and variables, as typed.

use std::env;
use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use journal::Address;

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
    /// Check a data directory (replay its whole journal and compare every hash), a running venue (`--url`), or what a member saved (`--receipt`, `--kit`, `--leaf`).
    Verify(OnMachine<VerifyArgs>),
    /// Operators of a data directory.
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// Print the OpenAPI 3.1 description of the interface.
    Openapi,
}

/// A command that opens the database besides the server, as it may.
#[derive(Debug, Args)]
pub struct OnMachine<T: Args> {
    #[command(flatten)]
    args: T,
    /// Reach a database on another machine without TLS: on or off. A sandbox's too, for its mode is in the database.
    #[arg(long, env = "MERIDIAN_ALLOW_PLAIN", default_value = "off", value_parser = ["on", "off"])]
    allow_plain: String,
}

impl<T: Args> OnMachine<T> {
    /// The options, before the first word to this database of theirs, which may be asked for its password.
    ///
    /// # Errors
    /// What is wrong with its address, or that the line to it is plain and may not be.
    pub fn check(self, database: impl FnOnce(&T) -> Option<&str>) -> Result<T, String> {
        let address = database(&self.args).map(str::parse::<Address>).transpose().map_err(|error| format!("--database: {error}"))?;
        if address.is_some_and(|address| address.may_be_plain()) && self.allow_plain == "off" {
            return Err("--database without TLS to another machine: only with --allow-plain on".to_owned());
        }
        Ok(self.args)
    }
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
    /// What anybody can check, in the place of the data directory.
    #[command(flatten)]
    pub public: PublicArgs,
}

/// What `meridian verify` checks without a data directory.
#[derive(Clone, Debug, Default, Args)]
pub struct PublicArgs {
    /// A running venue: read its whole public log, compute every hash and every index price once more, and compare them with what it signed.
    #[arg(long)]
    pub url: Option<String>,
    /// A saved receipt: check it without the venue; together with `--url` against its log.
    #[arg(long)]
    pub receipt: Option<PathBuf>,
    /// An exit kit that a member downloaded: check it without the venue.
    #[arg(long)]
    pub kit: Option<PathBuf>,
    /// A saved leaf of the liabilities: check without the venue that what its member has is part of what the venue owes all.
    #[arg(long)]
    pub leaf: Option<PathBuf>,
    /// File of the head that was checked last: the log must continue it and be signed with the same key. It is written after each good check.
    #[arg(long, requires = "url")]
    pub head: Option<PathBuf>,
    /// The key of the heads as the venue published it elsewhere, 64 hex digits.
    #[arg(long)]
    pub key: Option<String>,
}

impl PublicArgs {
    /// True if anything of it is to be checked.
    pub fn is_asked(&self) -> bool {
        self.url.is_some() || self.receipt.is_some() || self.kit.is_some() || self.leaf.is_some()
    }
}

/// What can be done about operators on the machine itself.
#[derive(Debug, Subcommand)]
pub enum OperatorCommand {
    /// Add an operator, or give a known one new roles, and print a one-time link for the set-up. Logged, and the old sessions end.
    Add(OnMachine<OperatorArgs>),
    /// Give an operator a new password and second factor: print a one-time link. Roles stay; logged, and the old sessions end.
    Rescue(OnMachine<RescueArgs>),
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
    /// Address and port of the console and the interface of operators, which `--listen` then does not serve. Default: both on `--listen`.
    #[arg(long, env = "MERIDIAN_CONSOLE_LISTEN")]
    pub console_listen: Option<String>,
    /// Minutes for which one code of an operator's authenticator, also that of the log-in, is good for approvals, 0 to 60.
    #[arg(long, env = "MERIDIAN_STEP_UP_GRACE", default_value = "15")]
    pub step_up_grace: String,
    /// `postgres://...`; without it SQLite files in the data directory.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
    /// Take the lead from a node that leads now, and end it: on or off. Otherwise this one waits until the other is gone or stalled.
    #[arg(long, env = "MERIDIAN_TAKE_OVER", default_value = "off")]
    pub take_over: String,
    /// Mode of a new data directory: sandbox or live. An existing one keeps its own.
    #[arg(long, env = "MERIDIAN_GENESIS", default_value = "live")]
    pub genesis: String,
    /// Where prices come from: live, the public tickers of large venues, or simulated, for a sandbox. Default: live in live, simulated in a
    /// sandbox. A data directory keeps the one that it began with.
    #[arg(long, env = "MERIDIAN_MARKET")]
    pub market: Option<String>,
    /// Other addresses of venues than their own, `NAME=wss://...`, separated by commas; `ws://` only on this machine.
    #[arg(long, env = "MERIDIAN_VENUE_ADDRESS", default_value = "", hide_env_values = true)]
    pub venue_address: String,
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
    /// Refuse common passwords of members too: on or off. Default: on in live, off in a sandbox.
    #[arg(long, env = "MERIDIAN_PASSWORD_BLOCKLIST")]
    pub password_blocklist: Option<String>,
    /// A withdrawal asks members without an authenticator for a code by mail or SMS, unless they switch it off: on or off. Default: on in
    /// live, off in a sandbox.
    #[arg(long, env = "MERIDIAN_WITHDRAWAL_CODE")]
    pub withdrawal_code: Option<String>,
    /// Entries between two snapshots of the state, at least 10. Fewer make a start shorter and the disk busier.
    #[arg(long, env = "MERIDIAN_SNAPSHOT_EVERY", default_value = "50000")]
    pub snapshot_every: String,
    /// Start a live log although the clock is further ahead of it than the stop explains: on or off. For the one start where it is right.
    #[arg(long, env = "MERIDIAN_ACCEPT_CLOCK", default_value = "off")]
    pub accept_clock: String,
    /// Let a live server reach databases, mail servers, gateways, watched nodes and buckets on other machines without TLS: on or off.
    #[arg(long, env = "MERIDIAN_ALLOW_PLAIN", default_value = "off")]
    pub allow_plain: String,
    /// Form of the log: text or json.
    #[arg(long, env = "MERIDIAN_LOG_FORMAT", default_value = "text")]
    pub log_format: String,
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

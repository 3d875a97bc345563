//! Arguments and variables, as typed.

use std::env;
use std::path::PathBuf;

use clap::{Arg, ArgGroup, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use journal::Address;

use crate::background;

/// A self-hosted trading venue in one binary: order book, double-entry ledger, mobile web app and operator console.
#[derive(Debug, Parser)]
#[command(name = "meridian", version)]
pub struct Cli {
    /// Subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the venue: the app, the interface and the operator console.
    Serve(Box<ServeArgs>),
    /// Check a data directory by replaying its journal, a running venue (`--url`), or a member's file (`--receipt`, `--kit`, `--leaf`).
    Verify(OnMachine<VerifyArgs>),
    /// Manage the operators of a data directory.
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// Print the OpenAPI 3.1 description of the interface.
    Openapi,
}

/// A command that opens the database beside the server.
#[derive(Debug, Args)]
pub struct OnMachine<T: Args> {
    #[command(flatten)]
    args: T,
    /// Allow a database on another machine without TLS: on or off. Applies to sandboxes too, because the mode is stored in the database.
    #[arg(long, env = "MERIDIAN_ALLOW_PLAIN", default_value = "off", value_parser = ["on", "off"])]
    allow_plain: String,
}

impl<T: Args> OnMachine<T> {
    /// The options, checked before the first byte goes to their database, which may ask for a password.
    ///
    /// # Errors
    /// A wrong address, or a plain connection that is not allowed.
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
    /// Data directory. Stop its server first, unless the database is PostgreSQL.
    #[arg(long, env = "MERIDIAN_DATA", default_value = "data")]
    pub data: PathBuf,
    /// `postgres://...` if the journal is in PostgreSQL.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
    /// File with the keys that seal personal data. Default: `secrets/data-keys` in the data directory.
    #[arg(long, env = "MERIDIAN_KEY_FILE")]
    pub key_file: Option<PathBuf>,
    /// Public checks, instead of a data directory.
    #[command(flatten)]
    pub public: PublicArgs,
}

/// Checks of `meridian verify` that need no data directory.
#[derive(Clone, Debug, Default, Args)]
#[command(group(ArgGroup::new("outside").args(["url", "receipt", "kit", "leaf"]).multiple(true)))]
pub struct PublicArgs {
    /// Check a running venue: read its whole public log, recompute every hash and index price, and compare them with its signed heads.
    #[arg(long)]
    pub url: Option<String>,
    /// Check a saved receipt offline, or with `--url` against the log of its venue.
    #[arg(long)]
    pub receipt: Option<PathBuf>,
    /// Check an exit kit offline.
    #[arg(long)]
    pub kit: Option<PathBuf>,
    /// Check a saved leaf offline: the member's balance is part of the venue's total liabilities.
    #[arg(long)]
    pub leaf: Option<PathBuf>,
    /// File with the last checked head. The log must continue it under the same key; each successful check of a venue updates the file.
    /// Without `--url`, a receipt, a leaf or a kit must not be of another log.
    #[arg(long, requires = "outside")]
    pub head: Option<PathBuf>,
    /// Expected signing key of the heads, 64 hex digits, as the venue published it elsewhere.
    #[arg(long)]
    pub key: Option<String>,
}

impl PublicArgs {
    /// True if any of these checks was asked for.
    pub fn is_asked(&self) -> bool {
        self.url.is_some() || self.receipt.is_some() || self.kit.is_some() || self.leaf.is_some()
    }
}

/// Operator commands that run on the machine itself.
#[derive(Debug, Subcommand)]
pub enum OperatorCommand {
    /// Add an operator, or give an existing one new roles, and print a one-time set-up link. Logged; existing sessions end.
    Add(OnMachine<OperatorArgs>),
    /// Reset an operator's password and second factor: print a one-time link. Roles stay. Logged; existing sessions end.
    Rescue(OnMachine<RescueArgs>),
}

/// Options of `meridian operator add`.
#[derive(Debug, Args)]
pub struct OperatorArgs {
    /// Where operators are stored.
    #[command(flatten)]
    pub place: OperatorPlace,
    /// Log-in name.
    #[arg(long)]
    pub name: String,
    /// Roles, separated by commas: support, verifier, treasury, market, auditor, admin.
    #[arg(long)]
    pub roles: String,
    /// Account number of the same person as a member, or `none`. One person never counts twice and never decides about themselves.
    #[arg(long)]
    pub member: String,
}

/// Options of `meridian operator rescue`.
#[derive(Debug, Args)]
pub struct RescueArgs {
    /// Where operators are stored.
    #[command(flatten)]
    pub place: OperatorPlace,
    /// Log-in name.
    #[arg(long)]
    pub name: String,
}

/// Where operators are stored.
#[derive(Debug, Args)]
pub struct OperatorPlace {
    /// Data directory.
    #[arg(long, env = "MERIDIAN_DATA", default_value = "data")]
    pub data: PathBuf,
    /// `postgres://...` if the data is in PostgreSQL.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
}

/// Options of `meridian serve`, as typed.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Data directory.
    #[arg(long, env = "MERIDIAN_DATA", default_value = "data")]
    pub data: PathBuf,
    /// Address and port to listen on.
    #[arg(long, env = "MERIDIAN_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// Separate address and port for the operator console and its interface, which `--listen` then no longer serves. Default: `--listen`.
    #[arg(long, env = "MERIDIAN_CONSOLE_LISTEN")]
    pub console_listen: Option<String>,
    /// Minutes for which an authenticator code, including that of the log-in, is valid for approvals, 0 to 60.
    #[arg(long, env = "MERIDIAN_STEP_UP_GRACE", default_value = "15")]
    pub step_up_grace: String,
    /// `postgres://...`. Default: SQLite files in the data directory.
    #[arg(long, env = "MERIDIAN_DATABASE")]
    pub database: Option<String>,
    /// Take over from the current leader and stop it: on or off. Otherwise this node waits until the leader is gone or stalled.
    #[arg(long, env = "MERIDIAN_TAKE_OVER", default_value = "off")]
    pub take_over: String,
    /// Mode of a new data directory: sandbox or live. An existing directory keeps its mode.
    #[arg(long, env = "MERIDIAN_GENESIS", default_value = "live")]
    pub genesis: String,
    /// Price source: `live` (public tickers of large venues) or `simulated` (sandbox only). Default: live in live mode, simulated in a
    /// sandbox. A data directory keeps the source it started with.
    #[arg(long, env = "MERIDIAN_MARKET")]
    pub market: Option<String>,
    /// Override venue addresses, `NAME=wss://...`, separated by commas. `ws://` only on this machine.
    #[arg(long, env = "MERIDIAN_VENUE_ADDRESS", default_value = "", hide_env_values = true)]
    pub venue_address: String,
    /// Storage for pictures: a folder, or `s3://bucket/prefix` with the usual `AWS_*` variables. Default: `files` in the data directory.
    #[arg(long, env = "MERIDIAN_FILES")]
    pub files: Option<String>,
    /// File with the keys that seal personal data. Default: `secrets/data-keys` in the data directory.
    #[arg(long, env = "MERIDIAN_KEY_FILE")]
    pub key_file: Option<PathBuf>,
    /// House orders around the index of a sandbox, labelled as such in public trades: on or off. Default: on.
    #[arg(long, env = "MERIDIAN_HOUSE_LIQUIDITY")]
    pub house_liquidity: Option<String>,
    /// Feed a sandbox with the recorded index of another instance: a file of `market/index` answers.
    #[arg(long, env = "MERIDIAN_TAPE")]
    pub tape: Option<PathBuf>,
    /// Days of simulated history in the charts of a new sandbox, 1 to 90.
    #[arg(long, env = "MERIDIAN_CHART_DAYS", default_value = "90")]
    pub chart_days: String,
    /// Worker threads for HTTP, 1 to 64. Default: one less than the number of cores; the sequencer has its own thread.
    #[arg(long, env = "MERIDIAN_WORKERS", default_value_t = background::cores_but_one().min(64).to_string())]
    pub workers: String,
    /// Addresses of trusted proxies, whose `X-Forwarded-For` is used, separated by commas.
    #[arg(long, env = "MERIDIAN_TRUSTED_PROXY", default_value = "")]
    pub trusted_proxy: String,
    /// Additional hosts whose pages may call the interface, separated by commas, for example `localhost:5173`.
    #[arg(long, env = "MERIDIAN_ORIGIN", default_value = "")]
    pub origin: String,
    /// Bitcoin index for watching deposits: an Esplora-compatible address.
    #[arg(long, env = "MERIDIAN_CHAIN_BITCOIN", hide_env_values = true)]
    pub chain_bitcoin: Option<String>,
    /// Ethereum node for watching deposits: a JSON-RPC address.
    #[arg(long, env = "MERIDIAN_CHAIN_ETHEREUM", hide_env_values = true)]
    pub chain_ethereum: Option<String>,
    /// Tron index for watching deposits: a TronGrid-compatible address.
    #[arg(long, env = "MERIDIAN_CHAIN_TRON", hide_env_values = true)]
    pub chain_tron: Option<String>,
    /// Mail server for live mode, `smtp://user:password@host:587?tls=required` or `smtps://...`.
    #[arg(long, env = "MERIDIAN_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,
    /// Sender address of mails.
    #[arg(long, env = "MERIDIAN_MAIL_FROM", default_value = "Meridian <no-reply@localhost>")]
    pub mail_from: String,
    /// SMS gateway for live mode: receives one HTTP POST per SMS.
    #[arg(long, env = "MERIDIAN_SMS_URL", hide_env_values = true)]
    pub sms_url: Option<String>,
    /// Maximum number of SMS codes an hour, over all numbers.
    #[arg(long, env = "MERIDIAN_SMS_PER_HOUR", default_value = "1000")]
    pub sms_per_hour: String,
    /// Maximum number of SMS codes an hour for one country.
    #[arg(long, env = "MERIDIAN_SMS_PER_COUNTRY_HOUR", default_value = "200")]
    pub sms_per_country_hour: String,
    /// Customer service mail address shown in the app.
    #[arg(long, env = "MERIDIAN_SUPPORT_EMAIL", default_value = "")]
    pub support_email: String,
    /// Refuse common passwords of members, not only of operators: on or off. Default: on in live mode, off in a sandbox.
    #[arg(long, env = "MERIDIAN_PASSWORD_BLOCKLIST")]
    pub password_blocklist: Option<String>,
    /// Require a mail or SMS code for withdrawals of members without an authenticator, unless they switch it off: on or off. Default: on in
    /// live mode, off in a sandbox.
    #[arg(long, env = "MERIDIAN_WITHDRAWAL_CODE")]
    pub withdrawal_code: Option<String>,
    /// Entries between two snapshots of the state, at least 10. A lower number means faster starts and more disk writes.
    #[arg(long, env = "MERIDIAN_SNAPSHOT_EVERY", default_value = "50000")]
    pub snapshot_every: String,
    /// Start a live log although the clock is further ahead than the downtime explains: on or off. Use it for one start only.
    #[arg(long, env = "MERIDIAN_ACCEPT_CLOCK", default_value = "off")]
    pub accept_clock: String,
    /// Allow a live server to reach databases, mail servers, gateways, nodes and buckets on other machines without TLS: on or off.
    #[arg(long, env = "MERIDIAN_ALLOW_PLAIN", default_value = "off")]
    pub allow_plain: String,
    /// Log format: text or json.
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

//! `meridian verify --url`: reads the public log of a running venue, recomputes every hash and every index price, and compares them with
//! what the venue signed and shows.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use engine::amount::PRICE_SCALE;
use engine::codec;
use engine::command::Mode;
use engine::ids::MarketId;
use journal::merkle::Tree;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::config::PublicArgs;
use crate::error::StartError;
use crate::progress_bar;
use crate::verify::contract_log::Course;
use crate::verify::cuts::Cuts;
use crate::verify::evidence::inner;
use crate::verify::fault::{Fault, Reason};
use crate::verify::kit;
use crate::verify::known::{Known, head_of, mode_of};
use crate::verify::leaf;
use crate::verify::log::{Entry, Inclusion, SignedHead, check_chain};
use crate::verify::prices::Samples;
use crate::verify::receipt::{self, Checked};
use crate::verify::samples::{Indices, Sample, genesis};

/// Entries per call.
const PAGE: u64 = 100;
/// Time limit of one call; a slower venue counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(30);
/// A live venue signs its head every minute; one that is older than this is named, ms.
const OLD_MS: u64 = 300_000;

/// The verified contents, in words for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A line for each check.
    pub lines: Vec<String>,
    /// What a receipt alone could not show.
    pub unshown: Vec<&'static str>,
}

impl Report {
    fn ok(&mut self, name: &str, text: impl std::fmt::Display) {
        self.lines.push(format!("ok  {name:<16} {text}"));
    }

    /// What remains open because of these entries.
    fn doubt(&mut self, name: &'static str, text: &str, entries: &BTreeSet<u64>) {
        if entries.is_empty() {
            return;
        }
        self.lines.push(format!("    {text} entries {entries:?}; whether so takes the data directory"));
        if !self.unshown.contains(&name) {
            self.unshown.push(name);
        }
    }
}

/// Why the check could not be done, or which check failed.
#[derive(Debug)]
pub enum Failed {
    /// A file or a venue could not be read.
    Unread(String),
    /// A check failed.
    Red(Fault),
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Failed {
        Failed::Red(fault)
    }
}

impl From<StartError> for Failed {
    fn from(error: StartError) -> Failed {
        Failed::Unread(error.0)
    }
}

fn unread(what: impl std::fmt::Display) -> impl FnOnce(String) -> Failed {
    move |error| Failed::Unread(format!("{what}: {error}"))
}

fn from_file(file: &Path) -> Result<Json, Failed> {
    let text = std::fs::read_to_string(file).map_err(|error| Failed::Unread(format!("{}: {error}", file.display())))?;
    serde_json::from_str(&text).map_err(|error| Reason::Format.because(format!("{}: {error}", file.display())).into())
}

/// Checks a kit, a leaf, a receipt, a venue, or all of them.
///
/// # Errors
/// The first check that fails, or what could not be read.
pub fn run(args: &PublicArgs) -> Result<Report, Failed> {
    let mut report = Report::default();
    let known = args.key.as_deref().map(|key| HEXLOWER.decode(key.as_bytes()).ok().filter(|key| key.len() == 32));
    let known = known.map(|key| key.ok_or_else(|| Failed::Unread("--key: 64 lower-case hex digits expected".to_owned()))).transpose()?;
    // The check of a venue makes the file; a document is compared with one that must be there.
    let saved = args.head.as_deref().filter(|file| args.url.is_none() || file.exists()).map(from_file).transpose()?;
    let known = Known::new(known, saved.as_ref())?;
    let mut heads = Vec::new();
    if let Some(file) = &args.kit {
        let unreadable = |error: std::io::Error| Failed::Unread(format!("{}: {error}", file.display()));
        let kit = kit::check(BufReader::new(File::open(file).map_err(unreadable)?), known.key())?;
        known.check(&kit.head)?;
        report.lines.extend(kit::describe(&kit));
        heads.push(("kit", kit.head));
    }
    if let Some(file) = &args.leaf {
        let document = from_file(file)?;
        let checked = leaf::check(&document, known.key())?;
        let head = head_of(&document)?;
        known.check(&head)?;
        report.lines.extend(leaf::describe(&checked));
        report.ok("genesis", word(mode_of(&document)));
        report.unshown.extend(checked.unshown);
        heads.push(("leaf", head));
    }
    let receipt = args.receipt.as_deref().map(from_file).transpose()?;
    let checked = receipt.as_ref().map(|receipt| receipt::check(receipt, known.key())).transpose()?;
    if let Some((checked, receipt)) = checked.as_ref().zip(receipt.as_ref()) {
        known.check(&head_of(receipt)?)?;
        describe(checked, &mut report);
        report.ok("genesis", word(mode_of(receipt)));
    }
    if let Some(url) = &args.url {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(StartError::from)?;
        runtime.block_on(Venue::new(url)?.check(args, &known, &heads, checked.as_ref().zip(receipt.as_ref()), &mut report))?;
    }
    Ok(report)
}

fn describe(checked: &Checked, report: &mut Report) {
    let Checked { id, status, payout, head: (seq, key), samples: (symbol, samples), stops, unshown, .. } = checked;
    report.ok("signature", format_args!("head at entry {seq}, key {}", HEXLOWER.encode(key)));
    report.ok("entries", "each has its hash, continues the one before, and is in the log of the head");
    report.ok("purchase", format_args!("entry {id}; rule, terms and amounts are those that it fixed"));
    for (name, sample) in ["open price", "delivery price"].iter().zip(samples) {
        let price = engine::amount::format_decimal(sample.price.0, PRICE_SCALE, PRICE_SCALE);
        report.ok(name, format_args!("{symbol} {price}, computed from entry {}", sample.seq));
    }
    if let Some(stops) = stops {
        report.ok("stops", stops.describe());
    }
    report.ok("outcome", status);
    report.ok("payout", payout.as_deref().unwrap_or("none yet"));
    report.unshown.extend(unshown);
}

/// A running venue.
pub(super) struct Venue {
    client: Client,
    api: Url,
}

impl Venue {
    fn new(url: &str) -> Result<Venue, Failed> {
        let unusable = || Failed::Unread("--url: an address with http or https expected".to_owned());
        let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or_else(unusable)?;
        let api = url.join("/api/").map_err(|_| unusable())?;
        // A provider that is already installed will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().timeout(PATIENCE).build().map_err(|error| Failed::Unread(error.to_string()))?;
        Ok(Venue { client, api })
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, call: &str) -> Result<T, Failed> {
        loop {
            let url = self.api.join(call).map_err(|error| Failed::Unread(error.to_string()))?;
            let asked = async { self.client.get(url).send().await?.text().await };
            let text = asked.await.map_err(|error| error.without_url().to_string()).map_err(unread(call))?;
            let mut answer: Json = serde_json::from_str(&text).map_err(|_| Failed::Unread(format!("{call}: no answer of a venue")))?;
            if let Some(wait) = answer["data"]["retry_ms"].as_u64().filter(|_| answer["data"]["error"] == "E_RATE") {
                tokio::time::sleep(Duration::from_millis(wait.clamp(10, 60_000))).await;
                continue;
            }
            if answer["type"] != "ok" {
                return Err(Failed::Unread(format!("{call}: {}", answer["data"]["error"].as_str().unwrap_or("refused"))));
            }
            return T::deserialize(answer["message"].take()).map_err(|error| Reason::Format.because(format!("{call}: {error}")).into());
        }
    }

    async fn check(
        &self,
        args: &PublicArgs,
        known: &Known,
        heads: &[(&str, SignedHead)],
        receipt: Option<(&Checked, &Json)>,
        report: &mut Report,
    ) -> Result<(), Failed> {
        let raw: Json = self.get("proof/head").await?;
        let head = SignedHead::deserialize(&raw).map_err(|error| Reason::Format.because(error.to_string()))?;
        head.check()?;
        head.check_key(known.key())?;
        report.ok("signature", format_args!("head at entry {}, key {}", head.seq, HEXLOWER.encode(&head.key)));
        if let Some(older) = &known.head {
            self.check_continues(&head, older).await?;
            report.ok("consistency", format_args!("continues the head that was saved at entry {}", older.seq));
        }
        for (document, older) in heads {
            self.check_continues(&head, older).await?;
            report.ok("consistency", format_args!("the head of the {document} is one of this log"));
        }
        let course = receipt.and_then(|(checked, _)| checked.course.as_ref());
        let of_receipt = receipt.map(|(checked, raw)| (market_of(raw), checked.id));
        let (samples, asking) = self.check_log(&head, &raw["mode"], (of_receipt, course), report).await?;
        if let Some((checked, raw)) = receipt {
            let all = self.check_receipt(&head, checked, raw, &samples).await?;
            let mut doubts = course.map(|course| course.check_log(all, &asking)).transpose()?.unwrap_or_default();
            doubts.stops.extend(checked.stops.as_ref().map(|stops| stops.check_log(all, &asking)).transpose()?.unwrap_or_default());
            report.ok("receipt", "its head is one of this log, and no other sample comes before those that decided");
            report.unshown.retain(|name| !matches!(*name, "order" | "feed" | "next"));
            report.doubt("stops", "other stops are asked for by", &doubts.stops);
            report.doubt("order", "unless it was filled later than at its sample, it would have been closed by", &doubts.samples);
        }
        if let Some(file) = &args.head {
            std::fs::write(file, format!("{raw:#}\n")).map_err(|error| Failed::Unread(format!("{}: {error}", file.display())))?;
            report.lines.push(format!("    saved the head in {}", file.display()));
        }
        Ok(())
    }

    async fn check_continues(&self, head: &SignedHead, older: &SignedHead) -> Result<(), Failed> {
        if older.seq > head.seq {
            return Err(Reason::Consistency.because(format!("the log had {} entries, now it has {}", older.seq, head.seq)).into());
        }
        let inclusion: Inclusion = self.get(&format!("proof/inclusion?seq={}&head_seq={}", older.seq, head.seq)).await?;
        Ok(head.check_continues(older, &inclusion.path)?)
    }

    /// Reads every entry, and gives the samples of every pair and the entries that ask for stops of a contract.
    async fn check_log(
        &self,
        head: &SignedHead,
        claimed: &Json,
        (receipt, course): (Option<(MarketId, u64)>, Option<&Course>),
        report: &mut Report,
    ) -> Result<(Samples, Vec<Entry>), Failed> {
        let (mut asking, mut mode, mut paper) = (Vec::new(), None, 0_u64);
        let (mut tree, mut before, mut indices) = (Tree::default(), None::<Entry>, None::<Indices>);
        let (mut samples, mut cuts) = (Samples::needed_for(receipt, head), Cuts::default());
        let bar = progress_bar::over_entries("log", head.seq);
        while tree.size() < head.seq {
            let (from, limit) = (tree.size() + 1, PAGE.min(head.seq - tree.size()));
            let page: Vec<Entry> = self.get(&format!("proof/entries?from={from}&limit={limit}")).await?;
            if page.first().is_none_or(|first| first.seq != from) {
                return Err(Reason::Chain.because(format!("entry {from} is missing")).into());
            }
            let joined: Vec<Entry> = before.iter().chain(&page).cloned().collect();
            check_chain(&joined)?;
            for entry in &page {
                tree.push(&entry.hash);
                let running = match &mut indices {
                    Some(running) => running,
                    None => {
                        if entry.hash != head.genesis {
                            return Err(Reason::Genesis.because("the first entry is not the one that the head names").into());
                        }
                        let genesis = genesis(entry)?;
                        mode = Some(genesis.mode);
                        indices.insert(Indices::new(genesis, entry.time_ms))
                    }
                };
                cuts.take(entry)?;
                paper += u64::from(codec::name_of(entry.kind).is_some_and(|name| name.starts_with("sandbox_")));
                asking.extend(course.filter(|course| course.is_asked_by(entry)).map(|_| entry.clone()));
                if let Some((market, _)) = receipt.filter(|(_, seq)| *seq == entry.seq) {
                    samples.had_price = running.has_price(market);
                }
                for (market, sample) in running.take(entry)? {
                    samples.take(market, sample);
                }
            }
            before = page.last().cloned();
            bar.set_position(tree.size());
        }
        bar.finish_and_clear();
        if tree.root() != head.root || before.is_none_or(|last| (last.hash, last.time_ms) != (head.hash, head.time_ms)) {
            return Err(Reason::Inclusion.because("the entries do not give the root that was signed").into());
        }
        let mode = word(mode);
        let told: Json = self.get("app/config").await?;
        if *claimed != mode || told["mode"] != mode {
            return Err(Reason::Genesis.because(format!("the first entry says {mode}, and the venue says another mode")).into());
        }
        report.ok("genesis", format_args!("{mode}, {paper} sandbox inputs"));
        if mode == "live" && now_ms().saturating_sub(head.time_ms) > OLD_MS {
            report.lines.push("    the head is over five minutes old by the clock of this machine".to_owned());
            report.unshown.push("age");
        }
        report.ok("chain", format_args!("{} entries, each with its hash, and the signed root", head.seq));
        report.ok("liabilities", &cuts);
        if let Some(indices) = indices {
            let compared = self.check_prices(head, indices.catalog(), &samples).await?;
            let unlisted = self.unlisted(indices.catalog()).await?;
            if !unlisted.is_empty() {
                report.lines.push(format!("    no entry read lists the index of {}: its prices are not compared", unlisted.join(", ")));
                report.unshown.push("prices");
            }
            report.ok("prices", format_args!("{} samples computed once more, {compared} of the last hour compared", samples.made));
        }
        Ok((samples, asking))
    }

    /// A receipt is of this log, and its samples are the last ones that were known; gives all of its pair.
    async fn check_receipt<'a>(
        &self,
        head: &SignedHead,
        checked: &Checked,
        raw: &Json,
        samples: &'a Samples,
    ) -> Result<&'a [Sample], Failed> {
        let raw = inner(raw);
        self.check_continues(head, &head_of(raw)?).await?;
        let all = samples.of(market_of(raw));
        let shown = &checked.samples.1;
        let at_once = checked.course.as_ref().is_none_or(|course| !course.waited());
        if at_once && !samples.had_price {
            return Err(Reason::OpenSample.because("its price was contradicted or old when it was bought").into());
        }
        if checked.course.is_some() {
            return Ok(all);
        }
        let open = all.iter().rfind(|sample| sample.seq < checked.id);
        if open.map(Sample::key) != shown.first().map(Sample::key) {
            return Err(Reason::OpenSample.because("the log has another sample before the purchase").into());
        }
        let instant = raw["order"]["delivery_time_ms"].as_u64().unwrap_or(0);
        let known = all.iter().rfind(|sample| sample.at_ms <= instant).filter(|sample| instant - sample.time_ms <= engine::index::FRESH_MS);
        if !raw["settle_seq"].is_null() && known.map(Sample::key) != shown.get(1).map(Sample::key) {
            return Err(Reason::DeliverySample.because("the log has another sample at the delivery instant").into());
        }
        Ok(all)
    }
}

fn word(mode: Option<Mode>) -> &'static str {
    if mode == Some(Mode::Live) { "live" } else { "sandbox" }
}

fn now_ms() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The pair of a receipt.
fn market_of(raw: &Json) -> MarketId {
    let raw = inner(raw);
    let of = if raw.get("position").is_some() { &raw["position"] } else { &raw["order"] };
    MarketId(of["match_id"].as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(u32::MAX))
}

//! Deposits (10): where to send them, deposit notices, and their history. A notice credits nothing; an observed payment does.

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::PRICE_SCALE;
use engine::catalog::funding::Network;
use engine::command::Command;
use engine::funding::deposits::{Claimed, Deposit};
use engine::funding::status::DepositStatus;
use engine::ids::{AssetId, Digest, ObservationId};
use engine::listing::change::TextKind;
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use serde::{Deserialize, Serialize};
use store::Page;
use store::account::{self, VersionedRow, deposit_number};
use store::db::DbError;
use store::documents::{self, ProofPaper};
use store::files::{self, FilePurpose};
use store::payments;
use store::{catalog_texts, observations};
use utoipa::ToSchema;

use super::addresses::{bad_chain, chain_named, refusal};
use super::deposit_addresses;
use crate::api::command::{answer, done, forget_refused};
use crate::api::country;
use crate::api::pictures::swept;
use crate::api::terms::bank_is_open;
use crate::http::code::Code;
use crate::http::decimal::{fixed, trimmed};
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, disabled, refuse};
use crate::http::request::{Input, request};
use crate::http::units;
use crate::http::values::{Line, TypedAmount, UpTo};
use crate::http::{App, Call, types};

/// Number of the bank among the coins of these calls.
pub(super) const BANK: u64 = 9999;

/// A network on which a coin can be deposited.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivingChain {
    chain: &'static str,
    address: String,
    min: String,
    confirmations: u32,
    #[schema(value_type = types::Flag)]
    on: u8,
}

/// Addresses by chain; for the bank the names of its account.
pub type AddressMap = BTreeMap<&'static str, String>;

/// Data returned with the deposit addresses.
#[derive(Debug, Serialize, ToSchema)]
pub struct Receiving {
    chains: Vec<ReceivingChain>,
    min: Option<String>,
}

/// Data returned for a deposit notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClaimMade {
    id: u64,
    seq: u64,
}

/// A deposit notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct DepositRow {
    id: u64,
    name: String,
    currency: u64,
    #[serde(rename = "netType")]
    network: &'static str,
    amount: String,
    credited: Option<String>,
    credited_name: Option<String>,
    /// Coins for one US dollar, fixed when the notice was sent. Only bank deposits have it.
    rate: Option<String>,
    #[schema(value_type = types::FundingStatus)]
    status: u8,
    remark: String,
    img: String,
    tx: Option<String>,
    confirmations: Option<u32>,
    confirmations_needed: Option<u32>,
    #[schema(value_type = types::Flag)]
    is_bank: u8,
    created_at: String,
    created_at_ms: u64,
    decided_at: Option<String>,
    decided_at_ms: Option<u64>,
}

request! {
    /// What `wallet/get_in_address` takes.
    pub struct Receive checked by handler {
        required currency: Input<u64>,
    }
}

/// `POST wallet/get_in_address`
pub async fn receiving(call: Call, request: Receive) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let number = request.currency.readable();
    if number == Some(&BANK) {
        return bank_account(&call).await;
    }
    let (asset, scale, networks): (AssetId, u8, Vec<Network>) = {
        let engine = app.sequencer.engine();
        let coin = units::coin(engine.catalog(), number)?;
        let paused = engine.paused().any(|paused| paused == (Product::CoinDeposit, None));
        let open = |network: &&Network| network.asset == coin.id && !paused && network.deposit_on;
        if !engine.catalog().funding.networks.iter().any(|network| open(&network)) {
            return Err(disabled(Product::CoinDeposit));
        }
        (coin.id, coin.scale, engine.catalog().funding.networks.iter().filter(|network| network.asset == coin.id).copied().collect())
    };
    country::check(&call, Product::CoinDeposit, |_| false).await?;
    let (mut addresses, mut chains) = (AddressMap::new(), Vec::new());
    for network in networks {
        // Without a receiving key in force, nothing can be deposited.
        let Some(address) = deposit_addresses::of(app, me, asset, network.chain).await? else { continue };
        chains.push(ReceivingChain {
            chain: network.chain.name(),
            address: address.clone(),
            min: fixed(network.deposit_min, scale),
            confirmations: network.confirmations,
            on: network.deposit_on.into(),
        });
        addresses.insert(network.chain.name(), address);
    }
    if chains.is_empty() {
        return Err(disabled(Product::CoinDeposit));
    }
    Ok(Reply::ok(addresses).data(Receiving { chains, min: None }))
}

/// The house's own account, as two operators agreed on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BankAccount {
    /// Bank.
    pub bank_name: String,
    /// Number of the account.
    pub account_number: String,
    /// Holder.
    pub account_name: String,
}

impl BankAccount {
    /// The account that members are asked to pay to. A sandbox has a fictitious one; live has none before two operators agree on it.
    async fn in_force(app: &App) -> Result<Option<BankAccount>, DbError> {
        let Some(digest) = app.catalog.text(TextKind::BankAccount, 0) else {
            let [bank_name, account_number, account_name] = ["SANDBOX BANK", "SANDBOX-0000-0000", "MERIDIAN SANDBOX"].map(str::to_owned);
            return Ok(app.is_sandbox().then_some(BankAccount { bank_name, account_number, account_name }));
        };
        Ok(catalog_texts::find(&app.db, digest).await?.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

async fn bank_account(call: &Call) -> Answer {
    let app = &call.app;
    if !bank_is_open(app, &app.sequencer.engine()) {
        return Err(disabled(Product::BankDeposit));
    }
    country::check(call, Product::BankDeposit, |_| false).await?;
    let BankAccount { bank_name, account_number, account_name } =
        BankAccount::in_force(app).await?.ok_or_else(|| disabled(Product::BankDeposit))?;
    let min = fixed(app.catalog.funding.bank.deposit_min_cents, 2);
    let account = AddressMap::from([("bkname", bank_name), ("bkcardnumer", account_number), ("cardname", account_name)]);
    Ok(Reply::ok(account).data(Receiving { chains: vec![], min: Some(min) }))
}

request! {
    /// What `wallet/charge_req` takes. `account` has no effect.
    pub struct Claim checked by handler {
        required currency: Input<u64>,
        required amount: TypedAmount,
        optional network: Option<String> = "netType" | "nettype",
        required picture: Option<String> = "imgs" | "img" | "voucher",
        optional tx: Option<Line<1, 200>> = "hash" | "tx",
        optional account: Option<String>,
    }
}

/// A deposit notice as it was sent. An unreadable one claims nothing and is only checked.
fn claimed(call: &Call, request: &Claim) -> (Claimed, Result<(), Refusal>) {
    let engine = call.app.sequencer.engine();
    let catalog = engine.catalog();
    let number = request.currency.readable();
    if number == Some(&BANK) {
        let cents = request.amount.atoms(2);
        return (Claimed::Bank { cents: *cents.as_ref().unwrap_or(&0) }, cents.map(drop));
    }
    let nothing = |asset, chain| Claimed::Coin { asset, chain, amount: 0 };
    let no_chain = engine::catalog::funding::Chain::Btc;
    let coin = match units::coin(catalog, number) {
        Ok(coin) => coin,
        Err(fault) => return (nothing(AssetId(0), no_chain), Err(fault)),
    };
    let mut networks = catalog.funding.networks.iter().filter(|network| network.asset == coin.id);
    let network = match request.network.as_deref() {
        Some(name) => networks.find(|network| Some(network.chain) == chain_named(Some(name))),
        // A coin with a single network needs no choice.
        None => networks.next().filter(|_| networks.next().is_none()),
    };
    let Some(network) = network else { return (nothing(AssetId(0), no_chain), Err(bad_chain(catalog, coin.id))) };
    match request.amount.atoms(coin.scale) {
        Ok(amount) => (Claimed::Coin { asset: coin.id, chain: network.chain, amount }, Ok(())),
        Err(fault) => (nothing(coin.id, network.chain), Err(fault)),
    }
}

/// Whether the engine would refuse it as closed. A notice of a bank transfer needs an account that it could have gone to.
fn is_closed(app: &App, engine: &Engine, claimed: Claimed) -> bool {
    match claimed {
        Claimed::Bank { .. } => !bank_is_open(app, engine),
        Claimed::Coin { asset, chain, .. } => {
            engine.paused().any(|paused| paused == (Product::CoinDeposit, None))
                || engine.catalog().funding.network(asset, chain).is_some_and(|network| !network.deposit_on)
        }
    }
}

/// The picture of the proof, and the transaction if it was named.
async fn proof(call: &Call, picture: Option<String>, tx: Option<String>) -> Result<ProofPaper, Refusal> {
    let url = picture.or_refuse(Code::ProofMissing)?;
    let img = files::own(&call.app.db, call.user()?, &url, FilePurpose::Deposit).await?;
    Ok(ProofPaper { img, tx })
}

/// `POST wallet/charge_req`
pub async fn claim(call: Call, request: Claim) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let (claimed, sound) = claimed(&call, &request);
    let product = claimed.product();
    country::check(&call, product, |engine| is_closed(app, engine, claimed)).await?;
    if product == Product::BankDeposit && BankAccount::in_force(app).await?.is_none() {
        return Err(disabled(product));
    }
    let asset = match claimed {
        Claimed::Coin { asset, .. } => Some(asset),
        Claimed::Bank { .. } => None,
    };
    let proof = match sound {
        Ok(()) => proof(&call, request.picture, request.tx.map(|Line(tx)| tx)).await,
        Err(fault) => Err(fault),
    };
    let paper = match proof {
        Ok(paper) => paper,
        // An unreadable field is refused in the order of D-2 as well, and does not reach the log.
        Err(fault) => {
            let first = app.sequencer.engine().check_claim(me, claimed).err();
            let first = first.filter(|reject| !matches!(reject, Reject::BadAsset | Reject::BadAmount | Reject::DepositMin { .. }));
            return Err(first.map_or(fault, |reject| refusal(&app.catalog, asset, product, &reject)));
        }
    };
    let (text, digest) = documents::written(app, "proof", &paper)?;
    let now_ms = app.now_ms();
    let _lock = app.member_locks.of(me).await;
    let kept = app.db.run(vec![files::keep(me, &paper.img, now_ms), documents::keep(app, me, digest, &text)?]).await.map_err(swept)?;
    let command = Command::ClaimDeposit { user: me, claimed, proof: digest };
    let applied = app.sequencer.submit(command, call.request).await?;
    if applied.outcome.result.is_err() {
        app.db.exec(files::unkeep(me, &paper.img, now_ms)).await?;
    }
    forget_refused(app, (me, digest), &kept[1], &applied).await?;
    let EngineReply::Deposit(deposit) = done(&applied, |reject| refusal(&app.catalog, asset, product, reject))? else {
        return Err(refuse(Code::Internal));
    };
    Ok(answer("ok.deposit_claimed", &applied).data(ClaimMade { id: deposit.id.0, seq: applied.answered_by() }))
}

request! {
    /// What `charge_mention/log2` and `log3` take.
    pub struct ListByStatus checked by handler {
        optional status: Input<UpTo<3>>,
        optional page: Page,
    }
}

impl ListByStatus {
    pub(super) fn status(&self) -> Result<Option<u64>, Refusal> {
        Ok(self.status.optional()?.map(|status| status.0))
    }
}

/// `GET charge_mention/log2`
pub async fn log(call: Call, request: ListByStatus) -> Answer {
    let (app, me, page) = (&call.app, call.user()?, request.page);
    let (rows, total) = account::list::<Deposit>(&app.db, Some(me), request.status()?, page).await?;
    let ids: Vec<ObservationId> = rows.iter().filter_map(|row| row.item.observation).collect();
    let observed = observations::by_id(app, &ids).await?;
    let of = |row: &VersionedRow<Deposit>| observed.iter().find(|seen| Some(seen.id) == row.item.observation);
    let seen: Vec<Option<(Digest, u32)>> = rows.iter().map(|row| of(row).map(|seen| (seen.tx, seen.confirmations))).collect();
    let digests: Vec<Digest> = rows.iter().flat_map(|row| [row.item.proof, row.item.reason]).flatten().collect();
    let texts = documents::find(app, me, &digests).await?;
    let keys: Vec<Digest> = seen.iter().flatten().map(|(tx, _)| *tx).collect();
    let payments = payments::find(&app.db, &keys).await?;
    let engine = app.sequencer.engine();
    let catalog = engine.catalog();
    let row = |(VersionedRow { item, changed_ms, .. }, seen): (VersionedRow<Deposit>, Option<(Digest, u32)>)| {
        let text = |digest: Option<Digest>| digest.and_then(|digest| texts.get(&digest));
        let proof: Option<ProofPaper> = text(item.proof).and_then(|text| documents::read(text).ok());
        let (coin, currency, network, amount) = match item.claimed {
            Claimed::Coin { asset, chain, amount } => {
                (units::code(catalog, asset).to_owned(), asset.0.into(), chain.name(), units::amount(catalog, asset, amount))
            }
            Claimed::Bank { cents } => ("USD".to_owned(), BANK, "", fixed(cents, 2)),
        };
        let (credited_in, needed) = match item.claimed {
            Claimed::Coin { asset, chain, .. } => (asset, catalog.funding.network(asset, chain).map(|network| network.confirmations)),
            Claimed::Bank { .. } => (catalog.funding.bank.asset, None),
        };
        let decided = (item.status != DepositStatus::UnderReview).then(|| item.decided.map_or(changed_ms, |time| time.0));
        DepositRow {
            id: item.id.0,
            name: coin,
            currency,
            network,
            amount,
            credited: item.credited.map(|atoms| units::amount(catalog, credited_in, atoms)),
            credited_name: item.credited.map(|_| units::code(catalog, credited_in).to_owned()),
            rate: (currency == BANK).then(|| trimmed(item.rate.0, PRICE_SCALE)),
            status: deposit_number(item.status),
            remark: text(item.reason).cloned().unwrap_or_default(),
            img: proof.as_ref().map(|proof| files::url(&proof.img)).unwrap_or_default(),
            tx: seen.and_then(|(tx, _)| Some(payments.get(&tx)?.tx.clone())).or_else(|| proof.and_then(|proof| proof.tx)),
            confirmations: seen.map(|(_, confirmations)| confirmations),
            confirmations_needed: needed,
            is_bank: u8::from(currency == BANK),
            created_at: ts(item.created.0),
            created_at_ms: item.created.0,
            decided_at: decided.map(ts),
            decided_at_ms: decided,
        }
    };
    Ok(Reply::ok(Paginator::new(rows.into_iter().zip(seen).map(row).collect(), total, page)))
}

//! The product on a page: every call, once. Used for routing, the 405 answers, parameter names, OpenAPI and tests.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;

use engine::operator::{AuditAction, AuditObject};
use utoipa::ToSchema;
use utoipa::openapi::schema::Array;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::code::Code;
use super::limits::RateClass;
use super::meter::Meter;
use super::page::{PageB, Paginator};
pub use super::params::Param;
use super::reply::Answer;
use super::spot_view::{FillView, OrderView};
use super::{
    Call, account, addresses, cards, chart, content, countries, deposits, favourites, fund_password, health, market, messages, notices,
    openapi, outcome, pools, price_record, profile, sandbox, sandbox_outbox, second_factor, security, self_limits, settings, spot,
    statement, uploads, value_history, verification, wallet, wallet_export, wire, withdraw_code, withdrawals,
};
use crate::operator::{self, Roles};
use crate::text::Lang;
use Access::{Guest, User};
use Effect::{Commands, Looks, LooksNow, Secret, Writes};
use Verb::{Get, Post, Put};

/// What a handler looks like.
pub type Handler = fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Method of a call. A `Post` that only looks is also answered by GET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// GET
    Get,
    /// POST
    Post,
    /// PUT
    Put,
}

/// Who may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody; a bad token counts as none.
    Guest,
    /// A session is needed.
    User,
    /// A session of an operator with one of these roles.
    Operator(Roles),
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only reads, rows of the history among others.
    Looks,
    /// Only reads what is there at once: the published state, people and content. It waits for no rows of the history.
    LooksNow,
    /// Writes people or content; its answer is stored for a repetition.
    Writes,
    /// Writes, and its answer holds a token: stored for a repetition in memory only.
    Secret,
    /// Goes through the engine, which keeps the answer; only refusals made before it are stored here.
    Commands,
}

impl Effect {
    /// True if it changes something, so that it may carry a key.
    pub fn is_write(self) -> bool {
        !matches!(self, Effect::Looks | Effect::LooksNow)
    }
}

/// One call.
#[derive(Debug)]
pub struct Route {
    /// Method.
    pub verb: Verb,
    /// Path; without leading slash it is below `/api/`.
    pub path: &'static str,
    /// Who may call.
    pub access: Access,
    /// Rate class.
    pub rate: RateClass,
    /// What it does.
    pub effect: Effect,
    /// Parameters: `name|alias*:type`, `*` = required, separated by blanks; `paged` = `page` and `limit`.
    pub params: &'static str,
    /// Refusals in the order of their checks, without those that [`Route::refusals`] adds.
    pub refusals: &'static [Code],
    /// Form of the answer.
    pub shape: Shape,
    /// For operators: the word of the audit log, and what it is about.
    pub audit: Option<(&'static str, AuditAction, AuditObject)>,
    /// The code.
    pub handler: Handler,
}

macro_rules! row {
    ($verb:ident $path:literal, $access:ident, $rate:ident, $effect:ident, $params:literal, [$($refusal:ident)*], $shape:expr, $handler:path) => {
        Route {
            verb: $verb,
            path: $path,
            access: $access,
            rate: RateClass::$rate,
            effect: $effect,
            params: $params,
            refusals: &[$(Code::$refusal),*],
            shape: $shape,
            audit: None,
            handler: |call| Box::pin($handler(call)),
        }
    };
}

/// Every call.
#[rustfmt::skip]
pub static ROUTES: &[Route] = &[
    // Settings and configuration (api.md 4.1)
    row!(Post "set/lang", Guest, Public, Writes, "lang*:lang", [UnknownLanguage], text(), settings::set_lang),
    row!(Post "get/lang", Guest, Public, LooksNow, "", [], of::<Lang>(), settings::get_lang),
    row!(Post "set/get_customer_url", Guest, Public, LooksNow, "", [], of::<settings::CustomerService>(), settings::customer_service),
    row!(Post "set/sms_other_mail", User, Code, Writes, "type:enum(operation,fund,contact,security)", [], text().and::<account::CodeSent>(), account::send_to_self),
    row!(Post "area_code", Guest, Public, LooksNow, "lang:lang", [], list::<countries::Country>().and::<countries::Verification>(), countries::area_codes),
    row!(Get "app/config", Guest, Public, LooksNow, "country:str", [], of::<settings::AppConfig>(), settings::app_config),
    row!(Post "upload", User, Upload, Writes, "file*:file purpose:enum(kyc,deposit,ticket,avatar)", [BadFile UploadQuota], text().and::<uploads::Uploaded>(), uploads::upload),
    row!(Get "/files/{key}", User, Read, LooksNow, "key*:str", [NotFound], raw(), uploads::show),
    row!(Get "openapi.json", Guest, Public, LooksNow, "", [], raw(), openapi::serve),
    row!(Get "/healthz", Guest, Free, LooksNow, "", [], raw(), health::healthz),
    row!(Get "/readyz", Guest, Free, LooksNow, "", [], raw(), health::readyz),
    row!(Get "/metrics", Guest, Free, LooksNow, "", [], raw(), health::metrics),
    // Sign-up, login, passwords (4.2)
    row!(Post "sms_mail", Guest, Code, Writes, "user_string*:str type|scene*:enum(register,forget,bind)", [BadEmail], text().and::<account::CodeSent>(), account::send_mail),
    row!(Post "sms_send", Guest, Code, Writes, "user_string*:str area_code|areacode|country_code*:str type|scene*:enum(register,forget,bind)", [BadPhone], text().and::<account::CodeSent>(), account::send_sms),
    row!(Post "user/register", Guest, Sign, Writes, "type*:enum(email,mobile) user_string*:str area_code|areacode|country_code:str code*:str password*:str re_password*:str agree*:flag extension_code:str country:str", [BadEmail BadPhone PasswordShort PasswordLong PasswordCommon PasswordMismatch NotAgreed UnknownInviter WrongCode CodeLocked], text().and::<account::Registered>(), account::register),
    row!(Post "user/login", Guest, Sign, Secret, "user_string*:str password*:str user_type|type:enum(email,mobile,username) area_code|areacode:str", [LoginWait WrongCredentials SecondFactorRequired], text().and::<account::LoginExtra>(), account::login),
    row!(Post "user/login/verify", Guest, Sign, Secret, "challenge*:str method*:enum(totp,recovery,passkey) code:str credential:map", [UnknownChallenge LoginWait SecondFactorWrong], text().and::<account::LoginExtra>(), second_factor::verify),
    row!(Post "user/logout", User, Protect, Writes, "", [], text(), account::logout),
    row!(Post "user/outcome", User, Trade, Writes, "key*:str", [AnswerGone], of::<outcome::WriteOutcome>(), outcome::settle),
    row!(Post "user/check_mobile", Guest, Sign, Writes, "user_string*:str area_code|areacode|country_code*:str mobile_code|code*:str type|scene:enum(register,forget,bind)", [WrongCode CodeLocked], text().and::<account::CodeValid>(), account::check_mobile),
    row!(Post "user/check_email", Guest, Sign, Writes, "user_string*:str email_code|code*:str type|scene:enum(register,forget,bind)", [WrongCode CodeLocked], text().and::<account::CodeValid>(), account::check_email),
    row!(Post "user/forget", Guest, Sign, Writes, "account*:str area_code|areacode|country_code:str code*:str password*:str repassword|re_password*:str", [AccountFrozen PasswordShort PasswordLong PasswordCommon PasswordMismatch WrongCode CodeLocked], text(), account::forget),
    row!(Post "user/e_pwd", User, Protect, Writes, "old_password|oldpassword*:str password*:str re_password:str type:enum(1,2) otp:str", [AccountFrozen PasswordShort PasswordLong PasswordCommon FundPasswordForm PasswordMismatch FundPasswordUnset FundPasswordLocked PasswordWrong FundPasswordWrong PasswordSame SecondFactorRequired SecondFactorWrong], text(), profile::change_password),
    row!(Post "user/has_password", User, Read, LooksNow, "", [], of::<wire::FundPassword>(), fund_password::has_fund_password),
    row!(Post "user/edit_email", User, Account, Writes, "email*:str code*:str password*:str otp:str", [AccountFrozen BadEmail PasswordWrong WrongCode CodeLocked SecondFactorRequired SecondFactorWrong], text(), profile::change_email),
    row!(Post "user/stop_email_change", Guest, Sign, Writes, "code*:str", [WrongCode WrongState], text(), profile::stop_email_change),
    row!(Post "safe/update_password", User, Account, Writes, "password*:str re_password*:str oldpassword|old_password:str login_password:str code:str otp:str", [AccountFrozen FundPasswordForm PasswordMismatch FundPasswordLocked FundPasswordWrong PasswordWrong WrongCode CodeLocked FundPasswordSame SecondFactorRequired SecondFactorWrong], text().and::<fund_password::FundPasswordSaved>(), fund_password::update),
    row!(Post "user/edit_mobile", User, Account, Writes, "mobile*:str area_code|areacode|country_code*:str code*:str password*:str otp:str", [AccountFrozen BadPhone PasswordWrong WrongCode CodeLocked SecondFactorRequired SecondFactorWrong], text(), profile::change_phone),
    row!(Post "user/edit_profile", User, Account, Writes, "nickname:str avatar:url", [BadFile], text(), profile::edit),
    // Security (4.3)
    row!(Get "user/sessions", User, Read, LooksNow, "", [], list::<security::SessionRow>(), security::sessions),
    row!(Post "user/sessions/revoke", User, Protect, Writes, "id:int others:flag", [NotFound], text().and::<security::Revoked>(), security::revoke),
    row!(Get "user/login_history", User, Read, LooksNow, "paged", [], pages::<security::LoginEvent>(), security::login_history),
    row!(Post "user/freeze", User, Protect, Commands, "password*:str days*:enum(1,7,30,0)", [PasswordWrong], text().and::<security::Frozen>(), security::freeze),
    row!(Get "user/limits", User, Read, LooksNow, "", [], of::<self_limits::SelfLimits>(), self_limits::show),
    row!(Post "user/limits", User, Account, Commands, "option_stake_day:dec|none loss_day:dec|none leverage_max:int|none pause_until_ms:ms|none", [BadAmount], of::<self_limits::SelfLimits>(), self_limits::set),
    row!(Get "user/access_log", User, Read, LooksNow, "paged", [], pages::<security::AccessRow>(), security::access_log),
    row!(Post "user/totp/setup", User, Account, Secret, "password*:str", [AccountFrozen PasswordWrong WrongState], of::<second_factor::Setup>(), second_factor::setup),
    row!(Post "user/totp/enable", User, Account, Secret, "setup_id*:str code*:str", [AccountFrozen UnknownChallenge SecondFactorWrong WrongState], of::<second_factor::RecoveryCodes>(), second_factor::enable),
    row!(Post "user/totp/disable", User, Account, Writes, "password*:str code*:str", [AccountFrozen WrongState PasswordWrong SecondFactorWrong], text(), second_factor::disable),
    row!(Post "user/totp/recovery", User, Account, Secret, "password*:str code*:str", [AccountFrozen WrongState PasswordWrong SecondFactorWrong], of::<second_factor::RecoveryCodes>(), second_factor::renew_recovery),
    // Profile (4.4)
    row!(Post "user/withdraw_code", User, Account, Writes, "on*:flag password*:str code:str otp:str", [AccountFrozen PasswordWrong WrongCode CodeLocked SecondFactorRequired SecondFactorWrong], text().and::<withdraw_code::WithdrawCode>(), withdraw_code::set),
    row!(Get "user/center", User, Read, Looks, "", [], of::<profile::UserCenter>(), profile::center),
    row!(Get "user/center2", User, Read, Looks, "", [], of::<profile::UserCenter2>(), profile::center2),
    // Identity and bank cards (4.4)
    row!(Post "user/real_name", User, Account, Commands, "country*:str name*:str card_id*:str address*:str residence_address*:str", [WrongState IdentityLimit IdentityDuplicate], text().and::<wire::ObjectState>(), verification::submit_basic),
    row!(Post "user/real_name2", User, Account, Commands, "card_id:str front_pic*:url reverse_pic*:url hand_pic*:url", [BasicIdentityMissing BadField BadFile WrongState IdentityLimit], text().and::<wire::ObjectState>(), verification::submit_advanced),
    row!(Get "charge_mention/verification_log", User, Read, Looks, "paged", [], pages::<verification::VerificationRow>().and::<verification::ToCorrect>(), verification::log),
    row!(Post "user/cash_info", User, Read, LooksNow, "lang:lang", [], of::<cards::CashInfo>(), cards::newest),
    row!(Post "user/cash_save", User, Exit, Commands, "bank_name*:str bank_account*:str real_name*:str bank_branch*:str bank_id:int is_international:flag bank_address:str swift_code:str iban:str residence_address:str postal_code:str", [AccountFrozen BasicIdentityMissing BadField BadIban BadSwift HolderMismatch CardMax CardDuplicate], text().and::<addresses::Stored>(), cards::add),
    row!(Get "user/cash_list", User, Read, LooksNow, "", [], list::<cards::CardRow>(), cards::list),
    row!(Post "user/cash_del", User, Account, Commands, "id*:int", [NotFound WrongState], text(), cards::remove),
    // News and help (4.5)
    row!(Post "news/list", Guest, Public, LooksNow, "c_id*:int lang:lang paged", [], pages_b::<content::News>(), content::list),
    row!(Post "news/detail", Guest, Public, LooksNow, "id*:int", [NotFound], of::<content::NewsDetail>(), content::detail),
    // Market data (4.5)
    row!(Get "currency/quotation_new", Guest, Public, LooksNow, "", [], list::<market::QuoteGroup>(), market::quotations),
    row!(Get "currency/deal", Guest, Public, LooksNow, "currency_id*:int legal_id*:int", [UnknownMarket], of::<market::Pair>(), market::deal),
    row!(Get "currency/new_timeshar", Guest, Public, Looks, "symbol*:str period*:enum(1min,5min,15min,30min,60min,1day,1week,1mon,timeline,1H,1D,1W,1M) from:unix to:unix series:enum(index,trade)", [UnknownMarket UnknownPeriod BadField], list::<chart::ChartRow>().twice(), chart::candles),
    row!(Get "currency/user_currency_list", User, Read, LooksNow, "", [], list::<wallet::UserCurrency>(), wallet::currencies),
    row!(Get "market/book", Guest, Public, LooksNow, "symbol*:str levels:int", [UnknownMarket BadField], of::<market::BookView>(), market::book),
    row!(Get "market/trades", Guest, Public, Looks, "symbol*:str limit:int before_id:int", [UnknownMarket], list::<market::Trade>(), market::trades),
    row!(Get "market/ticker", Guest, Public, LooksNow, "symbol:str", [UnknownMarket], list::<market::TickerView>(), market::tickers),
    row!(Get "market/index", Guest, Proof, Looks, "symbol*:str from_ms:ms to_ms:ms", [UnknownMarket BadField], list::<price_record::IndexSampleView>(), price_record::index),
    // Wallets (4.6)
    row!(Post "wallet/list", User, Read, LooksNow, "currency_name:str", [], of::<wallet::WalletList>(), wallet::list),
    row!(Post "wallet/detail", User, Read, LooksNow, "currency*:int type*:account", [UnknownAsset UnknownWallet], of::<wallet::WalletDetail>(), wallet::detail),
    row!(Post "wallet/legal_log", User, Read, Looks, "currency*:int type*:int kind:int paged", [UnknownAsset UnknownWallet], pages_b::<statement::LogRow>(), statement::statement),
    row!(Post "wallet/change", User, Trade, Commands, "currency_id*:int number*:dec from_field*:account to_field*:account", [UnknownWallet UnknownAsset BadAmount AccountFrozen Insufficient], text().and::<wallet::Moved>(), wallet::transfer),
    row!(Get "wallet/hzhistory", User, Read, Looks, "paged", [], pages::<statement::TransferRow>(), statement::transfers),
    row!(Get "wallet/value_history", User, Read, Looks, "range:enum(1d,1w,1m)", [], of::<value_history::ValueHistory>(), value_history::show),
    // Money in and out (4.6)
    row!(Get "wallet/export", User, Export, Looks, "from_ms*:ms to_ms*:ms currency:int", [BadField UnknownAsset], raw(), wallet_export::statement),
    row!(Post "wallet/get_in_address", User, Read, LooksNow, "currency*:int", [UnknownAsset ProductDisabled CountryForbids], of::<deposits::AddressMap>().and::<deposits::Receiving>(), deposits::receiving),
    row!(Post "wallet/charge_req", User, Exit, Commands, "currency*:int amount*:dec netType|nettype:str imgs|img|voucher*:url hash|tx:str account:str", [ProductDisabled CountryForbids UnknownAsset UnknownChain BadAmount ProofMissing BadFile DepositMin ClaimLimit], text().and::<deposits::ClaimMade>(), deposits::claim),
    row!(Get "charge_mention/log2", User, Read, Looks, "status:int paged", [], pages::<deposits::DepositRow>(), deposits::log),
    row!(Post "wallet/get_info", User, Read, LooksNow, "currency*:int netType|nettype:str", [UnknownAsset UnknownChain], of::<withdrawals::WithdrawInfo>(), withdrawals::terms),
    row!(Post "wallet/get_address", User, Read, LooksNow, "currency:int", [UnknownAsset], list::<addresses::AddressRow>(), addresses::list),
    row!(Post "wallet/addaddress", User, Exit, Commands, "currency_id*:int netType|nettype*:str address*:str notes:str pay_password|password*:str code*:str otp:str", [AccountFrozen FundPasswordUnset BadField UnknownAsset UnknownChain BadAddress FundPasswordLocked FundPasswordWrong WrongCode CodeLocked SecondFactorRequired SecondFactorWrong AddressDuplicate AddressMax], text().and::<addresses::Stored>(), addresses::add),
    row!(Post "wallet/deladdress", User, Account, Commands, "address_id*:int", [NotFound WrongState], text(), addresses::remove),
    row!(Post "wallet/out", User, Exit, Commands, "currency*:int number*:dec address:str address_id:int card_id:int netType|nettype:str pay_password|password*:str notes:str code:str otp:str rate:dec", [ProductDisabled CountryForbids AccountFrozen BasicIdentityMissing FundPasswordUnset UnknownAsset AddressUnset UnknownChain BadAmount FundPasswordLocked FundPasswordWrong WrongCode CodeLocked SecondFactorRequired SecondFactorWrong AddressCooldown SecurityCooldown WithdrawMin WithdrawCount PriceStale WithdrawLimit Insufficient], text().and::<withdrawals::WithdrawalMade>(), withdrawals::apply),
    row!(Post "wallet/out_cancel", User, Protect, Commands, "id*:int", [NotFound WrongState], text().and::<wire::ObjectState>(), withdrawals::cancel),
    row!(Get "charge_mention/log3", User, Read, Looks, "status:int paged", [], pages::<withdrawals::WithdrawRow>(), withdrawals::log),
    // Spot (4.7)
    row!(Post "coin/trade", User, Trade, Commands, "legal_id*:int currency_id*:int type*:int amount:dec target_price:dec order_type:enum(limit,market,stop_limit) tif:enum(gtc,ioc,fok,post_only) stop_price:dec funds:dec client_order_id:str", [ProductDisabled CountryForbids AccountFrozen UnknownMarket UnknownSide UnknownOrderType TimeInForce BadAmount OffTick OffStep QuantityMin QuantityMax NotionalMin NotionalMax PriceStale OutsideBand StopSide PostOnly ClientOrderId MaxOrders Insufficient NoLiquidity], text().and::<spot::OrderWithFills>(), spot::place),
    row!(Put "coin/trade", User, Cancel, Commands, "id:int client_order_id:str", [NotFound WrongState], text().and::<spot::OrderOnly>(), spot::cancel),
    row!(Post "coin/cancel", User, Cancel, Commands, "id:int client_order_id:str", [NotFound WrongState], text().and::<spot::OrderOnly>(), spot::cancel),
    row!(Get "coin/list", User, Read, Looks, "currency_id:int legal_id:int status:int type:int paged", [], list::<OrderView>(), spot::list),
    row!(Get "coin/order", User, Read, Looks, "id:int client_order_id:str", [NotFound], of::<spot::OrderWithFills>(), spot::order),
    row!(Post "coin/cancel_all", User, Cancel, Commands, "currency_id:int legal_id:int", [UnknownMarket], text().and::<spot::Cancelled>(), spot::cancel_all),
    row!(Get "coin/fills", User, Read, Looks, "currency_id:int legal_id:int order_id:int paged", [UnknownMarket], pages::<FillView>(), spot::fills),
    // The house's accounts (4.15)
    row!(Get "public/pools", Guest, Proof, LooksNow, "", [], list::<pools::Pool>().and::<pools::Range>(), pools::pools),
    // Favourites (4.14)
    row!(Get "favor/list", User, Read, LooksNow, "", [], list::<u32>(), favourites::list),
    row!(Post "favor/add", User, Account, Writes, "match_id*:int", [UnknownMarket TooManyOpen], list::<u32>(), favourites::add),
    row!(Post "favor/del", User, Account, Writes, "match_id*:int", [UnknownMarket], list::<u32>(), favourites::remove),
    // Messages (4.14)
    row!(Get "notice/list", User, Read, Looks, "kind:str paged", [], pages::<notices::Notification>(), notices::list),
    row!(Post "notice/read", User, Account, Writes, "id:int all:flag", [NotFound], text().and::<notices::Unread>(), notices::read),
    row!(Post "feedback/add", User, Account, Writes, "title*:str content*:str category:enum(account,deposit,withdrawal,trade,other) imgs:[url]", [BadFile TooManyOpen], of::<messages::Ticket>(), messages::open_ticket),
    row!(Get "feedback/list", User, Read, LooksNow, "paged", [], pages::<messages::Ticket>(), messages::tickets),
    row!(Get "feedback/detail", User, Read, LooksNow, "id*:int", [NotFound], of::<messages::Thread>(), messages::ticket),
    row!(Post "feedback/reply", User, Account, Writes, "id*:int content*:str imgs:[url]", [BadField NotFound WrongState BadFile], of::<messages::Message>(), messages::reply),
    row!(Get "chat/history", User, Read, LooksNow, "before_id:int limit:int", [], list::<messages::Message>(), messages::chat),
    row!(Post "chat/send", User, Account, Writes, "content*:str imgs:[url]", [BadFile], of::<messages::Message>(), messages::say),
    // Sandbox (4.17): in live all of these are E_PATH
    row!(Get "/sandbox/outbox", Guest, Free, LooksNow, "to*:str limit:int", [], list::<sandbox_outbox::Kept>(), sandbox_outbox::list),
    row!(Post "/sandbox/faucet", User, Free, Commands, "asset*:str amount*:dec account:account", [UnknownAsset UnknownWallet BadAmount FaucetMax], of::<sandbox::Credited>(), sandbox::faucet),
    row!(Post "/sandbox/clock", Guest, Free, Writes, "advance_ms:int to_ms:ms sessions:flag", [BadTime], of::<sandbox::Advanced>(), sandbox::clock),
    row!(Post "/sandbox/price", Guest, Free, Writes, "symbol*:str price:dec release:flag halt:flag", [UnknownMarket BadField BadAmount OffTick], of::<sandbox::Priced>(), sandbox::price),
];

impl Route {
    /// The refusals that are the call's own, in the order of their checks (`api.md` 1.4).
    pub fn refusals(&self) -> Vec<Code> {
        let session = (self.access != Access::Guest).then_some(Code::LoggedOut);
        // A field without a name of its own is checked first, where the call does not place it.
        let field = (!self.params.is_empty() && !self.refusals.contains(&Code::BadField)).then_some(Code::BadField);
        let repeated = self.effect.is_write().then_some(Code::DuplicateRequest);
        let gone = (self.effect == Commands).then_some(Code::AnswerGone);
        session.into_iter().chain(field).chain(self.refusals.iter().copied()).chain(repeated).chain(gone).collect()
    }

    /// The full path.
    pub fn url(&self) -> String {
        if self.path.starts_with('/') { self.path.to_owned() } else { format!("/api/{}", self.path) }
    }

    /// Methods that are answered: a POST that only looks is also a GET.
    pub fn methods(&self) -> &'static [&'static str] {
        match (self.verb, self.effect) {
            (Verb::Get, _) => &["GET"],
            (Verb::Put, _) => &["PUT"],
            (Verb::Post, effect) if !effect.is_write() => &["POST", "GET"],
            (Verb::Post, _) => &["POST"],
        }
    }
}

/// A call with its parameters parsed.
#[derive(Debug)]
pub struct Entry {
    /// The row.
    pub route: &'static Route,
    /// Its parameters.
    pub params: &'static [Param],
    /// Its figures.
    pub meter: Meter,
}

impl Entry {
    /// True if it takes a file, so its body comes in parts.
    pub fn takes_file(&self) -> bool {
        self.params.iter().any(|param| param.kind == "file")
    }
}

/// All calls by full path.
pub static BY_URL: LazyLock<HashMap<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut all: HashMap<String, Vec<Entry>> = HashMap::new();
    for route in ROUTES.iter().chain(operator::routes::ROUTES) {
        let entry = Entry { route, params: Param::parse_all(route.params).leak(), meter: Meter::new(route.url()) };
        all.entry(route.url()).or_default().push(entry);
    }
    all
});

/// Adds the named schemas that a type needs, and answers the type itself.
pub type Part = fn(&mut Schemas) -> RefOr<Schema>;

/// Schemas by name.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// The form of an answer, for OpenAPI.
#[derive(Debug)]
pub struct Shape {
    /// `message`; absent for answers without envelope.
    pub payload: Option<Part>,
    /// `data`, if there are extra fields.
    pub data: Option<Part>,
}

/// Payload of this type.
pub(crate) const fn of<T: ToSchema>() -> Shape {
    Shape { payload: Some(part::<T>), data: None }
}

/// Rows of this type.
pub(crate) const fn list<T: ToSchema>() -> Shape {
    Shape { payload: Some(|all| Array::new(part::<T>(all)).into()), data: None }
}

/// A page of form A.
pub(crate) const fn pages<T: ToSchema>() -> Shape {
    Shape { payload: Some(page::<Paginator<T>, T>), data: None }
}

/// A page of form B.
const fn pages_b<T: ToSchema>() -> Shape {
    Shape { payload: Some(page::<PageB<T>, T>), data: None }
}

/// A sentence, or a word.
pub(crate) const fn text() -> Shape {
    of::<String>()
}

/// Not an envelope.
pub(crate) const fn raw() -> Shape {
    Shape { payload: None, data: None }
}

impl Shape {
    /// With extra fields of this type.
    pub(crate) const fn and<D: ToSchema>(mut self) -> Shape {
        self.data = Some(part::<D>);
        self
    }

    /// The payload again as extra fields: the chart.
    const fn twice(mut self) -> Shape {
        self.data = self.payload;
        self
    }
}

fn part<T: ToSchema>(all: &mut Schemas) -> RefOr<Schema> {
    T::schemas(all);
    named(&T::name(), T::schema(), all)
}

fn page<P: ToSchema, T: ToSchema>(all: &mut Schemas) -> RefOr<Schema> {
    part::<T>(all);
    P::schemas(all);
    named(&format!("{}_{}", P::name(), T::name()), P::schema(), all)
}

/// A reference, where the type is more than a bare text or number.
fn named(name: &str, schema: RefOr<Schema>, all: &mut Schemas) -> RefOr<Schema> {
    let bare = matches!(&schema, RefOr::T(Schema::Object(object)) if object.properties.is_empty() && object.enum_values.is_none());
    if bare {
        return schema;
    }
    all.push((name.to_owned(), schema));
    Ref::from_schema_name(name).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_listed_once() {
        for (url, entries) in BY_URL.iter() {
            let mut methods: Vec<_> = entries.iter().flat_map(|entry| entry.route.methods()).collect();
            let all = methods.len();
            methods.sort_unstable();
            methods.dedup();
            assert_eq!(methods.len(), all, "{url}");
        }
    }

    #[test]
    fn parameters_are_read_from_the_table() {
        let params = Param::parse_all("a|b*:int paged");
        assert_eq!(params.len(), 3);
        assert_eq!((params[0].name(), params[0].required(), params[0].kind), ("a", true, "int"));
        assert_eq!(params[0].names().collect::<Vec<_>>(), ["a", "b"]);
    }
}

//! The product on a page: every call, once. Used for routing, the 405 answers, parameter names, OpenAPI and tests.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;

use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::limits::RateClass::{self, Account, Code, Free, Proof, Public, Read, Sign, Trade};
use super::page::{PageB, Paginator};
use super::reply::Answer;
use super::spot_view::{FillView, OrderView};
use super::{
    Call, account, chart, content, favourites, health, market, openapi, pools, profile, sandbox, sandbox_outbox, settings, spot, wallet,
};
use Access::{Guest, User};
use Effect::{Commands, Looks, Secret, Writes};
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
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only reads.
    Looks,
    /// Writes people or content; its answer is stored for a repetition.
    Writes,
    /// Writes, and its answer holds a token: stored for a repetition in memory only.
    Secret,
    /// Goes through the engine, which keeps the answer; only refusals made before it are stored here.
    Commands,
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
    /// Form of the answer.
    pub shape: Shape,
    /// The code.
    pub handler: Handler,
}

macro_rules! row {
    ($verb:ident $path:literal, $access:ident, $rate:ident, $effect:ident, $params:literal, $shape:expr, $handler:path) => {
        Route {
            verb: $verb,
            path: $path,
            access: $access,
            rate: $rate,
            effect: $effect,
            params: $params,
            shape: $shape,
            handler: |call| Box::pin($handler(call)),
        }
    };
}

/// Every call.
#[rustfmt::skip]
pub static ROUTES: &[Route] = &[
    // Settings and configuration (api.md 4.1)
    row!(Post "set/lang", Guest, Public, Writes, "lang*:lang", text(), settings::set_lang),
    row!(Post "get/lang", Guest, Public, Looks, "", text(), settings::get_lang),
    row!(Post "set/get_customer_url", Guest, Public, Looks, "", of::<settings::CustomerService>(), settings::customer_service),
    row!(Post "set/sms_other_mail", User, Code, Writes, "type:enum(operation,fund,contact,security)", text().and::<account::CodeSent>(), account::send_to_self),
    row!(Post "area_code", Guest, Public, Looks, "lang:lang", of::<Vec<settings::Country>>().and::<settings::Verification>(), settings::area_codes),
    row!(Get "app/config", Guest, Public, Looks, "country:str", of::<settings::AppConfig>(), settings::app_config),
    row!(Get "openapi.json", Guest, Public, Looks, "", raw(), openapi::serve),
    row!(Get "/healthz", Guest, Free, Looks, "", raw(), health::healthz),
    row!(Get "/readyz", Guest, Free, Looks, "", raw(), health::readyz),
    row!(Get "/metrics", Guest, Free, Looks, "", raw(), health::metrics),
    // Sign-up, login, passwords (4.2)
    row!(Post "sms_mail", Guest, Code, Writes, "user_string*:str type|scene*:enum(register,forget,bind)", text().and::<account::CodeSent>(), account::send_mail),
    row!(Post "sms_send", Guest, Code, Writes, "user_string*:str area_code|areacode|country_code*:str type|scene*:enum(register,forget,bind)", text().and::<account::CodeSent>(), account::send_sms),
    row!(Post "user/register", Guest, Sign, Writes, "type*:enum(email,mobile) user_string*:str area_code|areacode|country_code:str code*:str password*:str re_password*:str agree*:flag extension_code:str country:str", text().and::<account::Registered>(), account::register),
    row!(Post "user/login", Guest, Sign, Secret, "user_string*:str password*:str user_type|type:enum(email,mobile,username) area_code|areacode:str", text().and::<account::LoginExtra>(), account::login),
    row!(Post "user/logout", User, Account, Writes, "", text(), account::logout),
    row!(Post "user/check_mobile", Guest, Sign, Writes, "user_string*:str area_code|areacode|country_code*:str mobile_code|code*:str type|scene:enum(register,forget,bind)", text().and::<account::CodeValid>(), account::check_mobile),
    row!(Post "user/check_email", Guest, Sign, Writes, "user_string*:str email_code|code*:str type|scene:enum(register,forget,bind)", text().and::<account::CodeValid>(), account::check_email),
    row!(Post "user/forget", Guest, Sign, Writes, "account*:str area_code|areacode|country_code:str code*:str password*:str repassword|re_password*:str", text(), account::forget),
    row!(Post "user/e_pwd", User, Account, Writes, "old_password|oldpassword*:str password*:str re_password:str type:enum(1,2) otp:str", text(), profile::change_password),
    row!(Post "user/has_password", User, Read, Looks, "", of::<u8>(), profile::has_fund_password),
    row!(Post "user/edit_email", User, Account, Writes, "email*:str code*:str password*:str otp:str", text(), profile::change_email),
    row!(Post "user/edit_profile", User, Account, Writes, "nickname:str avatar:url", text(), profile::edit),
    // Profile (4.4)
    row!(Get "user/center", User, Read, Looks, "", of::<profile::UserCenter>(), profile::center),
    row!(Get "user/center2", User, Read, Looks, "", of::<profile::UserCenter2>(), profile::center2),
    // News and help (4.5)
    row!(Post "news/list", Guest, Public, Looks, "c_id*:int lang:lang paged", of::<content::NewsPage>(), content::list),
    row!(Post "news/detail", Guest, Public, Looks, "id*:int", of::<content::NewsDetail>(), content::detail),
    // Market data (4.5)
    row!(Get "currency/quotation_new", Guest, Public, Looks, "", of::<Vec<market::QuoteGroup>>(), market::quotations),
    row!(Get "currency/deal", Guest, Public, Looks, "currency_id*:int legal_id*:int", of::<market::Pair>(), market::deal),
    row!(Get "currency/new_timeshar", Guest, Public, Looks, "symbol*:str period*:enum(1min,5min,15min,30min,60min,1day,1week,1mon,timeline,1H,1D,1W,1M) from:unix to:unix series:enum(index,trade)", of::<Vec<chart::ChartRow>>(), chart::candles),
    row!(Get "currency/user_currency_list", User, Read, Looks, "", of::<Vec<wallet::UserCurrency>>(), wallet::currencies),
    row!(Get "market/book", Guest, Public, Looks, "symbol*:str levels:int", of::<market::BookView>(), market::book),
    row!(Get "market/trades", Guest, Public, Looks, "symbol*:str limit:int before_id:int", of::<Vec<market::Trade>>(), market::trades),
    row!(Get "market/ticker", Guest, Public, Looks, "symbol:str", of::<Vec<market::TickerView>>(), market::tickers),
    row!(Get "market/index", Guest, Proof, Looks, "symbol*:str from_ms:ms to_ms:ms", of::<Vec<market::IndexSampleView>>(), market::index),
    // Wallets (4.6)
    row!(Post "wallet/list", User, Read, Looks, "currency_name:str", of::<wallet::WalletList>(), wallet::list),
    row!(Post "wallet/detail", User, Read, Looks, "currency*:int type*:account", of::<wallet::WalletDetail>(), wallet::detail),
    row!(Post "wallet/legal_log", User, Read, Looks, "currency*:int type*:int kind:int paged", of::<PageB<wallet::LogRow>>(), wallet::statement),
    row!(Post "wallet/change", User, Trade, Commands, "currency_id*:int number*:dec from_field*:account to_field*:account", text().and::<wallet::Moved>(), wallet::transfer),
    row!(Get "wallet/hzhistory", User, Read, Looks, "paged", of::<Paginator<wallet::TransferRow>>(), wallet::transfers),
    // Spot (4.7)
    row!(Post "coin/trade", User, Trade, Commands, "legal_id*:int currency_id*:int type*:int amount:dec target_price:dec order_type:enum(limit,market,stop_limit) tif:enum(gtc,ioc,fok,post_only) stop_price:dec funds:dec client_order_id:str", text().and::<spot::OrderWithFills>(), spot::place),
    row!(Put "coin/trade", User, Trade, Commands, "id:int client_order_id:str", text().and::<spot::OrderOnly>(), spot::cancel),
    row!(Post "coin/cancel", User, Trade, Commands, "id:int client_order_id:str", text().and::<spot::OrderOnly>(), spot::cancel),
    row!(Get "coin/list", User, Read, Looks, "currency_id:int legal_id:int status:int type:int paged", of::<Vec<OrderView>>(), spot::list),
    row!(Get "coin/order", User, Read, Looks, "id:int client_order_id:str", of::<spot::OrderWithFills>(), spot::order),
    row!(Post "coin/cancel_all", User, Trade, Commands, "currency_id:int legal_id:int", text().and::<spot::Cancelled>(), spot::cancel_all),
    row!(Get "coin/fills", User, Read, Looks, "currency_id:int legal_id:int order_id:int paged", of::<Paginator<FillView>>(), spot::fills),
    // The house's accounts (4.15)
    row!(Get "public/pools", Guest, Proof, Looks, "", of::<Vec<pools::Pool>>().and::<pools::Range>(), pools::pools),
    // Favourites (4.14)
    row!(Get "favor/list", User, Read, Looks, "", of::<Vec<u32>>(), favourites::list),
    row!(Post "favor/add", User, Account, Writes, "match_id*:int", of::<Vec<u32>>(), favourites::add),
    row!(Post "favor/del", User, Account, Writes, "match_id*:int", of::<Vec<u32>>(), favourites::remove),
    // Sandbox (4.17): in live all of these are E_PATH
    row!(Get "/sandbox/outbox", Guest, Free, Looks, "to*:str limit:int", of::<Vec<sandbox_outbox::Kept>>(), sandbox_outbox::list),
    row!(Post "/sandbox/faucet", User, Free, Commands, "asset*:str amount*:dec account:account", of::<sandbox::Credited>(), sandbox::faucet),
    row!(Post "/sandbox/clock", Guest, Free, Writes, "advance_ms:int to_ms:ms sessions:flag", of::<sandbox::Advanced>(), sandbox::clock),
    row!(Post "/sandbox/price", Guest, Free, Writes, "symbol*:str price:dec release:flag halt:flag", of::<sandbox::Priced>(), sandbox::price),
];

impl Route {
    /// The full path.
    pub fn url(&self) -> String {
        if self.path.starts_with('/') { self.path.to_owned() } else { format!("/api/{}", self.path) }
    }

    /// Methods that are answered: a POST that only looks is also a GET.
    pub fn methods(&self) -> &'static [&'static str] {
        match (self.verb, self.effect) {
            (Verb::Get, _) => &["GET"],
            (Verb::Put, _) => &["PUT"],
            (Verb::Post, Effect::Looks) => &["POST", "GET"],
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
}

/// All calls by full path.
pub static BY_URL: LazyLock<HashMap<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut all: HashMap<String, Vec<Entry>> = HashMap::new();
    for route in ROUTES {
        all.entry(route.url()).or_default().push(Entry { route, params: Param::parse_all(route.params).leak() });
    }
    all
});

/// A parameter of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    names: Vec<&'static str>,
    required: bool,
    /// Type as in the contract: `str`, `int`, `flag`, `dec`, `enum(a,b)`, ...
    pub kind: &'static str,
}

impl Param {
    /// The name.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or("")
    }

    /// The name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.names.iter().copied()
    }

    /// Must be sent.
    pub fn required(&self) -> bool {
        self.required
    }

    fn parse_all(text: &'static str) -> Vec<Param> {
        text.split_whitespace()
            .flat_map(|word| if word == "paged" { "page:int limit:int" } else { word }.split(' '))
            .map(Param::parse)
            .collect()
    }

    fn parse(text: &'static str) -> Param {
        let (names, kind) = text.split_once(':').unwrap_or((text, "str"));
        let bare = names.strip_suffix('*');
        Param { names: bare.unwrap_or(names).split('|').collect(), required: bare.is_some(), kind }
    }
}

/// Adds the schemas that a type needs, and answers its own.
pub type Part = fn(&mut Vec<(String, RefOr<Schema>)>) -> RefOr<Schema>;

/// The form of an answer, for OpenAPI.
#[derive(Debug)]
pub struct Shape {
    /// `message`; absent for answers without envelope.
    pub payload: Option<Part>,
    /// `data`, if there are extra fields.
    pub data: Option<Part>,
}

/// Payload of this type.
const fn of<T: ToSchema>() -> Shape {
    Shape { payload: Some(part::<T>), data: None }
}

/// A sentence, or a word.
const fn text() -> Shape {
    of::<String>()
}

/// Not an envelope.
const fn raw() -> Shape {
    Shape { payload: None, data: None }
}

impl Shape {
    /// With extra fields of this type.
    const fn and<D: ToSchema>(mut self) -> Shape {
        self.data = Some(part::<D>);
        self
    }
}

fn part<T: ToSchema>(all: &mut Vec<(String, RefOr<Schema>)>) -> RefOr<Schema> {
    T::schemas(all);
    T::schema()
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

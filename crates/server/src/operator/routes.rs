//! The calls of operators: part of the one table, with the roles of each and its word in the audit log.

use crate::http::reply::Code;
use engine::operator::{AuditAction, AuditObject};

use super::{
    Roles, accounts, appointment, audit, catalog, decide, desk, disputes, incidents, item, news, observations, proposals, queue,
    retirement, settlement, treasury, users,
};
use crate::http::limits::RateClass::{Free, Operator as Each, Sign};
use crate::http::messages::Message;
use crate::http::pools::Pool;
use crate::http::routes::Effect::{self, Commands, Looks, Writes};
use crate::http::routes::Verb::{self, Get, Post};
use crate::http::routes::{Access, Route, list, of, pages, raw, text};
use crate::http::security::Revoked;
use crate::http::wire::AnyMap;
use AuditAction::{ChangeSecret, Delete, LogOut, Reply, Save, Search, View};
use AuditObject::{
    Article, Audit as Audited, Catalog, Chat, Console, File, Incident, Member, Observation, Operator, Proposal, Queue, Ticket, Treasury,
    Withdrawal,
};

const ANY: Roles = Roles::ANY;
const SUPPORT: Roles = Roles::SUPPORT;
const VERIFIER: Roles = Roles::VERIFIER;
const TREASURY: Roles = Roles::TREASURY;
const MARKET: Roles = Roles::MARKET;
const AUDITOR: Roles = Roles::AUDITOR;
const ADMIN: Roles = Roles::ADMIN;
/// Whoever looks at members.
const DESKS: Roles = SUPPORT.or(VERIFIER).or(TREASURY).or(AUDITOR);

macro_rules! guest {
    ($verb:ident $path:literal, $rate:ident, $effect:ident, $params:literal, [$($refusal:ident)*], $shape:expr, $handler:path) => {
        Route {
            verb: Verb::$verb,
            path: $path,
            access: Access::Guest,
            rate: $rate,
            effect: Effect::$effect,
            params: $params,
            refusals: &[$(Code::$refusal),*],
            shape: $shape,
            audit: None,
            handler: |call| Box::pin($handler(call)),
        }
    };
}

macro_rules! row {
    ($verb:ident $path:literal, $roles:expr, $effect:ident, $word:literal $action:ident $object:ident, $params:literal, [$($refusal:ident)*], $shape:expr, $handler:path) => {
        Route {
            verb: $verb,
            path: concat!("/operator/api/", $path),
            access: Access::Operator($roles),
            rate: Each,
            effect: $effect,
            params: $params,
            refusals: &[$(Code::$refusal),*],
            shape: $shape,
            audit: Some(($word, $action, $object)),
            handler: |call| Box::pin($handler(call)),
        }
    };
}

/// Every call of operators (`api.md` 4.16), and the way in of a sandbox.
#[rustfmt::skip]
pub static ROUTES: &[Route] = &[
    // Who one is
    guest!(Post "/operator/api/login", Sign, Secret, "name*:str password*:str otp*:str", [LoginWait WrongCredentials WrongState], of::<String>().and::<accounts::OperatorLogin>(), accounts::login),
    guest!(Post "/operator/api/setup", Sign, Secret, "link*:str password:str otp:str", [LoginWait UnknownChallenge PasswordShort PasswordLong PasswordCommon SecondFactorWrong], of::<accounts::OperatorSetup>(), accounts::setup),
    guest!(Post "/sandbox/operator", Free, Secret, "role*:enum(support,verifier,treasury,market,auditor,admin) name:str", [], of::<appointment::SandboxOperator>(), appointment::sandbox),
    row!(Post "logout", ANY, Writes, "log_out" LogOut Console, "", [], text(), accounts::logout),
    row!(Get "me", ANY, Looks, "view" View Console, "", [], of::<accounts::Operator>().and::<accounts::Colleagues>(), accounts::me),
    row!(Post "password", ANY, Writes, "change_password" ChangeSecret Console, "old_password*:str password*:str otp*:str", [PasswordWrong PasswordShort PasswordCommon SecondFactorWrong], text(), accounts::change_password),
    row!(Get "operators", ADMIN.or(AUDITOR), Looks, "view" View Operator, "", [WrongRole], list::<accounts::Operator>(), appointment::list),
    row!(Post "operator/save", ADMIN, Commands, "propose" Save Operator, "id:int name*:str roles*:[str] active*:flag linked_member*:str mail:mail reason*:str", [WrongRole ReasonMissing BadField NotFound], of::<proposals::Proposal>(), appointment::save),
    row!(Post "operator/release", ADMIN, Commands, "release" Save Operator, "id*:int", [WrongRole NotFound WrongState], of::<accounts::Operator>(), appointment::release),
    // Queues
    row!(Get "queue", DESKS, Looks, "view" View Queue, "kind*:str status:enum(open,done,all) paged", [WrongRole BadField], pages::<queue::QueueRow>(), queue::list),
    row!(Get "item", DESKS, Looks, "view" View Queue, "kind*:str id*:int reason*:str", [WrongRole ReasonMissing NotFound], of::<item::QueueItem>(), item::show),
    row!(Get "file", DESKS, Looks, "view" View File, "key*:str view_id*:int", [WrongRole NotFound], raw(), item::file),
    row!(Post "decide", VERIFIER.or(TREASURY), Commands, "approve" Save Queue, "kind*:str id*:int decision*:enum(approve,reject) reason:str version*:int hash*:str reference:str observation_id:int otp:str", [WrongRole ReasonMissing SecondFactorRequired SecondFactorWrong NotFound WrongState ChangedSince SelfReview SameOperator UnknownChain DuplicateTx Confirmations DepositMin IdentityDuplicate PriceStale LoanToValue TreasuryShort], text().and::<decide::Decided>(), decide::decide),
    row!(Post "withdrawal/sent", TREASURY, Commands, "sent" Save Withdrawal, "id*:int tx*:str output:int", [WrongRole BadField NotFound WrongState DuplicateTx SelfReview], text().and::<decide::Sent>(), decide::sent),
    row!(Post "withdrawal/returned", TREASURY, Commands, "propose_return" Save Withdrawal, "id*:int reason*:str", [WrongRole ReasonMissing NotFound WrongState], of::<proposals::Proposal>(), decide::returned),
    row!(Post "withdrawal/unmark", TREASURY, Commands, "propose_unmark" Save Withdrawal, "id*:int reason*:str", [WrongRole ReasonMissing NotFound WrongState], of::<proposals::Proposal>(), decide::unmark),
    // Observed payments
    row!(Post "observation", TREASURY, Commands, "enter" Save Observation, "chain*:str tx*:str output*:int address*:str currency_id*:int amount*:dec confirmations*:int", [WrongRole BadField UnknownChain UnknownAsset BadAmount NotFound DuplicateTx SameOperator], of::<observations::Observation>(), observations::enter),
    row!(Get "observations", TREASURY.or(AUDITOR), Looks, "view" View Observation, "state:str paged", [WrongRole], pages::<observations::Observation>(), observations::list),
    row!(Post "observation/reverse", TREASURY, Commands, "propose_reverse" Save Observation, "id*:int reason*:str", [WrongRole ReasonMissing NotFound WrongState], of::<proposals::Proposal>(), observations::reverse),
    row!(Get "incidents", TREASURY.or(AUDITOR), Looks, "view" View Incident, "state:str paged", [WrongRole], pages::<incidents::Incident>(), incidents::list),
    row!(Get "disputes", TREASURY.or(AUDITOR), Looks, "view" View Withdrawal, "paged", [WrongRole], pages::<disputes::Dispute>(), disputes::list),
    // What needs two
    row!(Get "treasury", TREASURY.or(AUDITOR), Looks, "view" View Treasury, "", [WrongRole], list::<Pool>(), treasury::list),
    row!(Post "treasury/move", TREASURY, Commands, "propose_move" Save Treasury, "from*:str to*:str currency_id*:int amount*:dec reason*:str", [WrongRole ReasonMissing UnknownWallet UnknownAsset BadAmount FreeShort], of::<proposals::Proposal>(), treasury::move_capital),
    row!(Get "proposals", ANY, Looks, "view" View Proposal, "state:str paged", [], pages::<proposals::Proposal>(), proposals::list),
    row!(Post "proposal/confirm", VERIFIER.or(TREASURY).or(MARKET).or(ADMIN), Commands, "confirm" Save Proposal, "id*:int hash*:str otp:str", [WrongRole SecondFactorRequired SecondFactorWrong NotFound WrongState ChangedSince SameOperator FreeShort BadCatalog], of::<proposals::Proposal>(), proposals::confirm),
    row!(Post "proposal/cancel", ANY, Commands, "cancel" Save Proposal, "id*:int", [NotFound WrongState], of::<proposals::Proposal>(), proposals::cancel),
    row!(Post "proposal/stop", VERIFIER.or(TREASURY).or(MARKET).or(ADMIN), Commands, "propose_stop" Save Proposal, "id*:int reason*:str", [WrongRole ReasonMissing NotFound WrongState], of::<proposals::Proposal>(), proposals::stop),
    row!(Get "catalog", ANY, Looks, "view" View Catalog, "kind*:str", [BadField], list::<AnyMap>(), catalog::list),
    row!(Post "catalog/propose", MARKET, Commands, "propose" Save Catalog, "kind*:str id:int values*:map effective_ms:ms reason*:str", [WrongRole ReasonMissing BadField NotFound BadCatalog], of::<proposals::Proposal>(), catalog::propose_change),
    row!(Post "market/retire", MARKET, Commands, "propose_retirement" Save Catalog, "match_id*:int at_ms*:ms reason*:str", [WrongRole ReasonMissing UnknownMarket BadField WrongState], of::<proposals::Proposal>(), retirement::retire),
    row!(Post "catalog/pause", MARKET.or(ADMIN), Commands, "pause" Save Catalog, "product*:str match_id:int on*:flag reason*:str", [WrongRole ReasonMissing BadField UnknownMarket], text(), treasury::pause),
    // Members
    row!(Get "user/search", DESKS, Looks, "search" Search Member, "q*:str paged", [WrongRole BadField], pages::<users::UserRow>(), users::search),
    row!(Get "user/detail", DESKS, Looks, "view" View Member, "id*:int reason*:str", [WrongRole ReasonMissing NotFound], of::<users::UserDetail>(), users::detail),
    row!(Post "user/freeze", SUPPORT.or(VERIFIER).or(TREASURY), Commands, "freeze" Save Member, "id*:int scope*:enum(withdraw,all) reason*:str", [WrongRole ReasonMissing NotFound WrongState], text(), users::freeze),
    row!(Post "user/end_sessions", SUPPORT.or(VERIFIER).or(TREASURY), Writes, "end_sessions" Save Member, "id*:int reason*:str", [WrongRole ReasonMissing NotFound], text().and::<Revoked>(), users::end_sessions),
    row!(Post "user/unfreeze", VERIFIER.or(TREASURY), Commands, "propose_unfreeze" Save Member, "id*:int reason*:str", [WrongRole ReasonMissing NotFound WrongState], of::<proposals::Proposal>(), users::unfreeze),
    row!(Post "user/kyc_revoke", VERIFIER, Commands, "propose_revoke" Save Member, "id*:int level*:enum(1,2) reason*:str", [WrongRole ReasonMissing NotFound WrongState], of::<proposals::Proposal>(), users::revoke_identity),
    row!(Post "user/role", ADMIN, Commands, "propose_role" Save Member, "id*:int role*:enum(user,promoter,partner) reason*:str", [WrongRole ReasonMissing NotFound], of::<proposals::Proposal>(), users::referral_role),
    // What is written
    row!(Get "news", SUPPORT.or(MARKET).or(AUDITOR), Looks, "view" View Article, "id:int c_id:int lang:lang paged", [WrongRole], pages::<news::EditedNews>(), news::list),
    row!(Post "news/save", SUPPORT.or(MARKET), Writes, "save" Save Article, "id:int c_id*:int lang*:lang title*:str content:html cover:url link:str sorts:int publish_ms:ms", [WrongRole BadField NotFound BadFile], of::<news::EditedNews>(), news::save),
    row!(Post "news/delete", SUPPORT.or(MARKET), Writes, "delete" Delete Article, "id*:int", [WrongRole NotFound], text(), news::delete),
    row!(Post "ticket/reply", SUPPORT, Writes, "reply" Reply Ticket, "id*:int content*:str close:flag", [WrongRole BadField NotFound WrongState], of::<Message>(), desk::ticket),
    row!(Post "chat/reply", SUPPORT, Writes, "reply" Reply Chat, "user_id*:int content*:str", [WrongRole BadField NotFound], of::<Message>(), desk::chat),
    // What happened
    row!(Get "audit", AUDITOR.or(ADMIN), Looks, "view" View Audited, "operator_id:int action:str object:str object_id:int from_ms:ms to_ms:ms paged", [WrongRole], pages::<audit::AuditRow>(), audit::list),
    row!(Get "settlement", ANY, Looks, "view" View Console, "", [], of::<settlement::Settlement>(), settlement::show),
];

//! Members: who they are and how they authenticate. The engine knows them only by number.

mod identity;
mod registration;

use std::cmp::Reverse;

use engine::ids::UserId;

use crate::db::{Db, DbError, Done, Row, Sql, Value};
use crate::error::StoreError;
use crate::handle::Store;
use crate::lang::Lang;
use crate::page::Page;
use crate::sealed_columns::Cell;
use crate::sealing::Contact;
use crate::secrets::random_below;
use crate::sql;
use crate::vault::Vault;
pub use identity::{Identity, among, find};
pub use registration::{newest, registered, unregistered};

/// Digits of an account number.
const ACCOUNT_DIGITS: usize = 9;
/// Fewest digits by which an account number is found; fewer are the beginning of every hundredth.
const PREFIX_DIGITS: usize = 4;
/// Matches of a search that are read in one go.
const FEW: u64 = 200;

/// A row of `users`.
#[derive(Clone, Debug)]
pub struct Person {
    /// Number (UID).
    pub id: UserId,
    /// Public account number, also a login name.
    pub account_number: String,
    /// Own invitation code.
    pub invite_code: String,
    /// Shown name.
    pub nickname: String,
    /// Normalised mail address.
    pub email: Option<String>,
    /// Dial code and number, `49-15112345678`.
    pub phone: Option<String>,
    /// Stored form of the password.
    pub password: String,
    /// Stored language.
    pub lang: Lang,
    /// Sign-up, journal time.
    pub created_at_ms: u64,
    /// Key of their picture.
    pub avatar: Option<String>,
    /// The last change of the password, journal time; `None` while it is the first one.
    pub password_changed_at_ms: Option<u64>,
}

const COLUMNS: &str =
    "id, account_number, invite_code, nickname, email, phone, password, lang, created_at_ms, avatar, password_changed_at_ms";

fn person(vault: &Vault, row: &Row) -> Result<Person, DbError> {
    let account_number = row.text(1)?;
    let email = contact(vault, Contact::Email, &account_number, row, 4)?;
    let phone = contact(vault, Contact::Phone, &account_number, row, 5)?;
    let id = UserId(row.id(0)?);
    Ok(Person {
        id,
        account_number,
        invite_code: row.text(2)?,
        nickname: Cell::NICKNAME.open(vault, id, row.text(3)?)?,
        email,
        phone,
        password: row.text(6)?,
        lang: Lang::parse(&row.text(7)?).unwrap_or_default(),
        created_at_ms: row.id(8)?,
        avatar: row.maybe_text(9)?,
        password_changed_at_ms: row.maybe_int(10)?.and_then(|at| u64::try_from(at).ok()),
    })
}

fn contact(vault: &Vault, kind: Contact, account_number: &str, row: &Row, column: usize) -> Result<Option<String>, DbError> {
    row.maybe_blob(column)?.map(|cell| kind.open(vault, account_number, &cell)).transpose()
}

/// The member with this number; `E_AUTH` if there is none any more.
pub async fn get(store: &Store, user: UserId) -> Result<Person, StoreError> {
    let text = format!("select {COLUMNS} from users where id = $1");
    let done = store.db.query(Sql::new(text, vec![user.0.into()])).await?;
    Ok(person(&store.vault, done.first().ok_or(StoreError::NoMember)?)?)
}

/// The owner of an invitation code.
pub async fn inviter(db: &Db, invite_code: &str) -> Result<Option<UserId>, DbError> {
    let done = db.query(sql!("select id from users where invite_code = $1", invite_code)).await?;
    done.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// The data that sign-up stores.
#[derive(Debug)]
pub struct NewPerson<'a> {
    /// Mail address or phone.
    pub identity: &'a Identity,
    /// From [`account_number`].
    pub account_number: &'a str,
    /// Stored form of the password.
    pub password: String,
    /// The inviter.
    pub inviter: Option<UserId>,
    /// Two letters, or empty.
    pub country: &'a str,
    /// Language at sign-up.
    pub lang: Lang,
}

/// The account number of a new person: nine digits that reveal no position in a sequence.
pub fn account_number() -> Result<String, DbError> {
    Ok((100_000_000 + drawn(900_000_000)?).to_string())
}

fn drawn(bound: u64) -> Result<u64, DbError> {
    random_below(bound).map_err(|error| DbError::Failed(error.0))
}

/// Adds a person in one transaction with `others`, the first of which uses up the code. Returns the number.
pub async fn add(store: &Store, others: Vec<Sql>, new: NewPerson<'_>) -> Result<UserId, DbError> {
    let nickname = format!("Member {}", new.account_number.get(5..).unwrap_or_default());
    let email = (Contact::Email, if let Identity::Email(text) = new.identity { Some(text) } else { None });
    let phone = (Contact::Phone, if let Identity::Phone(text) = new.identity { Some(text) } else { None });
    let hash = |(kind, text): (Contact, Option<&String>)| text.map(|text| kind.hash(&store.vault, text));
    let sealed = |(kind, text): (Contact, Option<&String>)| text.map(|text| kind.seal(&store.vault, new.account_number, text)).transpose();
    let insert = sql!(
        "insert into users (account_number, invite_code, inviter_id, nickname, email_hash, email, phone_hash, phone, \
         password, lang, country, created_at_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id",
        new.account_number,
        invite_code()?,
        new.inviter.map(|inviter| inviter.0),
        nickname,
        hash(email),
        sealed(email)?,
        hash(phone),
        sealed(phone)?,
        new.password,
        new.lang.code(),
        new.country,
        store.now_ms()
    );
    let mut statements = others;
    statements.push(insert);
    let done = store.db.run(statements).await?;
    let id = done.last().and_then(|done| done.first()).ok_or_else(|| DbError::Failed("no id".to_owned()))?.id(0)?;
    Ok(UserId(id))
}

/// The member whose orders are the labelled house liquidity. The first row of every database, so its number is 1; it has no log-in.
pub const HOUSE: UserId = UserId(1);

/// Makes the row of [`HOUSE`] in an empty table.
pub async fn add_house(db: &Db, now_ms: u64) -> Result<(), DbError> {
    let insert = sql!(
        "insert into users (account_number, invite_code, nickname, password, lang, country, registered_seq, created_at_ms) \
         values ('house', $1, 'House liquidity', '', 'en', '', 0, $2) on conflict (account_number) do nothing",
        invite_code()?,
        now_ms
    );
    // Checked first, because a conflict would use up a number on every later start.
    if db.query(sql!("select id from users where account_number = 'house'")).await?.first().is_none() {
        db.exec(insert).await?;
    }
    Ok(())
}

fn invite_code() -> Result<String, DbError> {
    // Without 0, 1, I, L and O, because the code is read aloud and typed.
    const LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    (0..8)
        .map(|_| {
            let drawn = drawn(LETTERS.len() as u64)?;
            Ok(char::from(LETTERS[usize::try_from(drawn).unwrap_or_default()]))
        })
        .collect()
}

/// A member as operators see them in lists.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Number (UID).
    pub id: UserId,
    /// Public account number.
    pub account_number: String,
    /// Normalised mail address.
    pub email: Option<String>,
    /// Dial code and number, `49-15112345678`.
    pub phone: Option<String>,
    /// Named at sign-up: two letters, or empty.
    pub country: String,
    /// Sign-up, journal time.
    pub created_at_ms: u64,
}

/// All of them are in the index `users_listed`.
const LISTED: &str = "id, account_number, email, phone, country, created_at_ms";

fn listed(vault: &Vault, row: &Row) -> Result<Listed, DbError> {
    let account_number = row.text(1)?;
    Ok(Listed {
        id: UserId(row.id(0)?),
        email: contact(vault, Contact::Email, &account_number, row, 2)?,
        phone: contact(vault, Contact::Phone, &account_number, row, 3)?,
        account_number,
        country: row.text(4)?,
        created_at_ms: row.id(5)?,
    })
}

/// The member with this number, as operators see them.
pub async fn one_listed(store: &Store, user: UserId) -> Result<Option<Listed>, DbError> {
    let done = store.db.query(Sql::new(format!("select {LISTED} from users where id = $1"), vec![user.0.into()])).await?;
    done.first().map(|row| listed(&store.vault, row)).transpose()
}

/// One page of members with this mail address or phone, or with these digits as their number or as the beginning of their account number;
/// newest first. Each criterion uses its index, so searching a million members costs as much as searching ten.
pub async fn search(store: &Store, contact: Option<&Identity>, digits: Option<&str>, page: Page) -> Result<(Vec<Listed>, u64), DbError> {
    let (conditions, args) = conditions(&store.vault, contact, digits);
    if conditions.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let mut rows = store.db.query(Sql::new(few(&conditions), args.clone())).await?.rows;
    let mut total = rows.len() as u64;
    if total <= FEW {
        // For so few rows, sorting and counting here is cheaper than in the database. Two searches may find the same member.
        rows.sort_by_key(|row| Reverse(row.id(0).ok()));
        rows.dedup_by_key(|row| row.id(0).ok());
        total = rows.len() as u64;
        let (skip, take) = page.bounds();
        rows = rows.into_iter().skip(skip).take(take).collect();
    } else {
        let any = conditions.join(" or ");
        let count = Sql::new(format!("select count(*) from users where {any}"), args.clone());
        let (limit, offset) = (args.len() + 1, args.len() + 2);
        let newest = format!("select {LISTED} from users where {any} order by id desc limit ${limit} offset ${offset}");
        let newest = Sql::new(newest, [args, vec![page.limit.into(), page.offset().into()]].concat());
        let mut done = store.db.read(vec![count, newest]).await?;
        rows = done.pop().unwrap_or_default().rows;
        total = done.first().and_then(Done::first).map_or(Ok(0), |row| row.id(0))?;
    }
    Ok((rows.iter().map(|row| listed(&store.vault, row)).collect::<Result<_, _>>()?, total))
}

/// Reads the matches of each criterion, up to one more than [`FEW`]. A condition with `or` would fetch a row of the table for each match.
pub(crate) fn few(conditions: &[String]) -> String {
    let each: Vec<String> = conditions.iter().map(|condition| format!("select {LISTED} from users where {condition}")).collect();
    format!("{} limit {}", each.join(" union all "), FEW + 1)
}

/// The condition of each criterion to find a member, and the arguments of all.
pub(crate) fn conditions(vault: &Vault, contact: Option<&Identity>, digits: Option<&str>) -> (Vec<String>, Vec<Value>) {
    let (mut conditions, mut args) = (Vec::new(), Vec::new());
    if let Some(contact) = contact {
        let (column, key) = contact.key(vault);
        args.push(key.into());
        conditions.push(format!("{column} = $1"));
    }
    if let Some(digits) = digits {
        args.push(digits.parse::<u64>().unwrap_or(0).into());
        // The house is not a member.
        conditions.push(format!("id = ${} and id <> {}", args.len(), HOUSE.0));
        if digits.len() == ACCOUNT_DIGITS {
            args.push(digits.into());
            conditions.push(format!("account_number = ${}", args.len()));
        } else if (PREFIX_DIGITS..ACCOUNT_DIGITS).contains(&digits.len()) {
            args.extend([format!("{digits:0<ACCOUNT_DIGITS$}").into(), format!("{digits:9<ACCOUNT_DIGITS$}").into()]);
            conditions.push(format!("account_number between ${} and ${}", args.len() - 1, args.len()));
        }
    }
    (conditions, args)
}

/// The country that a member named at sign-up: two letters, or empty.
pub async fn country(db: &Db, user: UserId) -> Result<String, DbError> {
    let done = db.query(sql!("select country from users where id = $1", user.0)).await?;
    done.first().map_or(Ok(String::new()), |row| row.text(0))
}

/// Those of these members who exist, in any order.
pub async fn some(store: &Store, users: &[UserId]) -> Result<Vec<Person>, DbError> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let places: Vec<String> = (1..=users.len()).map(|place| format!("${place}")).collect();
    let text = format!("select {COLUMNS} from users where id in ({})", places.join(", "));
    let done = store.db.query(Sql::new(text, users.iter().map(|user| user.0.into()).collect())).await?;
    done.rows.iter().map(|row| person(&store.vault, row)).collect()
}

/// New password at this journal time.
pub fn set_password(user: UserId, password: String, now: u64) -> Sql {
    sql!("update users set password = $1, password_changed_at_ms = $2 where id = $3", password, now, user.0).exactly(1)
}

/// New mail address or phone. `Unique` if another member has it.
pub fn set_contact(store: &Store, of: &Person, contact: &Identity) -> Result<Sql, DbError> {
    let (kind, text) = changeable(contact)?;
    let column = kind.column();
    let update = format!("update users set {column}_hash = $1, {column} = $2 where id = $3");
    let sealed = kind.seal(&store.vault, &of.account_number, text)?;
    Ok(Sql::new(update, vec![kind.hash(&store.vault, text).into(), sealed.into(), of.id.0.into()]).exactly(1))
}

/// Misses if this mail address or phone is no longer the member's.
pub fn same_contact(store: &Store, of: UserId, contact: &Identity) -> Result<Sql, DbError> {
    let (kind, text) = changeable(contact)?;
    let column = kind.column();
    let text_hash = kind.hash(&store.vault, text);
    Ok(Sql::new(format!("update users set {column} = {column} where id = $1 and {column}_hash = $2"), vec![of.0.into(), text_hash.into()])
        .exactly(1))
}

fn changeable(contact: &Identity) -> Result<(Contact, &str), DbError> {
    match contact {
        Identity::Email(text) => Ok((Contact::Email, text)),
        Identity::Phone(text) => Ok((Contact::Phone, text)),
        Identity::Account(_) => Err(DbError::Failed("an account number does not change".to_owned())),
    }
}

/// New shown name.
pub fn set_nickname(store: &Store, user: UserId, nickname: &str) -> Result<Sql, DbError> {
    let sealed = Cell::NICKNAME.seal(&store.vault, user, nickname)?;
    Ok(sql!("update users set nickname = $1 where id = $2", sealed, user.0).exactly(1))
}

/// New picture.
pub fn set_avatar(user: UserId, key: &str) -> Sql {
    sql!("update users set avatar = $1 where id = $2", key, user.0).exactly(1)
}

/// The stored language of a member.
pub async fn lang(db: &Db, user: UserId) -> Result<Lang, DbError> {
    let done = db.query(sql!("select lang from users where id = $1", user.0)).await?;
    let code = done.first().map(|row| row.text(0)).transpose()?;
    Ok(code.and_then(|code| Lang::parse(&code)).unwrap_or_default())
}

/// New stored language.
pub fn set_lang(user: UserId, lang: Lang) -> Sql {
    sql!("update users set lang = $1 where id = $2", lang.code(), user.0).exactly(1)
}

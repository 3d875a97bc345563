//! Members: who they are and how they prove it. The engine knows them by number only.

use engine::ids::UserId;

use crate::app::App;
use crate::db::{Db, DbError, Row, Sql};
use crate::http::reply::{Refusal, refuse};
use crate::secrets::random_below;
use crate::sql;
use crate::text::Lang;

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
    /// End of the hold on withdrawals after a security change.
    pub withdraw_hold_until_ms: Option<u64>,
    /// Sign-up, journal time.
    pub created_at_ms: u64,
}

const COLUMNS: &str = "id, account_number, invite_code, nickname, email, phone, password, lang, withdraw_hold_until_ms, created_at_ms";

/// How a person is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Normalised mail address.
    Email(String),
    /// Dial code and number, `49-15112345678`.
    Phone(String),
    /// Public account number.
    Account(String),
}

impl Identity {
    /// The text that codes and waits are bound to.
    pub fn target(&self) -> &str {
        match self {
            Identity::Email(text) | Identity::Phone(text) | Identity::Account(text) => text,
        }
    }

    fn column(&self) -> &'static str {
        match self {
            Identity::Email(_) => "email",
            Identity::Phone(_) => "phone",
            Identity::Account(_) => "account_number",
        }
    }
}

fn person(row: &Row) -> Result<Person, DbError> {
    Ok(Person {
        id: UserId(row.id(0)?),
        account_number: row.text(1)?,
        invite_code: row.text(2)?,
        nickname: row.text(3)?,
        email: row.maybe_text(4)?,
        phone: row.maybe_text(5)?,
        password: row.text(6)?,
        lang: Lang::parse(&row.text(7)?).unwrap_or_default(),
        withdraw_hold_until_ms: row.maybe_int(8)?.and_then(|ms| u64::try_from(ms).ok()),
        created_at_ms: row.id(9)?,
    })
}

/// The person with this mail address, phone or account number.
pub async fn find(db: &Db, identity: &Identity) -> Result<Option<Person>, DbError> {
    let text = format!("select {COLUMNS} from users where {} = $1", identity.column());
    db.exec(Sql::new(text, vec![identity.target().into()])).await?.first().map(person).transpose()
}

/// The member with this number; `E_AUTH` if there is none any more.
pub async fn get(db: &Db, user: UserId) -> Result<Person, Refusal> {
    let text = format!("select {COLUMNS} from users where id = $1");
    let done = db.exec(Sql::new(text, vec![user.0.into()])).await?;
    Ok(person(done.first().ok_or_else(|| refuse("E_AUTH"))?)?)
}

/// The owner of an invitation code.
pub async fn inviter(db: &Db, invite_code: &str) -> Result<Option<UserId>, DbError> {
    let done = db.query(sql!("select id from users where invite_code = $1", invite_code)).await?;
    done.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// What sign-up stores.
#[derive(Debug)]
pub struct NewPerson<'a> {
    /// Mail address or phone.
    pub identity: &'a Identity,
    /// Stored form of the password.
    pub password: String,
    /// Who invited.
    pub inviter: Option<UserId>,
    /// Two letters, or empty.
    pub country: &'a str,
    /// Language at sign-up.
    pub lang: Lang,
}

/// Adds a person in one transaction with `first` (using up the code). Returns number and account number.
pub async fn add(app: &App, first: Sql, new: NewPerson<'_>) -> Result<(UserId, String), DbError> {
    let drawn = |bound| random_below(bound).map_err(|error| DbError::Failed(error.0));
    // Nine digits that cannot be taken for a place in a sequence.
    let account_number = (100_000_000 + drawn(900_000_000)?).to_string();
    let nickname = format!("Member {}", &account_number[5..]);
    let email = matches!(new.identity, Identity::Email(_)).then(|| new.identity.target());
    let phone = matches!(new.identity, Identity::Phone(_)).then(|| new.identity.target());
    let insert = sql!(
        "insert into users (account_number, invite_code, inviter_id, nickname, email, phone, password, lang, country, created_at_ms) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
        &account_number,
        invite_code()?,
        new.inviter.map(|inviter| inviter.0),
        nickname,
        email,
        phone,
        new.password,
        new.lang.code(),
        new.country,
        app.now_ms()
    );
    let done = app.db.run(vec![first, insert]).await?;
    let id = done.get(1).and_then(|done| done.first()).ok_or_else(|| DbError::Failed("no id".to_owned()))?.id(0)?;
    Ok((UserId(id), account_number))
}

/// The member whose orders are the labelled house liquidity. The first row of every database, so its number is 1; nobody can log in to it.
pub const HOUSE: UserId = UserId(1);

/// Makes the row of [`HOUSE`] in an empty table.
pub async fn add_house(db: &Db, now_ms: u64) -> Result<(), DbError> {
    let insert = sql!(
        "insert into users (account_number, invite_code, nickname, password, lang, country, registered_seq, created_at_ms) \
         values ('house', $1, 'House liquidity', '', 'en', '', 0, $2) on conflict (account_number) do nothing",
        invite_code()?,
        now_ms
    );
    // On later starts the number that the conflict would use up is spared.
    if db.exec(sql!("select id from users where account_number = 'house'")).await?.first().is_none() {
        db.exec(insert).await?;
    }
    Ok(())
}

fn invite_code() -> Result<String, DbError> {
    // Without 0, 1, I, L, O: it is read aloud and typed.
    const LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    (0..8)
        .map(|_| {
            let drawn = random_below(LETTERS.len() as u64).map_err(|error| DbError::Failed(error.0))?;
            Ok(char::from(LETTERS[usize::try_from(drawn).unwrap_or_default()]))
        })
        .collect()
}

/// Members that the engine may not know yet: sign-up was interrupted between the row and the journal.
pub async fn unregistered(db: &Db) -> Result<Vec<UserId>, DbError> {
    let done = db.exec(sql!("select id from users where registered_seq is null order by id")).await?;
    done.rows.iter().map(|row| row.id(0).map(UserId)).collect()
}

/// The highest number that a member ever had.
pub async fn newest(db: &Db) -> Result<u64, DbError> {
    let done = db.exec(sql!("select coalesce(max(id), 0) from users")).await?;
    done.rows.first().map_or(Ok(0), |row| row.id(0))
}

/// The journal knows this member since `seq`.
pub async fn registered(db: &Db, user: UserId, seq: u64) -> Result<(), DbError> {
    db.exec(sql!("update users set registered_seq = $1 where id = $2 and registered_seq is null", seq, user.0)).await?;
    Ok(())
}

/// New password; starts the hold on withdrawals.
pub fn set_password(user: UserId, password: String, hold_until_ms: u64) -> Sql {
    sql!("update users set password = $1, withdraw_hold_until_ms = $2 where id = $3", password, hold_until_ms, user.0).exactly(1)
}

/// New mail address; starts the hold on withdrawals. `Unique` if another member has it.
pub fn set_email(user: UserId, email: &str, hold_until_ms: u64) -> Sql {
    sql!("update users set email = $1, withdraw_hold_until_ms = $2 where id = $3", email, hold_until_ms, user.0).exactly(1)
}

/// New shown name.
pub fn set_nickname(user: UserId, nickname: &str) -> Sql {
    sql!("update users set nickname = $1 where id = $2", nickname, user.0).exactly(1)
}

/// New stored language.
pub fn set_lang(user: UserId, lang: Lang) -> Sql {
    sql!("update users set lang = $1 where id = $2", lang.code(), user.0).exactly(1)
}

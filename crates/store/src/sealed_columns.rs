//! Short texts about members in text columns: sealed and prefixed with a mark (see [`crate::vault`]). A text without the mark identifies no
//! one. Rows of earlier versions are sealed at the first start.

use data_encoding::BASE64_NOPAD;
use engine::ids::UserId;

use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::secrets::hex;
use crate::sql;
use crate::vault::{Place, Vault};

/// Log-ins from a device are found by its keyed hash.
pub const DEVICES: Migration =
    Migration { id: 26, name: "devices by hash", ddl: &["ALTER TABLE login_events ADD COLUMN device_hash TEXT"] };

/// When all is sealed, nothing plain is looked for again.
const LAST: Migration = Migration { id: 27, name: "devices, addresses, names and reasons are sealed", ddl: &[] };

/// Text typed by people never contains it.
const MARK: &str = "\u{1}";
/// Rows that one transaction seals.
const ROWS: u64 = 200;

/// A column of such texts.
#[derive(Debug)]
pub struct Cell {
    /// Table and column.
    name: &'static str,
    /// The column that names the member.
    owner: &'static str,
}

impl Cell {
    /// Browser and system of a session.
    pub const SESSION_DEVICE: Cell = Cell { name: "sessions.device", owner: "user_id" };
    /// Network address of a session.
    pub const SESSION_ADDRESS: Cell = Cell { name: "sessions.address", owner: "user_id" };
    /// Browser and system of a log-in.
    pub const LOGIN_DEVICE: Cell = Cell { name: "login_events.device", owner: "user_id" };
    /// Network address of a log-in.
    pub const LOGIN_ADDRESS: Cell = Cell { name: "login_events.address", owner: "user_id" };
    /// Why an operator looked or acted.
    pub const ACCESS_REASON: Cell = Cell { name: "access_log.reason", owner: "user_id" };
    /// A name that the member chose; that of a new member is plain, and derived from the account number.
    pub const NICKNAME: Cell = Cell { name: "users.nickname", owner: "id" };
    /// A value in a notice.
    pub const NOTICE: Cell = Cell { name: "notices.args", owner: "user_id" };
    const ALL: [&'static Cell; 7] = [
        &Cell::SESSION_DEVICE,
        &Cell::SESSION_ADDRESS,
        &Cell::LOGIN_DEVICE,
        &Cell::LOGIN_ADDRESS,
        &Cell::ACCESS_REASON,
        &Cell::NICKNAME,
        &Cell::NOTICE,
    ];

    fn place(&self, owner: UserId) -> Place<'static> {
        Place { column: self.name, owner, row: "" }
    }

    /// Seals a text of this member.
    pub fn seal(&self, vault: &Vault, owner: UserId, text: &str) -> Result<String, DbError> {
        Ok(MARK.to_owned() + &BASE64_NOPAD.encode(&vault.seal(self.place(owner), text.as_bytes())?))
    }

    /// Opens it.
    pub fn open(&self, vault: &Vault, owner: UserId, cell: String) -> Result<String, DbError> {
        let Some(sealed) = cell.strip_prefix(MARK) else { return Ok(cell) };
        vault.unseal_text(self.place(owner), &BASE64_NOPAD.decode(sealed.as_bytes()).map_err(DbError::failed)?)
    }

    fn seal_plain(&self, vault: &Vault, owner: UserId, cell: &str) -> Result<String, DbError> {
        if self.name != Cell::NOTICE.name {
            return self.seal(vault, owner, cell);
        }
        let mut args: Vec<(String, String)> = serde_json::from_str(cell).map_err(DbError::failed)?;
        for (_, value) in &mut args {
            *value = self.seal(vault, owner, value)?;
        }
        Ok(serde_json::json!(args).to_string())
    }

    /// Which rows are plain and about a person.
    fn plain(&self) -> String {
        match self.name {
            "users.nickname" => format!("nickname not like '{MARK}%' and nickname not like 'Member %'"),
            // The mark in its JSON form.
            "notices.args" => "args not like '%u0001%' and topic in ('new_device', 'frozen')".to_owned(),
            name => format!("{name} not like '{MARK}%'"),
        }
    }
}

/// The keyed hash by which log-ins from a device are found.
pub fn device_hash(vault: &Vault, device: &str) -> String {
    hex(&vault.index("login_events.device", device))
}

/// The keyed hash by which requests for codes from a network address are counted.
pub fn address_hash(vault: &Vault, address: &str) -> String {
    hex(&vault.index("code_requests.address", address))
}

/// Seals rows of an earlier version. The next start continues one that was interrupted.
pub async fn seal_old(db: &Db, vault: &Vault) -> Result<(), DbError> {
    if db.query(sql!("select id from migrations where id = $1", LAST.id)).await?.first().is_some() {
        return Ok(());
    }
    let mut any = false;
    for cell in Cell::ALL {
        any |= column(db, vault, cell).await?;
    }
    // These count for twelve hours, and by their hash from now on.
    db.exec(sql!("delete from code_requests where length(address) <> 64")).await?;
    db.migrate(&[LAST]).await?;
    if any { db.compact().await } else { Ok(()) }
}

/// True if there was something plain.
async fn column(db: &Db, vault: &Vault, cell: &Cell) -> Result<bool, DbError> {
    let (table, column) = cell.name.split_once('.').unwrap_or_default();
    let text = format!("select id, {}, {column} from {table} where id > $1 and {} order by id limit $2", cell.owner, cell.plain());
    let devices = cell.name == Cell::LOGIN_DEVICE.name;
    let update = format!("update {table} set {column} = $1{} where id = $2", if devices { ", device_hash = $3" } else { "" });
    let seal = |row: &Row| {
        let plain = row.text(2)?;
        let mut args = vec![cell.seal_plain(vault, UserId(row.id(1)?), &plain)?.into(), row.id(0)?.into()];
        if devices {
            args.push(device_hash(vault, &plain).into());
        }
        Ok(Sql::new(update.clone(), args))
    };
    let mut after = 0;
    loop {
        let rows = db.query(Sql::new(text.clone(), vec![after.into(), ROWS.into()])).await?.rows;
        let Some(last) = rows.last() else { return Ok(after > 0) };
        db.run(rows.iter().map(seal).collect::<Result<_, DbError>>()?).await?;
        after = last.id(0)?;
    }
}

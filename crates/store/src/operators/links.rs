//! Which member account an operator has, by log-in name and mail address. The engine has the links in the log; these are the ones the log
//! does not have yet.

use std::collections::HashMap;

use engine::ids::{OperatorId, UserId};

use super::{Operator, id, known, rows};
use crate::db::{DbError, Sql};
use crate::handle::Store;
use crate::people::{self, Identity, Person};
use crate::sql;

/// The member who owns a log-in name or a mail address: that of the name, if both belong to members.
pub async fn member_of(store: &Store, name: &str, mail: Option<&str>) -> Result<Option<UserId>, DbError> {
    Ok(members_of(store, name, mail).await?.first().copied())
}

/// The members who own a log-in name and a mail address; the name's first.
pub async fn members_of(store: &Store, name: &str, mail: Option<&str>) -> Result<Vec<UserId>, DbError> {
    let mut members = Vec::new();
    for identity in identities(name, mail) {
        members.extend(people::find(store, &identity).await?.map(|person| person.id));
    }
    Ok(members)
}

/// The identities of an operator that can also be a member's, the log-in name first.
fn identities(name: &str, mail: Option<&str>) -> impl Iterator<Item = Identity> {
    let named = if name.contains('@') { Identity::Email(name.to_owned()) } else { Identity::Account(name.to_owned()) };
    std::iter::once(named).chain(mail.map(|mail| Identity::Email(mail.to_owned())))
}

impl Operator {
    fn identities(&self) -> impl Iterator<Item = Identity> {
        identities(&self.name, self.mail.as_deref())
    }

    fn has(&self, wanted: &Identity) -> bool {
        self.identities().any(|identity| identity == *wanted)
    }
}

/// The member that an operator is by log-in name or mail address.
pub(super) async fn member(store: &Store, operator: &Operator) -> Result<Option<UserId>, DbError> {
    match member_of(store, &operator.name, operator.mail.as_deref()).await? {
        // If the member has just given the address up, the row has them by now.
        None => Ok(bound(store).await?.get(&operator.id).copied()),
        found => Ok(found),
    }
}

/// The members that rows of operators name.
async fn bound(store: &Store) -> Result<HashMap<OperatorId, UserId>, DbError> {
    let done = store.db.query(sql!("select id, member_id from operators where member_id is not null")).await?;
    done.rows.iter().map(|row| Ok((id(row, 0)?, UserId(row.id(1)?)))).collect()
}

/// Whether another operator has this mail address, as log-in name or for the one-time link.
pub async fn another_has(store: &Store, mail: &str, own: &str) -> Result<bool, DbError> {
    let wanted = Identity::Email(mail.to_owned());
    Ok(rows(store).await?.iter().any(|operator| operator.name != own && operator.has(&wanted)))
}

/// Whether this address belongs to an operator who is another member, as log-in name or for the one-time link. No one else may take it, or
/// one operator would be two members.
pub async fn reserves(store: &Store, wanted: &Identity, member: Option<UserId>) -> Result<bool, DbError> {
    for found in rows(store).await? {
        if found.has(wanted) && store.engine().operator(found.id).is_some() {
            let owner = known(store, Some(found)).await?.and_then(|operator| operator.member);
            if owner.is_some() && owner != member {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Operators without a member in the log whose log-in name or mail address has become a member's, with that member. The number of queries
/// does not depend on the number of operators.
pub async fn unlinked(store: &Store) -> Result<Vec<(OperatorId, UserId)>, DbError> {
    let mut open = rows(store).await?;
    open.retain(|found| store.engine().operator(found.id).is_some_and(|known| known.member.is_none()));
    let members = people::among(store, open.iter().flat_map(Operator::identities)).await?;
    // The rows are read last: a member who gave the address up before the members were read is in the row by now.
    let bound = bound(store).await?;
    let linked = |operator: &Operator| {
        let owner = operator.identities().find_map(|identity| members.get(&identity));
        bound.get(&operator.id).or(owner).map(|member| (operator.id, *member))
    };
    Ok(open.iter().filter_map(linked).collect())
}

/// Before a member's mail address changes: an operator known as this member by it stays this member.
pub async fn bind(store: &Store, member: &Person) -> Result<Vec<Sql>, DbError> {
    let Some(own) = member.email.clone().map(Identity::Email) else { return Ok(Vec::new()) };
    let bound = rows(store).await?.into_iter().filter(|operator| operator.member.is_none() && operator.has(&own));
    Ok(bound.map(|operator| sql!("update operators set member_id = $1 where id = $2", member.id.0, operator.id.0)).collect())
}

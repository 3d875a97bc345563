//! Which member an operator is, by log-in name and mail address. What the log knows of it is in the engine; here is what it has to learn.

use std::collections::HashMap;

use engine::ids::{OperatorId, UserId};

use super::{Operator, id, known, rows};
use crate::db::{DbError, Sql};
use crate::handle::Store;
use crate::people::{self, Identity, Person};
use crate::sql;

/// The member to whom a log-in name or a mail address belongs.
pub async fn member_of(store: &Store, name: &str, mail: Option<&str>) -> Result<Option<UserId>, DbError> {
    for identity in identities(name, mail) {
        if let Some(person) = people::find(store, &identity).await? {
            return Ok(Some(person.id));
        }
    }
    Ok(None)
}

/// What a member can have of an operator, the log-in name first.
fn identities(name: &str, mail: Option<&str>) -> impl Iterator<Item = Identity> {
    let named = if name.contains('@') { Identity::Email(name.to_owned()) } else { Identity::Account(name.to_owned()) };
    std::iter::once(named).chain(mail.map(|mail| Identity::Email(mail.to_owned())))
}

/// The members that rows of operators name.
pub(super) async fn bound(store: &Store) -> Result<HashMap<OperatorId, UserId>, DbError> {
    let done = store.db.query(sql!("select id, member_id from operators where member_id is not null")).await?;
    done.rows.iter().map(|row| Ok((id(row, 0)?, UserId(row.id(1)?)))).collect()
}

/// Whether another operator has this mail address, as log-in name or for the one-time link.
pub async fn another_has(store: &Store, mail: &str, own: &str) -> Result<bool, DbError> {
    let has = |operator: &Operator| operator.name == mail || operator.mail.as_deref() == Some(mail);
    Ok(rows(store).await?.iter().any(|operator| operator.name != own && has(operator)))
}

/// Whether this is the log-in name of an operator who is another member, or their one-time link went there: nobody else may have it, or
/// one operator would be two members.
pub async fn reserves(store: &Store, wanted: &Identity, member: Option<UserId>) -> Result<bool, DbError> {
    for found in rows(store).await? {
        if identities(&found.name, found.mail.as_deref()).any(|identity| identity == *wanted) && store.engine().operator(found.id).is_some()
        {
            let owner = known(store, Some(found)).await?.and_then(|operator| operator.member);
            if owner.is_some() && owner != member {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Operators without a member in the log whose log-in name or mail address came to be a member's, with that member. As many readings,
/// however many they are.
pub async fn unlinked(store: &Store) -> Result<Vec<(OperatorId, UserId)>, DbError> {
    let mut open = rows(store).await?;
    open.retain(|found| store.engine().operator(found.id).is_some_and(|known| known.member.is_none()));
    let wanted = open.iter().flat_map(|operator| identities(&operator.name, operator.mail.as_deref()));
    let members = people::among(store, wanted).await?;
    // The rows last: whoever left the address before the members were read is bound by now.
    let bound = bound(store).await?;
    let linked = |operator: &Operator| {
        let owner = identities(&operator.name, operator.mail.as_deref()).find_map(|identity| members.get(&identity));
        bound.get(&operator.id).or(owner).map(|member| (operator.id, *member))
    };
    Ok(open.iter().filter_map(linked).collect())
}

/// Before a member's mail address changes: an operator known as this member by it stays this member.
pub async fn bind(store: &Store, member: &Person) -> Result<Vec<Sql>, DbError> {
    let own = member.email.clone().map(Identity::Email);
    let known = |operator: &Operator| identities(&operator.name, operator.mail.as_deref()).any(|identity| Some(identity) == own);
    let bound = rows(store).await?.into_iter().filter(|operator| operator.member.is_none() && known(operator));
    Ok(bound.map(|operator| sql!("update operators set member_id = $1 where id = $2", member.id.0, operator.id.0)).collect())
}

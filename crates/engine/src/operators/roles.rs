//! Roles of operators (0.6).

use serde::{Deserialize, Serialize};

/// A set of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles(pub u8);

impl Roles {
    /// Tickets, chats, news, search, freeze.
    pub const SUPPORT: Roles = Roles(1);
    /// Identity and resets of fund passwords.
    pub const VERIFIER: Roles = Roles(2);
    /// Money in and out.
    pub const TREASURY: Roles = Roles(4);
    /// Catalog and news.
    pub const MARKET: Roles = Roles(8);
    /// Reads everything.
    pub const AUDITOR: Roles = Roles(16);
    /// Operators and referral roles.
    pub const ADMIN: Roles = Roles(32);
    /// Any operator with a session.
    pub const ANY: Roles = Roles(63);
    /// The wire names, in the order of the bits.
    pub const WORDS: [&'static str; 6] = ["support", "verifier", "treasury", "market", "auditor", "admin"];

    /// One of either.
    pub const fn or(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// The role with this wire name.
    pub fn parse(word: &str) -> Option<Roles> {
        Roles::WORDS.iter().position(|known| *known == word).map(|at| Roles(1 << at))
    }

    /// At least one in common.
    pub fn meets(self, other: Roles) -> bool {
        self.0 & other.0 != 0
    }

    /// The wire names of these roles.
    pub fn words(self) -> Vec<&'static str> {
        Roles::WORDS.iter().enumerate().filter(|(at, _)| self.0 & (1 << at) != 0).map(|(_, word)| *word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_bits_that_the_log_knows() {
        let words: Vec<u8> = Roles::WORDS.iter().filter_map(|word| Roles::parse(word)).map(|roles| roles.0).collect();
        assert_eq!((words, Roles::parse("owner")), (vec![1, 2, 4, 8, 16, 32], None));
        assert_eq!(Roles(36).words(), ["treasury", "admin"]);
        assert!(Roles::ANY.meets(Roles::ADMIN) && !Roles::TREASURY.meets(Roles::ADMIN));
    }
}

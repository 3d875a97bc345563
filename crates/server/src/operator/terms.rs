//! Terms of products in the catalog: of each the values of its rows, both ways, and what is wrong with them.

pub(super) mod contract;
pub(super) mod conversion;
pub(super) mod loan;
pub(super) mod offering;
pub(super) mod option;
pub(super) mod plan;

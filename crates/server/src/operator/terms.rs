//! Product terms in the catalog: the values of each product's rows to the wire and back, and what is wrong with them.

pub(super) mod contract;
pub(super) mod conversion;
pub(super) mod loan;
pub(super) mod offering;
pub(super) mod option;
pub(super) mod plan;

//! Converts amounts between the units of a chain and our atoms.

/// Atoms, rounded down, and the rest in the chain's unit; `None` when they do not fit.
pub fn atoms(raw: u128, chain_decimals: u8, decimals: u8) -> Option<(u64, u64)> {
    match chain_decimals.checked_sub(decimals) {
        Some(finer) => {
            let unit = 10u128.checked_pow(finer.into())?;
            Some((u64::try_from(raw / unit).ok()?, u64::try_from(raw % unit).ok()?))
        }
        None => {
            let unit = 10u128.checked_pow(u32::from(decimals - chain_decimals))?;
            Some((u64::try_from(raw.checked_mul(unit)?).ok()?, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::atoms;

    #[test]
    fn ether_is_rounded_down_to_atoms_and_the_rest_is_told() {
        assert_eq!(atoms(1_234_567_891_234_567_899, 18, 8), Some((123_456_789, 1_234_567_899)));
        assert_eq!(atoms(9_999_999_999, 18, 8), Some((0, 9_999_999_999)));
        assert_eq!(atoms(0, 18, 8), Some((0, 0)));
    }

    #[test]
    fn equal_units_stay_and_coarser_ones_grow() {
        assert_eq!(atoms(25_000_000, 6, 6), Some((25_000_000, 0)));
        assert_eq!(atoms(7, 2, 6), Some((70_000, 0)));
    }

    #[test]
    fn what_does_not_fit_is_no_amount() {
        assert_eq!(atoms(u128::from(u64::MAX), 6, 6), Some((u64::MAX, 0)));
        assert_eq!(atoms(u128::from(u64::MAX) + 1, 6, 6), None);
        assert_eq!(atoms(u128::MAX, 2, 6), None);
        assert_eq!(atoms(1, 255, 6), None);
        assert_eq!(atoms(1, 0, 255), None);
        // The remainder alone may be too long, too.
        assert_eq!(atoms(u128::MAX / 2, 38, 0), None);
    }
}

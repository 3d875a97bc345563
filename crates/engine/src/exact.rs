//! Sums, differences and products that a rule keeps within bounds. Each use names that rule, so a reader finds the proof where it is
//! needed, and a broken rule stops the entry instead of continuing with a wrong number.

/// A count of single objects: no log is long enough for it to overflow.
pub(crate) const COUNTED: &str = "a count of entries or of what they made fits its type";

/// Whole numbers with a known bound.
pub(crate) trait Exact: Sized {
    /// The sum, which `proof` bounds.
    fn plus(self, other: Self, proof: &'static str) -> Self;

    /// The difference, which `proof` says is not below the smallest number.
    fn less(self, other: Self, proof: &'static str) -> Self;

    /// The product, which `proof` bounds.
    fn times(self, other: Self, proof: &'static str) -> Self;
}

macro_rules! exact {
    ($($number:ty),*) => {$(
        impl Exact for $number {
            #[track_caller]
            fn plus(self, other: $number, proof: &'static str) -> $number {
                self.checked_add(other).expect(proof)
            }

            #[track_caller]
            fn less(self, other: $number, proof: &'static str) -> $number {
                self.checked_sub(other).expect(proof)
            }

            #[track_caller]
            fn times(self, other: $number, proof: &'static str) -> $number {
                self.checked_mul(other).expect(proof)
            }
        }
    )*};
}

exact!(u32, u64, usize, i128);

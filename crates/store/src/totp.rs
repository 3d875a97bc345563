//! Codes of authenticator apps (RFC 6238): SHA-1, 6 digits, 30 s; by the wall clock, also in a sandbox.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use subtle::ConstantTimeEq;

const STEP_MS: u64 = 30_000;
/// Clocks of phones may be off by this many steps, either way.
const DRIFT: u64 = 1;

/// The code of this time step.
pub fn code(secret: &[u8], step: u64) -> String {
    // HMAC accepts keys of any length.
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(secret) else { return String::new() };
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest.last().copied().unwrap_or(0) & 0x0f);
    let number = digest.iter().skip(offset).take(4).fold(0, |number: u32, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}

/// The step of this instant, milliseconds since 1970.
pub fn step(wall_ms: u64) -> u64 {
    wall_ms / STEP_MS
}

/// The step that the typed code belongs to, if it is near now and after the last one that was used.
pub fn accepted(secret: &[u8], typed: &str, wall_ms: u64, last_step: Option<u64>) -> Option<u64> {
    let now = step(wall_ms);
    let near = now.saturating_sub(DRIFT)..=now + DRIFT;
    near.filter(|step| last_step.is_none_or(|last| *step > last)).find(|step| code(secret, *step).as_bytes().ct_eq(typed.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_published_vectors() {
        // RFC 6238, appendix B: the last six of its eight digits.
        let vectors = [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ];
        for (second, wanted) in vectors {
            assert_eq!(code(SECRET, step(second * 1_000)), wanted);
        }
        // RFC 4226, appendix D.
        for (counter, wanted) in
            ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"].iter().enumerate()
        {
            assert_eq!(code(SECRET, counter as u64), *wanted);
        }
    }

    #[test]
    fn a_code_is_good_for_one_step_either_way_and_once() {
        let (now, at) = (1_000_000 * STEP_MS + 7, 1_000_000);
        for (step, good) in [(at - 2, false), (at - 1, true), (at, true), (at + 1, true), (at + 2, false)] {
            assert_eq!(accepted(SECRET, &code(SECRET, step), now, None), good.then_some(step), "{step}");
        }
        assert_eq!(accepted(SECRET, &code(SECRET, at), now, Some(at)), None);
        assert_eq!(accepted(SECRET, &code(SECRET, at - 1), now, Some(at)), None);
        assert_eq!(accepted(SECRET, &code(SECRET, at + 1), now, Some(at)), Some(at + 1));
        assert_eq!(accepted(SECRET, "", now, None), None);
    }
}

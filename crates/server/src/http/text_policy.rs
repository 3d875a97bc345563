//! The text policy (`docs/api.md` 1.5): which texts people may enter.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// NFC, trimmed; `None` if it holds a character that is refused.
pub fn clean_text(raw: &str) -> Option<String> {
    // Marks are counted as they were typed, because composition hides one of them.
    let mut marks = 0;
    for c in raw.chars() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > 4 {
            return None;
        }
    }
    let clean: String = raw.trim().nfc().collect();
    let sound = |(at, c)| !is_refused(c) && (!matches!(c, '\u{200c}' | '\u{200d}') || joins(&clean[..at]));
    clean.char_indices().all(sound).then_some(clean)
}

fn is_refused(c: char) -> bool {
    let code = u32::from(c);
    c.is_control()
        || matches!(code,
            0x200B | 0x200E | 0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB
            | 0xE000..=0xF8FF | 0xF_0000..=0x10_FFFF | 0xE_0000..=0xE_0FFF | 0xFDD0..=0xFDEF)
        || code & 0xFFFE == 0xFFFE
}

/// Joiners are needed after letters of joining scripts and after emoji; after plain ASCII they only hide something.
fn joins(before: &str) -> bool {
    before.chars().next_back().is_some_and(|c| !c.is_ascii() && !matches!(c, '\u{200c}' | '\u{200d}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_normalised_and_dangerous_characters_are_refused() {
        assert_eq!(clean_text("  Ame\u{301}lie ").as_deref(), Some("Am\u{e9}lie"));
        for good in ["<script>alert(1)</script>", "' OR 1=1--", "{{7*7}}", "=cmd()", "👨\u{200d}👩\u{200d}👧", "می\u{200c}خواهم"]
        {
            assert_eq!(clean_text(good).as_deref(), Some(good));
        }
        for bad in
            ["a\0b", "a\nb", "\u{202e}abc", "a\u{200f}b", "a\u{200b}b", "\u{e000}", "a\u{301}\u{301}\u{301}\u{301}\u{301}", "a\u{200d}b"]
        {
            assert_eq!(clean_text(bad), None, "{bad:?}");
        }
    }
}

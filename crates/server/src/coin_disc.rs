//! The pictures of coins, drawn like those of the app: a tinted disc with the coin's sign or its first letter.

/// The longest code that is drawn.
const LONGEST: usize = 16;
/// The signs that are drawn, on a field of 24 by 24, and the tints.
const SIGNS: [(&str, Sign, &str); 4] = [
    (
        "BTC",
        Sign::Path(
            "M9 6v12M7 6h6.200a3 3 0 010 6H9M13.200 12h.6a3 3 0 010 6H7M10.500 6V3.800M13.500 6V3.800M10.500 18v2.200M13.500 18v2.200",
        ),
        "#e8b878",
    ),
    ("ETH", Sign::Path("M6.500 6h11M8 12h8M6.500 18h11"), "#a9b4e8"),
    ("USDT", Sign::Path("M6 5.500h12M12 5.500V19M8 13l8-3M8 16.500l8-3"), "#7fd1b4"),
    ("USDC", Sign::Letter('$'), "#8fb8ea"),
];
const OTHER: &str = "#c5a3e8";
const INK: &str = "#0b0e14";

#[derive(Clone, Copy)]
enum Sign {
    Path(&'static str),
    Letter(char),
}

/// The picture of the coin with this code; `None` for an invalid code.
pub fn svg(code: &str) -> Option<String> {
    let code = code.to_ascii_uppercase();
    let first = code.chars().next().filter(|_| code.len() <= LONGEST && code.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
    let known = SIGNS.iter().find(|(name, ..)| *name == code);
    let (sign, tint) = known.map_or((Sign::Letter(first), OTHER), |(_, sign, tint)| (*sign, *tint));
    let mark = match sign {
        Sign::Path(path) => format!(
            r#"<path d="{path}" transform="translate(4.800 4.800) scale(.6)" stroke="{INK}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>"#
        ),
        Sign::Letter(letter) => format!(
            r#"<text x="12" y="16" text-anchor="middle" font-family="sans-serif" font-size="11" font-weight="600" fill="{INK}">{letter}</text>"#
        ),
    };
    Some(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"><circle cx="12" cy="12" r="12" fill="{tint}"/>{mark}</svg>"#
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_picture_and_nothing_else_has() {
        for (code, mark) in [("btc", "<path"), ("usdc", ">$</text>"), ("sol", ">S</text>"), ("1inch", ">1</text>")] {
            assert!(svg(code).is_some_and(|picture| picture.contains(mark) && picture.ends_with("</svg>")), "{code}");
        }
        for no_code in ["", "../btc", "a<b", "é", "12345678901234567"] {
            assert_eq!(svg(no_code), None, "{no_code}");
        }
    }
}

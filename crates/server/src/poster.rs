//! Pictures for invitations: code, link as a QR code and a few words in one of eleven languages, drawn from an SVG text with embedded fonts
//! ([decision 45](../../../docs/decisions/0045-referral.md)). One thread draws them, and the most recent pictures are cached.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use qrcode::{Color, EcLevel, QrCode};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use rust_embed::RustEmbed;
use skrifa::raw::TableProvider;
use skrifa::{FontRef, MetadataProvider};
use tokio::sync::{OnceCell, Semaphore};

use crate::background::{Pool, Turn};
use crate::i18n::{Lang, filled, text};

/// Backgrounds to choose from.
pub const BACKGROUNDS: usize = 3;
/// Paper and lines of each.
const PAPERS: [(&str, &str); BACKGROUNDS] = [("#101820", "#3d6f8f"), ("#0f3d3e", "#5fa8a0"), ("#f5f1e8", "#b59f78")];
/// Words on each.
const INKS: [&str; BACKGROUNDS] = ["#ffffff", "#ffffff", "#1b1b1b"];
/// Pictures that may wait, and pictures that are cached.
const ROOM: usize = 32;
const WIDTH: u32 = 1_080;
const HEIGHT: u32 = 1_440;
/// Longest row of words, and the parts of a letter's size that its width is counted in.
const ROW: u32 = 980;
const UNITS: u32 = 1_000;
/// Largest side of the white square of the code, its upper edge, and the quiet zone in it: four modules (ISO 18004).
const SQUARE: usize = 560;
const TOP: usize = 320;
const QUIET: usize = 4;

/// Subsets of Noto Sans (SIL Open Font License 1.1, `fonts/LICENSE`).
#[derive(RustEmbed)]
#[folder = "fonts"]
struct Fonts;

static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for name in Fonts::iter().filter(|name| name.ends_with(".ttf")) {
        fonts.load_font_data(Fonts::get(&name).map(|file| file.data.into_owned()).unwrap_or_default());
    }
    Options { fontdb: Arc::new(fonts), ..Options::default() }
});

/// The content of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poster {
    /// Language of its words.
    pub lang: Lang,
    /// Which background, below [`BACKGROUNDS`].
    pub background: usize,
    /// Link in the QR code.
    pub url: String,
    /// Invitation code.
    pub code: String,
    /// Name of the inviting member.
    pub nickname: String,
    /// Shown in part where the name cannot be drawn.
    pub masked_number: String,
}

/// A picture that is drawn once, however many callers request it.
type Picture = Arc<OnceCell<Arc<[u8]>>>;

/// The thread that draws, and the last pictures.
#[derive(Debug)]
pub struct Posters {
    pool: Pool,
    room: Semaphore,
    kept: Mutex<VecDeque<(Poster, Picture)>>,
}

impl Posters {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start() -> io::Result<Posters> {
        Ok(Posters { pool: Pool::start("poster", 1, Turn::Idle)?, room: Semaphore::new(ROOM), kept: Mutex::default() })
    }

    /// The picture as PNG; `None` when too many others wait, or it could not be drawn.
    pub async fn draw(&self, poster: Poster) -> Option<Arc<[u8]>> {
        let picture = self.picture(&poster);
        let drawn = picture.get_or_try_init(|| async {
            let _place = self.room.try_acquire().map_err(drop)?;
            let png = self.pool.run(move || poster.png()).await.flatten();
            png.map(Arc::from).ok_or(())
        });
        drawn.await.ok().cloned()
    }

    fn picture(&self, poster: &Poster) -> Picture {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, picture)) = kept.iter().find(|(known, _)| known == poster) {
            return picture.clone();
        }
        if kept.len() >= ROOM {
            kept.pop_front();
        }
        let picture = Picture::default();
        kept.push_back((poster.clone(), picture.clone()));
        picture
    }
}

impl Poster {
    fn png(&self) -> Option<Vec<u8>> {
        let tree = Tree::from_str(&self.svg()?, &OPTIONS).ok()?;
        let mut picture = Pixmap::new(WIDTH, HEIGHT)?;
        resvg::render(&tree, Transform::identity(), &mut picture.as_mut());
        picture.encode_png().ok()
    }

    /// The picture as text. Everything typed by a person is escaped, and it contains only what the fonts can draw.
    fn svg(&self) -> Option<String> {
        let (paper, line) = PAPERS.get(self.background)?;
        let ink = INKS.get(self.background)?;
        let own = self.families();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"{own}\" font-weight=\"500\" \
             text-anchor=\"middle\" fill=\"{ink}\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>"
        );
        // A globe of faint meridians.
        for radius in [120, 260, 400, 540, 680] {
            let _ = write!(
                svg,
                "<ellipse cx=\"540\" cy=\"690\" rx=\"{radius}\" ry=\"680\" fill=\"none\" stroke=\"{line}\" stroke-width=\"2\" opacity=\"0.35\"/>"
            );
        }
        let mut words = |y: u32, largest: u32, words: &str| {
            let size = fitting(words, largest);
            let _ = write!(svg, "<text x=\"540\" y=\"{y}\" font-size=\"{size}\">{}</text>", escaped(words));
        };
        words(120, 44, "Meridian");
        words(230, 64, text(self.lang, "poster.title"));
        words(1_010, 40, text(self.lang, "poster.scan"));
        words(1_130, 34, text(self.lang, "poster.code"));
        words(1_220, 84, &self.code);
        words(1_340, 36, &filled(self.lang, "poster.from", &[("name", &self.name())]));
        self.draw_code(&mut svg)?;
        svg.push_str("</svg>");
        Some(svg)
    }

    /// The link as a QR code, which decodes from a screenshot.
    fn draw_code(&self, svg: &mut String) -> Option<()> {
        let code = QrCode::with_error_correction_level(&self.url, EcLevel::M).ok()?;
        let width = code.width();
        let (left, step) = placed(width);
        let side = step * (width + 2 * QUIET);
        let _ = write!(svg, "<rect x=\"{left}\" y=\"{TOP}\" width=\"{side}\" height=\"{side}\" rx=\"24\" fill=\"#ffffff\"/>");
        let _ =
            write!(svg, "<path shape-rendering=\"crispEdges\" fill=\"#000000\" transform=\"translate({left} {TOP}) scale({step})\" d=\"");
        for (at, _) in code.to_colors().iter().enumerate().filter(|(_, color)| **color == Color::Dark) {
            let _ = write!(svg, "M{} {}h1v1h-1z", at % width + QUIET, at / width + QUIET);
        }
        svg.push_str("\"/>");
        Some(())
    }

    /// The member's name, or part of their number if the fonts lack one of its letters.
    fn name(&self) -> String {
        let drawn = !self.nickname.trim().is_empty() && self.nickname.chars().all(is_drawn);
        if drawn { self.nickname.clone() } else { self.masked_number.clone() }
    }

    /// The fonts of this language first: the same Han character is drawn in another way in each.
    fn families(&self) -> &'static str {
        match self.lang {
            Lang::Jp => "Noto Sans Medium, Noto Sans JP Medium, Noto Sans SC Medium, Noto Sans KR Medium, Noto Sans Thai Medium",
            Lang::Kr => "Noto Sans Medium, Noto Sans KR Medium, Noto Sans SC Medium, Noto Sans JP Medium, Noto Sans Thai Medium",
            Lang::Hk => "Noto Sans Medium, Noto Sans TC Medium, Noto Sans SC Medium, Noto Sans JP Medium, Noto Sans KR Medium",
            _ => "Noto Sans Medium, Noto Sans SC Medium, Noto Sans JP Medium, Noto Sans KR Medium, Noto Sans Thai Medium",
        }
    }
}

/// Left edge of the square of a code with this many modules, and the pixels per module: whole ones, so every edge is sharp.
fn placed(modules: usize) -> (usize, usize) {
    let with_zone = modules + 2 * QUIET;
    let step = (SQUARE / with_zone).max(1);
    (540_usize.saturating_sub(step * with_zone / 2), step)
}

/// The largest size at which the words leave a margin on both sides of the picture.
fn fitting(words: &str, largest: u32) -> u32 {
    let width: u32 = words.chars().filter_map(|letter| WIDTHS.get(&letter)).sum();
    (ROW * UNITS / width.max(1)).min(largest)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// One of the fonts has it.
fn is_drawn(letter: char) -> bool {
    WIDTHS.contains_key(&letter)
}

/// The letters that the fonts have, and the width of each in thousandths of its size; of several fonts' the largest.
static WIDTHS: LazyLock<HashMap<char, u32>> = LazyLock::new(|| {
    let mut widths = HashMap::new();
    for face in OPTIONS.fontdb.faces() {
        OPTIONS.fontdb.with_face_data(face.id, |data, index| {
            let Ok(font) = FontRef::from_index(data, index) else { return };
            let (Ok(advances), Ok(head)) = (font.hmtx(), font.head()) else { return };
            let size = u32::from(head.units_per_em()).max(1);
            for (letter, glyph) in font.charmap().mappings() {
                let (Some(letter), Some(width)) = (char::from_u32(letter), advances.advance(glyph)) else { continue };
                let width = (u32::from(width) * UNITS).div_ceil(size);
                widths.entry(letter).and_modify(|known: &mut u32| *known = width.max(*known)).or_insert(width);
            }
        });
    }
    widths
});

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["poster.title", "poster.scan", "poster.code", "poster.from"];

    fn poster(lang: Lang, nickname: &str) -> Poster {
        Poster {
            lang,
            background: 0,
            url: "https://meridian.example/h5/#/pages/user/login/register?extension_code=ABCDEFGH".to_owned(),
            code: "ABCDEFGH".to_owned(),
            nickname: nickname.to_owned(),
            masked_number: "12****89".to_owned(),
        }
    }

    #[test]
    fn the_fonts_have_every_letter_of_every_language() {
        for lang in Lang::ALL {
            for key in KEYS {
                let missing: Vec<char> = text(lang, key).chars().filter(|letter| !is_drawn(*letter)).collect();
                assert!(missing.is_empty(), "{} {key}: {missing:?}", lang.code());
            }
        }
    }

    #[test]
    fn every_language_and_background_is_a_picture_whose_code_is_the_link() {
        for (at, lang) in Lang::ALL.into_iter().enumerate() {
            let poster = Poster { background: at % BACKGROUNDS, ..poster(lang, "Ann") };
            let png = poster.png().unwrap();
            let picture = image::load_from_memory(&png).unwrap().into_luma8();
            assert_eq!((picture.width(), picture.height()), (WIDTH, HEIGHT));
            let code = QrCode::with_error_correction_level(&poster.url, EcLevel::M).unwrap();
            let (left, step) = placed(code.width());
            let middle = |module: usize| (module + QUIET) * step + step / 2;
            for y in 0..code.width() {
                for x in 0..code.width() {
                    let at = (u32::try_from(left + middle(x)).unwrap(), u32::try_from(TOP + middle(y)).unwrap());
                    let dark = code[(x, y)] == Color::Dark;
                    assert_eq!(picture.get_pixel(at.0, at.1).0[0] < 128, dark, "{} at {x} {y}", lang.code());
                }
            }
        }
    }

    #[test]
    fn a_name_with_markup_is_only_words_and_one_that_the_fonts_lack_is_the_number() {
        let svg = poster(Lang::En, "<script>&amp;</text>").svg().unwrap();
        assert!(svg.contains("Invited by &lt;script&gt;&amp;amp;&lt;/text&gt;"), "{svg}");
        let plain = poster(Lang::En, "Ann").svg().unwrap();
        assert_eq!(svg.matches('<').count(), plain.matches('<').count(), "no element of its own");
        for name in ["王小明", "홍길동", "สมชาย", "たなか", "Łukasz Žižka", "Ελένη", "Иван"] {
            assert!(poster(Lang::En, name).svg().unwrap().contains(name), "{name}");
        }
        for name in ["🦊 fox", "محمد", "a\u{0}b", "  "] {
            assert!(poster(Lang::En, name).svg().unwrap().contains("Invited by 12****89"), "{name:?}");
        }
    }

    #[test]
    fn the_widest_name_leaves_a_margin() {
        for name in ["W".repeat(32), "ﷺ".repeat(32), "漢".repeat(32), "W漢".repeat(16)] {
            let png = poster(Lang::En, &name).png().unwrap();
            let picture = image::load_from_memory(&png).unwrap().into_luma8();
            // The faint lines of the globe stay below this.
            let written = |x: u32| (1_290..1_360).any(|y| picture.get_pixel(x, y).0[0] > 128);
            assert!((0..40).chain(WIDTH - 40..WIDTH).all(|x| !written(x)), "{name}");
            assert!((40..WIDTH - 40).any(written), "{name}");
        }
    }

    #[tokio::test]
    async fn a_picture_is_drawn_once_and_kept() {
        let posters = Posters::start().unwrap();
        // Enough requests to fill all places, but all for the same picture.
        let asked = (0..2 * ROOM).map(|_| posters.draw(poster(Lang::Jp, "Ann")));
        let burst = futures_util::future::join_all(asked).await;
        let first = burst[0].clone().unwrap();
        assert!(burst.iter().all(|drawn| drawn.as_ref().is_some_and(|png| Arc::ptr_eq(png, &first))));
        let again = posters.draw(poster(Lang::Jp, "Ann")).await.unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let other = posters.draw(poster(Lang::Kr, "Ann")).await.unwrap();
        assert_ne!(first, other);
        for at in 0..ROOM {
            posters.draw(poster(Lang::En, &format!("Ann {at}"))).await.unwrap();
        }
        assert_eq!(posters.kept.lock().unwrap().len(), ROOM);
    }
}

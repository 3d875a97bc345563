//! Pictures from strangers: recognised by content, measured before decoding, and re-encoded as a bare JPEG. None of the original bytes
//! survive: no position, comment, colour profile, thumbnail or tail.

mod png8;

use std::io::Cursor;

use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, Limits, RgbImage};
use store::files::Picture;

use self::png8::Png8;

/// Largest file.
pub const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// Most pixels.
pub const MAX_PIXELS: u64 = 25_000_000;
/// Longest side.
pub const MAX_SIDE: u32 = 12_000;
/// Shortest side of a picture of papers. Print on a card is 2 mm high: with 480 pixels for the card's 54 mm it has 17, as it takes to read it.
pub const PAPERS_MIN_SIDE: u32 = 480;
/// A real progressive picture has about ten scans; each one costs a pass over the whole picture.
const MAX_SCANS: usize = 64;
/// Most pixels times scans: the largest picture with as many scans as real ones have.
const MAX_WORK: u64 = MAX_PIXELS * 12;
const QUALITY: u8 = 85;

/// Why a file is not an acceptable picture; the word of `data.rule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Neither JPEG, PNG nor WebP, or more than one frame.
    Type,
    /// Too many bytes.
    Size,
    /// Too many pixels.
    Dimensions,
    /// Cannot be decoded.
    Damaged,
}

impl Flaw {
    /// The wire name.
    pub fn word(self) -> &'static str {
        match self {
            Flaw::Type => "type",
            Flaw::Size => "size",
            Flaw::Dimensions => "dimensions",
            Flaw::Damaged => "damaged",
        }
    }
}

/// Memory for decoding and re-encoding, MiB, known without decoding; refuses what would be refused anyway.
pub fn memory_mib(bytes: &[u8]) -> Result<u32, Flaw> {
    let (width, height) = decoder(bytes)?.dimensions();
    let of_a_pixel = match image::guess_format(bytes) {
        // While it is rotated upright it is in memory twice, at three bytes a pixel.
        Ok(ImageFormat::Png) => 6,
        // The coefficients of a progressive JPEG, and the pixels made from them.
        _ => 12,
    };
    let mib = u64::from(width) * u64::from(height) * of_a_pixel / (1024 * 1024);
    Ok(u32::try_from(mib).unwrap_or(u32::MAX) + 8)
}

/// The picture, upright and re-encoded.
pub fn normalise(bytes: &[u8]) -> Result<Picture, Flaw> {
    let mut decoder = decoder(bytes)?;
    let orientation = decoder.orientation().map_err(|_| Flaw::Damaged)?;
    let image = DynamicImage::from_decoder(decoder).map_err(|_| Flaw::Damaged)?;
    let mut image = DynamicImage::from(on_white(image));
    image.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY).encode_image(&image).map_err(|_| Flaw::Damaged)?;
    Ok(Picture { jpeg, width: image.width(), height: image.height() })
}

fn decoder(bytes: &[u8]) -> Result<Box<dyn ImageDecoder + '_>, Flaw> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Flaw::Size);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_PIXELS * 4 + 16 * 1024 * 1024);
    let mut decoder: Box<dyn ImageDecoder + '_> = match image::guess_format(bytes).map_err(|_| Flaw::Type)? {
        ImageFormat::Jpeg => {
            let (whole, scans) = jpeg_extent(bytes).ok_or(Flaw::Damaged)?;
            let decoder = JpegDecoder::new(Cursor::new(whole)).map_err(|_| Flaw::Damaged)?;
            let (width, height) = decoder.dimensions();
            if u64::from(width) * u64::from(height) * scans as u64 > MAX_WORK {
                return Err(Flaw::Dimensions);
            }
            Box::new(decoder)
        }
        ImageFormat::Png => Box::new(Png8::new(png_bare(bytes)?)?),
        ImageFormat::WebP => {
            let decoder = WebPDecoder::new(Cursor::new(webp_extent(bytes).ok_or(Flaw::Damaged)?)).map_err(|_| Flaw::Damaged)?;
            if decoder.has_animation() {
                return Err(Flaw::Type);
            }
            Box::new(decoder)
        }
        _ => return Err(Flaw::Type),
    };
    check_size(decoder.dimensions())?;
    decoder.set_limits(limits).map_err(|_| Flaw::Damaged)?;
    Ok(decoder)
}

fn check_size((width, height): (u32, u32)) -> Result<(), Flaw> {
    if width > MAX_SIDE || height > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Flaw::Dimensions);
    }
    if width == 0 || height == 0 { Err(Flaw::Damaged) } else { Ok(()) }
}

/// The bytes up to the end mark of a JPEG, and its scans. A file without end mark was cut off; one with endless scans is a trap.
fn jpeg_extent(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (mut at, mut scans) = (2, 0);
    loop {
        // Finds the next marker. Stuffed bytes and restart markers inside a scan are data.
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xff)?;
        at += 1;
        match *bytes.get(at)? {
            0xff => continue,
            0x00 | 0x01 | 0xd0..=0xd8 => {}
            0xd9 => return Some((bytes.get(..=at)?, scans)),
            marker => {
                scans += usize::from(marker == 0xda);
                let length = [*bytes.get(at + 1)?, *bytes.get(at + 2)?];
                at += usize::from(u16::from_be_bytes(length));
            }
        }
        if scans > MAX_SCANS {
            return None;
        }
        at += 1;
    }
}

/// A PNG without what its pixels do not need: a colour profile or text is compressed, and a few kilobytes of it expand to gigabytes.
fn png_bare(bytes: &[u8]) -> Result<Vec<u8>, Flaw> {
    let (head, mut rest) = bytes.split_at_checked(8).ok_or(Flaw::Damaged)?;
    let mut bare = head.to_vec();
    loop {
        let (length, name) = rest.first_chunk::<8>().ok_or(Flaw::Damaged)?.split_at(4);
        let length = length.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
        // The data has length, name and checksum around it.
        let (chunk, after) = rest.split_at_checked(length.saturating_add(12)).ok_or(Flaw::Damaged)?;
        match name {
            b"acTL" => return Err(Flaw::Type),
            b"IHDR" | b"PLTE" | b"tRNS" | b"eXIf" | b"IDAT" => bare.extend_from_slice(chunk),
            b"IEND" => {
                bare.extend_from_slice(chunk);
                return Ok(bare);
            }
            _ => {}
        }
        rest = after;
    }
}

/// The bytes up to the end of a WebP, with all chunks within: memory is allocated by the length that a chunk claims.
fn webp_extent(bytes: &[u8]) -> Option<&[u8]> {
    let length = |at: &[u8]| Some(usize::try_from(u32::from_le_bytes(*at.get(4..)?.first_chunk()?)).unwrap_or(usize::MAX));
    let whole = bytes.get(..length(bytes)?.saturating_add(8)).unwrap_or(bytes);
    let mut rest = whole.get(12..)?;
    while rest.len() >= 8 {
        let length = length(rest)?;
        rest.get(8..length.saturating_add(8))?;
        // Chunks begin at even offsets.
        rest = rest.get(length.saturating_add(length % 2).saturating_add(8)..).unwrap_or_default();
    }
    Some(whole)
}

/// A JPEG has no transparency: transparent parts become white.
fn on_white(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let (width, height) = (image.width(), image.height());
    let mut pixels = image.into_rgba8().into_raw();
    // In place: three bytes are written where four were read.
    let mut to = 0;
    for from in (0..pixels.len()).step_by(4) {
        let alpha = u16::from(pixels[from + 3]);
        for channel in from..from + 3 {
            let mixed = (u16::from(pixels[channel]) * alpha + 255 * (255 - alpha)) / 255;
            pixels[to] = u8::try_from(mixed).unwrap_or(u8::MAX);
            to += 1;
        }
    }
    pixels.truncate(to);
    RgbImage::from_raw(width, height, pixels).unwrap_or_default()
}

#[cfg(test)]
mod tests;

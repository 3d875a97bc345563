use image::codecs::png::PngDecoder;
use image::{ColorType, ImageBuffer, Rgba, RgbaImage};

use super::*;

/// Width and height, without decoding.
fn measure(bytes: &[u8]) -> Result<(u32, u32), Flaw> {
    decoder(bytes).map(|decoder| decoder.dimensions())
}

fn encoded(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = RgbImage::from_fn(width, height, |x, y| image::Rgb([(x * 7) as u8, (y * 3) as u8, (x ^ y) as u8]));
    picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn flaw(bytes: &[u8]) -> Option<Flaw> {
    // Measuring gives the same verdict as decoding, or none.
    let measured = measure(bytes).err();
    let made = normalise(bytes).err();
    assert!(measured.is_none() || measured == made, "{measured:?} {made:?}");
    made
}

/// A chunk of a PNG with its checksum.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [&name[..], data].concat();
    [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

const PNG_HEAD: &[u8] = b"\x89PNG\r\n\x1a\n";

fn png_of(width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    [PNG_HEAD, &chunk(b"IHDR", &header), &chunk(b"IDAT", &[0x78, 0x9c, 0x63, 0, 0]), &chunk(b"IEND", &[])].concat()
}

#[test]
fn the_three_kinds_become_a_jpeg_of_the_same_size() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let bytes = encoded(format, 61, 43);
        assert_eq!(measure(&bytes), Ok((61, 43)), "{format:?}");
        let picture = normalise(&bytes).unwrap();
        assert_eq!((picture.width, picture.height), (61, 43));
        assert_eq!(image::guess_format(&picture.jpeg).ok(), Some(ImageFormat::Jpeg));
    }
}

#[test]
fn other_kinds_are_refused_by_content() {
    let others: [&[u8]; 13] = [
        b"",
        b"\xff",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<!doctype html>",
        b"%PDF-1.7",
        b"GIF89a\x01\0\x01\0\0\0\0",
        b"II*\0\x08\0\0\0",
        b"BM\0\0\0\0",
        b"\0\0\x01\0\x01\0",
        b"PK\x03\x04",
        b"MZ",
        b"\0\0\0\x18ftypheic",
        b"RIFF\0\0\0\0AVI ",
    ];
    for other in others {
        assert_eq!(flaw(other), Some(Flaw::Type), "{other:?}");
    }
}

#[test]
fn more_than_one_frame_is_refused() {
    let still = encoded(ImageFormat::Png, 4, 4);
    let (head, rest) = still.split_at(PNG_HEAD.len() + 25);
    let animated = [head, &chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]), rest].concat();
    assert_eq!(flaw(&animated), Some(Flaw::Type));

    // The extended WebP header declares an animation: 4 by 4 pixels, two frames.
    let extended = [&b"VP8X\x0a\0\0\0\x02\0\0\0\x03\0\0\x03\0\0"[..], b"ANIM\x06\0\0\0\0\0\0\0\0\0"].concat();
    let still = encoded(ImageFormat::WebP, 4, 4);
    let frame = [&[0; 12][..], &[100, 0, 0, 0], &still[12..]].concat();
    let frame = [b"ANMF", &u32::try_from(frame.len()).unwrap().to_le_bytes()[..], &frame].concat();
    let body = [b"WEBP", &extended[..], &frame, &frame].concat();
    let animated = [b"RIFF", &u32::try_from(body.len()).unwrap().to_le_bytes()[..], &body].concat();
    assert_eq!(flaw(&animated), Some(Flaw::Type));
}

#[test]
fn too_many_pixels_are_refused_before_they_are_decoded() {
    let started = std::time::Instant::now();
    for (width, height) in [(60_000, 60_000), (12_001, 1), (1, 12_001), (5_001, 5_000), (u32::MAX >> 1, 1)] {
        assert_eq!(flaw(&png_of(width, height)), Some(Flaw::Dimensions), "{width} x {height}");
    }
    // A JPEG whose frame header is changed to 65,500 by 65,500.
    let mut jpeg = encoded(ImageFormat::Jpeg, 16, 16);
    let at = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[at + 5..at + 9].copy_from_slice(&[0xff, 0xdc, 0xff, 0xdc]);
    assert_eq!(flaw(&jpeg), Some(Flaw::Dimensions));
    assert!(started.elapsed().as_secs() < 2);
}

#[test]
fn what_was_cut_off_or_bent_is_damaged() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = encoded(format, 64, 64);
        for part in [13, 40, whole.len() / 2, whole.len() - 20] {
            assert_eq!(flaw(&whole[..part]), Some(Flaw::Damaged), "{format:?} {part}");
        }
    }
    assert_eq!(flaw(&encoded(ImageFormat::Jpeg, 8, 8)[..3]), Some(Flaw::Damaged));
    let mut png = encoded(ImageFormat::Png, 64, 64);
    let middle = png.len() / 2;
    png[middle] ^= 0x55;
    assert_eq!(flaw(&png), Some(Flaw::Damaged));
    assert_eq!(flaw(&png_of(4_000, 4_000)), Some(Flaw::Damaged));
}

#[test]
fn a_jpeg_of_endless_scans_is_refused() {
    let whole = encoded(ImageFormat::Jpeg, 16, 16);
    let at = whole.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    let scan = &whole[at..whole.len() - 2];
    let scans = |count: usize| [&whole[..at], &scan.repeat(count), &[0xff, 0xd9]].concat();
    assert_eq!(jpeg_extent(&scans(10)).map(|(_, scans)| scans), Some(10));
    assert!(jpeg_extent(&scans(65)).is_none());
    assert_eq!(flaw(&scans(10_000)), Some(Flaw::Damaged));
}

#[test]
fn a_jpeg_of_many_pixels_and_many_scans_is_refused_before_it_is_decoded() {
    // The head alone gives the size; nothing of this is ever decoded.
    let small = encoded(ImageFormat::Jpeg, 16, 16);
    let sized = |side: u16, count: usize| {
        let mut whole = small.clone();
        let frame = whole.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        whole[frame + 5..frame + 7].copy_from_slice(&side.to_be_bytes());
        whole[frame + 7..frame + 9].copy_from_slice(&side.to_be_bytes());
        let at = whole.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
        let scan = &whole[at..whole.len() - 2];
        [&whole[..at], &scan.repeat(count), &[0xff, 0xd9]].concat()
    };
    for (side, scans, wanted) in
        [(5_000, 12, None), (5_000, 13, Some(Flaw::Dimensions)), (2_000, 60, None), (3_000, 60, Some(Flaw::Dimensions))]
    {
        assert_eq!(decoder(&sized(side, scans)).err(), wanted, "{side} pixels a side, {scans} scans");
    }
}

/// Zeros packed by hand: the fixed code, one zero, then "258 bytes like the last one" again and again.
fn packed_zeros(repeats: usize) -> Vec<u8> {
    let bits = ["110", "00110000", &"1100010100000".repeat(repeats), "0000000"].concat();
    let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | (bit - b'0'));
    let length = u32::try_from(1 + 258 * repeats).unwrap();
    let sum = (length % 65_521) << 16 | 1;
    let packed: Vec<u8> = bits.as_bytes().chunks(8).map(byte).collect();
    [&[0x78, 0x9c], &packed[..], &sum.to_be_bytes()].concat()
}

#[test]
fn a_packed_colour_profile_is_never_unfolded() {
    let still = encoded(ImageFormat::Png, 4, 4);
    let (head, rest) = still.split_at(PNG_HEAD.len() + 25);
    let profile = [&b"x\0\0"[..], &packed_zeros(80_000)].concat();
    let bomb = [head, &chunk(b"iCCP", &profile), &chunk(b"zTXt", &profile), rest].concat();
    // Only the library decompresses it.
    let unfolded = PngDecoder::new(Cursor::new(&bomb)).unwrap().icc_profile().unwrap();
    assert_eq!(unfolded.map(|profile| profile.len()), Some(1 + 258 * 80_000));
    assert_eq!(decoder(&bomb).unwrap().icc_profile().unwrap(), None);
    assert_eq!(png_bare(&bomb), png_bare(&still));
    assert_eq!(normalise(&bomb).unwrap().jpeg, normalise(&still).unwrap().jpeg);
    // A picture without its end mark was cut off.
    assert_eq!(flaw(&still[..still.len() - 12]), Some(Flaw::Damaged));
}

#[test]
fn a_webp_asks_for_no_more_than_it_holds() {
    let still = encoded(ImageFormat::WebP, 4, 4);
    let file = |claimed: u32| {
        let extended = b"VP8X\x0a\0\0\0\x08\0\0\0\x03\0\0\x03\0\0";
        let body = [b"WEBP", &extended[..], &still[12..], b"EXIF", &claimed.to_le_bytes(), b"II*\0"].concat();
        [b"RIFF", &u32::try_from(body.len()).unwrap().to_le_bytes()[..], &body].concat()
    };
    assert_eq!(flaw(&file(4)), None);
    for claimed in [5, 1_000_000_000, u32::MAX] {
        assert_eq!(measure(&file(claimed)), Err(Flaw::Damaged), "{claimed}");
    }
    // Data after the end is ignored.
    assert_eq!(flaw(&[&still[..], b"EXIF\xff\xff\xff\xff"].concat()), None);
}

#[test]
fn what_shines_through_is_white() {
    let mut bytes = Vec::new();
    let picture = RgbaImage::from_pixel(16, 16, Rgba([0, 0, 0, 0]));
    picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    let shown = image::load_from_memory(&normalise(&bytes).unwrap().jpeg).unwrap().into_rgb8();
    assert!(shown.pixels().all(|pixel| pixel.0.iter().all(|channel| *channel > 250)));
}

#[test]
fn a_png_takes_a_byte_for_a_channel() {
    let picture = ImageBuffer::from_fn(40, 30, |x, y| Rgba([x as u16 * 1_600, y as u16 * 2_100, 0x80ff, u16::MAX]));
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    let read = decoder(&bytes).unwrap();
    assert_eq!((read.color_type(), read.total_bytes()), (ColorType::Rgba8, 40 * 30 * 4));
    // As close to the original as 8 bits allow.
    let read = DynamicImage::from_decoder(read).unwrap().into_rgba8();
    assert!(
        read.pixels().zip(picture.pixels()).all(|(ours, given)| (0..4).all(|at| given.0[at].abs_diff(u16::from(ours.0[at]) * 257) < 257))
    );
}

#[test]
fn the_colours_of_a_palette_are_read() {
    // Two pixels of one bit each: the second colour, then the first, which is half transparent.
    let header = [&2_u32.to_be_bytes()[..], &1_u32.to_be_bytes(), &[1, 3, 0, 0, 0]].concat();
    let rows = [0x78, 0x01, 0x01, 0x02, 0x00, 0xfd, 0xff, 0x00, 0x80, 0x00, 0x82, 0x00, 0x81];
    let chunks = [chunk(b"IHDR", &header), chunk(b"PLTE", &[200, 0, 0, 0, 100, 0]), chunk(b"tRNS", &[128]), chunk(b"IDAT", &rows)];
    let bytes = [PNG_HEAD, &chunks.concat(), &chunk(b"IEND", &[])].concat();
    let read = DynamicImage::from_decoder(decoder(&bytes).unwrap()).unwrap();
    assert_eq!(read.into_rgba8().into_raw(), [0, 100, 0, 255, 200, 0, 0, 128]);
}

#[test]
fn a_picture_is_turned_upright() {
    // Orientation 6: the right side of the stored picture is the bottom.
    let turned = [&b"II*\0\x08\0\0\0\x01\0"[..], &[0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0], &[0; 4]].concat();
    let mut bytes = Vec::new();
    let halves = RgbaImage::from_fn(32, 16, |x, _| if x < 16 { Rgba([0, 0, 0, 255]) } else { Rgba([0, 0, 0, 0]) });
    halves.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    let (head, rest) = bytes.split_at(PNG_HEAD.len() + 25);
    let picture = normalise(&[head, &chunk(b"eXIf", &turned), rest].concat()).unwrap();
    assert_eq!((picture.width, picture.height), (16, 32));
    let shown = image::load_from_memory(&picture.jpeg).unwrap().into_rgb8();
    assert!(shown.get_pixel(8, 2).0[0] < 10 && shown.get_pixel(8, 29).0[0] > 245);
}

#[test]
fn bytes_at_random_never_panic() {
    let mut random = fastrand::Rng::with_seed(7);
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = encoded(format, 24, 24);
        for _ in 0..300 {
            let mut bent = whole.clone();
            for _ in 0..random.usize(1..6) {
                let at = random.usize(12..bent.len());
                bent[at] = random.u8(..);
            }
            bent.truncate(random.usize(12..=bent.len()));
            let _ = normalise(&bent);
        }
    }
}

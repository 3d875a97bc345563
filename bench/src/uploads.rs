//! A hundred pictures of up to 5 MiB at once: the server's peak memory, and how many it accepted. The others must be asked to try later.

use std::fmt::Write as _;
use std::io::Cursor;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use image::codecs::jpeg::JpegEncoder;
use image::{ImageBuffer, ImageFormat, RgbImage, Rgba};

use crate::http::{Connection, Outcome, Server, members};
use crate::report::{Ratios, Section};

const UPLOADS: usize = 100;
const LARGEST: usize = 5 * 1024 * 1024;
const MEMORY_MIB: f64 = 512.0;

/// Measures with photos from a phone, and with the pictures that need the most memory.
pub fn run(meridian: &Path, _rounds: usize) -> Outcome<Section> {
    let mut memory = Ratios::new("peak memory / 512 MiB", 1.0);
    let mut taken = Ratios::new("photos sent / taken", 1.0);
    let mut note = String::new();
    let kinds = [
        ("photos of 12 megapixels", photo()?, true),
        ("PNGs of 25 megapixels and 16 bits", deep()?, false),
        ("progressive JPEGs of 25 megapixels", progressive()?, false),
    ];
    for (kind, picture, usual) in kinds {
        let data = tempfile::tempdir()?;
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1"];
        let server =
            Server::start(Command::new(meridian).args(arguments).args(["--trusted-proxy", "127.0.0.1", "--data"]).arg(data.path()))?;
        let tokens = members(&server, UPLOADS)?;
        let start = Instant::now();
        let answers = send_at_once(server.address, &tokens, &picture)?;
        let done = answers.iter().filter(|answer| answer.contains("\"code\":1")).count();
        let peak = server.peak_mib()?;
        memory.add(peak / MEMORY_MIB);
        if usual {
            taken.add(UPLOADS as f64 / done as f64);
        }
        if let Some(other) = answers.iter().find(|answer| !answer.contains("\"code\":1") && !answer.contains("E_NOT_READY")) {
            return Err(format!("neither taken nor put off: {other}").into());
        }
        let mib = picture.len() as f64 / 1024.0 / 1024.0;
        let seconds = start.elapsed().as_secs_f64();
        write!(note, "{kind} ({mib:.1} MiB): {done} of {UPLOADS} taken, all answered in {seconds:.1} s, {peak:.0} MiB. ")?;
    }
    Ok(Section { title: format!("{UPLOADS} uploads at once"), note, ratios: vec![memory, taken] })
}

fn send_at_once(address: SocketAddr, tokens: &[String], picture: &[u8]) -> Outcome<Vec<String>> {
    let one = |token: &String| -> Outcome<String> {
        let part = "--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
        let length = part.len() + picture.len() + "\r\n--cut--\r\n".len();
        let head = format!(
            "POST /api/upload HTTP/1.1\r\nhost: bench\r\nauthorization: {token}\r\ncontent-type: multipart/form-data; boundary=cut\r\n\
             content-length: {length}\r\n\r\n{part}"
        );
        Connection::open(address)?.exchange(&[head.as_bytes(), picture, b"\r\n--cut--\r\n"].concat())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = tokens.iter().map(|token| scope.spawn(move || one(token))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err("a thread ended badly".into()))).collect()
    })
}

/// A noisy gradient, as large as allowed.
fn photo() -> Outcome<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(5);
    let pixel = |x: u32, y: u32| {
        let noise = random.u32(0..40);
        image::Rgb([(x / 20 + noise) as u8, (y / 16 + noise) as u8, ((x + y) / 32 + noise) as u8])
    };
    let picture = RgbImage::from_fn(4_000, 3_000, pixel);
    for quality in (50..=95).rev().step_by(5) {
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, quality).encode_image(&picture)?;
        if jpeg.len() <= LARGEST {
            return Ok(jpeg);
        }
    }
    Err("no photo is small enough".into())
}

/// The most pixels with the most bytes each: 200 MB uncompressed.
fn deep() -> Outcome<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(6);
    // One row in sixty is noise, which does not compress.
    let picture = ImageBuffer::from_fn(5_000, 5_000, |_, y| {
        if y % 60 == 0 { Rgba([random.u16(..), random.u16(..), random.u16(..), u16::MAX]) } else { Rgba([0, 0, 0, u16::MAX]) }
    });
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png)?;
    let png = png.into_inner();
    if png.len() <= LARGEST { Ok(png) } else { Err(format!("the PNG has {} bytes", png.len()).into()) }
}

/// The most pixels with the most coefficients each, which a decoder keeps until the last scan.
fn progressive() -> Outcome<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(7);
    // Every block has another shade.
    let shades: Vec<u8> = (0..625 * 625 * 3).map(|_| random.u8(..)).collect();
    let colours: Vec<u8> = (0..5_000_usize * 5_000 * 3).map(|at| shades[(at / 120_000 * 625 + at / 24 % 625) * 3 + at % 3]).collect();
    let mut jpeg = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut jpeg, 60);
    encoder.set_progressive(true);
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_1_1);
    encoder.encode(&colours, 5_000, 5_000, jpeg_encoder::ColorType::Rgb)?;
    if jpeg.len() <= LARGEST { Ok(jpeg) } else { Err(format!("the JPEG has {} bytes", jpeg.len()).into()) }
}

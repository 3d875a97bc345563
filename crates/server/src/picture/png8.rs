//! Decodes PNGs to 8 bits per channel: 16 bits are cut row by row, so they never take twice the memory.

use std::io::Cursor;

use image::error::{DecodingError, ImageFormatHint};
use image::{ColorType, ImageDecoder, ImageError, ImageFormat, ImageResult};
use png::{Decoder, Reader, Transformations};

use super::{Flaw, check_size};

/// A PNG whose head has been read.
pub struct Png8(Reader<Cursor<Vec<u8>>>);

impl Png8 {
    /// Reads up to the pixels.
    pub fn new(bytes: Vec<u8>) -> Result<Png8, Flaw> {
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::normalize_to_color8());
        // Checked before memory for the rows is allocated.
        check_size(decoder.read_header_info().map_err(|_| Flaw::Damaged)?.size())?;
        decoder.read_info().map(Png8).map_err(|_| Flaw::Damaged)
    }
}

impl ImageDecoder for Png8 {
    fn dimensions(&self) -> (u32, u32) {
        self.0.info().size()
    }

    fn color_type(&self) -> ColorType {
        match self.0.output_color_type().0 {
            png::ColorType::Grayscale => ColorType::L8,
            png::ColorType::GrayscaleAlpha => ColorType::La8,
            png::ColorType::Rgba => ColorType::Rgba8,
            // Palette colours were expanded to three bytes.
            png::ColorType::Rgb | png::ColorType::Indexed => ColorType::Rgb8,
        }
    }

    fn exif_metadata(&mut self) -> ImageResult<Option<Vec<u8>>> {
        Ok(self.0.info().exif_metadata.as_ref().map(|exif| exif.to_vec()))
    }

    fn read_image(mut self, pixels: &mut [u8]) -> ImageResult<()> {
        let read = self.0.next_frame(pixels);
        read.map(drop).map_err(|error| ImageError::Decoding(DecodingError::new(ImageFormatHint::Exact(ImageFormat::Png), error)))
    }

    fn read_image_boxed(self: Box<Self>, pixels: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(pixels)
    }
}

/** Quality of the camera image, measured on a small picture; a hint for the person, never a verdict. */
export interface Quality {
  bright: boolean;
  sharp: boolean;
  /** Free of glare. */
  clear: boolean;
}

/** Mean lightness of 255 below which text is hard to read. */
const DARK = 60;
/** Variance of the edges below which a picture is blurred. */
const BLURRED = 60;
/** Lightness without detail, and the share of the picture it may cover, in thousandths. */
const BURNT = 250;
const GLARE = 15;

/** Lightness of every point of an RGBA picture, 0 to 255. */
function lightness(rgba: Uint8ClampedArray): Uint8Array {
  const light = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < light.length; at++) {
    const [red = 0, green = 0, blue = 0] = [rgba[at * 4], rgba[at * 4 + 1], rgba[at * 4 + 2]];
    light[at] = (red * 299 + green * 587 + blue * 114) / 1000;
  }
  return light;
}

/** Variance of the Laplacian: how much neighbouring points differ. */
function edges(light: Uint8Array, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const here = 4 * (light[at] ?? 0) - (light[at - 1] ?? 0) - (light[at + 1] ?? 0) - (light[at - width] ?? 0) - (light[at + width] ?? 0);
      sum += here;
      squares += here * here;
      count += 1;
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

export function quality(rgba: Uint8ClampedArray, width: number, height: number): Quality {
  const light = lightness(rgba);
  let sum = 0;
  let burnt = 0;
  for (const value of light) {
    sum += value;
    if (value >= BURNT) burnt += 1;
  }
  return {
    bright: sum / light.length >= DARK,
    sharp: edges(light, width, height) >= BLURRED,
    clear: burnt * 1000 <= light.length * GLARE,
  };
}

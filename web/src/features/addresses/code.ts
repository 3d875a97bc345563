import { familyOf } from '../../lib/address';
import { fit } from '../../lib/picture';

/** Long side of the picture that is searched for a code: enough for a photo of a screen, small enough for a fast search on a phone. */
const SIDE = 1_200;
/** Milliseconds that a search may continue if nothing was found at once. */
const PATIENCE = 120;

/** The address in a wallet's code: alone or as a payment link, whose amounts and other parts are ignored. */
export function addressIn(text: string): string | undefined {
  const [, path = '', query] = /^(?:(?:bitcoin|ethereum|tron):(?:pay-)?)?([^?]*)(?:\?(.*))?$/is.exec(text.trim()) ?? [];
  const [target = '', call] = path.split('/');
  // A link that transfers a token starts with its contract, where money would be lost; the receiver is in `address`.
  const address = call === undefined ? target.split('@')[0] : call === 'transfer' ? new URLSearchParams(query).get('address') : undefined;
  return address && familyOf(address) ? address : undefined;
}

interface Detector {
  detect: (source: ImageBitmap) => Promise<{ rawValue: string }[]>;
}
interface Api {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
}

/** The browser's own detector, if it has one that works. */
async function detected(source: ImageBitmap): Promise<string[]> {
  const api = (globalThis as { BarcodeDetector?: Api }).BarcodeDetector;
  if (!api || !(await api.getSupportedFormats()).includes('qr_code')) throw new Error('no detector');
  return (await new api({ formats: ['qr_code'] }).detect(source)).map(({ rawValue }) => rawValue);
}

async function decoded(source: ImageBitmap): Promise<string[]> {
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const { width, height } = fit(source.width, source.height, SIDE);
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) return [];
  pen.drawImage(source, 0, 0, width, height);
  try {
    return [decodeQR(pen.getImageData(0, 0, width, height), { timeLimit: PATIENCE })];
  } catch {
    // Its way to say that there is no code.
    return [];
  }
}

/** The address in a code in a picture or in the camera's image. */
export async function addressOf(source: Blob | HTMLVideoElement): Promise<string | undefined> {
  const bitmap = await createImageBitmap(source);
  try {
    const texts = await detected(bitmap).catch(() => decoded(bitmap));
    return texts.map(addressIn).find((address) => address !== undefined);
  } finally {
    bitmap.close();
  }
}

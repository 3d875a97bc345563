import { familyOf } from '../../lib/address';
import { fit } from '../../lib/picture';

/** Long side of what is searched for a code: enough for a photo of a screen, quick enough for a phone. */
const SIDE = 1_200;
/** Milliseconds a search may go on where nothing was found at once. */
const PATIENCE = 120;

/** The address in a wallet's code: alone or as a payment link, of which amounts and all else are left out. */
export function addressIn(text: string): string | undefined {
  const [, path = '', query] = /^(?:(?:bitcoin|ethereum|tron):(?:pay-)?)?([^?]*)(?:\?(.*))?$/is.exec(text.trim()) ?? [];
  const [target = '', call] = path.split('/');
  // A link that moves a token names its contract first, where money would be lost, and the receiver as `address`.
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

/** The browser's own search, where it has one that works. */
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

/** The address in the codes of a picture or of what a camera shows now. */
export async function addressOf(source: Blob | HTMLVideoElement): Promise<string | undefined> {
  const bitmap = await createImageBitmap(source);
  try {
    const texts = await detected(bitmap).catch(() => decoded(bitmap));
    return texts.map(addressIn).find((address) => address !== undefined);
  } finally {
    bitmap.close();
  }
}

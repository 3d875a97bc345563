import { useEffect, useRef, useState } from 'react';
import type { Key, Values } from './i18n';
import { Refusal } from './errors';
import { upload, type Purpose } from './upload';

export const MAX_BYTES = 5 * 1024 * 1024;
/** Long side of the sent picture; enough to read a document. */
const MAX_SIDE = 2_000;
const QUALITY = 0.86;
/** Short side that the server requires of a picture of documents. */
const PAPERS_MIN_SIDE = 480;

export interface Problem {
  text: Key;
  values?: Values;
}

/** Whole megabytes, rounded up, so that a file above the limit never reads as the limit. */
export const megabytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024));

/** Sides that fit, in proportion; a picture is never enlarged. */
export function fit(width: number, height: number, most = MAX_SIDE): { width: number; height: number } {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Whether two pictures are equal to the last byte. The same file chosen twice is drawn the same way twice. */
export async function same(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  const [left, right] = (await Promise.all([one.arrayBuffer(), other.arrayBuffer()])).map((bytes) => new Uint8Array(bytes));
  return left?.every((byte, at) => byte === right?.[at]) ?? false;
}

/** Draws a picture of any format as a JPEG of moderate size, upright and without metadata; also returns its short side. */
export async function shrink(source: Blob): Promise<{ file: Blob; side: number }> {
  const bitmap = await createImageBitmap(source, { imageOrientation: 'from-image' });
  const { width, height } = fit(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const file = await new Promise<Blob>((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/jpeg', QUALITY));
  return { file, side: Math.min(width, height) };
}

export interface Picture {
  /** The chosen picture in the form that is sent. */
  file: Blob | undefined;
  /** Object URL of the chosen picture; undefined while there is none. */
  preview: string | undefined;
  /** Whole percent while it is being sent. */
  progress: number | undefined;
  problem: Problem | undefined;
  choose: (file: Blob) => Promise<void>;
  clear: () => void;
  /** Sends it once and returns its private address on the server. */
  send: () => Promise<string>;
  cancel: () => void;
}

/** One picture from the choice to its address on the server. It stays on the device until it is sent. `wrong` can refuse it before. */
export function usePicture(purpose: Purpose, wrong?: (file: Blob) => Promise<Problem | undefined>): Picture {
  const [chosen, setChosen] = useState<{ file: Blob; address: string }>();
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const sent = useRef<{ file: Blob; address: string } | undefined>(undefined);
  const control = useRef<AbortController | undefined>(undefined);

  useEffect(() => () => chosen && URL.revokeObjectURL(chosen.address), [chosen]);
  useEffect(() => () => control.current?.abort(), []);

  const choose = async (given: Blob) => {
    setProblem(undefined);
    try {
      const { file, side } = await shrink(given);
      const found = await wrong?.(file);
      if (file.size > MAX_BYTES) setProblem({ text: 'funding.fileLarge', values: { size: megabytes(file.size), limit: megabytes(MAX_BYTES) } });
      else if (purpose === 'kyc' && side < PAPERS_MIN_SIDE) setProblem({ text: 'funding.fileSmall', values: { side, least: PAPERS_MIN_SIDE } });
      else if (found) setProblem(found);
      else setChosen({ file, address: URL.createObjectURL(file) });
    } catch {
      setProblem({ text: 'funding.fileKind' });
    }
  };
  const send = async (): Promise<string> => {
    if (!chosen) throw new Refusal('E_PROOF', '');
    const { file } = chosen;
    if (sent.current?.file === file) return sent.current.address;
    control.current = new AbortController();
    setProblem(undefined);
    setProgress(0);
    try {
      const address = await upload(file, purpose, setProgress, control.current.signal);
      sent.current = { file, address };
      return address;
    } catch (error) {
      if (!control.current.signal.aborted) setProblem({ text: error instanceof Refusal && error.code === 'E_UPLOAD_QUOTA' ? 'errors.E_UPLOAD_QUOTA' : 'errors.E_FILE' });
      throw error;
    } finally {
      setProgress(undefined);
    }
  };
  return { file: chosen?.file, preview: chosen?.address, progress, problem, choose, clear: () => setChosen(undefined), send, cancel: () => control.current?.abort() };
}

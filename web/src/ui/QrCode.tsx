import { useEffect, useState } from 'react';
import { Skeleton } from './ListState';
import css from './QrCode.module.css';

const QUIET = 4;
const PIXELS = 8;

async function modules(text: string): Promise<boolean[][]> {
  const { encode } = await import('uqr');
  return encode(text, { ecc: 'M', border: QUIET }).data;
}

/** The dark squares as one path. */
export const qrPath = (rows: readonly (readonly boolean[])[]) =>
  rows.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');

/** A code to scan, dark on white in every theme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawn, setDrawn] = useState<{ text: string; rows: boolean[][] }>();
  useEffect(() => {
    let live = true;
    void modules(text).then(
      (rows) => live && setDrawn({ text, rows }),
      () => {},
    );
    return () => {
      live = false;
    };
  }, [text]);
  const rows = drawn?.text === text ? drawn.rows : undefined;
  return (
    <div className={css.code}>
      {rows ? (
        <svg viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label} shapeRendering="crispEdges">
          <path d={qrPath(rows)} fill="#000" />
        </svg>
      ) : (
        <Skeleton width={208} height={208} />
      )}
    </div>
  );
}

/** The code as a PNG with the text below it, to be saved or shared. */
export async function qrImage(text: string): Promise<Blob> {
  const rows = await modules(text);
  const side = rows.length * PIXELS;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side + 48;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  rows.forEach((row, y) => row.forEach((dark, x) => dark && pen.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS)));
  pen.font = '12px monospace';
  pen.textAlign = 'center';
  pen.fillText(text, side / 2, side + 16, side - 16);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'));
}

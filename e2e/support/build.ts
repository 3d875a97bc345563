import { readFileSync } from 'node:fs';

/** The file of the build that contains a module, which is given by a part of its path. */
export function chunkOf(module: string): string {
  const manifest = JSON.parse(readFileSync('../web/dist/.vite/manifest.json', 'utf8')) as Record<string, { file: string }>;
  const chunk = Object.entries(manifest).find(([source]) => source.includes(module));
  if (!chunk) throw new Error(`the build has no chunk of ${module}`);
  return chunk[1].file;
}

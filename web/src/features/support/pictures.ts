import { useEffect, useRef, useState } from 'react';
import type { Key } from '../../lib/i18n';
import { Refusal } from '../../lib/errors';
import { shrink } from '../../lib/picture';
import { upload } from '../../lib/upload';
import { MOST_PICTURES } from './model';

export interface Chosen {
  preview: string;
  file: Blob;
}

/** Up to three pictures of a message. They stay on the device until it is sent, and each is sent once. */
export function usePictures() {
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const [percent, setPercent] = useState<number>();
  const [problem, setProblem] = useState<Key>();
  const sent = useRef(new Map<Blob, string>());
  const shown = useRef(chosen);
  useEffect(() => {
    shown.current = chosen;
  });
  useEffect(
    () => () => {
      for (const { preview } of shown.current) URL.revokeObjectURL(preview);
    },
    [],
  );

  const add = async (files: readonly File[]) => {
    setProblem(undefined);
    for (const file of files.slice(0, MOST_PICTURES - chosen.length)) {
      try {
        const { file: small } = await shrink(file);
        setChosen((before) => [...before, { file: small, preview: URL.createObjectURL(small) }]);
      } catch {
        setProblem('tickets.fileKind');
      }
    }
  };
  const remove = (one: Chosen) => {
    URL.revokeObjectURL(one.preview);
    setChosen((before) => before.filter((other) => other !== one));
  };
  const clear = () => {
    for (const { preview } of chosen) URL.revokeObjectURL(preview);
    setChosen((now) => now.filter((one) => !chosen.includes(one)));
  };
  /** Their private addresses, in order. */
  const send = async (): Promise<string[]> => {
    const addresses: string[] = [];
    try {
      for (const [n, { file }] of chosen.entries()) {
        const known = sent.current.get(file);
        const address = known ?? (await upload(file, 'ticket', (one) => setPercent(Math.floor((n * 100 + one) / chosen.length))));
        sent.current.set(file, address);
        addresses.push(address);
      }
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal('E_NETWORK', '');
    } finally {
      setPercent(undefined);
    }
    return addresses;
  };
  return { chosen, percent, problem, room: chosen.length < MOST_PICTURES, add, remove, clear, send };
}

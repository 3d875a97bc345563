import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { useSession } from '../../data/session';
import { api, headersOf } from '../../lib/http';
import { t, useLocale } from '../../lib/i18n';
import { problem } from '../../lib/refusal';
import { stamp } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { saveFile } from '../../ui/saveFile';
import { PasswordField } from '../../ui/Secret';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';

/** The requested copy: it takes a minute or two, in which other pages can be open. */
const useAsked = create<{ id: number | undefined }>(() => ({ id: undefined }));
useSession.subscribe(({ user }, before) => user?.id !== before.user?.id && useAsked.setState({ id: undefined }));

/** Progress of the requested copy, polled until it is ready. */
const useKit = (id: number | undefined) =>
  useQuery({
    queryKey: ['me', 'kit', id],
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'working' ? false : 2_000),
    queryFn: async () => (await api.get('user/export', { id: id ?? 0 })).message,
  });

async function fetchKit(url: string): Promise<void> {
  const answer = await fetch(url, { headers: headersOf({}) });
  if (!answer.ok || !answer.headers.get('content-type')?.includes('ndjson')) throw new Error(t('proof.kit.gone'));
  saveFile(await answer.blob(), 'meridian-history.ndjson');
}

/** The member's whole signed history as a file that can be checked without the venue. */
export function ExitKit() {
  const locale = useLocale();
  const { id } = useAsked();
  const [password, setPassword] = useState('');
  const kit = useKit(id).data;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const during = async (work: () => Promise<void>) => {
    setBusy(true);
    await work().catch(setError);
    setBusy(false);
  };
  const ask = () =>
    during(async () => {
      setError(undefined);
      useAsked.setState({ id: (await api.post('user/export', { password }, { quiet: true })).message.id });
      setPassword('');
    });
  const save = (url: string) => during(() => fetchKit(url).catch(() => toast(t('proof.kit.gone'), { icon: 'warn' })));
  const working = id !== undefined && (kit === undefined || kit.status === 'working');
  return (
    <Card>
      <p className="t2 lab">{t('proof.kit.text')}</p>
      <div role="status">
        {working && <Note icon="refresh">{t('proof.kit.working')}</Note>}
        {kit?.status === 'ready' && kit.expires_ms && <Note icon="check">{t('proof.kit.ready', { time: stamp(kit.expires_ms, locale) })}</Note>}
        {kit?.status === 'expired' && <Note tone="caution">{t('proof.kit.gone')}</Note>}
      </div>
      {kit?.status === 'ready' && kit.url ? (
        <Button kind="commit" wide loading={busy} onClick={() => void save(kit.url ?? '')}>
          {t('proof.receipt.save')}
        </Button>
      ) : (
        !working && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (password) void ask();
            }}
          >
            <PasswordField name="password" label={t('proof.kit.password')} autoComplete="current-password" value={password} onChange={(event) => setPassword(event.target.value)} error={error ? problem(error) : undefined} />
            <Button type="submit" wide loading={busy} disabled={!password}>
              {t('proof.kit.make')}
            </Button>
          </form>
        )
      )}
    </Card>
  );
}

import { useQuery } from '@tanstack/react-query';
import { has, t, useLocale } from '../../lib/i18n';
import { href, idInAddress, usePlace } from '../../lib/nav';
import { stamp } from '../../lib/time';
import { Button, ButtonLink } from '../../ui/Button';
import { Card, Screen, Section } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines, Note, Timeline } from '../../ui/Status';
import { FindEntry } from './FindEntry';
import { KINDS } from './kinds';
import { lookUp, stepsOf, type LookedUp } from './lookUp';
import css from './Proof.module.css';

const PAGE = 'settings/proof/entry';

/** The name of a kind by its number, which the hash covers; a kind of a later release has its own name. */
const kindText = ({ kind, kind_number: number }: Pick<LookedUp['entry'], 'kind' | 'kind_number'>) => {
  const key = `journal.kinds.${KINDS.get(number)}`;
  return has(key) ? t(key) : `${kind} (${number})`;
};

function Verdict({ looked, brought }: { looked: LookedUp; brought: string | undefined }) {
  const locale = useLocale();
  const { entry, computed, inclusion } = looked;
  const steps = stepsOf(looked, brought);
  const isBad = steps.some(({ state }) => state === 'failed');
  const texts = {
    hash: computed === entry.hash ? undefined : t('journal.entry.otherHash', { hash: computed ?? '–' }),
    receipt: computed === brought ? undefined : t('journal.entry.otherReceipt', { hash: brought ?? '' }),
    head: inclusion.state === 'in' ? t('journal.entry.signed', { seq: inclusion.seq, time: stamp(inclusion.timeMs, locale) }) : inclusion.state === 'bad' ? t(`proof.reasons.${inclusion.reason}`) : t('journal.entry.pending'),
  };
  return (
    <>
      <div role="status">
        <Note tone={isBad ? 'danger' : inclusion.state === 'pending' ? 'caution' : 'plain'} icon={isBad || inclusion.state === 'pending' ? 'warn' : 'check'}>
          <b>{isBad ? t('journal.entry.bad') : inclusion.state === 'pending' ? t('proof.receipt.pending') : t('proof.receipt.good')}</b> {isBad ? t('journal.entry.badText') : t('journal.entry.lead')}
        </Note>
      </div>
      <Timeline steps={steps.map(({ step, state }) => ({ title: t(`journal.entry.steps.${step}`), state, text: texts[step] && <span className={css.key}>{texts[step]}</span> }))} />
    </>
  );
}

const plain = (value: unknown): value is string | number | boolean | null => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** The public content of an entry, under the names of the log. */
function Fields({ fields }: { fields: Record<string, unknown> }) {
  const all = Object.entries(fields);
  if (all.length === 0) return <p className="t2 lab">{t('journal.entry.noFields')}</p>;
  const short = all.filter(([, value]) => plain(value));
  return (
    <>
      <CostLines lines={short.map(([name, value]) => ({ label: <span className="code">{name}</span>, value: <span className={`code ${css.key}`}>{String(value)}</span> }))} />
      {all
        .filter(([, value]) => !plain(value))
        .map(([name, value]) => (
          <details key={name} className={css.pool}>
            <summary>
              <span className="code grow">{name}</span>
            </summary>
            <pre className={`code cap ${css.fields}`}>{JSON.stringify(value, null, 1)}</pre>
          </details>
        ))}
    </>
  );
}

const Hash = ({ label, children }: { label: string; children: string }) => (
  <div>
    <p className="lab t2">{label}</p>
    <p className={`code cap ${css.key}`}>{children}</p>
  </div>
);

function Shown({ looked, brought, busy, onAgain }: { looked: LookedUp; brought: string | undefined; busy: boolean; onAgain: () => void }) {
  const locale = useLocale();
  const { entry } = looked;
  return (
    <div className={css.page}>
      <Card>
        <Verdict looked={looked} brought={brought} />
        <Button wide loading={busy} onClick={onAgain}>
          {t('proof.again')}
        </Button>
      </Card>
      <Section title={t('proof.entry', { seq: entry.seq })} />
      <Card>
        <CostLines
          lines={[
            { label: t('journal.entry.number'), value: new Intl.NumberFormat(locale).format(entry.seq) },
            { label: t('journal.entry.time'), value: stamp(entry.time_ms, locale) },
            { label: t('journal.entry.kind'), value: kindText(entry) },
          ]}
        />
        <Hash label={t('journal.entry.hash')}>{entry.hash}</Hash>
        <Hash label={t('journal.entry.previous')}>{entry.prev}</Hash>
      </Card>
      <Section title={t('journal.entry.fields')} />
      <Card>
        <Fields fields={entry.public} />
        {entry.sealed && <p className="t2 lab">{t('journal.entry.sealed')}</p>}
        <details className={css.pool}>
          <summary>
            <span className="grow">{t('journal.entry.bytes')}</span>
          </summary>
          <p className="cap t2">{t('journal.entry.bytesText')}</p>
          <p className={`code cap ${css.key}`}>{entry.bytes || '–'}</p>
        </details>
      </Card>
      <div className={css.steps}>
        {entry.seq > 1 && <ButtonLink href={href(PAGE, { seq: entry.seq - 1 })}>{t('journal.entry.earlier')}</ButtonLink>}
        <ButtonLink href={href(PAGE, { seq: entry.seq + 1 })}>{t('journal.entry.later')}</ButtonLink>
      </div>
    </div>
  );
}

/** One entry of the public log as a page of its own: `seq` in the address is its number, and `hash` the one that a receipt gave for it. */
export default function Entry() {
  const locale = useLocale();
  const { query: address } = usePlace();
  const seq = idInAddress(address.get('seq'));
  // A text that is not a hash is compared all the same, because a receipt with such a text is wrong.
  const brought = address.get('hash')?.toLowerCase();
  const query = useQuery({ queryKey: ['entry', seq], staleTime: 0, enabled: seq > 0, queryFn: () => lookUp(seq) });
  const again = () => void query.refetch();
  return (
    <Screen title={t('journal.entry.title')} {...(seq > 0 && { onRefresh: () => query.refetch() })}>
      <div className="pad">
        {seq === 0 ? (
          <FindEntry />
        ) : (
          <ListState
            query={query}
            isEmpty={(looked) => looked === null}
            empty={
              <>
                <EmptyState icon="info" title={t('journal.entry.none', { seq: new Intl.NumberFormat(locale).format(seq) })} text={t('journal.entry.noneText')}>
                  <Button small loading={query.isFetching} onClick={again}>
                    {t('ui.tryAgain')}
                  </Button>
                </EmptyState>
                <FindEntry />
              </>
            }
            errorTitle={t('journal.entry.error')}
            errorText={t('journal.entry.errorText')}
          >
            {(looked) => looked && <Shown looked={looked} brought={brought} busy={query.isFetching} onAgain={again} />}
          </ListState>
        )}
      </div>
    </Screen>
  );
}

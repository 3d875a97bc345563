import { useState } from 'react';
import { forgetHead, type HeadCheck } from '../../lib/verify/newest';
import { t, useLocale } from '../../lib/i18n';
import { serverNow, stamp } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines, Note, StatusChip } from '../../ui/Status';
import { EntryLink } from '../../ui/verify/EntryLink';
import { useHead } from './api';
import css from './Proof.module.css';

/** A signed head of a live venue that is older than this is not said to be good. */
const OLD_MS = 300_000;

/** 64 hex digits in groups of eight, so that two people can compare them. */
const grouped = (hex: string) => hex.match(/.{1,8}/g)?.join(' ') ?? hex;

function Checked({ check: { head, before, fault }, onForget, busy, onAgain }: { check: HeadCheck; onForget: () => void; busy: boolean; onAgain: () => void }) {
  const locale = useLocale();
  // A sandbox may be idle; a live venue signs every minute.
  const age = serverNow() - head.time_ms;
  const isOld = !fault && head.mode === 'live' && age > OLD_MS;
  const lines = [
    {
      label: t('proof.log.entries'),
      value: (
        <EntryLink seq={head.seq} hash={head.hash}>
          {new Intl.NumberFormat(locale).format(head.seq)}
        </EntryLink>
      ),
    },
    { label: t('proof.log.signed'), value: stamp(head.time_ms, locale) },
    { label: t('proof.log.mode'), value: t(head.mode === 'sandbox' ? 'settings.modeSandbox' : 'settings.modeLive') },
  ];
  return (
    <Card>
      <div role="status" className={css.verdict}>
        <StatusChip tone={fault ? 'danger' : isOld ? 'caution' : 'done'}>{isOld ? t('ui.age', { seconds: Math.floor(age / 1000) }) : t(fault ? 'proof.log.bad' : 'proof.log.good')}</StatusChip>
        <p className="lab t2">{fault ? t(`proof.reasons.${fault.reason}`) : before ? t('proof.log.since', { seq: before.seq }) : t('proof.log.first')}</p>
      </div>
      <CostLines lines={lines} />
      <p className="lab t2">{t('proof.log.key')}</p>
      <p className={`code cap ${css.key}`}>{grouped(head.key)}</p>
      <p className="cap t2">{t('proof.log.keyText')}</p>
      {fault && (
        <Note tone="danger">
          {t('proof.log.forgetText')}{' '}
          <Button kind="text" small onClick={onForget}>
            {t('proof.log.forget')}
          </Button>
        </Note>
      )}
      <Button wide loading={busy} onClick={onAgain}>
        {t('proof.again')}
      </Button>
    </Card>
  );
}

/** The newest signed head: read, checked on this phone, and compared with the previously checked one. */
export function HeadCard() {
  const query = useHead();
  const [forgotten, setForgotten] = useState(false);
  const again = () => void query.refetch();
  const forget = () => {
    forgetHead();
    setForgotten(true);
    again();
  };
  return (
    <ListState
      query={query}
      rows={3}
      errorTitle={t('proof.log.error')}
      errorText={t('proof.log.errorText')}
    >
      {(check) =>
        check ? (
          <Checked key={String(forgotten)} check={check} busy={query.isFetching} onAgain={again} onForget={forget} />
        ) : (
          <EmptyState icon="info" title={t('proof.log.none')} text={t('proof.log.noneText')}>
            <Button small loading={query.isFetching} onClick={again}>
              {t('proof.again')}
            </Button>
          </EmptyState>
        )
      }
    </ListState>
  );
}

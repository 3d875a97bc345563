import { useState } from 'react';
import type { DepositRow } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { stamp } from '../../lib/time';
import { ButtonLink, IconButton } from '../../ui/Button';
import { copyText, shareText } from '../../ui/copy';
import { amountText, priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, StatusChip, Timeline } from '../../ui/Status';
import shared from '../../ui/Form.module.css';
import { depositStages, depositStatus } from './model';

/** One deposit, its progress and its outcome. */
export function DepositSheet({ row, onClose }: { row: DepositRow | undefined; onClose: () => void }) {
  const locale = useLocale();
  // The last one stays while the sheet slides out.
  const [last, setLast] = useState(row);
  if (row && row !== last) setLast(row);
  const shown = row ?? last;
  if (!shown) return null;
  const status = depositStatus(shown);
  const sent = amountText({ value: shown.amount, code: shown.name, full: true }, locale);
  const receipt = [t('records.deposit'), t(status.text), sent, `${t('withdraw.number')} ${shown.id}`].join('\n');
  const copied = (text: string) => (
    <span className={`code ${shared.line}`}>
      {text}
      <IconButton label={t('deposit.copyLine', { name: t('deposit.tx') })} onClick={() => void copyText(text)}>
        <Icon name={icons.copy} size={18} />
      </IconButton>
    </span>
  );
  return (
    <Sheet
      open={row !== undefined}
      onClose={onClose}
      title={t('records.deposit')}
      footer={
        shown.status === 3 && (
          <ButtonLink kind="commit" wide href={href('assets/deposit/charge', { coin: shown.currency, chain: shown.netType })}>
            {t('ui.tryAgain')}
          </ButtonLink>
        )
      }
    >
      <div className={shared.stack}>
        <div>
          <StatusChip tone={status.tone}>{t(status.text)}</StatusChip>
        </div>
        {shown.status === 3 && shown.remark && <Note tone="danger">{t('withdraw.reason', { reason: shown.remark })}</Note>}
        <Timeline steps={depositStages(shown).map(({ title, values, state }) => ({ title: t(title, values), state }))} />
        <CostLines
          lines={[
            { label: t('deposit.sentAmount'), value: sent },
            ...(shown.rate ? [{ label: t('withdraw.rate'), value: `${priceText(shown.rate, undefined, locale)} USDT/USD` }] : []),
            ...(shown.credited ? [{ label: t('records.credited'), value: amountText({ value: shown.credited, code: shown.credited_name ?? shown.name, full: true }, locale), total: true }] : []),
            ...(shown.netType ? [{ label: t('funding.network'), value: shown.netType }] : []),
            ...(shown.tx ? [{ label: t('deposit.tx'), value: copied(shown.tx) }] : []),
            { label: t('transfer.time'), value: stamp(shown.created_at_ms, locale) },
            ...(shown.decided_at_ms ? [{ label: t('records.decided'), value: stamp(shown.decided_at_ms, locale) }] : []),
            {
              label: t('withdraw.number'),
              value: (
                <span className={shared.line}>
                  {shown.id}
                  <IconButton label={t('deposit.share')} onClick={() => void shareText(receipt)}>
                    <Icon name={icons.share} size={18} />
                  </IconButton>
                </span>
              ),
            },
          ]}
        />
      </div>
    </Sheet>
  );
}

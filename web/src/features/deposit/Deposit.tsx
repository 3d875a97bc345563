import { useState } from 'react';
import { BANK } from '../../data/funding';
import { useConfigQuery, useForbidden, useProduct } from '../../data/config';
import type { AppConfig } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { closedText } from '../../ui/closedText';
import { IconLink } from '../../ui/Button';
import { SearchField } from '../../ui/Field';
import { CoinDisc } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Group, Row, Screen, Section } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import shared from '../../ui/Form.module.css';
import { depositCoins, isOpen } from './model';

function Ways({ config }: { config: AppConfig }) {
  const [text, setText] = useState('');
  const crypto = useProduct('deposit_coin');
  const bank = useProduct('deposit_bank');
  const forbidden = useForbidden('deposit_coin');
  const listed = depositCoins(config.currencies, '');
  const coins = depositCoins(config.currencies, text);
  const sandbox = config.mode === 'sandbox';
  if (listed.length === 0 && !bank && !sandbox) return <EmptyState icon="deposit" title={t('assets.noDeposits')} text={t('assets.noDepositsText')} />;
  return (
    <>
      {sandbox && (
        <Group>
          <Row lead={<Icon name={icons.plus} />} title={t('assets.paper')} sub={t('deposit.paperText')} href={href('assets/deposit/paper')} chevron />
        </Group>
      )}
      {listed.length > 0 && (
        <>
          <Section title={t('deposit.crypto')} />
          <div className={shared.search}>
            <SearchField label={t('ui.search')} value={text} onValue={setText} />
          </div>
          {coins.map((coin) => {
            const open = crypto && isOpen(coin);
            const networks = coin.networks.map(({ chain }) => chain).filter((chain) => chain !== coin.code);
            const about = [coin.name, networks.join(', ')].filter((part) => part !== '' && part !== coin.code).join(' · ');
            return (
              <Row
                key={coin.id}
                lead={<CoinDisc code={coin.code} />}
                title={coin.code}
                sub={open ? about : forbidden ? closedText(forbidden) : t('funding.paused')}
                {...(open && { href: href('assets/deposit/charge', { coin: coin.id }), chevron: true })}
              />
            );
          })}
          {coins.length === 0 && <EmptyState icon="search" title={t('ui.noMatch', { text })} />}
        </>
      )}
      {bank && (
        <>
          <Section title={t('deposit.bank')} />
          <Group>
            <Row lead={<Icon name={icons.bank} />} title={t('deposit.bank')} sub={t('deposit.bankText')} href={href('assets/deposit/charge', { coin: BANK })} chevron />
          </Group>
        </>
      )}
    </>
  );
}

/** What to deposit, before any address is shown. */
export default function Deposit() {
  useLocale();
  const config = useConfigQuery();
  return (
    <Screen
      help
      title={t('deposit.choose')}
      end={
        <IconLink label={t('records.title')} href={href('assets/record')}>
          <Icon name={icons.history} />
        </IconLink>
      }
    >
      <ListState query={config} errorTitle={t('assets.configError')} errorText={t('assets.errorText')} rows={6}>
        {(data) => <Ways config={data} />}
      </ListState>
    </Screen>
  );
}

import { BANK, chosenCoin } from '../../data/funding';
import { useConfigQuery, useProduct } from '../../data/config';
import { useReview } from '../../lib/review';
import { useOnline } from '../../lib/online';
import { useUser } from '../../data/session';
import type { Coin, Network } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href, replace, usePlace } from '../../lib/nav';
import { AddressText } from '../../ui/AddressText';
import { Button, ButtonLink, IconButton, IconLink } from '../../ui/Button';
import { Segment } from '../../ui/Choice';
import { copyText, shareText } from '../../ui/copy';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { QrCode, qrImage } from '../../ui/QrCode';
import { Refused } from '../../ui/Refused';
import { saveFile } from '../../ui/saveFile';
import { CostLines, Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import look from '../../ui/Form.module.css';
import { useTarget } from './api';
import { ClaimSheet, type Claim } from './ClaimSheet';
import { depositCoins, firstNetwork, isOpen, minutesToCredit } from './model';
import css from './Deposit.module.css';

type Target = NonNullable<ReturnType<typeof useTarget>['data']>;

/** "Tron, about 2 min". */
function networkText(network: Network): string {
  if (!network.deposit_on) return t('funding.paused');
  const minutes = minutesToCredit(network);
  // The short name is already shown above.
  const name = network.name.replace(` (${network.chain})`, '');
  return minutes === undefined ? name : t('deposit.about', { name, minutes });
}

/** Saves the code as a picture; if pictures can be shared, the phone asks where to. */
async function saveImage(address: string, name: string): Promise<void> {
  try {
    const picture = new File([await qrImage(address)], `${name}.png`, { type: 'image/png' });
    if (navigator.canShare?.({ files: [picture] })) {
      await navigator.share({ files: [picture] });
      return;
    }
    saveFile(picture, picture.name);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) toast(t('deposit.saveFailed'), { icon: 'warn' });
  }
}

function CryptoTarget({ coin, chain, target, onChain }: { coin: Coin; chain: string; target: Target; onChain: (chain: string) => void }) {
  const locale = useLocale();
  const network = coin.networks.find((one) => one.chain === chain);
  const place = target.data.chains.find((one) => one.chain === chain);
  const code = coin.code;
  return (
    <>
      <div>
        <div className="flex between gap2 lab t2 m">
          <span>{t('funding.network')}</span>
          <span className="t3">{t('deposit.mustMatch')}</span>
        </div>
        <div className={css.networks} role="group" aria-label={t('funding.network')}>
          {coin.networks.map((one) => (
            <button key={one.chain} type="button" className={css.network} aria-pressed={one.chain === chain} onClick={() => onChain(one.chain)}>
              <span className="b">{one.chain}</span>
              <span className="cap t2">{networkText(one)}</span>
            </button>
          ))}
        </div>
      </div>
      {place && place.on === 1 ? (
        <>
          <Note tone="caution">{t('deposit.warning', { code, chain })}</Note>
          <Card>
            <div className={css.target}>
              <QrCode text={place.address} label={t('deposit.qr', { code, chain })} />
              <p className="lab t2">{t('deposit.yourAddress', { code, chain })}</p>
              <AddressText address={place.address} />
              <div className={look.two}>
                <Button small onClick={() => void copyText(place.address)}>
                  <Icon name={icons.copy} size={18} />
                  {t('deposit.copyAddress')}
                </Button>
                <Button small onClick={() => void saveImage(place.address, `${code}-${chain}`)}>
                  <Icon name={icons.download} size={18} />
                  {t('deposit.saveImage')}
                </Button>
                {'share' in navigator && (
                  <Button small onClick={() => void shareText(place.address)}>
                    <Icon name={icons.share} size={18} />
                    {t('deposit.share')}
                  </Button>
                )}
              </div>
            </div>
          </Card>
          <CostLines
            lines={[
              { label: t('deposit.minimum'), value: amountText({ value: place.min, code, full: true }, locale) },
              { label: t('deposit.after'), value: t('deposit.confirmations', { count: place.confirmations }) },
              { label: t('assets.goesTo'), value: t('account.change') },
            ]}
          />
        </>
      ) : (
        <EmptyState icon="pause" title={t('funding.paused')} text={t('deposit.pausedText', { code, chain: network?.name ?? chain })} />
      )}
    </>
  );
}

function BankTarget({ target }: { target: Target }) {
  const locale = useLocale();
  const user = useUser().data;
  const { bkname = '', bkcardnumer = '', cardname = '' } = target.message;
  const line = (label: string, text: string) => ({
    label,
    value: (
      <span className={look.line}>
        {text}
        <IconButton label={t('deposit.copyLine', { name: label })} onClick={() => void copyText(text)}>
          <Icon name={icons.copy} size={18} />
        </IconButton>
      </span>
    ),
  });
  return (
    <>
      <Note tone="caution">{t('deposit.bankWarning')}</Note>
      <Card>
        <CostLines
          lines={[
            line(t('deposit.bankName'), bkname),
            line(t('deposit.bankNumber'), bkcardnumer),
            line(t('deposit.bankHolder'), cardname),
            ...(user ? [line(t('deposit.reference'), user.account_number)] : []),
          ]}
        />
      </Card>
      <CostLines
        lines={[
          ...(target.data.min ? [{ label: t('deposit.minimum'), value: amountText({ value: target.data.min, code: 'USD' }, locale) }] : []),
          { label: t('assets.arrives'), value: t('deposit.bankTime') },
          { label: t('assets.goesTo'), value: t('account.change') },
        ]}
      />
    </>
  );
}

function Ways({ currency, coins }: { currency: number; coins: readonly Coin[] }) {
  const online = useOnline();
  const asked = usePlace().query.get('chain');
  const bankOpen = useProduct('deposit_bank');
  const target = useTarget(currency);
  const bank = currency === BANK;
  const coin = coins.find((one) => one.id === currency);
  const chain = firstNetwork(coin?.networks ?? [], asked)?.chain ?? '';
  const place = target.data?.data.chains.find((one) => one.chain === chain);
  const ready = bank ? target.data !== undefined : place?.on === 1;
  const claiming = useReview<Claim>(
    ready
      ? { currency, code: bank ? 'USD' : (coin?.code ?? ''), scale: bank ? 2 : (coin?.scale ?? 0), chain: bank ? undefined : chain, min: bank ? target.data?.data.min : place?.min }
      : undefined,
  );
  const open = (next: number, network?: string) => replace('assets/deposit/charge', { coin: next, chain: network });
  const firstCoin = coins.find((one) => one.code === 'USDT') ?? coins[0];
  return (
    <Screen
      help
      title={bank ? t('deposit.bank') : t('deposit.title', { code: coin?.code ?? '' })}
      end={
        <IconLink label={t('records.title')} href={href('assets/record')}>
          <Icon name={icons.history} />
        </IconLink>
      }
      footer={
        ready && (
          <Button kind="commit" wide reason={online ? undefined : t('assets.needsConnection')} onClick={claiming.open}>
            {t('deposit.claim')}
          </Button>
        )
      }
    >
      <div className={look.form}>
        {bankOpen && firstCoin && (
          <Segment
            label={t('deposit.choose')}
            value={bank ? 'bank' : 'crypto'}
            onValue={(way) => open(way === 'bank' ? BANK : firstCoin.id)}
            options={[
              { value: 'crypto', label: t('deposit.crypto') },
              { value: 'bank', label: t('deposit.bank') },
            ]}
          />
        )}
        <ListState query={target} errorTitle={t('deposit.error')} errorText={target.error && <Refused error={target.error} />} rows={5}>
          {(data) => (bank ? <BankTarget target={data} /> : coin && <CryptoTarget coin={coin} chain={chain} target={data} onChain={(next) => open(coin.id, next)} />)}
        </ListState>
      </div>
      {claiming.value && <ClaimSheet key={`${claiming.value.currency} ${claiming.value.chain}`} review={claiming} claim={claiming.value} />}
    </Screen>
  );
}

/** An address to deposit to, or our bank account; then the proof. */
export default function Charge() {
  useLocale();
  const config = useConfigQuery();
  const asked = usePlace().query.get('coin');
  const coins = depositCoins(config.data?.currencies ?? [], '').filter(isOpen);
  const currency = asked === String(BANK) ? BANK : chosenCoin(coins, asked)?.id;
  if (config.data && currency !== undefined) return <Ways key={currency} currency={currency} coins={coins} />;
  const code = config.data?.currencies.find((coin) => String(coin.id) === asked)?.code;
  return (
    <Screen help title={code ? t('deposit.title', { code }) : t('deposit.choose')}>
      <ListState query={config} errorTitle={t('assets.configError')} errorText={t('assets.errorText')}>
        {() =>
          asked === null ? (
            <EmptyState icon="deposit" title={t('assets.noDeposits')} text={t('assets.noDepositsText')} />
          ) : (
            <EmptyState icon="pause" title={t('funding.paused')} text={t('deposit.closedText')}>
              <ButtonLink kind="commit" small href={href('assets/deposit/index')}>
                {t('deposit.other')}
              </ButtonLink>
            </EmptyState>
          )
        }
      </ListState>
    </Screen>
  );
}

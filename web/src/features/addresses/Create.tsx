import { useRef, useState } from 'react';
import { useCommit } from '../../data/commit';
import { useConfigQuery } from '../../data/config';
import { refreshFunding, sendCode, useAddresses } from '../../data/funding';
import { useOnline } from '../../lib/online';
import { refreshUser, useUser } from '../../data/session';
import type { Coin, UserCenter } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { back, href, replace, usePlace } from '../../lib/nav';
import { Refusal, refusalText } from '../../lib/refusal';
import { Button, ButtonLink, IconButton } from '../../ui/Button';
import { CodeRequest } from '../../ui/CodeRequest';
import { CoinSelect } from '../../ui/CoinSelect';
import { CommitNote } from '../../ui/CommitNote';
import { Field, useRefused } from '../../ui/Field';
import { FundPasswordField } from '../../ui/FundPassword';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { ListState, EmptyState } from '../../ui/ListState';
import { Select } from '../../ui/Picker';
import { CodeField } from '../../ui/Secret';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import shared from '../../ui/Form.module.css';
import { addAddress } from './api';
import { KeptCode } from './KeptCode';
import { fieldOf, reasonsOf, type Reason } from './model';

const scan = () => import('./Scan');

type Added = Awaited<ReturnType<typeof addAddress>>;

function Form({ coins, user }: { coins: readonly Coin[]; user: UserCenter }) {
  const { query } = usePlace();
  const online = useOnline();
  const stored = useAddresses().data ?? [];
  const [id, setId] = useState(() => (coins.find((one) => String(one.id) === query.get('coin')) ?? coins.find((one) => one.code === 'USDT') ?? coins[0])?.id);
  const coin = coins.find((one) => one.id === id);
  const [picked, setPicked] = useState<string>();
  const chain = coin?.networks.find((one) => one.chain === picked)?.chain ?? coin?.networks[0]?.chain ?? '';
  const [address, setAddress] = useState('');
  const [scanning, setScanning] = useState(false);
  const [label, setLabel] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [otp, setOtp] = useState('');
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<{ field: Reason['field']; text: string }>();
  const box = useRef<HTMLDivElement>(null);
  const { state, busy, run, reset } = useCommit<Added>('address');
  const reasons = busy ? [] : reasonsOf({ chain, address, label, password, code, otp: user.totp ? otp : undefined, stored, coin: coin?.id ?? 0 });
  const first = reasons[0];
  const at = (field: Reason['field']) => {
    if (refused?.field === field) return refused.text;
    const reason = reasons.find((one) => one.field === field);
    // A malformed address is reported during typing; missing fields only after an attempt to save.
    return reason && (tried || (field === 'address' && address !== '')) ? t(reason.text, reason.values) : undefined;
  };
  const change = (set: () => void) => {
    set();
    setRefused(undefined);
    if (state.step === 'refused') reset();
  };
  useRefused(box, refused);
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => '');
    if (text) change(() => setAddress(text.trim()));
  };
  const save = async () => {
    if (first || !coin || busy) return;
    await run(() => addAddress({ coin: coin.id, chain, address, label: label.trim(), password, code, otp: user.totp ? otp : undefined }), {
      done: async ({ data }) => {
        await refreshFunding();
        toast(t('addresses.saved'));
        if (query.get('pick') === '1') replace('assets/withdraw/index', { coin: coin.id, address: data.id });
        else back();
      },
      refused: (error) => {
        // The field may be missing here, because two-factor was turned on elsewhere.
        if (error instanceof Refusal && error.code === 'E_2FA_REQUIRED') void refreshUser();
        const field = error instanceof Refusal ? fieldOf(error.code) : undefined;
        if (field === 'password') setPassword('');
        if (field === 'code') setCode('');
        if (field) setRefused({ field, text: refusalText(error) });
        return field !== undefined;
      },
    });
  };
  return (
    <Screen
      help
      title={t('addresses.add')}
      footer={
        <Button
          kind="commit"
          wide
          loading={busy}
          reason={online ? first && t(first.text, first.values) : t('withdraw.needsConnection')}
          onBlocked={() => {
            setTried(true);
            box.current?.querySelector<HTMLInputElement>('input[aria-invalid="true"], input')?.focus();
          }}
          onClick={() => void save()}
        >
          {t('addresses.save')}
        </Button>
      }
    >
      <div ref={box} className={shared.form}>
        <CoinSelect label={t('assets.coin')} coins={coins} value={coin?.id} onValue={setId} />
        <Select label={t('funding.network')} value={chain} onValue={setPicked} options={(coin?.networks ?? []).map((one) => ({ value: one.chain, label: one.chain, aside: one.name }))} />
        <Field
          label={t('addresses.address')}
          aside={
            navigator.clipboard && (
              <Button kind="text" small onClick={() => void paste()}>
                {t('addresses.paste')}
              </Button>
            )
          }
          after={
            <IconButton label={t('addresses.scan')} onClick={() => setScanning(true)}>
              <Icon name={icons.scan} />
            </IconButton>
          }
          hint={t('addresses.mustMatch')}
          error={at('address')}
          value={address}
          onChange={(event) => change(() => setAddress(event.target.value.trim()))}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <Field label={t('addresses.label')} aside={t('funding.optional')} placeholder={t('addresses.labelText')} value={label} onChange={(event) => setLabel(event.target.value)} error={at('label')} />
        <FundPasswordField value={password} onValue={(digits) => change(() => setPassword(digits))} error={at('password')} />
        <CodeRequest value={code} onValue={(digits) => change(() => setCode(digits))} error={at('code')} send={sendCode}>
          <KeptCode onCode={(digits) => change(() => setCode(digits))} />
        </CodeRequest>
        {user.totp === 1 && <CodeField label={t('withdraw.otp')} value={otp} onValue={(digits) => change(() => setOtp(digits))} error={at('otp')} />}
        <Note icon={icons.clock}>{t('addresses.wait')}</Note>
        <CommitNote state={state} />
      </div>
      {scanning && (
        <LazySheet
          load={scan}
          open
          onClose={() => setScanning(false)}
          onAddress={(found: string) => {
            setScanning(false);
            change(() => setAddress(found));
          }}
        />
      )}
    </Screen>
  );
}

/** A new withdrawal address, which can be used after a day. */
export default function Create() {
  useLocale();
  const config = useConfigQuery();
  const user = useUser();
  const coins = (config.data?.currencies ?? []).filter((coin) => coin.networks.length > 0);
  if (config.data && user.data && coins.length > 0 && user.data.fund_password === 1 && user.data.freeze_scope !== 'all') return <Form coins={coins} user={user.data} />;
  const query = config.data ? user : config;
  return (
    <Screen help title={t('addresses.add')}>
      <ListState query={{ ...query, data: config.data && user.data }} errorTitle={t('addresses.error')} errorText={t('assets.errorText')}>
        {(data) =>
          data.freeze_scope === 'all' ? (
            <EmptyState icon="lock" title={t('withdraw.frozenTitle')} text={t('addresses.frozenText')}>
              <ButtonLink kind="commit" small href={href('settings/security/index')}>
                {t('profile.security')}
              </ButtonLink>
            </EmptyState>
          ) : data.fund_password === 1 ? (
            <EmptyState icon="pause" title={t('withdraw.closed')} text={t('withdraw.closedText')} />
          ) : (
            <EmptyState icon={icons.key} title={t('withdraw.passwordTitle')} text={t('withdraw.passwordText')}>
              <ButtonLink kind="commit" small href={href('settings/security/changePayPassword')}>
                {t('withdraw.passwordTitle')}
              </ButtonLink>
            </EmptyState>
          )
        }
      </ListState>
    </Screen>
  );
}

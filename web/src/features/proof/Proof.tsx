import { offers, useConfig } from '../../data/config';
import { useLoggedIn } from '../../data/session';
import { queryClient } from '../../data/query';
import { t, useLocale } from '../../lib/i18n';
import { VERSION } from '../../lib/version';
import { Card, Screen, Section } from '../../ui/Layout';
import { CostLines } from '../../ui/Status';
import { Icon } from '../../ui/Icon';
import { later } from '../../ui/Later';
import { ExitKit } from './ExitKit';
import { FindEntry } from './FindEntry';
import { HeadCard } from './HeadCard';
import { Operators } from './Operators';
import { Owed } from './Owed';
import { Pools } from './Pools';
import { Recount } from './Recount';
import { SavedFile } from './SavedFile';
import { Stats } from './Stats';
import css from './Proof.module.css';

/** Code that the product lists need loads after the page. */
const Mine = later(() => import('./Mine'), 4);

/** Things that no command exists for (`docs/rules.md` 0.6). */
const NEVER = ['price', 'outcome', 'balance', 'terms', 'destination'] as const;

function Never() {
  return (
    <Card>
      <p className="t2 lab">{t('proof.never.text')}</p>
      <ul className={css.never}>
        {NEVER.map((name) => (
          <li key={name}>
            <Icon name="close" size={16} />
            <span>{t(`proof.never.${name}`)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Program() {
  const config = useConfig();
  const lines = [{ label: t('settings.aboutApp'), value: VERSION }, ...(config ? [{ label: t('settings.aboutBuild'), value: <span className="code">{config.build}</span> }] : [])];
  return (
    <Card>
      <CostLines lines={lines} />
    </Card>
  );
}

/** "Check us": the signed log, the member's receipts, a saved receipt and the house, each computed on the phone. */
export default function Proof() {
  useLocale();
  const loggedIn = useLoggedIn();
  const config = useConfig();
  const receipts = offers(config, 'option') || offers(config, 'contract');
  const refresh = () => Promise.all([queryClient.refetchQueries({ queryKey: ['head'] }), queryClient.refetchQueries({ queryKey: ['pools'] }), queryClient.refetchQueries({ queryKey: ['owed'] }), queryClient.refetchQueries({ queryKey: ['stats'] })]);
  return (
    <Screen title={t('proof.title')} onRefresh={refresh}>
      <div className={css.page}>
        <p className="t2 pad">{t('proof.intro')}</p>
        <Section title={t('proof.log.title')} />
        <div className="pad">
          <HeadCard />
        </div>
        <Section title={t('journal.entry.open')} />
        <div className="pad">
          <FindEntry />
        </div>
        {(receipts || loggedIn) && (
          <>
            <Section title={t('proof.mine.title')} />
            <Mine />
          </>
        )}
        <Section title={t('proof.file.title')} />
        <div className="pad">
          <SavedFile />
        </div>
        {loggedIn && (
          <>
            <Section title={t('proof.kit.title')} />
            <div className="pad">
              <ExitKit />
            </div>
          </>
        )}
        <Section title={t('proof.owed.title')} />
        <div className="pad">
          <Owed loggedIn={loggedIn} />
        </div>
        <Section title={t('proof.pools.title')} />
        <div className="pad">
          <Pools />
        </div>
        <Section title={t('proof.stats.title')} />
        <div className="pad">
          <Stats />
        </div>
        <Section title={t('proof.recount.title')} />
        <div className="pad">
          <Recount />
        </div>
        <Section title={t('journal.acts.title')} />
        <div className="pad">
          <Operators />
        </div>
        <Section title={t('proof.never.title')} />
        <div className="pad">
          <Never />
        </div>
        <Section title={t('proof.program')} />
        <div className="pad">
          <Program />
        </div>
      </div>
    </Screen>
  );
}

import { setAppearance, useAppearance } from '../../data/appearance';
import { useUser } from '../../data/session';
import { languageCode, t, useLocale } from '../../lib/i18n';
import { exists, href } from '../../lib/nav';
import type { Preset } from '../../lib/storage';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Row } from '../../ui/Layout';
import { presetName, SampleCandles, SampleChanges } from '../../ui/PriceColours';
import css from './Home.module.css';

const ASKED_IN = ['zh', 'hk', 'jp', 'kr'];

function Colours() {
  const code = languageCode();
  const usual: Preset = code === 'kr' ? 'red-blue' : 'red-green';
  const choose = (updown?: Preset) => setAppearance({ asked: true, ...(updown && { updown }) });
  return (
    <Card>
      <h2 className="m">{t('home.colourTitle')}</h2>
      <div className={css.colours}>
        {[usual, 'green-red' as const].map((preset) => (
          <button key={preset} type="button" className={css.preview} onClick={() => choose(preset)}>
            <SampleCandles preset={preset} hollow={false} />
            <span className="lab b">{presetName(preset)}</span>
            <SampleChanges preset={preset} />
          </button>
        ))}
      </div>
      <Button kind="text" small onClick={() => choose()}>
        {t('home.colourSkip')}
      </Button>
    </Card>
  );
}

/** At most one thing that needs the person: a frozen account, the price colours once, then a missing fund password. */
export function Attention() {
  useLocale();
  const asked = useAppearance((state) => state.asked);
  const user = useUser().data;
  const card =
    user && user.status !== 0 ? (
      <Card tight>
        <div className={css.flush}>
          <Row lead={<Icon name="lock" />} title={t('errors.E_ACCOUNT_FROZEN')} href={href('settings/security/index')} chevron />
        </div>
      </Card>
    ) : !asked && ASKED_IN.includes(languageCode()) ? (
      <Colours />
    ) : user?.fund_password === 2 && exists('settings/security/changePayPassword') ? (
      <Card tight>
        <div className={css.flush}>
          <Row lead={<Icon name={icons.key} />} title={t('home.fundTitle')} sub={t('home.fundText')} href={href('settings/security/changePayPassword')} chevron />
        </div>
      </Card>
    ) : null;
  return card && <div className={css.attention}>{card}</div>;
}

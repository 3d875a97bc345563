import { setAppearance, useAppearance } from '../../data/appearance';
import { t, useLocale } from '../../lib/i18n';
import { PRESETS, type Theme } from '../../lib/storage';
import { RadioMark, Segment, Switch } from '../../ui/Choice';
import { Card, Screen } from '../../ui/Layout';
import { presetName, SampleCandles, SampleChanges } from '../../ui/PriceColours';
import css from './Settings.module.css';

const THEMES: readonly Theme[] = ['dark', 'light', 'system'];

export default function Appearance() {
  useLocale();
  const { theme, updown, hollow, hideAmounts } = useAppearance();
  return (
    <Screen title={t('settings.appearance')}>
      <div className="pad">
        <h2 className={`lab t2 m ${css.label}`}>{t('settings.theme')}</h2>
        <Segment
          label={t('settings.theme')}
          value={theme}
          onValue={(value) => setAppearance({ theme: value })}
          options={THEMES.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
        />
        <h2 className={`h3 ${css.heading}`}>{t('settings.priceColours')}</h2>
        <p className={`lab t2 ${css.under}`}>{t('settings.priceColoursText')}</p>
        <fieldset className={css.presets}>
          <legend className="vh">{t('settings.priceColours')}</legend>
          {PRESETS.map((preset) => (
            <label key={preset} className={css.preset}>
              <input type="radio" className="vh" name="preset" value={preset} checked={preset === updown} onChange={() => setAppearance({ updown: preset, asked: true })} />
              <span className={css.candles}>
                <SampleCandles preset={preset} hollow={hollow} />
              </span>
              <span className="grow col">
                <span className="b">{presetName(preset)}</span>
                <SampleChanges preset={preset} />
                <span className="cap t3">{t(`settings.presetUsual.${preset}`)}</span>
              </span>
              <RadioMark on={preset === updown} />
            </label>
          ))}
        </fieldset>
        <div className={css.switches}>
          <Card tight>
            <Switch label={t('settings.hollow')} note={t('settings.hollowText')} on={hollow} onChange={(on) => setAppearance({ hollow: on })} />
            <Switch label={t('settings.hideAmounts')} on={hideAmounts} onChange={(on) => setAppearance({ hideAmounts: on })} />
          </Card>
        </div>
      </div>
    </Screen>
  );
}

import { useState } from 'react';
import { chooseLanguage } from '../../data/language';
import { languageCode, languages, t, useLocale, type LanguageCode } from '../../lib/i18n';
import { RadioMark } from '../../ui/Choice';
import { Group, Screen } from '../../ui/Layout';
import { toast } from '../../ui/Toast';
import css from './Settings.module.css';

export default function Language() {
  useLocale();
  const [loading, setLoading] = useState<LanguageCode>();
  const choose = async (code: LanguageCode, name: string) => {
    if (loading || code === languageCode()) return;
    setLoading(code);
    try {
      await chooseLanguage(code);
    } catch {
      toast(t('settings.languageFailed', { language: name }), { icon: 'warn' });
    } finally {
      setLoading(undefined);
    }
  };
  return (
    <Screen title={t('settings.language')}>
      <Group>
        {languages().map(({ code, tag, name }) => (
          <button
            key={code}
            type="button"
            className={css.language}
            lang={tag}
            aria-pressed={code === languageCode()}
            aria-busy={code === loading || undefined}
            onClick={() => void choose(code, name)}
          >
            <span className="grow m">{name}</span>
            <RadioMark on={code === languageCode()} />
          </button>
        ))}
      </Group>
    </Screen>
  );
}

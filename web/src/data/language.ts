import { activate, languageCode, LANGUAGES, type LanguageCode } from '../lib/i18n';
import { api } from '../lib/http';
import { connect } from '../lib/socket';
import { storage } from '../lib/storage';
import { queryClient } from './query';
import { useSession } from './session';

let told = Promise.resolve();

/** The newest choice is sent to the server after earlier ones. */
async function tell(code: LanguageCode, tag: string): Promise<void> {
  if (languageCode() !== code) return;
  // The bare code is a valid mark as well, so an unreachable server does not delay the change.
  const mark = await api.post('set/lang', { lang: code }, { quiet: true }).then(({ message }) => message, () => code);
  if (languageCode() === code) storage.language.write({ code, tag, mark });
  void connect({ token: useSession.getState().token, language: code });
  void queryClient.invalidateQueries();
}

/** Switches the app to a language, stores it, and reports it to the server. If the language does not load, nothing changes. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  await activate(code);
  if (languageCode() !== code) return;
  const tag = LANGUAGES.find((language) => language.code === code)?.tag ?? 'en';
  storage.language.write({ code, tag, mark: code });
  told = told.then(() => tell(code, tag));
}

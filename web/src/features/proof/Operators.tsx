import { t } from '../../lib/i18n';
import { Icon } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { ACTS } from './acts';
import css from './Proof.module.css';

/** The closed list of what operators can do, in plain words, and who must confirm it. */
export function Operators() {
  const groups = Object.entries(ACTS) as [keyof typeof ACTS, (typeof ACTS)[keyof typeof ACTS]][];
  return (
    <Card>
      <p className="t2 lab">{t('journal.acts.lead')}</p>
      {groups.map(([who, acts]) => (
        <details key={who} className={css.pool}>
          <summary>
            <span className="grow">{t(`journal.acts.${who}`)}</span>
            <span className="num t2">{acts.length}</span>
            <Icon name="forward" size={18} />
          </summary>
          <ul className={css.acts}>
            {acts.map((act) => (
              <li key={act}>{t(`journal.acts.${act}`)}</li>
            ))}
          </ul>
        </details>
      ))}
      <p className="cap t2">{t('journal.acts.note')}</p>
      <p className={`cap t3 code ${css.key}`}>crates/engine/tests/operators.txt</p>
    </Card>
  );
}

import { useState } from 'react';
import type { Invite } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { languageCode, t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, trim } from '../../lib/money';
import { Button } from '../../ui/Button';
import { UnderlineTabs } from '../../ui/Choice';
import { copyText, shareText } from '../../ui/copy';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { Note, StatusChip } from '../../ui/Status';
import { refreshInvite, useInvite, useShare } from './api';
import { Leaders } from './Leaders';
import { Friends, Rebates } from './Lists';
import { linkOf } from './model';
import { Poster, PosterSheet } from './Poster';
import css from './Referral.module.css';

const RULES = ['invite.ruleBase', 'invite.ruleDay', 'invite.ruleDepth', 'invite.ruleRoles'] as const;

function Numbers({ invite }: { invite: Invite }) {
  const locale = useLocale();
  const percent = (text: string) => formatPercent(trim(amount(text)), locale);
  const rates = { first: percent(invite.return_rate1), second: percent(invite.return_rate2) };
  return (
    <>
      <Card tight>
        <dl className={css.stats}>
          <div>
            <dt>{t('invite.joined')}</dt>
            <dd className="num">{new Intl.NumberFormat(locale).format(invite.invite_num)}</dd>
          </div>
          <div>
            <dt>{t('invite.rate')}</dt>
            <dd className="num">{rates.first}</dd>
          </div>
          <div>
            <dt>{t('invite.received')}</dt>
            <dd className="num">{amountText({ value: invite.invite_return_total, code: 'USDT', bare: true }, locale)}</dd>
          </div>
        </dl>
      </Card>
      {invite.role !== 'user' && (
        <p className="lab t2">
          <StatusChip tone="done">{t(`invite.role.${invite.role}`)}</StatusChip> {invite.authorization_code && t('invite.authorization', { code: invite.authorization_code })}
        </p>
      )}
      <Note>{t('invite.honest', rates)}</Note>
      <details className={css.rules}>
        <summary className="lab m accent">{t('invite.how')}</summary>
        {RULES.map((rule) => (
          <p key={rule} className="lab t2">
            {t(rule, rates)}
          </p>
        ))}
      </details>
    </>
  );
}

/** The referral programme: the invitation, what it brought, and the leaderboard. */
export default function Referral() {
  useLocale();
  const query = useInvite();
  const share = useShare(languageCode()).data;
  const [poster, setPoster] = useState(false);
  const [tab, setTab] = useState<'friends' | 'rebates'>('friends');
  const invite = query.data;
  const link = invite && linkOf(invite.share_url, location.origin);
  if (query.error instanceof Refusal && query.error.code === 'E_PATH') {
    return (
      <Screen help title={t('menu.invite')}>
        <EmptyState icon="info" title={t('errors.E_PATH')} />
      </Screen>
    );
  }
  const footer = link && (
    <Button kind="commit" wide onClick={() => void shareText(share ? `${share.share_content} ${link}` : link)}>
      <Icon name={icons.share} size={20} /> {t('invite.share')}
    </Button>
  );
  return (
    <Screen help title={t('menu.invite')} footer={footer} onRefresh={refreshInvite}>
      <ListState query={query} errorTitle={t('invite.error')} errorText={t('invite.errorText')} rows={5}>
        {(own) => (
          <div className={css.page}>
            <Poster invite={own} link={linkOf(own.share_url, location.origin)} />
            <div className={css.two}>
              <Button small onClick={() => void copyText(linkOf(own.share_url, location.origin))}>
                <Icon name={icons.copy} size={18} /> {t('invite.copyLink')}
              </Button>
              <Button small onClick={() => setPoster(true)}>
                <Icon name={icons.image} size={18} /> {t('invite.savePoster')}
              </Button>
              <Button small onClick={() => void copyText(own.extension_code)}>
                <Icon name={icons.copy} size={18} /> {t('invite.copyCode')}
              </Button>
            </div>
            <Numbers invite={own} />
          </div>
        )}
      </ListState>
      <Leaders invite={invite} />
      <div className={css.lists}>
        <UnderlineTabs
          label={t('invite.lists')}
          value={tab}
          onValue={setTab}
          options={[
            { value: 'friends', label: t('invite.friends') },
            { value: 'rebates', label: t('invite.rebates') },
          ]}
        />
        {tab === 'friends' ? <Friends /> : <Rebates />}
      </div>
      {invite && <PosterSheet open={poster} onClose={() => setPoster(false)} code={invite.extension_code} />}
    </Screen>
  );
}

import { useState } from 'react';
import { useConfig, useForbidden, useHalves } from '../../data/config';
import { useLoggedIn } from '../../data/session';
import type { Loan } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { unname, useNamedId } from '../../lib/named';
import { date } from '../../lib/time';
import { EndlessDays } from '../../ui/Endless';
import { CoinDisc } from '../../ui/Figures';
import { Row, Section } from '../../ui/Layout';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { PlansScreen } from '../../ui/PlansScreen';
import { StatusChip } from '../../ui/Status';
import { Apply } from './Apply';
import { refreshLoans, useLiveLoans, useLoan, useLoanProducts, useLoans } from './api';
import { LoanCard, type Step } from './LoanCard';
import { LoanSheet } from './LoanSheet';
import { byUrgency } from './model';
import { balanceText, stateText, TONES } from './text';
import css from './Loans.module.css';

/** Every loan, including ended ones. */
function Mine({ onOpen }: { onOpen: (loan: Loan) => void }) {
  const locale = useLocale();
  const query = useLoans();
  const rows = query.data?.pages.flat();
  return (
    <section className={css.history}>
      <Section title={t('loans.mine')} />
      <ListState
        query={{ ...query, data: rows }}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState icon="plans" title={t('loans.none')} text={t('loans.noneText')} />}
        errorTitle={t('loans.error')}
        errorText={t('loans.errorText')}
        rows={2}
      >
        {(data) => (
          <EndlessDays query={query} pages={query.data?.pages.length ?? 0} rows={data} at={(row) => row.created_at_ms} day={css.day}>
            {(row) => (
              <Row
                lead={<CoinDisc code={row.currency_name} />}
                title={balanceText(row.amount, row.currency_name)}
                sub={`${t('loans.days', { days: row.day })}, ${date(row.created_at_ms, locale)}`}
                valueSub={<StatusChip tone={TONES[row.status] ?? 'info'}>{stateText(row)}</StatusChip>}
                onClick={() => onOpen(row)}
              />
            )}
          </EndlessDays>
        )}
      </ListState>
    </section>
  );
}

/** Loans that wait, run or are overdue. */
function Live({ onOpen }: { onOpen: (loan: Loan, step: Step) => void }) {
  const query = useLiveLoans();
  if (query.data?.length === 0) return null;
  return (
    <ListState query={query} errorTitle={t('loans.error')} errorText={t('loans.errorText')} rows={2}>
      {(loans) => (
        <div className={css.cards}>
          {byUrgency(loans).map((loan) => (
            <LoanCard key={loan.id} loan={loan} onOpen={(step) => onOpen(loan, step)} />
          ))}
        </div>
      )}
    </ListState>
  );
}

/** The open loan in its present state; its number may have come with the address. Each opening starts fresh. */
function Opened({ id, known, turn, step, open, onStep, onClose }: { id: number; known: Loan | undefined; turn: number; step: Step; open: boolean; onStep: (step: Step) => void; onClose: () => void }) {
  const loan = useLoan(id).data ?? known;
  return loan ? <LoanSheet key={`${loan.id} ${turn}`} loan={loan} open={open} step={step} onStep={onStep} onClose={onClose} /> : null;
}

/** Borrowing for a fixed term, with the full repayment and the liquidation price known first. */
export default function Loans() {
  useLocale();
  const loggedIn = useLoggedIn();
  const halves = useHalves();
  const config = useConfig();
  const products = useLoanProducts();
  const asked = useNamedId('index/jied');
  const [opened, setOpened] = useState<{ id: number; known?: Loan; turn: number; step: Step; open: boolean } | undefined>(() => (asked === undefined ? undefined : { id: asked, turn: 0, step: 'detail', open: true }));
  const [taken, setTaken] = useState(asked);
  if (asked !== taken) {
    setTaken(asked);
    if (asked !== undefined) setOpened({ id: asked, turn: (opened?.turn ?? 0) + 1, step: 'detail', open: true });
  }
  const show = (known: Loan, step: Step = 'detail') => setOpened({ id: known.id, known, turn: (opened?.turn ?? 0) + 1, step, open: true });
  const close = () => {
    if (opened) setOpened({ ...opened, open: false });
    unname('index/jied');
  };
  const forbidden = useForbidden('loan') === 'country';
  // Even if no loan can be opened: running ones are shown and can be repaid.
  if (config && !config.products.some(({ product }) => product === 'loan')) {
    return (
      <PlansScreen help half="index/jied" halves={halves} title={t('menu.loans')}>
        <EmptyState icon="plans" title={t('loans.absent')} text={t('loans.lead')} />
      </PlansScreen>
    );
  }
  const offered = products.data?.filter(({ status }) => status === 1) ?? [];
  return (
    <PlansScreen help half="index/jied" halves={halves} title={t('menu.loans')} onRefresh={refreshLoans}>
      <div className={css.page}>
        <ListState query={products} errorTitle={t('loans.productsError')} errorText={t('loans.errorText')} rows={6}>
          {() => (
            <>
              {loggedIn && <Live onOpen={show} />}
              <p className="t2">{t('loans.lead')}</p>
              {forbidden ? <EmptyState icon="lock" title={t('errors.E_COUNTRY')} text={t('loans.closed')} /> : offered.length > 0 ? <Apply products={offered} /> : <EmptyState icon="plans" title={t('loans.noProducts')} />}
            </>
          )}
        </ListState>
      </div>
      {loggedIn ? <Mine onOpen={show} /> : <GuestPlate title={t('loans.guest')} />}
      {opened && loggedIn && <Opened id={opened.id} known={opened.known} turn={opened.turn} step={opened.step} open={opened.open} onStep={(step) => setOpened({ ...opened, step })} onClose={close} />}
    </PlansScreen>
  );
}

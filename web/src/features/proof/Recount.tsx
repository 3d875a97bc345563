import { useState } from 'react';
import { t, useLocale } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Card } from '../../ui/Layout';
import { CostLines } from '../../ui/Status';
import { Figure, figuresText, movesText } from './Figure';
import { countBoard, countFigures, countMoves, countOf, countPlans, type Board, type Count, type Figures, type Moves, type Plans } from './recount';
import { countCoins, countVolumes, type Coins } from './recountMarkets';
import css from './Proof.module.css';

const plansText = ({ promises, lookedUp }: Plans) => (promises === 0 ? t('proof.recount.plansNone') : `${t('proof.recount.plansGood', { count: promises })} ${t('proof.recount.lookedUp', { count: lookedUp })}`);
const boardText = ({ places, days }: Board) => (places === 0 ? t('proof.recount.boardNone') : t('proof.recount.boardGood', { count: days, places }));

const coinsText = ({ commitments, lookedUp, skipped }: Coins) =>
  [
    commitments === 0 ? t('proof.recount.coinsNone') : `${t('proof.recount.coinsGood', { count: commitments })} ${t('proof.recount.lookedUp', { count: lookedUp })}`,
    ...(skipped > 0 ? [t('proof.recount.coinsMany', { count: skipped })] : []),
  ].join(' ');

/** Public figures with public parts, which this phone adds up. */
export function Recount() {
  const locale = useLocale();
  const [plans, setPlans] = useState<Count<Plans>>();
  const [board, setBoard] = useState<Count<Board>>();
  const [figures, setFigures] = useState<Count<Figures>>();
  const [moves, setMoves] = useState<Count<Moves>>();
  const [coins, setCoins] = useState<Count<Coins>>();
  const [volumes, setVolumes] = useState<Count<Moves>>();
  const busy = [plans, coins, board, figures, volumes, moves].some((count) => count?.state === 'checking');
  const run = async () => {
    setPlans({ state: 'checking' });
    setBoard({ state: 'checking' });
    setFigures({ state: 'checking' });
    setMoves({ state: 'checking' });
    setCoins({ state: 'checking' });
    setVolumes({ state: 'checking' });
    setPlans(await countOf(countPlans));
    setCoins(await countOf(countCoins));
    setBoard(await countOf(countBoard));
    setFigures(await countOf(countFigures));
    setVolumes(await countOf(countVolumes));
    setMoves(await countOf(countMoves));
  };
  const shown = (value: string, code: string) => amountText({ value, code, full: true }, locale);
  const treasury = plans?.state === 'good' ? plans.counted.treasury.filter((coin) => coin.open_orders > 0) : [];
  return (
    <Card>
      <p className="t2 lab">{t('proof.recount.text')}</p>
      <div role="status" className={css.counts}>
        <Figure title={t('proof.recount.plans')} count={plans} good={plansText} unshown={t('proof.recount.plansUnshown')} />
        {treasury.length > 0 && (
          <CostLines lines={treasury.map((coin) => ({ label: t('proof.recount.promised', { currency: coin.currency_name, balance: shown(coin.balance, coin.currency_name) }), value: shown(coin.reserve, coin.currency_name) }))} />
        )}
        <Figure title={t('proof.recount.coins')} count={coins} good={coinsText} unshown={t('proof.recount.coinsUnshown')} />
        <Figure title={t('proof.recount.board')} count={board} good={boardText} unshown={t('proof.recount.boardUnshown')} />
        <Figure title={t('proof.recount.figures')} count={figures} good={figuresText} unshown={t('proof.recount.figuresUnshown')} />
        <Figure title={t('proof.recount.volumes')} count={volumes} good={movesText} unshown={t('proof.recount.figuresUnshown')} />
        <Figure title={t('proof.pools.title')} count={moves} good={movesText} unshown={t('proof.recount.figuresUnshown')} />
      </div>
      <Button wide loading={busy} onClick={() => void run()}>
        {t(plans ? 'proof.again' : 'proof.recount.run')}
      </Button>
    </Card>
  );
}

import { useRef, useState } from 'react';
import { t, type Key } from '../lib/i18n';
import { Button } from './Button';
import { Icon } from './Icon';
import { RichText } from './RichText';
import { Sheet, type Parts } from './Sheet';
import css from './FirstUse.module.css';

export interface Question {
  text: Key;
  answers: readonly [Key, Key];
  /** The right answer. */
  right: 0 | 1;
  /** Shown after either answer. */
  why: Key;
}

/** The questions before the first purchase of a product. */
export const QUESTIONS: Readonly<Record<'option' | 'contract' | 'plan' | 'subscription', readonly Question[]>> = {
  option: [
    { text: 'risk.option.lose', answers: ['risk.option.losePart', 'risk.option.loseAll'], right: 1, why: 'risk.option.loseWhy' },
    { text: 'risk.option.half', answers: ['risk.option.halfLoses', 'risk.option.halfEven'], right: 0, why: 'risk.option.halfWhy' },
    { text: 'risk.option.stop', answers: ['risk.option.stopYes', 'risk.option.stopNo'], right: 1, why: 'risk.option.stopWhy' },
  ],
  contract: [
    { text: 'risk.contract.move', answers: ['risk.contract.moveAll', 'risk.contract.moveSmall'], right: 0, why: 'risk.contract.moveWhy' },
    { text: 'risk.contract.close', answers: ['risk.contract.closeAsked', 'risk.contract.closeSelf'], right: 1, why: 'risk.contract.closeWhy' },
    { text: 'risk.contract.most', answers: ['risk.contract.mostMargin', 'risk.contract.mostMore'], right: 0, why: 'risk.contract.mostWhy' },
  ],
  plan: [
    { text: 'risk.plan.first', answers: ['risk.plan.firstAll', 'risk.plan.firstLess'], right: 1, why: 'risk.plan.firstWhy' },
    { text: 'risk.plan.start', answers: ['risk.plan.startAfter', 'risk.plan.startNow'], right: 0, why: 'risk.plan.startWhy' },
    { text: 'risk.plan.safe', answers: ['risk.plan.safeYes', 'risk.plan.safeNo'], right: 1, why: 'risk.plan.safeWhy' },
  ],
  subscription: [
    { text: 'risk.subscription.lose', answers: ['risk.subscription.loseNone', 'risk.subscription.loseAll'], right: 1, why: 'risk.subscription.loseWhy' },
    { text: 'risk.subscription.sell', answers: ['risk.subscription.sellLater', 'risk.subscription.sellNow'], right: 0, why: 'risk.subscription.sellWhy' },
    { text: 'risk.subscription.back', answers: ['risk.subscription.backYes', 'risk.subscription.backNo'], right: 1, why: 'risk.subscription.backWhy' },
  ],
};

function Asked({ question, answer, onAnswer }: { question: Question; answer: number | undefined; onAnswer: (answer: number) => void }) {
  const right = answer === question.right;
  return (
    <fieldset className={css.question}>
      <legend className="m">{t(question.text)}</legend>
      {question.answers.map((key, n) => (
        <label key={key} className={css.answer}>
          <input type="radio" name={question.text} checked={answer === n} onChange={() => onAnswer(n)} />
          <span>{t(key)}</span>
        </label>
      ))}
      <p role="status" className={`lab ${right ? 't2' : 'caution'} ${css.why}`}>
        {answer !== undefined && (
          <>
            <Icon name={right ? 'check' : 'warn'} size={16} />
            <span>
              {t(right ? 'risk.right' : 'risk.wrong')} {t(question.why)}
            </span>
          </>
        )}
      </p>
    </fieldset>
  );
}

/** Risk text and questions of a product, as a sheet shows them before its first purchase. Answers can be corrected; all must be right. */
export function useQuestions(product: keyof typeof QUESTIONS, text: { title: string; body: string } | undefined, onDone: () => void): Parts {
  const [answers, setAnswers] = useState<Readonly<Record<string, number>>>({});
  const list = useRef<HTMLDivElement>(null);
  const questions = QUESTIONS[product];
  const open = questions.findIndex((question) => answers[question.text] !== question.right);
  return {
    title: text?.title ?? '',
    children: (
      <div ref={list} className={css.first}>
        <RichText html={text?.body ?? ''} />
        <h3 className="h3">{t('risk.questions')}</h3>
        {questions.map((question) => (
          <Asked key={question.text} question={question} answer={answers[question.text]} onAnswer={(answer) => setAnswers({ ...answers, [question.text]: answer })} />
        ))}
      </div>
    ),
    footer: (
      <Button kind="commit" wide reason={open < 0 ? undefined : t('risk.answer')} onBlocked={() => list.current?.querySelectorAll('fieldset')[open]?.querySelector('input')?.focus()} onClick={onDone}>
        {t('risk.go')}
      </Button>
    ),
  };
}

interface Props {
  open: boolean;
  onClose: () => void;
  product: keyof typeof QUESTIONS;
  text: { title: string; body: string } | undefined;
  onDone: () => void;
}

/** What a product can cost, and three questions, in a sheet of its own. */
export default function RiskSheet({ open, onClose, product, text, onDone }: Props) {
  return <Sheet open={open} onClose={onClose} {...useQuestions(product, text, onDone)} />;
}

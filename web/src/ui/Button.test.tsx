import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Button, ButtonLink } from './Button';

afterEach(cleanup);
const shown = () => [...screen.getAllByRole('button'), ...screen.queryAllByRole('link')].map(({ textContent }) => textContent);

test('no button ends with the full stop of the sentence that it says', () => {
  render(
    <>
      <Button kind="commit" reason="Your account is frozen.">
        Buy
      </Button>
      <Button reason="The most is 100,000 lots.">Buy</Button>
      <Button kind="commit">請先驗證身分。</Button>
      <Button>Wait…</Button>
      <ButtonLink href="#">Check your identity first.</ButtonLink>
    </>,
  );
  expect(shown()).toEqual(['Your account is frozen', 'The most is 100,000 lots', '請先驗證身分', 'Wait…', 'Check your identity first']);
});

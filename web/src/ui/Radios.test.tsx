import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Radios } from './Radios';

afterEach(cleanup);

const options = ['one', 'two', 'three'].map((value) => ({ value, content: value }));
function Group({ leadOnly = false, start }: { leadOnly?: boolean; start?: string }) {
  const [value, setValue] = useState(start);
  return <Radios label="Numbers" row="" options={options} value={value} onValue={setValue} leadOnly={leadOnly} />;
}
const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
const radio = (name: string) => screen.getByRole('radio', { name });
const stops = () => screen.getAllByRole('radio').filter((one) => one.tabIndex === 0).map((one) => one.textContent);

test('a group of radios is one stop, and arrows choose within it, round its ends', () => {
  render(<Group start="two" />);
  expect(stops()).toEqual(['two']);
  radio('two').focus();
  key('ArrowDown');
  expect(document.activeElement).toBe(radio('three'));
  expect(radio('three').getAttribute('aria-checked')).toBe('true');
  expect(stops()).toEqual(['three']);
  key('ArrowRight');
  expect(document.activeElement).toBe(radio('one'));
  key('ArrowUp');
  expect(document.activeElement).toBe(radio('three'));
  key('a');
  expect(document.activeElement).toBe(radio('three'));
});

test('where choosing closes the list, arrows only lead to a choice', () => {
  render(<Group leadOnly />);
  expect(stops()).toEqual(['one']);
  radio('one').focus();
  key('ArrowDown');
  expect(document.activeElement).toBe(radio('two'));
  expect(radio('two').getAttribute('aria-checked')).toBe('false');
  expect(stops()).toEqual(['two']);
  fireEvent.click(radio('two'));
  expect(radio('two').getAttribute('aria-checked')).toBe('true');
});

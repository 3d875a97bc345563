import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Screen, Table } from './Screen';

vi.mock('./States', () => ({ Age: () => null }));
afterEach(cleanup);

test('keys walk through the rows of every list; Enter presses what has the focus', () => {
  const { container } = render(
    <Screen title="News">
      <Table label="One" head={['Name', 'Do']}>
        <tr id="first"><td>a</td><td><a href="#/a">Open</a><button type="button">Delete</button></td></tr>
        <tr id="second"><td>b</td><td>no button</td></tr>
      </Table>
      <Table label="Two" head={['Name']}>
        <tr id="third"><td><button type="button">Edit</button></td></tr>
      </Table>
    </Screen>,
  );
  const press = (key: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    const at = document.activeElement;
    return [at?.closest('tr')?.id, at?.tagName];
  };
  expect(press('k')).toEqual(['first', 'A']);
  expect(press('k')).toEqual(['first', 'A']);
  expect(press('j')).toEqual(['second', 'TR']);
  expect(press('j')).toEqual(['third', 'BUTTON']);
  expect(press('j')).toEqual(['third', 'BUTTON']);
  expect(press('k')).toEqual(['second', 'TR']);
  expect(container.querySelectorAll('[tabindex="-1"]')).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { ends, familyOf, inFours, shortAddress, shortCard } from './address';

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const ETHER = '0x52908400098527886E0F7030069857D2E4169EE7';

test('the ends of an address make the whole again', () => {
  expect(ends(TRON)).toEqual(['TJRabP', 'rwbZy45sbavfcjinPJC18k', 'jpRTv8']);
  expect(ends(TRON).join('')).toBe(TRON);
  expect(ends('short')).toEqual(['short', '', '']);
  expect(shortAddress(TRON)).toBe('TJRabP…jpRTv8');
  expect(shortAddress('123456789012')).toBe('123456789012');
});

test('groups of four lose nothing', () => {
  expect(inFours('abcdefghij')).toBe('abcd efgh ij');
  expect(inFours(ETHER).replaceAll(' ', '')).toBe(ETHER);
  expect(inFours('')).toBe('');
});

test.each([
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'BTC'],
  ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'BTC'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'BTC'],
  [ETHER, 'ERC20'],
  [TRON, 'TRC20'],
  [`${TRON}x`, undefined],
  ['0x5290', undefined],
  ['', undefined],
])('%s looks like %s', (address, family) => {
  expect(familyOf(address)).toBe(family);
});

test('a card shows its last four', () => {
  expect(shortCard('************9012')).toBe('•••• 9012');
  expect(shortCard('First Bank ****9012')).toBe('First Bank •••• 9012');
});

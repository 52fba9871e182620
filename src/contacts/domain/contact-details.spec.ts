import { ended } from '../../../test/support/ended.js';
import { isWebsite } from './contact-details.js';

describe('a website', () => {
  it.each([
    'acme.example',
    'https://acme.example/a?b=c:d@e',
    'HTTP://acme.example',
    'müller.example',
    '..a',
    'a..',
  ])('can be %s', (text) => expect(isWebsite(text)).toBe(true));

  it.each([
    '',
    'acme',
    '.',
    'acme.',
    '.example',
    'javascript:alert.x',
    'ftp://acme.example',
    'a/b.c',
    'a@b.c',
    'a b.c',
    'a."b',
  ])('cannot be %j', (text) => expect(isWebsite(text)).toBe(false));

  it('is read in time in proportion to its length', () => {
    expect(ended(() => isWebsite(`${'.'.repeat(1_000_000)} `))).toBe(false);
  });
});

import { readdirSync, readFileSync } from 'node:fs';

/** Requirements of the provider gateway, GW-01 to GW-34. */
const REQUIREMENTS = Array.from({ length: 34 }, (_, index) => `GW-${String(index + 1).padStart(2, '0')}`);

/** The numbers that a title of a test, or of a group of tests, in this text begins with. */
function namedIn(text: string): string[] {
  const titles = text.matchAll(/\b(?:it|describe)(?:\.each\([^)]*\))?\(\s*['"`]((?:GW-\d\d[ ,:and]+)+)/g);
  return [...titles].flatMap(([, numbers]) => numbers?.match(/GW-\d\d/g) ?? []);
}

const testsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('-spec.ts') || path.endsWith('.spec.ts'))
    .map((path) => `${folder}/${path}`)
    .filter((path) => path !== 'test/gateway-requirements.spec.ts');

describe('requirements of the provider gateway', () => {
  const named = new Set(
    [...testsIn('test'), ...testsIn('src')].flatMap((path) => namedIn(readFileSync(path, 'utf8'))),
  );

  it.each(REQUIREMENTS)('%s has a test that is named after it', (requirement) => {
    expect(named).toContain(requirement);
  });

  it('reads the numbers of titles only', () => {
    const text = [
      "it('GW-14: a price takes a product', …",
      "describe('GW-25 and GW-26: tokens', …",
      '// GW-01',
      "expect('GW-02')",
    ].join('\n');
    expect(namedIn(text)).toEqual(['GW-14', 'GW-25', 'GW-26']);
  });
});

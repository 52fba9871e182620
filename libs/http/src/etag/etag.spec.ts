import { etagOf, matchesEtag, NO_VERSION, requiredVersion } from './etag.js';

describe('entity tags', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    ['"v7"', 7],
    [' "v7" ', 7],
    ['"v3", "v12"', 12],
    ['"v7-0123456789abcdef"', 7],
    ['W/"v7"', 7],
    ['W/"v3", "v12"', 12],
    ['w/"v7"', NO_VERSION],
    ['"7"', NO_VERSION],
    ['v7', NO_VERSION],
    ['', NO_VERSION],
    ['"v99999999999999999"', NO_VERSION],
    ['"v7-anything"', NO_VERSION],
  ])('If-Match: %s demands %s', (header, version) => expect(requiredVersion(header)).toBe(version));

  it.each([
    ['"v7"', true],
    ['W/"v7"', true],
    ['"x", W/"v7"', true],
    ['*', true],
    ['"v8"', false],
    ['v7', false],
    [undefined, false],
  ])('If-None-Match: %s names version 7: %s', (header, named) =>
    expect(matchesEtag(etagOf(7), header)).toBe(named),
  );

  it('differ between representations of one version, and If-Match accepts each of them', () => {
    const [alone, first, second] = [etagOf(7), etagOf(7, { waitsFor: 1 }), etagOf(7, { waitsFor: 2 })];
    expect(new Set([alone, first, second]).size).toBe(3);
    expect(etagOf(7, { waitsFor: 1 })).toBe(first);
    expect(etagOf(7, null)).toBe(alone);
    expect([alone, first, second].map((etag) => requiredVersion(etag))).toEqual([7, 7, 7]);
  });
});

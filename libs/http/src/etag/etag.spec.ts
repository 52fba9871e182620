import { etagOf, isNamed, NEVER, versionDemanded } from './etag.js';

describe('entity tags', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    ['"v7"', 7],
    [' "v7" ', 7],
    ['"v3", "v12"', 12],
    ['W/"v7"', NEVER],
    ['"7"', NEVER],
    ['v7', NEVER],
    ['', NEVER],
    ['"v99999999999999999"', NEVER],
  ])('If-Match: %s demands %s', (header, version) => expect(versionDemanded(header)).toBe(version));

  it.each([
    ['"v7"', true],
    ['W/"v7"', true],
    ['"x", W/"v7"', true],
    ['*', true],
    ['"v8"', false],
    ['v7', false],
    [undefined, false],
  ])('If-None-Match: %s names version 7: %s', (header, named) =>
    expect(isNamed(etagOf(7), header)).toBe(named),
  );
});

import { versionWarnings } from './integration-warnings.js';

const DAY_MS = 86_400_000;
const now = new Date('2026-01-15T10:00:00.000Z');
const codes = (days: number | null) => {
  const endsAt = days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString();
  return versionWarnings('Fictional', { name: 'v2', endsAt }, 30 * DAY_MS, now).map(({ code }) => code);
};

describe('the warning that a version of an interface ends', () => {
  it.each([
    [31, []],
    [30, ['api_version_ends']],
    [0.1, ['api_version_ends']],
    [0, ['api_version_ended']],
    [-400, ['api_version_ended']],
    [null, []],
  ])('%d days before it is %j', (days, expected) => {
    expect(codes(days)).toEqual(expected);
  });

  it('is absent without versions', () => {
    expect(versionWarnings('Fictional', null, DAY_MS, now)).toEqual([]);
  });
});

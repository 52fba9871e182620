import { Metrics } from '#libs/http';
import { SchemaChecks } from './schema-checks.js';

/** Only a check that never ends reaches it. */
const HOUR_MS = 3_600_000;
const WAITING = { total: 4, perOrigin: 3, unknownTotal: 4 };

/** Its check takes time that doubles with each list in a list. */
const STUCK = {
  schema: {
    $defs: {
      a: {
        anyOf: [
          { type: 'array', items: { $ref: '#/$defs/a' } },
          { type: 'array', items: { $ref: '#/$defs/a' } },
        ],
      },
    },
    $ref: '#/$defs/a',
  },
  text: `${'['.repeat(60)}1${']'.repeat(60)}`,
};
const NUMBER = { schema: { type: 'number' }, text: '1' };
const NO_NUMBER = { ...NUMBER, text: '"1"' };

describe('checks of response schemas', () => {
  let metrics: Metrics;
  const opened: SchemaChecks[] = [];
  const open = (milliseconds = HOUR_MS) => {
    const limits = { milliseconds, megabytes: 64 };
    class ChecksWithin extends SchemaChecks {
      protected override get limits() {
        return limits;
      }

      protected override get waiting() {
        return WAITING;
      }
    }
    metrics = new Metrics();
    const checks = new ChecksWithin(metrics);
    opened.push(checks);
    return checks;
  };
  const unchecked = async () =>
    [...(await metrics.page()).matchAll(/^ai_unchecked_responses_total\{reason="(\w+)"\} (.*)$/gm)].map(
      ([, reason, count]) => [reason, count],
    );
  afterEach(() => Promise.all(opened.splice(0).map((checks) => checks.onApplicationShutdown())));

  it('say whether a text fits', async () => {
    const checks = open();
    expect([await checks.fits('a', NUMBER), await checks.fits('a', NO_NUMBER)]).toEqual([true, false]);
    expect(await unchecked()).toEqual([]);
  });

  it('leave the process free while one never ends', async () => {
    const checks = open();
    let isStuck = true;
    const stuck = checks.fits('a', STUCK).finally(() => (isStuck = false));
    const others = open();
    expect([await others.fits('b', NO_NUMBER), isStuck]).toEqual([false, true]);
    await checks.onApplicationShutdown();
    expect(await stuck).toBe(true);
  });

  it('accept a text whose check takes too long', async () => {
    const checks = open(50);
    expect(await checks.fits('a', STUCK)).toBe(true);
    expect(await unchecked()).toEqual([['out_of_time', '1']]);
  });

  it('take organizations in turn, and accept what one asks for beyond its waiting places', async () => {
    const checks = open();
    const stuck = checks.fits('greedy', STUCK);
    const ended: string[] = [];
    const fits = (organization: string) =>
      checks.fits(organization, NO_NUMBER).then((isFit) => {
        ended.push(organization);
        return isFit;
      });
    const waiting = Array.from({ length: WAITING.perOrigin }, () => fits('greedy'));
    expect(await checks.fits('greedy', NO_NUMBER)).toBe(true);
    const other = fits('other');
    await checks.onApplicationShutdown();
    expect([await stuck, await other]).toEqual([true, false]);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => false));
    expect(ended.indexOf('other')).toBeLessThanOrEqual(1);
    expect(await unchecked()).toEqual([
      ['no_turn', '1'],
      ['error', '1'],
    ]);
  });
});

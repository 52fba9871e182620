import { usageReadings, waitIn } from './graph-usage.js';

const NAMES = { app: 'app-usage', account: 'page-usage' };
const NOW = new Date('2026-11-21T10:00:00.000Z');
const business = (...usages: object[]) => ({
  'x-business-use-case-usage': JSON.stringify({ '102': usages }),
});
const read = (headers: Record<string, string>) => usageReadings(headers, NAMES, NOW);

describe('usage headers of the Graph API', () => {
  it('state the remaining percent of the highest share', () => {
    expect(read({ 'x-app-usage': '{"call_count":28,"total_time":25,"total_cputime":30}' })).toEqual([
      { name: 'app-usage', remaining: 70, resetsAt: null, max: 100 },
    ]);
    expect(read({ 'x-page-usage': '{"call_count":101.5}' })).toEqual([
      { name: 'page-usage', remaining: 0, resetsAt: null, max: 100 },
    ]);
  });

  it('state when a page may be called again, in minutes', () => {
    const headers = business(
      {
        type: 'pages',
        call_count: 100,
        total_cputime: 1,
        total_time: 1,
        estimated_time_to_regain_access: 19,
      },
      { type: 'pages', call_count: 5, total_cputime: 1, total_time: 1, estimated_time_to_regain_access: 0 },
    );
    expect(read(headers)).toEqual([
      { name: 'page-usage', remaining: 0, resetsAt: '2026-11-21T10:19:00.000Z', max: 100 },
    ]);
    expect(waitIn(headers)).toBe(19 * 60_000);
  });

  it('are ignored when they are malformed or implausible', () => {
    for (const header of [
      '',
      'null',
      '[]',
      '7',
      '{',
      '{"call_count":"9"}',
      '{"102":null}',
      'x'.repeat(30_000),
    ]) {
      const headers = { 'x-app-usage': header, 'x-page-usage': header, 'x-business-use-case-usage': header };
      expect([read(headers), waitIn(headers)]).toEqual([[], null]);
    }
    const late = business({ call_count: 100, estimated_time_to_regain_access: 1_000_000 });
    expect([read(late)[0]?.resetsAt, waitIn(late)]).toEqual([null, null]);
  });

  it('leave the wait to Retry-After where they state none', () => {
    expect(waitIn({ ...business({ call_count: 3 }), 'retry-after': '7' })).toBe(7_000);
    expect(waitIn({ 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' })).toBeNull();
  });
});

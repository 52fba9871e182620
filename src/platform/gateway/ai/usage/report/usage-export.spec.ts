import { csvHeader, csvRows } from './usage-export.js';

const group = {
  calls: 2,
  attempts: 3,
  failed: 1,
  unknown: 0,
  estimated: 0,
  unpriced: 0,
  released: 0,
  cost: 1_230_000n,
  uncertainCost: 0n,
  inputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 5,
  inputImageTokens: 0,
  outputImageTokens: 0,
  inputAudioTokens: 0,
  audioSeconds: 1.5,
  images: 0,
};

describe('the CSV form of a usage report', () => {
  it('has a column for each key and measure', () => {
    const header = csvHeader(['day', 'application']);
    expect(header).toMatch(/^\uFEFFday,applicationId,application,calls,attempts,failed,.*,images\r\n$/);
    const row = csvRows(
      ['day', 'application'],
      [{ ...group, keys: ['2026-11-01', 'a1'], application: 'mail' }],
    );
    expect(row).toBe('2026-11-01,a1,mail,2,3,1,0,0,0,0,0.00123,0,10,0,0,5,0,0,0,1.5,0\r\n');
    expect(row.split(',')).toHaveLength(header.split(',').length);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'writes %j so that no spreadsheet computes it',
    (text) => {
      expect(csvRows(['model'], [{ ...group, keys: [text], application: null }])).toMatch(/^"?'/);
    },
  );

  it('writes a formula behind any delimiter so that no spreadsheet computes it', () => {
    const model = `x;=cmd|'/C calc'!A0;y`;
    const row = csvRows(['application'], [{ ...group, keys: ['a1'], application: model }]);
    expect(row.startsWith(`a1,"x;'=cmd|'/C calc'!A0;y",2,`)).toBe(true);
    expect(csvRows(['model'], [{ ...group, keys: [' =1+1'], application: null }])).toMatch(/^' =1\+1,2,/);
  });

  it('quotes what separates cells and lines', () => {
    const row = csvRows(['model'], [{ ...group, keys: ['a,"b"\n'], application: null }]);
    expect(row.startsWith('"a,""b""\n",2,')).toBe(true);
  });
});

import { setImmediate } from 'node:timers/promises';
import { parsedInThread } from './parsing.js';

const program = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { serveThread } from '${import.meta.resolve('#libs/concurrency')}'; serveThread(${code});`,
    )}`,
  );
const LIMITS = { milliseconds: 50, megabytes: 32 };

describe('a parser of a received file', () => {
  it('gives what it reads', async () => {
    expect(await parsedInThread(program('async (bytes) => bytes.length'), Buffer.alloc(7))).toBe(7);
  });

  it('ends with its time, while the process goes on', async () => {
    let turns = 0;
    let isRead = false;
    const reading = parsedInThread(program('() => { for (;;); }'), '', LIMITS).finally(() => (isRead = true));
    for (; !isRead; turns += 1) await setImmediate();
    expect(await reading).toBeUndefined();
    expect(turns).toBeGreaterThan(1);
  });

  it('reads nothing when it fails', async () => {
    expect(await parsedInThread(program('async () => { throw new Error(); }'), '')).toBeUndefined();
  });
});

import { runInThread } from './thread.js';

/** Generous: what ends these threads is what they do. */
const LIMITS = { milliseconds: 60_000, megabytes: 32 };
const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

describe('a thread with limits', () => {
  it('gives what the module posts', async () => {
    const code = `import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData + 1)`;
    expect(await runInThread(program(code), 1, LIMITS)).toEqual({ kind: 'done', output: 2 });
  });

  it('is ended when its time is over', async () => {
    const result = await runInThread(program('for (;;);'), null, { ...LIMITS, milliseconds: 50 });
    expect(result).toEqual({ kind: 'failed', reason: 'out_of_time' });
  });

  it('is ended when its memory is used up', async () => {
    const code = 'const kept = []; for (;;) kept.push({ text: [String(kept.length)] })';
    const result = await runInThread(program(code), null, LIMITS);
    expect(result).toEqual({ kind: 'failed', reason: 'out_of_memory' });
  });

  it.each(['throw new Error("no")', 'process.exit()', ''])('fails with a module like %j', async (code) =>
    expect(await runInThread(program(code), null, LIMITS)).toEqual({ kind: 'failed', reason: 'error' }),
  );

  it('sees no variable of the process', async () => {
    const code = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage(Object.keys(process.env))`;
    expect(await runInThread(program(code), null, LIMITS)).toEqual({ kind: 'done', output: [] });
  });
});

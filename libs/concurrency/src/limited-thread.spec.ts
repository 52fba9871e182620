import { LimitedThread } from './limited-thread.js';

/** Generous: what ends these threads is what they do. */
const LIMITS = { milliseconds: 60_000, megabytes: 32 };
const ERROR = { kind: 'failed', reason: 'error' };
const done = (output: unknown) => ({ kind: 'done', output });

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
/** A module that answers an input by the code of a function. */
const answering = (code: string) =>
  program(`import { serveThread } from '${import.meta.resolve('#libs/concurrency')}';
    import { threadId } from 'node:worker_threads';
    serveThread((input) => { ${code} });`);

describe('a thread with limits', () => {
  const threads: LimitedThread[] = [];
  const open = (module: URL, limits = LIMITS) => {
    const thread = new LimitedThread(module, limits);
    threads.push(thread);
    return thread;
  };
  afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

  it('gives what the module answers, for one input after another', async () => {
    const thread = open(answering('return [input + 1, threadId]'));
    const first = await thread.run(1);
    expect(first).toEqual(done([2, expect.any(Number)]));
    const [, id] = (first as { output: unknown[] }).output;
    expect(await thread.run(2)).toEqual(done([3, id]));
  });

  it('is replaced when its time is over', async () => {
    const limits = { ...LIMITS, milliseconds: 50 };
    const thread = open(answering('while (input === 1); return input'), limits);
    expect(await thread.run(1)).toEqual({ kind: 'failed', reason: 'out_of_time' });
    limits.milliseconds = LIMITS.milliseconds;
    expect(await thread.run(2)).toEqual(done(2));
  });

  it('is replaced when its memory is used up', async () => {
    const code =
      'const kept = []; while (input === 1) kept.push({ text: [String(kept.length)] }); return input';
    const thread = open(answering(code));
    expect(await thread.run(1)).toEqual({ kind: 'failed', reason: 'out_of_memory' });
    expect(await thread.run(2)).toEqual(done(2));
  });

  it('leaves the process free while it works', async () => {
    const thread = open(answering('for (;;);'));
    const running = thread.run(1);
    const other = open(answering('return input'));
    expect(await other.run(2)).toEqual(done(2));
    await thread.close();
    expect(await running).toEqual(ERROR);
  });

  it.each(['throw new Error("no")', 'process.exit()', ''])('fails with a module like %j', async (code) =>
    expect(await open(program(code)).run(null)).toEqual(ERROR),
  );

  it('fails with an error of the work, and is replaced', async () => {
    const thread = open(answering('if (input === 1) throw new Error("no"); return input'));
    expect(await thread.run(1)).toEqual(ERROR);
    expect(await thread.run(2)).toEqual(done(2));
  });

  it('sees no variable of the process', async () => {
    expect(await open(answering('return Object.keys(process.env)')).run(null)).toEqual(done([]));
  });
});

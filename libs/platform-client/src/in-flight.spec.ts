import { InFlight } from './in-flight.js';

/** Questions whose answers are given by hand, each named after the order in which it was asked. */
function byHand() {
  const answers: ((value: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => answers.push((value) => resolve(value)));
  return { ask, answers };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('equal questions in flight', () => {
  it('that come while one is being asked share the next one, and only that', async () => {
    const { ask, answers } = byHand();
    const questions = new InFlight<string>();
    const first = questions.share('k', ask);
    const later = [questions.share('k', ask), questions.share('k', ask)];
    await turn();
    expect(answers).toHaveLength(1);
    answers[0]?.('first');
    expect(await first).toBe('first');
    await turn();
    expect(answers).toHaveLength(2);
    answers[1]?.('second');
    expect(await Promise.all(later)).toEqual(['second', 'second']);
  });

  it('do not wait for other questions', async () => {
    const { ask, answers } = byHand();
    const questions = new InFlight<string>();
    void questions.share('k', ask);
    const other = questions.share('l', ask);
    answers[1]?.('other');
    expect(await other).toBe('other');
  });

  it('are not held up by one that takes too long', async () => {
    const { ask, answers } = byHand();
    const questions = new InFlight<string>();
    void questions.share('k', ask);
    const second = questions.share('k', ask);
    await new Promise((resolve) => setTimeout(resolve, 100));
    answers[1]?.('second');
    expect(await second).toBe('second');
  });

  it('do not share a failure of the one before', async () => {
    const questions = new InFlight<string>();
    const failing = questions.share('k', () => Promise.reject(new Error('no')));
    const next = questions.share('k', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await questions.share('k', () => Promise.resolve('again'))).toBe('again');
  });
});

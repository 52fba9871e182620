import { parseFault } from './fault.js';
import { type FaultableCall, FaultRegistry } from './fault-registry.js';

const account = { id: '42', username: 'Acme' };
const call: FaultableCall = { network: 'x', host: 'api', route: 'POST /2/tweets', account, text: 'one two' };

const boardWith = (...faults: object[]) => {
  const board = new FaultRegistry();
  for (const fault of faults) board.add(parseFault(fault));
  return board;
};

const hitsOf = (board: FaultRegistry) => board.list().map(({ hits }) => hits);

describe('the switchboard', () => {
  it.each([
    [{}, true],
    [{ account: '42' }, true],
    [{ account: 'ACME' }, true],
    [{ account: 'other' }, false],
    [{ route: 'POST /2/tweets', host: 'api', network: 'x' }, true],
    [{ route: 'GET /2/users/me' }, false],
    [{ host: 'legacy' }, false],
    [{ network: 'linkedin' }, false],
    [{ textContains: 'two' }, true],
    [{ textContains: 'three' }, false],
  ])('a fault for %j hits the call: %s', (target, expected) => {
    const board = boardWith({ kind: 'unauthorized', ...target });
    expect(board.disturb(call)?.outcome?.kind === 'unauthorized').toBe(expected);
  });

  it('a fault ends after so many hits and stays listed', () => {
    const board = boardWith({ kind: 'unauthorized', times: 2 });
    const outcomes = [1, 2, 3].map(() => board.disturb(call)?.outcome?.kind);
    expect(outcomes).toEqual(['unauthorized', 'unauthorized', undefined]);
    expect(hitsOf(board)).toEqual([2]);
  });

  it('delays add up, and the first outcome that hits is the only one', () => {
    const board = boardWith(
      { kind: 'delay-before-effect', delayMs: 10 },
      { kind: 'rate-limited', times: 1 },
      { kind: 'delay-after-effect', delayMs: 5 },
      { kind: 'delay-before-effect', delayMs: 20 },
      { kind: 'unauthorized' },
    );
    expect(board.disturb(call)).toMatchObject({
      delayBeforeMs: 30,
      delayAfterMs: 5,
      outcome: { kind: 'rate-limited' },
    });
    expect(board.disturb(call)).toMatchObject({ outcome: { kind: 'unauthorized' } });
    expect(hitsOf(board)).toEqual([2, 1, 2, 2, 1]);
  });

  it('draws the same calls again for the same seed', () => {
    const run = (seed: number) => {
      const board = boardWith({ kind: 'unauthorized', probability: 0.3, seed });
      return Array.from({ length: 1000 }, () => board.disturb(call) !== undefined);
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
    const share = run(7).filter(Boolean).length / 1000;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.35);
  });

  it('drops on arrival before anything is read, and counts nothing else then', () => {
    const board = boardWith({ kind: 'drop-on-arrival', times: 1 }, { kind: 'unauthorized' });
    expect(board.dropsOnArrival(call)).toBe(true);
    expect(board.dropsOnArrival(call)).toBe(false);
    expect(hitsOf(board)).toEqual([1, 0]);
  });
});

describe('a fault', () => {
  it.each([
    [{ kind: 'explode' }],
    [{}],
    [[]],
    ['rate-limited'],
    [{ kind: 'unauthorized', times: 0 }],
    [{ kind: 'unauthorized', times: 1.5 }],
    [{ kind: 'unauthorized', probability: 2 }],
    [{ kind: 'unauthorized', route: 7 }],
    [{ kind: 'unauthorized', time: 3 }],
    [{ kind: 'drop-on-arrival', textContains: 'x' }],
  ])('%j is refused', (input) => {
    expect(() => parseFault(input)).toThrow(expect.objectContaining({ name: 'ControlRequestIsInvalid' }));
  });
});

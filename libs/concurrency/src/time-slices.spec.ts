import { TimeSlices } from './time-slices.js';

describe('slices of time', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  async function turnsDuring(pieces: readonly number[]): Promise<number> {
    const slices = new TimeSlices();
    let turns = 0;
    for (const milliseconds of pieces) {
      setImmediate(() => (turns += 1));
      now += milliseconds;
      await slices.pause();
    }
    return turns;
  }

  it('let the event loop turn after work that took long', async () => {
    expect(await turnsDuring([50])).toBe(1);
    expect(await turnsDuring([4, 4, 4])).toBe(3);
  });

  it('let short work continue', async () => {
    expect(await turnsDuring([1, 1, 1, 1])).toBe(0);
  });
});

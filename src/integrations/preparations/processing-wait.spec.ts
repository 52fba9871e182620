import { PROCESSING_BUDGET_MS, processingWait } from './processing-wait.js';

describe('how long a post waits for its network', () => {
  it('is as long as the network asks for, between a second and an hour', () => {
    expect(processingWait(30_000, 0)).toBe(30_000);
    expect(processingWait(0, 0)).toBe(1_000);
    expect(processingWait(7 * 86_400_000, 0)).toBe(3_600_000);
  });

  it('grows with what it has waited, so that a network that asks for little does not begin attempts without end', () => {
    expect(processingWait(500, 600_000)).toBe(60_000);
    let [waited, waits] = [0, 0];
    for (;;) {
      const wait = processingWait(500, waited);
      if (wait === null) break;
      [waited, waits] = [waited + wait, waits + 1];
    }
    expect(waits).toBeLessThan(100);
    expect(waited).toBeGreaterThanOrEqual(PROCESSING_BUDGET_MS);
  });

  it('ends with its budget', () => {
    expect(processingWait(500, PROCESSING_BUDGET_MS - 1)).not.toBeNull();
    expect(processingWait(500, PROCESSING_BUDGET_MS)).toBeNull();
  });
});

import { Alarm } from './index.js';

describe('an alarm', () => {
  it('ends a sleep when it rings, and reports that', async () => {
    const alarm = new Alarm();
    const asleep = alarm.sleep(60_000);
    alarm.ring();
    expect(await asleep).toBe(true);
  });

  it('rung during no sleep, it ends the next sleep and only that one', async () => {
    const alarm = new Alarm();
    alarm.ring();
    alarm.ring();
    expect(await alarm.sleep(60_000)).toBe(true);
    expect(await alarm.sleep(1)).toBe(false);
  });
});

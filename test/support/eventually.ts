import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a check until it passes. @throws its last error after `withinMs`, which only a hanging test reaches */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 90_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(10);
    }
  }
}

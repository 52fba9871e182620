import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition. @throws Error when it does not happen within `withinMs`, which only a hanging test reaches */
export async function waitUntil(
  happened: () => boolean | Promise<boolean>,
  withinMs = 90_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await happened())) {
    if (performance.now() > deadline) throw new Error(`It did not happen within ${withinMs} ms.`);
    await delay(10);
  }
}

/**
 * Calls `work` for each item, in their order, for at most `atOnce` items at a time.
 * @throws the first error of `work`; the other calls go on
 */
export async function concurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

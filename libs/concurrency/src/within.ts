const LATE = Symbol('late');

/**
 * Waits for `work`, at most so many milliseconds. It goes on afterwards.
 * @param late gives the result then, or throws. Default: undefined
 * @throws the error of `work`
 */
export async function within<T, Late = undefined>(
  milliseconds: number,
  work: Promise<T>,
  late: () => Late | undefined = () => undefined,
): Promise<T | Late | undefined> {
  const timeout = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => timeout.resolve(LATE), milliseconds);
  try {
    const first = await Promise.race([work, timeout.promise]);
    return first === LATE ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

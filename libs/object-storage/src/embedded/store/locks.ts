/** Runs work of one name in turn; work of other names at the same time. */
export class Locks {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const previous = this.last.get(name) ?? Promise.resolve();
    const current = previous.then(work, work);
    const settled = current.catch(() => undefined);
    this.last.set(name, settled);
    try {
      return await current;
    } finally {
      if (this.last.get(name) === settled) this.last.delete(name);
    }
  }
}

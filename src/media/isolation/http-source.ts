import {
  type ReadBudget,
  ReadBudgetIsExceeded,
  type Source,
  type SourceAddress,
  SourceIsGone,
  SourceIsUnavailable,
} from './source.js';

/** Longest pause without a byte from the store. */
const IDLE_MS = 10_000;
/** Not found, changed (If-Match), range not satisfiable; or a proxy's response. The caller asks the store, see isObjectGone(). */
const GONE = [404, 412, 416];

/** Reads an object by its presigned address. `onWait` is told when a read begins and when none is under way. */
export class HttpSource implements Source {
  private bytesLeft: number;
  private readsLeft: number;
  private underWay = 0;
  private readonly closed = new AbortController();
  private failure: SourceIsGone | SourceIsUnavailable | undefined;

  constructor(
    private readonly address: SourceAddress,
    budget: ReadBudget,
    private readonly onWait: (isWaiting: boolean) => void,
  ) {
    this.bytesLeft = budget.bytes;
    this.readsLeft = budget.reads;
  }

  get bytes(): number {
    return this.address.bytes;
  }

  /** The first failure of the store. Parsers may swallow the exception, and it is no property of the file. */
  get storeFailure(): Error | undefined {
    return this.failure;
  }

  /** Ends reads that are still under way, so that they do not reach into the next task. */
  close(): void {
    this.closed.abort();
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const until = Math.min(end, this.bytes);
    const bytes = new Uint8Array(Math.max(0, this.spend(start, until)));
    let at = 0;
    for await (const chunk of this.fetch(start, until)) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }

  async *stream(start: number, end: number): AsyncIterable<Uint8Array> {
    const until = Math.min(end, this.bytes);
    this.spend(start, until);
    yield* this.fetch(start, until);
  }

  /** @returns the length of the range. Throws before anything of that size is allocated. */
  private spend(start: number, end: number): number {
    if (!(start >= 0) || !(end >= start)) throw new RangeError(`Not a range of bytes: ${start} to ${end}.`);
    this.bytesLeft -= end - start;
    this.readsLeft -= 1;
    if (this.bytesLeft < 0 || this.readsLeft < 0) throw new ReadBudgetIsExceeded();
    return end - start;
  }

  private async *fetch(start: number, end: number): AsyncGenerator<Uint8Array> {
    if (end <= start) return;
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(new Error(`No byte for ${IDLE_MS} ms.`)), IDLE_MS);
    const signal = AbortSignal.any([idle.signal, this.closed.signal]);
    this.wait(1);
    try {
      let left = end - start;
      for await (const chunk of await this.request(start, end, signal)) {
        timer.refresh();
        left -= chunk.length;
        if (left < 0) break;
        yield chunk;
      }
      if (left !== 0) throw new Error('The store sent another number of bytes than asked for.');
    } catch (error) {
      throw this.asStoreFailure(error);
    } finally {
      clearTimeout(timer);
      idle.abort();
      this.wait(-1);
    }
  }

  private async request(start: number, end: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { url, etag } = this.address;
    const headers = { range: `bytes=${start}-${end - 1}`, ...(etag === null ? {} : { 'if-match': etag }) };
    // eslint-disable-next-line no-restricted-globals -- the address comes from our own store, and this process has nothing else to call
    const response = await fetch(url, { headers, signal, redirect: 'error' });
    if (GONE.includes(response.status)) throw new SourceIsGone();
    if (response.status !== 206 || !response.body) throw new Error(`The store answered ${response.status}.`);
    return response.body as AsyncIterable<Uint8Array>;
  }

  private asStoreFailure(error: unknown): Error {
    const failure = error instanceof SourceIsGone ? error : new SourceIsUnavailable(error);
    return (this.failure ??= failure);
  }

  private wait(change: 1 | -1): void {
    const before = this.underWay;
    this.underWay += change;
    if (this.closed.signal.aborted) return;
    if (before === 0 || this.underWay === 0) this.onWait(this.underWay > 0);
  }
}

import { RequestCoalescer } from './request-coalescer.js';

/** Requests that the test resolves, in the order in which they started. */
function manualRequests() {
  const resolvers: ((value: string) => void)[] = [];
  const request = () => new Promise<string>((resolve) => resolvers.push((value) => resolve(value)));
  return { request, resolvers };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('concurrent requests with the same key', () => {
  it('that arrive during a running request share the next one only', async () => {
    const { request, resolvers } = manualRequests();
    const coalescer = new RequestCoalescer<string>();
    const first = coalescer.run('k', request);
    const later = [coalescer.run('k', request), coalescer.run('k', request)];
    await nextTick();
    expect(resolvers).toHaveLength(1);
    resolvers[0]?.('first');
    expect(await first).toBe('first');
    await nextTick();
    expect(resolvers).toHaveLength(2);
    resolvers[1]?.('second');
    expect(await Promise.all(later)).toEqual(['second', 'second']);
  });

  it('do not wait for other keys', async () => {
    const { request, resolvers } = manualRequests();
    const coalescer = new RequestCoalescer<string>();
    void coalescer.run('k', request);
    const other = coalescer.run('l', request);
    resolvers[1]?.('other');
    expect(await other).toBe('other');
  });

  it('start after the maximum wait when the running request hangs', async () => {
    const { request, resolvers } = manualRequests();
    const coalescer = new RequestCoalescer<string>();
    void coalescer.run('k', request);
    const second = coalescer.run('k', request);
    await new Promise((resolve) => setTimeout(resolve, 100));
    resolvers[1]?.('second');
    expect(await second).toBe('second');
  });

  it('do not share the failure of the running request', async () => {
    const coalescer = new RequestCoalescer<string>();
    const failing = coalescer.run('k', () => Promise.reject(new Error('no')));
    const next = coalescer.run('k', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await coalescer.run('k', () => Promise.resolve('again'))).toBe('again');
  });
});

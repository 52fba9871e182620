import { Bulkheads } from './bulkheads.js';

describe('Credentials that were not accepted recently', () => {
  it('take turns by the address that sent them, and one address cannot fill the queue', async () => {
    const bulkheads = new Bulkheads(() => 0);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const send = (credential: string, address: string) =>
      bulkheads
        .run(credential, address, () => {
          started.push(credential);
          return new Promise<string>((resolve) => ends.push(() => resolve('answered')));
        })
        .catch(() => 'refused');
    const forged = Array.from({ length: 200 }, (_, index) => send(`forged ${index}`, 'address:a'));
    const good = send('good', 'address:b');
    ends[0]?.();
    ends[1]?.();
    await Promise.all(forged.slice(0, 2));
    expect(started.slice(32)).toEqual(['forged 32', 'good']);
    for (let index = 2; index < ends.length || started.length < 97; index += 1) {
      ends[index]?.();
      await Promise.resolve();
    }
    for (const end of ends) end();
    expect((await Promise.all(forged)).filter((outcome) => outcome === 'refused')).toHaveLength(
      200 - 32 - 64,
    );
    expect(await good).toBe('answered');
  });
});

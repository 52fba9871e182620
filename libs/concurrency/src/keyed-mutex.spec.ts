import { jest } from '@jest/globals';
import { KeyedMutex } from './keyed-mutex.js';

describe('a keyed mutex', () => {
  it('runs work of one key in sequence, in call order, also after a failure', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const calls = ['a', 'b', 'c'].map((name) => mutex.runExclusive('card', work(name)));
    const statuses = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(await mutex.runExclusive('card', work('d'))).toBe('d');
  });

  it('runs work of different keys concurrently', async () => {
    const mutex = new KeyedMutex();
    const released = Promise.withResolvers<string>();
    const held = mutex.runExclusive('one', () => released.promise);
    expect(await mutex.runExclusive('other', () => Promise.resolve('done'))).toBe('done');
    released.resolve('released');
    expect(await held).toBe('released');
  });

  it('refuses work that waits too long, and runs what comes after it', async () => {
    const mutex = new KeyedMutex();
    const released = Promise.withResolvers<string>();
    const held = mutex.runExclusive('key', () => released.promise);
    const work = jest.fn(() => Promise.resolve('late'));
    const waiting = { maxMs: 1, refusal: () => new Error('It is busy.') };
    await expect(mutex.runExclusive('key', work, waiting)).rejects.toThrow('It is busy.');
    const patient = mutex.runExclusive('key', () => Promise.resolve('done'));
    released.resolve('released');
    expect([await held, await patient]).toEqual(['released', 'done']);
    expect(work).not.toHaveBeenCalled();
    expect(mutex.size).toBe(0);
  });

  it('removes a key when its last work ends, and not before', async () => {
    const mutex = new KeyedMutex();
    const released = Promise.withResolvers<void>();
    const first = mutex.runExclusive('key', () => released.promise);
    const second = mutex.runExclusive('key', () => Promise.reject(new Error('It failed.')));
    expect(mutex.size).toBe(1);
    released.resolve();
    await first;
    await expect(second).rejects.toThrow('It failed.');
    expect(mutex.size).toBe(0);
  });
});

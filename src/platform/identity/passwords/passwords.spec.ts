import { hash } from '@node-rs/argon2';
import { IdentityConfig } from '../identity.config.js';
import { isCommonPassword } from './common-passwords.js';
import { HashQueue, TooManySignIns } from './hash-queue.js';
import { PasswordHasher } from './password-hasher.js';

const hasher = new PasswordHasher(Object.assign(new IdentityConfig(), { concurrentHashes: 2 }));

describe('password hashes', () => {
  it('are argon2id of 19 MiB and two passes, and verify', async () => {
    const stored = await hasher.hash('correct horse battery');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify('correct horse battery', stored)).toEqual({ matches: true, outdated: false });
    expect(await hasher.verify('correct horse batter', stored)).toEqual({ matches: false, outdated: false });
  });

  it('take the same password in another Unicode form', async () => {
    const stored = await hasher.hash('caf\u00e9 \uff21\uff22\uff23 twelve');
    expect((await hasher.verify('cafe\u0301 ABC twelve', stored)).matches).toBe(true);
  });

  it('never match for nobody', async () => {
    expect(await hasher.verify('anything at all', undefined)).toEqual({ matches: false, outdated: false });
  });

  it('say when they are cheaper than today’s', async () => {
    const old = await hash('correct horse battery', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(await hasher.verify('correct horse battery', old)).toEqual({ matches: true, outdated: true });
  });
});

describe('the hash queue', () => {
  it('runs no more at once than it may, and turns away what cannot wait', async () => {
    const queue = new HashQueue(2, 3);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => queue.run(work)));
    expect(most).toBe(2);
    expect(results.map(({ status }) => status)).toEqual([...Array<string>(5).fill('fulfilled'), 'rejected']);
    expect((results[5] as PromiseRejectedResult).reason).toBeInstanceOf(TooManySignIns);
    await expect(queue.run(() => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('goes on after work that failed', async () => {
    const queue = new HashQueue(1, 1);
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run(() => Promise.resolve(1))).resolves.toBe(1);
  });
});

describe('common passwords', () => {
  it.each([
    'password',
    'Password1!',
    'PASSW0RD2026',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    '23456789',
    'zyxwvuts',
    'sunshine123',
  ])('include %s', (password) => expect(isCommonPassword(password)).toBe(true));

  it.each(['correct horse battery staple', 'Tr0ub4dor&3x', 'passwordless future', 'пароль-для-теста'])(
    'do not include %s',
    (password) => expect(isCommonPassword(password)).toBe(false),
  );
});

import { createHash } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { IdentityConfig } from '../../identity.config.js';
import { isCommonPassword } from './common-passwords.js';
import { HashQueue, PasswordHasher, TooManySignIns } from './password-hasher.js';

const hasher = new PasswordHasher(Object.assign(new IdentityConfig(), { concurrentHashes: 2 }));

describe('password hashes', () => {
  it('are argon2id of 19 MiB and two passes, and verify', async () => {
    const stored = await hasher.hash('correct horse battery', { name: 'ann' });
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify('correct horse battery', stored, { name: 'ann' })).toEqual({
      matches: true,
      outdated: false,
    });
    expect(await hasher.verify('correct horse batter', stored, { name: 'ann' })).toEqual({
      matches: false,
      outdated: false,
    });
  });

  it('take the same password in another Unicode form', async () => {
    const stored = await hasher.hash('caf\u00e9 \uff21\uff22\uff23 twelve', { name: 'ann' });
    expect((await hasher.verify('cafe\u0301 ABC twelve', stored, { name: 'ann' })).matches).toBe(true);
  });

  it('never match for an unknown account', async () => {
    expect(await hasher.verify('anything at all', undefined, { name: 'ann' })).toEqual({
      matches: false,
      outdated: false,
    });
  });

  it('are outdated when their cost is lower than required', async () => {
    const old = await hash('correct horse battery', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(await hasher.verify('correct horse battery', old, { name: 'ann' })).toEqual({
      matches: true,
      outdated: true,
    });
  });
});

describe('the hash queue', () => {
  it('limits concurrency and refuses work when it is full', async () => {
    const queue = new HashQueue(2, { total: 3, perOrigin: 3, unknownTotal: 3 });
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => queue.run({ name: 'ann' }, work)),
    );
    expect(most).toBe(2);
    expect(results.map(({ status }) => status)).toEqual([...Array<string>(5).fill('fulfilled'), 'rejected']);
    expect((results[5] as PromiseRejectedResult).reason).toBeInstanceOf(TooManySignIns);
    await expect(queue.run({ name: 'ann' }, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('continues after work that failed', async () => {
    const queue = new HashQueue(1, { total: 1, perOrigin: 1, unknownTotal: 1 });
    await expect(queue.run({ name: 'ann' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run({ name: 'ann' }, () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('reserves places for known origins and alternates between known and unknown', async () => {
    const queue = new HashQueue(1, { total: 4, perOrigin: 4, unknownTotal: 2 });
    const started: string[] = [];
    const send = (name: string, isKnown: boolean) =>
      queue.run({ name, isKnown }, () => Promise.resolve(started.push(name)));
    const sent = ['a', 'b', 'c', 'd'].map((name) => send(name, false));
    sent.push(...['K', 'L', 'M'].map((name) => send(name, true)));
    const results = await Promise.allSettled(sent);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      ...[true, true, true, false],
      ...[true, true, false],
    ]);
    expect(started).toEqual(['a', 'K', 'b', 'L', 'c']);
  });

  it('limits the places of one origin, and takes origins in turn', async () => {
    const queue = new HashQueue(1, { total: 5, perOrigin: 2, unknownTotal: 5 });
    const started: string[] = [];
    const send = (name: string) => queue.run({ name }, () => Promise.resolve(started.push(name)));
    const anns = Promise.allSettled(Array.from({ length: 10 }, () => send('ann')));
    await Promise.all([send('bob'), send('eve')]);
    expect((await anns).map(({ status }) => status)).toEqual([
      ...Array<string>(3).fill('fulfilled'),
      ...Array<string>(7).fill('rejected'),
    ]);
    expect(started).toEqual(['ann', 'ann', 'bob', 'eve', 'ann']);
    await Promise.all(Array.from({ length: 3 }, () => send('ann')));
  });
});

describe('common passwords', () => {
  const examples = {
    'words with digits and marks around': `password Password1! PASSW0RD2026 sunshine123 123password !!dragon!! hello123 test1234
      qwerty2024 P@ssw0rd p@$$w0rd1! $unshine @dmin123 we1come1 he11o123 princesa99 1iloveyou1 i-love-you pass_word love19871203`,
    'two words': 'helloworld passwordpassword testtest adminadmin1 loveyoubaby',
    'short numbers': `12345678910 1234567891 147258369 789456123 00000000 31121999 12.05.1990 12/05/1990! 2026-01-01
      98127364521`,
    'characters repeated': 'aaaaaaaaaaaa 123123123123 abababababab 1a2b1a2b1a2b1a !!!!!!!!!!',
    'walks over the keyboard and the alphabet': `qwertyuiop 23456789 zyxwvuts 123456789a abc123456 a123456789 1qaz2wsx
      zaq12wsx qazwsxedc asdfghjkl; 1q2w3e4r5t qwer1234 !@#$%^&* !QAZ2wsx abcd1234 azertyuiop qwertzuiop poiuytrewq`,
    'known patterns': 'q1w2e3r4 a1b2c3d4 qwe123asd',
  };

  it.each(Object.entries(examples))('are %s', (_, passwords) => {
    const passed = passwords
      .split(/\s+/)
      .filter((password) => !isCommonPassword(password, 'ada@example.com'));
    expect(passed).toEqual([]);
  });

  it('are the same in another Unicode form, and of other scripts too', () => {
    for (const password of [
      '\uff30assword1',
      '\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668',
      '\u0430'.repeat(9),
    ])
      expect(isCommonPassword(password, 'ada@example.com')).toBe(true);
  });

  it.each([
    'correct horse battery staple',
    'Tr0ub4dor&3x',
    'passwordless future',
    'пароль-для-теста',
    '839201746583',
    'love839201746583',
    'kV9#tq2L',
    'x7mf0qkd',
    'anothers monkey',
    '\u{1f600}\u{1f680}🦊🌵🍋🎻🧭🪁',
  ])('are not %s', (password) => expect(isCommonPassword(password, 'ada@example.com')).toBe(false));

  it.each(['Zq7-Lovelace@Analytical-Engines.example', 'zq7-lovelace!1', 'x Analytical-Engines.example'])(
    'are %s for the person with this address',
    (password) => {
      expect(isCommonPassword(password, 'zq7-lovelace@analytical-engines.example')).toBe(true);
      expect(isCommonPassword(`${password} kV9#`, 'zq7-lovelace@analytical-engines.example')).toBe(false);
    },
  );

  it('are looked for in the beginning of a long text alone', () => {
    expect(isCommonPassword('\ufdfa'.repeat(256), 'ada@example.com')).toBe(false);
    // Only because the rest is not read.
    expect(isCommonPassword(`${'password'.repeat(5)}kV9#tq2L x7mf0qkd`, 'ada@example.com')).toBe(true);
  });

  /** Fixed hashes instead of random bytes: about one of ten thousand random passwords is common. */
  it('do not include random passwords', () => {
    const passwords = Array.from({ length: 2_000 }, (_, counter) =>
      createHash('sha256').update(String(counter)).digest().subarray(0, 9).toString('base64'),
    );
    expect(passwords.filter((password) => isCommonPassword(password, 'ada@example.com'))).toEqual([]);
  });
});

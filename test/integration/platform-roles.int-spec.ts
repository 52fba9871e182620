import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { administerPlatform } from '../../src/platform/identity/operator.js';
import { RowLock } from '../support/row-lock.js';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  type Person,
} from '../support/boot-identity.js';

describe('npm run identity:admin', () => {
  let identity: BootedIdentity;

  beforeAll(async () => {
    identity = await bootIdentity();
  });
  afterAll(() => identity.close());

  const run = async (...args: string[]) =>
    (await administerPlatform({ ...identity.test.environment }, args)).join('\n');
  const anAddress = () => `${randomUUID()}@example.com`;
  const passwordIn = (output: string) => /^Password, shown only now: (\S+)$/m.exec(output)?.[1] ?? '';
  const signIn = async (email: string, password: string) =>
    (await identity.http.post('/api/auth/login').send({ email, password }).expect(200)).body as {
      accessToken: string;
    };
  const validated = async (token: string) => {
    const { body } = await identity.http.get('/validate').set(asService).set(bearer(token)).expect(200);
    return body as {
      user: { principalType: string };
      organizations: { id: string; role: string; isAdministrative: boolean }[];
    };
  };
  const administrative = () =>
    identity.test.database.query<{ id: string }>('SELECT id FROM identity.organization WHERE administrative');

  it('makes an account whose password is shown once, in the one administrative organization', async () => {
    const email = anAddress();
    const { accessToken } = await signIn(email, passwordIn(await run('--email', email)));
    const { user, organizations } = await validated(accessToken);
    expect(user.principalType).toBe('platform_super_admin');
    expect(organizations).toEqual([expect.objectContaining({ role: 'owner', isAdministrative: true })]);
    expect(await administrative()).toEqual([{ id: organizations[0]?.id }]);
  });

  it('changes nothing when it is repeated', async () => {
    const email = anAddress();
    const password = passwordIn(await run('--email', email, '--role', 'platform_admin'));
    const events = () => identity.test.database.query('SELECT id FROM identity.audit_event');
    const before = (await events()).length;
    const again = await run('--email', email.toUpperCase(), '--role', 'platform_admin');
    expect(again).toMatch(/^Nothing to change: /);
    expect(passwordIn(again)).toBe('');
    expect(await events()).toHaveLength(before);
    await signIn(email, password);
  });

  it('makes one account and one organization when it is started several times at once', async () => {
    const other = await bootIdentity();
    try {
      const environment = { ...other.test.environment };
      const email = anAddress();
      // Each knows that there is neither before one is stored, unless the others wait for the first.
      const lock = await RowLock.by(
        other.test,
        'LOCK TABLE identity.organization, identity.user_account IN SHARE MODE',
        [],
      );
      const outputs = await lock.meanwhile(
        Array.from({ length: 4 }, () => administerPlatform(environment, ['--email', email])),
      );
      expect(outputs.map(([first = '']) => first.split(' ')[0]).sort()).toEqual([
        'Created',
        'Nothing',
        'Nothing',
        'Nothing',
      ]);
      const counts = await other.test.database.query(
        `SELECT (SELECT count(*)::int FROM identity.organization) AS organizations,
                (SELECT count(*)::int FROM identity.user_account) AS accounts`,
      );
      expect(counts).toEqual([{ organizations: 1, accounts: 1 }]);
    } finally {
      await other.close();
    }
  });

  it('grants a role to an existing account only when the operator confirms it', async () => {
    const person = await identity.person();
    await expect(run('--email', person.email)).rejects.toThrow(/repeat the command with --existing/);
    expect((await validated(person.token)).user.principalType).toBe('user');
    await run('--email', person.email, '--role', 'platform_admin', '--existing');
    const { user, organizations } = await validated(person.token);
    expect(user.principalType).toBe('platform_admin');
    expect(organizations.map(({ isAdministrative }) => isAdministrative).sort()).toEqual([false, true]);
  });

  it('revokes a role, effective with the next validation of a session that exists', async () => {
    const email = anAddress();
    const { accessToken } = await signIn(email, passwordIn(await run('--email', email)));
    await run('--email', email, '--role', 'user');
    expect(await validated(accessToken)).toMatchObject({
      user: { principalType: 'user' },
      organizations: [],
    });
    expect(await run('--email', email, '--role', 'user')).toMatch(/^Nothing to change: /);
  });

  it('refuses disabled and unknown accounts, and options that are not valid', async () => {
    const person: Person = await identity.person();
    await identity.test.database.query('UPDATE identity.user_account SET disabled_at = now() WHERE id = $1', [
      person.id,
    ]);
    await expect(run('--email', person.email, '--existing')).rejects.toThrow(/is disabled/);
    await expect(run('--email', anAddress(), '--role', 'user')).rejects.toThrow(/has no account/);
    for (const args of [[], ['--email', 'ada'], ['--email', anAddress(), '--role', 'owner'], ['--mail', 'x']])
      await expect(run(...args)).rejects.toThrow(/Usage: npm run identity:admin/);
    await expect(run('--email', anAddress(), '--name', '\u200b')).rejects.toThrow(/--name/);
  });

  it('lets no route and no second row make another organization administrative', async () => {
    const { token } = await identity.person();
    const { body } = await request(identity.service.url)
      .post('/api/organizations')
      .set(bearer(token))
      .send({ name: 'Mine', administrative: true });
    expect(body.code).toBe('validation_failed');
    await run('--email', anAddress());
    const second = `INSERT INTO identity.organization (id, name, administrative) VALUES ($1, 'Mine', true)`;
    await expect(identity.test.database.query(second, [randomUUID()])).rejects.toThrow(
      /organization_administrative/,
    );
  });

  it('leaves an audit of what an operator did', async () => {
    const email = anAddress();
    await run('--email', email);
    const events = await identity.test.database.query<{ action: string; actor_type: string }>(
      `SELECT action, actor_type FROM identity.audit_event e
         JOIN identity.user_account u ON u.id = e.subject_id AND u.email = $1 ORDER BY e.id`,
      [email],
    );
    expect(events).toEqual([
      { action: 'user_created', actor_type: 'operator' },
      { action: 'member_added', actor_type: 'operator' },
    ]);
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { CredentialsStore } from '../../src/platform/gateway/credentials/credentials.store.js';
import { Credentials } from '../../src/platform/gateway/credentials/credentials.js';
import { ResealSweep } from '../../src/platform/gateway/credentials/reseal.sweep.js';
import { ensurePlatformCredentials, manageCredentials } from '../../src/platform/gateway/operator.js';
import { RowLock } from '../support/row-lock.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';

const KEY = 'sk-0123456789abcdefghij';
const aMasterKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('credentials that operators manage', () => {
  let gateway: BootedGateway;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1');
  });
  afterEach(() => gateway.test.database.query('DELETE FROM gateway.credential'));
  afterAll(() => gateway.close());

  const run = async (args: readonly string[], secret = '') =>
    (await manageCredentials(gateway.environment, args, () => Promise.resolve(secret))).join('\n');
  const get = <T>(type: new (...args: never[]) => T, { app } = gateway.service): T =>
    app.get(type, { strict: false });
  const defaults = () => get(CredentialsStore).list(null, null, null, 100);
  const opened = async (id: string) => get(Credentials).open(await get(CredentialsStore).findSealed(id));
  const idIn = (output: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0] ?? '';

  it('are added, rotated, disabled and deleted by npm run gateway:credential', async () => {
    const added = await run(['add', '--provider', 'openai', '--label', 'Main'], `${KEY}\n`);
    const id = idIn(added);
    expect(added).toBe(`Added ${id}  openai  1  Main  …ghij`);
    expect(await opened(id)).toBe(KEY);
    await run(['rotate', '--id', id], 'sk-another-0123456789');
    expect(await opened(id)).toBe('sk-another-0123456789');
    expect(await run(['disable', '--id', id])).toMatch(/disabled$/);
    expect(await run(['list'])).toContain(id);
    const organization = randomUUID();
    await run(['add', '--provider', 'openai', '--label', 'Own', '--organization', organization], KEY);
    expect((await run(['list', '--organization', organization])).split('\n')).toHaveLength(1);
    await run(['delete', '--id', id]);
    expect(await run(['list'])).toBe('There are none.');
  });

  it('are refused when the secret or the options are not valid, without showing the secret', async () => {
    const openai = ['add', '--provider', 'openai', '--label', 'Main'];
    for (const [args, secret] of [
      [openai, 'short'],
      [openai, '{"key":'],
      [[...openai, '--project', 'p'], KEY],
      [[...openai, '--position', '0'], KEY],
      [[...openai, KEY], ''],
      [['add', '--provider', 'nobody', '--label', 'Main'], KEY],
      [
        ['add', '--provider', 'youtube', '--label', 'Main', '--project', 'p', '--organization', randomUUID()],
        '',
      ],
      [['rotate'], KEY],
      [['rotate', '--id', 'x'], KEY],
      [[], ''],
    ] as const) {
      const refused = await run(args, secret).catch((error: unknown) => (error as Error).message);
      expect(refused).toMatch(/must|needed|Usage|not valid/);
      expect(refused).not.toContain(KEY);
    }
    expect(await defaults()).toEqual([]);
  });

  describe('that the environment of a start declares', () => {
    const declare = (...secrets: string[]) =>
      Promise.all(
        secrets.map((secret) =>
          ensurePlatformCredentials(gateway.environment, [
            { provider: 'openai', label: 'Sandbox', secret },
            { provider: 'youtube', label: 'Sandbox', project: 'default' },
          ]),
        ),
      );

    it('are added once, also by starts at once', async () => {
      // Both know that there are none before one is stored, unless the second waits for the first.
      const lock = await RowLock.by(gateway.test, 'LOCK TABLE gateway.credential IN SHARE MODE', []);
      await lock.meanwhile([declare(KEY), declare(KEY)]);
      await declare(KEY);
      const rows = await defaults();
      expect(rows.map(({ provider, version }) => [provider, version])).toEqual([
        ['openai', 1],
        ['youtube', 1],
      ]);
    });

    it('follow a changed secret', async () => {
      await declare(KEY);
      await declare('sk-the-next-0123456789');
      const [row] = await defaults();
      expect([row?.version, await opened(row?.id ?? '')]).toEqual([2, 'sk-the-next-0123456789']);
    });

    it('are left alone where an operator has others, and are not added again after their deletion', async () => {
      await run(['add', '--provider', 'openai', '--label', 'Mine'], 'sk-of-the-operator-0123');
      await declare(KEY);
      const [own] = await defaults();
      expect([own?.label, own?.version]).toEqual(['Mine', 1]);
      await run(['delete', '--id', own?.id ?? '']);
      await declare(KEY);
      expect((await defaults()).map(({ provider }) => provider)).toEqual(['youtube']);
    });
  });

  describe('whose master key is replaced', () => {
    it('are encrypted with the newest key by a sweep, also while a secret is rotated', async () => {
      const [former, newest] = [aMasterKey('former'), aMasterKey('newest')];
      const environment = (keys: string) => ({ ...gateway.environment, GATEWAY_ENCRYPTION_KEYS: keys });
      for (let index = 0; index < 3; index += 1)
        await manageCredentials(
          environment(former),
          ['add', '--provider', 'openai', '--label', `Key ${index}`],
          () => Promise.resolve(KEY),
        );
      const unreadable = await bootOn(environment(newest));
      expect(await get(ResealSweep, unreadable).sweep()).toEqual({ resealed: 0, unreadable: 3 });
      await unreadable.close();

      const both = await bootOn(environment(`${newest},${former}`));
      const store = get(CredentialsStore, both);
      const [first] = await store.list(null, null, null, 1);
      const id = first?.id ?? '';
      const place = { id, organizationId: null, provider: 'openai' };
      const rotated = get(Credentials, both).seal(place, 'sk-rotated-0123456789');
      // The sweep has read the former data key when the rotation is stored.
      const lock = await RowLock.by(
        gateway.test,
        'SELECT 1 FROM gateway.credential WHERE id = $1 FOR UPDATE',
        [id],
      );
      const sweep = get(ResealSweep, both).sweep();
      await lock.waitedFor();
      await lock.also('UPDATE gateway.credential SET data_key = $2, secret = $3 WHERE id = $1', [
        ...[id, rotated.dataKey, rotated.secret],
      ]);
      expect(await lock.meanwhile([sweep])).toEqual([{ resealed: 2, unreadable: 0 }]);
      expect(await get(ResealSweep, both).sweep()).toEqual({ resealed: 0, unreadable: 0 });
      await both.close();

      const alone = await bootOn(environment(newest));
      const secrets = await Promise.all(
        (await defaults()).map(async ({ id }) =>
          get(Credentials, alone).open(await get(CredentialsStore, alone).findSealed(id)),
        ),
      );
      expect(secrets).toEqual(['sk-rotated-0123456789', KEY, KEY]);
      await alone.close();
    });
  });

  const bootOn = (environment: Readonly<Record<string, string>>) => gateway.replica(environment);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Machine } from '../support/boot-embedded.js';
import { childEnvironment } from '../support/child-environment.js';

describe('commands of operators on the embedded database', () => {
  let machine: Machine;

  beforeAll(async () => {
    machine = await Machine.make();
  });
  afterAll(() => machine.tearDown());

  const run = async (command: string, args: readonly string[], stdin = '') => {
    const { HOME, TMPDIR } = process.env;
    const script = join(process.cwd(), `dist/local/operator.js`);
    const child = spawn(process.execPath, [script, command, ...args], {
      cwd: machine.folder,
      env: { ...childEnvironment(), HOME, TMPDIR },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(stdin);
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { status: child.exitCode, output, errors };
  };
  const signIn = async (password: string) => {
    const response = await fetch(`http://127.0.0.1:${machine.ports.IDENTITY_PORT}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password }),
    });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  const platformCredentials = async (token: string) => {
    const response = await fetch(
      `http://127.0.0.1:${machine.ports.GATEWAY_PORT}/api/credentials?scope=platform`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    return { status: response.status, body: (await response.json()) as { data?: { provider: string }[] } };
  };

  it('work before the first start, while it runs, and end a role with the next call', async () => {
    const created = await run('identity-admin', ['--email', 'ada@example.com']);
    expect([created.status, created.errors]).toEqual([0, '']);
    const password = /^Password, shown only now: (\S+)$/m.exec(created.output)?.[1] ?? '';
    const mine = ['add', '--provider', 'openai', '--label', 'Mine'];
    expect((await run('gateway-credential', mine, 'sk-0123456789abcdefghij')).status).toBe(0);

    await machine.start(['--empty']).ready();
    const token = await signIn(password);
    const { body } = await platformCredentials(token);
    expect((body.data ?? []).map(({ provider }) => provider).sort()).toEqual([
      'anthropic',
      'google',
      'openai',
      'openrouter',
      'resend',
      'smtp',
      'stripe',
      'youtube',
    ]);
    const listed = await run('gateway-credential', ['list']);
    expect(listed.output.split('\n').filter((line) => line.includes('  openai  '))).toEqual([
      expect.stringContaining('Mine'),
    ]);
    expect(listed.output).not.toContain('sk-0123456789abcdefghij');

    expect((await run('identity-admin', ['--email', 'ada@example.com', '--role', 'user'])).status).toBe(0);
    expect((await platformCredentials(token)).status).toBe(403);
    const refused = await run('identity-admin', ['--email', 'ada@example.com']);
    expect([refused.status, refused.output]).toEqual([1, '']);
    expect(refused.errors).toMatch(/--existing/);
  });
});

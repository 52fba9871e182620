import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxForTests } from '../support/sandbox.js';
import { waitUntil } from '../support/wait-until.js';

/** The built sandbox as a process of its own, which can be killed. */
async function spawnSandbox(folder: string): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['dist/sandbox/main.js'], {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_DATA: folder, SANDBOX_DURABLE: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /http:\/\/\S+/.exec(line.toString())?.[0];
  if (url === undefined) throw new Error(`The sandbox did not start: ${line.toString()}`);
  return { process: child, url };
}

describe('a durable sandbox that is killed', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-killed-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('restores exactly the effects that it acknowledged', async () => {
    const answered = new Set<string>();
    const sent = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const running = await spawnSandbox(folder);
      const sandbox = SandboxForTests.at(running.url);
      await sandbox.control('PUT', '/x/settings', { rateLimits: 'off' });
      const account = await sandbox.account(`round${round}`);
      const publish = async (writer: number): Promise<void> => {
        for (let index = 0; ; index++) {
          const text = `Post ${round} ${writer} ${index}`;
          sent.add(text);
          const { status } = await sandbox.post(account, { text });
          if (status === 201) answered.add(text);
        }
      };
      const writers = [0, 1, 2, 3].map((writer) => publish(writer).catch(() => undefined));
      const enough = answered.size + 40 + round * 7;
      await waitUntil(() => answered.size >= enough);
      running.process.kill('SIGKILL');
      await Promise.all(writers);
    }
    const survivor = await SandboxForTests.start({ SANDBOX_DATA: folder });
    const { texts, repeated } = (await survivor.control('GET', '/ledger/counts')).body;
    await survivor.stop();
    expect(answered.size).toBeGreaterThan(100);
    expect([...answered].filter((text) => texts[text] !== 1)).toEqual([]);
    expect(Object.keys(texts).filter((text) => !sent.has(text))).toEqual([]);
    expect(repeated).toEqual({});
  });
});

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Machine } from '../../support/boot-embedded.js';

const run = promisify(execFile);

/** The commands of a subsection of the README, exactly as a reader copies them. */
async function commandsOf(title: string): Promise<string> {
  const sections = (await readFile('README.md', 'utf8')).split(/^#{2,3} /m);
  const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
  return /^```sh\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '';
}

describe('the mail of the README', () => {
  let machine: Machine;

  beforeAll(async () => {
    machine = await Machine.make();
    await machine.start().ready();
  });
  afterAll(() => machine.tearDown());

  it('is sent, and shown in the mailbox', async () => {
    const { IDENTITY_PORT, GATEWAY_PORT, SANDBOX_PORT } = machine.ports;
    const env = {
      ...process.env,
      IDENTITY: `http://127.0.0.1:${IDENTITY_PORT}`,
      GATEWAY: `http://127.0.0.1:${GATEWAY_PORT}`,
    };
    const script = await commandsOf('Mail');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: machine.folder, env });

    expect(JSON.parse(stdout)).toMatchObject({ recipients: [{ address: 'ada@example.com', state: 'sent' }] });
    const page = await fetch(`http://127.0.0.1:${SANDBOX_PORT}/mailbox`);
    expect(await page.text()).toContain('<strong>Welcome</strong>');
  });
});

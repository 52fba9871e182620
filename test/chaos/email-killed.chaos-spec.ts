import { randomUUID } from 'node:crypto';
import { setting } from '#libs/config/testing';
import { EmailConfig } from '../../src/platform/gateway/email/email.config.js';
import { EmailWorld, newAddress, statesOf } from '../support/email-world.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const ENTRY = 'dist/src/platform/gateway/main.js';
/** The processes that are killed send; the one of this test only answers. */
const IDLE = [setting(EmailConfig, { pollMs: 60_000 })];
const SENDING = { NETWORK_TIMEOUT_MS: '60000' };

describe('a gateway that is killed while it sends mail', () => {
  let world: EmailWorld;
  let headers: Record<string, string>;
  const entries: SpawnedEntry[] = [];

  beforeAll(async () => {
    world = await EmailWorld.start('smtp', {}, IDLE);
  });
  beforeEach(async () => {
    headers = await world.service();
  });
  afterAll(async () => {
    for (const { process } of entries) process.kill('SIGKILL');
    await world.stop();
  });

  const process = async (environment: object = {}): Promise<SpawnedEntry> => {
    const entry = await spawnEntry(ENTRY, { ...world.gateway.environment, ...SENDING, ...environment });
    entries.push(entry);
    return entry;
  };
  const kill = async ({ process: child }: SpawnedEntry): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    // Its leases end.
    await world.gateway.test.database.query(
      'UPDATE gateway.email_message SET due_at = now() WHERE attempt_id IS NOT NULL',
    );
  };
  /** Accepts a message at the process, which sends it. */
  const sendAt = async ({ url }: SpawnedEntry, body: object) => {
    const response = await fetch(`${url}/api/email/messages`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ subject: 'Hello', text: 'Good day', ...body }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as { id: string; messageId: string };
  };
  const isHit = async (kind: string): Promise<boolean> => {
    const { data } = (await world.mail.sandbox.control('GET', '/mail/faults')).body as {
      data: { kind: string; hits: number }[];
    };
    return data.some((fault) => fault.kind === kind && fault.hits > 0);
  };

  it('before the content was written: another process sends the message, once', async () => {
    const address = newAddress();
    await world.mail.fault({ kind: 'silence-before-data', recipientContains: address });
    const killed = await process();
    const message = await sendAt(killed, { to: [{ address }] });
    await waitUntil(() => isHit('silence-before-data'));
    await kill(killed);

    const other = await process();
    const settled = await world.settled(headers, message.id);
    expect(statesOf(settled)).toEqual({ [address]: 'sent' });
    expect(await world.timesAccepted(message, address)).toBe(1);
    await kill(other);
  });

  it('after the content was written, before an outcome was stored: it is uncertain and not sent again', async () => {
    const [address, refused] = [newAddress(), newAddress('unknown')];
    await world.mail.fault({ kind: 'silence-after-message', recipientContains: address });
    const killed = await process();
    const message = await sendAt(killed, { to: [{ address }, { address: refused }] });
    await waitUntil(async () => (await world.timesAccepted(message, address)) === 1);
    await kill(killed);

    const other = await process();
    const settled = await world.settled(headers, message.id);
    expect(statesOf(settled)).toEqual({ [address]: 'uncertain', [refused]: 'refused' });
    expect(await world.timesAccepted(message, address)).toBe(1);
    await kill(other);
  });

  it('during a call of Resend: the call is repeated with its key, and the message arrives once', async () => {
    const resend = { EMAIL_PLATFORM_PROVIDER: 'resend' };
    const [address, subject] = [newAddress(), randomUUID()];
    const delay = {
      kind: 'delay-after-effect',
      network: 'resend',
      delayMs: 2_000,
      times: 1,
      textContains: subject,
    };
    await world.mail.sandbox.fault(delay);
    const killed = await process(resend);
    const message = await sendAt(killed, { to: [{ address }], subject });
    await waitUntil(async () => (await world.timesAccepted(message, address)) === 1);
    await kill(killed);

    const other = await process(resend);
    await waitUntil(async () =>
      ['sent', 'delivered'].includes(statesOf(await world.read(headers, message.id))[address] ?? ''),
    );
    expect(await world.timesAccepted(message, address)).toBe(1);
    await kill(other);
  });
});

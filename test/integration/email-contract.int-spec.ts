import { randomUUID } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { EnvironmentModule } from '#libs/config';
import {
  type EmailCall,
  EmailClient,
  type EmailResult,
  GatewayClientModule,
  type NewEmail,
  type SentEmail,
} from '#libs/platform-client';
import { FakeEmail } from '#libs/platform-client/testing';
import { EmailWorld } from '../support/email-world.js';
import { waitUntil } from '../support/wait-until.js';

interface World {
  readonly client: EmailClient;
  goDown(): Promise<void> | void;
  close(): Promise<void>;
}

/** The contract of mail for services. */
function describeEmailContract(name: string, open: (organizationId: string) => Promise<World>): void {
  describe(`${name}, as mail`, () => {
    const call: EmailCall = { organizationId: randomUUID() };
    const email = (more: Partial<NewEmail> = {}): NewEmail => ({
      idempotencyKey: randomUUID(),
      to: [{ address: 'ada@example.com', name: 'Ada' }],
      content: { subject: 'Hello', text: 'Good day' },
      ...more,
    });
    const valueOf = <T>(result: EmailResult<T>): T => {
      if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
      return result.value;
    };
    let world: World;

    beforeAll(async () => {
      world = await open(call.organizationId);
    });
    afterAll(() => world.close());

    it('is configured', () => expect(world.client.isConfigured).toBe(true));

    it('accepts a message, which is sent', async () => {
      const { id, recipients } = valueOf(await world.client.sendEmail(call, email()));
      expect(recipients).toEqual([{ address: 'ada@example.com', state: 'queued', code: null }]);
      let read: SentEmail | null = null;
      await waitUntil(async () => {
        read = valueOf(await world.client.readEmail(call, id));
        return read?.recipients[0]?.state === 'sent';
      });
      expect(read).toMatchObject({ id, recipients: [{ address: 'ada@example.com' }] });
    });

    it('accepts a message once for its key, and refuses the key for another one', async () => {
      const message = email();
      const first = valueOf(await world.client.sendEmail(call, message));
      expect(valueOf(await world.client.sendEmail(call, message)).id).toBe(first.id);
      const other = { ...message, content: { subject: 'Other', text: 'Other' } };
      expect(await world.client.sendEmail(call, other)).toMatchObject({
        kind: 'refused',
        code: expect.any(String),
      });
    });

    it('refuses what is no address', async () => {
      expect(await world.client.sendEmail(call, email({ to: [{ address: 'nobody' }] }))).toEqual({
        kind: 'refused',
        code: 'validation_failed',
        detail: expect.any(String),
      });
    });

    it('knows no message that was not sent', async () => {
      expect(valueOf(await world.client.readEmail(call, randomUUID()))).toBeNull();
    });

    it('says that nothing was sent while the gateway is down', async () => {
      await world.goDown();
      expect(await world.client.sendEmail(call, email())).toMatchObject({ kind: 'not-sent' });
    });
  });
}

describeEmailContract('the fake', () => {
  const client = new FakeEmail();
  return Promise.resolve({ client, goDown: () => client.goDown(), close: () => Promise.resolve() });
});

describeEmailContract('the gateway over HTTP', async (organizationId) => {
  const world = await EmailWorld.start();
  await world.service(organizationId);
  const imports = [EnvironmentModule.forRoot(world.gateway.client), GatewayClientModule];
  const module = await Test.createTestingModule({ imports }).compile();
  return {
    client: module.get(EmailClient, { strict: false }),
    goDown: () => world.gateway.service.close(),
    async close() {
      await module.close();
      await world.stop();
    },
  };
});

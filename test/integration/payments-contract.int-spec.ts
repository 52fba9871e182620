import { randomUUID } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { EnvironmentModule } from '#libs/config';
import {
  GatewayClientModule,
  type PaymentsCall,
  PaymentsClient,
  type PaymentsResult,
} from '#libs/platform-client';
import { FakePayments } from '#libs/platform-client/testing';
import { ORIGIN, PaymentsWorld } from '../support/payments-world.js';

interface World {
  readonly client: PaymentsClient;
  organization(): string;
  pay(url: string): Promise<unknown>;
  close(): Promise<void>;
}

function describePaymentsContract(name: string, open: () => Promise<World>): void {
  describe(`${name}, as payments`, () => {
    let world: World;
    let call: PaymentsCall;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(() => {
      call = { organizationId: world.organization() };
    });

    const valueOf = <T>(result: PaymentsResult<T>): T => {
      if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
      return result.value;
    };
    const price = { currency: 'EUR', unitAmount: 1_000, productData: { name: 'Seat' } };
    const seats = async () =>
      valueOf(await world.client.createPrice(call, { ...price, recurring: { interval: 'month' } }));
    const order = async () => ({
      mode: 'subscription' as const,
      items: [{ priceId: (await seats()).id, quantity: 2 }],
      successUrl: `${ORIGIN}/done`,
      metadata: { package: 'five' },
    });
    const subscribed = async () => {
      const checkout = valueOf(await world.client.createCheckout(call, await order()));
      await world.pay(checkout.url ?? '');
      const { subscriptionId, status } = valueOf(await world.client.checkout(call, checkout.id));
      expect(status).toBe('complete');
      return valueOf(await world.client.subscription(call, subscriptionId ?? ''));
    };

    it('is configured', () => expect(world.client.isConfigured).toBe(true));

    it('creates a price for a product or for product data, not for both and not for neither', async () => {
      const { productId } = valueOf(await world.client.createPrice(call, price));
      const { currency, unitAmount } = price;
      expect(
        valueOf(await world.client.createPrice(call, { currency, unitAmount, productId })),
      ).toMatchObject({
        productId,
        unitAmount: 1_000,
      });
      for (const wrong of [
        { ...price, productId },
        { currency, unitAmount },
      ])
        expect(await world.client.createPrice(call, wrong)).toMatchObject({
          kind: 'refused',
          code: 'product_not_stated_once',
        });
    });

    it('has one effect for a key, and refuses another request with it', async () => {
      const once = { ...call, idempotencyKey: 'once' };
      const first = valueOf(await world.client.createPrice(once, price));
      expect(valueOf(await world.client.createPrice(once, price))).toEqual(first);
      expect(await world.client.createPrice(once, { ...price, unitAmount: 1 })).toMatchObject({
        kind: 'refused',
        code: 'idempotency_key_reused',
      });
    });

    it('sells a subscription, changes its quantity, and previews a change without making it', async () => {
      const { id, items, metadata, customerId } = await subscribed();
      expect([metadata, items]).toMatchObject([{ package: 'five' }, [{ quantity: 2 }]]);
      const itemId = items[0]?.id ?? '';
      const change = {
        subscriptionId: id,
        itemId,
        quantity: 5,
        prorationBehavior: 'always_invoice' as const,
      };
      const preview = valueOf(await world.client.previewChange(call, change));
      expect(preview.amountDue).toBeGreaterThan(0);
      expect(valueOf(await world.client.subscription(call, id)).items).toEqual(items);
      const prorationDate = preview.prorationDate ?? undefined;
      const changed = valueOf(await world.client.changeItem(call, { ...change, prorationDate }));
      expect(changed).toMatchObject({ id: itemId, quantity: 5 });
      const other = { ...change, quantity: undefined, priceId: (await seats()).id };
      expect(valueOf(await world.client.changeItem(call, other)).quantity).toBe(5);
      const portal = { customerId, returnUrl: `${ORIGIN}/billing` };
      expect(valueOf(await world.client.openPortal(call, portal)).url).toMatch(/^http/);
    });

    it('knows objects for their organization only', async () => {
      const { id, items } = await subscribed();
      const foreign = await order();
      call = { organizationId: world.organization() };
      const change = { subscriptionId: id, itemId: items[0]?.id ?? '', prorationBehavior: 'none' as const };
      for (const result of [
        await world.client.subscription(call, id),
        await world.client.changeItem(call, { ...change, quantity: 9 }),
        await world.client.previewChange(call, { ...change, quantity: 9 }),
        await world.client.createCheckout(call, foreign),
        await world.client.checkout(call, 'cs_unknown'),
      ])
        expect(result).toEqual({ kind: 'not-found' });
    });

    it('returns people to allowed origins only', async () => {
      const wrong = { ...(await order()), successUrl: 'https://evil.test/' };
      expect(await world.client.createCheckout(call, wrong)).toMatchObject({
        kind: 'refused',
        code: 'return_address_not_allowed',
      });
    });
  });
}

describePaymentsContract('the fake', () => {
  const client = new FakePayments();
  return Promise.resolve({
    client,
    organization: () => randomUUID(),
    pay: (url) => Promise.resolve(client.pay(url)),
    close: () => Promise.resolve(),
  });
});

describePaymentsContract('the real ones behind their client', async () => {
  const world = await PaymentsWorld.open();
  const module = await Test.createTestingModule({
    imports: [EnvironmentModule.forRoot(world.gateway.client), GatewayClientModule],
  }).compile();
  return {
    client: module.get(PaymentsClient, { strict: false }),
    organization: () => world.gateway.identity.organization(),
    pay: (url) => world.payments.pay(url),
    async close() {
      await module.close();
      await world.close();
    },
  };
});

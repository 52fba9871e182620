import type Stripe from 'stripe';
import type { Proration } from '../dto/subscriptions.dto.js';
import {
  checkoutView,
  customerView,
  idOf,
  instant,
  itemView,
  portalView,
  priceView,
  productView,
} from '../stripe/views.js';

/** The key of the provider for an operation. Every attempt, by any process, sends the same. */
export const providerKeyOf = (operationId: string): string => `gateway-${operationId}`;

export const operationIdIn = (providerKey: string | null): string | null =>
  /^gateway-([0-9a-f-]{36})$/.exec(providerKey ?? '')?.[1] ?? null;

export interface Executed<Result extends object = object> {
  /** The main object. */
  readonly id: string;
  /** Everything that the operation created or revealed; it belongs to the caller. */
  readonly owned: readonly string[];
  readonly result: Result;
}

export interface Kind {
  /** The `object` member of what it creates, as events show it. */
  readonly object: string;
  /** The result gives access to a customer's billing, so that it is not stored: a repetition asks the provider again. */
  readonly isSecret?: true;
  readonly run: (
    stripe: Stripe,
    params: never,
    options: { readonly idempotencyKey: string },
    target: string | null,
  ) => Promise<Executed>;
}

const executed = <Result extends object>(
  result: Result,
  id: string,
  ...others: readonly (string | null)[]
): Executed<Result> => ({ id, owned: [id, ...others.filter((other) => other !== null)], result });

/** With a proration, which is always stated. */
interface ItemChange extends Stripe.SubscriptionItemUpdateParams {
  readonly proration_behavior: Proration;
  readonly proration_date?: number;
}

/** The calls that change something at the provider. Each can be repeated from what is stored: parameters, target and key. */
export const KINDS = {
  'product.create': {
    object: 'product',
    async run(stripe, params: Stripe.ProductCreateParams, options) {
      const product = await stripe.products.create(params, options);
      return executed(productView(product), product.id);
    },
  },
  'price.create': {
    object: 'price',
    async run(stripe, params: Stripe.PriceCreateParams, options) {
      const price = await stripe.prices.create(params, options);
      return executed(priceView(price), price.id, idOf(price.product));
    },
  },
  'customer.create': {
    object: 'customer',
    async run(stripe, params: Stripe.CustomerCreateParams, options) {
      const customer = await stripe.customers.create(params, options);
      return executed(customerView(customer), customer.id);
    },
  },
  'checkout_session.create': {
    object: 'checkout.session',
    async run(stripe, params: Stripe.Checkout.SessionCreateParams, options) {
      const session = await stripe.checkout.sessions.create(params, options);
      return executed(checkoutView(session), session.id);
    },
  },
  'portal_session.create': {
    object: 'billing_portal.session',
    isSecret: true,
    async run(stripe, params: Stripe.BillingPortal.SessionCreateParams, options) {
      const session = await stripe.billingPortal.sessions.create(params, options);
      return executed(portalView(session), session.id);
    },
  },
  'subscription_item.update': {
    object: 'subscription',
    async run(stripe, params: ItemChange, options, target) {
      const item = await stripe.subscriptionItems.update(target ?? '', params, options);
      const { proration_behavior: prorationBehavior, proration_date: date } = params;
      const prorationDate = date === undefined ? null : instant(date);
      const result = {
        subscriptionId: item.subscription,
        item: itemView(item),
        prorationBehavior,
        prorationDate,
      };
      return { id: item.subscription, owned: [], result };
    },
  },
} as const satisfies Record<string, Kind>;

export type OperationKind = keyof typeof KINDS;
export type ParamsOf<K extends OperationKind> = Parameters<(typeof KINDS)[K]['run']>[1];
export type ResultOf<K extends OperationKind> = Awaited<ReturnType<(typeof KINDS)[K]['run']>>['result'];

export const kindNamed = (name: string): Kind | undefined =>
  name in KINDS ? KINDS[name as OperationKind] : undefined;

/** The kinds that create or change such an object. */
export const kindsOf = (object: string): string[] =>
  Object.entries(KINDS).flatMap(([name, kind]) => (kind.object === object ? [name] : []));

import type Stripe from 'stripe';
import {
  checkoutView,
  customerView,
  idOf,
  itemView,
  portalView,
  priceView,
  productView,
} from '../stripe/views.js';

interface Executed {
  /** The main object. */
  readonly id: string;
  /** Everything that the operation created or revealed; it belongs to the caller. */
  readonly owned: readonly string[];
  readonly result: object;
}

interface Options {
  readonly idempotencyKey: string;
}

export interface Kind {
  /** The `object` member of what it creates, as events show it. */
  readonly object: string;
  /** The result gives access to a customer's billing, so that it is not stored: a repetition asks the provider again. */
  readonly isSecret?: true;
  readonly run: (stripe: Stripe, params: never, options: Options, target: string | null) => Promise<Executed>;
}

const executed = (result: object, id: string, ...others: readonly (string | null)[]): Executed => ({
  id,
  owned: [id, ...others.filter((other) => other !== null)],
  result,
});

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
    async run(stripe, params: Stripe.SubscriptionItemUpdateParams, options, target) {
      const item = await stripe.subscriptionItems.update(target ?? '', params, options);
      const { proration_behavior, proration_date } = params;
      const result = {
        subscriptionId: item.subscription,
        item: itemView(item),
        prorationBehavior: proration_behavior,
        prorationDate:
          typeof proration_date === 'number' ? new Date(proration_date * 1000).toISOString() : null,
      };
      return { id: item.subscription, owned: [], result };
    },
  },
} as const satisfies Record<string, Kind>;

export type OperationKind = keyof typeof KINDS;
export type ParamsOf<K extends OperationKind> = Parameters<(typeof KINDS)[K]['run']>[1];

export const kindNamed = (name: string): Kind | undefined =>
  name in KINDS ? KINDS[name as OperationKind] : undefined;

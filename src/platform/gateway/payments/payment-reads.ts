import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { OwnedObjects, type Owner, type Reference } from './stripe/owned-objects.js';
import { PaymentCredentials } from './stripe/payment-credentials.js';
import {
  NoPaymentCredential,
  PaymentObjectNotFound,
  PaymentProviderGaveNoAnswer,
} from './payments.errors.js';
import { errorOf, outcomeOf } from './stripe/outcome.js';
import { StripeClients } from './stripe/stripe-http.js';
import { idOf } from './stripe/views.js';
import { Database } from '#libs/database';

/** Reads from the payment provider, always afresh: what an event said may be out of date. */
@Injectable()
export class PaymentReads {
  constructor(
    private readonly objects: OwnedObjects,
    private readonly credentials: PaymentCredentials,
    private readonly clients: StripeClients,
    private readonly database: Database,
  ) {}

  /**
   * Reads with the account that has the objects.
   * @throws PaymentObjectNotFound unless they are the owner's, PaymentIsRefused and others
   */
  async of<T>(
    owner: Owner,
    references: readonly [Reference, ...Reference[]],
    read: (stripe: Stripe) => Promise<T>,
  ): Promise<T> {
    const credentialId = await this.objects.credentialOf(owner, references);
    return this.with(credentialId, references[0].name, read);
  }

  async with<T>(credentialId: string, name: string, read: (stripe: Stripe) => Promise<T>): Promise<T> {
    const credential = await this.credentials.open(credentialId);
    if (!credential) throw new NoPaymentCredential();
    const outcome = await outcomeOf(() => read(this.clients.for(credential.key)));
    await this.credentials.note(credential, outcome);
    if (outcome.kind === 'done') return outcome.value;
    if (outcome.kind === 'unknown') throw new PaymentProviderGaveNoAnswer();
    if (outcome.kind === 'refused' && outcome.refusal.status === 404) throw new PaymentObjectNotFound(name);
    throw errorOf(outcome);
  }

  /** A completed session shows a payment, a customer and a subscription, which then belong to its owner too. */
  async checkoutSession(owner: Owner, id: string): Promise<Stripe.Checkout.Session> {
    const name = 'checkout session';
    const credentialId = await this.objects.credentialOf(owner, [{ name, id }]);
    const session = await this.with(credentialId, name, (stripe) => stripe.checkout.sessions.retrieve(id));
    const shown = [session.payment_intent, session.customer, session.subscription, session.invoice];
    const ids = shown.map(idOf).filter((each) => each !== null);
    await this.objects.bind(this.database, [credentialId], owner, ids);
    return session;
  }

  /** The item of a subscription of the owner. */
  async subscriptionItem(
    owner: Owner,
    subscriptionId: string,
    itemId: string,
  ): Promise<Stripe.SubscriptionItem> {
    const item = await this.of(owner, [{ name: 'subscription', id: subscriptionId }], (stripe) =>
      stripe.subscriptionItems.retrieve(itemId),
    );
    if (item.subscription !== subscriptionId) throw new PaymentObjectNotFound('subscription item');
    return item;
  }
}

import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CatalogController } from './catalog.controller.js';
import { CheckStripe, KeyAccounts } from './stripe/key-accounts.js';
import { CheckoutController } from './checkout.controller.js';
import { OwnedObjects } from './stripe/owned-objects.js';
import { OperationsController } from './operations.controller.js';
import { Executions } from './operations/executions.js';
import { Operations } from './operations/operations.js';
import { OperationsStore } from './operations/operations.store.js';
import { OperationsSweep, PaymentMetrics } from './operations/operations.sweep.js';
import { PaymentCredentials } from './stripe/payment-credentials.js';
import { PaymentReads } from './payment-reads.js';
import { PaymentsConfig } from './payments.config.js';
import { RelayTargets } from './relay/relay-targets.js';
import { RelayStore } from './relay/relay.store.js';
import { RelayWorker } from './relay/relay.worker.js';
import { ReturnAddresses } from './return-addresses.js';
import { StripeClients } from './stripe/stripe-http.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { EventAdoptionSweep, EventsSweep } from './webhooks/events.sweep.js';
import { EventsStore } from './webhooks/events.store.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** The payment provider: a typed surface for services, its events, and their relay to the services that own the objects. */
@Module({
  imports: [CredentialsModule],
  controllers: [
    CatalogController,
    CheckoutController,
    SubscriptionsController,
    OperationsController,
    WebhooksController,
  ],
  providers: [
    provideConfig(PaymentsConfig),
    PaymentCredentials,
    PaymentReads,
    PaymentMetrics,
    OwnedObjects,
    ReturnAddresses,
    StripeClients,
    KeyAccounts,
    CheckStripe,
    Executions,
    Operations,
    OperationsStore,
    OperationsSweep,
    EventsStore,
    EventAdoptionSweep,
    EventsSweep,
    RelayStore,
    RelayTargets,
    RelayWorker,
  ],
})
export class PaymentsModule {}

import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CheckEmailCredentials } from './outbox/check-email-credentials.js';
import { EmailConfig } from './email.config.js';
import { EmailCredentials } from './shared/email-credentials.js';
import { AcceptMessage } from './messages/accept-message.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesStore } from './messages/messages.store.js';
import { DeliverMessage } from './outbox/deliver-message.js';
import { EmailMetrics, Outcomes } from './outbox/outcomes.js';
import { OutboxStore } from './outbox/outbox.store.js';
import { ResendSender } from './outbox/resend-sender.js';
import { SendDueEmail } from './outbox/send-due-email.worker.js';
import { SmtpSender } from './outbox/smtp/smtp-sender.js';
import { PlatformEmailController } from './platform-email.controller.js';
import { EmailSweep, LateEventsSweep } from './retention.sweep.js';
import { VerifyDomain } from './senders/verify-domain.js';
import { DomainsStore } from './senders/domains.store.js';
import { PlatformSender } from './senders/platform-sender.js';
import { SendersController } from './senders/senders.controller.js';
import { SendersStore } from './senders/senders.store.js';
import { Suppressions } from './suppressions/suppressions.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { TemplatesStore } from './templates/templates.store.js';
import { TemplatesController } from './templates/templates.controller.js';
import { ProviderEvents } from './webhooks/provider-events.js';
import { EmailWebhooksController } from './webhooks/webhooks.controller.js';

const senders = [DomainsStore, PlatformSender, SendersStore, VerifyDomain];
const outbox = [DeliverMessage, EmailMetrics, Outcomes, OutboxStore, ResendSender, SendDueEmail, SmtpSender];

/** Mail: messages and their outbox, sender domains and identities, templates, suppressions, events of the provider. */
@Module({
  imports: [AuditModule, CredentialsModule],
  controllers: [
    MessagesController,
    SendersController,
    TemplatesController,
    SuppressionsController,
    PlatformEmailController,
    EmailWebhooksController,
  ],
  providers: [
    provideConfig<object>(EmailConfig),
    EmailCredentials,
    CheckEmailCredentials,
    ...senders,
    ...outbox,
    TemplatesStore,
    Suppressions,
    ProviderEvents,
    EmailSweep,
    LateEventsSweep,
    AcceptMessage,
    MessagesStore,
  ],
})
export class EmailModule {}

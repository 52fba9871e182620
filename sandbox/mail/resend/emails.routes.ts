import { randomUUID } from 'node:crypto';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { MailDelivery } from '../delivery/mail-delivery.js';
import type { AccountRoute } from './account-route.js';
import { FIRST_ACCOUNT } from './accounts.js';
import { eventOf, outcomeOf } from './events.js';
import { rawMessage } from './raw-message.js';
import { addressIn, domainIn, type EmailRequest, readEmail } from './read-email.js';
import type { ResendAccount, ResendEmail } from './resend.js';
import { resendError } from './resend-errors.js';
import type { Webhooks } from './webhooks.js';

const MAX_BODY_BYTES = 40_000_000;
const MAX_KEY = 256;

interface Parts {
  readonly office: MailDelivery;
  readonly webhooks: Webhooks;
}

/** `POST /emails` and `GET /emails/:id` (resend.com/docs/api-reference/emails). */
export function emailRoutes(parts: Parts): AccountRoute[] {
  return [
    {
      method: 'POST',
      path: '/emails',
      maxBodyBytes: MAX_BODY_BYTES,
      handle: (call, account) => sendEmail(parts, account, call),
    },
    {
      method: 'GET',
      path: '/emails/:id',
      handle({ params: { id = '' } }, account) {
        const email = account.email(id);
        return email ? json(200, viewOf(email)) : resendError(404, 'not_found', 'Email not found');
      },
    },
  ];
}

function sendEmail({ office, webhooks }: Parts, account: ResendAccount, call: Call): SandboxResponse {
  const key = call.headers['idempotency-key'] as string | undefined;
  if (key !== undefined && (key.length === 0 || key.length > MAX_KEY))
    return resendError(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
  const repeated = key === undefined ? null : account.repeated(key, call.body);
  if (repeated === 'different')
    return resendError(
      409,
      'invalid_idempotent_request',
      'Same idempotency key used with a different request payload.',
    );
  if (repeated) return json(200, { id: repeated.id });
  const request = readEmail(call.json?.value);
  if ('status' in request) return request;
  const domain = domainIn(addressIn(request.from) ?? '');
  if (!account.isVerified(domain))
    return resendError(
      403,
      'validation_error',
      `The ${domain} domain is not verified. Please, add and verify your domain.`,
    );
  const now = office.world.clock.now();
  const email = emailOf(request, now);
  const { effect } = office.accept(
    {
      via: 'resend',
      from: addressIn(request.from) ?? '',
      recipients: recipientsOf(email),
      raw: rawMessage(request, email.id, now),
    },
    account.name,
  );
  office.world.journal.append(...account.add(email, key, call.body));
  if (account.name === FIRST_ACCOUNT) announce({ office, webhooks }, email);
  return { ...json(200, { id: email.id }), effect };
}

const emailOf = ({ from, to, cc, bcc, subject }: EmailRequest, now: Date): ResendEmail => {
  const bare = (list: readonly string[]): string[] => list.map((one) => addressIn(one) ?? '');
  return {
    id: randomUUID(),
    createdAt: now.toISOString(),
    from,
    to: bare(to),
    cc: bare(cc),
    bcc: bare(bcc),
    subject,
    lastEvent: 'sent',
  };
};

const recipientsOf = ({ to, cc, bcc }: ResendEmail): string[] => [...to, ...cc, ...bcc];

/** `email.sent`, then the outcome for each recipient. */
function announce({ office, webhooks }: Parts, email: ResendEmail): void {
  const at = office.world.clock.now();
  webhooks.send(eventOf(email, recipientsOf(email), at, { type: 'email.sent' }));
  for (const address of recipientsOf(email)) {
    const outcome = outcomeOf(address, office.recipients.behaviourOf(address));
    email.lastEvent = outcome.type.slice('email.'.length);
    webhooks.send(eventOf(email, [address], at, outcome));
  }
}

const viewOf = (email: ResendEmail): object => ({
  object: 'email',
  id: email.id,
  to: email.to,
  cc: email.cc,
  bcc: email.bcc,
  from: email.from,
  subject: email.subject,
  created_at: email.createdAt,
  last_event: email.lastEvent,
});

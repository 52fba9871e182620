import { randomUUID } from 'node:crypto';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { MailDelivery } from '../delivery/mail-delivery.js';
import {
  type AccountRoute,
  FIRST_ACCOUNT,
  type ResendAccounts,
  type ResendDomain,
  type ResendEmail,
} from './accounts.js';
import { addressIn, domainIn, type EmailRequest, rawMessage, readEmail } from './read-email.js';
import { resendError } from './resend-errors.js';
import { eventOf, outcomeOf, type Webhooks } from './webhooks.js';

const NAME = /^([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/;

/** Domains of an account (resend.com/docs/api-reference/domains). */
export function domainRoutes(accounts: ResendAccounts): AccountRoute[] {
  const onDomain = (
    method: AccountRoute['method'],
    path: string,
    answer: (domain: ResendDomain, account: string) => SandboxResponse,
  ): AccountRoute => ({
    method,
    path,
    handle({ params }, account) {
      const domain = accounts.domainsOf(account).find(({ id }) => id === params.id);
      return domain ? answer(domain, account) : resendError(404, 'not_found', 'Domain not found');
    },
  });
  return [
    {
      method: 'GET',
      path: '/domains',
      handle: (_call, account) =>
        json(200, { object: 'list', has_more: false, data: accounts.domainsOf(account).map(domainView) }),
    },
    {
      method: 'POST',
      path: '/domains',
      handle: (call, account) => {
        const { name } = (call.json?.value ?? {}) as { name?: unknown };
        if (typeof name !== 'string' || !NAME.test(name))
          return resendError(422, 'validation_error', 'Invalid `name` field.');
        if (accounts.domainsOf(account).some((domain) => domain.name === name))
          return resendError(403, 'validation_error', `The ${name} domain has been registered already.`);
        return json(201, domainView(accounts.addDomain(account, name)));
      },
    },
    onDomain('GET', '/domains/:id', (domain) => json(200, domainView(domain))),
    onDomain('POST', '/domains/:id/verify', (domain, account) => {
      accounts.verify(account, domain);
      return json(200, { object: 'domain', id: domain.id });
    }),
  ];
}

const domainView = ({ id, name, status, createdAt }: ResendDomain): object => ({
  object: 'domain',
  id,
  name,
  status,
  created_at: createdAt,
  region: 'us-east-1',
});

const MAX_BODY_BYTES = 40_000_000;
const MAX_KEY = 256;

export interface ResendParts {
  readonly accounts: ResendAccounts;
  readonly office: MailDelivery;
  readonly webhooks: Webhooks;
}

/** `POST /emails` and `GET /emails/:id` (resend.com/docs/api-reference/emails). */
export function emailRoutes(parts: ResendParts): AccountRoute[] {
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
        const email = parts.accounts.emails.of(account, id);
        return email ? json(200, emailView(email)) : resendError(404, 'not_found', 'Email not found');
      },
    },
  ];
}

function sendEmail(parts: ResendParts, account: string, call: Call): SandboxResponse {
  const { accounts, office } = parts;
  const key = call.headers['idempotency-key'] as string | undefined;
  if (key !== undefined && (key.length === 0 || key.length > MAX_KEY))
    return resendError(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
  const repeated = key === undefined ? null : accounts.repeated(account, key, call.body);
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
  if (!accounts.isVerified(account, domain))
    return resendError(
      403,
      'validation_error',
      `The ${domain} domain is not verified. Please, add and verify your domain.`,
    );
  const now = office.world.clock.now();
  const email = emailOf(request, now);
  const effect = office.accept(
    {
      via: 'resend',
      from: addressIn(request.from) ?? '',
      recipients: recipientsOf(email),
      raw: rawMessage(request, email.id, now),
    },
    account,
  );
  accounts.add(account, email, key, call.body);
  if (account === FIRST_ACCOUNT) announce(parts, email);
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
function announce({ office, webhooks }: ResendParts, email: ResendEmail): void {
  const at = office.world.clock.now();
  webhooks.send(eventOf(email, recipientsOf(email), at, { type: 'email.sent' }));
  for (const address of recipientsOf(email)) {
    const outcome = outcomeOf(address, office.recipients.behaviourOf(address));
    email.lastEvent = outcome.type.slice('email.'.length);
    webhooks.send(eventOf(email, [address], at, outcome));
  }
}

const emailView = (email: ResendEmail): object => ({
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

import { Injectable } from '@nestjs/common';
import { type OutboundHeaders, OutboundHttp, type OutboundResponse, retryAfterIn } from '#libs/outbound-http';
import { CredentialHealth } from '../../credentials/credential-health.js';
import { readKeyedSecret } from '../../credentials/secrets.js';
import { EmailConfig } from '../email.config.js';
import { callLists } from '../shared/addresses.js';
import { digestOf, type EmailCredential, EmailCredentials } from '../shared/email-credentials.js';
import {
  type BeforeData,
  type OutboxMessage,
  type OutboxRecipient,
  type Outcome,
  resultsFor,
} from './delivery.types.js';

/** What a response of `POST /emails` means. */
type ResendOutcome =
  | { readonly kind: 'accepted'; readonly id: string }
  /** Nothing was sent; it can be tried again as another call. */
  | {
      readonly kind: 'later';
      readonly code: string | null;
      readonly detail: string;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'credential'; readonly code: string | null }
  | { readonly kind: 'refused'; readonly code: string | null; readonly detail: string }
  /** The effect is in doubt. Safe to repeat with the same key. */
  | { readonly kind: 'repeat'; readonly detail: string; readonly retryAfterMs?: number }
  /** Another body was accepted under this key. */
  | { readonly kind: 'uncertain'; readonly detail: string };

const ID = /^[\w-]{8,100}$/;
const KEY_REFUSED = [
  'missing_api_key',
  'invalid_api_key',
  'restricted_api_key',
  'invalid_access',
  'suspended_account',
];
const LONGEST_WAIT_MS = 86_400_000;

/** Errors are `{statusCode, name, message}` (resend.com/docs/api-reference/errors). */
export function resendOutcome(response: OutboundResponse): ResendOutcome {
  if (response.kind === 'not-sent')
    return { kind: 'later', code: null, detail: `not sent: ${response.reason}` };
  if (response.kind !== 'answered') return { kind: 'repeat', detail: 'no answer' };
  const { status } = response;
  const { id, name, message } = membersOf(response.body);
  if (status >= 200 && status < 300)
    return id !== null && ID.test(id)
      ? { kind: 'accepted', id }
      : { kind: 'repeat', detail: 'the answer has no id' };
  const detail = `${status} ${name ?? ''} ${message ?? ''}`.trim().slice(0, 300);
  const retryAfterMs = waitIn(response.headers);
  if (name === 'concurrent_idempotent_requests') return { kind: 'repeat', detail, retryAfterMs };
  if (name === 'invalid_idempotent_request') return { kind: 'uncertain', detail };
  if (status === 401 || KEY_REFUSED.includes(name ?? '')) return { kind: 'credential', code: name };
  if (status === 429) return { kind: 'later', code: name, detail, retryAfterMs };
  // 409: about the key, also for a reason that is not known. A repetition with the same key tells.
  if (status >= 500 || status === 408 || status === 409) return { kind: 'repeat', detail, retryAfterMs };
  return { kind: 'refused', code: name, detail };
}

function waitIn(headers: OutboundHeaders): number | undefined {
  const wait = retryAfterIn(headers) ?? 0;
  return wait > 0 && wait <= LONGEST_WAIT_MS ? wait : undefined;
}

function membersOf(body: unknown): Record<'id' | 'name' | 'message', string | null> {
  const record = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { id: text(record.id), name: text(record.name), message: text(record.message) };
}

/** The provider forgets keys after 24 hours. A repeat must arrive before. */
const KEY_VALID_MS = 23 * 60 * 60_000;
const TIMEOUT_MS = 30_000;

/** Sends a message to all its open recipients by one call of Resend. */
@Injectable()
export class ResendSender {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: EmailConfig,
    private readonly credentials: EmailCredentials,
    private readonly health: CredentialHealth,
  ) {}

  /**
   * A call whose effect is in doubt is repeated with its key and for its recipients, which is safe while the provider knows the key.
   * @param recipients those to send to: of a call in doubt the same as before
   */
  async send(
    message: OutboxMessage,
    recipients: readonly OutboxRecipient[],
    credential: EmailCredential,
    beforeData: BeforeData,
  ): Promise<Outcome> {
    const key = message.callKey ?? `${message.id}/${message.attempts}`;
    const positions = recipients.map(({ position }) => position);
    const isRepeat = message.dataAt !== null;
    const call = { idempotencyKey: key, credentialDigest: digestOf(credential) };
    if (!isRepeat && !(await beforeData(positions, call))) return { kind: 'withheld' };
    const response = await this.http.send({
      method: 'POST',
      url: `${this.config.resendUrl}/emails`,
      headers: {
        authorization: `Bearer ${readKeyedSecret(credential.secret).key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(bodyOf(message, recipients)),
      timeoutMs: TIMEOUT_MS,
    });
    const outcome = resendOutcome(response);
    if (outcome.kind === 'accepted') await this.health.works(credential);
    if (outcome.kind === 'credential') await this.health.fails(credential);
    return outcomeFor(outcome, recipients, isRepeat);
  }

  /** The credential with which a call in doubt can be repeated; null: the provider could take the repeat for another message. */
  async credentialOfRepeat(message: OutboxMessage, now: Date): Promise<EmailCredential | null> {
    const { dataAt: at, callKey, credentialId, credentialDigest } = message;
    if (at === null || callKey === null || now.getTime() - at.getTime() >= KEY_VALID_MS) return null;
    return this.credentials.ofCall(credentialId, credentialDigest);
  }
}

/** @param isInDoubt an earlier call with this key may have been accepted: a refusal of the repeat says nothing about it */
function outcomeFor(
  outcome: ResendOutcome,
  recipients: readonly OutboxRecipient[],
  isInDoubt: boolean,
): Outcome {
  switch (outcome.kind) {
    case 'accepted': {
      const results = resultsFor(recipients, { state: 'sent', code: null, detail: null });
      return { kind: 'results', results, providerId: outcome.id };
    }
    case 'repeat':
      return outcome;
    case 'uncertain':
      return {
        kind: 'results',
        results: resultsFor(recipients, { state: 'uncertain', code: null, detail: outcome.detail }),
      };
    case 'later':
    case 'credential': {
      const detail = outcome.kind === 'credential' ? 'Resend refuses the credential.' : outcome.detail;
      const retryAfterMs = outcome.kind === 'later' ? outcome.retryAfterMs : undefined;
      if (isInDoubt) return { kind: 'repeat', detail, retryAfterMs };
      const results = resultsFor(recipients, { state: 'queued', code: outcome.code, detail });
      return { kind: 'results', results, retryAfterMs };
    }
    case 'refused': {
      const state = isInDoubt ? 'uncertain' : 'refused';
      const { code, detail } = outcome;
      return { kind: 'results', results: resultsFor(recipients, { state, code, detail }) };
    }
  }
}

/** The same message and recipients give the same body: the provider refuses a key with another one. */
function bodyOf(message: OutboxMessage, recipients: readonly OutboxRecipient[]): object {
  const { html, text, replyTo, messageId } = message;
  const { to, cc, bcc } = callLists(recipients);
  return {
    from: named(message.fromName, message.fromAddress),
    to: to.map(mailboxOf),
    ...(cc.length > 0 && { cc: cc.map(mailboxOf) }),
    ...(bcc.length > 0 && { bcc: bcc.map(mailboxOf) }),
    ...(replyTo !== null && { reply_to: replyTo }),
    subject: message.subject,
    ...(html !== null && { html }),
    ...(text !== null && { text }),
    headers: { ...message.headers, 'Message-ID': messageId },
  };
}

const mailboxOf = ({ name, address }: OutboxRecipient): string => named(name, address);

/** A display name in quotes, so that commas and other special characters have no meaning (RFC 5322). */
function named(name: string | null, address: string): string {
  return name ? `"${name.replace(/["\\<>]/g, '')}" <${address}>` : address;
}

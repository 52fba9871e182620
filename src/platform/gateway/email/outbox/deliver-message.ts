import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { readKeyedSecret, readSmtpSecret } from '../../credentials/secrets.js';
import type { EmailProvider } from '../email.types.js';
import { type EmailCredential, EmailCredentials } from '../shared/email-credentials.js';
import {
  type BeforeData,
  type OutboxMessage,
  type OutboxRecipient,
  type Outcome,
  type RecipientResult,
  resultsFor,
} from './delivery.types.js';
import { OutboxStore } from './outbox.store.js';
import { ResendSender } from './resend-sender.js';
import { laterFor, SmtpSender } from './smtp/smtp-sender.js';

/** Shorter beginnings of a secret are found in ordinary words. */
const LEAST_PART = 6;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As they are stored, and as mail servers get them (RFC 4616). */
function secretsOf(provider: EmailProvider, { secret }: Pick<EmailCredential, 'secret'>): string[] {
  if (provider === 'smtp') {
    const { user, password } = readSmtpSecret(secret);
    return [password, base64(password), base64(`\0${user}\0${password}`)];
  }
  const { key, webhookSecrets } = readKeyedSecret(secret);
  return [key, ...webhookSecrets];
}

/** Providers repeat keys in their messages. What is stored was cut at a length, perhaps within a key. */
function masked(text: string, secret: string): string {
  if (secret === '') return text;
  const whole = text.replaceAll(secret, '…');
  for (let length = Math.min(secret.length - 1, whole.length); length >= LEAST_PART; length -= 1)
    if (whole.endsWith(secret.slice(0, length))) return `${whole.slice(0, -length)}…`;
  return whole;
}

/** The outcome of an attempt, without the secrets of its credential in what it says. */
export function withoutSecrets(
  outcome: Outcome,
  provider: EmailProvider,
  credential: Pick<EmailCredential, 'secret'>,
): Outcome {
  const secrets = secretsOf(provider, credential);
  const clean = (text: string | null) => text && secrets.reduce(masked, text);
  const cleaned = (result: RecipientResult) => ({
    ...result,
    code: clean(result.code),
    detail: clean(result.detail),
  });
  if (outcome.kind === 'results') return { ...outcome, results: outcome.results.map(cleaned) };
  return outcome.kind === 'repeat' ? { ...outcome, detail: clean(outcome.detail) ?? '' } : outcome;
}

@Injectable()
export class DeliverMessage {
  private readonly logger = new Logger(DeliverMessage.name);

  constructor(
    private readonly store: OutboxStore,
    private readonly credentials: EmailCredentials,
    private readonly smtp: SmtpSender,
    private readonly resend: ResendSender,
    private readonly clock: Clock,
  ) {}

  abort(): void {
    this.smtp.abort();
  }

  deliver(message: OutboxMessage): Promise<Outcome> {
    return message.dataAt === null ? this.begin(message) : this.continueAfterLoss(message);
  }

  private async begin(message: OutboxMessage): Promise<Outcome> {
    const open = message.recipients.filter(({ state }) => state === 'queued');
    const suppressed = open.filter(({ isSuppressed }) => isSuppressed);
    const recipients = open.filter(({ isSuppressed }) => !isSuppressed);
    const results = resultsFor(suppressed, { state: 'suppressed', code: null, detail: null });
    if (recipients.length === 0) return { kind: 'results', results };
    const scope = message.isPlatform ? null : message.organizationId;
    const credential = await this.credentials.usable(message.provider, scope);
    const outcome = credential
      ? await this.send(message, recipients, credential)
      : laterFor(recipients, `There is no usable credential for ${message.provider}.`);
    return withResults(outcome, results);
  }

  /**
   * The content was being written, and no outcome is stored. Nothing tells whether the provider has it. Only a provider with
   * idempotency keys is called again, with the key of the same account.
   */
  private async continueAfterLoss(message: OutboxMessage): Promise<Outcome> {
    const sending = message.recipients.filter(({ state }) => state === 'sending');
    const isRepeatable = message.provider === 'resend';
    const credential = isRepeatable ? await this.resend.credentialOfRepeat(message, this.clock.now()) : null;
    if (credential) return this.send(message, sending, credential);
    const detail = isRepeatable
      ? 'The provider may have accepted it. It is not called again: the call is too old, or its credential has another key, is disabled or deleted.'
      : 'The process ended after it began to write the message, before an outcome was stored.';
    return { kind: 'results', results: resultsFor(sending, { state: 'uncertain', code: null, detail }) };
  }

  private async send(
    message: OutboxMessage,
    recipients: readonly OutboxRecipient[],
    credential: EmailCredential,
  ): Promise<Outcome> {
    let isBegun = message.dataAt !== null;
    const beforeData: BeforeData = async (positions, call) => {
      isBegun = await this.store.beginData(message, positions, call, credential.id);
      return isBegun;
    };
    const sender = message.provider === 'smtp' ? this.smtp : this.resend;
    try {
      const outcome = await sender.send(message, recipients, credential, beforeData);
      return withoutSecrets(outcome, message.provider, credential);
    } catch (error) {
      if (isBegun) throw error;
      // Nothing was written, also where the beginning is stored and the answer to its COMMIT was lost.
      this.logger.error(error, `Message ${message.id} could not be sent. It is tried again.`);
      return laterFor(recipients, 'The attempt failed before anything was written.');
    }
  }
}

const withResults = (outcome: Outcome, more: readonly RecipientResult[]): Outcome =>
  outcome.kind === 'results' ? { ...outcome, results: [...outcome.results, ...more] } : outcome;

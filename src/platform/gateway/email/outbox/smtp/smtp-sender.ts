import { Injectable } from '@nestjs/common';
import MailComposer from 'nodemailer/lib/mail-composer';
import { publicAddressesOf } from '#libs/outbound-http';
import { CredentialHealth } from '../../../credentials/credential-health.js';
import { readSmtpSecret } from '../../../credentials/secrets.js';
import { EmailConfig } from '../../email.config.js';
import { domainOf } from '../../shared/addresses.js';
import type { EmailCredential } from '../../shared/email-credentials.js';
import {
  type BeforeData,
  type OutboxMessage,
  type OutboxRecipient,
  type Outcome,
  type RecipientResult,
  resultsFor,
} from '../delivery.types.js';
import { meaningOf, type RefusedRecipient, type SmtpOutcome, type SmtpReply } from './smtp-outcome.js';
import { SmtpSession } from './smtp-session.js';

/** The whole message. Recipients of kind bcc are in the envelope only. Reads no file and no address. */
function mimeOf(message: OutboxMessage): Promise<Buffer> {
  const addressesOf = (kind: 'to' | 'cc') =>
    message.recipients
      .filter((recipient) => recipient.kind === kind)
      .map(({ name, address }) => ({ name: name ?? '', address }));
  const composed = new MailComposer({
    disableFileAccess: true,
    disableUrlAccess: true,
    from: { name: message.fromName, address: message.fromAddress },
    to: addressesOf('to'),
    cc: addressesOf('cc'),
    ...(message.replyTo !== null && { replyTo: message.replyTo }),
    subject: message.subject,
    ...(message.text !== null && { text: message.text }),
    ...(message.html !== null && { html: message.html }),
    messageId: message.messageId,
    date: message.createdAt,
    headers: { ...message.headers },
  });
  return composed.compile().build();
}

type Resolve = Parameters<typeof publicAddressesOf>[1];

/**
 * One address of the host to connect to. Connecting to the name would ask the DNS again, which could answer differently.
 * @returns null when the host does not exist or one of its addresses is not public
 */
export async function publicAddressOf(host: string, resolve?: Resolve): Promise<string | null> {
  const [first = null] = await publicAddressesOf(host, resolve).catch(() => []);
  return first;
}

/** Sends a message to all its open recipients in one SMTP transaction. */
@Injectable()
export class SmtpSender {
  private readonly sessions = new Set<SmtpSession>();
  private isEnding = false;

  constructor(
    private readonly config: EmailConfig,
    private readonly health: CredentialHealth,
  ) {}

  /** @param recipients those to send to. Never throws because of the mail server. */
  async send(
    message: OutboxMessage,
    recipients: readonly OutboxRecipient[],
    credential: EmailCredential,
    beforeData: BeforeData,
  ): Promise<Outcome> {
    const server = readSmtpSecret(credential.secret);
    const isOwn = credential.organizationId !== null;
    const address = isOwn ? await publicAddressOf(server.host) : undefined;
    if (address === null) return laterFor(recipients, 'The mail server has no public address.');
    const { connectTimeoutMs: connectMs, replyTimeoutMs: replyMs } = this.config;
    const session = new SmtpSession(
      { ...server, address },
      { connectMs, replyMs },
      domainOf(message.fromAddress),
    );
    this.sessions.add(session);
    if (this.isEnding) session.abort();
    try {
      const positionsOf = (accepted: readonly string[]): number[] =>
        withAddress(recipients, accepted).map(({ position }) => position);
      const to = recipients.map((recipient) => recipient.address);
      const outcome = await session.send(message.fromAddress, to, await mimeOf(message), (accepted) =>
        beforeData(positionsOf(accepted), null),
      );
      if (session.isSignedIn) await this.health.works(credential);
      else if (outcome.kind === 'not-sent' && outcome.isLogin) await this.health.fails(credential);
      return outcomeFor(outcome, recipients);
    } finally {
      this.sessions.delete(session);
    }
  }

  /** Ends all sessions, later ones before they connect. What was written and not answered stays in doubt. */
  abort(): void {
    this.isEnding = true;
    for (const session of this.sessions) session.abort();
  }
}

export function outcomeFor(outcome: SmtpOutcome, recipients: readonly OutboxRecipient[]): Outcome {
  switch (outcome.kind) {
    case 'withheld':
      return { kind: 'withheld' };
    case 'not-sent':
      return laterFor(
        recipients,
        outcome.isLogin ? 'The mail server refuses the credential.' : outcome.detail,
      );
    case 'refused': {
      const refused = refusals(recipients, outcome.refused);
      const others = without(recipients, refused);
      // Recipients were refused one by one, or all of them by one reply.
      return {
        kind: 'results',
        results: [...refused, ...resultsFor(others, resultOf(outcome.reply, false))],
      };
    }
    case 'accepted':
    case 'uncertain': {
      const result =
        outcome.kind === 'accepted'
          ? { state: 'sent' as const, code: '2.0.0', detail: outcome.reply }
          : { state: 'uncertain' as const, code: null, detail: outcome.detail };
      const results = resultsFor(withAddress(recipients, outcome.accepted), result);
      return { kind: 'results', results: [...results, ...refusals(recipients, outcome.refused)] };
    }
  }
}

export const laterFor = (recipients: readonly OutboxRecipient[], detail: string): Outcome => ({
  kind: 'results',
  results: resultsFor(recipients, { state: 'queued', code: null, detail }),
});

const withAddress = (
  recipients: readonly OutboxRecipient[],
  addresses: readonly string[],
): OutboxRecipient[] => recipients.filter(({ address }) => addresses.includes(address));

const without = (
  recipients: readonly OutboxRecipient[],
  results: readonly RecipientResult[],
): OutboxRecipient[] =>
  recipients.filter(({ position }) => !results.some((result) => result.position === position));

function refusals(
  recipients: readonly OutboxRecipient[],
  refused: readonly RefusedRecipient[],
): RecipientResult[] {
  return recipients.flatMap(({ position, address }) => {
    const found = refused.find((one) => one.address === address);
    return found ? [{ position, ...resultOf({ code: found.code, text: found.text }, true) }] : [];
  });
}

/** @param isOfRecipient a reply to RCPT; only that says something about the mailbox */
function resultOf({ code, text }: SmtpReply, isOfRecipient: boolean): Omit<RecipientResult, 'position'> {
  const { suppress, ...meaning } = meaningOf(code, text);
  return { ...meaning, suppress: suppress && isOfRecipient };
}

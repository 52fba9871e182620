import type { EmailProvider, RecipientState } from '../email.types.js';

export interface OutboxRecipient {
  readonly position: number;
  readonly kind: 'to' | 'cc' | 'bcc';
  readonly name: string | null;
  readonly address: string;
  readonly state: RecipientState;
  /** Suppressed since the message was accepted. */
  readonly isSuppressed: boolean;
}

export interface OutboxMessage {
  readonly id: string;
  readonly organizationId: string;
  readonly provider: EmailProvider;
  /** Sent with a credential of the platform. */
  readonly isPlatform: boolean;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The Message-ID, with angle brackets; the same for every attempt. */
  readonly messageId: string;
  readonly createdAt: Date;
  readonly attempts: number;
  /** The fencing token of this claim. */
  readonly attemptId: string;
  /** When the content of an attempt without a stored outcome was about to be written; null: there is no such attempt. */
  readonly dataAt: Date | null;
  /** Idempotency key of that attempt. */
  readonly callKey: string | null;
  readonly credentialId: string | null;
  /** Of the key of that credential; null: not known. */
  readonly credentialDigest: string | null;
  readonly recipients: readonly OutboxRecipient[];
}

export interface RecipientResult {
  readonly position: number;
  readonly state: 'queued' | 'sent' | 'uncertain' | 'refused' | 'suppressed';
  /** Enhanced status code (RFC 3463), a reply code, or the provider's own name of the reason. */
  readonly code: string | null;
  /** For people. Contains no secret. */
  readonly detail: string | null;
  /** The mailbox does not exist: it gets no further messages. */
  readonly suppress?: boolean;
}

export type Outcome =
  /** Recipients without a result stay as they are. */
  | {
      readonly kind: 'results';
      readonly results: readonly RecipientResult[];
      readonly providerId?: string;
      /** What the provider asks to wait before the next attempt. */
      readonly retryAfterMs?: number;
    }
  /** The provider may have accepted the message, and a repeat with the same idempotency key is safe. */
  | { readonly kind: 'repeat'; readonly detail: string; readonly retryAfterMs?: number }
  /** The claim was lost before anything was written. */
  | { readonly kind: 'withheld' };

export const resultsFor = (
  recipients: readonly Pick<OutboxRecipient, 'position'>[],
  result: Omit<RecipientResult, 'position'>,
): RecipientResult[] => recipients.map(({ position }) => ({ position, ...result }));

/** What a repeat of a call needs to have no second effect. */
export interface RepeatableCall {
  readonly idempotencyKey: string;
  readonly credentialDigest: string;
}

/**
 * Stores that the content is about to be written to the provider for these recipients.
 * @param call null: it cannot be repeated
 * @returns false when the claim is lost: nothing may be written
 */
export type BeforeData = (positions: readonly number[], call: RepeatableCall | null) => Promise<boolean>;

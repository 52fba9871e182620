import type { NodemailerError } from 'nodemailer/lib/errors';
import type { SMTPConnectionEnvelope } from 'nodemailer/lib/smtp-connection';

/** What a reply of a mail server means for a recipient. */
interface ReplyMeaning {
  readonly state: 'queued' | 'refused';
  /** The enhanced status code, else the reply code. */
  readonly code: string;
  readonly detail: string;
  /** The mailbox does not exist. */
  readonly suppress: boolean;
}

/** RFC 2034: the enhanced status code is the first word of the text. */
const ENHANCED = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/;
/** RFC 3463: no such mailbox; mailbox disabled. */
const NO_MAILBOX = ['5.1.1', '5.2.1'];
const FULL = /^[45]\.2\.2$/;

/**
 * The reply code decides between later and never, except that a full mailbox is always tried again. 5.7.x is a refusal of the
 * sender or the content, so it never suppresses the recipient.
 */
export function meaningOf(replyCode: number, response: string): ReplyMeaning {
  const enhanced = ENHANCED.exec(response)?.[1];
  const isLater = replyCode < 500 || FULL.test(enhanced ?? '');
  return {
    state: isLater ? 'queued' : 'refused',
    code: enhanced ?? String(replyCode),
    detail: printable(response),
    suppress: !isLater && NO_MAILBOX.includes(enhanced ?? ''),
  };
}

const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 500);

export interface SmtpReply {
  readonly code: number;
  readonly text: string;
}

export interface RefusedRecipient extends SmtpReply {
  readonly address: string;
}

export type SmtpOutcome =
  /** No content was written. `isLogin`: the server refuses the credential permanently. */
  | { readonly kind: 'not-sent'; readonly isLogin: boolean; readonly detail: string }
  /** No content was written, because `beforeData` said so. */
  | { readonly kind: 'withheld' }
  /** The server refused the sender, the content or the command DATA: no recipient gets the message. */
  | { readonly kind: 'refused'; readonly reply: SmtpReply; readonly refused: readonly RefusedRecipient[] }
  | {
      readonly kind: 'accepted';
      readonly accepted: readonly string[];
      readonly refused: readonly RefusedRecipient[];
      readonly reply: string;
    }
  /** Content was written, and neither a whole reply nor a reply of a known meaning came. */
  | {
      readonly kind: 'uncertain';
      readonly accepted: readonly string[];
      readonly refused: readonly RefusedRecipient[];
      readonly detail: string;
    };

/** Whether a mail server lets an account sign in. */
export type SignInOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'no-answer'; readonly code: string };

/** Permanently: a temporary reply says nothing about the credential. */
export const isLoginRefusal = ({ code, responseCode = 0 }: NodemailerError): boolean =>
  code === 'EAUTH' && responseCode >= 500;

/** A reply to the content. Any other one, such as a second 354 or a text without a code, proves nothing: the server has the content. */
export const isContentRefusal = ({ code, responseCode = 0 }: NodemailerError): boolean =>
  code === 'EMESSAGE' && responseCode >= 400 && responseCode <= 599;

export const refusedIn = ({ rejectedErrors = [] }: Partial<SMTPConnectionEnvelope>): RefusedRecipient[] =>
  rejectedErrors.map((error) => {
    const {
      recipient = '',
      responseCode = 0,
      response = '',
    } = error as NodemailerError & { recipient?: string };
    return { address: recipient, code: responseCode, text: response };
  });

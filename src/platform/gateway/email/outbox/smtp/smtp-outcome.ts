import type { NodemailerError } from 'nodemailer/lib/errors';
import type { SMTPConnectionEnvelope } from 'nodemailer/lib/smtp-connection';

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
  /** By a permanent reply to the login. */
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

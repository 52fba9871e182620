import type { Behaviour } from '../delivery/recipients.js';
import type { ResendEmail } from './resend.js';
import type { ResendEvent } from './webhooks.js';

/** What becomes of a message for one recipient. The addresses of resend.dev are documented for tests. */
export function outcomeOf(address: string, behaviour: Behaviour): { type: string; bounce?: object } {
  const [local = '', domain] = address.toLowerCase().split('@');
  const test = domain === 'resend.dev' ? (local.split('+')[0] ?? '') : '';
  if (test === 'complained') return { type: 'email.complained' };
  if (test === 'suppressed') return { type: 'email.suppressed' };
  if (test === 'bounced' || behaviour === 'unknown' || behaviour === 'disabled')
    return { type: 'email.bounced', bounce: bounce('Permanent', 'General', 'smtp; 550 5.1.1 user unknown') };
  if (behaviour === 'full')
    return {
      type: 'email.bounced',
      bounce: bounce('Transient', 'MailboxFull', 'smtp; 452 4.2.2 mailbox full'),
    };
  if (behaviour === 'policy')
    return {
      type: 'email.bounced',
      bounce: bounce('Undetermined', 'Undetermined', 'smtp; 550 5.7.1 policy'),
    };
  return { type: 'email.delivered' };
}

export const bounce = (type: string, subType: string, code: string): object => ({
  type,
  subType,
  message: "The recipient's email server rejected the message.",
  diagnosticCode: [code],
});

/** @param to the recipients that the event is about */
export function eventOf(
  email: Pick<ResendEmail, 'id' | 'createdAt' | 'from' | 'subject'>,
  to: readonly string[],
  at: Date,
  { type, ...more }: { readonly type: string; readonly bounce?: object },
): ResendEvent {
  return {
    type,
    created_at: at.toISOString(),
    data: {
      email_id: email.id,
      created_at: email.createdAt,
      from: email.from,
      to: [...to],
      subject: email.subject,
      ...more,
    },
  };
}

import { count, flag, type MemberChecks, membersOf, oneOf, text } from '../../networks/kit/state/members.js';
import { ControlRequestIsInvalid } from '../../wire/control-request.js';

/** What can happen to an SMTP session, by when. */
export const SMTP_FAULTS = [
  'silence-before-data',
  'reset-before-data',
  'close-before-data',
  'reset-after-message',
  'close-after-message',
  'silence-after-message',
  'cut-reply',
  'refuse-message',
  'refuse-sender',
  'refuse-login',
  'slow-reply',
] as const;
type SmtpFaultKind = (typeof SMTP_FAULTS)[number];

export interface SmtpFault {
  readonly kind: SmtpFaultKind;
  /** Ends after this many hits. */
  readonly times: number;
  /** Whether the message counts as accepted although no reply says so. Of faults after the message. */
  readonly accepted: boolean;
  readonly code: number;
  readonly text: string;
  readonly delayMs: number;
  /** Only messages to such a recipient. */
  readonly recipientContains?: string;
}

/** The faults of the mail server, in the order they were switched on. */
export class SmtpFaults {
  private active: (SmtpFault & { readonly id: number; hits: number })[] = [];
  private lastId = 0;

  add(fault: SmtpFault): object {
    const entry = { id: ++this.lastId, hits: 0, ...fault };
    this.active.push(entry);
    return entry;
  }

  list(): readonly object[] {
    return this.active;
  }

  clear(): void {
    this.active = [];
  }

  /** The first of these kinds that applies; counts the hit. */
  take(kinds: readonly SmtpFaultKind[], recipients: readonly string[]): SmtpFault | undefined {
    const found = this.active.find(
      (fault) => kinds.includes(fault.kind) && fault.hits < fault.times && applies(fault, recipients),
    );
    if (found) found.hits += 1;
    return found;
  }
}

function applies({ recipientContains }: SmtpFault, recipients: readonly string[]): boolean {
  return recipientContains === undefined || recipients.some((address) => address.includes(recipientContains));
}

const CHECKS: MemberChecks<SmtpFault> = {
  kind: oneOf(...SMTP_FAULTS),
  times: count(1_000_000, 1),
  accepted: flag,
  code: count(599, 400),
  text,
  delayMs: count(600_000),
  recipientContains: text,
};
const DEFAULTS = { times: 1, accepted: true, code: 451, text: '4.3.0 Try again later', delayMs: 1_000 };

/** @throws ControlRequestIsInvalid: a fault that never applies makes its test meaningless */
export function parseSmtpFault(body: Readonly<Record<string, unknown>>): SmtpFault {
  const { kind, ...members } = membersOf(CHECKS, body, 'a member of a fault');
  if (!kind) throw new ControlRequestIsInvalid(`kind must be one of ${SMTP_FAULTS.join(', ')}.`);
  return { ...DEFAULTS, ...members, kind };
}

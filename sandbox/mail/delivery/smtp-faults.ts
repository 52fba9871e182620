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
  /** Of `refuse-…`. */
  readonly code: number;
  readonly text: string;
  /** Of `slow-reply`. */
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

/** @throws ControlRequestIsInvalid: a fault that never applies makes its test meaningless */
export function parseSmtpFault(body: Readonly<Record<string, unknown>>): SmtpFault {
  const { kind, times = 1, accepted = true, code = 451, delayMs = 1_000, recipientContains, ...rest } = body;
  const { text = '4.3.0 Try again later', ...unknown } = rest;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new ControlRequestIsInvalid(`${name} is not a member of a fault.`);
  if (!SMTP_FAULTS.includes(kind as SmtpFaultKind))
    throw new ControlRequestIsInvalid(`kind must be one of ${SMTP_FAULTS.join(', ')}.`);
  mustBeWhole('times', times, 1, 1_000_000);
  mustBeWhole('code', code, 400, 599);
  mustBeWhole('delayMs', delayMs, 0, 600_000);
  if (typeof accepted !== 'boolean') throw new ControlRequestIsInvalid('accepted must be true or false.');
  if (typeof text !== 'string') throw new ControlRequestIsInvalid('text must be text.');
  if (recipientContains !== undefined && typeof recipientContains !== 'string')
    throw new ControlRequestIsInvalid('recipientContains must be text.');
  return { kind, times, accepted, code, text, delayMs, recipientContains } as SmtpFault;
}

function mustBeWhole(name: string, value: unknown, min: number, max: number): void {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    throw new ControlRequestIsInvalid(`${name} must be a whole number from ${min} to ${max}.`);
}

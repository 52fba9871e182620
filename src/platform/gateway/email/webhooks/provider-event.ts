import { instantOf, storable } from '#libs/http';
import type { RecipientState } from '../email.types.js';

/** What is kept of an event of Resend about one message. Other fields name people, and can hold what cannot be stored. */
export interface ProviderEvent {
  readonly type: string;
  readonly providerId: string;
  /** Whom it is about, in lower case. */
  readonly addresses: readonly string[];
  /** null: it names no instant of RFC 3339. */
  readonly at: string | null;
  readonly bounce: {
    readonly type: string;
    readonly code: string | null;
    readonly detail: string | null;
  } | null;
}

/** What the event says about its recipient; null: nothing that is kept. */
export interface EventMeaning {
  readonly state: RecipientState;
  readonly code: string | null;
  readonly detail: string | null;
  readonly suppress: 'bounce' | 'complaint' | null;
}

const MAX_TEXT = 500;
const MAX_ADDRESSES = 100;

/** `{type, created_at, data: {email_id, to, bounce?}}` (resend.com/docs/webhooks/event-types); null: another shape. */
export function eventIn(body: unknown): ProviderEvent | null {
  const { type: name, created_at: at, data } = record(body);
  const { email_id: id, to, bounce } = record(data);
  const [type, providerId] = [textIn(name), textIn(id)];
  if (type === undefined || !providerId) return null;
  return {
    type: type.slice(0, MAX_TEXT),
    providerId: providerId.slice(0, MAX_TEXT),
    addresses: [to]
      .flat()
      .slice(0, MAX_ADDRESSES)
      .flatMap((one) => addressIn(textIn(one) ?? '')),
    at: instantOf(textIn(at)) ?? null,
    bounce: bounceIn(record(bounce)),
  };
}

/** Only a permanent bounce and a complaint suppress an address (resend.com/docs/dashboard/emails/email-bounces). */
export function meaningOf({ type, bounce }: ProviderEvent): EventMeaning | null {
  const nothing = { code: null, detail: null, suppress: null };
  switch (type) {
    case 'email.sent':
      return { ...nothing, state: 'sent' };
    case 'email.delivered':
      return { ...nothing, state: 'delivered' };
    case 'email.complained':
      return { ...nothing, state: 'complained', suppress: 'complaint' };
    case 'email.suppressed':
      return { ...nothing, state: 'suppressed' };
    case 'email.bounced': {
      const suppress = bounce?.type === 'Permanent' ? 'bounce' : null;
      return { state: 'bounced', code: bounce?.code ?? null, detail: bounce?.detail ?? null, suppress };
    }
    default:
      return null;
  }
}

function bounceIn({ type: name, subType, message, diagnosticCode }: Record<string, unknown>) {
  const type = textIn(name);
  if (type === undefined) return null;
  const diagnosis = textIn([diagnosticCode].flat()[0]);
  const code = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(diagnosis ?? '')?.[0];
  const parts = [type, textIn(subType), textIn(message), diagnosis];
  const detail = parts.filter((one) => one !== undefined).join(': ');
  return { type, code: code ?? null, detail: detail.slice(0, MAX_TEXT) };
}

/** The last word, with or without angle brackets. In linear time: an organization signs the events of its own account itself. */
function addressIn(text: string): string[] {
  const address =
    text
      .trimEnd()
      .replace(/>$/, '')
      .split(/[\s<>]/)
      .at(-1) ?? '';
  const at = address.indexOf('@', 1);
  return at < 0 || at === address.length - 1 ? [] : [address.toLowerCase()];
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? storable(value) : undefined;

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

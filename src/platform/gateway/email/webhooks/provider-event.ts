import { instantOf } from '#libs/http';
import type { RecipientState } from '../email.types.js';

/** An event of Resend about one message. */
export interface ProviderEvent {
  readonly type: string;
  /** The provider's id of the message. */
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
const ADDRESS = /([^\s<>]+@[^\s<>]+)>?\s*$/;

/** `{type, created_at, data: {email_id, to, bounce?}}` (resend.com/docs/webhooks/event-types); null: another shape. */
export function readEvent(body: unknown): ProviderEvent | null {
  const { type, created_at: at, data } = record(body);
  const { email_id: providerId, to, bounce } = record(data);
  if (typeof type !== 'string' || typeof providerId !== 'string' || providerId === '') return null;
  const addresses = (Array.isArray(to) ? to : [to]).slice(0, MAX_ADDRESSES).flatMap(addressIn);
  return {
    type: type.slice(0, MAX_TEXT),
    providerId: providerId.slice(0, MAX_TEXT),
    addresses,
    at: instantOf(at) ?? null,
    bounce: bounceIn(bounce),
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

function bounceIn(value: unknown): ProviderEvent['bounce'] {
  const { type, subType, message, diagnosticCode } = record(value);
  if (typeof type !== 'string') return null;
  const diagnostic: unknown = Array.isArray(diagnosticCode) ? diagnosticCode[0] : diagnosticCode;
  const code =
    typeof diagnostic === 'string' ? /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(diagnostic)?.[0] : undefined;
  const detail = [type, subType, message, diagnostic].filter((one) => typeof one === 'string').join(': ');
  return { type, code: code ?? null, detail: detail.slice(0, MAX_TEXT) };
}

const addressIn = (value: unknown): string[] => {
  const address = typeof value === 'string' ? ADDRESS.exec(value)?.[1] : undefined;
  return address === undefined ? [] : [address.toLowerCase()];
};

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

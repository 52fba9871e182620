import type { SandboxResponse } from '../../wire/response.js';
import { resendError } from './resend-errors.js';

export interface EmailRequest {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const MAX_TO = 50;
const ADDRESS = /^(?:[^<>]*<)?([^\s<>@]+@[^\s<>@.]+(?:\.[^\s<>@.]+)+)>?$/;

/** The address in `Name <address>` or alone; null: neither. */
export const addressIn = (text: string): string | null => ADDRESS.exec(text.trim())?.[1] ?? null;

export const domainIn = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The body of `POST /emails`, or the refusal. */
export function readEmail(value: unknown): EmailRequest | SandboxResponse {
  if (typeof value !== 'object' || value === null) return invalid('Invalid JSON body.');
  const body = value as Record<string, unknown>;
  for (const name of ['from', 'to', 'subject'])
    if (body[name] === undefined)
      return resendError(422, 'missing_required_field', `Missing \`${name}\` field.`);
  const lists = {
    to: listOf(body.to),
    cc: listOf(body.cc),
    bcc: listOf(body.bcc),
    replyTo: listOf(body.reply_to),
  };
  const from = String(body.from);
  if (addressIn(from) === null)
    return invalid(
      'Invalid `from` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.',
    );
  const [bad] = Object.entries(lists).filter(([, list]) => list.some((one) => addressIn(one) === null));
  if (bad)
    return invalid(
      `Invalid \`${bad[0]}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`,
    );
  if (lists.to.length === 0 || lists.to.length > MAX_TO)
    return invalid(`The \`to\` field takes 1 to ${MAX_TO} addresses.`);
  const [html, text] = [textIn(body.html), textIn(body.text)];
  if (html === null && text === null)
    return resendError(422, 'missing_required_field', 'Missing `html` or `text` field.');
  const headers = (body.headers ?? {}) as Record<string, string>;
  return { from, ...lists, subject: String(body.subject), html, text, headers };
}

const invalid = (message: string): SandboxResponse => resendError(422, 'validation_error', message);
const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function listOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

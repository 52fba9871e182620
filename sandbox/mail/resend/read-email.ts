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

/** The message that a recipient gets. One character per byte. */
export function rawMessage(email: EmailRequest, id: string, at: Date): string {
  const boundary = `=_${id}`;
  const messageId = Object.entries(email.headers).find(([name]) => name.toLowerCase() === 'message-id')?.[1];
  const headers: Record<string, string> = {
    From: email.from,
    To: email.to.join(', '),
    ...(email.cc.length > 0 && { Cc: email.cc.join(', ') }),
    ...(email.replyTo.length > 0 && { 'Reply-To': email.replyTo.join(', ') }),
    Subject: email.subject,
    Date: at.toUTCString(),
    'Message-ID': messageId ?? `<${id}@resend.dev>`,
    ...Object.fromEntries(
      Object.entries(email.headers).filter(([name]) => name.toLowerCase() !== 'message-id'),
    ),
    'MIME-Version': '1.0',
    'Content-Type': `multipart/alternative; boundary="${boundary}"`,
  };
  const parts = [
    ...(email.text === null ? [] : [part(boundary, 'text/plain', email.text)]),
    ...(email.html === null ? [] : [part(boundary, 'text/html', email.html)]),
  ];
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}`);
  const raw = `${head.join('\r\n')}\r\n\r\n${parts.join('')}--${boundary}--\r\n`;
  return Buffer.from(raw, 'utf8').toString('latin1');
}

const oneLine = (value: string): string => String(value).replace(/[\r\n]+/g, ' ');

function part(boundary: string, type: string, body: string): string {
  const lines = Buffer.from(body, 'utf8').toString('base64').replace(/.{76}/g, '$&\r\n');
  return `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`;
}

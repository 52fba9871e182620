import type { FieldError } from '#libs/errors';
import {
  finding,
  isHeaderText,
  mailAddress,
  mailboxOf,
  NOT_AN_ADDRESS,
  NOT_ONE_LINE,
} from '../shared/addresses.js';
import { MAX_RECIPIENTS, type SendEmailDto } from './dto/send-email.dto.js';

export interface NewRecipient {
  readonly kind: 'to' | 'cc' | 'bcc';
  readonly name: string | null;
  readonly address: string;
}

const KINDS = ['to', 'cc', 'bcc'] as const;
const ALLOWED_HEADERS = new Map(
  [
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
    'List-Id',
    'References',
    'In-Reply-To',
    'Auto-Submitted',
    'Feedback-ID',
    'X-Entity-Ref-ID',
  ].map((name) => [name.toLowerCase(), name]),
);
/** RFC 5322, section 2.1.1: characters of a line. */
const MAX_HEADER = 900;

/** Normalized recipients, and what is wrong with them. */
export function readRecipients(body: SendEmailDto): { recipients: NewRecipient[]; findings: FieldError[] } {
  const [recipients, findings]: [NewRecipient[], FieldError[]] = [[], []];
  const given = KINDS.flatMap((kind) =>
    [...(body[kind] ?? []).entries()].map(([at, one]) => ({ kind, at, one })),
  );
  const seen = new Set<string>();
  for (const { kind, at, one } of given) {
    const path = `${kind}/${at}`;
    const address = mailAddress(one.address);
    if (address === null) findings.push(finding(`${path}/address`, ...NOT_AN_ADDRESS));
    else if (one.name !== undefined && !isHeaderText(one.name))
      findings.push(finding(`${path}/name`, ...NOT_ONE_LINE));
    else if (seen.has(mailboxOf(address)))
      findings.push(finding(`${path}/address`, 'duplicate', 'is a recipient already'));
    else {
      seen.add(mailboxOf(address));
      recipients.push({ kind, name: one.name?.trim() || null, address });
    }
  }
  if (given.length === 0 || given.length > MAX_RECIPIENTS)
    findings.push(finding('to', 'recipients', `must be 1 to ${MAX_RECIPIENTS} recipients in all`));
  return { recipients, findings };
}

/** What is wrong with everything but recipients and templates. */
export function contentFindings({ subject, text, html, template, replyTo }: SendEmailDto): FieldError[] {
  const findings: FieldError[] = [];
  const find = (...of: Parameters<typeof finding>) => findings.push(finding(...of));
  if (template) {
    for (const [name, value] of Object.entries({ subject, text, html }))
      if (value !== undefined) find(name, 'not_with_template', 'must be left out with a template');
  } else {
    if (!subject?.trim()) find('subject', 'required', 'must be sent without a template');
    if (!text?.trim() && !html?.trim())
      find('text', 'required', 'text or html must be sent without a template');
  }
  if (subject !== undefined && !isHeaderText(subject)) find('subject', ...NOT_ONE_LINE);
  if (replyTo !== undefined && mailAddress(replyTo) === null) find('replyTo', ...NOT_AN_ADDRESS);
  for (const [name, value] of Object.entries(template?.variables ?? {}))
    if (typeof value !== 'string') find(`template/variables/${name}`, 'not_a_text', 'must be a text');
  return findings;
}

/** Headers under their usual spelling. Everything that decides where a message goes or who it is from is not allowed. */
export function readHeaders(given: Readonly<Record<string, unknown>> = {}): {
  headers: Record<string, string>;
  findings: FieldError[];
} {
  const [headers, findings]: [Record<string, string>, FieldError[]] = [{}, []];
  for (const [name, value] of Object.entries(given)) {
    const path = `headers/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 80)}`;
    const known = ALLOWED_HEADERS.get(name.toLowerCase());
    const text =
      typeof value === 'string' && isHeaderText(value) && value.length <= MAX_HEADER && value.trim();
    if (known === undefined) findings.push(finding(path, 'header_not_allowed', 'is not an allowed header'));
    else if (text) headers[known] = text;
    else findings.push(finding(path, 'not_one_line', `must be one line of 1 to ${MAX_HEADER} characters`));
  }
  return { headers, findings };
}

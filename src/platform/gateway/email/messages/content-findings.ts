import type { FieldError } from '#libs/errors';
import { isHeaderText, mailAddress, mailboxOf } from '../shared/addresses.js';
import { type AddressDto, MAX_RECIPIENTS, type SendEmailDto } from './dto/send-email.dto.js';

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
  const seen = new Set<string>();
  for (const kind of KINDS)
    for (const [index, one] of (body[kind] ?? []).entries()) {
      const pointer = `#/${kind}/${index}`;
      const recipient = readRecipient(kind, one);
      if ('code' in recipient) findings.push({ ...recipient, pointer: pointer + recipient.pointer });
      else if (seen.has(mailboxOf(recipient.address)))
        findings.push({ pointer: `${pointer}/address`, code: 'duplicate', detail: 'is a recipient already' });
      else {
        seen.add(mailboxOf(recipient.address));
        recipients.push(recipient);
      }
    }
  const given = KINDS.reduce((sum, kind) => sum + (body[kind]?.length ?? 0), 0);
  if (given === 0 || given > MAX_RECIPIENTS)
    findings.push({
      pointer: '#/to',
      code: 'recipients',
      detail: `must be 1 to ${MAX_RECIPIENTS} recipients in all`,
    });
  return { recipients, findings };
}

function readRecipient(
  kind: NewRecipient['kind'],
  { address: text, name }: AddressDto,
): NewRecipient | (FieldError & { pointer: string }) {
  const address = mailAddress(text);
  if (address === null)
    return { pointer: '/address', code: 'not_an_address', detail: 'must be one mail address' };
  if (name !== undefined && !isHeaderText(name))
    return { pointer: '/name', code: 'not_one_line', detail: 'must be one line without control characters' };
  return { kind, name: name?.trim() || null, address };
}

/** What is wrong with everything but recipients and templates. */
export function contentFindings({ subject, text, html, template, replyTo }: SendEmailDto): FieldError[] {
  const findings: FieldError[] = [];
  const content = { subject, text, html };
  if (template) {
    for (const [name, value] of Object.entries(content))
      if (value !== undefined)
        findings.push({
          pointer: `#/${name}`,
          code: 'not_with_template',
          detail: 'must be left out with a template',
        });
  } else {
    if (!subject?.trim())
      findings.push({ pointer: '#/subject', code: 'required', detail: 'must be sent without a template' });
    if (!text?.trim() && !html?.trim())
      findings.push({
        pointer: '#/text',
        code: 'required',
        detail: 'text or html must be sent without a template',
      });
  }
  if (subject !== undefined && !isHeaderText(subject))
    findings.push({
      pointer: '#/subject',
      code: 'not_one_line',
      detail: 'must be one line without control characters',
    });
  if (replyTo !== undefined && mailAddress(replyTo) === null)
    findings.push({ pointer: '#/replyTo', code: 'not_an_address', detail: 'must be one mail address' });
  for (const [name, value] of Object.entries(template?.variables ?? {}))
    if (typeof value !== 'string')
      findings.push({
        pointer: `#/template/variables/${name}`,
        code: 'not_a_text',
        detail: 'must be a text',
      });
  return findings;
}

/** Headers under their usual spelling. Everything that decides where a message goes or who it is from is not allowed. */
export function readHeaders(given: Readonly<Record<string, unknown>> = {}): {
  headers: Record<string, string>;
  findings: FieldError[];
} {
  const [headers, findings]: [Record<string, string>, FieldError[]] = [{}, []];
  for (const [name, value] of Object.entries(given)) {
    const pointer = `#/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 80)}`;
    const known = ALLOWED_HEADERS.get(name.toLowerCase());
    if (known === undefined)
      findings.push({ pointer, code: 'header_not_allowed', detail: 'is not an allowed header' });
    else if (
      typeof value !== 'string' ||
      !isHeaderText(value) ||
      value.length > MAX_HEADER ||
      value.trim() === ''
    )
      findings.push({
        pointer,
        code: 'not_one_line',
        detail: `must be one line of 1 to ${MAX_HEADER} characters`,
      });
    else headers[known] = value.trim();
  }
  return { headers, findings };
}

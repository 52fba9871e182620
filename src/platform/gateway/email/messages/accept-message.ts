import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import type { Attribution } from '../../access/attribution.js';
import { domainOf, finding, isHeaderText, mailAddress, mailboxOf } from '../shared/addresses.js';
import { DomainIsNotVerified, NoEmailCredential, NoSender } from '../email.errors.js';
import { EmailCredentials } from '../shared/email-credentials.js';
import { SendDueEmail } from '../outbox/send-due-email.worker.js';
import { SendersStore, type UsedSender } from '../senders/senders.store.js';
import { Suppressions } from '../suppressions/suppressions.js';
import { render, type RenderedContent } from '../templates/render.js';
import { TemplatesStore } from '../templates/templates.store.js';
import { contentFindings, type NewRecipient, readHeaders, readRecipients } from './content-findings.js';
import type { EmailDto } from './dto/message.dto.js';
import type { SendEmailDto } from './dto/send-email.dto.js';
import { MessagesStore } from './messages.store.js';

const MAX_SUBJECT = 500;

/** The message and its recipients in one statement; due at once when a recipient is queued. */
const INSERT = statement(
  'gateway_insert_email',
  `WITH message AS (
     INSERT INTO gateway.email_message (id, organization_id, application_id, user_id, provider, is_platform, from_name,
       from_address, reply_to, subject, text, html, headers, template, message_id, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
       CASE WHEN 'queued' = ANY ($19::text[]) THEN clock_timestamp() END)
     RETURNING id
   ), recipients AS (
     INSERT INTO gateway.email_recipient (message_id, position, kind, name, address, state)
     SELECT message.id, r.position - 1, r.kind, r.name, r.address, r.state
       FROM message, unnest($16::text[], $17::text[], $18::text[], $19::text[])
              WITH ORDINALITY AS r (kind, name, address, state, position)
     RETURNING message_id, position, state
   )
   INSERT INTO gateway.email_event (message_id, position, state, source)
   SELECT message_id, position, state, 'outbox' FROM recipients`,
);

/** Takes a message into the outbox. From the commit on it is sent, refused or uncertain, and never lost. */
@Injectable()
export class AcceptMessage {
  constructor(
    private readonly database: Database,
    private readonly senders: SendersStore,
    private readonly templates: TemplatesStore,
    private readonly credentials: EmailCredentials,
    private readonly suppressions: Suppressions,
    private readonly messages: MessagesStore,
    private readonly worker: SendDueEmail,
  ) {}

  /** @throws RequestIsNotValid with all findings */
  async accept(by: Attribution, body: SendEmailDto): Promise<EmailDto> {
    const { recipients, findings: ofRecipients } = readRecipients(body);
    const { headers, findings: ofHeaders } = readHeaders(body.headers);
    const content = await this.contentOf(by.organizationId, body);
    const findings = [...ofRecipients, ...contentFindings(body), ...ofHeaders, ...content.findings];
    if (findings.length > 0) throw new RequestIsNotValid(findings);
    const sender = await this.senderOf(by.organizationId, body.senderId);
    const isPlatform = await this.usesPlatform(sender, by.organizationId);
    const suppressed = await this.suppressions.among(
      recipients.map(({ address }) => address),
      by.organizationId,
      isPlatform,
    );
    const id = randomUUIDv7();
    return this.stored(by, id, [
      id,
      by.organizationId,
      by.applicationId,
      by.userId,
      sender.provider,
      isPlatform,
      sender.name,
      sender.address,
      replyToOf(body, sender),
      content.subject,
      content.text,
      content.html,
      JSON.stringify(headers),
      content.template,
      `<${id}@${domainOf(sender.address)}>`,
      ...columnsOf(recipients, suppressed),
    ]);
  }

  /** Reads the message before the commit: after it a worker of any replica can have begun. */
  private stored(by: Attribution, id: string, values: readonly unknown[]): Promise<EmailDto> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(INSERT, values);
      transaction.afterCommit(() => this.worker.wake());
      return this.messages.find(by, id);
    });
  }

  private async contentOf(organizationId: string, { subject = '', text, html, template }: SendEmailDto) {
    const plain = { subject: subject.trim(), text: text ?? null, html: html ?? null };
    if (!template) return { ...plain, template: null, findings: [] };
    const found = await this.templates.find(organizationId, template.name, template.version);
    const rendered = render(found, textsIn(template.variables));
    if ('findings' in rendered)
      return { ...plain, template: null, findings: rendered.findings.map(inTemplate) };
    return { ...rendered, template: `${found.name}/${found.version}`, findings: subjectFindings(rendered) };
  }

  /** A sender of the organization has a domain that it verified; a sender of the platform was set up by its administrators. */
  private async senderOf(organizationId: string, senderId: string | undefined): Promise<UsedSender> {
    const sender =
      senderId === undefined
        ? await this.senders.default(organizationId)
        : await this.senders.find(organizationId, senderId);
    if (!sender) throw new NoSender();
    if (!sender.usable) throw new DomainIsNotVerified(sender.domain);
    return sender;
  }

  /**
   * Whose credential sends. From a domain of the platform always the platform's. From a domain of the organization its own
   * credential; the platform's only while it has none.
   */
  private async usesPlatform({ owner, provider }: UsedSender, organizationId: string): Promise<boolean> {
    const scopes = await this.credentials.scopes(provider, organizationId);
    if (owner === 'organization' && scopes.own) return false;
    if (!scopes.platform) throw new NoEmailCredential(provider);
    return true;
  }
}

const replyToOf = ({ replyTo }: SendEmailDto, sender: UsedSender): string | null =>
  replyTo === undefined ? sender.replyTo : mailAddress(replyTo);

const inTemplate = <Finding extends { pointer?: string }>(finding: Finding): Finding => ({
  ...finding,
  pointer: finding.pointer?.replace('#/', '#/template/'),
});

const textsIn = (variables: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

function subjectFindings({ subject }: RenderedContent) {
  const isValid = isHeaderText(subject) && subject.length <= MAX_SUBJECT;
  const detail = `must give a subject of one line and at most ${MAX_SUBJECT} characters`;
  return isValid ? [] : [finding('template/variables', 'subject_not_valid', detail)];
}

const columnsOf = (recipients: readonly NewRecipient[], suppressed: ReadonlySet<string>): unknown[] => [
  recipients.map(({ kind }) => kind),
  recipients.map(({ name }) => name),
  recipients.map(({ address }) => address),
  recipients.map(({ address }) => (suppressed.has(mailboxOf(address)) ? 'suppressed' : 'queued')),
];

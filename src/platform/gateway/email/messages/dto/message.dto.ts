import { ApiProperty } from '@nestjs/swagger';
import { EMAIL_PROVIDERS, RECIPIENT_STATES, type RecipientState } from '../../email.types.js';
import type { MessageRow, MessagesStore, RecipientRow } from '../messages.store.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const AT = '2026-11-23T09:00:00.000Z';

export class EmailRecipientDto {
  @ApiProperty({ enum: ['to', 'cc', 'bcc'], example: 'to' })
  kind!: RecipientRow['kind'];

  @ApiProperty({ type: String, nullable: true, example: 'Ada Lovelace' })
  name!: string | null;

  @ApiProperty({ example: 'ada@example.com' })
  address!: string;

  @ApiProperty({
    enum: RECIPIENT_STATES,
    example: 'sent',
    description:
      'queued: to be sent. sending: being sent. sent: the provider accepted it. uncertain: the provider may have accepted it; it is not repeated until that is resolved. refused: the provider or the mail server refused it. delivered, bounced, complained: as the provider reported later. suppressed: not sent, because of an earlier bounce or complaint.',
  })
  state!: RecipientState;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '2.0.0',
    description: 'Enhanced status code (RFC 3463), reply code, or the name of the reason at the provider.',
  })
  code!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '250 2.0.0 Ok: queued' })
  detail!: string | null;

  @ApiProperty({ format: 'date-time', example: AT })
  updatedAt!: string;

  static of({ kind, name, address, state, code, detail, updated_at }: RecipientRow): EmailRecipientDto {
    return { kind, name, address, state, code, detail, updatedAt: new Date(updated_at).toISOString() };
  }
}

export class EmailDto {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({ format: 'uuid', example: ID })
  applicationId!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null })
  userId!: string | null;

  @ApiProperty({ example: 'no-reply@example.com' })
  from!: string;

  @ApiProperty({ example: 'Your order' })
  subject!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'welcome/3',
    description: 'Name and version of the template.',
  })
  template!: string | null;

  @ApiProperty({ example: `<${ID}@example.com>`, description: 'The Message-ID; the same for every attempt.' })
  messageId!: string;

  @ApiProperty({ enum: EMAIL_PROVIDERS, example: 'smtp' })
  provider!: string;

  @ApiProperty({ enum: ['own', 'platform'], example: 'platform', description: 'Whose credential sends it.' })
  credential!: 'own' | 'platform';

  @ApiProperty({ type: 'integer', example: 1 })
  attempts!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'When queued recipients are tried next; null: nothing is left to do, or it is being sent.',
  })
  nextAttemptAt!: string | null;

  @ApiProperty({ type: () => [EmailRecipientDto] })
  recipients!: EmailRecipientDto[];

  @ApiProperty({ format: 'date-time', example: AT })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  bodyDeletedAt!: string | null;

  static of(row: MessageRow): EmailDto {
    return {
      id: row.id,
      applicationId: row.application_id,
      userId: row.user_id,
      from: row.from_address,
      subject: row.subject,
      template: row.template,
      messageId: row.message_id,
      provider: row.provider,
      credential: row.is_platform ? 'platform' : 'own',
      attempts: row.attempts,
      nextAttemptAt: row.is_claimed ? null : (row.due_at?.toISOString() ?? null),
      recipients: row.recipients.map((recipient) => EmailRecipientDto.of(recipient)),
      createdAt: row.created_at.toISOString(),
      bodyDeletedAt: row.body_deleted_at?.toISOString() ?? null,
    };
  }
}

export class EmailEventDto {
  @ApiProperty({ format: 'date-time', example: AT })
  at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ada@example.com',
    description: 'null: the event does not name one.',
  })
  address!: string | null;

  @ApiProperty({ enum: RECIPIENT_STATES, example: 'sent' })
  state!: RecipientState;

  @ApiProperty({ type: String, nullable: true, example: '2.0.0' })
  code!: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  detail!: string | null;

  @ApiProperty({ enum: ['outbox', 'webhook', 'resolution'], example: 'outbox' })
  source!: string;
}

export class EmailWithHistoryDto extends EmailDto {
  @ApiProperty({ type: () => [EmailEventDto], description: 'Oldest first, at most 1000.' })
  history!: EmailEventDto[];

  static ofBoth(row: MessageRow, events: Awaited<ReturnType<MessagesStore['history']>>): EmailWithHistoryDto {
    const addressAt = (position: number | null) =>
      row.recipients.find((recipient) => recipient.position === position)?.address ?? null;
    const history = events.map(({ at, position, ...event }) => ({
      at: at.toISOString(),
      address: addressAt(position),
      ...event,
    }));
    return { ...EmailDto.of(row), history };
  }
}

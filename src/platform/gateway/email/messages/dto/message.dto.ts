import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, MaxLength } from 'class-validator';
import { AmongFilter, FilterOf, is, ListQuery, shape, WhenSent } from '#libs/http';
import { EMAIL_PROVIDERS, RECIPIENT_STATES, type RecipientState } from '../../email.types.js';

export class ListEmailQuery extends ListQuery {
  @ApiPropertyOptional({
    enum: RECIPIENT_STATES,
    isArray: true,
    description: 'Messages with a recipient in one of them.',
  })
  @AmongFilter(RECIPIENT_STATES)
  state?: string[];

  @ApiPropertyOptional({ description: 'Messages to this address.', example: 'ada@example.com' })
  @FilterOf((value) => (value.length <= 320 ? value : undefined), 'not_an_address', 'a mail address')
  recipient?: string;
}

export class ResolveEmailDto {
  @ApiProperty({
    example: true,
    description: 'true: the recipients got the message. false: they did not, and it is sent to them again.',
  })
  @IsBoolean()
  delivered!: boolean;

  @ApiPropertyOptional({
    type: [String],
    example: ['ada@example.com'],
    description: 'Default: all uncertain ones.',
  })
  @WhenSent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(320, { each: true })
  recipients?: string[];
}

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const AT = '2026-11-23T09:00:00.000Z';

export class EmailRecipientDto extends shape({
  kind: is.text<'to' | 'cc' | 'bcc'>({ enum: ['to', 'cc', 'bcc'], example: 'to' }),
  name: is.of<string | null>({ type: String, nullable: true, example: 'Ada Lovelace' }),
  address: is.text({ example: 'ada@example.com' }),
  state: is.text<RecipientState>({
    enum: RECIPIENT_STATES,
    example: 'sent',
    description:
      'queued: to be sent. sending: being sent. sent: the provider accepted it. uncertain: the provider may have accepted it; it is not repeated until that is resolved. refused: the provider or the mail server refused it. delivered, bounced, complained: as the provider reported later. suppressed: not sent, because of an earlier bounce or complaint.',
  }),
  code: is.of<string | null>({
    type: String,
    nullable: true,
    example: '2.0.0',
    description: 'Enhanced status code (RFC 3463), reply code, or the name of the reason at the provider.',
  }),
  detail: is.of<string | null>({ type: String, nullable: true, example: '250 2.0.0 Ok: queued' }),
  updatedAt: is.instant({ example: AT }),
}) {}

export class EmailDto extends shape({
  id: is.uuid({ example: ID }),
  applicationId: is.uuid({ example: ID }),
  userId: is.of<string | null>({ type: String, format: 'uuid', nullable: true, example: null }),
  from: is.text({ example: 'no-reply@example.com' }),
  subject: is.text({ example: 'Your order' }),
  template: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'welcome/3',
    description: 'Name and version of the template.',
  }),
  messageId: is.text({
    example: `<${ID}@example.com>`,
    description: 'The Message-ID; the same for every attempt.',
  }),
  provider: is.text({ enum: EMAIL_PROVIDERS, example: 'smtp' }),
  credential: is.text<'own' | 'platform'>({
    enum: ['own', 'platform'],
    example: 'platform',
    description: 'Whose credential sends it.',
  }),
  attempts: is.integer({ example: 1 }),
  nextAttemptAt: is.of<Date | null>({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'When queued recipients are tried next; null: nothing is left to do, or it is being sent.',
  }),
  recipients: is.list(() => EmailRecipientDto),
  createdAt: is.date({ example: AT }),
  bodyDeletedAt: is.of<Date | null>({ type: String, format: 'date-time', nullable: true, example: null }),
}) {}

export class EmailEventDto extends shape({
  at: is.date({ example: AT }),
  address: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'ada@example.com',
    description: 'null: the event does not name one.',
  }),
  state: is.text<RecipientState>({ enum: RECIPIENT_STATES, example: 'sent' }),
  code: is.of<string | null>({ type: String, nullable: true, example: '2.0.0' }),
  detail: is.of<string | null>({ type: String, nullable: true, example: null }),
  source: is.text({ enum: ['outbox', 'webhook', 'resolution'], example: 'outbox' }),
}) {}

export class EmailWithHistoryDto extends shape(
  {
    history: is.list(() => EmailEventDto, { description: 'Oldest first, at most 1000.' }),
  },
  EmailDto,
) {}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, MaxLength } from 'class-validator';
import { AmongFilter, FilterOf, ListQuery, WhenSent } from '#libs/http';
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

export class EmailRecipientDto {
  @ApiProperty({ enum: ['to', 'cc', 'bcc'], example: 'to' })
  kind!: 'to' | 'cc' | 'bcc';

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
  nextAttemptAt!: Date | null;

  @ApiProperty({ type: () => [EmailRecipientDto] })
  recipients!: EmailRecipientDto[];

  @ApiProperty({ format: 'date-time', example: AT })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  bodyDeletedAt!: Date | null;
}

export class EmailEventDto {
  @ApiProperty({ format: 'date-time', example: AT })
  at!: Date;

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
}

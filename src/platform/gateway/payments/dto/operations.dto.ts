import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, ListQuery } from '#libs/http';
import { CREATED_AT } from './shared.js';

/** `dead`: its application did not accept it. `unknown`: no application is known to own its object. */
export const UNDELIVERED = ['dead', 'unknown'] as const;
export type Undelivered = (typeof UNDELIVERED)[number];

const ID = '01937c5e-2a6b-7c3d-9e4f-5a6b7c8d9e0f';

export class PaymentOperationDto {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({ example: 'price.create' })
  kind!: string;

  @ApiProperty({
    enum: ['running', 'done', 'failed', 'unknown', 'unresolved'],
    example: 'done',
    description:
      '`failed`: nothing changed. `unknown`: the gateway repeats the call with the same key. `unresolved`: it can no longer be repeated safely.',
  })
  state!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'price_1MoBy5LkdIwHu7ixZhnattbh',
    description:
      'What was created or changed; also known while the state is `unknown` when an event showed it.',
  })
  objectId!: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Why the provider refused it.' })
  failureCode!: string | null;

  @ApiProperty(CREATED_AT)
  createdAt!: Date;

  @ApiProperty({ ...CREATED_AT, type: String, nullable: true })
  finishedAt!: Date | null;
}

export class ListUndeliveredEventsQuery extends ListQuery {
  @ApiPropertyOptional({ enum: UNDELIVERED, default: 'dead' })
  @FilterOf(
    (value) => UNDELIVERED.find((state) => state === value),
    'not_a_state',
    `one of ${UNDELIVERED.join(', ')}`,
  )
  state?: Undelivered;
}

export class UndeliveredEventDto {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({ example: 'evt_1NG8Du2eZvKYlo2CUI79vXWy' })
  eventId!: string;

  @ApiProperty({ example: 'customer.subscription.updated' })
  type!: string;

  @ApiProperty({ example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs', type: String, nullable: true })
  objectId!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'marketing',
    description: 'null: not known, as the organization.',
  })
  application!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: ID })
  organizationId!: string | null;

  @ApiProperty({ type: 'integer', example: 16 })
  attempts!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '503',
    description: 'Status of the receiver, or why there is none.',
  })
  lastOutcome!: string | null;

  @ApiProperty(CREATED_AT)
  occurredAt!: Date;

  @ApiProperty(CREATED_AT)
  receivedAt!: Date;
}

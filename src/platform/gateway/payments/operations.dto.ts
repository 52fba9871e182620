import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, ListQuery } from '#libs/http';
import { UNDELIVERED, type Undelivered, type UndeliveredEvent } from './relay/relay.store.js';
import type { Operation } from './operations/operations.store.js';
import { CREATED_AT } from './dto/shared.js';

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
  createdAt!: string;

  @ApiProperty({ ...CREATED_AT, type: String, nullable: true })
  finishedAt!: string | null;

  static of({ id, kind, state, objectId, failure, createdAt, finishedAt }: Operation): PaymentOperationDto {
    return {
      id,
      kind,
      state,
      objectId,
      failureCode: failure?.code ?? null,
      createdAt: createdAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
    };
  }
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
  occurredAt!: string;

  @ApiProperty(CREATED_AT)
  receivedAt!: string;

  static of(event: UndeliveredEvent): UndeliveredEventDto {
    const { id, eventId, type, objectId, application, organizationId, attempts, lastOutcome } = event;
    return {
      id,
      eventId,
      type,
      objectId,
      application,
      organizationId,
      attempts,
      lastOutcome,
      occurredAt: event.occurredAt.toISOString(),
      receivedAt: event.receivedAt.toISOString(),
    };
  }
}

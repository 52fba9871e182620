import { ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, is, ListQuery, shape } from '#libs/http';
import { CREATED_AT } from './shared.js';

/** `dead`: its application did not accept it. `unknown`: no application is known to own its object. */
export const UNDELIVERED = ['dead', 'unknown'] as const;
export type Undelivered = (typeof UNDELIVERED)[number];

const ID = '01937c5e-2a6b-7c3d-9e4f-5a6b7c8d9e0f';

export class PaymentOperationDto extends shape({
  id: is.uuid({ example: ID }),
  kind: is.text({ example: 'price.create' }),
  state: is.text({
    enum: ['running', 'done', 'failed', 'unknown', 'unresolved'],
    example: 'done',
    description:
      '`failed`: nothing changed. `unknown`: the gateway repeats the call with the same key. `unresolved`: it can no longer be repeated safely.',
  }),
  objectId: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'price_1MoBy5LkdIwHu7ixZhnattbh',
    description:
      'What was created or changed; also known while the state is `unknown` when an event showed it.',
  }),
  failureCode: is.of<string | null>({
    type: String,
    nullable: true,
    example: null,
    description: 'Why the provider refused it.',
  }),
  createdAt: is.date(CREATED_AT),
  finishedAt: is.of<Date | null>({ ...CREATED_AT, type: String, nullable: true }),
}) {}

export class ListUndeliveredEventsQuery extends ListQuery {
  @ApiPropertyOptional({ enum: UNDELIVERED, default: 'dead' })
  @FilterOf(
    (value) => UNDELIVERED.find((state) => state === value),
    'not_a_state',
    `one of ${UNDELIVERED.join(', ')}`,
  )
  state?: Undelivered;
}

export class UndeliveredEventDto extends shape({
  id: is.uuid({ example: ID }),
  eventId: is.text({ example: 'evt_1NG8Du2eZvKYlo2CUI79vXWy' }),
  type: is.text({ example: 'customer.subscription.updated' }),
  objectId: is.of<string | null>({ example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs', type: String, nullable: true }),
  application: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'marketing',
    description: 'null: not known, as the organization.',
  }),
  organizationId: is.of<string | null>({ type: String, format: 'uuid', nullable: true, example: ID }),
  attempts: is.integer({ example: 16 }),
  lastOutcome: is.of<string | null>({
    type: String,
    nullable: true,
    example: '503',
    description: 'Status of the receiver, or why there is none.',
  }),
  occurredAt: is.date(CREATED_AT),
  receivedAt: is.date(CREATED_AT),
}) {}

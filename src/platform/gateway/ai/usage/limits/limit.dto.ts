import { ApiProperty } from '@nestjs/swagger';
import { dollarsOf } from '../spend/money.js';
import {
  type Period,
  PERIODS,
  SCOPE_TYPES,
  type ScopeType,
  type Setter,
  SETTERS,
  type SpendLimit,
} from '../spend/spend-limit.js';
import { Dollars } from './amount.js';

export class LimitDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({ enum: SCOPE_TYPES, example: 'organization' })
  scopeType!: ScopeType;

  @ApiProperty({
    description: '`platform`, or the id of the organization or application.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  scopeValue!: string;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description:
      "The organization whose calls it counts; null: all. An application's limit can be of one organization.",
  })
  organizationId!: string | null;

  @ApiProperty({
    enum: SETTERS,
    example: 'organization',
    description:
      'Who set it, and alone changes and deletes it: the organization, or platform administrators.',
  })
  setBy!: Setter;

  @ApiProperty({ enum: PERIODS, example: 'month', description: 'Days and months are in UTC.' })
  period!: Period;

  @Dollars('Calls that may exceed it are refused; null: no hard limit.', true)
  hard!: string | null;

  @Dollars('Raises an alarm once in each period; null: no soft limit.', true)
  soft!: string | null;

  @Dollars('What settled calls of the current period cost, and estimates of calls whose cost is not known.')
  spent!: string;

  @Dollars('Estimates of running calls.')
  reserved!: string;

  @ApiProperty({ format: 'date', example: '2026-11-01', description: 'First day of the current period.' })
  startsOn!: string;

  @ApiProperty({ format: 'date-time', example: '2026-12-01T00:00:00.000Z' })
  resetsAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the soft limit was reached in the current period; null: it was not.',
  })
  softLimitReachedAt!: string | null;

  @ApiProperty({ type: 'integer', example: 1 })
  version!: number;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  static of(limit: SpendLimit): LimitDto {
    const { hard, soft, spent, reserved, resetsAt, alarmedAt, createdAt, updatedAt, ...rest } = limit;
    return {
      ...rest,
      hard: hard === null ? null : dollarsOf(hard),
      soft: soft === null ? null : dollarsOf(soft),
      spent: dollarsOf(spent),
      reserved: dollarsOf(reserved),
      resetsAt: resetsAt.toISOString(),
      softLimitReachedAt: alarmedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

/** What the version does not cover. */
export const levelOf = ({ spent, reserved, startsOn, softLimitReachedAt }: LimitDto): unknown => [
  spent,
  reserved,
  startsOn,
  softLimitReachedAt,
];

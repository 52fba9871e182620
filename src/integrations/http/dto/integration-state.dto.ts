import { ApiProperty } from '@nestjs/swagger';
import { GRANT_STATES, type GrantHealth } from '../../domain/grant-health.js';

export class AccountWarningDto {
  @ApiProperty({
    description:
      '`grant_ends`, `grant_ended`: the account has to be connected again. `api_version_ends`, `api_version_ended`: an operator has to configure a newer version of the interface. `service_refused`: posts wait until an operator has repaired what the message names.',
    enum: ['grant_ends', 'grant_ended', 'api_version_ends', 'api_version_ended', 'service_refused'],
    example: 'grant_ends',
  })
  code!: string;

  @ApiProperty({
    example: 'The connection to LinkedIn ends on 2026-12-01. Connect the account again before.',
  })
  message!: string;

  @ApiProperty({
    description: 'When it ends, ended or began; null: not known.',
    type: 'string',
    format: 'date-time',
    nullable: true,
  })
  at!: string | null;
}

export class TokenHealthDto {
  @ApiProperty({
    enum: GRANT_STATES,
    description:
      '`healthy`; `ends-soon`: the owner has to connect the account again before `endsAt`; `ended`: nothing can be published.',
  })
  state!: GrantHealth['state'];

  @ApiProperty({
    description: 'When the access ends unless it is renewed before, or ended; null: the time is not known.',
    type: 'string',
    format: 'date-time',
    nullable: true,
  })
  endsAt!: string | null;

  @ApiProperty({ description: 'Whether the access is renewed without its owner.' })
  renewable!: boolean;
}

export class LimitDto {
  @ApiProperty({ description: 'Stable name within the network.', example: 'posts-per-day' })
  name!: string;

  @ApiProperty({
    enum: ['account', 'app'],
    description: '`app`: all accounts of this service at the network share it.',
  })
  scope!: string;

  @ApiProperty({ enum: ['posts', 'calls'], description: 'What is counted.' })
  counts!: string;

  @ApiProperty({
    description: 'Percent where the network states percent; null: the network states no number.',
    type: 'integer',
    nullable: true,
    minimum: 0,
    example: 100,
  })
  max!: number | null;

  @ApiProperty({
    description: 'What is left now; null: not known. At 0 posts wait until `resetsAt`.',
    type: 'integer',
    nullable: true,
    minimum: 0,
    example: 97,
  })
  remaining!: number | null;

  @ApiProperty({
    description: 'When used calls are given back, the first of them for a rolling limit; null: none is used.',
    type: 'string',
    format: 'date-time',
    nullable: true,
  })
  resetsAt!: string | null;
}

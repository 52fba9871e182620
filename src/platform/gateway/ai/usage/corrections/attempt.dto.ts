import { ApiProperty } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
import { AI_CAPABILITIES } from '../../../access/attribution.js';
import { Dollars } from '../limits/amount.js';
import { dollarsOf } from '../spend/money.js';
import { UsageQuantitiesDto } from '../report/usage-report.dto.js';
import {
  currentOf,
  type StoredAttempt,
  type StoredCorrection,
  type StoredVersion,
  versionOf,
} from './corrections.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const UUID = { format: 'uuid', example: ID } as const;
const TEXT = { type: String, nullable: true } as const;
const STATES = ['reserved', 'done', 'failed', 'unknown', 'estimated', 'released'];
const DOUBT = {
  ...TEXT,
  enum: ['implausible', 'uncosted', null],
  example: 'implausible',
};
const QUANTITIES = { type: () => UsageQuantitiesDto, nullable: true } as const;

export class AttemptVersionDto {
  @ApiProperty({
    enum: STATES,
    example: 'done',
    description:
      '`unknown`: its cost is not known. `estimated`: the provider did not say it. `released`: nothing was sent. `reserved`: it runs.',
  })
  state!: string;

  @Dollars('What limits and reports count; null: not known, so that the estimate counts.', true)
  cost!: string | null;

  @ApiProperty({ ...QUANTITIES, description: 'null: not known.' })
  usage!: UsageQuantitiesDto | null;

  static of({ state, cost, usage }: StoredVersion): AttemptVersionDto {
    return { state, cost: dollarsOrNull(cost), usage };
  }
}

export class AttemptClaimDto extends shape({
  usage: is.of<UsageQuantitiesDto | null>({ ...QUANTITIES, description: 'null: it did not say.' }),
}) {
  @Dollars('What the provider says that it charges; null: it did not say.', true)
  billed!: string | null;
}

export class AttemptCorrectionDto extends shape(
  {
    number: is.integer({ minimum: 1, example: 1 }),
    doubt: is.of<string | null>({ ...DOUBT, description: 'Of the version that it replaced; null: none.' }),
    reason: is.text({ example: 'The invoice of the provider has 1 200 tokens.' }),
    correctedBy: is.text({ ...UUID, description: 'The platform administrator.' }),
    correctedAt: is.instant(),
  },
  AttemptVersionDto,
) {
  static ofStored({ version, correctedAt, ...rest }: StoredCorrection): AttemptCorrectionDto {
    return { ...rest, correctedAt: new Date(correctedAt).toISOString(), ...AttemptVersionDto.of(version) };
  }
}

export class UsageAttemptDto {
  @ApiProperty(UUID)
  id!: string;

  @ApiProperty({ ...UUID, description: 'The request of the caller; its attempts share it.' })
  requestId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  attempt!: number;

  @ApiProperty(UUID)
  organizationId!: string;

  @ApiProperty(UUID)
  applicationId!: string;

  @ApiProperty({ example: 'mail', description: 'Slug of the application.' })
  application!: string;

  @ApiProperty({ ...TEXT, format: 'uuid' })
  userId!: string | null;

  @ApiProperty({ enum: AI_CAPABILITIES })
  capability!: string;

  @ApiProperty({ example: 'openai/gpt-5.4-mini' })
  model!: string;

  @ApiProperty({ ...TEXT, description: 'As the provider named it; null: the one that was asked for.' })
  returnedModel!: string | null;

  @ApiProperty(UUID)
  credentialId!: string;

  @ApiProperty({ ...TEXT, example: 'timeout', description: 'Kind of the failure; null: none.' })
  failure!: string | null;

  @ApiProperty({ ...TEXT, description: "The provider's identifier of the request." })
  providerRequestId!: string | null;

  @ApiProperty({
    ...DOUBT,
    description:
      'Why a person should look at it: `implausible`: the provider counted more than its model can consume. `uncosted`: it counted in a unit without a price. null: nothing, or it was corrected.',
  })
  doubt!: string | null;

  @Dollars('What was reserved before the call; null: the model had no price.', true)
  estimate!: string | null;

  @ApiProperty({
    type: () => AttemptClaimDto,
    nullable: true,
    description: 'What the provider said, where it is not believed; null: it is what was settled.',
  })
  claimed!: AttemptClaimDto | null;

  @ApiProperty({
    type: () => AttemptVersionDto,
    description: 'As the call ended. A correction does not change it.',
  })
  settled!: AttemptVersionDto;

  @ApiProperty({ type: () => AttemptVersionDto, description: 'What limits and reports count now.' })
  current!: AttemptVersionDto;

  @ApiProperty({
    type: () => [AttemptCorrectionDto],
    maxItems: 50,
    description:
      'What the attempt counted from each correction on, the newest first. The audit has older ones.',
  })
  corrections!: AttemptCorrectionDto[];

  @ApiProperty({ format: 'date-time' })
  reservedAt!: string;

  @ApiProperty({ ...TEXT, format: 'date-time' })
  settledAt!: string | null;

  @ApiProperty({ type: 'integer', example: 1 })
  version!: number;

  static of(stored: StoredAttempt): UsageAttemptDto {
    const { provider, model, claim, estimate, settled, corrections, reservedAt, settledAt, ...rest } = stored;
    const { wasCorrectedByCall: _, ...shown } = rest;
    return {
      ...shown,
      model: `${provider}/${model}`,
      estimate: dollarsOrNull(estimate),
      claimed: claim && { usage: claim.usage, billed: dollarsOrNull(claim.billed) },
      settled: AttemptVersionDto.of(settled),
      current: AttemptVersionDto.of(currentOf(stored)),
      corrections: corrections.map((correction) => AttemptCorrectionDto.ofStored(correction)),
      reservedAt: reservedAt.toISOString(),
      settledAt: settledAt?.toISOString() ?? null,
      version: versionOf(stored),
    };
  }
}

const dollarsOrNull = (amount: string | null): string | null =>
  amount === null ? null : dollarsOf(BigInt(amount));

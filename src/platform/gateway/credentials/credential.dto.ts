import { ApiProperty } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from './providers.js';

const ID = '01937c5e-2a6b-7c3d-9e4f-5a6b7c8d9e0f';
const AT = '2026-11-23T09:30:00.000Z';

const whenOrNull = (description: string) =>
  ApiProperty({ example: null, type: String, format: 'date-time', nullable: true, description });

export class HeldBackModelDto extends shape({
  model: is.text({ example: 'gpt-5', description: "The provider's own name of the model." }),
  reason: is.text({ example: 'rate', enum: ['rate', 'overload', 'silence'] }),
  until: is.instant({ example: AT }),
}) {}

/** A row of gateway.credential without its secret, which no route returns. */
export class CredentialDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'openai', enum: CREDENTIAL_PROVIDERS })
  provider!: CredentialProvider;

  @ApiProperty({ example: 'organization', enum: ['organization', 'platform'] })
  scope!: 'organization' | 'platform';

  @ApiProperty({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'null: the default of the platform.',
  })
  organizationId!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Lower positions are used first.' })
  position!: number;

  @ApiProperty({ example: 'Production key' })
  label!: string;

  @ApiProperty({
    example: '4f2a',
    description: 'Last four characters of the key; host and port of a mail server. Empty for short keys.',
  })
  hint!: string;

  @ApiProperty({
    example: null,
    type: String,
    nullable: true,
    description: 'The Google project of `youtube`.',
  })
  project!: string | null;

  @ApiProperty({ example: true })
  enabled!: boolean;

  @whenOrNull('Since when the provider does not accept the credential; null: it does, or was not asked.')
  failingSince!: Date | null;

  @ApiProperty({
    example: null,
    type: String,
    nullable: true,
    description: 'Why calls with all models are held back now, such as `money`; null: they are not.',
  })
  heldBack!: string | null;

  @whenOrNull('Until when; null while calls are not held back, and with `money` until a check succeeds.')
  heldBackUntil!: Date | null;

  @ApiProperty({
    type: () => [HeldBackModelDto],
    description:
      'Models whose calls with this credential are held back now, because they failed several times.',
  })
  heldBackModels!: HeldBackModelDto[];

  @whenOrNull('The last check.')
  checkedAt!: Date | null;

  @ApiProperty({
    example: null,
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Outcome of the last check.',
  })
  checkResult!: Readonly<Record<string, unknown>> | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Also the ETag, for If-Match.' })
  version!: number;

  @ApiProperty({ example: AT, format: 'date-time' })
  createdAt!: Date;

  @whenOrNull('The last rotation of the secret.')
  rotatedAt!: Date | null;
}

/** What changes while the version does not: calls and checks write it. */
export const stateOf = (credential: CredentialDto): unknown => {
  const { failingSince, heldBack, heldBackUntil, heldBackModels, checkedAt } = credential;
  return { failingSince, heldBack, heldBackUntil, heldBackModels, checkedAt };
};

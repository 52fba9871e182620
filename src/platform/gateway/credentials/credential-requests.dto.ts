import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsBoolean, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { IsName, WhenSent } from '#libs/http';
import { MAX_POSITION } from './credentials.store.js';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from './providers.js';

const SECRET_SCHEMA = {
  oneOf: [
    { type: 'string', description: 'The key of the provider.', minLength: 8, maxLength: 4096 },
    {
      type: 'object',
      description: '`smtp`: the mail server of the account.',
      required: ['host', 'port', 'user', 'password'],
      properties: {
        host: { type: 'string' },
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        secure: { type: 'boolean', description: 'TLS from the start; default: on port 465.' },
        user: { type: 'string' },
        password: { type: 'string' },
      },
    },
    {
      type: 'object',
      description: '`resend` and `stripe`: the key, and the secrets that sign webhooks.',
      required: ['key'],
      properties: {
        key: { type: 'string' },
        webhookSecrets: {
          type: 'array',
          maxItems: 10,
          items: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/=_-]{16,128}$' },
          description:
            '`resend`: `whsec_` and base64 of 24 to 64 bytes. `stripe`: `whsec_` and 16 to 128 characters. Several while one is replaced.',
        },
      },
    },
  ],
  writeOnly: true,
  example: 'sk-example-0123456789',
};

const Position = () =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum: MAX_POSITION,
      example: 1,
      description: 'Lower positions are used first. Default: after the others.',
    }),
    WhenSent(),
    IsInt(),
    Min(1),
    Max(MAX_POSITION),
  );

const Project = () =>
  applyDecorators(
    ApiPropertyOptional({
      pattern: '^[a-z][a-z0-9-]{0,62}$',
      description:
        'Only for `youtube`, where it is required: the Google project, such as `example-project`, whose quota the calls of all organizations use.',
    }),
    WhenSent(),
    IsString(),
    Matches(/^[a-z][a-z0-9-]{0,62}$/, { message: 'must be the id of a Google project' }),
  );

const Enabled = () =>
  applyDecorators(
    ApiPropertyOptional({ example: true, description: 'Default true. A disabled one is not used.' }),
    WhenSent(),
    IsBoolean(),
  );

export class CreateCredentialDto {
  @ApiProperty({ example: 'openai', enum: CREDENTIAL_PROVIDERS })
  @IsIn(CREDENTIAL_PROVIDERS)
  provider!: CredentialProvider;

  @ApiPropertyOptional({
    example: 'organization',
    enum: ['organization', 'platform'],
    description:
      'Default `organization`. `platform`: used for organizations that have none for the provider. `youtube` is of the platform only.',
  })
  @WhenSent()
  @IsIn(['organization', 'platform'])
  scope?: 'organization' | 'platform';

  @ApiProperty({ example: 'Production key', maxLength: 120 })
  @IsName()
  label!: string;

  @ApiPropertyOptional({ ...SECRET_SCHEMA, description: 'Required, except for `youtube`.' } as object)
  @Allow()
  secret?: unknown;

  @Project()
  project?: string;

  @Position()
  position?: number;

  @Enabled()
  enabled?: boolean;
}

export class UpdateCredentialDto {
  @ApiPropertyOptional({ example: 'Production key', maxLength: 120 })
  @WhenSent()
  @IsName()
  label?: string;

  @Project()
  project?: string;

  @Position()
  position?: number;

  @Enabled()
  enabled?: boolean;
}

export class RotateCredentialDto {
  @ApiProperty({ ...SECRET_SCHEMA, description: 'The new secret.' } as object)
  @Allow()
  secret!: unknown;
}

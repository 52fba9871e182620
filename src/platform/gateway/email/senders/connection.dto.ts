import { ApiProperty } from '@nestjs/swagger';
import { EMAIL_PROVIDERS, type EmailProvider } from '../email.types.js';
import type { ConnectionRow } from './connections.store.js';

const STATES = ['usable', 'failing', 'disabled'] as const;

export class EmailConnectionDto {
  @ApiProperty({
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description: 'Of the credential; `PATCH` and `DELETE /api/credentials/{credentialId}` change it.',
  })
  id!: string;

  @ApiProperty({ enum: ['cloud_mail'], example: 'cloud_mail' })
  kind!: 'cloud_mail';

  @ApiProperty({ enum: EMAIL_PROVIDERS, example: 'resend' })
  provider!: EmailProvider;

  @ApiProperty({ example: 'Production account' })
  label!: string;

  @ApiProperty({
    enum: STATES,
    example: 'usable',
    description:
      'failing: the provider refused it; it is used after the others of the provider. disabled: it is not used.',
  })
  state!: (typeof STATES)[number];

  @ApiProperty({
    type: [String],
    example: ['example.com'],
    description: 'Verified domains of the organization that send through it, at most 100.',
  })
  domains!: string[];

  static of({
    id,
    provider,
    label,
    enabled,
    is_failing: isFailing,
    domains,
  }: ConnectionRow): EmailConnectionDto {
    const state = enabled ? (isFailing ? 'failing' : 'usable') : 'disabled';
    return { id, kind: 'cloud_mail', provider, label, state, domains: [...domains] };
  }
}

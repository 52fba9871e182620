import { is, shape } from '#libs/http';
import { AT, ID } from '../../dto/examples.js';

const INSTANT_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

export class ApiKeyDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'Queue robot' }),
  service: is.text({ example: 'social-publishing' }),
  prefix: is.text({ example: 'cop_live_', description: 'Prefix of every key.' }),
  lastFour: is.text({ example: 'x9Qa', description: 'Last four characters of the key.' }),
  scopes: is.texts({ example: ['posts.read'] }),
  brandIds: is.texts({ example: null, description: 'null: all brands of the organization.' }).orNull,
  createdBy: is.of<string | null>({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'User id of the creator.',
  }),
  createdAt: is.date({ example: AT }),
  expiresAt: is.of<Date | null>({ example: null, ...INSTANT_OR_NULL, description: 'null: never.' }),
  lastUsedAt: is.of<Date | null>({
    example: AT,
    ...INSTANT_OR_NULL,
    description: 'Accurate to the minute; null: never.',
  }),
  revokedAt: is.of<Date | null>({ ...INSTANT_OR_NULL, example: null }),
  replacedBy: is.of<string | null>({
    example: null,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The key that replaces it after a rotation.',
  }),
}) {}

export class NewApiKeyDto extends shape(
  {
    key: is.text({
      example: 'cop_live_…',
      description: 'The key, shown only in this response. Send as `X-Api-Key`.',
    }),
  },
  ApiKeyDto,
) {}

import { is, shape } from '#libs/http';
import { ID } from '../../dto/examples.js';

/** The displayed data of a principal. */
export class UserPayloadDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'Ada Lovelace' }),
  email: is.of<string | null>({ example: 'ada@example.com', type: String, format: 'email', nullable: true }),
  principalType: is.text({
    example: 'user',
    enum: ['user', 'external', 'platform_admin', 'platform_super_admin', 'service', 'api_key'],
    description: 'external: an identity managed elsewhere.',
  }),
  principalServices: is.texts({ example: [], description: 'Slugs of the services of an automation.' }),
  launcherEligible: is.flag({
    example: true,
    description: 'Whether the principal may open the workspace launcher.',
  }),
  selectedHouseholdId: is.of<string | null>({
    example: null,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Set in the personal context of a family profile.',
  }),
  selectedHousehold: is.of<Readonly<Record<string, unknown>> | null>({
    example: null,
    type: 'object',
    additionalProperties: true,
    nullable: true,
  }),
}) {}

import { is, shape } from '#libs/http';
import { ID } from '../../dto/examples.js';

/** The registered application identifier of a service. */
export class RegistrationDto extends shape({
  id: is.uuid({ example: ID, description: 'Differs between installations.' }),
  slug: is.text({ example: 'social-publishing' }),
}) {}

export class AttributionDto extends shape({
  application: is.object(() => RegistrationDto, {
    description: 'null: no application has the identifier, or none was sent.',
  }).orNull,
  organizationExists: is.flag({ example: true }),
  isMember: is.flag({
    example: true,
    description: 'Whether the user has an enabled account and is a member of the organization.',
  }),
}) {}

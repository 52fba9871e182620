import { is, shape } from '#libs/http';
import { AT, ID } from '../../dto/examples.js';

export class ServiceTokenDto extends shape({
  lastFour: is.text({ example: 'x9Qa' }),
  expiresAt: is.of<string | null>({
    example: null,
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: never.',
  }),
}) {}

export class ServicePrincipalDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'Post suggester' }),
  service: is.text({ example: 'social-publishing' }),
  scopes: is.texts({ example: ['posts.read', 'posts.write'] }),
  brandIds: is.texts({ example: null, description: 'null: all brands of the organization.' }).orNull,
  tokens: is.list(() => ServiceTokenDto, { description: 'Valid tokens, newest first.' }),
  createdBy: is.of<string | null>({ example: ID, type: String, format: 'uuid', nullable: true }),
  createdAt: is.date({ example: AT }),
  disabledAt: is.of<Date | null>({ example: null, type: String, format: 'date-time', nullable: true }),
}) {
  /** PostgreSQL writes instants within JSON in another form. */
  static of<T extends ServicePrincipalDto>(row: T): T {
    const tokens = row.tokens.map(({ lastFour, expiresAt }) => ({
      lastFour,
      expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    }));
    return { ...row, tokens };
  }
}

export class NewServicePrincipalDto extends shape(
  {
    token: is.text({
      example: 'cops_…',
      description: 'The token, shown only in this response. Send as `Authorization: Bearer …`.',
    }),
  },
  ServicePrincipalDto,
) {}

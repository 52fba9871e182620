import { ApiHeader } from '@nestjs/swagger';

const UUID = { type: 'string', format: 'uuid' } as const;

const header = (name: string, required: boolean, description: string) =>
  ApiHeader({ name, required, description, schema: UUID });

/** @param required whether only services call the route */
export const applicationHeader = (required: boolean) =>
  header('X-Application-Id', required, 'Services: the registered identifier of the application at identity.');

/** @param required whether only services call the route */
export const organizationHeader = (required: boolean) =>
  header(
    'X-Organization-Id',
    required,
    required
      ? 'The organization that the call is made for.'
      : 'The organization that the call is made for. People and API keys of exactly one organization can leave it out.',
  );

export const userHeader = () =>
  header('X-User-Id', false, 'Services: the person that the call is made for, a member of the organization.');

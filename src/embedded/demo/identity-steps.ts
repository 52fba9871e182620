import type { Progress } from './demo.js';
import { AnsweredOtherwise, Visitor } from './visitor.js';

const ORGANIZATION = 'Demo organization';
const SERVICE = 'social-publishing';

/** @returns a bearer of the demo's person, whose account is made when there is none. */
export async function signIn(identity: string, { email, password }: Progress): Promise<string> {
  const visitor = new Visitor();
  const { accessToken } = await visitor
    .json<{ accessToken: string }>('POST', `${identity}/api/auth/login`, { email, password })
    .catch((error: unknown) => {
      if (!(error instanceof AnsweredOtherwise) || error.status !== 401) throw error;
      return visitor.json<{ accessToken: string }>('POST', `${identity}/register`, {
        email,
        password,
        name: 'Demo',
      });
    });
  return accessToken;
}

export async function makeOrganization(person: Visitor, identity: string): Promise<string> {
  const { id } = await person.json<{ id: string }>('POST', `${identity}/api/organizations`, {
    name: ORGANIZATION,
  });
  return id;
}

/** An automation that works the queue of the brand: reads, approves, schedules, looks at the counts. */
export async function makeApiKey(
  person: Visitor,
  identity: string,
  organizationId: string,
  brandId: string,
): Promise<string> {
  const path = `${identity}/api/organizations/${organizationId}/api-keys`;
  const { key } = await person.json<{ key: string }>('POST', path, {
    name: 'Demo queue',
    service: SERVICE,
    scopes: ['posts.read', 'posts.write', 'calendar.read', 'calendar.write', 'analytics.read'],
    brandIds: [brandId],
  });
  return key;
}

/** An automation that suggests posts. */
export async function makeServicePrincipal(
  person: Visitor,
  identity: string,
  organizationId: string,
): Promise<string> {
  const path = `${identity}/api/organizations/${organizationId}/service-principals`;
  const { token } = await person.json<{ token: string }>('POST', path, {
    name: 'Demo suggestions',
    service: SERVICE,
    scopes: ['posts.read', 'posts.write', 'calendar.write'],
  });
  return token;
}

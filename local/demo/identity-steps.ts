import { DemoIsUnavailable, type Progress } from './demo.js';
import { unless, Visitor } from './visitor.js';

const ORGANIZATION = 'Demo organization';
export const SERVICE = 'social-publishing';

export interface SignedIn {
  readonly accessToken: string;
  /** True for a new account: stored steps belong to another one. */
  readonly isNew: boolean;
}

/**
 * Signs in as the demo's user and creates the account if it is missing.
 * @throws DemoIsUnavailable when the account has another password
 */
export async function signIn(identity: string, { email, password }: Progress): Promise<SignedIn> {
  const visitor = new Visitor();
  const ask = (path: string, body: object) =>
    visitor.json<{ accessToken: string }>('POST', `${identity}${path}`, body);
  const login = await unless(401, () => ask('/api/auth/login', { email, password }));
  if (login) return { accessToken: login.accessToken, isNew: false };
  const made = await unless(409, () => ask('/register', { email, password, name: 'Demo' }));
  if (made) return { accessToken: made.accessToken, isNew: true };
  throw new DemoIsUnavailable(
    `${email} has another password in this database than this folder knows: it is the demo of another folder, or of this one under another address, or its password was changed`,
  );
}

export async function createOrganization(person: Visitor, identity: string): Promise<string> {
  const { id } = await person.json<{ id: string }>('POST', `${identity}/api/organizations`, {
    name: ORGANIZATION,
  });
  return id;
}

/** For an automation that reads, approves and schedules items of the brand's queue and reads its counts. */
export async function createApiKey(
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

/** For an automation that suggests posts. */
export async function createServicePrincipal(
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

import type { Addresses } from '../addresses.js';
import { connectX, reconnectX } from './connect-x.js';
import type { Demo, Progress } from './demo.js';
import { createApiKey, createOrganization, createServicePrincipal, signIn } from './identity-steps.js';
import { unless, Visitor } from './visitor.js';

/**
 * Performs the missing steps through the public routes and stores each one at once. Always signs in, to check that stored
 * steps belong to this database and this sandbox.
 * @throws DemoIsUnavailable when the demo's account has another password, or a service refuses a step
 */
export async function createDemo(
  addresses: Addresses,
  { email, password, ...remembered }: Progress,
  remember: (progress: Progress) => Promise<void>,
): Promise<Demo> {
  const { api, identity } = addresses;
  const { accessToken, isNew } = await signIn(identity, { email, password });
  const person = new Visitor({ authorization: `Bearer ${accessToken}` });
  const isOfHere = !isNew && (await hasBrand(person, api, remembered.brandId));
  const done: Progress = { email, password, ...(isOfHere ? remembered : {}) };
  const step = async <Name extends keyof Demo>(name: Name, take: () => Promise<Demo[Name]>) => {
    const known = done[name];
    if (known !== undefined) return known;
    const value = await take();
    Object.assign(done, { [name]: value });
    await remember(done);
    return value;
  };
  const organizationId = await step('organizationId', () => createOrganization(person, identity));
  const brandId = await step('brandId', () => createBrand(person, api, organizationId));
  const handle = await step('handle', () => connectX(person, api, brandId));
  await reconnectX(person, addresses, brandId, handle);
  const apiKey = await step('apiKey', () => createApiKey(person, identity, organizationId, brandId));
  const serviceToken = await step('serviceToken', () =>
    createServicePrincipal(person, identity, organizationId),
  );
  return { email, password, organizationId, brandId, handle, apiKey, serviceToken };
}

/** True if no brand was created yet. */
async function hasBrand(person: Visitor, api: string, brandId: string | undefined): Promise<boolean> {
  if (brandId === undefined) return true;
  const brand = await unless(404, () => person.json<object>('GET', `${api}/api/brands/${brandId}`));
  return brand !== undefined;
}

async function createBrand(person: Visitor, api: string, organizationId: string): Promise<string> {
  const body = { organizationId, name: 'Demo brand', timezone: 'UTC' };
  const { id } = await person.json<{ id: string }>('POST', `${api}/api/brands`, body);
  return id;
}

import type { Addresses } from '../addresses.js';
import { connectX, reconnectX } from './connect-x.js';
import type { Demo, Progress } from './demo.js';
import { makeApiKey, makeOrganization, makeServicePrincipal, signIn } from './identity-steps.js';
import { unless, Visitor } from './visitor.js';

/**
 * Takes the steps that are still missing, as a person would, and remembers each one at once. Signs in also when none is, to
 * see that what is remembered is of this database and this sandbox.
 * @throws WithoutDemo when the account of the demo has another password there, or a service refuses a step
 */
export async function makeDemo(
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
  const organizationId = await step('organizationId', () => makeOrganization(person, identity));
  const brandId = await step('brandId', () => makeBrand(person, api, organizationId));
  const handle = await step('handle', () => connectX(person, api, brandId));
  await reconnectX(person, addresses, brandId, handle);
  const apiKey = await step('apiKey', () => makeApiKey(person, identity, organizationId, brandId));
  const serviceToken = await step('serviceToken', () =>
    makeServicePrincipal(person, identity, organizationId),
  );
  return { email, password, organizationId, brandId, handle, apiKey, serviceToken };
}

/** Before a brand was made there is none to miss. */
async function hasBrand(person: Visitor, api: string, brandId: string | undefined): Promise<boolean> {
  if (brandId === undefined) return true;
  const brand = await unless(404, () => person.json<object>('GET', `${api}/api/brands/${brandId}`));
  return brand !== undefined;
}

async function makeBrand(person: Visitor, api: string, organizationId: string): Promise<string> {
  const body = { organizationId, name: 'Demo brand', timezone: 'UTC' };
  const { id } = await person.json<{ id: string }>('POST', `${api}/api/brands`, body);
  return id;
}

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '#libs/config';
import type { Addresses } from '../environments.js';
import { readPrivateFile, writePrivateFile } from '../data-folder.js';
import { connectX, reconnectX } from './connect-x.js';
import { type Demo, DemoIsUnavailable, type Progress } from './demo.js';
import { createApiKey, createOrganization, createServicePrincipal, signIn } from './identity-steps.js';
import { unless, Visitor } from './visitor.js';

/**
 * Performs the missing steps through the public routes and stores each one at once. Always signs in, to check that stored
 * steps belong to this database and this sandbox.
 * @throws DemoIsUnavailable when the demo's account has another password, or a service refuses a step
 */
async function createDemo(
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

export interface DemoOutcome {
  readonly demo?: Demo;
  /** The reason why there is no demo, without a full stop. */
  readonly withoutDemo?: string;
}

/**
 * The demo organization, created once through the public routes and stored in the data folder. A refusal by a service is an
 * outcome, not an error: the account may be locked or have a new password, and nothing else needs the demo.
 */
export async function ensureDemo(
  addresses: Addresses,
  folder: string,
  given: Environment,
): Promise<DemoOutcome> {
  const file = join(folder, fileFor(given));
  const known = await readPrivateFile<Progress>(file);
  const progress = known ?? { email: 'demo@example.com', password: randomBytes(12).toString('base64url') };
  if (!known) await writePrivateFile(file, progress);
  try {
    return { demo: await createDemo(addresses, progress, (next) => writePrivateFile(file, next)) };
  } catch (error) {
    if (error instanceof DemoIsUnavailable) return { withoutDemo: error.message };
    throw error;
  }
}

/** One file per database, because each database has its own demo. */
function fileFor({ DATABASE_URL, IDENTITY_DATABASE_URL }: Environment): string {
  const databases = [DATABASE_URL, IDENTITY_DATABASE_URL].map((url) => url?.trim() ?? '').join('\n');
  if (databases.trim() === '') return 'demo.json';
  return `demo-${createHash('sha256').update(databases).digest('hex').slice(0, 16)}.json`;
}

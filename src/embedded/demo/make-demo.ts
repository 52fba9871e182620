import type { Addresses } from '../addresses.js';
import { connectX } from './connect-x.js';
import type { Demo, Progress } from './demo.js';
import { makeApiKey, makeOrganization, makeServicePrincipal, signIn } from './identity-steps.js';
import { Visitor } from './visitor.js';

/** Takes the steps that are still missing, as a person would, and remembers each one at once. */
export async function makeDemo(
  { api, identity }: Addresses,
  progress: Progress,
  remember: (progress: Progress) => Promise<void>,
): Promise<Demo> {
  if (isComplete(progress)) return progress;
  const token = await signIn(identity, progress);
  const person = new Visitor({ authorization: `Bearer ${token}` });
  const done = { ...progress };
  const step = async <Name extends keyof Demo>(name: Name, take: () => Promise<Demo[Name]>) => {
    const value = done[name] ?? (await take());
    Object.assign(done, { [name]: value });
    await remember(done);
    return value;
  };
  const organizationId = await step('organizationId', () => makeOrganization(person, identity));
  const brandId = await step('brandId', () => makeBrand(person, api, organizationId));
  const handle = await step('handle', () => connectX(person, api, brandId));
  const apiKey = await step('apiKey', () => makeApiKey(person, identity, organizationId, brandId));
  const serviceToken = await step('serviceToken', () =>
    makeServicePrincipal(person, identity, organizationId),
  );
  return { ...progress, organizationId, brandId, handle, apiKey, serviceToken };
}

const STEPS = ['organizationId', 'brandId', 'handle', 'apiKey', 'serviceToken'] as const;

const isComplete = (progress: Progress): progress is Demo =>
  STEPS.every((name) => progress[name] !== undefined);

async function makeBrand(person: Visitor, api: string, organizationId: string): Promise<string> {
  const body = { organizationId, name: 'Demo brand', timezone: 'UTC' };
  const { id } = await person.json<{ id: string }>('POST', `${api}/api/brands`, body);
  return id;
}

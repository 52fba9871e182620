import type { Attribution } from '../../access/attribution.js';
import { PaymentRequestIsNotValid } from '../payments.errors.js';

/** To whom an object of the provider belongs. */
export type Owner = Pick<Attribution, 'applicationId' | 'application' | 'organizationId'>;

const PREFIX = 'gateway_';
const APPLICATION = `${PREFIX}application`;
const SLUG = `${PREFIX}application_slug`;
const ORGANIZATION = `${PREFIX}organization`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SLUGS = /^[a-z][a-z0-9-]{1,62}$/;

type Metadata = Readonly<Record<string, string>>;

/** The metadata of the caller with its owner. @throws PaymentRequestIsNotValid for names that only the gateway sets */
export function ownedMetadata(owner: Owner, given: Metadata): Record<string, string> {
  if (Object.keys(given).some((name) => name.startsWith(PREFIX)))
    throw new PaymentRequestIsNotValid('metadata', `must not have names that begin with ${PREFIX}`);
  return {
    ...given,
    [APPLICATION]: owner.applicationId,
    [SLUG]: owner.application,
    [ORGANIZATION]: owner.organizationId,
  };
}

/** What the caller set. */
export function callersMetadata(metadata: Metadata | null | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata ?? {}).filter(([name]) => !name.startsWith(PREFIX)));
}

/** null for metadata that the gateway did not write. */
export function ownerIn(metadata: unknown): Owner | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const {
    [APPLICATION]: applicationId,
    [SLUG]: application,
    [ORGANIZATION]: organizationId,
  } = metadata as Record<string, unknown>;
  const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
  if (!isUuid(applicationId) || !isUuid(organizationId)) return null;
  if (typeof application !== 'string' || !SLUGS.test(application)) return null;
  return { applicationId, application, organizationId };
}

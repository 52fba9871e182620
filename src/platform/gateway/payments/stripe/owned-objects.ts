import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import type { Attribution } from '../../access/attribution.js';
import {
  PaymentAccountsDiffer,
  PaymentObjectNotFound,
  PaymentRequestIsNotValid,
} from '../payments.errors.js';

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

/**
 * An object is in one account, which can have several credentials, unless an owner named it in an event of an account of its own.
 * Those that can be used come first.
 */
const FIND = statement(
  'gateway_find_payment_objects_of_credentials',
  `SELECT object.id, credential_id FROM gateway.payment_account_object AS object
     LEFT JOIN gateway.credential ON credential.id = credential_id AND enabled AND deleted_at IS NULL
    WHERE object.id = ANY ($1::text[]) AND application_id = $2 AND object.organization_id = $3
    ORDER BY credential.id IS NULL, object.created_at, credential_id`,
);

/** In the order of the keys, so that concurrent transactions never deadlock. The first owner of an object of an account stays. */
const BIND = statement(
  'gateway_bind_payment_account_objects_of_credentials',
  `INSERT INTO gateway.payment_account_object (id, credential_id, application_id, application, organization_id)
   SELECT DISTINCT id, credential_id, $3::uuid, $4, $5::uuid
     FROM unnest($1::text[]) AS id, unnest($2::uuid[]) AS credential_id ORDER BY id, credential_id
   ON CONFLICT DO NOTHING`,
);

export interface Reference {
  /** For the error, such as `price`. */
  readonly name: string;
  readonly id: string;
}

/** Which organization and application an object of the payment provider belongs to, and in which account it is. */
@Injectable()
export class OwnedObjects {
  constructor(private readonly database: Database) {}

  /**
   * A credential of the account that has all objects, one that can be used if there is one.
   * @throws PaymentObjectNotFound unless every object is the owner's, PaymentAccountsDiffer
   */
  async credentialOf(owner: Owner, references: readonly Reference[]): Promise<string> {
    const ids = [...new Set(references.map(({ id }) => id))];
    const values = [ids, owner.applicationId, owner.organizationId];
    const rows = await this.database.query<{ id: string; credential_id: string }>(FIND, values);
    const missing = references.find(({ id }) => !rows.some((row) => row.id === id));
    if (missing) throw new PaymentObjectNotFound(missing.name);
    const ofAccount = (credentialId: string) => rows.filter((row) => row.credential_id === credentialId);
    const account = rows.find(({ credential_id }) => ofAccount(credential_id).length === ids.length);
    if (!account) throw new PaymentAccountsDiffer();
    return account.credential_id;
  }

  /** @param credentialIds of one account */
  async bind(
    executor: Executor,
    credentialIds: readonly string[],
    owner: Owner,
    ids: readonly string[],
  ): Promise<void> {
    if (ids.length === 0) return;
    const { applicationId, application, organizationId } = owner;
    const values = [ids, credentialIds, applicationId, application, organizationId];
    await executor.query(BIND, values);
  }
}

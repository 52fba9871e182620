import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { Database, statement } from '#libs/database';
import { PaymentAccountsDiffer, PaymentObjectNotFound } from '../payments.errors.js';
import type { Owner } from './owner.js';

const FIND = statement(
  'gateway_find_payment_objects',
  `SELECT id, credential_id FROM gateway.payment_object
    WHERE id = ANY ($1::text[]) AND application_id = $2 AND organization_id = $3`,
);

/** In the order of the ids, so that concurrent transactions never deadlock. The first owner of an object stays. */
const BIND = statement(
  'gateway_bind_payment_objects',
  `INSERT INTO gateway.payment_object (id, credential_id, application_id, application, organization_id)
   SELECT DISTINCT id, $2::uuid, $3::uuid, $4, $5::uuid FROM unnest($1::text[]) AS id ORDER BY id
   ON CONFLICT (id) DO NOTHING`,
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
   * The credential of the account that has all objects.
   * @throws PaymentObjectNotFound unless every object is the owner's, PaymentAccountsDiffer
   */
  async credentialOf(owner: Owner, references: readonly [Reference, ...Reference[]]): Promise<string> {
    const ids = references.map(({ id }) => id);
    const values = [ids, owner.applicationId, owner.organizationId];
    const rows = await this.database.query<{ id: string; credential_id: string }>(FIND, values);
    const credentials = new Map(rows.map((row) => [row.id, row.credential_id]));
    const missing = references.find(({ id }) => !credentials.has(id));
    if (missing) throw new PaymentObjectNotFound(missing.name);
    const [first = '', ...others] = new Set(credentials.values());
    if (others.length > 0) throw new PaymentAccountsDiffer();
    return first;
  }

  async bind(executor: Executor, credentialId: string, owner: Owner, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { applicationId, application, organizationId } = owner;
    await executor.query(BIND, [ids, credentialId, applicationId, application, organizationId]);
  }
}

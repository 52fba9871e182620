import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { CredentialHealth, type UsedCredential } from '../../credentials/credential-health.js';
import { Credentials, type SealedCredential } from '../../credentials/credentials.js';
import { type KeyedSecret, readKeyedSecret } from '../../credentials/secrets.js';
import { NoPaymentCredential } from '../payments.errors.js';
import type { Outcome } from './outcome.js';

const COLUMNS = `id, organization_id AS "organizationId", provider, data_key AS "dataKey", secret,
  failing_since IS NOT NULL AS "isFailing"`;
const EXISTING = `provider = 'stripe' AND deleted_at IS NULL`;

/**
 * An organization's own ones, in their order; those of the platform only where it has none. A disabled one is one: otherwise the
 * customers of the organization would pay the platform.
 */
const CHOOSE = statement(
  'gateway_choose_payment_credential_of_owner',
  `SELECT id FROM gateway.credential
    WHERE ${EXISTING} AND enabled AND (organization_id = $1 OR organization_id IS NULL AND NOT EXISTS (
            SELECT FROM gateway.credential WHERE ${EXISTING} AND organization_id = $1))
    ORDER BY position, id LIMIT 1`,
);
const FIND = statement(
  'gateway_find_payment_credential_and_state',
  `SELECT ${COLUMNS} FROM gateway.credential WHERE ${EXISTING} AND enabled AND id = $1`,
);
/** $1 one of the organization, null: of the platform. All of them: those that can be used first, and of these the one named. */
const RECEIVING = statement(
  'gateway_receiving_payment_credentials',
  `SELECT ${COLUMNS} FROM gateway.credential
    WHERE ${EXISTING} AND organization_id IS NOT DISTINCT FROM (SELECT organization_id FROM gateway.credential WHERE id = $1)
      AND ($1::uuid IS NULL OR EXISTS (SELECT FROM gateway.credential WHERE id = $1))
    ORDER BY enabled DESC, id IS DISTINCT FROM $1, position, id`,
);

type Row = SealedCredential & { readonly isFailing: boolean };

export interface PaymentCredential extends KeyedSecret, UsedCredential {
  readonly isFailing: boolean;
  /** null: of the platform. */
  readonly organizationId: string | null;
}

/** Accounts at the payment provider. An account has objects, so that another credential never stands in for one. */
@Injectable()
export class PaymentCredentials {
  constructor(
    private readonly database: Database,
    private readonly credentials: Credentials,
    private readonly health: CredentialHealth,
  ) {}

  /** The credential for new objects of an organization. @throws NoPaymentCredential */
  async choose(organizationId: string): Promise<string> {
    const [row] = await this.database.query<{ id: string }>(CHOOSE, [organizationId]);
    if (!row) throw new NoPaymentCredential();
    return row.id;
  }

  /** With its secrets; undefined when it was deleted, disabled, or cannot be decrypted. */
  async open(id: string): Promise<PaymentCredential | undefined> {
    return this.opened(await this.database.query<Row>(FIND, [id]))[0];
  }

  /**
   * Those whose account can have sent a webhook: of the organization of the one named, else of the platform. Disabled ones, too: what
   * was sold before goes on at the provider, which gives up after three days.
   */
  async receiving(id: string | null): Promise<readonly PaymentCredential[]> {
    return this.opened(await this.database.query<Row>(RECEIVING, [id]));
  }

  /**
   * Notes whether the provider accepted the credential of a call. With 403 it did: the key lacks a permission for this call. Never
   * rejects.
   */
  async note(
    credential: PaymentCredential,
    outcome: Outcome<unknown> | { readonly kind: 'other-account' },
  ): Promise<void> {
    const { kind } = outcome;
    if (kind === 'credential' && outcome.status === 401) await this.health.fails(credential);
    if ((kind === 'done' || kind === 'refused') && credential.isFailing) await this.health.works(credential);
  }

  private opened(rows: readonly Row[]): PaymentCredential[] {
    return rows.flatMap((row) => {
      const { id, organizationId, isFailing, secret: sealed } = row;
      const secret = this.credentials.openOrNull(row);
      return secret === null ? [] : [{ id, organizationId, isFailing, sealed, ...readKeyedSecret(secret) }];
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { SecretIsUnreadable } from '#libs/encryption';
import { Credentials } from '../credentials/credentials.js';
import type { KeyedSecret } from '../credentials/secrets.js';
import { readKeyedSecret } from '../credentials/secrets.js';
import { NoPaymentCredential } from './payments.errors.js';

const COLUMNS = `id, organization_id AS "organizationId", provider, data_key AS "dataKey", secret`;
const USABLE = `provider = 'stripe' AND enabled AND deleted_at IS NULL`;

/** An organization's own ones before those of the platform, in their order. */
const CHOOSE = statement(
  'gateway_choose_payment_credential',
  `SELECT id FROM gateway.credential
    WHERE ${USABLE} AND (organization_id = $1 OR organization_id IS NULL)
    ORDER BY organization_id NULLS LAST, position, id LIMIT 1`,
);
const FIND = statement(
  'gateway_find_payment_credential',
  `SELECT ${COLUMNS} FROM gateway.credential WHERE ${USABLE} AND id = $1`,
);
const OF_PLATFORM = statement(
  'gateway_platform_payment_credentials',
  `SELECT ${COLUMNS} FROM gateway.credential WHERE ${USABLE} AND organization_id IS NULL`,
);

interface Row {
  readonly id: string;
  readonly organizationId: string | null;
  readonly provider: string;
  readonly dataKey: string;
  readonly secret: string;
}

export interface PaymentCredential extends KeyedSecret {
  readonly id: string;
  /** null: of the platform. */
  readonly organizationId: string | null;
}

/** Accounts at the payment provider. An account has objects, so that another credential never stands in for one. */
@Injectable()
export class PaymentCredentials {
  constructor(
    private readonly database: Database,
    private readonly credentials: Credentials,
  ) {}

  /** The credential for new objects of an organization. @throws NoPaymentCredential */
  async choose(organizationId: string): Promise<string> {
    const [row] = await this.database.query<{ id: string }>(CHOOSE, [organizationId]);
    if (!row) throw new NoPaymentCredential();
    return row.id;
  }

  /** With its secrets. @throws NoPaymentCredential when it was deleted, disabled, or cannot be decrypted */
  async open(id: string): Promise<PaymentCredential> {
    const [opened] = this.opened(await this.database.query<Row>(FIND, [id]));
    if (!opened) throw new NoPaymentCredential();
    return opened;
  }

  /** Those that can have sent a webhook: the one named, else those of the platform. */
  async receiving(id: string | null): Promise<readonly PaymentCredential[]> {
    const rows = id === null ? this.database.query<Row>(OF_PLATFORM) : this.database.query<Row>(FIND, [id]);
    return this.opened(await rows);
  }

  private opened(rows: readonly Row[]): PaymentCredential[] {
    return rows.flatMap((row) => {
      try {
        const { id, organizationId } = row;
        return [{ id, organizationId, ...readKeyedSecret(this.credentials.open(row)) }];
      } catch (error) {
        if (error instanceof SecretIsUnreadable) return [];
        throw error;
      }
    });
  }
}

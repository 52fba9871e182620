import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '#libs/database';
import type { UsedCredential } from '../../credentials/credential-health.js';
import { Credentials, type SealedCredential } from '../../credentials/credentials.js';
import { keyDigest } from '../../credentials/key-digest.js';
import { readKeyedSecret } from '../../credentials/secrets.js';
import type { EmailProvider } from '../email.types.js';

export interface EmailCredential extends UsedCredential {
  readonly organizationId: string | null;
  /** Decrypted. Never logged, never stored. */
  readonly secret: string;
}

/** Tells the keys of a credential apart. @param credential of a provider with keys */
export const digestOf = ({ id, secret }: EmailCredential): string =>
  keyDigest({ id, key: readKeyedSecret(secret).key });

const SELECT = `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret FROM gateway.credential
    WHERE deleted_at IS NULL AND`;
/** Those that failed are tried last, so that a rotated key or a second account is used. $1 provider, $2 organization or null */
const USABLE = statement(
  'gateway_email_credential',
  `${SELECT} provider = $1 AND organization_id IS NOT DISTINCT FROM $2 AND enabled
    ORDER BY failing_since NULLS FIRST, position, id LIMIT 1`,
);
const BY_ID = statement('gateway_email_credential_by_id', `${SELECT} provider = $1 AND id = $2`);
const ENABLED_BY_ID = statement('gateway_enabled_email_credential_by_id', `${SELECT} id = $1 AND enabled`);
/** $1 provider; of the platform. */
const PLATFORMS = statement(
  'gateway_email_platform_credentials',
  `${SELECT} provider = $1 AND organization_id IS NULL ORDER BY position LIMIT 20`,
);
/** $1 organization, $2 provider */
const SCOPES = statement(
  'gateway_email_credential_scopes',
  `SELECT count(organization_id) > 0 AS own, count(*) > count(organization_id) AS platform FROM gateway.credential
    WHERE provider = $2 AND (organization_id = $1 OR organization_id IS NULL) AND enabled AND deleted_at IS NULL`,
);

interface Scopes {
  readonly own: boolean;
  readonly platform: boolean;
}

@Injectable()
export class EmailCredentials {
  constructor(
    private readonly database: Database,
    private readonly credentials: Credentials,
  ) {}

  /** @param organizationId null: of the platform. @returns null without a usable one */
  usable(provider: EmailProvider, organizationId: string | null): Promise<EmailCredential | null> {
    return this.first(USABLE, [provider, organizationId]);
  }

  byId(provider: EmailProvider, id: string): Promise<EmailCredential | null> {
    return this.first(BY_ID, [provider, id]);
  }

  /**
   * The credential of an earlier call, to repeat it with the same account. @param digest as `digestOf` returned it
   * @returns null when it was deleted or disabled since, or has another key
   */
  async ofCall(id: string | null, digest: string | null): Promise<EmailCredential | null> {
    const credential = await this.first(ENABLED_BY_ID, [id]);
    return credential && digest === digestOf(credential) ? credential : null;
  }

  ofPlatform(provider: EmailProvider): Promise<EmailCredential[]> {
    return this.opened(PLATFORMS, [provider]);
  }

  /** Whose credentials exist for a provider: an organization with own ones never uses those of the platform for its domains. */
  async scopes(provider: EmailProvider, organizationId: string): Promise<Scopes> {
    const [scopes] = await this.database.query<Scopes>(SCOPES, [organizationId, provider]);
    return scopes!;
  }

  private async first(sql: Statement, values: readonly unknown[]): Promise<EmailCredential | null> {
    return (await this.opened(sql, values))[0] ?? null;
  }

  private async opened(sql: Statement, values: readonly unknown[]): Promise<EmailCredential[]> {
    const rows = await this.database.query<SealedCredential>(sql, values);
    return rows.flatMap((row) => {
      const { id, organizationId, secret: sealed } = row;
      const secret = this.credentials.openOrNull(row);
      return secret === null ? [] : [{ id, organizationId, sealed, secret }];
    });
  }
}

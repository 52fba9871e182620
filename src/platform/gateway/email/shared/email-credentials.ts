import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { SecretIsUnreadable } from '#libs/encryption';
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

/** A call of a provider with idempotency keys. */
export interface EarlierCall {
  /** Of the credential. */
  readonly id: string | null;
  /** As `digestOf` returned it. */
  readonly digest: string | null;
}

/** Tells the keys of a credential apart. @param credential of a provider with keys */
export const digestOf = ({ id, secret }: EmailCredential): string =>
  keyDigest({ id, key: readKeyedSecret(secret).key });

/** Those that failed are tried last, so that a rotated key or a second account is used. $1 provider, $2 organization or null */
const USABLE = statement(
  'gateway_email_credential',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret FROM gateway.credential
    WHERE provider = $1 AND organization_id IS NOT DISTINCT FROM $2 AND enabled AND deleted_at IS NULL
    ORDER BY failing_since NULLS FIRST, position, id LIMIT 1`,
);
const BY_ID = statement(
  'gateway_email_credential_by_id',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret FROM gateway.credential
    WHERE provider = $1 AND id = $2 AND deleted_at IS NULL`,
);
const ENABLED_BY_ID = statement(
  'gateway_enabled_email_credential_by_id',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret FROM gateway.credential
    WHERE id = $1 AND enabled AND deleted_at IS NULL`,
);
/** $1 provider; of the platform. */
const PLATFORMS = statement(
  'gateway_email_platform_credentials',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret FROM gateway.credential
    WHERE provider = $1 AND organization_id IS NULL AND deleted_at IS NULL ORDER BY position LIMIT 20`,
);
/** $1 organization. Whether it has a credential of its own for any of the providers $2. */
const HAS_OWN = statement(
  'gateway_email_has_own',
  `SELECT provider, organization_id IS NULL AS "isPlatform" FROM gateway.credential
    WHERE provider = $2 AND (organization_id = $1 OR organization_id IS NULL) AND enabled AND deleted_at IS NULL`,
);
/** Credentials of mail providers. */
@Injectable()
export class EmailCredentials {
  constructor(
    private readonly database: Database,
    private readonly credentials: Credentials,
  ) {}

  /** @param organizationId null: of the platform. @returns null without a usable one */
  async usable(provider: EmailProvider, organizationId: string | null): Promise<EmailCredential | null> {
    return this.first(await this.database.query<SealedCredential>(USABLE, [provider, organizationId]));
  }

  async byId(provider: EmailProvider, id: string): Promise<EmailCredential | null> {
    return this.first(await this.database.query<SealedCredential>(BY_ID, [provider, id]));
  }

  /**
   * The credential of an earlier call, to repeat it with the same account.
   * @returns null when it was deleted or disabled since, or has another key
   */
  async ofCall({ id, digest }: EarlierCall): Promise<EmailCredential | null> {
    const credential = this.first(await this.database.query<SealedCredential>(ENABLED_BY_ID, [id]));
    return credential && digest === digestOf(credential) ? credential : null;
  }

  async ofPlatform(provider: EmailProvider): Promise<EmailCredential[]> {
    const rows = await this.database.query<SealedCredential>(PLATFORMS, [provider]);
    return rows.flatMap((row) => this.first([row]) ?? []);
  }

  /** Whose credentials exist for a provider: an organization with own ones never uses those of the platform for its domains. */
  async scopes(
    provider: EmailProvider,
    organizationId: string,
  ): Promise<{ own: boolean; platform: boolean }> {
    const rows = await this.database.query<{ isPlatform: boolean }>(HAS_OWN, [organizationId, provider]);
    return {
      own: rows.some(({ isPlatform }) => !isPlatform),
      platform: rows.some(({ isPlatform }) => isPlatform),
    };
  }

  private first([row]: readonly SealedCredential[]): EmailCredential | null {
    if (!row) return null;
    try {
      const { id, organizationId, secret: sealed } = row;
      return { id, organizationId, sealed, secret: this.credentials.open(row) };
    } catch (error) {
      if (error instanceof SecretIsUnreadable) return null;
      throw error;
    }
  }
}

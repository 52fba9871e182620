import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#libs/database';
import type { Actor } from '../../access/actor.js';
import { type AuditAction, AuditLog } from '../../audit/audit-log.js';
import type { GrantRequestDto } from '../grants/grant-request.dto.js';
import { Grants } from '../grants/grants.js';
import { IdentityConfig } from '../../identity.config.js';
import { ApiKeyNotFound, TooManyApiKeys } from '../../identity.errors.js';
import { Administration, type Administrator } from '../../access/administration.js';
import { API_KEY_PREFIX } from '#libs/platform-client';
import { SecretHasher } from '../../credentials/secret-hasher.js';
import type { ApiKeyDto, NewApiKeyDto } from './api-key.dto.js';
import { CREATE, LIST, REVOKE, ROTATE } from './api-keys.sql.js';

/** API keys act for their organization and stay valid when their creator leaves. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly database: Database,
    private readonly administration: Administration,
    private readonly hasher: SecretHasher,
    private readonly grants: Grants,
    private readonly config: IdentityConfig,
    private readonly audit: AuditLog,
  ) {}

  /** @throws ScopeIsMissing, ScopesAreNotOffered, RequestIsNotValid, TooManyApiKeys also for concurrent requests. */
  create(organizationId: string, request: GrantRequestDto, actor: Actor): Promise<NewApiKeyDto> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      await this.grants.mustManageCredentials(transaction, organizationId, request.service, by);
      const { serviceId, scopes } = await this.grants.resolve(transaction, organizationId, request, by);
      const key = this.hasher.newApiKey();
      const { hash, version } = this.hasher.hash(key);
      const [row] = await transaction.query<ApiKeyDto>(CREATE, [
        randomUUIDv7(),
        organizationId,
        serviceId,
        request.name,
        API_KEY_PREFIX,
        key.slice(-4),
        hash,
        version,
        scopes,
        request.brandIds ?? null,
        by.actor.id,
        request.expiresAt ?? null,
        this.config.maxApiKeys,
      ]);
      if (!row) throw new TooManyApiKeys(this.config.maxApiKeys);
      const details = { service: row.service, scopes, brandIds: row.brandIds };
      await this.record(transaction, 'api_key_created', organizationId, row.id, by, details);
      return { ...row, key };
    });
  }

  list(organizationId: string, after: string | null, count: number): Promise<ApiKeyDto[]> {
    return this.database.query<ApiKeyDto>(LIST, [organizationId, after, count]);
  }

  /** The next request with it is refused. */
  revoke(organizationId: string, id: string, actor: Actor): Promise<ApiKeyDto> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const [row] = await transaction.query<ApiKeyDto>(REVOKE, [organizationId, id]);
      if (!row) throw new ApiKeyNotFound();
      await this.grants.mustManageCredentials(transaction, organizationId, row.service, by);
      await this.record(transaction, 'api_key_revoked', organizationId, id, by, {});
      return row;
    });
  }

  /**
   * Creates a key with the same grant. The old key expires after the overlap, or at its own expiry if that is earlier.
   * @throws ApiKeyNotFound also for an invalid or rotated key; ScopeIsMissing and ScopesAreNotOffered as in `create`.
   */
  rotate(organizationId: string, id: string, overlapMinutes: number, actor: Actor): Promise<NewApiKeyDto> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const key = this.hasher.newApiKey();
      const { hash, version } = this.hasher.hash(key);
      const [row] = await transaction.query<ApiKeyDto>(ROTATE, [
        organizationId,
        id,
        overlapMinutes,
        randomUUIDv7(),
        key.slice(-4),
        hash,
        version,
        by.actor.id,
      ]);
      if (!row) throw new ApiKeyNotFound();
      await this.grants.mustManageCredentials(transaction, organizationId, row.service, by);
      await this.grants.resolve(transaction, organizationId, row, by);
      const details = { replacedBy: row.id, overlapMinutes };
      await this.record(transaction, 'api_key_rotated', organizationId, id, by, details);
      return { ...row, key };
    });
  }

  private record(
    transaction: Transaction,
    action: AuditAction,
    organizationId: string,
    id: string,
    { actor }: Administrator,
    details: Record<string, unknown>,
  ): Promise<void> {
    const target = { type: 'api_key', id };
    return this.audit.record(transaction, { action, actor, organizationId, target, details });
  }
}

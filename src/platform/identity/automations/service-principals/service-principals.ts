import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#libs/database';
import type { Actor } from '../../access/actor.js';
import { type AuditAction, AuditLog } from '../../audit/audit-log.js';
import type { GrantRequestDto } from '../grants/grant-request.dto.js';
import { Grants } from '../grants/grants.js';
import { IdentityConfig } from '../../identity.config.js';
import { ServicePrincipalNotFound, TooManyServicePrincipals } from '../../identity.errors.js';
import { Administration, type Administrator } from '../../access/administration.js';
import { SecretHasher } from '../../credentials/secret-hasher.js';
import { SERVICE_TOKEN } from '../../credentials/secrets.js';
import type { NewServicePrincipalDto, ServicePrincipalDto } from './service-principal.dto.js';
import { CREATE, DISABLE, FOR_ROTATION, GET, LIST, ROTATE } from './service-principals.sql.js';

/** Automations with their own name and bearer token. Posts that they create are suggestions. */
@Injectable()
export class ServicePrincipals {
  constructor(
    private readonly database: Database,
    private readonly administration: Administration,
    private readonly hasher: SecretHasher,
    private readonly grants: Grants,
    private readonly config: IdentityConfig,
    private readonly audit: AuditLog,
  ) {}

  /** @throws ScopeIsMissing, ScopesAreNotOffered, RequestIsNotValid, TooManyServicePrincipals also for concurrent requests. */
  create(organizationId: string, request: GrantRequestDto, actor: Actor): Promise<NewServicePrincipalDto> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      await this.grants.mustManageCredentials(transaction, organizationId, request.service, by);
      const { serviceId, scopes } = await this.grants.resolve(transaction, organizationId, request, by);
      const token = this.hasher.newSecret(SERVICE_TOKEN);
      const { hash, version } = this.hasher.hash(token);
      const { name, brandIds = null, expiresAt = null } = request;
      const [row] = await transaction.query<ServicePrincipalDto>(CREATE, [
        randomUUIDv7(),
        organizationId,
        serviceId,
        name,
        scopes,
        brandIds,
        by.actor.id,
        hash,
        version,
        token.slice(-4),
        expiresAt,
        this.config.maxServicePrincipals,
      ]);
      if (!row) throw new TooManyServicePrincipals(this.config.maxServicePrincipals);
      const details = { service: row.service, scopes, brandIds };
      await this.record(transaction, 'service_principal_created', organizationId, row.id, by, details);
      return { ...row, token };
    });
  }

  list(organizationId: string, after: string | null, count: number): Promise<ServicePrincipalDto[]> {
    return this.database.query<ServicePrincipalDto>(LIST, [organizationId, after, count]);
  }

  /** The next request with any of its tokens is refused. */
  disable(organizationId: string, id: string, actor: Actor): Promise<ServicePrincipalDto> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const [row] = await transaction.query<ServicePrincipalDto>(DISABLE, [organizationId, id]);
      if (!row) throw new ServicePrincipalNotFound();
      await this.grants.mustManageCredentials(transaction, organizationId, row.service, by);
      await this.record(transaction, 'service_principal_disabled', organizationId, id, by, {});
      return row;
    });
  }

  /**
   * Adds a token with the expiry of the old one. The old tokens expire after the overlap.
   * @throws ServicePrincipalNotFound also when disabled or without a valid token; ScopeIsMissing and ScopesAreNotOffered as in
   * `create`.
   */
  rotate(
    organizationId: string,
    id: string,
    overlapMinutes: number,
    actor: Actor,
  ): Promise<NewServicePrincipalDto> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const found = await transaction.query(FOR_ROTATION, [organizationId, id]);
      if (found.length === 0) throw new ServicePrincipalNotFound();
      const token = this.hasher.newSecret(SERVICE_TOKEN);
      const { hash, version } = this.hasher.hash(token);
      const added = await transaction.query(ROTATE, [id, overlapMinutes, hash, version, token.slice(-4)]);
      if (added.length === 0) throw new ServicePrincipalNotFound();
      const [row] = await transaction.query<ServicePrincipalDto>(GET, [organizationId, id]);
      if (!row) throw new ServicePrincipalNotFound();
      await this.grants.mustManageCredentials(transaction, organizationId, row.service, by);
      await this.grants.resolve(transaction, organizationId, row, by);
      await this.record(transaction, 'service_principal_rotated', organizationId, id, by, { overlapMinutes });
      return { ...row, token };
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
    const target = { type: 'service_principal', id };
    return this.audit.record(transaction, { action, actor, organizationId, target, details });
  }
}

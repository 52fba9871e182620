import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { type AuditActor, GatewayAudit } from '../audit/gateway-audit.js';
import type { CredentialDto } from './credential.dto.js';
import { CredentialHasPayments, CredentialNotFound, TooManyCredentials } from './credential.errors.js';
import { Credentials, type SealedCredential } from './credentials.js';
import {
  COUNT,
  FIND,
  FIND_SEALED,
  HAS_PAYMENTS,
  INSERT,
  LIST,
  LOCK,
  LOCK_LIST,
  REMOVE,
  ROTATE,
  UPDATE,
} from './credentials.sql.js';
import type { CredentialProvider } from './providers.js';
import type { AcceptedSecret } from './secrets.js';

/** Positions are 1 to this; lower ones are used first, of equal ones the older credential. */
export const MAX_POSITION = 1_000;

/** Per provider and organization, and for the platform. */
const MAX_CREDENTIALS = 20;

export interface NewCredential {
  readonly provider: CredentialProvider;
  /** null: the default of the platform. */
  readonly organizationId: string | null;
  readonly label: string;
  readonly secret: AcceptedSecret;
  readonly project?: string;
  readonly position?: number;
  readonly enabled?: boolean;
}

export type CredentialChanges = Partial<Pick<NewCredential, 'label' | 'project' | 'position' | 'enabled'>>;

/** A change by an actor of the version that the caller has read, if sent. */
export interface ChangeOf {
  readonly id: string;
  readonly ifVersion?: number;
  readonly actor: AuditActor;
}

/** The rows of gateway.credential. Every change is audited in its transaction. */
@Injectable()
export class CredentialsStore {
  constructor(
    private readonly database: Database,
    private readonly credentials: Credentials,
    private readonly audit: GatewayAudit,
  ) {}

  async find(id: string): Promise<CredentialDto> {
    const [row] = await this.database.query<CredentialDto>(FIND, [id]);
    if (!row) throw new CredentialNotFound();
    return row;
  }

  /** For `Credentials.open`. @throws CredentialNotFound */
  async findSealed(id: string): Promise<SealedCredential> {
    const [row] = await this.database.query<SealedCredential>(FIND_SEALED, [id]);
    if (!row) throw new CredentialNotFound();
    return row;
  }

  list(
    organizationId: string | null,
    provider: string | null,
    after: string | null,
    count: number,
  ): Promise<CredentialDto[]> {
    return this.database.query<CredentialDto>(LIST, [organizationId, after, count, provider]);
  }

  add(credential: NewCredential, actor: AuditActor): Promise<CredentialDto> {
    return this.database.transaction(async (transaction) => {
      const { provider, organizationId } = credential;
      await transaction.query(LOCK_LIST, [`${provider} ${organizationId ?? 'platform'}`]);
      const [known] = await transaction.query<{ count: number; last: number }>(COUNT, [
        provider,
        organizationId,
      ]);
      const { count = 0, last = 0 } = known ?? {};
      if (count >= MAX_CREDENTIALS) throw new TooManyCredentials(MAX_CREDENTIALS);
      const position = credential.position ?? Math.min(last + 1, MAX_POSITION);
      const row = await this.insert(transaction, { ...credential, position }, actor);
      await this.record(transaction, 'credential_created', row, actor, { label: row.label });
      return row;
    });
  }

  change(of: ChangeOf, changes: CredentialChanges): Promise<CredentialDto> {
    return this.changing(of, 'credential_changed', { changed: Object.keys(changes) }, (transaction) => {
      const { label = null, project = null, position = null, enabled = null } = changes;
      return transaction.query<CredentialDto>(UPDATE, [of.id, label, project, position, enabled]);
    });
  }

  /** Of two concurrent rotations both apply in order; with `ifVersion` the second is refused. @throws CredentialNotFound, VersionIsStale */
  rotate(of: ChangeOf, secret: AcceptedSecret): Promise<CredentialDto> {
    return this.changing(of, 'credential_rotated', {}, (transaction, row) => {
      const sealed = this.credentials.seal(row, secret.text);
      const values = [row.id, sealed.dataKey, sealed.secret, secret.hint];
      return transaction.query<CredentialDto>(ROTATE, values);
    });
  }

  async remove(of: ChangeOf): Promise<void> {
    await this.changing(of, 'credential_deleted', {}, async (transaction, row) => {
      if ((await transaction.query(HAS_PAYMENTS, [of.id])).length > 0) throw new CredentialHasPayments();
      await transaction.query(REMOVE, [of.id]);
      return [row];
    });
  }

  private async changing(
    { id, ifVersion, actor }: ChangeOf,
    action: string,
    details: Readonly<Record<string, unknown>>,
    change: (transaction: Transaction, row: CredentialDto) => Promise<CredentialDto[]>,
  ): Promise<CredentialDto> {
    return this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<CredentialDto>(LOCK, [id]);
      if (!row) throw new CredentialNotFound();
      if (ifVersion !== undefined && ifVersion !== row.version) throw new VersionIsStale(row.version);
      const [changed] = await change(transaction, row);
      if (!changed) throw new CredentialNotFound();
      await this.record(transaction, action, changed, actor, details);
      return changed;
    });
  }

  private async insert(
    transaction: Transaction,
    credential: NewCredential & { position: number },
    actor: AuditActor,
  ): Promise<CredentialDto> {
    const { provider, organizationId, position, label, secret, project = null, enabled = true } = credential;
    const id = randomUUIDv7();
    const { dataKey, secret: sealed } = this.credentials.seal({ id, organizationId, provider }, secret.text);
    const creator = actor.id === null ? actor.type : `${actor.type}:${actor.id}`;
    const place = [id, provider, organizationId, position];
    const values = [...place, label, dataKey, sealed, secret.hint, project, enabled, creator];
    const [row] = await transaction.query<CredentialDto>(INSERT, values);
    if (!row) throw new Error('The credential was not stored.');
    return row;
  }

  private record(
    transaction: Transaction,
    action: string,
    row: CredentialDto,
    actor: AuditActor,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.audit.record(transaction, {
      action,
      actor,
      organizationId: row.organizationId,
      target: { type: 'credential', id: row.id },
      details: { provider: row.provider, ...details },
    });
  }
}

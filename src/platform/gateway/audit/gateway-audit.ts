import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import type { Executor } from '#libs/database';
import { requestContext } from '#libs/http';
import type { Attribution } from '../access/attribution.js';

export interface AuditActor {
  /** `operator`: a command on a machine of the service. `system`: the gateway itself. */
  readonly type: 'user' | 'service' | 'api_key' | 'application' | 'operator' | 'system';
  readonly id: string | null;
}

export interface GatewayAuditEntry {
  /** In the form `object_changed`, for example `credential_rotated`. */
  readonly action: string;
  readonly actor: AuditActor;
  /** Its administrators can read the entry; null: a change of the platform. */
  readonly organizationId: string | null;
  readonly target: { readonly type: string; readonly id: string };
  /** Names and settings. Never secrets, message texts or email addresses. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export const OPERATOR: AuditActor = { type: 'operator', id: null };
export const SYSTEM: AuditActor = { type: 'system', id: null };

export const actorOfCaller = ({ type, id }: Caller): AuditActor => ({ type, id });

/** The person, if the application named one. */
export const actorOfAttribution = ({ applicationId, userId }: Attribution): AuditActor =>
  userId === null ? { type: 'application', id: applicationId } : { type: 'user', id: userId };

/** Pass the transaction of the change, so that the change and its entry commit together. */
@Injectable()
export class GatewayAudit {
  async record(executor: Executor, entry: GatewayAuditEntry): Promise<void> {
    const { action, actor, organizationId, target, details = {} } = entry;
    await executor.query(
      `INSERT INTO gateway.audit
         (id, action, organization_id, actor_type, actor_id, target_type, target_id, request_id, details)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        randomUUIDv7(),
        action,
        organizationId,
        actor.type,
        actor.id,
        target.type,
        target.id,
        requestContext().requestId,
        details,
      ],
    );
  }
}

import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { requestContext } from '#libs/http';
import type { Actor } from '../access/actor.js';

/** Names from the OWASP Logging Vocabulary where it has one. */
export type AuditAction =
  | 'authn_login_success'
  | 'authn_login_fail'
  | 'authn_token_reuse'
  | 'authn_token_revoked'
  | 'authn_password_change'
  | 'user_created'
  | 'organization_created'
  | 'member_invited'
  | 'invitation_resent'
  | 'invitation_declined'
  | 'invitation_withdrawn'
  | 'member_added'
  | 'member_role_changed'
  | 'member_removed'
  | 'platform_role_changed'
  | 'permissions_changed'
  | 'api_key_created'
  | 'api_key_rotated'
  | 'api_key_revoked'
  | 'service_principal_created'
  | 'service_principal_rotated'
  | 'service_principal_disabled';

export interface AuditEntry {
  readonly action: AuditAction;
  /** Default: success. */
  readonly result?: 'success' | 'failure';
  readonly actor: Actor;
  /** Its administrators may read the event; null for events of no organization. */
  readonly organizationId: string | null;
  /** The account of the sign-in, password or token. The person and administrators of their organizations may read the event. */
  readonly subjectId?: string | null;
  readonly target?: { readonly type: string; readonly id: string };
  /** Names and settings. Never secrets, passwords or email addresses. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Pass the transaction of the change, so that the change and its event commit together. */
@Injectable()
export class AuditLog {
  async record(executor: Executor, entry: AuditEntry): Promise<void> {
    const { action, result = 'success', actor, organizationId, subjectId, target, details = {} } = entry;
    await executor.query(
      `INSERT INTO identity.audit_event
         (id, action, result, organization_id, actor_type, actor_id, target_type, target_id, request_id, address, details,
          subject_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        randomUUIDv7(),
        action,
        result,
        organizationId,
        actor.type,
        actor.id,
        target?.type ?? null,
        target?.id ?? null,
        requestContext().requestId,
        actor.address,
        details,
        subjectId ?? null,
      ],
    );
  }
}

import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { requestContext } from '#libs/http';
import type { Actor } from './actor.js';

/** Named after OWASP's Logging Vocabulary where it has a word. */
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
  /** Whose administrators may read it; null for what concerns no organization. */
  readonly organizationId: string | null;
  /** The account whose sign-in, password or token it is about: the person may read it, and administrators of theirs. */
  readonly subjectId?: string | null;
  readonly target?: { readonly type: string; readonly id: string };
  /** Names and settings. Never secrets, passwords or addresses of mail. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes down what changed, with the change itself: pass the transaction that makes it. */
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

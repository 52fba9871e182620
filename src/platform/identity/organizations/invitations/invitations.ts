import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Transaction } from '#libs/database';
import { emailKey } from '#libs/email-address';
import { RequestIsNotValid } from '#libs/http';
import type { Actor } from '../../access/actor.js';
import { type AuditAction, AuditLog } from '../../audit/audit-log.js';
import { Grants } from '../../automations/grants/grants.js';
import { IdentityConfig } from '../../identity.config.js';
import { AlreadyMember, UserNotFound } from '../../identity.errors.js';
import {
  Administration,
  type Administrator,
  mustBeAllowedToChange,
  type Role,
} from '../../access/administration.js';
import {
  InvitationIsClosed,
  InvitationNotFound,
  AlreadyInvited,
  TooManyInvitations,
} from './invitation.errors.js';
import {
  ADD,
  CLOSE,
  CLOSE_EXPIRED,
  FIND_PENDING,
  GET,
  LIST_OF_ORGANIZATION,
  MAX_PENDING,
  RENEW,
} from './invitations.sql.js';

export interface InvitationRow {
  readonly id: string;
  readonly organization_id: string;
  /** Name of the organization. */
  readonly organization: string;
  readonly user_id: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly invited_by: string | null;
  /** Name of the inviter. */
  readonly inviter: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly status: 'pending' | 'accepted' | 'declined' | 'withdrawn' | 'expired';
}

export interface InvitationRequest {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly role: Role;
}

/** Invitations of an organization, for its administrators. */
@Injectable()
export class Invitations {
  constructor(
    private readonly database: Database,
    private readonly administration: Administration,
    private readonly grants: Grants,
    private readonly audit: AuditLog,
    private readonly config: IdentityConfig,
  ) {}

  /** Pending invitations, newest first, including expired ones without a replacement. */
  list(organizationId: string, after: string | null, count: number): Promise<InvitationRow[]> {
    return this.database.query<InvitationRow>(LIST_OF_ORGANIZATION, [organizationId, after, count]);
  }

  /**
   * An invitation by address alone looks up no account, so that the response does not disclose whether one exists.
   * @throws RequestIsNotValid for neither userId nor email, UserNotFound, AlreadyMember, AlreadyInvited,
   * TooManyInvitations, RoleIsInsufficient, RoleIsNotOffered
   */
  invite(organizationId: string, request: InvitationRequest, actor: Actor): Promise<InvitationRow> {
    const { email, role } = request;
    const userId = request.userId?.toLowerCase() ?? null;
    const key = email === undefined ? null : emailKey(email);
    if (!userId && !key) throw inviteeMissing();
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      mustBeAllowedToChange(by, role);
      if (userId) await mustExist(transaction, userId, key);
      await mustNotBeMember(transaction, organizationId, userId, key);
      await this.grants.mustHoldRole(transaction, organizationId, userId, { from: null, to: role }, by);
      const person = [organizationId, userId, key];
      await transaction.query(CLOSE_EXPIRED, person);
      const [pending] = await transaction.query<{ id: string }>(FIND_PENDING, person);
      if (pending) throw new AlreadyInvited(pending.id);
      const days = this.config.invitationDays;
      const values = [randomUUIDv7(), organizationId, userId, email ?? null, key, role, actor.id, days];
      const [added] = await transaction.query<{ id: string }>(ADD, values);
      if (!added) throw new TooManyInvitations(MAX_PENDING);
      const invitation = await getInvitation(transaction, added.id);
      await this.record(transaction, 'member_invited', invitation, by);
      return invitation;
    });
  }

  /**
   * Renews the expiry; the actor becomes the inviter. An expired invitation becomes pending again, unless a later invitation
   * of the same person has replaced it.
   */
  resend(organizationId: string, invitationId: string, actor: Actor): Promise<InvitationRow> {
    return this.changeInvitation(organizationId, invitationId, actor, async (transaction, by, invitation) => {
      const { user_id, role } = invitation;
      await this.grants.mustHoldRole(transaction, organizationId, user_id, { from: null, to: role }, by);
      const values = [invitationId, actor.id, this.config.invitationDays];
      const [renewed] = await transaction.query<{ fits: boolean }>(RENEW, values);
      if (!renewed) throw new InvitationIsClosed('expired');
      if (!renewed.fits) throw new TooManyInvitations(MAX_PENDING);
      await this.record(transaction, 'invitation_resent', invitation, by);
      return getInvitation(transaction, invitationId);
    });
  }

  withdraw(organizationId: string, invitationId: string, actor: Actor): Promise<void> {
    return this.changeInvitation(organizationId, invitationId, actor, async (transaction, by, invitation) => {
      await transaction.query(CLOSE, [invitationId, 'withdrawn']);
      await this.record(transaction, 'invitation_withdrawn', invitation, by);
    });
  }

  private changeInvitation<T>(
    organizationId: string,
    invitationId: string,
    actor: Actor,
    work: (transaction: Transaction, by: Administrator, invitation: InvitationRow) => Promise<T>,
  ): Promise<T> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const invitation = await getInvitation(transaction, invitationId);
      if (invitation.organization_id !== organizationId) throw new InvitationNotFound();
      mustBeAllowedToChange(by, invitation.role);
      if (invitation.status !== 'pending' && invitation.status !== 'expired')
        throw new InvitationIsClosed(invitation.status);
      return work(transaction, by, invitation);
    });
  }

  private record(
    transaction: Transaction,
    action: AuditAction,
    invitation: InvitationRow,
    { actor }: Administrator,
  ): Promise<void> {
    return this.audit.record(transaction, {
      action,
      actor,
      organizationId: invitation.organization_id,
      target: { type: 'invitation', id: invitation.id },
      details: { role: invitation.role, userId: invitation.user_id },
    });
  }
}

export async function getInvitation(executor: Executor, invitationId: string): Promise<InvitationRow> {
  const [row] = await executor.query<InvitationRow>(GET, [invitationId]);
  if (!row) throw new InvitationNotFound();
  return row;
}

async function mustExist(transaction: Transaction, userId: string, key: string | null): Promise<void> {
  const found = await transaction.query(
    `SELECT FROM identity.user_account
      WHERE id = $1 AND email_key = coalesce($2, email_key) AND disabled_at IS NULL`,
    [userId, key],
  );
  if (found.length === 0) throw new UserNotFound();
}

/** Also checks the address, because administrators see the addresses of their members. */
async function mustNotBeMember(
  transaction: Transaction,
  organizationId: string,
  userId: string | null,
  key: string | null,
): Promise<void> {
  const found = await transaction.query(
    `SELECT FROM identity.membership m JOIN identity.user_account u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND CASE WHEN $2::uuid IS NULL THEN u.email_key = $3 ELSE u.id = $2 END`,
    [organizationId, userId, key],
  );
  if (found.length > 0) throw new AlreadyMember();
}

function inviteeMissing(): RequestIsNotValid {
  const detail = 'is missing; send userId, email or both';
  return new RequestIsNotValid([{ pointer: '#/userId', code: 'required', detail }]);
}

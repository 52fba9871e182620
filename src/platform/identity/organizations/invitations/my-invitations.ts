import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/errors';
import { Database, type Transaction } from '#libs/database';
import type { Actor } from '../../access/actor.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Grants } from '../../automations/grants/grants.js';
import { type Administrator, lockOrganization, mustBeAllowedToChange } from '../../access/administration.js';
import { addMembership } from '../../access/memberships.js';
import {
  EmailIsNotVerified,
  InvitationIsClosed,
  InvitationNotFound,
  InviterMayNotGiveRole,
} from './invitation.errors.js';
import { getInvitation, type InvitationRow } from './invitations.js';
import { CLOSE, LIST_OF_USER } from './invitations.sql.js';

type Person = Actor & { readonly id: string };

/** Invitations of a person, for that person. */
@Injectable()
export class MyInvitations {
  constructor(
    private readonly database: Database,
    private readonly grants: Grants,
    private readonly audit: AuditLog,
  ) {}

  /** Invitations that the person can accept, newest first. */
  list(userId: string, after: string | null, count: number): Promise<InvitationRow[]> {
    return this.database.query<InvitationRow>(LIST_OF_USER, [userId, after, count]);
  }

  /**
   * Adds the person as a member, if the inviter can still grant the role.
   * @throws InvitationNotFound also for another person's, EmailIsNotVerified, InvitationIsClosed, InviterMayNotGiveRole,
   * AlreadyMember, TooManyOrganizations
   */
  accept(invitationId: string, actor: Person): Promise<InvitationRow> {
    return this.answerInvitation(invitationId, actor, async (transaction, invitation) => {
      const { organization_id: organizationId, role } = invitation;
      await this.inviterMustHoldRole(transaction, invitation, actor);
      await addMembership(transaction, organizationId, actor.id, role);
      await transaction.query(CLOSE, [invitationId, 'accepted']);
      await this.audit.record(transaction, {
        action: 'member_added',
        actor,
        organizationId,
        target: { type: 'user', id: actor.id },
        details: { role, invitationId, invitedBy: invitation.invited_by },
      });
      return getInvitation(transaction, invitationId);
    });
  }

  decline(invitationId: string, actor: Person): Promise<void> {
    return this.answerInvitation(invitationId, actor, async (transaction, invitation) => {
      await transaction.query(CLOSE, [invitationId, 'declined']);
      await this.audit.record(transaction, {
        action: 'invitation_declined',
        actor,
        organizationId: invitation.organization_id,
        target: { type: 'invitation', id: invitationId },
        details: { role: invitation.role },
      });
    });
  }

  /** Reads the invitation again after locking the organization, which serializes changes of the organization. */
  private answerInvitation<T>(
    invitationId: string,
    actor: Person,
    work: (transaction: Transaction, invitation: InvitationRow) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (transaction) => {
      const { organization_id } = await this.getOwn(transaction, invitationId, actor);
      await lockOrganization(transaction, organization_id);
      const invitation = await getInvitation(transaction, invitationId);
      if (invitation.status !== 'pending') throw new InvitationIsClosed(invitation.status);
      return work(transaction, invitation);
    });
  }

  private async getOwn(
    transaction: Transaction,
    invitationId: string,
    actor: Person,
  ): Promise<InvitationRow> {
    const invitation = await getInvitation(transaction, invitationId);
    if (invitation.user_id === actor.id) return invitation;
    const own = await transaction.query(
      `SELECT FROM identity.invitation i JOIN identity.user_account u USING (email_key)
        WHERE i.id = $1 AND i.user_id IS NULL AND u.id = $2`,
      [invitationId, actor.id],
    );
    throw own.length > 0 ? new EmailIsNotVerified(actor.id) : new InvitationNotFound();
  }

  /** Applies the rules of an invitation that the inviter would send now. */
  private async inviterMustHoldRole(
    transaction: Transaction,
    { organization_id: organizationId, invited_by, role }: InvitationRow,
    actor: Person,
  ): Promise<void> {
    const [inviter] = await transaction.query<{ role: string }>(
      `SELECT m.role FROM identity.membership m JOIN identity.user_account u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND m.user_id = $2 AND m.role IN ('owner', 'admin') AND u.disabled_at IS NULL`,
      [organizationId, invited_by],
    );
    if (!inviter) throw new InviterMayNotGiveRole();
    const by: Administrator = { actor: { ...actor, id: invited_by }, role: inviter.role };
    try {
      mustBeAllowedToChange(by, role);
      await this.grants.mustHoldRole(transaction, organizationId, actor.id, { from: null, to: role }, by);
    } catch (error) {
      throw error instanceof DomainError && error.kind === 'forbidden' ? new InviterMayNotGiveRole() : error;
    }
  }
}

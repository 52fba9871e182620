import { DomainError } from '#libs/errors';

export class InvitationNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'invitation_not_found';

  constructor() {
    super('The invitation does not exist, or you have no access to it. Check its id.');
  }
}

export class AlreadyInvited extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'already_invited';

  constructor(invitationId: string) {
    super('This person has a pending invitation to the organization. Resend or withdraw that one.', {
      members: { invitationId },
    });
  }
}

/** Accepted, declined, withdrawn or expired. */
export class InvitationIsClosed extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'invitation_closed';

  constructor(status: string) {
    super(`This invitation is ${status}. Ask the organization for another one.`, {
      members: { invitationStatus: status },
    });
  }
}

/** The inviter left, is not an administrator any more, or does not have all permissions of the role. */
export class InviterMayNotGiveRole extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'inviter_not_authorized';

  constructor() {
    super(
      'The inviter cannot grant the role of this invitation any more. Ask another administrator of the organization to resend it.',
    );
  }
}

/** Addresses cannot be verified yet, so an account does not prove ownership of its address. */
export class EmailIsNotVerified extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'email_not_verified';

  constructor(userId: string) {
    super(
      `This invitation is for an email address, and addresses cannot be verified yet. Ask for an invitation to your user id ${userId}.`,
    );
  }
}

export class TooManyInvitations extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_invitations';

  constructor(max: number) {
    super(`The organization has ${max} pending invitations, which is the maximum. Withdraw one first.`);
  }
}

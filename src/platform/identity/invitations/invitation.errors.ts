import { DomainError } from '#libs/errors';

export class InvitationNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'invitation_not_found';

  constructor() {
    super('There is no such invitation.');
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

/** The inviter left, administers the organization no longer, or holds less than the role brings. */
export class InviterMayNotGiveRole extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'inviter_not_authorized';

  constructor() {
    super(
      'The person who sent this invitation may not give its role any more. Ask another administrator of the organization to resend it.',
    );
  }
}

/** Until addresses can be verified, an address proves nothing about the account that registered it. */
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

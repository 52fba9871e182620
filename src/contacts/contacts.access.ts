import { Injectable } from '@nestjs/common';
import type { Caller, Scope } from '#libs/auth';
import { ScopeIsMissing } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { ContactNotFound, OrganizationIsMissing, OrganizationNotFound } from './contact.errors.js';
import type { ContactRow } from './contact.view.js';
import { CONTACT_COLUMNS } from './contact.view.js';

const FIND = statement(
  'find_contact',
  `SELECT ${CONTACT_COLUMNS} FROM contacts.contact WHERE id = $1 AND (deleted_at IS NULL OR $2)`,
);

/** Who may do what with whose contacts. Contacts belong to an organization, never to a brand. */
@Injectable()
export class ContactAccess {
  constructor(private readonly database: Database) {}

  /**
   * The contact as it is now, in the running transaction if there is one.
   * @param id a UUID in lower case.
   * @param options.deletedToo finds soft-deleted ones as well.
   * @throws ContactNotFound when unknown, deleted or foreign; ScopeIsMissing.
   */
  async find(
    id: string,
    caller: Caller,
    scope: Scope,
    options: { readonly deletedToo?: boolean } = {},
  ): Promise<ContactRow> {
    const [row] = await this.database.query<ContactRow>(FIND, [id, options.deletedToo ?? false]);
    if (!row) throw new ContactNotFound();
    caller.must(scope, { organizationId: row.organization_id }, () => new ContactNotFound());
    return row;
  }

  /**
   * The one organization to write to: the one asked for, or the only one that grants the scope.
   * @throws OrganizationNotFound, OrganizationIsMissing, ScopeIsMissing
   */
  organizationFor(caller: Caller, scope: Scope, asked?: string): string {
    if (asked !== undefined) {
      const organizationId = asked.toLowerCase();
      caller.must(scope, { organizationId }, () => new OrganizationNotFound());
      return organizationId;
    }
    const [organizationId, ...others] = granting(caller, scope);
    if (organizationId === undefined || others.length > 0) throw new OrganizationIsMissing();
    return organizationId;
  }

  /**
   * The organizations a list reads: all that grant the scope, or of these the one asked for; [] when that is none of
   * them, because filters of lists are never refused.
   * @throws ScopeIsMissing when none grants it.
   */
  organizationsFor(caller: Caller, scope: Scope, asked?: string): string[] {
    const organizationIds = granting(caller, scope);
    return asked === undefined
      ? organizationIds
      : organizationIds.filter((organizationId) => organizationId === asked.toLowerCase());
  }
}

/** A caller bound to brands has no part in the contacts of the organization. @throws ScopeIsMissing when none grants */
function granting(caller: Caller, scope: Scope): string[] {
  const granted = caller.organizations
    .map(({ id }) => id)
    .filter((organizationId) => caller.may(scope, { organizationId }) === 'yes');
  if (granted.length === 0) throw new ScopeIsMissing([scope]);
  return granted;
}

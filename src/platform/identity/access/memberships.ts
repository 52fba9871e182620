import type { Transaction } from '#libs/database';
import { AlreadyMember, TooManyOrganizations } from '../identity.errors.js';
import type { Role } from './administration.js';

/**
 * Maximum memberships of a person in organizations that they created and in others. The separate numbers prevent invitations
 * from using up the first one. Every response of `/validate` contains all memberships.
 */
export const MAX_ORGANIZATIONS = { made: 50, joined: 100 } as const;

/** $1 organization, $2 user, $3 role, $4 maximum of created ones, $5 maximum of joined ones. */
const JOIN = `
  INSERT INTO identity.membership (organization_id, user_id, role)
  SELECT o.id, $2, $3 FROM identity.organization o
   WHERE o.id = $1 AND (
     SELECT count(*) FROM identity.membership m JOIN identity.organization other ON other.id = m.organization_id
      WHERE m.user_id = $2 AND (other.created_by IS NOT DISTINCT FROM $2) = (o.created_by IS NOT DISTINCT FROM $2)
   ) < CASE WHEN o.created_by = $2 THEN $4::int ELSE $5::int END
  RETURNING role`;

/**
 * Adds a member. It locks the row of the account before counting, so that concurrent calls cannot exceed the maximum.
 */
export async function addMembership(
  transaction: Transaction,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await transaction.query('SELECT FROM identity.user_account WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const [member] = await transaction.query<{ role: Role }>(
    'SELECT role FROM identity.membership WHERE organization_id = $1 AND user_id = $2',
    [organizationId, userId],
  );
  if (member) throw new AlreadyMember();
  const { made, joined } = MAX_ORGANIZATIONS;
  const added = await transaction.query(JOIN, [organizationId, userId, role, made, joined]);
  if (added.length === 0) throw new TooManyOrganizations(made, joined);
}

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Database, Transaction } from '#libs/database';
import { emailKey } from '#libs/email-address';
import type { Actor } from '../../access/actor.js';
import { AuditLog } from '../../audit/audit-log.js';
import { PASSWORD_COST } from '../../accounts/passwords/password-hasher.js';

export const PLATFORM_ROLES = ['platform_super_admin', 'platform_admin', 'user'] as const;
/** `user`: no role on the platform. */
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

export interface RoleRequest {
  readonly email: string;
  readonly role: PlatformRole;
  /** Of a new account. */
  readonly name: string;
  /** Name of the administrative organization, if it does not exist yet. */
  readonly organization: string;
  /** Whether the role may be granted to an account that was registered with the address. */
  readonly acceptExisting: boolean;
}

export interface RoleOutcome {
  readonly userId: string;
  readonly organizationId: string;
  readonly result: 'created' | 'granted' | 'revoked' | 'unchanged';
  /** Of a new account. It is stored nowhere. */
  readonly password: string | null;
}

/** What the operator must decide or correct. */
export class RoleIsRefused extends Error {}

interface Account {
  readonly id: string;
  readonly principal_type: string;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
}

const PASSWORD_BYTES = 18;
const OPERATOR: Actor = {
  type: 'operator',
  id: null,
  address: null,
  network: 'operator',
  userAgent: null,
  device: null,
};
/** Serializes this command with itself, so that two that are started at once make one organization. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('identity.platform-administration', 0))`;

/**
 * Grants or revokes a role on the platform. Repeating it has no effect. A revoked role is refused from the next request on, because
 * services validate every request.
 */
export async function setPlatformRole(database: Database, request: RoleRequest): Promise<RoleOutcome> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const passwordHash = await hash(password, PASSWORD_COST);
  return database.transaction(async (transaction) => {
    await transaction.query(LOCK);
    const account = await accountOf(transaction, request.email);
    if (request.role === 'user') return revoke(transaction, request, account);
    const organizationId = await ensureOrganization(transaction, request.organization);
    if (!account) {
      const userId = await addAccount(transaction, request, passwordHash);
      await join(transaction, userId, organizationId, request.role);
      return { userId, organizationId, result: 'created', password };
    }
    mayBeGranted(account, request);
    const joined = await join(transaction, account.id, organizationId, request.role);
    const isUnchanged = !joined && account.principal_type === request.role;
    if (!isUnchanged) await setType(transaction, account.id, organizationId, request.role);
    const result = isUnchanged ? 'unchanged' : 'granted';
    return { userId: account.id, organizationId, result, password: null };
  });
}

async function accountOf(transaction: Transaction, email: string): Promise<Account | undefined> {
  const [account] = await transaction.query<Account>(
    `SELECT id, principal_type, disabled_at, created_at FROM identity.user_account
      WHERE email_key = $1 FOR NO KEY UPDATE`,
    [emailKey(email)],
  );
  return account;
}

/** Addresses are not verified at registration: anybody can have registered one before its owner. */
function mayBeGranted(account: Account, { email, acceptExisting }: RoleRequest): void {
  if (account.disabled_at) throw new RoleIsRefused(`The account of ${email} is disabled.`);
  const isAdministrator = account.principal_type.startsWith('platform_');
  if (isAdministrator || acceptExisting) return;
  throw new RoleIsRefused(
    `${email} has an account since ${account.created_at.toISOString()} (${account.id}). If it belongs to the person, repeat the command with --existing.`,
  );
}

async function ensureOrganization(transaction: Transaction, name: string): Promise<string> {
  const [known] = await transaction.query<{ id: string }>(
    'SELECT id FROM identity.organization WHERE administrative',
  );
  if (known) return known.id;
  const id = randomUUIDv7();
  await transaction.query(
    'INSERT INTO identity.organization (id, name, administrative) VALUES ($1, $2, true)',
    [id, name],
  );
  await transaction.query(
    `INSERT INTO identity.organization_service_access (organization_id, service_id)
     SELECT $1, id FROM identity.service WHERE granted_to_new_organizations`,
    [id],
  );
  await record(transaction, 'organization_created', id, null, { administrative: true });
  return id;
}

async function addAccount(
  transaction: Transaction,
  { email, name, role }: RoleRequest,
  passwordHash: string,
): Promise<string> {
  const id = randomUUIDv7();
  await transaction.query(
    `INSERT INTO identity.user_account (id, email, email_key, name, password_hash, principal_type)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, email, emailKey(email), name, passwordHash, role],
  );
  await record(transaction, 'user_created', null, id, { role });
  return id;
}

/** @returns whether the person was no member before */
async function join(
  transaction: Transaction,
  userId: string,
  organizationId: string,
  role: PlatformRole,
): Promise<boolean> {
  const added = await transaction.query(
    `INSERT INTO identity.membership (organization_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, organization_id) DO NOTHING RETURNING role`,
    [organizationId, userId, role === 'platform_super_admin' ? 'owner' : 'admin'],
  );
  if (added.length > 0) await record(transaction, 'member_added', organizationId, userId, { role });
  return added.length > 0;
}

async function setType(
  transaction: Transaction,
  userId: string,
  organizationId: string,
  role: PlatformRole,
): Promise<void> {
  await transaction.query('UPDATE identity.user_account SET principal_type = $2 WHERE id = $1', [
    userId,
    role,
  ]);
  await record(transaction, 'platform_role_changed', organizationId, userId, { role });
}

async function revoke(
  transaction: Transaction,
  { email }: RoleRequest,
  account: Account | undefined,
): Promise<RoleOutcome> {
  if (!account) throw new RoleIsRefused(`${email} has no account.`);
  const [organization] = await transaction.query<{ id: string }>(
    'SELECT id FROM identity.organization WHERE administrative',
  );
  const organizationId = organization?.id ?? '';
  const outcome = { userId: account.id, organizationId, password: null };
  if (!account.principal_type.startsWith('platform_')) return { ...outcome, result: 'unchanged' };
  await setType(transaction, account.id, organizationId, 'user');
  await transaction.query(
    'DELETE FROM identity.membership m USING identity.organization o WHERE o.id = m.organization_id AND o.administrative AND m.user_id = $1',
    [account.id],
  );
  await record(transaction, 'member_removed', organizationId, account.id, {});
  return { ...outcome, result: 'revoked' };
}

function record(
  transaction: Transaction,
  action:
    'organization_created' | 'user_created' | 'member_added' | 'member_removed' | 'platform_role_changed',
  organizationId: string | null,
  userId: string | null,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target =
    userId === null ? { type: 'organization', id: organizationId ?? '' } : { type: 'user', id: userId };
  return new AuditLog().record(transaction, {
    action,
    actor: OPERATOR,
    organizationId,
    subjectId: userId,
    target,
    details,
  });
}

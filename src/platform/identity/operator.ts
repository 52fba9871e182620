import { parseArgs } from 'node:util';
import { isEmail } from 'class-validator';
import type { Environment } from '#libs/config';
import { Database, withDataSource } from '#libs/database';
import { databaseOf, NAME } from '#libs/http';
import { identityService } from './service.js';
import {
  PLATFORM_ROLES,
  type PlatformRole,
  RoleIsRefused,
  type RoleOutcome,
  type RoleRequest,
  setPlatformRole,
} from './organizations/platform-roles/platform-roles.js';
import { normalisedEmail } from './dto/emails.js';

const USAGE =
  'Usage: npm run identity:admin -- --email ADDRESS [--role platform_super_admin|platform_admin|user] [--name NAME] [--organization NAME] [--existing]';

/**
 * The command `npm run identity:admin`: grants or revokes a role on the platform, in the database of identity.
 * @returns lines to print; one of them is the password of a new account
 */
export async function administerPlatform(
  environment: Environment,
  args: readonly string[],
): Promise<readonly string[]> {
  const request = readRequest(args);
  const settings = databaseOf(identityService, environment);
  const outcome = await withDataSource(settings, (dataSource) =>
    setPlatformRole(new Database(dataSource), request),
  );
  return linesOf(request, outcome);
}

function readRequest(args: readonly string[]): RoleRequest {
  const { email, role, name, organization, existing } = valuesOf(args);
  const address = normalisedEmail(email ?? '');
  if (!isEmail(address) || address.length > 254)
    throw new RoleIsRefused(`--email must be the address of a person. ${USAGE}`);
  const known = PLATFORM_ROLES.find((one) => one === role);
  if (!known) throw new RoleIsRefused(`--role must be ${PLATFORM_ROLES.join(', ')}. ${USAGE}`);
  for (const [option, value] of Object.entries({ name, organization }))
    if (!NAME.test(value))
      throw new RoleIsRefused(`--${option} must be 1 to 120 visible characters. ${USAGE}`);
  return { email: address, role: known, name, organization, acceptExisting: existing };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        email: { type: 'string' },
        role: { type: 'string', default: 'platform_super_admin' satisfies PlatformRole },
        name: { type: 'string', default: 'Platform administrator' },
        organization: { type: 'string', default: 'Platform administration' },
        existing: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new RoleIsRefused(`${(error as Error).message.split('. ')[0]}. ${USAGE}`);
  }
}

function linesOf({ email, role }: RoleRequest, outcome: RoleOutcome): string[] {
  const { result, userId, organizationId, password } = outcome;
  const said = {
    created: `Created the account ${email} (${userId}) with the role ${role}.`,
    granted: `${email} (${userId}) has the role ${role}.`,
    revoked: `${email} (${userId}) has no role on the platform any more, effective with the next request.`,
    unchanged: `Nothing to change: ${email} (${userId}) ${role === 'user' ? 'has no role on the platform' : `has the role ${role}`}.`,
  }[result];
  const where = role === 'user' ? [] : [`Administrative organization: ${organizationId}`];
  const shown =
    password === null ? [] : [`Password, shown only now: ${password}`, 'Change it after the first sign-in.'];
  return [said, ...where, ...shown];
}

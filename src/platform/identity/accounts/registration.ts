import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { emailKey } from '#libs/email-address';
import { MAX_NAME, RequestIsNotValid } from '#libs/http';
import type { Actor } from '../access/actor.js';
import { AuditLog } from '../audit/audit-log.js';
import { PasswordIsTooCommon } from '../identity.errors.js';
import { Organizations } from '../organizations/organizations.js';
import { FamiliarNetworks } from './limits/familiar-networks.js';
import { isCommonPassword } from './passwords/common-passwords.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Sessions } from './sessions/sessions.js';
import type { RegisterDto } from './accounts.dto.js';
import { UserAccounts } from './user-accounts.js';

/** Creates an account, optionally an organization, and a session. */
@Injectable()
export class Registration {
  constructor(
    private readonly database: Database,
    private readonly accounts: UserAccounts,
    private readonly organizations: Organizations,
    private readonly sessions: Sessions,
    private readonly passwords: PasswordHasher,
    private readonly familiar: FamiliarNetworks,
    private readonly audit: AuditLog,
  ) {}

  async register(request: RegisterDto, visitor: Actor) {
    const organization = organizationAskedFor(request);
    if (isCommonPassword(request.password, request.email)) throw new PasswordIsTooCommon('#/password');
    const passwordHash = await this.passwords.hash(request.password, { name: visitor.network });
    return this.database.transaction(async (transaction) => {
      const { email, name } = request;
      const id = randomUUIDv7();
      const key = emailKey(email);
      const user = await this.accounts.add(transaction, { id, email, name, passwordHash, emailKey: key });
      await this.familiar.add(transaction, id, key, [visitor.network]);
      const actor: Actor & { id: string } = { ...visitor, type: 'user', id };
      const target = { type: 'user', id };
      await this.audit.record(transaction, {
        action: 'user_created',
        actor,
        organizationId: null,
        subjectId: id,
        target,
      });
      const made = organization && (await this.organizations.add(transaction, organization, actor));
      const tokens = await this.sessions.open(transaction, user, visitor);
      return { user, tokens, organization: made ?? null };
    });
  }
}

function organizationAskedFor(request: RegisterDto) {
  const { createOrganization, organizationName, developerWorkspace = false } = request;
  const wanted = createOrganization ?? organizationName !== undefined;
  if (wanted) return { name: organizationName ?? namedAfter(request.name), developerWorkspace };
  if (!developerWorkspace) return undefined;
  const detail = 'a developer workspace is an organization: send createOrganization as true too';
  throw new RequestIsNotValid([{ pointer: '#/developerWorkspace', code: 'needs_organization', detail }]);
}

/** `trim` removes a space at the cut, as `IsName` does. */
const namedAfter = (person: string) => [...`${person}’s organization`].slice(0, MAX_NAME).join('').trim();

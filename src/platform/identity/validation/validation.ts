import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Credentials, ValidatedCaller, ValidatedOrganization } from '#libs/platform-client';
import { isShapedLikeApiKey } from '../secrets/api-key-secret.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { isShapedLikeSecret } from '../secrets/secrets.js';
import type { CredentialRow } from './validate.statement.js';
import { VALIDATE } from './validate.statement.js';

/** A definite yes; `service` is null when none was asked about, or none has the slug. */
export type Validated = Omit<ValidatedCaller, 'service'> & {
  readonly service: ValidatedCaller['service'] | null;
};

/** Whose credentials these are, as of now. The only judge of tokens and keys. */
@Injectable()
export class Validation {
  constructor(
    private readonly database: Database,
    private readonly hasher: SecretHasher,
  ) {}

  /** null: a definite no. Credentials that came together must both be valid, and agree on the organization. */
  async validate(credentials: Partial<Credentials>): Promise<Validated | null> {
    const bearer = bearerToken(credentials.authorization);
    const key = credentials.apiKey;
    if (credentials.authorization !== undefined && !bearer) return null;
    if (key !== undefined && !isShapedLikeApiKey(key)) return null;
    if (!bearer && !key) return null;
    const rows = await this.database.query<CredentialRow>(VALIDATE, [
      bearer ? this.hasher.candidates(bearer) : [],
      key ? this.hasher.candidates(key) : [],
      credentials.service ?? null,
    ]);
    const ofBearer = rows.find(({ credential }) => credential === 'bearer');
    const ofKey = rows.find(({ credential }) => credential === 'key');
    if ((bearer && !ofBearer) || (key && !ofKey)) return null;
    const organizations = ofBearer && ofKey ? inBoth(ofBearer, ofKey) : (ofBearer ?? ofKey)?.organizations;
    const row = ofBearer ?? ofKey;
    return row && organizations ? answer(row, organizations, credentials.service, earliest(rows)) : null;
  }
}

/** The token of an `Authorization` header of the bearer scheme; undefined for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1];
  return token && isShapedLikeSecret(token) ? token : undefined;
}

/** What both may do, in the key's organization only; undefined when the bearer has no part in it. */
function inBoth(bearer: CredentialRow, key: CredentialRow): ValidatedOrganization[] | undefined {
  const granted = key.organizations[0];
  const own = bearer.organizations.find(({ id }) => id === granted?.id);
  if (!granted || !own) return undefined;
  const scopes = own.scopes.filter((scope) => granted.scopes.includes(scope));
  const brandIds =
    own.brandIds && granted.brandIds
      ? own.brandIds.filter((id) => granted.brandIds?.includes(id))
      : (own.brandIds ?? granted.brandIds);
  return [{ ...own, scopes, brandIds }];
}

/** Credentials that came together are good for as long as both are. */
function earliest(rows: readonly CredentialRow[]): string | null {
  const ends = rows.flatMap(({ expires_at }) => (expires_at ? [expires_at.toISOString()] : []));
  return ends.sort()[0] ?? null;
}

function answer(
  row: CredentialRow,
  organizations: readonly ValidatedOrganization[],
  slug: string | undefined,
  expiresAt: string | null,
): Validated {
  const { id, type, name, email } = row;
  return {
    expiresAt,
    principal: { id, type, name, email },
    user: {
      ...{ id, name, email, principalType: row.principal_type, principalServices: row.principal_services },
      ...{ launcherEligible: row.launcher_eligible, selectedHouseholdId: null, selectedHousehold: null },
    },
    service: row.service_id && slug ? { id: row.service_id, slug } : null,
    organizations,
  };
}

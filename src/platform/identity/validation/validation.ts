import { Injectable } from '@nestjs/common';
import type { Statement } from '#libs/database';
import { Database } from '#libs/database';
import type { Credentials, ValidatedCaller, ValidatedOrganization } from '#libs/platform-client';
import { API_KEY_PREFIX, isShapedLikeApiKey } from '../secrets/api-key-secret.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { ACCESS_TOKEN, isShapedLikeSecret, SERVICE_TOKEN } from '../secrets/secrets.js';
import type { CredentialRow } from './validate.statement.js';
import {
  TOUCH_KEY,
  TOUCH_SESSION,
  VALIDATE_KEY,
  VALIDATE_PERSON,
  VALIDATE_PRINCIPAL,
} from './validate.statement.js';

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
    const found: CredentialRow[] = [];
    for (const secret of [bearer, key]) {
      if (!secret) continue;
      const row = await this.find(secret, credentials.service);
      if (!row) return null;
      found.push(row);
    }
    const [row, second] = found;
    const organizations = row && second ? inBoth(row, second) : row?.organizations;
    return row && organizations ? answer(row, organizations, credentials.service, earliest(found)) : null;
  }

  /** Under the newest key of the hashes first; most secrets were stored under it. */
  private async find(secret: string, service: string | undefined): Promise<CredentialRow | undefined> {
    const kind = KINDS.find(({ prefix }) => secret.startsWith(prefix));
    if (!kind) return undefined;
    for (const candidate of this.hasher.candidates(secret)) {
      const values = [candidate, service ?? null];
      const [row] = await this.database.query<CredentialRow>(kind.statement, values);
      if (row?.touch && kind.touch) await this.database.query(kind.touch, [row.touch]);
      if (row) return row;
    }
    return undefined;
  }
}

interface Kind {
  readonly prefix: string;
  readonly statement: Statement;
  /** Notes when it was last used, once a minute: reading is not to become writing. */
  readonly touch?: Statement;
}

const KINDS: readonly Kind[] = [
  { prefix: ACCESS_TOKEN, statement: VALIDATE_PERSON, touch: TOUCH_SESSION },
  { prefix: SERVICE_TOKEN, statement: VALIDATE_PRINCIPAL },
  { prefix: API_KEY_PREFIX, statement: VALIDATE_KEY, touch: TOUCH_KEY },
];

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
      id,
      name,
      email,
      principalType: row.principal_type,
      principalServices: row.principal_services,
      launcherEligible: row.launcher_eligible,
      selectedHouseholdId: null,
      selectedHousehold: null,
    },
    service: row.service_id && slug ? { id: row.service_id, slug } : null,
    organizations,
  };
}

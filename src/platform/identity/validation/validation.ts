import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '#libs/database';
import {
  API_KEY_PREFIX,
  type Credentials,
  type ValidatedCaller,
  type ValidatedOrganization,
} from '#libs/platform-client';
import { isShapedLikeApiKey } from '../credentials/api-key-secret.js';
import { SecretHasher } from '../credentials/secret-hasher.js';
import { ACCESS_TOKEN, isShapedLikeSecret, SERVICE_TOKEN } from '../credentials/secrets.js';
import {
  type CredentialRow,
  TOUCH_KEY,
  TOUCH_SESSION,
  VALIDATE_KEY,
  VALIDATE_PERSON,
  VALIDATE_PRINCIPAL,
} from './validate.statement.js';

/** A caller with accepted credentials; `service` is null when none was requested or the slug is unknown. */
export type Validated = Omit<ValidatedCaller, 'service'> & {
  readonly service: ValidatedCaller['service'] | null;
};

/** Validates tokens and keys; no other code does. */
@Injectable()
export class Validation {
  constructor(
    private readonly database: Database,
    private readonly hasher: SecretHasher,
  ) {}

  /** null for refused credentials. A bearer and a key together must both be valid and belong to the same organization. */
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
    const organizations = row && second ? intersectOrganizations(row, second) : row?.organizations;
    return row && organizations
      ? {
          ...validatedOf(row, organizations, credentials.service, earliestExpiry(found)),
          apiKeyId: second?.id,
        }
      : null;
  }

  /** Forged secrets need no lookup: their tag was created with no key. */
  private async find(secret: string, service: string | undefined): Promise<CredentialRow | undefined> {
    const kind = KINDS.find(({ prefix }) => secret.startsWith(prefix));
    if (!kind) return undefined;
    const hash = this.hasher.hashOf(secret);
    if (!hash) return undefined;
    const [row] = await this.database.query<CredentialRow>(kind.statement, [hash, service ?? null]);
    if (row?.touch && kind.touch) await this.database.query(kind.touch, [row.touch]);
    return row;
  }
}

interface CredentialKind {
  readonly prefix: string;
  readonly statement: Statement;
  /** Stores the time of last use at most once a minute, because validations outnumber all other requests. */
  readonly touch?: Statement;
}

const KINDS: readonly CredentialKind[] = [
  { prefix: ACCESS_TOKEN, statement: VALIDATE_PERSON, touch: TOUCH_SESSION },
  { prefix: SERVICE_TOKEN, statement: VALIDATE_PRINCIPAL },
  { prefix: API_KEY_PREFIX, statement: VALIDATE_KEY, touch: TOUCH_KEY },
];

/** The token of an `Authorization` header of the bearer scheme; undefined for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1];
  return token && isShapedLikeSecret(token) ? token : undefined;
}

/** The permissions of both in the organization of the key; undefined when the bearer is not in it. */
function intersectOrganizations(
  bearer: CredentialRow,
  key: CredentialRow,
): ValidatedOrganization[] | undefined {
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

/** Two credentials together expire when the first of them does. */
function earliestExpiry(rows: readonly CredentialRow[]): string | null {
  const ends = rows.flatMap(({ expires_at }) => (expires_at ? [expires_at.toISOString()] : []));
  return ends.sort()[0] ?? null;
}

function validatedOf(
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

import { randomBytes } from 'node:crypto';
import {
  type OrganizationRow,
  VALIDATE_KEY,
  VALIDATE_PERSON,
  VALIDATE_PRINCIPAL,
} from '../../src/platform/identity/validation/validate.statement.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** PostgreSQL plans each of the first five executions of a prepared statement, then may reuse a plan. */
const EXECUTIONS = 12;

const ROLES = ['owner', 'admin', 'member', 'viewer'];
const EFFECTS = ['allow', 'deny', null];
/** Organizations per role: each effect with access and without. */
const PAIRS = EFFECTS.length * 2;

const PERSON = '01890000-0000-7000-8000-000000000001';
const COLLEAGUE = '01890000-0000-7000-8000-000000000002';
const SESSION = '01890000-0000-7000-8000-000000000003';
const TOKEN = randomBytes(32);

/**
 * A person and a colleague who are in the same organizations, each role in several. Organizations of a role and services
 * are numbered; whether the organization has access to the service, and the effect of the person's overrides there, go by
 * the sum of both numbers, so that for each role and service every pair comes about, and in one organization the services
 * differ. Overridden is every other scope of a service, for the colleague to another effect: denied where nothing is for the
 * person, allowed where it is denied to the person.
 */
const STANDINGS: readonly (readonly [sql: string, values?: unknown[]])[] = [
  [
    `INSERT INTO identity.user_account (id, email, email_key, name, password_hash)
     SELECT id, id::text, id::text, 'Somebody', '' FROM unnest($1::uuid[]) id`,
    [[PERSON, COLLEAGUE]],
  ],
  [
    `INSERT INTO identity.session (id, user_id, expires_at) VALUES ($1, $2, now() + interval '1 day')`,
    [SESSION, PERSON],
  ],
  [
    `INSERT INTO identity.access_token (hash, hash_version, session_id, expires_at)
     VALUES ($1, 1, $2, now() + interval '1 day')`,
    [TOKEN, SESSION],
  ],
  [
    `CREATE TABLE standing AS SELECT gen_random_uuid() AS organization_id, role, n
       FROM unnest($1::text[]) role, generate_series(1, $2::int) n`,
    [ROLES, PAIRS],
  ],
  [
    `CREATE TABLE part AS SELECT organization_id, role, service.id AS service_id,
            ($1::text[])[1 + (standing.n + service.n) % 3] AS effect,
            ($1::text[])[1 + (standing.n + service.n + 2) % 3] AS other_effect,
            (standing.n + service.n) % 2 = 0 AS access
       FROM standing, (SELECT id, row_number() OVER (ORDER BY slug) AS n FROM identity.service) service`,
    [EFFECTS],
  ],
  [`INSERT INTO identity.organization (id, name) SELECT organization_id, role FROM standing`],
  [
    `INSERT INTO identity.membership (organization_id, user_id, role)
     SELECT organization_id, id, role FROM standing, unnest($1::uuid[]) id`,
    [[PERSON, COLLEAGUE]],
  ],
  [
    `INSERT INTO identity.organization_service_access (organization_id, service_id)
     SELECT organization_id, service_id FROM part WHERE access`,
  ],
  [
    `INSERT INTO identity.permission_override (organization_id, user_id, service_id, scope, effect)
     SELECT organization_id, user_id, service_id, scope, his.effect
       FROM part JOIN (SELECT service_id, scope, row_number() OVER (PARTITION BY service_id ORDER BY scope) AS n
                         FROM identity.permission) permission USING (service_id),
            LATERAL (VALUES ($1::uuid, part.effect), ($2::uuid, part.other_effect)) his (user_id, effect)
      WHERE permission.n % 2 = 1 AND his.effect IS NOT NULL`,
    [PERSON, COLLEAGUE],
  ],
];

describe('the preflight of a request', () => {
  let test: TestDatabase;
  // A pooler shares the sessions whose plans are counted.
  beforeAll(async () => (test = await createTestDatabase({ isDirect: true })));
  afterAll(() => test.drop());

  it.each([VALIDATE_PERSON, VALIDATE_PRINCIPAL, VALIDATE_KEY])(
    'reuses a generic plan: $name',
    async (one) => {
      await test.database.transaction(async (transaction) => {
        for (let i = 0; i < EXECUTIONS; i += 1) {
          expect(await transaction.query(one, [randomBytes(32), 'social-publishing'])).toEqual([]);
        }
        const plans = await transaction.query<{ generic_plans: string; custom_plans: string }>(
          'SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = $1',
          [one.name],
        );
        expect(plans).toEqual([{ generic_plans: '7', custom_plans: '5' }]);
      });
    },
  );

  it('returns the scopes of identity.scopes_of', async () => {
    for (const [sql, values] of STANDINGS) await test.database.query(sql, values);
    const parts = await test.database.query<Part>(
      `SELECT organization_id AS id, slug, part.role, effect, access,
              identity.scopes_of(organization_id, user_id, m.role, service_id) AS scopes
         FROM part JOIN identity.membership m USING (organization_id)
         JOIN identity.service s ON s.id = service_id WHERE user_id = $1 ORDER BY slug, organization_id`,
      [PERSON],
    );
    const services = [...new Set(parts.map(({ slug }) => slug))];
    const kinds = parts.map(({ slug, role, effect, access }) => JSON.stringify([slug, role, effect, access]));
    expect(new Set(kinds).size).toBe(services.length * ROLES.length * PAIRS);

    for (const service of services) {
      const [answer] = await test.database.query<{ organizations: OrganizationRow[] }>(VALIDATE_PERSON, [
        ...[TOKEN, service],
      ]);
      const expected = parts.filter(({ slug }) => slug === service);
      expect(answer?.organizations.map(({ id, role, scopes }) => ({ id, role, scopes }))).toEqual(
        expected.map(({ id, role, scopes }) => ({ id, role, scopes })),
      );
    }
  });
});

interface Part {
  readonly id: string;
  readonly slug: string;
  readonly role: string;
  readonly effect: 'allow' | 'deny' | null;
  readonly access: boolean;
  readonly scopes: string[];
}

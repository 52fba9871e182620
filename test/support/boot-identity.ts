import request from 'supertest';
import { type RunningService, startService } from '#libs/http';
import { identityService } from '../../src/platform/identity/service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The service token of the tests. */
export const SERVICE_TOKEN = 'a-token-of-a-service-of-the-tests-1';
export const asService = { 'X-Service-Token': SERVICE_TOKEN };

export const PASSWORD = 'correct horse battery staple';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
  /** Of the organization made with the account; '' without one. */
  readonly organizationId: string;
}

export interface BootedIdentity {
  readonly service: RunningService;
  readonly test: TestDatabase;
  readonly http: ReturnType<typeof request>;
  /** Registers a user, by default with an organization. */
  person(options?: { name?: string; organization?: boolean }): Promise<Person>;
  /** Makes the person a member, by an invitation to the user id and its acceptance. */
  join(by: Person, person: Person, role: string, organizationId?: string): Promise<void>;
  close(): Promise<void>;
}

let people = 0;

/** Identity on a free port. @param on the database to work on; a fresh one unless given */
export async function bootIdentity(
  overrides: Record<string, string> = {},
  on?: TestDatabase,
): Promise<BootedIdentity> {
  const test = on ?? (await createTestDatabase());
  const service = await startService(identityService, {
    ...test.environment,
    IDENTITY_PORT: '0',
    IDENTITY_MANAGEMENT_PORT: '0',
    IDENTITY_PEPPERS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    IDENTITY_SERVICE_TOKENS: `tests:${SERVICE_TOKEN}`,
    LOG_LEVEL: 'silent',
    ...overrides,
  });
  const http = request(service.url);
  return {
    ...{ service, test, http },
    async person({ name = 'Ada Lovelace', organization = true } = {}) {
      const email = `person${++people}@example.com`;
      const response = await http
        .post('/register')
        .send({ email, password: PASSWORD, name, createOrganization: organization })
        .expect(201);
      const { user, accessToken, refreshToken } = response.body;
      return {
        ...{ id: user.id, email, token: accessToken, refreshToken },
        organizationId: response.body.organization?.id ?? '',
      };
    },
    async join(by, person, role, organizationId = by.organizationId) {
      const { body } = await http
        .post(`/api/organizations/${organizationId}/invitations`)
        .set(bearer(by.token))
        .send({ userId: person.id, role })
        .expect(201);
      await http.post(`/api/auth/me/invitations/${body.id}/accept`).set(bearer(person.token)).expect(200);
    },
    async close() {
      await service.close();
      await test.drop();
    },
  };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

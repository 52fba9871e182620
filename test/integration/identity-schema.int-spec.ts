import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe("identity's tables", () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it.each([
    ['social-publishing', 9],
    ['contact-management', 4],
    ['workspace-launcher', 14],
    ['provider-gateway', 8],
    ['agent', 11],
  ])('hold the catalog of %s: %d scopes', async (slug, count) => {
    const rows = await test.database.query(
      'SELECT scope FROM identity.api_key_scope s JOIN identity.service ON id = service_id WHERE slug = $1',
      [slug],
    );
    expect(rows).toHaveLength(count);
  });

  it('let no audit event be changed, removed or truncated', async () => {
    await test.database.query(
      `INSERT INTO identity.audit_event (id, action, result, actor_type) VALUES (gen_random_uuid(), 'user_created', 'success', 'user')`,
    );
    const refused = /append-only/;
    await expect(test.database.query(`UPDATE identity.audit_event SET action = 'x'`)).rejects.toThrow(
      refused,
    );
    await expect(test.database.query('DELETE FROM identity.audit_event')).rejects.toThrow(refused);
    await expect(test.database.query('TRUNCATE identity.audit_event')).rejects.toThrow(refused);
  });

  it('refuse an API that claims to be launchable', async () => {
    const update = `UPDATE identity.service SET launchable = true WHERE slug = 'provider-gateway'`;
    await expect(test.database.query(update)).rejects.toThrow(/check constraint/);
  });
});

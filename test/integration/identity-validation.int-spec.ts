import { randomBytes } from 'node:crypto';
import {
  VALIDATE_KEY,
  VALIDATE_PERSON,
  VALIDATE_PRINCIPAL,
} from '../../src/platform/identity/validation/validate.statement.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

/** PostgreSQL plans a prepared statement anew for its first five executions, then decides. */
const EXECUTIONS = 12;

describe('what is asked before every request', () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());

  it.each([VALIDATE_PERSON, VALIDATE_PRINCIPAL, VALIDATE_KEY])('is not planned anew: $name', async (one) => {
    await test.database.transaction(async (transaction) => {
      for (let i = 0; i < EXECUTIONS; i += 1) {
        const values = [randomBytes(32), 'social-publishing'];
        expect(await transaction.query(one, values)).toEqual([]);
      }
      const plans = await transaction.query<{ generic_plans: string; custom_plans: string }>(
        'SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = $1',
        [one.name],
      );
      expect(plans).toEqual([{ generic_plans: '7', custom_plans: '5' }]);
    });
  });
});

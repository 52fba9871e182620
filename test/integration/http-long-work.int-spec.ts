import { jest } from '@jest/globals';
import { Database, DatabaseIsUnavailable, DatabaseModule, type Statement } from '#libs/database';
import { httpMigrations, type RunningService } from '#libs/http';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { call, type SampleResponse, script, startSample, withEffects } from './http-sample.js';

/** Work whose effect is outside of the database, and may have been paid for. */
describe('Idempotency-Key of long work', () => {
  let test: TestDatabase;
  let service: RunningService;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query(`
      CREATE SEQUENCE stored;
      CREATE FUNCTION fail_to_store() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('stored') <= TG_ARGV[1]::int THEN RAISE EXCEPTION USING ERRCODE = TG_ARGV[0]; END IF;
        RETURN NEW;
      END $$`);
    const database = DatabaseModule.forRoot({ ...test.settings, poolSize: 5 }, httpMigrations);
    service = await startSample({ RATE_LIMIT_PER_MINUTE: '0' }, withEffects(database));
  });
  beforeEach(async () => {
    await test.database.query('TRUNCATE http.idempotent_request');
    await test.database.query('ALTER SEQUENCE stored RESTART');
    await test.database.query('DROP TRIGGER IF EXISTS fail ON http.idempotent_request');
    script.calls = 0;
    script.before = async () => {};
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.close();
    await test.drop();
  });

  const post = () =>
    call(`${service.url}/effects/outside`, {
      method: 'POST',
      json: { name: 'a' },
      headers: { 'Idempotency-Key': 'key-1', Authorization: 'Bearer ann' },
    });
  const seen = ({ status, body, headers }: SampleResponse) => [
    status,
    body.calls,
    headers.get('idempotent-replayed'),
  ];
  /** The response is not stored so many times, with an SQLSTATE. */
  const failing = (sqlState: string, times: number) =>
    test.database.query(
      `CREATE TRIGGER fail BEFORE UPDATE OF response ON http.idempotent_request
       FOR EACH ROW EXECUTE FUNCTION fail_to_store('${sqlState}', ${times})`,
    );

  it('is not done again when its response is stored at the second try', async () => {
    await failing('40001', 1);
    expect(seen(await post())).toEqual([201, 1, null]);
    expect(seen(await post())).toEqual([201, 1, 'true']);
  });

  it('is not done again when the connection is lost while its response is stored', async () => {
    await failing('57P01', 2);
    expect(seen(await post())).toEqual([201, 1, null]);
    expect(seen(await post())).toEqual([201, 1, 'true']);
  });

  it('is replayed when its response was stored and the answer to that was lost', async () => {
    const database = service.app.get(Database);
    const query = database.query.bind(database);
    let losses = 1;
    jest.spyOn(database, 'query').mockImplementation(async (sql: string | Statement, values) => {
      const rows = await query(sql, values);
      const isLost = typeof sql !== 'string' && sql.name === 'http_complete_idempotent_request' && losses > 0;
      if (!isLost) return rows;
      losses -= 1;
      throw new DatabaseIsUnavailable(new Error('Connection terminated unexpectedly'));
    });
    expect(seen(await post())).toEqual([201, 1, null]);
    expect(losses).toBe(0);
    expect(seen(await post())).toEqual([201, 1, 'true']);
  });

  it('answers its caller when its response can never be stored, and frees the key', async () => {
    await failing('22P05', 1);
    expect(seen(await post())).toEqual([201, 1, null]);
    expect(seen(await post())).toEqual([201, 2, null]);
    expect(seen(await post())).toEqual([201, 2, 'true']);
  });
});

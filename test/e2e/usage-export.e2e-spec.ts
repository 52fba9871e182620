import { randomUUID } from 'node:crypto';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import request from 'supertest';
import { MEASURES } from '../../src/platform/gateway/ai/usage/rollups/measures.sql.js';
import { UsageReport } from '../../src/platform/gateway/ai/usage/report/usage-report.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { waitUntil } from '../support/wait-until.js';

/** More than several reads of the cursor. */
const GROUPS = 6_001;
/** More text than sockets hold without a reader. */
const WIDE_GROUPS = 30_000;

describe('an export of usage', () => {
  let gateway: BootedGateway;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1');
  });
  afterAll(() => gateway.close());

  const reader = (organizationId: string) => ({
    authorization: `Bearer ${gateway.identity.user({ organizations: [{ id: organizationId, scopes: ['usage.read'] }] })}`,
  });
  /** An organization with one group for each model. @param name SQL of the model `n` */
  const organizationWith = async (groups: number, name: string) => {
    const organizationId = gateway.identity.organization();
    await gateway.test.database.query(
      `INSERT INTO gateway.usage_sum (level, period, starts_on, organization_id, application_id, application, capability,
         provider, model, credential_id, ${MEASURES.join(', ')})
       SELECT 'organization', 'month', date_trunc('month', now() AT TIME ZONE 'UTC')::date, $1, $1, 'mail', 'completions',
         'openai', ${name}, $1, ${MEASURES.map(() => '1').join(', ')}
       FROM generate_series(1, $2::int) AS n`,
      [organizationId, groups],
    );
    return organizationId;
  };
  const path = '/api/usage/export?groupBy=model';

  it('has all groups once, in the order of their keys', async () => {
    const organizationId = await organizationWith(GROUPS, `lpad(n::text, 5, '0')`);
    const { text } = await request(gateway.service.url).get(path).set(reader(organizationId)).expect(200);
    const models = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(models).toEqual(
      Array.from({ length: GROUPS }, (_, index) => `openai/${String(index + 1).padStart(5, '0')}`),
    );
  });

  it('shows one moment, whatever is counted meanwhile', async () => {
    const organizationId = await organizationWith(GROUPS, 'n::text');
    const report = gateway.service.app.get(UsageReport, { strict: false });
    const moment = await report.moment();
    const month = moment.today.slice(0, 7);
    const filters = { organizationIds: [organizationId] };
    const query = { groupBy: ['model'] as const, from: `${month}-01`, to: moment.today, filters };
    let calls = 0;
    await report.each(query, moment, async (groups) => {
      calls += groups.reduce((sum, group) => sum + group.calls, 0);
      await gateway.test.database.query('UPDATE gateway.usage_sum SET calls = 9 WHERE organization_id = $1', [
        organizationId,
      ]);
    });
    expect(calls).toBe(GROUPS);
  });

  describe('whose reader takes nothing', () => {
    const open: ClientRequest[] = [];
    /** @returns the response, of which nothing is read */
    const begin = (headers: Record<string, string>) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = get(gateway.service.url + path, { headers, agent: false }, resolve);
        sent.on('error', reject);
        open.push(sent);
      });
    const cursors = async () => {
      const [row] = await gateway.test.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      return row?.count ?? 0;
    };
    afterEach(() => open.splice(0).forEach((one) => one.destroy()));

    it('takes one of few places, which are free when the reader is gone', async () => {
      const organizationId = await organizationWith(WIDE_GROUPS, `repeat(md5(n::text), 9)`);
      const [one, other] = [reader(organizationId), reader(organizationId)];
      for (const headers of [one, one, other, other]) expect((await begin(headers)).statusCode).toBe(200);
      await waitUntil(async () => (await cursors()) === 4);
      const refused = await request(gateway.service.url).get(path).set(reader(organizationId)).expect(429);
      expect(refused.body).toMatchObject({ code: 'too_many_exports' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      open.forEach((sent) => sent.destroy());
      await waitUntil(async () => (await cursors()) === 0);
      const again = await begin(reader(organizationId));
      expect(again.statusCode).toBe(200);
    });
  });

  it('tells people of all organizations apart on any number of days; pages do on seven', async () => {
    const headers = {
      authorization: `Bearer ${gateway.identity.user({
        principalType: 'platform_admin',
        organizations: [{ id: gateway.identity.organization(), isAdministrative: true }],
      })}`,
    };
    const ask = (query: string) => request(gateway.service.url).get(`/api/usage${query}`).set(headers);
    const people = (from: string) => `?groupBy=user,day&from=${from}&to=2026-03-08`;
    await ask(people('2026-03-02')).expect(200);
    const { body } = await ask(people('2026-03-01')).expect(400);
    expect(body.errors).toMatchObject([{ parameter: 'from', code: 'period_too_long' }]);
    await ask(`${people('2026-03-01')}&organizationId=${randomUUID()}`).expect(200);
    await ask(`${people('2026-03-01')}&userId=${randomUUID()}`).expect(200);
    await ask(`/export${people('2026-03-01')}`).expect(200);
  });

  it('is of the organizations of its reader only', async () => {
    await organizationWith(3, `'=' || n`);
    const { text } = await request(gateway.service.url).get(path).set(reader(randomUUID())).expect(200);
    expect(text.trimEnd().split('\r\n')).toHaveLength(1);
  });
});

import { randomBytes } from 'node:crypto';
import { SchedulerRegistry } from '@nestjs/schedule';
import { type RunningService, startService } from '#libs/http';
import { explainStatements } from '../../bench/support/blocks-read.js';
import { fillInstallation, KEY_ID } from '../../bench/support/growth/fill-installation.js';
import { PeriodicStatements } from '../../bench/support/growth/periodic-statements.js';
import { workerService } from '../../src/api/service.js';
import { type BootedIdentity, bootIdentity } from '../support/boot-identity.js';
import { sharedStorage } from '../support/object-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const [FEW, MANY] = [200, 4_000];
/** An index of more rows can have one more level; a pass over a small table reads fewer pages than it may. */
const MORE_BLOCKS = 16;

describe('what services do periodically', () => {
  let test: TestDatabase;
  let worker: RunningService;
  let identity: BootedIdentity;
  let periodic: PeriodicStatements;
  beforeAll(async () => {
    test = await createTestDatabase({ isDirect: true });
    await explainStatements(test);
    worker = await startService(workerService, {
      ...{ ...test.environment, DATABASE_POOL_SIZE: '10', WORKER_MANAGEMENT_PORT: '0' },
      LOG_LEVEL: 'silent',
      ENCRYPTION_KEYS: `${KEY_ID}:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      ...sharedStorage(),
    });
    identity = await bootIdentity({}, test);
    periodic = new PeriodicStatements(worker);
  });
  afterAll(async () => {
    await worker.close();
    await identity.service.close();
    await test.drop();
  });

  it('is all in sweeps, loops and metrics of a worker', () => {
    const scheduled = worker.app.get(SchedulerRegistry);
    expect(scheduled.getCronJobs().size).toBe(0);
    expect(scheduled.getIntervals()).toHaveLength(periodic.sweeps.length);
  });

  it('reads the same blocks with many stored rows as with few when nothing is due', async () => {
    const ofIdentity = new PeriodicStatements(identity.service, []);
    const read = async () => new Map([...(await periodic.blocks()), ...(await ofIdentity.blocks())]);
    await fillInstallation(test.database, FEW);
    const few = await read();
    await fillInstallation(test.database, MANY);
    const many = await read();
    const grown = [...many].filter(([text, blocks]) => blocks > 1.5 * (few.get(text) ?? 0) + MORE_BLOCKS);
    expect(Object.fromEntries(grown)).toEqual({});
    expect(many.size).toBeGreaterThan(40);
  });
});

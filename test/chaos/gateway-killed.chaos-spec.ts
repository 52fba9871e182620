import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Test, type TestingModule } from '@nestjs/testing';
import { EnvironmentModule } from '#libs/config';
import {
  type ChannelCall,
  GatewayClient,
  GatewayClientModule,
  type GatewayResult,
  type NewVideo,
} from '#libs/platform-client';
import { type BootedGateway, bootGateway, GATEWAY_TOKEN } from '../support/boot-gateway.js';
import { SandboxForTests } from '../support/sandbox.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';

const UNIT = 262_144;
const ENTRY = 'dist/src/platform/gateway/main.js';
const LARGE_PART = 768 * UNIT;
/** A process that buffers the part grows by all of it. */
const MAX_GROWTH = LARGE_PART / 2;
/** The large part takes seconds on a busy machine. */
const PATIENT = { NETWORK_TIMEOUT_MS: '60000' };

describe('a gateway that is killed', () => {
  let sandbox: SandboxForTests;
  let booted: BootedGateway;
  let call: ChannelCall;
  const entries: SpawnedEntry[] = [];
  const modules: TestingModule[] = [];
  let logs = '';

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
    booted = await bootGateway(`${sandbox.url}/youtube`);
    const { accessToken } = await sandbox.account('acme', {}, 'youtube');
    call = { organizationId: booted.identity.organization(), accessToken };
  });
  afterAll(async () => {
    for (const { process } of entries) process.kill('SIGKILL');
    for (const module of modules) await module.close();
    await booted.close();
    await sandbox.stop();
  });

  /** A process of its own on the same database, and a client of it. */
  const replica = async () => {
    const entry = await spawnEntry(ENTRY, { ...booted.environment, ...PATIENT, LOG_LEVEL: 'trace' });
    entries.push(entry);
    entry.process.stdout?.on('data', (lines: Buffer) => (logs += lines.toString()));
    const environment = { ...booted.client, ...PATIENT, GATEWAY_URL: entry.url };
    const imports = [EnvironmentModule.forRoot(environment), GatewayClientModule];
    const module = await Test.createTestingModule({ imports }).compile();
    modules.push(module);
    return { entry, client: module.get(GatewayClient, { strict: false }) };
  };
  const valueOf = <T>(result: GatewayResult<T>): T => {
    if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
    return result.value;
  };
  const videoOf = (bytes: number): NewVideo => ({
    title: 'How we roast',
    description: randomUUID(),
    tags: [],
    privacy: 'private',
    madeForKids: false,
    containsSyntheticMedia: false,
    bytes,
    contentType: 'video/mp4',
  });

  it('in the middle of a part leaves it in doubt, and another one continues the upload: one video, one debit', async () => {
    const bytes = randomBytes(4 * UNIT + 9);
    const { entry, client } = await replica();
    const { uploadId } = valueOf(await client.beginUpload(call, videoOf(bytes.length)));
    const part = (start: number, end: number) => ({
      uploadId,
      start,
      total: bytes.length,
      length: end - start,
    });
    valueOf(await client.sendPart(call, { ...part(0, UNIT), bytes: bytes.subarray(0, UNIT) }));
    async function* killedInside() {
      yield bytes.subarray(UNIT, UNIT + 65_536);
      const gone = new Promise((resolve) => entry.process.once('exit', resolve));
      entry.process.kill('SIGKILL');
      await gone;
      yield bytes.subarray(UNIT + 65_536, 2 * UNIT);
    }
    const lost = await client.sendPart(call, { ...part(UNIT, 2 * UNIT), bytes: killedInside });
    expect(lost.kind).toBe('no-answer');

    const { client: other } = await replica();
    expect(valueOf(await other.uploadState(call, uploadId))).toEqual({ state: 'incomplete', nextByte: UNIT });
    const rest = { ...part(UNIT, bytes.length), bytes: bytes.subarray(UNIT) };
    const done = valueOf(await other.sendPart(call, rest));
    expect(done.state).toBe('complete');
    expect(await sandbox.ledger('?kind=post.created')).toHaveLength(1);
    const [debit] = await booted.test.database.query(
      'SELECT call, units::int, state FROM gateway.video_quota_entry WHERE organization_id = $1',
      [call.organizationId],
    );
    expect(debit).toEqual({ call: 'videos.insert', units: 1, state: 'done' });
  });

  it('and others have logged no token and no address of an upload', () => {
    expect(logs).toContain('/api/video/youtube/uploads');
    expect(logs).not.toContain(call.accessToken);
    expect(logs).not.toContain(GATEWAY_TOKEN);
    expect(logs).not.toContain('upload_id');
  });

  it('streams a part of 200 MB instead of holding it', async () => {
    const { entry, client } = await replica();
    const { uploadId } = valueOf(await client.beginUpload(call, videoOf(LARGE_PART + 1)));
    const before = await residentBytes(entry);
    const chunk = Buffer.alloc(UNIT);
    async function* large() {
      for (let sent = 0; sent < LARGE_PART; sent += UNIT) yield await Promise.resolve(chunk);
    }
    const part = { uploadId, start: 0, total: LARGE_PART + 1, length: LARGE_PART, bytes: large };
    expect(valueOf(await client.sendPart(call, part))).toEqual({ state: 'incomplete', nextByte: LARGE_PART });
    expect((await residentBytes(entry)) - before).toBeLessThan(MAX_GROWTH);
  });
});

/** The most that the process has held so far. */
async function residentBytes({ process }: SpawnedEntry): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

import { randomBytes, randomUUID } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { EnvironmentModule } from '#libs/config';
import {
  type ChannelCall,
  GatewayClient,
  GatewayClientModule,
  type GatewayResult,
  type NewVideo,
  type UploadState,
  type VideoChannel,
} from '#libs/platform-client';
import { FakeGateway } from '#libs/platform-client/testing';
import { bootGateway } from '../support/boot-gateway.js';
import { GoogleApi } from '../support/google-api.js';
import { answerAsYoutube } from '../support/youtube-in-memory.js';

const UNIT = 262_144;
const CHANNEL: VideoChannel = {
  id: 'UC1',
  title: 'Acme',
  handle: '@acme',
  thumbnailUrl: 'http://thumbnail/1',
};

/** What the suite requires of a gateway, fake or real. */
interface World {
  readonly client: GatewayClient;
  /** @returns the access token of a new account */
  account(channel: VideoChannel | null): string;
  /** @returns the id of a new organization */
  organization(): string;
  /** The bytes of every published video, in order. */
  published(): Buffer[];
  setQuota(calls: number): Promise<void>;
  endUploads(): void;
  close(): Promise<void>;
}

/** The contract of the gateway for services. The fake must pass it too. */
function describeGatewayContract(name: string, open: () => Promise<World>): void {
  describe(`${name}, as a gateway`, () => {
    let world: World;
    let call: ChannelCall;
    const bytes = randomBytes(2 * UNIT + 77);
    const video: NewVideo = {
      title: 'How we roast',
      description: '',
      tags: [],
      privacy: 'private',
      madeForKids: false,
      containsSyntheticMedia: false,
      bytes: bytes.length,
      contentType: 'video/mp4',
    };

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(() => {
      call = { organizationId: world.organization(), accessToken: world.account(CHANNEL) };
    });

    const valueOf = <T>(result: GatewayResult<T>): T => {
      if (result.kind !== 'answered') throw new Error(result.kind);
      return result.value;
    };
    const begin = async () => valueOf(await world.client.beginUpload(call, video)).uploadId;
    const send = (uploadId: string, start: number, end: number, maySend?: () => boolean) =>
      world.client.sendPart(call, {
        ...{ uploadId, start, total: bytes.length, length: end - start, maySend },
        bytes: bytes.subarray(start, end),
      });
    const stateOf = async (uploadId: string): Promise<UploadState> =>
      valueOf(await world.client.uploadState(call, uploadId));

    it('is configured', () => expect(world.client.isConfigured).toBe(true));

    it('returns the channel of a token, and none where there is none', async () => {
      expect(valueOf(await world.client.channel(call))).toEqual(CHANNEL);
      const without = { ...call, accessToken: world.account(null) };
      expect(valueOf(await world.client.channel(without))).toBeNull();
    });

    it('passes on that a token is refused', async () => {
      const refused = { kind: 'refused', status: 401, reason: 'authError', retryAfterMs: null };
      expect(await world.client.channel({ ...call, accessToken: 'expired' })).toEqual(refused);
      const uploadId = await begin();
      call = { ...call, accessToken: 'expired' };
      expect(await send(uploadId, 0, UNIT)).toEqual(refused);
    });

    it('publishes with the last part, and each byte once', async () => {
      const uploadId = await begin();
      const before = world.published().length;
      expect(valueOf(await send(uploadId, 0, UNIT))).toEqual({ state: 'incomplete', nextByte: UNIT });
      expect(await stateOf(uploadId)).toEqual({ state: 'incomplete', nextByte: UNIT });
      expect(valueOf(await send(uploadId, 0, UNIT))).toEqual({ state: 'incomplete', nextByte: UNIT });
      async function* streamed() {
        for (let start = UNIT; start < 2 * UNIT; start += 65_536)
          yield await Promise.resolve(bytes.subarray(start, start + 65_536));
      }
      const part = { uploadId, start: UNIT, total: bytes.length, length: UNIT, bytes: streamed };
      expect(valueOf(await world.client.sendPart(call, part))).toEqual({
        state: 'incomplete',
        nextByte: 2 * UNIT,
      });
      expect(world.published()).toHaveLength(before);
      const last = valueOf(await send(uploadId, 2 * UNIT, bytes.length));
      expect(last).toEqual({ state: 'complete', video: { id: expect.any(String), privacy: 'private' } });
      expect(await stateOf(uploadId)).toEqual(last);
      expect(world.published().slice(before)).toEqual([bytes]);
    });

    it('sends nothing when the sender lost its right to', async () => {
      const uploadId = await begin();
      expect(await send(uploadId, 0, UNIT, () => false)).toEqual({ kind: 'withheld' });
      expect(await stateOf(uploadId)).toEqual({ state: 'incomplete', nextByte: 0 });
    });

    it('knows an upload for its organization only', async () => {
      const uploadId = await begin();
      call = { ...call, organizationId: world.organization() };
      expect(await send(uploadId, 0, UNIT)).toEqual({ kind: 'gone' });
      expect(await world.client.uploadState(call, uploadId)).toEqual({ kind: 'gone' });
    });

    it('refuses parts that the provider would not take', async () => {
      const uploadId = await begin();
      const refused = { kind: 'refused', status: 400, reason: 'part_not_valid', retryAfterMs: null };
      expect(await send(uploadId, 0, 1_000)).toEqual(refused);
    });

    it('reports an upload that the provider ended', async () => {
      const uploadId = await begin();
      world.endUploads();
      expect(await send(uploadId, 0, UNIT)).toEqual({ kind: 'gone' });
      expect(await world.client.uploadState(call, uploadId)).toEqual({ kind: 'gone' });
    });

    it('refuses calls when the quota is used up, without asking the provider', async () => {
      const uploadId = await begin();
      await world.setQuota(0);
      for (const result of [await world.client.channel(call), await world.client.beginUpload(call, video)])
        expect(result).toEqual({ kind: 'exhausted', retryAfterMs: expect.any(Number) });
      expect((await send(uploadId, 0, UNIT)).kind).toBe('answered');
      await world.setQuota(100);
    });
  });
}

describeGatewayContract('the fake', () => {
  const client = new FakeGateway();
  return Promise.resolve({
    client,
    account: (channel) => client.account(channel),
    organization: () => randomUUID(),
    published: () => client.published.map(({ bytes }) => bytes),
    setQuota(calls) {
      client.quota = calls;
      return Promise.resolve();
    },
    endUploads: () => client.endUploads(),
    close: () => Promise.resolve(),
  });
});

describeGatewayContract('the real one behind its client', async () => {
  const google = await GoogleApi.start();
  const youtube = answerAsYoutube(google);
  const gateway = await bootGateway(google.url);
  const module = await Test.createTestingModule({
    imports: [EnvironmentModule.forRoot(gateway.client), GatewayClientModule],
  }).compile();
  return {
    client: module.get(GatewayClient, { strict: false }),
    account: (channel) => youtube.account(channel),
    organization: () => gateway.identity.organization(),
    published: () => youtube.published,
    async setQuota(calls) {
      await gateway.test.database.query(
        `UPDATE gateway.video_quota SET used = CASE bucket WHEN 'uploads' THEN 100 ELSE 10000 END - $1::bigint`,
        [calls],
      );
    },
    endUploads: () => youtube.endUploads(),
    async close() {
      await module.close();
      await gateway.close();
      await google.stop();
    },
  };
});

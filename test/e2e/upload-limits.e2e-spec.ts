import { connect, type Socket } from 'node:net';
import type { RunningService } from '#libs/http';
import { setting } from '#libs/config/testing';
import { UploadsConfig } from '#libs/uploads';
import { AttachmentsConfig } from '../../src/contacts/contacts.config.js';
import { BusinessApi } from '../support/business-api.js';
import { ask } from '../support/call.js';
import { type ContactOwner, createContactOwner, statusAndCode } from '../support/contact-owners.js';
import { waitUntil } from '../support/wait-until.js';

const QUOTA = 3_500;

describe('uploads', () => {
  let api: BusinessApi;
  let replica: RunningService;
  let hasty: RunningService;
  let keeper: Uploader;
  let sockets: Sender[] = [];
  let drips: NodeJS.Timeout[] = [];

  /** A person with a contact of their own. */
  type Uploader = ContactOwner & { readonly token: string };
  const anUploader = async (): Promise<Uploader> => {
    const one = await createContactOwner(api);
    const organizations = [{ id: one.world.organizationId }];
    return { ...one, token: api.identity.user({ organizations }) };
  };

  beforeAll(async () => {
    const two = [setting(UploadsConfig, { perCaller: 2 })];
    api = await BusinessApi.start({ STORAGE_QUOTA_BYTES: String(QUOTA) }, undefined, two);
    replica = await api.replica({ UPLOADS_PER_PROCESS: '3' }, two);
    hasty = await api.replica({}, [
      ...two,
      setting(UploadsConfig, { deadlineMs: 2_500 }),
      setting(AttachmentsConfig, { stallMs: 500 }),
    ]);
  });
  beforeEach(async () => {
    keeper = await anUploader();
  });
  afterEach(async () => {
    for (const timer of drips) clearInterval(timer);
    for (const { socket } of sockets) socket.destroy();
    [sockets, drips] = [[], []];
    // Slots of those that hung up are free again.
    await waitUntil(async () => (await leases()) === 0);
  });
  afterAll(async () => {
    await replica.close();
    await hasty.close();
    await api.stop();
  });

  const leases = async () =>
    (await api.test.database.query(`SELECT FROM due_work.lease WHERE key LIKE 'upload:%'`)).length;
  const counted = async () => {
    const sql = 'SELECT bytes::int FROM uploads.storage_use WHERE organization_id = $1';
    const [row] = await api.test.database.query<{ bytes: number }>(sql, [keeper.world.organizationId]);
    return row?.bytes;
  };
  const attach = (bytes: number, url = replica.url, { token, contactId } = keeper) => {
    const body = new FormData();
    body.append('file', new Blob([Buffer.alloc(bytes, 'x')]), 'x.bin');
    const headers = { authorization: `Bearer ${token}` };
    return ask(`${url}/api/contacts/${contactId}/attachments`, { method: 'POST', body, headers });
  };

  interface Sender {
    readonly socket: Socket;
    heard: string;
  }

  /** An upload that has begun and sends only what it is told to. */
  const begin = (path = `/api/contacts/${keeper.contactId}/attachments`, url = api.service.url): Sender => {
    const { hostname, port, host } = new URL(url);
    const sender: Sender = { socket: connect(Number(port), hostname), heard: '' };
    sockets.push(sender);
    sender.socket.on('data', (chunk: Buffer) => (sender.heard += chunk.toString()));
    sender.socket.on('error', () => undefined);
    sender.socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `host: ${host}`,
        `authorization: Bearer ${keeper.token}`,
        'content-type: multipart/form-data; boundary=b',
        'content-length: 60000',
        '',
        '--b',
        'Content-Disposition: form-data; name="file"; filename="x.bin"',
        '',
        '',
      ].join('\r\n'),
    );
    return sender;
  };
  const answerOf = async (sender: Sender): Promise<string> => {
    await waitUntil(() => sender.heard.includes('}'));
    const code = /"code":"(\w+)"/.exec(sender.heard)?.[1];
    return `${sender.heard.slice(9, 12)} ${code}`;
  };
  const drip = (sender: Sender, bytes: number) => {
    drips.push(setInterval(() => sender.socket.write('x'.repeat(bytes)), 50));
  };

  it.each(['attachments', 'imports'])(
    'of one caller are a few at a time over all replicas: %s',
    async (kind) => {
      const path = kind === 'imports' ? '/api/contacts/import' : undefined;
      begin(path);
      begin(path, replica.url);
      await waitUntil(async () => (await leases()) === 2);
      const third = begin(path);
      expect(await answerOf(third)).toBe('429 too_many_uploads');
      expect(third.heard).toMatch(/^retry-after: 5\r$/im);
      const other = await anUploader();
      expect((await attach(10, api.service.url, other)).status).toBe(201);
      for (const { socket } of sockets) socket.destroy();
      await waitUntil(async () => (await leases()) === 0);
      expect((await attach(10, api.service.url)).status).toBe(201);
    },
  );

  it('of all callers share one limit per process', async () => {
    for (let at = 0; at < 3; at++) {
      keeper = await anUploader();
      begin(undefined, replica.url);
    }
    await waitUntil(async () => (await leases()) === 3);
    const other = await anUploader();
    expect(statusAndCode(await attach(10, replica.url, other))).toEqual([503, 'uploads_busy']);
    expect((await attach(10, api.service.url, other)).status).toBe(201);
  });

  it('are aborted when they are too slow, even without a stall', async () => {
    const sender = begin(undefined, hasty.url);
    drip(sender, 1);
    expect(await answerOf(sender)).toBe('408 upload_too_slow');
  });

  it('are aborted after the maximum duration, independent of their throughput', async () => {
    const sender = begin(undefined, hasty.url);
    drip(sender, 200);
    expect(await answerOf(sender)).toBe('408 upload_deadline_exceeded');
  });

  it('never exceed the quota of an organization, also when they end concurrently on two replicas', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => attach(1_000, at % 2 ? replica.url : api.service.url)),
    );
    const added = answers.filter(({ status }) => status === 201);
    expect(added.length).toBeLessThanOrEqual(3);
    const refusals = answers.filter(({ status }) => status !== 201).map(statusAndCode);
    for (const refusal of refusals)
      expect([
        [413, 'storage_quota_exceeded'],
        [429, 'too_many_uploads'],
        [503, 'uploads_busy'],
      ]).toContainEqual(refusal);
    expect(await counted()).toBe(1_000 * added.length);
    for (let at = added.length; at < 3; at++) expect((await attach(1_000)).status).toBe(201);
    expect(statusAndCode(await attach(501))).toEqual([413, 'storage_quota_exceeded']);
    expect((await attach(500)).status).toBe(201);
    expect(await counted()).toBe(QUOTA);
  });

  it('do not count files of another organization, nor deleted or erased files', async () => {
    const { id } = (await attach(QUOTA)).body as { id: string };
    expect((await attach(QUOTA, replica.url, await anUploader())).status).toBe(201);
    expect(statusAndCode(await attach(1))).toEqual([413, 'storage_quota_exceeded']);
    expect((await keeper.call('DELETE', `/api/attachments/${id}`)).status).toBe(200);
    expect(await counted()).toBe(0);
    for (const bytes of [1_000, 2_000]) expect((await attach(bytes)).status).toBe(201);
    await keeper.world.as('owner')('DELETE', `/api/contacts/${keeper.contactId}?erase=true`);
    expect(await counted()).toBe(0);
  });
});

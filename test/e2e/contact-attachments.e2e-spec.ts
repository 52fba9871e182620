import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { setting } from '#libs/config/testing';
import { AttachmentsConfig } from '../../src/contacts/contacts.config.js';
import { BusinessApi } from '../support/business-api.js';
import { type ApiResponse, ask, type Call } from '../support/call.js';
import { type ContactOwner, createContactOwner, eventsOf, statusAndCode } from '../support/contact-owners.js';
import { Documented } from '../support/documented.js';
import { OwnStorage } from '../support/object-storage.js';
import { waitUntil } from '../support/wait-until.js';

type Body = RequestInit['body'];

const MAX = 300_000;
const OF_CONTACT = '/api/contacts/{id}/attachments';
const OF_FILE = '/api/attachments/{id}';

describe('attachments of a contact', () => {
  let api: BusinessApi;
  let storage: OwnStorage;
  let documented: Documented;
  let keeper: ContactOwner;
  let token: string;
  let path: string;

  const form = (content: Buffer | string, name = 'offer.pdf', part = 'file') => {
    const body = new FormData();
    body.append(part, new Blob([content]), name);
    return body;
  };

  const withFields = (before: number, after: number, value = 'red') => {
    const body = new FormData();
    for (let n = 0; n < before; n += 1) body.append(`before[${n}]`, value);
    body.append('file', new Blob(['x']), 'x.txt');
    for (let n = 0; n < after; n += 1) body.append('after', value);
    return body;
  };

  const send = (body: Body, headers: Record<string, string> = {}, to = path) =>
    ask(`${api.service.url}${to}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });

  const rows = <Row extends object>(sql: string) => api.test.database.query<Row>(sql, [keeper.contactId]);

  /** No object, no row, no file of ours in the temporary folder, nothing to be removed later. */
  const nothingIsLeft = async () => {
    expect(await rows('SELECT FROM contacts.attachment WHERE contact_id = $1')).toHaveLength(0);
    // Others may just be taking the name off theirs.
    await waitUntil(async () =>
      (await readdir(tmpdir())).every((name) => !name.startsWith('spooled-upload-')),
    );
    const prefix = `attachments/${keeper.world.organizationId}/`;
    const announced = 'SELECT FROM contacts.object_to_remove WHERE key LIKE $1';
    expect(await api.test.database.query(announced, [`${prefix}%`])).toHaveLength(0);
    expect(await storage.files(prefix)).toEqual([]);
  };

  beforeAll(async () => {
    storage = await OwnStorage.start();
    const limits = setting(AttachmentsConfig, { maxBytes: MAX, stallMs: 2_000 });
    api = await BusinessApi.start(storage.environment, undefined, [limits]);
    documented = await Documented.by(api.service.url);
  });
  afterAll(async () => {
    await api.stop();
    await storage.remove();
  });
  beforeEach(async () => {
    keeper = await createContactOwner(api);
    token = api.identity.user({ organizations: [{ id: keeper.world.organizationId }] });
    path = `/api/contacts/${keeper.contactId}/attachments`;
  });

  describe('that are stored', () => {
    const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(100_000)]);

    it('are uploaded, listed, downloaded and permanently deleted', async () => {
      const added = await send(form(PDF, 'Nabídka „2026“.pdf'));
      documented.check(`post ${OF_CONTACT}`, added);
      expect(added.status).toBe(201);
      expect(added.body).toMatchObject({
        contactId: keeper.contactId,
        fileName: 'Nabídka „2026“.pdf',
        contentType: 'application/pdf',
        size: PDF.length,
        sha256: createHash('sha256').update(PDF).digest('hex'),
        author: { type: 'user' },
      });
      const list = await keeper.call('GET', path);
      documented.check(`get ${OF_CONTACT}`, list);
      expect(list.body).toEqual({
        data: [added.body],
        pagination: { limit: 100, hasMore: false, nextCursor: null, total: 1 },
      });

      const url = `${api.service.url}/api/attachments/${added.body.id}`;
      const headers = { authorization: `Bearer ${token}` };
      const download = await fetch(url, { headers });
      expect(download.status).toBe(200);
      expect(Buffer.from(await download.arrayBuffer()).equals(PDF)).toBe(true);
      expect(Object.fromEntries(download.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(PDF.length),
        'content-disposition': `attachment; filename="Nabidka _2026_.pdf"; filename*=UTF-8''Nab%C3%ADdka%20%E2%80%9E2026%E2%80%9C.pdf`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^sandbox\b/) as string,
        etag: `"${added.body.sha256}"`,
      });
      const etag = { ...headers, 'if-none-match': `"${added.body.sha256}"` };
      expect((await fetch(url, { headers: etag })).status).toBe(304);
      const head = await fetch(url, { headers, method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PDF.length)]);

      const deleted = await keeper.call('DELETE', `/api/attachments/${added.body.id}`);
      documented.check(`delete ${OF_FILE}`, deleted);
      expect([deleted.status, deleted.body]).toEqual([200, { id: added.body.id, deleted: true }]);
      for (const method of ['GET', 'DELETE'] as const) {
        const again = await keeper.call(method, `/api/attachments/${added.body.id}`);
        documented.check(`${method.toLowerCase()} ${OF_FILE}`, again);
        expect(statusAndCode(again)).toEqual([404, 'attachment_not_found']);
      }
      await nothingIsLeft();
      const data = { contactId: keeper.contactId, attachmentId: added.body.id };
      expect(await eventsOf(api.test.database, keeper.contactId)).toEqual([
        { type: 'AttachmentAdded', data },
        { type: 'AttachmentDeleted', data },
      ]);
    });

    it('can be empty, and can have the maximum size', async () => {
      for (const size of [0, MAX]) {
        const added = await send(form(randomBytes(size), 'random.bin'));
        expect([added.status, added.body.size]).toEqual([201, size]);
        const url = `/api/attachments/${added.body.id}`;
        expect((await keeper.call('GET', url)).status).toBe(200);
        await keeper.call('DELETE', url);
      }
      await nothingIsLeft();
    });

    it.each([
      [1, 0, 'red'],
      [0, 1, 'red'],
      [10, 10, 'x'.repeat(1_024)],
    ])('are uploaded with %d fields before and %d after them', async (before, after, value) => {
      const added = await send(withFields(before, after, value));
      expect([added.status, added.body.fileName, added.body.size]).toEqual([201, 'x.txt', 1]);
    });

    it('never run in a browser, independent of their declared type', async () => {
      const body = new FormData();
      const page = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
      body.append('file', new Blob([page], { type: 'image/svg+xml' }), '../x\r\n.svg');
      const { id, fileName } = (await send(body)).body;
      expect(fileName).toBe('x.svg');
      const download = await keeper.call('GET', `/api/attachments/${id}`);
      expect(download.headers.get('content-type')).toBe('text/plain');
      expect(download.headers.get('content-disposition')).toMatch(/^attachment; /);
      await keeper.call('DELETE', `/api/attachments/${id}`);
    });

    it('are stored once per Idempotency-Key', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await send(form('once'), headers);
      const again = await send(form('once'), headers);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
        201,
        first.text,
        'true',
      ]);
      expect(statusAndCode(await send(form('other'), headers))).toEqual([422, 'idempotency_key_reused']);
      expect((await keeper.call('GET', path)).body.data).toEqual([first.body]);
      expect((await storage.files()).filter((name) => name.includes(first.body.id))).toHaveLength(1);
      await keeper.call('DELETE', `/api/attachments/${first.body.id}`);
      await nothingIsLeft();
    });

    it('are limited to a hundred, also for concurrent uploads', async () => {
      await rows(
        `INSERT INTO contacts.attachment (id, contact_id, object_key, file_name, content_type, size, sha256, author_type, author_id)
         SELECT gen_random_uuid(), $1, 'none/' || gen_random_uuid(), 'x', 'text/plain', 0, '', 'user', '' FROM generate_series(1, 99)`,
      );
      const answers = await Promise.all([send(form('a')), send(form('b'))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
      const refused = answers.find(({ status }) => status === 400) as ApiResponse;
      documented.check(`post ${OF_CONTACT}`, refused);
      expect(refused.body.code).toBe('too_many_attachments');
      expect((await keeper.call('GET', path)).body.pagination).toMatchObject({ total: 100, hasMore: false });
      await rows('DELETE FROM contacts.attachment WHERE contact_id = $1');
    });

    it('are found by their organization only, and not while the contact is deleted', async () => {
      const { id } = (await send(form('mine'))).body;
      const all = async (call: Call, contactId: string, attachmentId: string) => [
        await call('GET', `/api/contacts/${contactId}/attachments`),
        await send(form('theirs'), {}, `/api/contacts/${contactId}/attachments`),
        await call('GET', `/api/attachments/${attachmentId}`),
        await call('DELETE', `/api/attachments/${attachmentId}`),
      ];
      const owner = token;
      const stranger = api.person();
      for (const [contactId, attachmentId] of [
        [keeper.contactId, id],
        [randomUUID(), randomUUID()],
        ['x', 'y'],
      ]) {
        token = stranger.token;
        const answers = await all(api.as(token), contactId, attachmentId);
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      }
      token = owner;
      await keeper.call('DELETE', `/api/contacts/${keeper.contactId}`);
      const deleted = await all(keeper.call, keeper.contactId, id);
      expect(deleted.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      for (const [index, operation] of [`get ${OF_CONTACT}`, `post ${OF_CONTACT}`].entries())
        documented.check(operation, deleted[index] as ApiResponse);
      await keeper.call('POST', `/api/contacts/${keeper.contactId}/restore`);
      expect((await keeper.call('GET', `/api/attachments/${id}`)).text).toBe('mine');
      await keeper.call('DELETE', `/api/attachments/${id}`);
    });

    it('401 without credentials, 403 without the scope', async () => {
      const { id } = (await send(form('mine'))).body;
      expect((await api.as()('GET', path)).status).toBe(401);
      expect((await send(form('x'), { authorization: '' })).status).toBe(401);
      const organizations = [{ id: keeper.world.organizationId, scopes: ['contacts.read'] }];
      const reader = api.identity.user({ organizations });
      expect(statusAndCode(await send(form('x'), { authorization: `Bearer ${reader}` }))[0]).toBe(403);
      expect((await api.as(reader)('DELETE', `/api/attachments/${id}`)).status).toBe(403);
      expect((await api.as(reader)('GET', `/api/attachments/${id}`)).status).toBe(200);
      await keeper.call('DELETE', `/api/attachments/${id}`);
    });
  });

  describe('that are refused', () => {
    afterEach(() => nothingIsLeft());

    const several = () => {
      const body = form('one');
      body.append('file', new Blob(['two']), 'two.txt');
      return body;
    };
    const onlyFields = () => {
      const body = new FormData();
      body.append('file', 'not a file');
      body.append('colour', 'red');
      return body;
    };
    const BOUNDED = { 'content-type': 'multipart/form-data; boundary=b' };

    it.each<[string, () => Body, Record<string, string>, string]>([
      ['no form', () => '{"file":"x"}', { 'content-type': 'application/json' }, 'file_missing'],
      ['a form without a file', () => new FormData(), {}, 'file_missing'],
      ['a file in another part', () => form('x', 'x.txt', 'attachment'), {}, 'file_missing'],
      ['several files', several, {}, 'file_missing'],
      ['fields without a file', onlyFields, {}, 'file_missing'],
      ['more fields than are ignored', () => withFields(20, 1), {}, 'file_missing'],
      ['a longer field than is ignored', () => withFields(0, 1, 'x'.repeat(1_025)), {}, 'file_missing'],
      ['no boundary', () => 'x', { 'content-type': 'multipart/form-data' }, 'upload_not_readable'],
      ['nonsense', () => 'nonsense', BOUNDED, 'upload_not_readable'],
      [
        'a body that breaks off',
        () => '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhalf a fi',
        BOUNDED,
        'upload_not_readable',
      ],
    ])('400 for %s', async (_, body, headers, code) => {
      const answer = await send(body(), headers);
      expect(statusAndCode(answer)).toEqual([400, code]);
      documented.check(`post ${OF_CONTACT}`, answer);
    });

    it('415 for a body that is neither', async () => {
      expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(415);
    });

    it('413 for one byte too many, also for a client that sends everything first', async () => {
      const answer = await send(form(randomBytes(MAX + 1)));
      expect(statusAndCode(answer)).toEqual([413, 'file_too_large']);
      documented.check(`post ${OF_CONTACT}`, answer);
      expect(statusAndCode(await send(form(randomBytes(20_000_000))))).toEqual([413, 'file_too_large']);
    });

    describe('before the body was fully sent', () => {
      let socket: Socket;
      let heard: string;
      let isClosed: boolean;
      afterEach(() => socket.destroy());

      /** Sends the beginning of an upload and goes no further. */
      const begin = (headers: Record<string, string>, bytes: number) => {
        const { hostname, port, host } = new URL(api.service.url);
        heard = '';
        isClosed = false;
        socket = connect(Number(port), hostname);
        socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
        socket.on('error', () => undefined);
        socket.on('close', () => (isClosed = true));
        const all = { host, authorization: `Bearer ${token}`, ...BOUNDED, ...headers };
        const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
        if (bytes === 0) return;
        const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n';
        const body = Buffer.concat([Buffer.from(start), randomBytes(bytes)]);
        if (headers['transfer-encoding']) socket.write(`${body.length.toString(16)}\r\n`);
        socket.write(body);
        if (headers['transfer-encoding']) socket.write('\r\n');
      };
      const answered = async (status: number, code: string) => {
        await waitUntil(() => heard.includes('}'));
        expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
        expect(heard).toContain(`"code":"${code}"`);
        await waitUntil(() => isClosed);
      };

      it('413 by Content-Length, without reading the body', async () => {
        begin({ 'content-length': '50000000' }, 0);
        await answered(413, 'file_too_large');
      });

      it('413 when an unfinished body exceeds the limit and stalls', async () => {
        begin({ 'transfer-encoding': 'chunked' }, MAX + 10);
        await answered(413, 'file_too_large');
      });

      it('413 when the declared length was wrong', async () => {
        begin({ 'content-length': String(MAX + 60_000) }, MAX + 10);
        await answered(413, 'file_too_large');
      });

      it('400 when it stalls, and the connection is cut', async () => {
        begin({ 'content-length': '200000' }, 100_000);
        await answered(400, 'upload_stalled');
      });

      it('404 for a missing contact, without reading the body', async () => {
        path = `/api/contacts/${randomUUID()}/attachments`;
        begin({ 'content-length': '50000000' }, 0);
        await answered(404, 'contact_not_found');
      });

      const whereFilesAreSeen = process.platform === 'linux' ? it : it.skip;
      whereFilesAreSeen('nothing is stored when the client disconnects during the upload', async () => {
        begin({ 'content-length': '200000' }, 100_000);
        await waitUntil(async () => (await openUploads()) > 0);
        socket.destroy();
        await waitUntil(async () => (await openUploads()) === 0);
      });
    });
  });

  it('are erased with the contact, their files too', async () => {
    await send(form('one'));
    await send(form('two'));
    const answer = await keeper.world.as('owner')('DELETE', `/api/contacts/${keeper.contactId}?erase=true`);
    expect(answer.status).toBe(200);
    const key = `attachments/${keeper.world.organizationId}/%`;
    const left = 'SELECT adoptable FROM contacts.object_to_remove WHERE key LIKE $1 AND due_at <= now()';
    expect(await api.test.database.query(left, [key])).toEqual([{ adoptable: false }, { adoptable: false }]);
  });

  it('are replayed by Idempotency-Key, also after deletion, until the contact is erased', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const sendOnce = () => send(form('diagnosis', 'diagnosis.txt'), headers);
    const first = await sendOnce();
    expect((await keeper.call('DELETE', `/api/attachments/${first.body.id}`)).status).toBe(200);
    const again = await sendOnce();
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await keeper.call('GET', path)).body.data).toEqual([]);
    expect(await storage.files(`attachments/${keeper.world.organizationId}/`)).toEqual([]);
    await keeper.world.as('owner')('DELETE', `/api/contacts/${keeper.contactId}?erase=true`);
    expect(statusAndCode(await sendOnce())).toEqual([404, 'contact_not_found']);
    const kept = `SELECT FROM http.idempotent_request WHERE response::text LIKE '%diagnosis%'`;
    expect(await api.test.database.query(kept)).toEqual([]);
  });

  /** Must be the last test: the store stays stopped. */
  it('503 while the object store is down; contacts stay available', async () => {
    const { id } = (await send(form('kept'))).body;
    await storage.stop();
    for (const answer of [await send(form('lost')), await keeper.call('GET', `/api/attachments/${id}`)]) {
      expect(statusAndCode(answer)).toEqual([503, 'object_storage_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    documented.check(`post ${OF_CONTACT}`, await send(form('lost')));
    documented.check(`get ${OF_FILE}`, await keeper.call('GET', `/api/attachments/${id}`));
    expect((await keeper.call('GET', `/api/contacts/${keeper.contactId}`)).status).toBe(200);
    expect((await keeper.call('GET', path)).body.data).toHaveLength(1);
    await waitUntil(async () => (await api.as()('GET', '/health')).body.status === 'degraded');
    const health = await api.as()('GET', '/health');
    expect([health.status, health.body.details.objectStorage.status]).toEqual([200, 'degraded']);
    expect((await api.as()('GET', '/readyz')).status).toBe(200);
    // Deleted all the same; the sweep removes the object when the store is back.
    expect((await keeper.call('DELETE', `/api/attachments/${id}`)).status).toBe(200);
    const [due] = await api.test.database.query(
      'SELECT adoptable FROM contacts.object_to_remove WHERE key LIKE $1',
      [`%${id}`],
    );
    expect(due).toEqual({ adoptable: false });
  });

  /** Files of uploads this process holds open: deleted from the beginning, so the system calls them that. */
  async function openUploads(): Promise<number> {
    const handles = await readdir('/proc/self/fd');
    const targets = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return targets.filter((target) => /\/spooled-upload-.*\(deleted\)$/.test(target)).length;
  }
});

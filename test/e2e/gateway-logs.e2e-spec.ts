import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type AiWorld, completes, openAiWorld, refuses } from '../support/ai-world.js';
import { AGENT_TOKEN, GATEWAY_TOKEN, STAGED_TOKEN } from '../support/boot-gateway.js';
import { newAddress, SENDER_ADDRESS } from '../support/email-world.js';
import { GoogleApi } from '../support/google-api.js';
import { PaymentsSandbox } from '../support/payments-sandbox.js';
import { SandboxMailForTests } from '../support/sandbox-mail.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const ENTRY = 'dist/src/platform/gateway/main.js';

const AI_KEY = 'sk-ai-key-of-the-logs-0123456789';
const REFUSED_KEY = 'sk-refused-key-of-the-logs-0123456789';
const RESEND_SECRET = `whsec_${Buffer.from('webhook secret of resend').toString('base64')}`;
const STRIPE_SECRET = 'whsec_webhook_secret_of_stripe_0123456789';
const WRONG_PASSWORD = 'a wrong password of the mail server';
const CHANNEL_TOKEN = 'ya29.an-access-token-of-a-channel-0123456789';
/** Part of the address of an upload, which needs no other credential. */
const SESSION = 'ADPycdu-session-of-an-upload-0123456789';
const FOREIGN_SESSION = 'ADPycdu-session-elsewhere-0123456789';
const UNKNOWN_TOKEN = 'a-token-that-no-service-has-0123456789';
const API_KEY = 'an-api-key-that-nobody-has-0123456789';

/** A secret in every notation that a log could use. */
const notationsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const encoded = (['base64', 'base64url', 'hex'] as const).map((as) =>
    bytes.toString(as).replace(/=+$/, ''),
  );
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.join(','),
    ...encoded,
  ];
};

describe('the logs of a gateway at the level trace', () => {
  let world: AiWorld;
  let mail: SandboxMailForTests;
  let payments: PaymentsSandbox;
  let google: GoogleApi;
  let entry: SpawnedEntry;
  let logs: string;
  const secrets = new Map<string, string>();

  beforeAll(async () => {
    mail = await SandboxMailForTests.start();
    payments = await PaymentsSandbox.of(mail.sandbox);
    google = await GoogleApi.start();
    world = await openAiWorld({
      YOUTUBE_API_URL: google.url,
      EMAIL_PLATFORM_SENDER: `The platform <${SENDER_ADDRESS}>`,
      EMAIL_PLATFORM_PROVIDER: 'smtp',
      RESEND_URL: `${mail.sandbox.url}/resend`,
      STRIPE_URL: payments.url,
    });
    const { environment } = world.gateway;
    entry = await spawnEntry(ENTRY, { ...environment, LOG_LEVEL: 'trace' });
    for (const [name, secret] of Object.entries({
      ...{ 'service token': GATEWAY_TOKEN, 'next service token': STAGED_TOKEN },
      ...{ 'token of another service': AGENT_TOKEN, 'unknown service token': UNKNOWN_TOKEN },
      ...{ 'unknown API key': API_KEY, 'key of the AI provider': AI_KEY, 'refused key': REFUSED_KEY },
      ...{ 'token for identity': environment.IDENTITY_SERVICE_TOKEN ?? '' },
      'encryption key': environment.GATEWAY_ENCRYPTION_KEYS?.split(':')[1] ?? '',
      ...{ 'password of the mail server': mail.password, 'wrong password': WRONG_PASSWORD },
      'login at the mail server': `\0${mail.user}\0${mail.password}`,
      ...{ 'token of a channel': CHANNEL_TOKEN, 'upload session': SESSION, 'other session': FOREIGN_SESSION },
      ...{ 'key of Resend': mail.resendKey, 'webhook secret of Resend': RESEND_SECRET },
      ...{ 'key of Stripe': payments.secretKey, 'webhook secret of Stripe': STRIPE_SECRET },
    }))
      secrets.set(name, secret);
    await use();
    logs = await logsUntilTheEnd();
  });

  afterAll(async () => {
    entry.process.kill('SIGKILL');
    await world.close();
    await mail.sandbox.stop();
    await google.stop();
  });

  const http = () => request(entry.url);

  /** Headers of a person, whose token is a secret too. */
  const person = (name: string, of: Parameters<typeof world.gateway.identity.user>[0]) => {
    const token = world.gateway.identity.user(of);
    secrets.set(name, token);
    return { authorization: `Bearer ${token}` };
  };

  async function use(): Promise<void> {
    const organizationId = randomUUID();
    await completions(organizationId);
    const admin = person('token of an administrator', {
      principalType: 'platform_super_admin',
      organizations: [{ id: randomUUID(), role: 'admin', isAdministrative: true }],
    });
    const add = async (provider: string, secret: unknown): Promise<string> => {
      const credential = { scope: 'platform', label: 'A key', provider, secret };
      const { body } = await http().post('/api/credentials').set(admin).send(credential).expect(201);
      return (body as { id: string }).id;
    };
    const server = { host: '127.0.0.1', port: await mail.port(), secure: false, user: mail.user };
    const smtp = await add('smtp', { ...server, password: mail.password });
    const wrongSmtp = await add('smtp', { ...server, password: WRONG_PASSWORD });
    const resend = await add('resend', { key: mail.resendKey, webhookSecrets: [RESEND_SECRET] });
    const stripe = await add('stripe', { key: payments.secretKey, webhookSecrets: [STRIPE_SECRET] });
    for (const id of [smtp, wrongSmtp, resend, stripe])
      await http().post(`/api/credentials/${id}/check`).set(admin).expect(200);
    await http().delete(`/api/credentials/${wrongSmtp}`).set(admin);
    const refused = { provider: 'smtp', secret: { ...server, password: `${WRONG_PASSWORD}\n` } };
    await http().post('/api/credentials').set(admin).send(refused).expect(400);
    await message(organizationId);
    await videos(organizationId);
    await webhooks();
    await strangers();
    await noteSealed();
  }

  async function completions(organizationId: string): Promise<void> {
    const headers = await world.gateway.headers({ organizationId });
    await world.model('openai/first');
    await world.prefer(organizationId, { default: 'openai/first' });
    const ask = () => http().post('/api/ai/completions').set(headers).send(QUESTION);
    await world.credential({ provider: 'openai', organizationId, secret: AI_KEY });
    world.openai.respond(completes('Hello'));
    await ask().expect(200);
    const other = randomUUID();
    await world.prefer(other, { default: 'openai/first' });
    await world.credential({ provider: 'openai', organizationId: other, secret: REFUSED_KEY });
    // A provider may repeat the key in its refusal.
    world.openai.respond(refuses(401, `invalid_api_key ${REFUSED_KEY}`));
    const refused = await world.gateway.headers({ organizationId: other, token: STAGED_TOKEN });
    await http().post('/api/ai/completions').set(refused).send(QUESTION);
  }

  async function message(organizationId: string): Promise<void> {
    const headers = await world.gateway.headers({ organizationId, token: AGENT_TOKEN });
    const mailed = { to: [{ address: newAddress() }], subject: 'Hello', text: 'Good day' };
    await http().post('/api/email/messages').set(headers).send(mailed).expect(201);
    await waitUntil(async () => (await mail.accepted()).length > 0);
    const product = { currency: 'EUR', unitAmount: 1_000, productData: { name: 'Seat' } };
    const service = await world.gateway.headers({ organizationId });
    await http().post('/api/payments/prices').set(service).send(product).expect(201);
  }

  async function videos(organizationId: string): Promise<void> {
    const headers = {
      ...(await world.gateway.headers({ organizationId })),
      'x-provider-token': CHANNEL_TOKEN,
    };
    const path = '/upload/youtube/v3/videos?uploadType=resumable&upload_id=';
    const begin = (location: string, status: number) => {
      google.json(200, {}, { location });
      const video = { title: 'A film', description: 'Beans.', bytes: 5, contentType: 'video/mp4' };
      return http().post('/api/video/youtube/uploads').set(headers).send(video).expect(status);
    };
    const { body } = await begin(google.url + path + SESSION, 201);
    for (const elsewhere of ['http://127.0.0.1:1', 'https://videos.example.com', `${google.url}/other`])
      await begin(elsewhere + path + FOREIGN_SESSION, 502);
    const part = () =>
      http()
        .put(`/api/video/youtube/uploads/${(body as { uploadId: string }).uploadId}`)
        .set({ ...headers, 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-4/5' })
        .send(Buffer.alloc(5));
    // A provider may repeat the address in its refusal.
    for (const [status, shown] of [
      [400, 422],
      [403, 422],
      [404, 409],
      [410, 409],
      [500, 502],
    ] as const) {
      google.json(status, {
        error: { message: SESSION, errors: [{ reason: 'forbidden', message: SESSION }] },
      });
      await part().expect(shown);
    }
    google.answer = (incoming) => void incoming.socket.destroy();
    await part().expect(502);
    google.answer = (_, response) => void response.writeHead(308, { location: path + SESSION }).end();
    await part().expect(200);
  }

  /** Neither is signed with the secret, which their checks read. */
  async function webhooks(): Promise<void> {
    const svix = { 'svix-id': 'msg_1', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' };
    await http().post('/api/email/webhooks/resend').set(svix).send({}).expect(401);
    const signature = { 'stripe-signature': 't=1,v1=00' };
    const { status } = await http().post('/api/payments/webhooks/stripe').set(signature).send({});
    expect(status).toBeGreaterThanOrEqual(400);
  }

  async function strangers(): Promise<void> {
    const named = encodeURIComponent(UNKNOWN_TOKEN);
    for (const headers of [
      { 'x-service-token': UNKNOWN_TOKEN },
      { 'x-api-key': API_KEY },
      { authorization: `Bearer ${UNKNOWN_TOKEN}` },
    ]) {
      for (const path of ['/api/credentials', '/api/email/messages']) {
        const { status } = await http().get(`${path}?token=${named}`).set(headers);
        expect([401, 403]).toContain(status);
      }
    }
  }

  async function noteSealed(): Promise<void> {
    const rows = await world.gateway.test.database.query<{ dataKey: string; secret: string }>(
      `SELECT data_key AS "dataKey", secret FROM gateway.credential WHERE deleted_at IS NULL`,
    );
    for (const [index, { dataKey, secret }] of rows.entries())
      secrets.set(`sealed data key ${index}`, dataKey).set(`sealed secret ${index}`, secret);
  }

  /** The shutdown flushes what was logged. */
  async function logsUntilTheEnd(): Promise<string> {
    const closed = once(entry.process, 'close');
    entry.process.kill('SIGTERM');
    await closed;
    return entry.output();
  }

  it('hold each request, so that they are worth searching', () => {
    for (const path of [
      '/api/ai/completions',
      '/api/credentials',
      '/api/email/messages',
      '/api/payments/prices',
      '/api/video/youtube/uploads',
    ])
      expect(logs).toContain(path);
    expect(secrets.size).toBeGreaterThan(25);
    expect([...secrets.values()].filter((secret) => secret.length < 12)).toEqual([]);
  });

  it('hold no secret in any notation', () => {
    const found = [...secrets].filter(([, secret]) =>
      notationsOf(secret).some((text) => logs.includes(text)),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });
});

const QUESTION = { messages: [{ role: 'user', content: 'Say hello' }] };

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Credentials } from '../../src/platform/gateway/credentials/credentials.js';
import { type BootedGateway, bootGateway } from './boot-gateway.js';
import { GoogleApi, type ReceivedCall } from './google-api.js';
import { waitUntil } from './wait-until.js';

type Respond = (response: ServerResponse, call: ReceivedCall) => void;

/** A provider with the wire of OpenAI, whose responses a test gives in order. The last one is repeated. */
export class OpenAiStandIn {
  private script: Respond[] = [];

  private constructor(private readonly api: GoogleApi) {}

  static async start(): Promise<OpenAiStandIn> {
    const api = await GoogleApi.start();
    const standIn = new OpenAiStandIn(api);
    api.answer = (_, response) => {
      const respond = standIn.script.length > 1 ? standIn.script.shift() : standIn.script[0];
      const call = api.calls.at(-1);
      if (respond && call) respond(response, call);
      else response.writeHead(500).end();
    };
    return standIn;
  }

  get url(): string {
    return this.api.url;
  }

  get calls(): ReceivedCall[] {
    return this.api.calls;
  }

  respond(...responses: Respond[]): void {
    this.api.calls.length = 0;
    this.script = responses;
  }

  stop(): Promise<void> {
    return this.api.stop();
  }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** Usage that costs 0.001 dollars at PRICES. */
const USAGE = { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 };
export const PRICES = { inputTokens: '1', outputTokens: '10', images: '0.04', audioHours: '0.36' };

export const completes = (content: string, model?: string): Respond =>
  json(200, {
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: USAGE,
    ...(model && { model }),
  });

/** As GPT image models count: 12 tokens of text, and those of the image. */
const USAGE_OF_IMAGE = {
  ...{ input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 },
  input_tokens_details: { text_tokens: 12, image_tokens: 0 },
};

export const draws = (png: Buffer): Respond =>
  json(200, { data: [{ b64_json: png.toString('base64') }], usage: USAGE_OF_IMAGE });

export const transcribes = (text: string): Respond =>
  json(200, { text, usage: { type: 'duration', seconds: 10 } });

/** With OpenAI's body of an error. */
export const refuses = (status: number, code: string, headers?: Record<string, string>): Respond =>
  json(status, { error: { message: 'No.', type: code, code, param: null } }, headers);

export const hangsUp: Respond = (response) => void response.socket?.destroy();

export const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
export const delta = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
export const terminal = finish + event({ choices: [], usage: USAGE }) + event('[DONE]');

/** A stream that ends after the chunks, whatever they are. */
export const streams =
  (...chunks: (string | Buffer)[]): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };

/** A gateway with two providers, and what is stored for them. */
export interface AiWorld {
  readonly gateway: BootedGateway;
  readonly openai: OpenAiStandIn;
  readonly openrouter: OpenAiStandIn;
  /** @returns its id */
  credential(of: { provider: string; organizationId?: string; secret?: string }): Promise<string>;
  model(
    ref: string,
    changes?: { prices?: object | null; lifecycle?: string; window?: number },
  ): Promise<void>;
  /** Of an organization. */
  prefer(organizationId: string, preference: Preference): Promise<void>;
  /** Of an organization, oldest first, when every attempt is settled. */
  usage(organizationId: string): Promise<UsageRow[]>;
  close(): Promise<void>;
}

interface Preference {
  readonly capability?: string;
  readonly default: string;
  readonly chain?: readonly string[];
  readonly allowed?: readonly string[];
  readonly fallbackOnPolicy?: boolean;
}

export interface UsageRow {
  readonly attempt: number;
  readonly model: string;
  readonly state: string;
  readonly cost: string | null;
}

const CAPABILITIES = ['completions', 'images', 'transcriptions'];

export async function openAiWorld(overrides: Readonly<Record<string, string>> = {}): Promise<AiWorld> {
  const [openai, openrouter] = [await OpenAiStandIn.start(), await OpenAiStandIn.start()];
  const gateway = await bootGateway('http://127.0.0.1:9', {
    OPENAI_URL: openai.url,
    OPENROUTER_URL: openrouter.url,
    ...overrides,
  });
  const { database } = gateway.test;
  const encryptionKeys = gateway.environment.GATEWAY_ENCRYPTION_KEYS ?? '';
  const sealing = new Credentials({ encryptionKeys });
  return {
    ...{ gateway, openai, openrouter },
    async credential({ provider, organizationId = null, secret = `key of ${provider}` }: CredentialOf) {
      const id = randomUUID();
      const { dataKey, secret: sealed } = sealing.seal({ id, organizationId, provider }, secret);
      await database.query(
        `INSERT INTO gateway.credential
           (id, provider, organization_id, position, label, data_key, secret, hint, created_by)
         VALUES ($1, $2, $3, (SELECT count(*)::int FROM gateway.credential), 'Test', $4, $5, 'test', 'test')`,
        [id, provider, organizationId, dataKey, sealed],
      );
      return id;
    },
    async model(ref, { prices = PRICES, lifecycle = 'active', window = 100_000 } = {}) {
      const [provider = '', id = ''] = ref.split('/');
      await database.query(
        `INSERT INTO gateway.model (provider, id, name, capabilities, context_window, lifecycle)
         VALUES ($1, $2, $2, $3, $4, $5)`,
        [provider, id, CAPABILITIES, window, lifecycle],
      );
      if (prices)
        await database.query(
          `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
           VALUES ($1, $2, '2026-01-01', $3, 'operator')`,
          [provider, id, prices],
        );
    },
    async prefer(organizationId, { capability = 'completions', ...preference }) {
      await database.query(
        `INSERT INTO gateway.model_preference
           (organization_id, capability, default_model, allowed_models, fallback_chain, fallback_on_policy)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [
          ...[organizationId, capability, preference.default, preference.allowed ?? null],
          ...[preference.chain ?? [], preference.fallbackOnPolicy ?? false],
        ],
      );
    },
    async usage(organizationId) {
      let rows: UsageRow[] = [];
      await waitUntil(async () => {
        rows = await database.query<UsageRow>(
          `SELECT attempt, model, state, cost::text FROM gateway.usage WHERE organization_id = $1 ORDER BY id`,
          [organizationId],
        );
        return rows.every(({ state }) => state !== 'reserved');
      });
      return rows;
    },
    async close() {
      await gateway.close();
      await openai.stop();
      await openrouter.stop();
    },
  };
}

interface CredentialOf {
  readonly provider: string;
  readonly organizationId?: string | null;
  readonly secret?: string;
}

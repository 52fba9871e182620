import { SandboxForTests } from './sandbox.js';

/** The result of JSON.parse; tests assert its shape. */
type Json = ReturnType<typeof JSON.parse>;

export type AiProviderName = 'openai' | 'openrouter' | 'anthropic' | 'google';

export { SANDBOX_AI_GATEWAY_TOKEN, SANDBOX_AI_KEYS } from '../../sandbox/credentials.js';

/** The AI providers of a sandbox. */
export class SandboxAiForTests {
  constructor(readonly sandbox: SandboxForTests) {}

  static async start(): Promise<SandboxAiForTests> {
    return new SandboxAiForTests(await SandboxForTests.start());
  }

  /** Variables of a gateway that calls these providers. */
  get addresses(): Record<string, string> {
    return {
      OPENAI_URL: `${this.sandbox.url}/openai`,
      OPENROUTER_URL: `${this.sandbox.url}/openrouter`,
      ANTHROPIC_URL: `${this.sandbox.url}/anthropic`,
      GOOGLE_AI_URL: `${this.sandbox.url}/google-ai`,
    };
  }

  async fault(fault: object): Promise<number> {
    return (await this.accepted('POST', '/ai/faults', fault)).id as number;
  }

  /** The state of a key. Without `key`, of the one that a new sandbox accepts. */
  async key(provider: AiProviderName, members: object): Promise<void> {
    await this.accepted('PUT', `/ai/${provider}/keys`, members);
  }

  async model(provider: AiProviderName, members: object): Promise<void> {
    await this.accepted('PUT', `/ai/${provider}/models`, members);
  }

  async settings(provider: AiProviderName, members: object): Promise<void> {
    await this.accepted('PUT', `/ai/${provider}/settings`, members);
  }

  async catalog(members: object): Promise<void> {
    await this.accepted('PUT', '/model-catalog', members);
  }

  /** What the providers bill: lines in the order of the calls, and their sum. */
  async bill(query = ''): Promise<Json> {
    return (await this.sandbox.control('GET', `/ai/bill${query}`)).body;
  }

  /** A WAV file whose tones are words, see sandbox/README.md. */
  async spoken(words: string): Promise<Buffer> {
    const response = await fetch(`${this.sandbox.url}/_sandbox/ai/audio?text=${encodeURIComponent(words)}`);
    return Buffer.from(await response.arrayBuffer());
  }

  reset(): Promise<unknown> {
    return this.sandbox.control('POST', '/reset');
  }

  private async accepted(method: string, path: string, members: object): Promise<Json> {
    const { status, body } = await this.sandbox.control(method, path, members);
    if (status >= 300) throw new Error(`${path} is refused: ${JSON.stringify(body)}`);
    return body;
  }
}

import { randomUUID } from 'node:crypto';
import type { Environment } from '#libs/config';
import { type AiWorld, openAiWorld, PRICES } from './ai-world.js';
import { BusinessApi } from './business-api.js';
import type { Call } from './call.js';
import { SandboxAiForTests } from './sandbox-ai.js';
import type { TestDatabase } from './test-database.js';

export const IMAGE_MODEL = 'openai/painter';
export const FALLBACK_MODEL = 'openai/second-painter';
/** Allowed, and neither default nor fallback. */
export const OTHER_MODEL = 'openai/other-painter';

const MODELS = [IMAGE_MODEL, FALLBACK_MODEL, OTHER_MODEL];
/** Images of OpenAI are billed by tokens. */
const PRICES_OF_IMAGES = { ...PRICES, inputImageTokens: '8', outputImageTokens: '30' };

/** An administrator of a new organization with a brand there. */
export interface ImageOwner {
  readonly id: string;
  readonly call: Call;
  readonly token: string;
  readonly organizationId: string;
  readonly brandId: string;
}

/** The business API, the real gateway behind it, and the AI providers of a sandbox behind that. */
export class ImagesWorld {
  private constructor(
    readonly providers: SandboxAiForTests,
    readonly ai: AiWorld,
    readonly api: BusinessApi,
  ) {}

  /** @param more variables of the API @param on its database; a fresh one unless given */
  static async start(more: Environment = {}, on?: TestDatabase): Promise<ImagesWorld> {
    const providers = await SandboxAiForTests.start();
    const ai = await openAiWorld(providers.addresses);
    for (const model of MODELS) await ai.model(model, { prices: PRICES_OF_IMAGES });
    const api = await BusinessApi.start({ ...ai.gateway.client, ...more }, on);
    const world = new ImagesWorld(providers, ai, api);
    await world.reset();
    return world;
  }

  /** The providers as new. The catalog of the gateway knows models of its own too, whose dates of retirement come. */
  async reset(): Promise<void> {
    await this.providers.reset();
    for (const model of MODELS)
      await this.providers.model('openai', { id: model.slice('openai/'.length), abilities: ['image'] });
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.ai.close();
    await this.providers.sandbox.stop();
  }

  async owner(): Promise<ImageOwner> {
    const [id, organizationId] = [randomUUID(), randomUUID()];
    const token = this.token(organizationId, { id });
    const call = this.api.as(token);
    const { body } = await call('POST', '/api/brands', { name: 'Acme', organizationId });
    await this.ai.credential({ provider: 'openai', organizationId, secret: 'sk-sandbox-openai' });
    await this.ai.prefer(organizationId, {
      capability: 'images',
      default: IMAGE_MODEL,
      chain: [FALLBACK_MODEL],
      allowed: [IMAGE_MODEL, FALLBACK_MODEL, OTHER_MODEL],
    });
    return { id, call, token, organizationId, brandId: body.id as string };
  }

  /** Of a person in the organization. The gateway asks the same identity about it. */
  token(
    organizationId: string,
    { id = randomUUID(), role = 'owner', scopes }: { id?: string; role?: string; scopes?: string[] } = {},
  ): string {
    return this.ai.gateway.identity.user({ id, organizations: [{ id: organizationId, role, scopes }] });
  }

  /** Asks for a small picture. */
  generate(owner: ImageOwner, fields: object = {}, headers: Record<string, string> = {}, call = owner.call) {
    const body = { brandId: owner.brandId, prompt: 'A lighthouse at dawn', width: 64, height: 64, ...fields };
    return call('POST', '/api/ai/generate-image', body, headers);
  }

  /** How many pictures the providers drew. */
  async drawn(): Promise<number> {
    return (await this.providers.bill()).data.length as number;
  }

  /** Ids of the files of a brand. */
  async files(brandId: string): Promise<string[]> {
    const rows = await this.api.test.database.query<{ id: string }>(
      'SELECT id FROM media.file WHERE brand_id = $1 ORDER BY id',
      [brandId],
    );
    return rows.map(({ id }) => id);
  }
}

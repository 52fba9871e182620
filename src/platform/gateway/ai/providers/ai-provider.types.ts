import type { AiCapability } from '../../access/attribution.js';
import type { AiProviderName } from '../../credentials/providers.js';
import type { Usage } from '../usage/spend/quantities.js';
import type { AiHttp } from './wires/exchange.js';
import type { ImageRequest } from './wires/requests.js';
import type { Accepts, AiWire } from './wires/wire.js';

/** How models of a name differ from the default of the provider. */
export type AcceptedByName = Partial<Omit<Accepts, 'maxTemperature'>> & { readonly temperature?: boolean };

/** The declaration of an AI provider: everything that other code knows of it. */
export interface AiProviderDeclaration {
  readonly name: AiProviderName;
  /** The variable of its base address, and what applies without it. Paths of the wire, with the version, are appended. */
  readonly address: { readonly variable: string; readonly description: string; readonly default: string };
  /** Lists models and checks credentials too. */
  readonly wire: new (http: AiHttp) => AiWire;
  /** What a model takes that nothing is known of. */
  readonly accepts: Accepts;
  /** Of requests. */
  readonly maxTemperature: number;
  /**
   * What models take by name; every pattern that fits counts. Collected 2026-11-28 from public issue threads of client libraries, in
   * which users quote refusals of the providers, and not from the vendors' pages. That tools need `reasoning_effort: none` is what such a
   * refusal says. Verify a rule against the vendor's page before it is extended.
   */
  readonly acceptsByName: readonly (readonly [pattern: RegExp, accepted: AcceptedByName])[];
  /**
   * What the name of a model tells, because list routes name models of all kinds. The first pattern decides; null: no route of the
   * gateway serves the model.
   */
  readonly serves: readonly (readonly [pattern: RegExp, capabilities: readonly AiCapability[] | null])[];
  /** Whether models are named `vendor/model`. */
  readonly namesVendors?: boolean;
  /**
   * Models that write nothing hidden unless a request asks for it, which none of ours does. By name, because most list routes and price
   * lists do not say it. Sources: the vendors' lists of models.
   */
  readonly withoutReasoning?: RegExp;
  /** Output tokens of one image, for estimates. Default: those of OpenAI. */
  readonly imageTokens?: (request: ImageRequest, imageSizes: Accepts['imageSizes']) => number;
  /** Input tokens of a second of audio, at most. Default: 12. */
  readonly audioTokensPerSecond?: number;
  /** Quantities that cost what another does where the package of prices has none for them. */
  readonly pricedAs?: readonly {
    readonly quantity: keyof Usage & `${string}Tokens`;
    readonly as: keyof Usage & `${string}Tokens`;
    /** Default: of models of all capabilities. */
    readonly capability?: AiCapability;
  }[];
}

/** What a model takes at most providers. A request works without a temperature, so it is sent only where it is known to be taken. */
export const ACCEPTS: Accepts = {
  maxTemperature: null,
  stop: true,
  tools: 'always',
  schema: 'any',
  imageSizes: 'steps',
  signatures: false,
};

/** Models that no route of the gateway serves. */
export const OTHER_KINDS =
  /embed|moderation|tts|realtime|-live|veo|sora|imagen|lyria|rerank|computer-use|robotics|aqa/;

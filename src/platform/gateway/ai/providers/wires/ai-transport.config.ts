import { IsOptional, Matches } from 'class-validator';
import { Env, FromConfig, IsBaseUrl } from '#libs/config';
import { AiCallsConfig } from '../../ai-calls.config.js';

const TOKEN = /^[\x21-\x7e]{1,4096}$/;
/** A header name (RFC 9110) that neither a provider nor HTTP itself uses. */
const OWN_HEADER =
  /^(?!(authorization|x-api-key|x-goog-api-key|anthropic-version|accept|host|connection|cookie|content-.*|transfer-encoding|expect|upgrade|te)$)[a-z0-9-]{1,64}$/i;

/** How this service reaches AI providers; the same for every credential. */
export class AiTransportConfig {
  @Env('AI_GATEWAY_URL', {
    description:
      'Base address of an AI gateway in front of all AI providers; provider P is called at its path /P. Unset: providers are called directly.',
  })
  @IsOptional()
  @IsBaseUrl({ inCluster: true })
  gatewayUrl?: string;

  @Env('AI_GATEWAY_TOKEN', { description: 'Token for the AI gateway. Unset: none is sent.' })
  @IsOptional()
  @Matches(TOKEN, { message: 'must be 1 to 4096 printable ASCII characters' })
  gatewayToken?: string;

  @Env('AI_GATEWAY_HEADER', {
    description: 'Header of AI_GATEWAY_TOKEN.',
    default: 'X-AI-Gateway-Token',
  })
  @Matches(OWN_HEADER, { message: 'must be a header name that no provider uses' })
  gatewayHeader!: string;

  /** Longest silence of a provider within a response. Models that reason can be silent for minutes. */
  idleTimeoutMs = 120_000;

  @FromConfig(AiCallsConfig, 'maxCompletions')
  maxCompletions!: number;

  @FromConfig(AiCallsConfig, 'maxCallsWithFiles')
  maxCallsWithFiles!: number;

  /** Open at most to one provider or to the AI gateway: each stream and each call with files holds one, and other calls need some. */
  get connections(): number {
    return Math.ceil(1.2 * (this.maxCompletions + this.maxCallsWithFiles));
  }
}

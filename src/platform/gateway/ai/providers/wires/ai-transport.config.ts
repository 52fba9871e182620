import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

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

  @Env('AI_CONNECTIONS', {
    description:
      'Maximum number of open connections to one AI provider or to the AI gateway, per process (1 to 50000). Each stream holds one.',
    default: '12000',
  })
  @IsInt()
  @Min(1)
  @Max(50_000)
  connections!: number;

  @Env('AI_IDLE_TIMEOUT_MS', {
    description:
      'Longest silence of an AI provider within a response, in milliseconds (1000 to 600000). Models that reason can be silent for minutes.',
    default: '120000',
  })
  @IsInt()
  @Min(1_000)
  @Max(600_000)
  idleTimeoutMs!: number;
}

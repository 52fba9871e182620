import type { DescribeParts } from '#libs/http';
import { gatewayApi } from './api-description.js';
import { GatewayModule } from './gateway.module.js';

/** Parts of uploads, which the route streams to the provider. Ignores case like the router. */
const PARTS = /^\/api\/video\/youtube\/uploads\/[^/]+\/?$/i;

/** Events that a provider signs over the bytes of the body. */
const SIGNED = /^\/api\/(email|payments)\/webhooks\/[^/]+(\/[^/]+)?\/?$/i;

/** Recordings, which the route reads itself. */
const AUDIO = /^\/api\/ai\/transcriptions\/?$/i;

/** Conversations with images. */
const COMPLETIONS = /^\/api\/ai\/completions\/?$/i;

const isReadByRoute = (path: string, mediaType: string): boolean =>
  mediaType === 'multipart/form-data'
    ? AUDIO.test(path)
    : mediaType === 'application/octet-stream' && PARTS.test(path);

/** The provider gateway for an environment. */
export const describeGateway: DescribeParts = (environment, database) => ({
  module: GatewayModule.forRoot(environment, database),
  requiredInProduction: ['IDENTITY_URL', 'IDENTITY_SERVICE_TOKEN'],
  api: gatewayApi,
  bodies: {
    unparsed: isReadByRoute,
    large: (path) => COMPLETIONS.test(path),
    raw: (path) => SIGNED.test(path),
  },
});

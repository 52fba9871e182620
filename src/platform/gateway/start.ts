import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import type { DescribedService, RunningService } from '#libs/http';
import { describeService, runEntry, startHttpService } from '#libs/http';
import { gatewayApi } from './api-description.js';
import { gatewayDatabase, GatewayProcessConfig } from './gateway-process.config.js';
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
export function describeGateway(environment: Environment): DescribedService {
  return describeService(environment, () => {
    const { port, managementPort } = loadConfig(GatewayProcessConfig, environment);
    return {
      module: GatewayModule.forRoot(environment),
      database: gatewayDatabase(environment),
      requiredInProduction: ['IDENTITY_URL', 'IDENTITY_SERVICE_TOKEN'],
      service: 'gateway',
      port,
      managementPort,
      api: gatewayApi,
      bodies: {
        unparsed: isReadByRoute,
        large: (path) => COMPLETIONS.test(path),
        raw: (path) => SIGNED.test(path),
      },
    };
  });
}

/** Starts the gateway. The service is stateless and can have any number of replicas. */
export function startGateway(environment: Environment = processEnvironment()): Promise<RunningService> {
  return startHttpService(environment, describeGateway);
}

/** For the entry file: runs until a signal. */
export const runGateway = (): Promise<void> => runEntry('The provider gateway', describeGateway);

import { once } from 'node:events';
import { type DynamicModule, Logger, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PinoLogger } from 'nestjs-pino';
import { loadConfig } from '#libs/config';
import { useBodies } from '../boundary/body.middleware.js';
import { boundary } from '../boundary/boundary.middleware.js';
import { CorsPolicy } from '../boundary/cors.js';
import { parseQuery } from '../boundary/clean-json.js';
import { createHttpServer, type Router, ServiceAdapter } from '../boundary/service-adapter.js';
import { oneRequestPerTick } from '../boundary/one-request-per-tick.middleware.js';
import { Metrics, observer } from './metrics.js';
import { type ApiDescription, ApiDocument } from '../openapi/api-description.js';
import { openApiDocument } from '../openapi/document.js';
import { serveDocs } from '../openapi/serve-docs.js';
import { servePages } from '../pages/serve-pages.js';
import { RateLimitGuard } from '../rate-limits/rate-limit.guard.js';
import { HttpConfig } from '../context/http.config.js';
import { jsonLogger, logAs } from './logging.js';
import { closeServer, type HttpServiceOptions, listen, RunningService } from './running-service.js';
import { ServiceInfo } from '../context/request-context.js';
import { ServiceModule } from './service.module.js';
import { WorkInFlight } from '../context/work-in-flight.js';

const MANAGEMENT_OFFSET = 6_000;

/**
 * Starts a service with what all services share: boundary, problems, validation, documents, metrics and a management
 * address. Installs no signal handlers; entry files use `runEntry`.
 * @throws ConfigIsInvalid, the system's error when a port is taken, or the error of a module that does not start
 */
export function bootstrapHttpService(
  module: Type | DynamicModule,
  options: HttpServiceOptions,
): Promise<RunningService> {
  return logAs(options.service, () => bootstrap(module, options));
}

async function bootstrap(module: Type | DynamicModule, options: HttpServiceOptions): Promise<RunningService> {
  const config = loadConfig(HttpConfig, options.environment);
  const info = new ServiceInfo(options.service, options.version ?? '1.0.0');
  const cors = new CorsPolicy(config.corsOrigins);
  const server = { requestTimeoutMs: config.requestTimeoutMs, cors };
  const adapter = new ServiceAdapter(server);
  const app = await NestFactory.create<NestExpressApplication>(
    ServiceModule.around(module, info, config),
    adapter,
    {
      bodyParser: false,
      // Logs in JSON from the first line, even when the start fails.
      logger: jsonLogger(info.name, config.logLevel),
      abortOnError: false,
    },
  );
  if (config.hasPublishedCursorSecret)
    new Logger(HttpConfig.name).warn(
      'CURSOR_SECRET is its published default. Set it, or anyone can sign cursors.',
    );
  // Runs after the guards of the modules, one of which sets the caller.
  app.useGlobalGuards(app.get(RateLimitGuard));
  useMiddleware(app, options, config, info, cors);
  const management = createHttpServer('management', server, adapter.getInstance<Router>());
  const work = app.get(WorkInFlight);
  management.on('request', (_, response) => void work.track(once(response, 'close')));
  try {
    await app.init();
    await options.beforeListening?.();
    const managementUrl = await listen(management, managementPort(options), config.host);
    const url =
      options.port === undefined
        ? managementUrl
        : await listen(app.getHttpServer(), options.port, config.host);
    info.phase = 'ready';
    return new RunningService(app, url, managementUrl, management);
  } catch (error) {
    await closeServer(management, 0);
    await app.close();
    throw error;
  }
}

/** The middleware in front of the routes, outermost first. */
function useMiddleware(
  app: NestExpressApplication,
  options: HttpServiceOptions,
  config: HttpConfig,
  info: ServiceInfo,
  cors: CorsPolicy,
): void {
  const metrics = app.get(Metrics);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', parseQuery);
  app.set('trust proxy', config.trustProxyHops ?? 0);
  app.use(
    boundary({
      service: info.name,
      cors,
      observe: observer(metrics, PinoLogger.root),
      isDraining: () => info.phase === 'draining',
    }),
  );
  useBodies(app, options.bodies ?? {});
  app.use(oneRequestPerTick());
  app
    .getHttpAdapter()
    .getInstance()
    .get('/metrics', async (_request, response) => {
      response.type(metrics.registry.contentType).send(await metrics.page());
    });
  if (options.api) describe(app, options.api, config, info);
}

function describe(
  app: NestExpressApplication,
  api: ApiDescription,
  { apiDocs, isProduction, publicUrl }: HttpConfig,
  { version }: ServiceInfo,
): void {
  const document = app.get(ApiDocument);
  document.setFactory(() => openApiDocument(app, api, version, publicUrl));
  const hasDocs = apiDocs ?? !isProduction;
  if (hasDocs) serveDocs(app, api.title, document);
  servePages(app, api, hasDocs);
}

export function managementPort({
  port,
  managementPort: chosen,
}: Pick<HttpServiceOptions, 'port' | 'managementPort'>): number {
  return chosen ?? (port ? port + MANAGEMENT_OFFSET : 0);
}

import type { Environment } from '#libs/config';
import type { FurtherBodies } from '../boundary/body.middleware.js';
import type { ApiDescription } from '../openapi/api-description.js';

export interface HttpServiceOptions {
  /** Short name for logs, metrics and health, such as `api`. */
  readonly service: string;
  /** Version of the interface. */
  readonly version?: string;
  /** Where the configuration is read from; this process's environment unless given. */
  readonly environment?: Environment;
  /** Public port; 0 takes a free one. Without it the service has a management address only, as workers do. */
  readonly port?: number;
  /** By default the public port + 6000, or a free one when that is 0. */
  readonly managementPort?: number;
  /** Bodies taken besides JSON. */
  readonly bodies?: FurtherBodies;
  /** Called when the service is ready to listen, before it takes its ports. */
  readonly beforeListening?: () => Promise<void>;
  /** What `/openapi.json` and `/docs` say; without it there are none. */
  readonly api?: ApiDescription;
}

import type { Environment } from '#libs/config';
import type { AdditionalBodies } from '../boundary/body.middleware.js';
import type { ApiDescription } from '../openapi/api-description.js';

export interface HttpServiceOptions {
  /** Short name for logs, metrics and health, such as `api`. */
  readonly service: string;
  /** Version of the interface. */
  readonly version?: string;
  /** Default: the environment of this process. */
  readonly environment?: Environment;
  /** Public port; 0 takes a free one. Without it the service has a management address only, as workers do. */
  readonly port?: number;
  /** By default the public port + 6000, or a free one when that is 0. */
  readonly managementPort?: number;
  /** Bodies accepted in addition to JSON. */
  readonly bodies?: AdditionalBodies;
  /** Called before the service opens its ports. */
  readonly beforeListening?: () => Promise<void>;
  /** Describes the service in `/openapi.json`, `/docs` and the page at `/`; without it none is served. */
  readonly api?: ApiDescription;
}

import type { Call } from '../../wire/call.js';
import type { Handled } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { Router } from '../../wire/router.js';
import type { Disturbable, Site } from '../../wire/site.js';
import type { PostOffice } from '../post-office.js';
import { domainRoutes } from './domains.routes.js';
import { emailRoutes } from './emails.routes.js';
import type { ResendAccount } from './resend.js';
import { resendError, resendRefusal } from './resend-errors.js';
import type { Webhooks } from './webhooks.js';

interface Parts {
  readonly account: ResendAccount;
  readonly office: PostOffice;
  readonly webhooks: Webhooks;
  readonly key: string;
}

/** api.resend.com. */
export function resendSite(parts: Parts): Site {
  const routes = [...emailRoutes(parts), ...domainRoutes(parts.account)];
  return {
    prefix: 'resend',
    host: 'api',
    standsFor: 'api.resend.com',
    router: new Router(routes.map((route) => authenticated(route, parts.key))),
    disturbable: DISTURBABLE,
    refuse: (status) => REFUSALS[status],
  };
}

const authenticated = (route: Route, key: string): Route => ({
  ...route,
  handle(call: Call): Handled {
    if (call.bearerToken === null)
      return resendError(401, 'missing_api_key', 'Missing API key in the authorization header');
    if (call.bearerToken !== key) return resendError(403, 'invalid_api_key', 'API key is invalid');
    return route.handle(call);
  },
});

const REFUSALS = {
  404: resendError(404, 'not_found', 'The requested endpoint does not exist'),
  413: resendError(413, 'validation_error', 'Request body is too large'),
  500: resendError(500, 'application_error', 'An unexpected error occurred'),
};

const DISTURBABLE: Disturbable = {
  network: 'resend',
  accountOf: () => undefined,
  textOf: (call) => (call.json?.value as { subject?: string } | undefined)?.subject,
  refuse: resendRefusal,
};

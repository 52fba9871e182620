import type { Call } from '../../wire/call.js';
import type { Handled } from '../../wire/response.js';
import { type Route, Router } from '../../wire/router.js';
import type { FaultInjectable, Site } from '../../wire/site.js';
import type { AccountRoute, ResendAccounts } from './accounts.js';
import { domainRoutes, emailRoutes, type ResendParts } from './resend.routes.js';
import { resendError, resendRefusal } from './resend-errors.js';

export function resendSite(parts: ResendParts): Site {
  const { accounts } = parts;
  const routes = [...emailRoutes(parts), ...domainRoutes(accounts)];
  return {
    prefix: 'resend',
    host: 'api',
    standsFor: 'api.resend.com',
    router: new Router(routes.map((route) => authenticated(route, accounts))),
    disturbable: disturbable(accounts),
    refuse: (status) => REFUSALS[status],
  };
}

const authenticated = (route: AccountRoute, accounts: ResendAccounts): Route => ({
  ...route,
  handle(call: Call): Handled {
    if (call.bearerToken === null)
      return resendError(401, 'missing_api_key', 'Missing API key in the authorization header');
    const account = accounts.byKey(call.bearerToken);
    return account !== undefined
      ? route.handle(call, account)
      : resendError(403, 'invalid_api_key', 'API key is invalid');
  },
});

const REFUSALS = {
  404: resendError(404, 'not_found', 'The requested endpoint does not exist'),
  413: resendError(413, 'validation_error', 'Request body is too large'),
  500: resendError(500, 'application_error', 'An unexpected error occurred'),
};

const disturbable = (accounts: ResendAccounts): FaultInjectable => ({
  network: 'resend',
  accountOf: ({ bearerToken }) => {
    const name = accounts.byKey(bearerToken);
    return name === undefined ? undefined : { id: name, username: name };
  },
  textOf: (call) => (call.json?.value as { subject?: string } | undefined)?.subject,
  refuse: resendRefusal,
});

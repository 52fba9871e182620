import { randomUUID } from 'node:crypto';
import type { AccountName } from '../ledger/effect.js';
import type { Call } from '../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../wire/response.js';
import { type Route, Router } from '../wire/router.js';
import type { FaultInjectable, Refusal, Site } from '../wire/site.js';
import type { AiProvider } from './provider/provider.js';

const TOKEN_HEADER = 'x-ai-gateway-token';

/** An AI gateway in front of all providers, with a token, headers and faults of its own. */
class AiGateway implements FaultInjectable {
  readonly network = 'ai-gateway';

  constructor(
    private readonly providers: readonly AiProvider[],
    private readonly token: string,
  ) {}

  accountOf(call: Call): AccountName | undefined {
    return this.providerOf(call)?.accountOf(call);
  }

  textOf(call: Call): string | undefined {
    return this.providerOf(call)?.textOf(call);
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return withHeaders(problem(429, 'Too many requests'), {
          'retry-after': String(refusal.resetSeconds),
        });
      case 'usage-capped':
        return problem(429, 'The plan of the gateway is used up');
      case 'unauthorized':
        return problem(401, 'Unauthorized');
      case 'forbidden':
        return problem(403, 'Forbidden');
      case 'server-error':
        return problem(refusal.status, 'Internal error of the gateway');
    }
  }

  /** The route of a provider behind the token. */
  passedOn(name: string, route: Route): Route {
    return {
      ...route,
      path: `/${name}${route.path}`,
      handle: async (call) => {
        if (call.headers[TOKEN_HEADER] !== this.token) return problem(401, 'Unauthorized');
        return withHeaders(await route.handle(call), {
          'x-ai-gateway-log-id': randomUUID(),
          'x-ai-gateway-cache-status': 'MISS',
          'x-ai-gateway-step': '0',
        });
      },
    };
  }

  private providerOf({ route }: Call): AiProvider | undefined {
    return this.providers.find(({ network }) => route.includes(` /${network}/`));
  }
}

const problem = (status: number, message: string): SandboxResponse =>
  json(status, { success: false, errors: [{ code: status, message }] });

/** `/ai-gateway/{provider}/…`, with the names of providers as the product has them. */
export function aiGatewaySite(providers: readonly AiProvider[], token: string): Site {
  const gateway = new AiGateway(providers, token);
  const routes = providers.flatMap(({ network, routes: own }) =>
    own.map((route) => gateway.passedOn(network, route)),
  );
  return {
    prefix: 'ai-gateway',
    host: 'ai-gateway',
    standsFor: 'an AI gateway in front of the providers',
    router: new Router(routes),
    disturbable: gateway,
    refuse: (status) => problem(status, 'The gateway has no such route.'),
  };
}

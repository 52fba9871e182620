import type { Markup } from '#libs/pages';
import type { FaultRegistry } from '../faults/fault-registry.js';
import type { CallCounter } from '../ledger/answered-calls.js';
import type { Ledger } from '../ledger/ledger.js';
import { ICON, STYLESHEET } from '../pages/assets.js';
import { json, page, type SandboxResponse } from '../wire/response.js';
import { nameOf, type Route, Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import { controlError, controlRoute, guarded } from '../wire/control-request.js';
import { faultRoutes, faultView } from './fault.routes.js';
import { type AccountCard, indexPage } from './index.page.js';
import { ledgerRoutes } from './ledger.routes.js';

export interface Controls {
  readonly ledger: Ledger;
  readonly calls: CallCounter;
  readonly faults: FaultRegistry;
  readonly networkSites: readonly Site[];
  /** The networks' own control routes. */
  readonly networkRoutes: readonly Route[];
  readonly accounts: () => AccountCard[];
  /** Of the index page. */
  readonly sections: () => Markup[];
  readonly now: () => Date;
  /** Resets everything. */
  readonly reset: () => void;
}

/** The sandbox's own routes: the index page, and the control routes under `/_sandbox`. */
export function controlSites(controls: Controls): Site[] {
  const routes = [
    controlRoute('GET', '/', () => json(200, state(controls))),
    controlRoute('POST', '/reset', () => {
      controls.reset();
      return json(200, state(controls));
    }),
    { method: 'GET', path: '/sandbox.css', handle: () => STYLESHEET } satisfies Route,
    { method: 'GET', path: '/icon.svg', handle: () => ICON } satisfies Route,
    controlRoute('GET', '/calls', () =>
      json(200, { data: controls.calls.list(), clientsLeft: controls.calls.listLeft() }),
    ),
    ...ledgerRoutes(controls.ledger),
    ...faultRoutes(controls.faults, controls.networkSites),
    ...controls.networkRoutes,
  ];
  const own: Route[] = [
    { method: 'GET', path: '/', handle: () => page(200, indexPage(overview(controls))) },
    { method: 'GET', path: '/healthz', handle: () => json(200, { status: 'ok' }) },
  ];
  return [
    { prefix: '_sandbox', host: 'control', router: new Router(routes.map(guarded)), refuse },
    { prefix: '', host: 'sandbox', router: new Router(own.map(guarded)), refuse },
  ];
}

const REFUSALS = {
  404: 'There is nothing at this address.',
  413: 'The body is too large.',
  500: 'The sandbox failed.',
};

const refuse = (status: 404 | 413 | 500): SandboxResponse => controlError(status, REFUSALS[status]);

function state({ ledger, faults, networkSites, accounts }: Controls): Record<string, unknown> {
  return {
    effects: { accepted: ledger.size, forgotten: ledger.forgotten },
    faults: faults.list().map(faultView),
    accounts: accounts().map(({ network, username, posts, timeline }) => ({
      network,
      username,
      posts,
      timeline,
    })),
    sites: networkSites.map(({ prefix, address, host, router }) => ({
      prefix: address?.() ?? `/${prefix}`,
      host,
      routes: router.routes.map(nameOf),
    })),
  };
}

function overview({
  accounts,
  faults,
  ledger,
  networkSites: sites,
  sections,
  now,
}: Controls): Parameters<typeof indexPage>[0] {
  return {
    accounts: accounts(),
    faults: faults.list(),
    effects: ledger.size,
    sites,
    sections: sections(),
    now: now(),
  };
}

import { type Fault, KINDS, parseFault } from '../faults/fault.js';
import type { SwitchedFault, FaultRegistry } from '../faults/fault-registry.js';
import { json } from '../wire/response.js';
import { nameOf, type Route } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import { ControlRequestIsInvalid, controlBody, controlError, controlRoute } from '../wire/control-request.js';

/** `POST /_sandbox/faults` switches one on, `GET` lists them with their hits, `DELETE` ends one or all. */
export function faultRoutes(faults: FaultRegistry, sites: readonly Site[]): Route[] {
  return [
    controlRoute('GET', '/faults', () => json(200, { data: faults.list().map(faultView), kinds: KINDS })),
    controlRoute('POST', '/faults', (call) => {
      const fault = parseFault(controlBody(call));
      assertRouteExists(fault, sites);
      return json(201, faultView(faults.add(fault)));
    }),
    controlRoute('DELETE', '/faults', () => {
      faults.clear();
      return json(200, { data: [] });
    }),
    controlRoute('DELETE', '/faults/:id', (call) =>
      faults.remove(Number(call.params.id))
        ? json(200, { removed: true })
        : controlError(404, 'No such fault.'),
    ),
  ];
}

export const faultView = ({ id, fault, hits }: SwitchedFault): Record<string, unknown> => ({
  id,
  hits,
  ...fault,
});

/** A fault on an unknown route would never fire, and its test would pass without it. */
function assertRouteExists(fault: Fault, sites: readonly Site[]): void {
  const disturbable = sites.filter(
    ({ host, disturbable: network }) =>
      network !== undefined &&
      (fault.network === undefined || fault.network === network.network) &&
      (fault.host === undefined || fault.host === host),
  );
  const routes = new Set(disturbable.flatMap(({ router }) => router.routes.map(nameOf)));
  if (routes.size === 0)
    throw new ControlRequestIsInvalid('The network or host does not exist. Use one of the index page.');
  if (fault.route !== undefined && !routes.has(fault.route)) {
    throw new ControlRequestIsInvalid(
      `There is no route ${fault.route}; there are ${[...routes].join(', ')}.`,
    );
  }
}

import { loadavg } from 'node:os';
import { Pool } from 'undici';
import { BareProxy } from '../support/bare-proxy.js';
import { addedBy, latencies, type Latency, type Load, type Way } from '../support/call-latency.js';
import { atMost, forTheRecord, type Line, type Result } from '../support/line.js';
import { gatewayBody, MeteredGateway, openaiBody, SANDBOX_KEY } from '../support/metered-gateway.js';
import { Portkey } from '../support/portkey.js';

const CALLERS = 64;
const PROVIDER_MS = 200;

/**
 * Completions of a provider that answers after 200 ms, called directly, through this gateway (authenticated, reserved, metered),
 * through Portkey's open gateway, which passes them on without metering, and through a bare proxy that stores one row before each.
 */
export const gatewayLatency: Line = {
  name: 'gateway-latency',
  async run(bench) {
    const gateway = await MeteredGateway.open(bench, CALLERS);
    const provider = `${gateway.outside.url}/openai`;
    const direct = new Pool(gateway.outside.url, { connections: CALLERS });
    const portkey = await Portkey.start(provider, SANDBOX_KEY, CALLERS);
    const storing = await BareProxy.start(provider, CALLERS, await bench.emptyDatabase());
    const ways = { gateway, direct, portkey, storing };
    try {
      await gateway.provider({ delayMs: PROVIDER_MS });
      const load: Load = {
        callers: CALLERS,
        repetitions: bench.repetitions,
        warmUpMs: 1_500 * bench.scale,
        durationMs: 5_000 * bench.scale,
        spreadMs: PROVIDER_MS,
      };
      const whole = await latencies(waysTo(ways, false), load);
      const streamed = await latencies(waysTo(ways, true), load);
      const others = callsOf(whole) + callsOf(streamed);
      const metered = await gateway.comparedWithBill(others);
      return [
        ...resultsOf(whole, 'completion', 1.5, metered),
        ...resultsOf(streamed, 'first content of a stream', 1, metered),
      ];
    } finally {
      await storing.stop();
      await portkey.stop();
      await direct.close();
      await gateway.close();
    }
  },
};

interface Ways {
  readonly gateway: MeteredGateway;
  readonly direct: Pool;
  readonly portkey: Portkey;
  readonly storing: BareProxy;
}

function waysTo({ gateway, direct, portkey, storing }: Ways, isStreamed: boolean): Way[] {
  const content = isStreamed ? /"content":"[^"]/ : /"usage"/;
  const body = openaiBody(isStreamed);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_KEY}` };
  return [
    { name: 'direct', pool: direct, path: '/openai/v1/chat/completions', headers, body, content },
    { name: 'storing', pool: storing.pool, path: '/v1/chat/completions', headers, body, content },
    {
      name: 'portkey',
      pool: portkey.pool,
      headers: portkey.headers,
      process: portkey.process,
      path: '/v1/chat/completions',
      body,
      content,
    },
    {
      name: 'gateway',
      pool: gateway.pool,
      process: gateway.process,
      path: '/api/ai/completions',
      headers: gateway.headers,
      body: gatewayBody(isStreamed),
      content: isStreamed ? /event: delta/ : /"usage"/,
    },
  ];
}

/** Of the ways that do not meter. */
const callsOf = (found: ReadonlyMap<string, Latency>): number =>
  ['direct', 'portkey', 'storing'].reduce((sum, name) => sum + (found.get(name)?.calls ?? 0), 0);

/** @param goal multiple of what Portkey adds, which meters nothing */
function resultsOf(
  found: ReadonlyMap<string, Latency>,
  what: string,
  goal: number,
  metered: string,
): Result[] {
  const ours = addedBy(found, 'gateway', 'direct');
  const theirs = addedBy(found, 'portkey', 'direct');
  const least = addedBy(found, 'storing', 'direct');
  const tail = addedBy(found, 'gateway', 'direct', 'p99');
  const cpu = (name: string): string => {
    const { cpu: used = Number.NaN, calls = 0 } = found.get(name) ?? {};
    return `${(used / calls).toFixed(2)} ms CPU a call`;
  };
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
  const described = `${what}, ${CALLERS} callers, provider answers after ${PROVIDER_MS} ms`;
  return [
    atMost(Number((goal * theirs.value).toFixed(1)), 'ms', {
      what: `${described}: added by the gateway, p50`,
      against: `${goal} × Portkey's open gateway without metering`,
      value: ours.value,
      note: `${ours.note}; p99 ${tail.value.toFixed(1)}; ${cpu('gateway')}; Portkey adds ${theirs.note}; ${cpu('portkey')}; ${metered}; ${load}`,
    }),
    forTheRecord({
      what: `${described}: added by the gateway, p50`,
      against: 'a bare proxy that stores one row before each call',
      ratio: ours.value / least.value,
      note: `the proxy adds ${least.note} ms, p50`,
    }),
  ];
}

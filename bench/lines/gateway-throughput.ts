import { BareProxy } from '../support/bare-proxy.js';
import { firstContent, type Way } from '../support/call-latency.js';
import { atLeast, type Line } from '../support/line.js';
import { compare, type Contender, ratio } from '../support/measure.js';
import { gatewayBody, MeteredGateway, openaiBody, SANDBOX_KEY } from '../support/metered-gateway.js';

const CALLERS = 64;

/** Metered completions per second of a provider that answers at once, compared with a proxy that only passes bytes on. */
export const gatewayThroughput: Line = {
  name: 'gateway-throughput',
  async run(bench) {
    const gateway = await MeteredGateway.open(bench, CALLERS);
    const proxy = await BareProxy.start(`${gateway.outside.url}/openai`, CALLERS);
    try {
      await gateway.provider({ delayMs: 0 });
      let others = 0;
      const bare = contender({
        name: 'bare',
        pool: proxy.pool,
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_KEY}` },
        body: openaiBody(false),
        content: /"usage"/,
      });
      const metered = contender({
        name: 'metered',
        pool: gateway.pool,
        path: '/api/ai/completions',
        headers: gateway.headers,
        body: gatewayBody(false),
        content: /"usage"/,
      });
      const counted: Contender = {
        ...bare,
        async work(worker) {
          others += 1;
          return bare.work(worker);
        },
      };
      const rates = await compare([counted, metered], {
        workers: CALLERS,
        repetitions: bench.repetitions,
        warmUpMs: 1_000 * bench.scale,
        durationMs: 4_000 * bench.scale,
      });
      const found = ratio(rates, 'metered', 'bare');
      const checked = await gateway.comparedWithBill(others);
      const perSecond = `${rates.get('metered')?.median.toFixed(0)} against ${rates.get('bare')?.median.toFixed(0)} a second`;
      return [
        atLeast(0.2, {
          what: `metered completions per second, ${CALLERS} callers, provider answers at once`,
          against: 'a bare node:http proxy',
          ratio: found.ratio,
          note: `${found.note}; ${perSecond}; ${checked}`,
        }),
      ];
    } finally {
      await proxy.stop();
      await gateway.close();
    }
  },
};

const contender = (way: Way): Contender => ({
  name: way.name,
  async work() {
    await firstContent(way);
    return 1;
  },
});

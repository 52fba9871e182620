import { ControlRequestIsInvalid, controlBody, controlError, controlRoute } from '../wire/control-request.js';
import { json } from '../wire/response.js';
import { type Route, Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';

const TXT = 16;
const OK = 0;
const NO_SUCH_NAME = 3;

/**
 * The TXT records of the DNS, and a resolver that answers in JSON (developers.google.com/speed/public-dns/docs/doh/json).
 * `PUT /_sandbox/dns/:name {"txt": […]}` sets the records of a name.
 */
export function sandboxDns(): { readonly site: Site; readonly controlRoute: Route; clear(): void } {
  const records = new Map<string, readonly string[]>();
  const resolve: Route = {
    method: 'GET',
    path: '/resolve',
    handle({ query }) {
      const name = query.get('name') ?? '';
      const texts = records.get(name.toLowerCase().replace(/\.$/, ''));
      const Answer = texts?.map((text) => ({ name: `${name}.`, type: TXT, TTL: 60, data: `"${text}"` }));
      return json(200, {
        Status: texts ? OK : NO_SUCH_NAME,
        Question: [{ name, type: TXT }],
        ...(Answer && { Answer }),
      });
    },
  };
  return {
    site: {
      prefix: 'dns',
      host: 'dns',
      standsFor: 'dns.google',
      router: new Router([resolve]),
      refuse: (status) => controlError(status, 'The resolver does not answer this.'),
    },
    controlRoute: controlRoute('PUT', '/dns/:name', (call) => {
      const { name = '' } = call.params;
      const { txt } = controlBody(call);
      if (!Array.isArray(txt) || !txt.every((one) => typeof one === 'string'))
        throw new ControlRequestIsInvalid('txt must be a list of texts.');
      records.set(name.toLowerCase(), txt);
      return json(200, { name, txt });
    }),
    clear: () => records.clear(),
  };
}

import { ControlRequestIsInvalid, controlBody, controlError, controlRoute } from '../wire/control-request.js';
import { json, type SandboxResponse } from '../wire/response.js';
import { type Route, Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';

const TXT = 16;
const OK = 0;
const NO_SUCH_NAME = 3;

/** The TXT records of the DNS. */
export class DnsZone {
  private readonly texts = new Map<string, readonly string[]>();

  set(name: string, texts: readonly string[]): void {
    this.texts.set(name.toLowerCase(), texts);
  }

  txt(name: string): readonly string[] | undefined {
    return this.texts.get(name.toLowerCase().replace(/\.$/, ''));
  }

  clear(): void {
    this.texts.clear();
  }
}

/** A resolver that answers in JSON (developers.google.com/speed/public-dns/docs/doh/json). */
export function dnsSite(zone: DnsZone): Site {
  const resolve: Route = {
    method: 'GET',
    path: '/resolve',
    handle({ query }) {
      const name = query.get('name') ?? '';
      const texts = zone.txt(name);
      const Answer = texts?.map((text) => ({ name: `${name}.`, type: TXT, TTL: 60, data: `"${text}"` }));
      return json(200, {
        Status: texts ? OK : NO_SUCH_NAME,
        Question: [{ name, type: TXT }],
        ...(Answer && { Answer }),
      });
    },
  };
  return {
    prefix: 'dns',
    host: 'dns',
    standsFor: 'dns.google',
    router: new Router([resolve]),
    refuse: (status): SandboxResponse => controlError(status, 'The resolver does not answer this.'),
  };
}

/** `PUT /_sandbox/dns/:name {"txt": […]}` sets the records of a name. */
export const dnsControlRoute = (zone: DnsZone): Route =>
  controlRoute('PUT', '/dns/:name', (call) => {
    const { txt } = controlBody(call);
    if (!Array.isArray(txt) || !txt.every((one) => typeof one === 'string'))
      throw new ControlRequestIsInvalid('txt must be a list of texts.');
    zone.set(call.params.name ?? '', txt);
    return json(200, { name: call.params.name, txt });
  });

import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { setPrincipal } from '../context/principal.js';
import { concerns, runInContext } from '../context/request-context.js';
import { Metrics, observer } from './metrics.js';

describe('The log line of a request', () => {
  const lines: object[] = [];
  const logger = {
    info: (line: object) => lines.push(line),
    debug: (line: object) => lines.push(line),
    isLevelEnabled: () => true,
  };
  const observe = observer(new Metrics(), logger);
  const request = () =>
    ({
      method: 'GET',
      originalUrl: '/api/contacts?search=jana&limit=2',
      path: '/api/contacts',
      ip: '192.0.2.7',
    }) as Request;
  const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: true });
  beforeEach(() => lines.splice(0));

  it('names the caller, the organization that it acts on and the client', () => {
    const asked = request();
    setPrincipal(asked, 'user:1', ['a', 'b', 'c']);
    runInContext({ requestId: '1', correlationId: '2', owners: new Set() }, () => {
      concerns('b');
      observe(asked, response as unknown as Response, 0.25);
    });
    expect(lines).toEqual([
      expect.objectContaining({
        actor: 'user:1',
        organizationId: 'b',
        client: '192.0.2.7',
        url: '/api/contacts?search=[redacted]&limit=2',
        milliseconds: 250,
      }),
    ]);
  });

  it.each([
    ['the only organization of the caller', ['a'], 'a'],
    ['none of several organizations', ['a', 'b'], undefined],
  ])('names %s when the request has found none', (_, organizations, organizationId) => {
    const asked = request();
    setPrincipal(asked, 'user:1', organizations);
    observe(asked, response as unknown as Response, 0.25);
    expect(lines).toEqual([expect.objectContaining({ organizationId })]);
    expect(lines[0]).not.toHaveProperty('organizationIds');
  });

  it('has no caller without accepted credentials, and no endless address', () => {
    const asked = Object.assign(request(), { ip: 'x'.repeat(500) });
    observe(asked, response as unknown as Response, 0.25);
    expect(lines).toEqual([
      expect.objectContaining({ actor: undefined, organizationId: undefined, client: 'x'.repeat(45) }),
    ]);
  });
});

import type { Request } from 'express';
import { addressOf, principalOf, setPrincipal } from './principal.js';
import { acceptableRequestId, continueTrace, requestContext, runInContext } from './request-context.js';

const from = (ip: string | undefined) => ({ ip }) as Request;

describe('who sends a request', () => {
  it.each([
    ['203.0.113.7', 'address:203.0.113.7'],
    ['::ffff:203.0.113.7', 'address:203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', 'address:2001:db8:1:2::/64'],
    ['2001:db8::9', 'address:2001:db8:0:0::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['2001:0DB8:1:02::9', 'address:2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    // Some proxies, such as Azure's Application Gateway, write the port too.
    ['203.0.113.7:51234', 'address:203.0.113.7'],
    ['[2001:db8:1:2::9]:443', 'address:2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', 'address:2001:db8:1:2::/64'],
    ['::ffff:203.0.113.7:51234', 'address:unknown'],
    ['1:2:3:4:5:6:7:8::9', 'address:unknown'],
    ['_hidden', 'address:unknown'],
    ['203.0.113.999', 'address:unknown'],
    ['', 'address:unknown'],
    [undefined, 'address:unknown'],
  ])('is %s counted as %s', (ip, whose) => expect(addressOf(from(ip))).toBe(whose));

  it('is the caller once known, the address until then', () => {
    const request = from('203.0.113.7');
    expect(principalOf(request)).toBe('address:203.0.113.7');
    setPrincipal(request, 'user:ann');
    expect(principalOf(request)).toBe('user:ann');
  });
});

describe('trace context', () => {
  const trace = 'a'.repeat(32);
  it('continues a valid one with a new parent, flags kept', () => {
    const { traceId, traceparent } = continueTrace(`00-${trace}-${'b'.repeat(16)}-01`);
    expect(traceId).toBe(trace);
    expect(traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
  });

  it.each([
    undefined,
    '',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `ff-${trace}-${'b'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${'b'.repeat(16)}-01`,
  ])('starts one instead of %s', (header) => {
    const { traceId, traceparent } = continueTrace(header);
    expect(traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
    expect(traceId).not.toBe(trace);
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  });

  it('takes request ids that are safe to print', () => {
    expect(acceptableRequestId('abc.DEF-123_')).toBe('abc.DEF-123_');
    for (const id of [undefined, 'short', 'x'.repeat(129), 'abcd\nefgh', ['a'.repeat(9)]]) {
      expect(acceptableRequestId(id)).toBeUndefined();
    }
  });
});

describe('the context', () => {
  it('follows asynchronous work and ends with it', async () => {
    const context = { requestId: 'request-1', correlationId: 'c' };
    const seen = await runInContext(context, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return requestContext();
    });
    expect(seen).toBe(context);
    expect(requestContext()).toEqual({
      requestId: null,
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

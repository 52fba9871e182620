import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import request from 'supertest';
import type { Attribution } from '../../src/platform/gateway/access/attribution.js';
import {
  AiCallers,
  OrganizationCallers,
  PlatformAdmins,
  PlatformSuperAdmins,
  ServiceCallers,
} from '../../src/platform/gateway/access/callers.js';
import { CurrentAttribution, CurrentOrganization } from '../../src/platform/gateway/access/current-access.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';

const PRIMARY = 'the-primary-shared-token-of-the-tests-1';
const STAGED = 'the-staged-shared-token-of-the-tests-2';
const MAIL = 'the-dedicated-token-of-the-mail-service';
const NEXT_MAIL = 'the-next-token-of-the-mail-service-1';
const PAYMENT = 'the-dedicated-token-of-the-payment-svc';
const SETTLEMENT = 'the-dedicated-token-of-the-settlements';
/** What a token of the mail application is not refused at. */
const OF_MAIL = ['post /api/ai/completions', 'post /api/ai/transcriptions'];
/** What they answer to an empty request. */
const EMPTY = ['validation_failed', 'file_missing'];

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
  >;
}

@Controller('tests')
class Routes {
  @AiCallers('completions')
  @Get('completions')
  completions(@CurrentAttribution() attribution: Attribution) {
    return attribution;
  }

  @AiCallers('transcriptions')
  @Get('transcriptions')
  transcriptions(@CurrentAttribution() attribution: Attribution) {
    return attribution;
  }

  @AiCallers('images')
  @Get('images')
  images(@CurrentAttribution() attribution: Attribution) {
    return attribution;
  }

  @ServiceCallers('email')
  @Get('email')
  email(@CurrentAttribution() attribution: Attribution) {
    return attribution;
  }

  @ServiceCallers('payments')
  @Get('payments')
  payments(@CurrentAttribution() attribution: Attribution) {
    return attribution;
  }

  @OrganizationCallers('usage.read')
  @Get('usage')
  usage(@CurrentOrganization() organizationId: string) {
    return { organizationId };
  }

  @PlatformAdmins()
  @Get('platform')
  platform() {
    return {};
  }

  @PlatformSuperAdmins()
  @Get('defaults')
  defaults() {
    return {};
  }
}

describe('the callers of the gateway', () => {
  let gateway: BootedGateway;
  let http: ReturnType<typeof request>;

  beforeAll(async () => {
    const tokens = {
      GATEWAY_SHARED_TOKENS: `${PRIMARY},${STAGED}`,
      GATEWAY_SERVICE_TOKENS: `mail:${MAIL},mail:${NEXT_MAIL},payment:${PAYMENT},settlement:${SETTLEMENT}`,
      RATE_LIMIT_PER_MINUTE: '100',
    };
    gateway = await bootGateway('http://127.0.0.1:1', tokens, [Routes]);
    http = request(gateway.service.url);
  });
  afterAll(() => gateway.close());

  const service = (application: string, token = PRIMARY, organizationId: string = randomUUID()) =>
    gateway.headers({ application, token, organizationId });
  const get = async (route: string, headers: Record<string, string>, status: number) => {
    const { body } = await http.get(`/tests/${route}`).set(headers).expect(status);
    return body as Record<string, unknown>;
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  /** Those of the gateway, with an address that has ids. */
  const operations = async (is: (security: readonly object[], path: string) => boolean) => {
    const { body } = await http.get('/openapi.json').expect(200);
    return Object.entries((body as Document).paths)
      .filter(([path]) => !path.startsWith('/tests/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { security = [] }]) => is(security, path))
          .map(([method]) => ({
            operation: `${method} ${path}`,
            method: method as 'get',
            url: path.replace('{capability}', 'images').replaceAll(/\{\w+\}/g, randomUUID()),
          })),
      );
  };
  const ofServices = () => operations((security) => security.some((scheme) => 'ServiceTokenAuth' in scheme));
  const ofPlatform = () =>
    operations((_, path) => /\/platform(\/|$)|\/models\/sync$|\/undelivered-events/.test(path));

  it('GW-25: a registered application calls with the primary shared token', async () => {
    expect(await get('email', await service('notification'), 200)).toMatchObject({
      application: 'notification',
      userId: null,
    });
  });

  it('GW-26: the primary and each staged shared token are valid together, a removed one is not', async () => {
    for (const token of [PRIMARY, STAGED]) await get('email', await service('notification', token), 200);
    const next = await gateway.replica({ GATEWAY_SHARED_TOKENS: STAGED });
    const sent = async (token: string) =>
      request(next.url)
        .get('/tests/email')
        .set(await service('notification', token));
    expect((await sent(STAGED)).status).toBe(200);
    const { status, body } = await sent(PRIMARY);
    expect([status, body.code]).toEqual([403, 'service_not_authenticated']);
  });

  it('GW-27: a dedicated token is valid for its application only, which no shared token is valid for', async () => {
    for (const token of [MAIL, NEXT_MAIL]) await get('completions', await service('mail', token), 200);
    for (const [application, token] of [
      ['notification', MAIL],
      ['mail', PRIMARY],
      ['mail', STAGED],
    ] as const) {
      const body = await get('completions', await service(application, token), 403);
      expect(body).toMatchObject({ code: 'application_not_authorized' });
    }
  });

  it('GW-28: the mail application uses completions and transcriptions only', async () => {
    const headers = await service('mail', MAIL);
    for (const route of ['completions', 'transcriptions']) await get(route, headers, 200);
    for (const route of ['images', 'email', 'payments'])
      expect(await get(route, headers, 403)).toMatchObject({ code: 'capability_not_allowed' });
  });

  it('GW-29: a call of the mail application is attributed to the user, organization and application', async () => {
    const [userId, organizationId] = [randomUUID(), randomUUID()];
    gateway.identity.join(userId, organizationId);
    const headers = { ...(await service('mail', MAIL, organizationId)), 'x-user-id': userId.toUpperCase() };
    const registered = await gateway.identity.registration('mail');
    expect(await get('completions', headers, 200)).toEqual({
      ...{ applicationId: registered?.id, application: 'mail', organizationId, userId },
    });
  });

  it('GW-28: the token of the mail application is refused at every other route for services', async () => {
    const headers = await service('mail', MAIL);
    let refused = 0;
    for (const { operation, method, url } of await ofServices()) {
      const { status, body } = await http[method](url).set(headers);
      const codes = OF_MAIL.includes(operation) ? EMPTY : ['capability_not_allowed'];
      expect([operation, codes]).toEqual([operation, expect.arrayContaining([body.code])]);
      refused += status === 403 ? 1 : 0;
    }
    expect(refused).toBeGreaterThan(30);
  });

  it('GW-17: the settlement service is refused everywhere, whatever token it has', async () => {
    const own = await service('settlement', SETTLEMENT);
    for (const route of ['completions', 'images', 'transcriptions', 'email', 'payments']) {
      expect(await get(route, own, 403)).toMatchObject({ code: 'capability_not_allowed' });
      await get(route, await service('settlement'), 403);
      await get(route, { ...own, ...(await service('payment', SETTLEMENT)) }, 403);
    }
    await get('payments', await service('payment', PAYMENT), 200);
  });

  it('GW-17: payments need a dedicated token, so that no holder of a shared one can name the payment service', async () => {
    for (const application of ['payment', 'settlement', 'notification', 'social-publishing'])
      for (const token of [PRIMARY, STAGED]) await get('payments', await service(application, token), 403);
    const body = await get('payments', await service('notification'), 403);
    expect(body).toMatchObject({ code: 'dedicated_token_required' });
  });

  it('GW-17, GW-28: the environment can narrow what mail and settlement may use, and not extend it', async () => {
    const token = 'the-dedicated-token-of-notifications-1';
    const { url } = await gateway.replica({
      GATEWAY_APPLICATION_CAPABILITIES:
        'mail:completions+images,settlement:completions+payments,notification:email,agent:images',
      GATEWAY_SERVICE_TOKENS: `mail:${MAIL},settlement:${SETTLEMENT},notification:${token}`,
    });
    for (const [application, own, allowed] of [
      ['mail', MAIL, ['completions']],
      ['settlement', SETTLEMENT, []],
      ['notification', token, ['email']],
      // Restricted, and without a dedicated token.
      ['agent', PRIMARY, []],
      ['social-publishing', PRIMARY, ['completions', 'images', 'transcriptions', 'email']],
    ] as const) {
      const headers = await service(application, own);
      for (const route of ['completions', 'images', 'transcriptions', 'email', 'payments']) {
        const { status } = await request(url).get(`/tests/${route}`).set(headers);
        expect([application, route, status]).toEqual([
          application,
          route,
          (allowed as readonly string[]).includes(route) ? 200 : 403,
        ]);
      }
    }
  });

  it('GW-33: an application that is not registered at identity is refused at every route for services', async () => {
    const [headers, ofPayment] = [await service('notification'), await service('payment', PAYMENT)];
    await get('email', headers, 200);
    await get('payments', ofPayment, 200);
    const unregistered = [randomUUID(), headers['x-organization-id'] ?? '', 'notification', ''];
    const refusal = [403, 'application_not_authorized'];
    const found = await ofServices();
    expect(found.length).toBeGreaterThan(30);
    for (const { operation, method, url } of found)
      for (const id of unregistered) {
        const own = url.startsWith('/api/payments/') ? ofPayment : headers;
        const { status, body } = await http[method](url).set({ ...own, 'x-application-id': id });
        expect([operation, id, status, body.code]).toEqual([operation, id, ...refusal]);
      }
  });

  it('GW-31: every route of platform administration is refused without such a role in the admin organization', async () => {
    const admin = { id: randomUUID(), isAdministrative: true };
    const other = { id: randomUUID(), isAdministrative: false };
    const person = (
      principalType: 'user' | 'platform_admin' | 'platform_super_admin',
      organization: object,
    ) => bearer(gateway.identity.user({ principalType, organizations: [organization as typeof admin] }));
    const others = [person('user', admin), person('platform_super_admin', other)];
    const administrator = person('platform_admin', admin);
    const found = await ofPlatform();
    expect(found.length).toBeGreaterThan(15);
    for (const { operation, method, url } of found) {
      for (const headers of others) {
        const { status, body } = await http[method](url).set(headers);
        expect([operation, status, body.code]).toEqual([operation, 403, 'platform_role_missing']);
      }
      const { status } = await http[method](url).set(administrator);
      const isOfSuperAdmins = operation === 'post /api/models/sync';
      expect([operation, [401, 403].includes(status)]).toEqual([operation, isOfSuperAdmins]);
    }
  });

  it('GW-31: platform administration needs platform_admin or platform_super_admin in the admin organization', async () => {
    const [admin, other] = [randomUUID(), randomUUID()];
    const person = (
      principalType: 'user' | 'platform_admin' | 'platform_super_admin',
      isAdministrative: boolean,
    ) =>
      gateway.identity.user({
        principalType,
        organizations: [{ id: isAdministrative ? admin : other, isAdministrative }],
      });
    for (const [token, platform, defaults] of [
      [person('platform_super_admin', true), 200, 200],
      [person('platform_admin', true), 200, 403],
      [person('user', true), 403, 403],
      [person('platform_super_admin', false), 403, 403],
      [person('platform_admin', false), 403, 403],
    ] as const) {
      await get('platform', bearer(token), platform);
      await get('defaults', bearer(token), defaults);
    }
    const organization = { id: admin, isAdministrative: true };
    const [key, robot] = [
      gateway.identity.apiKey({ organization }),
      gateway.identity.service({ organization }),
    ];
    await get('platform', { 'x-api-key': key }, 401);
    await get('platform', bearer(robot), 403);
    await get('platform', await service('notification'), 401);
  });

  it('are refused from the next call after their role is revoked', async () => {
    const token = gateway.identity.user({
      principalType: 'platform_super_admin',
      organizations: [{ id: randomUUID(), isAdministrative: true }],
    });
    await get('defaults', bearer(token), 200);
    gateway.identity.setPrincipalType(token, 'platform_admin');
    await get('defaults', bearer(token), 403);
    await get('platform', bearer(token), 200);
    gateway.identity.regrant(token, []);
    expect(await get('platform', bearer(token), 403)).toMatchObject({ code: 'platform_role_missing' });
  });

  describe('on behalf of organizations and people', () => {
    it('name an organization that exists', async () => {
      const headers = { ...(await service('notification')), 'x-organization-id': randomUUID() };
      expect(await get('email', headers, 404)).toMatchObject({ code: 'organization_not_found' });
    });

    it('name a member of that organization, not of another one', async () => {
      const [userId, organizationId] = [randomUUID(), randomUUID()];
      gateway.identity.join(userId, organizationId);
      const headers = { ...(await service('notification')), 'x-user-id': userId };
      expect(await get('email', headers, 403)).toMatchObject({ code: 'delegation_refused' });
      const unknown = {
        ...(await service('notification', PRIMARY, organizationId)),
        'x-user-id': randomUUID(),
      };
      expect(await get('email', unknown, 403)).toMatchObject({ code: 'delegation_refused' });
      for (const malformed of ['', 'ada', `${userId},${userId}`])
        expect(await get('email', { ...headers, 'x-user-id': malformed }, 400)).toMatchObject({
          code: 'user_not_valid',
        });
    });

    it('name one organization: a header that is sent twice is refused', async () => {
      const [first, second] = [await service('notification'), await service('notification')];
      const organizations = [first, second].map((headers) => headers['x-organization-id'] ?? '');
      const send = async (values: string[]): Promise<number | undefined> => {
        const sent = httpRequest(`${gateway.service.url}/tests/email`);
        for (const [name, value] of Object.entries(first)) sent.setHeader(name, value);
        sent.setHeader('x-organization-id', values);
        const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
        response.resume();
        return response.statusCode;
      };
      expect(await send(organizations.slice(0, 1))).toBe(200);
      expect(await send(organizations)).toBe(400);
    });

    it('ask identity once for what it said recently, and each time for what it denied', async () => {
      const [userId, organizationId] = [randomUUID(), randomUUID()];
      const headers = { ...(await service('notification', PRIMARY, organizationId)), 'x-user-id': userId };
      const before = gateway.identity.attributionChecks;
      await get('email', headers, 403);
      gateway.identity.join(userId, organizationId);
      await get('email', headers, 200);
      await get('email', headers, 200);
      expect(gateway.identity.attributionChecks - before).toBe(2);
    });

    it('are refused with 503 while identity is down, also by another replica', async () => {
      const headers = await service('notification');
      const replica = await gateway.replica();
      gateway.identity.goDown();
      const { body } = await request(replica.url).get('/tests/email').set(headers).expect(503);
      expect(body.code).toBe('identity_unavailable');
      await get('email', headers, 503);
      await get('usage', bearer('copa_nothing'), 503);
      gateway.identity.comeBack();
      await get('email', headers, 200);
    });
  });

  describe('of AI routes without a service token', () => {
    it('are people, attributed to the gateway itself and their organization', async () => {
      const [id, organizationId] = [randomUUID(), randomUUID()];
      const token = gateway.identity.user({
        id,
        organizations: [{ id: organizationId, scopes: ['ai.invoke'] }],
      });
      const { id: applicationId } = (await gateway.identity.registration('provider-gateway')) ?? {};
      expect(await get('images', bearer(token), 200)).toEqual({
        ...{ applicationId, application: 'provider-gateway', organizationId, userId: id },
      });
    });

    it('are API keys, without a person', async () => {
      const organizationId = randomUUID();
      const key = gateway.identity.apiKey({ organization: { id: organizationId, scopes: ['ai.invoke'] } });
      expect(await get('images', { 'x-api-key': key }, 200)).toMatchObject({ organizationId, userId: null });
      const reader = gateway.identity.apiKey({
        organization: { id: organizationId, scopes: ['usage.read'] },
      });
      expect(await get('images', { 'x-api-key': reader }, 403)).toMatchObject({ code: 'insufficient_scope' });
    });

    it('name one of several organizations, and do not see others', async () => {
      const [first, second, reading] = [randomUUID(), randomUUID(), randomUUID()];
      const scopes = ['ai.invoke'];
      const token = gateway.identity.user({
        organizations: [
          { id: first, scopes },
          { id: second, scopes },
          { id: reading, scopes: ['usage.read'] },
        ],
      });
      const named = (id: string) => ({ ...bearer(token), 'x-organization-id': id });
      expect(await get('images', bearer(token), 400)).toMatchObject({ code: 'organization_missing' });
      expect(await get('images', named(second), 200)).toMatchObject({ organizationId: second });
      await get('images', named(reading), 403);
      await get('images', named(randomUUID()), 404);
      await get('images', named('acme'), 400);
      expect(await get('usage', bearer(token), 200)).toEqual({ organizationId: reading });
      await get('usage', named(first), 403);
      await get('usage', named(randomUUID()), 404);
    });

    it('do not become services by a wrong service token', async () => {
      const token = gateway.identity.user({ organizations: [{ id: randomUUID(), scopes: ['ai.invoke'] }] });
      for (const wrong of ['', 'x'.repeat(40)]) {
        const body = await get('images', { ...bearer(token), 'x-service-token': wrong }, 403);
        expect(body).toMatchObject({ code: 'service_not_authenticated' });
      }
      await get('images', {}, 401);
      await get('usage', { 'x-service-token': PRIMARY }, 401);
    });

    it('count as the service whose token is sent together with theirs', async () => {
      const organizations = [{ id: randomUUID(), scopes: ['ai.invoke'] }];
      const token = gateway.identity.user({ organizations });
      const headers = await service('notification');
      const both = await get('images', { ...bearer(token), ...headers }, 200);
      expect(both).toEqual(await get('images', headers, 200));
      expect(both).toMatchObject({ application: 'notification', userId: null });
    });

    it('are limited, and services are not', async () => {
      const token = gateway.identity.user({ organizations: [{ id: randomUUID(), scopes: ['ai.invoke'] }] });
      const headers = await service('notification');
      for (let call = 0; call < 101; call += 1) await get('images', headers, 200);
      for (let call = 0; call < 100; call += 1) await get('images', bearer(token), 200);
      await get('images', bearer(token), 429);
    });
  });
});

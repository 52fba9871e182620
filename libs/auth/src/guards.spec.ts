import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Global,
  type INestApplication,
  Module,
  UseFilters,
} from '@nestjs/common';
import { jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { Response } from 'express';
import request from 'supertest';
import { DomainError } from '#libs/errors';
import { runInContext } from '#libs/http';
import { IdentityClient } from '#libs/platform-client';
import { FakeIdentity } from '#libs/platform-client/testing';
import {
  AcceptsApiKey,
  AuthModule,
  BelongsToService,
  BrandId,
  Caller,
  CurrentCaller,
  InternalOnly,
  Public,
  RequiresScopes,
} from './index.js';

const STATUS: Record<string, number> = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  unavailable: 503,
};

/** Stands in for the problem filter of #libs/http, which knows nothing of this lib. */
@Catch(DomainError)
class KindFilter implements ExceptionFilter {
  catch(error: DomainError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (error.retryAfterSeconds) response.setHeader('Retry-After', error.retryAfterSeconds);
    response.status(STATUS[error.kind] ?? 500).json({ code: error.code, message: error.message });
  }
}

@UseFilters(KindFilter)
@Controller()
class Routes {
  @Public()
  @Get('open')
  open() {
    return { open: true };
  }

  @Get('bearer')
  bearer(@CurrentCaller() caller: Caller) {
    return { id: caller.id, channel: caller.channel };
  }

  @AcceptsApiKey()
  @Get('either')
  either(@CurrentCaller() caller: Caller) {
    return { type: caller.type, channel: caller.channel, organizations: caller.organizations };
  }

  @AcceptsApiKey()
  @RequiresScopes('posts.write', 'calendar.write')
  @Get('scoped')
  scoped() {
    return {};
  }

  @BelongsToService('contact-management')
  @Get('elsewhere')
  elsewhere() {
    return {};
  }

  @BelongsToService('contact-management')
  @RequiresScopes('contacts.read')
  @Get('elsewhere/scoped')
  elsewhereScoped() {
    return {};
  }

  @Get('brand')
  brand(@BrandId() brandId: string | undefined) {
    return { brandId: brandId ?? null };
  }

  @InternalOnly()
  @Get('internal')
  internal() {
    return {};
  }
}

const organization = { id: '0197a1f0-0000-7000-8000-000000000001' };
const internalToken = 'i'.repeat(32);

const context = {
  requestId: 'request-1',
  correlationId: 'c',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
};

async function boot(fake: FakeIdentity, service = 'social-publishing'): Promise<INestApplication> {
  @Global()
  @Module({ providers: [{ provide: IdentityClient, useValue: fake }], exports: [IdentityClient] })
  class Clients {}

  @Module({ imports: [Clients, AuthModule.forRoot({ service, internalToken })], controllers: [Routes] })
  class App {}

  const app = (await Test.createTestingModule({ imports: [App] }).compile()).createNestApplication({
    logger: false,
  });
  app.use((_request: unknown, _response: unknown, next: () => void) => runInContext(context, next));
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('the guards', () => {
  let fake: FakeIdentity;
  let app: INestApplication;

  beforeEach(async () => {
    fake = new FakeIdentity();
    app = await boot(fake);
  });

  afterEach(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    request(app.getHttpServer()).get(path).set(headers);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const aUser = () => fake.user({ organizations: [organization] });

  it('refuse requests without credentials, and do not call them invalid', async () => {
    const response = await get('/bearer');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="social-publishing"');
  });

  it.each([
    ['an unknown token', 'Bearer nonsense'],
    ['another scheme', 'Basic YTpi'],
    ['a scheme alone', 'Bearer'],
    ['three parts', 'Bearer a b'],
    ['a space before it', ' Bearer  a b'],
  ])('answer %s with invalid_token', async (_, authorization) => {
    const response = await get('/bearer', { Authorization: authorization });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('let a valid bearer in, and ask identity again every time', async () => {
    const token = aUser();
    await get('/bearer', bearer(token)).expect(200, /"channel":"bearer"/);
    await get('/bearer', bearer(token)).expect(200);
    expect(fake.validations).toBe(2);
    await get('/bearer', { Authorization: `Bearer   ${token}` }).expect(200);
    fake.revoke(token);
    await get('/bearer', bearer(token)).expect(401);
  });

  it('ignore tokens in the query string', async () => {
    await get(`/bearer?access_token=${aUser()}`).expect(401);
    expect(fake.validations).toBe(0);
  });

  it('require no credentials on public routes', async () => {
    await get('/open', bearer('nonsense')).expect(200);
    expect(fake.validations).toBe(0);
  });

  it('accept an API key only where the route allows it', async () => {
    const key = fake.apiKey({ organization });
    await get('/either', { 'X-Api-Key': key }).expect(200, /"channel":"api_key"/);
    const refused = await get('/bearer', { 'X-Api-Key': key });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('invalid_token');
    expect(refused.body.message).toMatch(/takes no API key/);
  });

  it('say where an API key belongs that was sent as a bearer', async () => {
    for (const path of ['/either', '/bearer']) {
      const refused = await get(path, bearer('cop_live_anything')).expect(401);
      expect(refused.body.message).toMatch(/X-Api-Key/);
    }
    const missing = await get('/bearer').expect(401);
    expect(missing.body.message).toMatch(/^This needs a valid access token/);
  });

  it('need bearer and key to be valid and to agree when both are sent', async () => {
    const key = fake.apiKey({ organization: { ...organization, scopes: ['posts.read'] } });
    const foreign = fake.apiKey({ organization: { id: '0197a1f0-0000-7000-8000-000000000002' } });
    const both = await get('/either', { ...bearer(aUser()), 'X-Api-Key': key }).expect(200);
    expect(both.body.channel).toBe('bearer');
    expect(both.body.organizations[0].scopes).toEqual(['posts.read']);
    await get('/either', { ...bearer(aUser()), 'X-Api-Key': foreign }).expect(401);
    await get('/either', { ...bearer('nonsense'), 'X-Api-Key': key }).expect(401);
    await get('/either', { ...bearer(aUser()), 'X-Api-Key': 'nonsense' }).expect(401);
    await get('/bearer', { ...bearer(aUser()), 'X-Api-Key': 'nonsense' }).expect(401);
  });

  it('answer an outage with 503 and when to come back, not with 401', async () => {
    const token = aUser();
    fake.goDown();
    const response = await get('/bearer', bearer(token));
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    fake.comeBack();
    await get('/bearer', bearer(token)).expect(200);
  });

  it('need all required scopes in one organization', async () => {
    const split = fake.user({
      organizations: [
        { ...organization, scopes: ['posts.write'] },
        { id: '0197a1f0-0000-7000-8000-000000000002', scopes: ['calendar.write'] },
      ],
    });
    const response = await get('/scoped', bearer(split));
    expect(response.status).toBe(403);
    expect(response.headers['www-authenticate']).toBe(
      'Bearer realm="social-publishing", error="insufficient_scope", scope="posts.write calendar.write"',
    );
    await get('/scoped', bearer(aUser())).expect(200);
    await get('/scoped').expect(401);
  });

  it('read X-Brand-ID, in lower case, and know no brand that is not an identifier', async () => {
    const caller = bearer(aUser());
    await get('/brand', caller).expect(200, { brandId: null });
    const id = '0197A1F0-0000-7000-8000-00000000000A';
    await get('/brand', { ...caller, 'X-Brand-ID': id }).expect(200, { brandId: id.toLowerCase() });
    await get('/brand', { ...caller, 'X-Brand-ID': 'nonsense' }).expect(404);
  });

  it('let only the internal token into internal routes', async () => {
    await get('/internal', bearer(internalToken)).expect(200);
    await get('/internal', bearer(aUser())).expect(401);
    await get('/internal', bearer(internalToken.slice(1))).expect(401);
    await get('/internal').expect(401);
  });

  it('ask for the service that the route belongs to, and name it in the challenge', async () => {
    const asked = jest.spyOn(fake, 'validate');
    await get('/elsewhere', bearer(aUser())).expect(200);
    await get('/bearer', bearer(aUser())).expect(200);
    expect(asked.mock.calls.map(([{ service }]) => service)).toEqual([
      'contact-management',
      'social-publishing',
    ]);
    const refused = await get('/elsewhere');
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="contact-management"');
    const scopes = ['posts.read'];
    const narrow = fake.user({ organizations: [{ ...organization, scopes }] });
    const withoutScope = await get('/elsewhere/scoped', bearer(narrow)).expect(403);
    expect(withoutScope.headers['www-authenticate']).toContain(
      'realm="contact-management", error="insufficient_scope"',
    );
  });

  it('tell identity which request and which trace they ask for', async () => {
    const asked = jest.spyOn(fake, 'validate');
    await get('/bearer', bearer(aUser())).expect(200);
    await get('/either', { 'X-Api-Key': fake.apiKey({ organization }) }).expect(200);
    const { requestId, traceparent } = context;
    for (const [credentials] of asked.mock.calls)
      expect(credentials).toMatchObject({ requestId, traceparent });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('keep two services in one process apart', async () => {
    const other = new FakeIdentity();
    const second = await boot(other, 'contact-management');
    const token = aUser();
    await get('/bearer', bearer(token)).expect(200);
    const refused = await request(second.getHttpServer()).get('/bearer').set(bearer(token));
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('realm="contact-management"');
    expect(other.validations).toBe(1);
    await second.close();
    await get('/bearer', bearer(token)).expect(200);
  });

  it('keep concurrent callers apart', async () => {
    const ids = Array.from(
      { length: 20 },
      (_, i) => `0197a1f0-0000-7000-8000-${String(i).padStart(12, '0')}`,
    );
    const answers = await Promise.all(ids.map((id) => get('/bearer', bearer(fake.user({ id })))));
    expect(answers.map((answer) => answer.body.id)).toEqual(ids);
  });
});

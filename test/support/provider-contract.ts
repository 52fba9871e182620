import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { FAILURE_CLASSES, type FailureReport, unknownMedia } from '#libs/content';
import type { DeliveryContent } from '../../src/integrations/domain/delivery-outcome.js';
import type { Grant, GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type { CommitResponse, Prepared } from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { CONNECTING, ContractSubject, NOTHING, REDIRECT, type StandIn } from './contract-subject.js';
import type { MemoryFile } from './memory-file.js';

/** What a network or a proxy in front of it may answer instead of what it documents. */
const ODD_BODIES = [
  '',
  'null',
  '[]',
  '"text"',
  '{}',
  '{"data":null}',
  '{"data":{"id":7}}',
  '<html></html>',
  '{"id":"\\u0000"}',
];

const JSON_TYPE = 'application/json';
/** Stated by whichever machine. */
const LIMITS = [413, 429];
const REFUSALS = [400, 401, 403, 404, 422];
/** What firewalls, proxies and gateways in front of a network answer, by content type. */
const FOREIGN: readonly (readonly [type: string, body: string])[] = [
  ['text/html; charset=utf-8', '<html><body>Access denied</body></html>'],
  ['text/plain', 'error code: 1020'],
  ['text/plain', ''],
  [JSON_TYPE, '{"message":"Forbidden"}'],
  [JSON_TYPE, '{"error":"Forbidden"}'],
  [JSON_TYPE, '{"title":"Forbidden"}'],
  ['application/xml', '<Error><Code>AccessDenied</Code></Error>'],
  ...ODD_BODIES.map((body) => [JSON_TYPE, body] as const),
];

/** Every provider passes it. What differs between networks is in their own tests. */
export function providerContract(name: string, start: () => Promise<StandIn>): void {
  describe(`the provider of ${name}`, () => {
    let subject: ContractSubject;
    let standIn: StandIn;
    let provider: PublishingProvider;

    beforeAll(async () => {
      subject = await ContractSubject.start(start);
      standIn = subject.standIn;
      provider = await subject.providerAt();
    });
    afterAll(() => subject.stop());

    const providerAt = (at: string) => subject.providerAt(at);
    const signedIn = () => subject.signedIn(provider);
    const anAccount = () => subject.anAccount(provider);
    /** Takes every step, waits included, then commits. */
    const publish = async (
      content: DeliveryContent,
      { profile, grant }: GrantedAccount,
      maySend = () => true,
      by = provider,
      files: readonly MemoryFile[] = standIn.files(),
    ): Promise<{ answer: CommitResponse; prepared: Prepared }> => {
      const of = { account: profile, accessToken: grant.accessToken, ...CONNECTING, attemptId: randomUUID() };
      const call = { ...of, content, files };
      const { step, prepared: taken, last } = await subject.steps(provider, call);
      if (step !== null) throw new Error(last?.kind);
      const prepared = by === provider ? taken : withoutNetwork(taken);
      const answer = await by.commit({ ...call, prepared, maySend });
      return { answer: await subject.decided(by, call, prepared, answer), prepared };
    };
    /** Upload addresses of a network that is unavailable. */
    const withoutNetwork = (prepared: Prepared): Prepared => ({
      ...prepared,
      addresses: Object.fromEntries(
        Object.keys(prepared.addresses).map((name) => [name, 'http://127.0.0.1:1/']),
      ),
    });
    const texts = (text: string) =>
      standIn.published().then((all) => all.filter((each) => each === text).length);
    const isReport = ({ code, message, nextStep, ...failure }: FailureReport, secret: string) => {
      expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(FAILURE_CLASSES).toContain(failure.class);
      for (const sentence of [message, nextStep]) expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(JSON.stringify([message, nextStep, failure.networkCode])).not.toContain(secret);
    };

    it('has the name of its registration', () => {
      expect([provider.platform, provider.displayName]).toEqual([
        standIn.network.platform,
        standIn.network.displayName,
      ]);
      expect(provider.renewal.aheadMs).toBeGreaterThan(0);
    });

    it('prefixes its rule ids with its name, and is deterministic', () => {
      const content = { text: '', target: {}, options: {}, media: [], account: null };
      const findings = standIn.network.rules.preflight(content);
      expect(findings.some(({ severity }) => severity === 'error')).toBe(true);
      for (const { ruleId, pointer, message } of findings) {
        expect(ruleId.split('.')[0]).toBe(provider.platform);
        expect([pointer.slice(0, 2), message.slice(-1)]).toEqual(['#/', '.']);
      }
      expect(standIn.network.rules.preflight(content)).toEqual(findings);
    });

    it('builds an authorization URL with the state and the redirect URI', () => {
      const url = new URL(
        provider.authorizationUrl({ state: 'a&b', codeChallenge: 'c', redirectUri: REDIRECT }),
      );
      expect(url.searchParams.get('state')).toBe('a&b');
      expect(url.searchParams.get('redirect_uri')).toBe(REDIRECT);
      expect(Object.fromEntries(url.searchParams)).toMatchObject(standIn.asksAgain ?? {});
    });

    it('returns each account once, with its own grant', async () => {
      const accounts = await provider.accounts(await signedIn(), CONNECTING);
      const ids = accounts.map(({ profile }) => profile.accountId);
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
      const refreshTokens = accounts.flatMap(({ grant }) => grant.refreshToken ?? []);
      if (provider.renewal.refreshTokens !== 'reusable')
        expect(new Set(refreshTokens).size).toBe(refreshTokens.length);
      for (const { profile, grant } of accounts) {
        expect([profile.username, profile.displayName, grant.accessToken]).not.toContain('');
        const { pages, groups } = (await provider.targets?.(profile, grant)) ?? { pages: [], groups: [] };
        expect([Array.isArray(pages), Array.isArray(groups)]).toEqual([true, true]);
      }
    });

    it('connects nothing when the person does not allow to publish', async () => {
      const { publishing } = standIn;
      if (publishing === undefined) return;
      const accounts = async () =>
        provider.accounts(await subject.signedIn(provider, publishing), CONNECTING);
      await expect(accounts()).rejects.toMatchObject({ code: 'authorization_failed' });
    });

    it('distinguishes an invalid code from an unavailable network', async () => {
      const exchange = { code: 'none', codeVerifier: 'v'.repeat(43), redirectUri: REDIRECT };
      await expect(provider.exchange(exchange)).rejects.toMatchObject({ code: 'authorization_failed' });
      const away = await providerAt('http://127.0.0.1:1');
      await expect(away.exchange(exchange)).rejects.toMatchObject({ code: 'network_unavailable' });
      await expect(away.accounts(await signedIn(), CONNECTING)).rejects.toMatchObject({
        code: 'network_unavailable',
      });
    });

    it('renews a grant, and distinguishes an ended one from an unavailable network', async () => {
      const { renewable = (each: Grant) => each } = standIn;
      const grant = renewable((await anAccount()).grant);
      const renewed = await provider.renew(grant);
      if (renewed.kind !== 'granted') throw new Error(renewed.kind);
      // A token that does not expire is kept: the network was asked whether it still accepts it.
      const isKept = grant.expiresAt === null && renewed.grant.accessToken === grant.accessToken;
      if (!isKept) expect(renewed.grant.accessToken).not.toBe(grant.accessToken);
      const { refreshToken } = grant;
      const latest = renewable({
        ...renewed.grant,
        refreshToken: renewed.grant.refreshToken ?? refreshToken,
      });
      expect((await (await providerAt('http://127.0.0.1:1')).renew(latest)).kind).toBe('unavailable');
      await standIn.endGrants();
      expect(await provider.renew(latest)).toEqual({
        kind: 'dead',
        networkCode: expect.stringMatching(/^[\w/]+$/),
      });
    });

    it('never fails to revoke, also when the network is unavailable', async () => {
      const { grant, consentId } = await anAccount();
      await (await providerAt('http://127.0.0.1:1')).revoke(grant, consentId);
      await provider.revoke(grant, consentId);
    });

    it('publishes once, with an id that it recognises', async () => {
      const text = `Contract ${randomUUID()}`;
      const { answer } = await publish(standIn.content(text), await anAccount());
      if (answer.kind !== 'published') throw new Error(answer.kind);
      expect(standIn.network.rules.isPostId(answer.platformPostId)).toBe(true);
      expect(URL.canParse(answer.platformPostUrl)).toBe(true);
      expect(await texts(text)).toBe(1);
      for (const id of ['', ' ', '../x', 'a b', 'x'.repeat(300)])
        expect(standIn.network.rules.isPostId(id)).toBe(false);
    });

    it('tells the network that a model made a file, or warns the author that it cannot', async () => {
      const { knowsOfAi, network } = standIn;
      if (!knowsOfAi) return;
      const text = `By a model ${randomUUID()}`;
      const [content, account] = [standIn.content(text), await anAccount()];
      const files = standIn.files().map((file) => Object.assign(file, { aiMark: 'composite' as const }));
      const media = files.map(({ mediaId, kind, aiMark }) => ({ ...unknownMedia(mediaId), kind, aiMark }));
      const warned = network.rules
        .preflight({ ...content, media, account: null })
        .some(({ ruleId, severity }) => ruleId.endsWith('.media.ai-unflagged') && severity === 'warning');
      await publish(content, account, undefined, undefined, files);
      expect(await knowsOfAi(text)).toBe(!warned);
      const plain = `By a person ${randomUUID()}`;
      await publish(standIn.content(plain), account);
      expect(await knowsOfAi(plain)).toBe(false);
    });

    it('sends no commit call without permission to send', async () => {
      const text = `Withheld ${randomUUID()}`;
      const { answer } = await publish(standIn.content(text), await anAccount(), () => false);
      expect(answer).toEqual({ kind: 'abandoned' });
      expect(await texts(text)).toBe(0);
    });

    it('distinguishes requests that were not sent from those that may have arrived', async () => {
      const account = await anAccount();
      const away = await providerAt('http://127.0.0.1:1');
      const notSent = await publish(standIn.content('Away'), account, undefined, away);
      expect(notSent.answer).toMatchObject({ kind: 'not-sent', failure: { class: 'transient' } });
      for (const status of [200, 201, 302, 500, 502, 503, 504])
        for (const body of ODD_BODIES) {
          const { answer } = await answering(status, body, account);
          if (answer.kind !== 'unconfirmed') throw new Error(`${status} ${body}: ${answer.kind}`);
          isReport(answer.failure, account.grant.accessToken);
          expect(answer.failure.class).toBe('unconfirmed');
        }
    });

    it('classifies every refusal that the network wrote, and every limit', async () => {
      const account = await anAccount();
      const { refusal } = standIn;
      const secret = JSON.stringify({ error: account.grant.accessToken, detail: 7 });
      const all: (readonly [number, string])[] = LIMITS.flatMap((status) =>
        [...ODD_BODIES, secret].map((body) => [status, body] as const),
      );
      if (refusal !== null)
        for (const status of REFUSALS) all.push([status, JSON.stringify(refusal(status))]);
      for (const [status, body] of all) {
        const { answer } = await answering(status, body, account);
        if (answer.kind !== 'refused') throw new Error(`${status} ${body}: ${answer.kind}`);
        isReport(answer.refusal.failure, 'no secret is in a sentence');
      }
    });

    it('takes a refusal that the network did not write for no verdict on the post', async () => {
      // Its calls go to the gateway of this product, which says whether the network answered.
      if (standIn.refusal === null) return;
      const account = await anAccount();
      for (const status of REFUSALS)
        for (const [type, body] of FOREIGN) {
          const { answer } = await answering(status, body, account, type);
          if (answer.kind !== 'unconfirmed') throw new Error(`${status} ${body}: ${answer.kind}`);
          expect(answer.isSilent).toBe(true);
          isReport(answer.failure, account.grant.accessToken);
        }
    });

    it('takes a refusal that the network did not write for no verdict on a grant, a code or a person', async () => {
      const { renewable = (each: Grant) => each } = standIn;
      const grant = await signedIn();
      const renewed = renewable((await anAccount()).grant);
      const exchange = { code: 'none', codeVerifier: 'v'.repeat(43), redirectUri: REDIRECT };
      const unavailable = { code: 'network_unavailable' };
      for (const status of REFUSALS)
        for (const [type, body] of FOREIGN)
          await answeringAll(status, body, type, async (odd) => {
            expect([status, body, (await odd.renew(renewed)).kind]).toEqual([status, body, 'unavailable']);
            await expect(odd.exchange(exchange)).rejects.toMatchObject(unavailable);
            if (standIn.refusal !== null)
              await expect(odd.accounts(grant, CONNECTING)).rejects.toMatchObject(unavailable);
          });
    });

    it('finds a post whose response was lost, and no other post', async () => {
      const account = await anAccount();
      const content = standIn.content(`Lost ${randomUUID()}`);
      const since = new Date(Date.now() - 1_000).toISOString();
      const { answer, prepared } = await losing(() => publish(content, account));
      expect(answer).toMatchObject({ kind: 'unconfirmed' });
      const request = {
        ...CONNECTING,
        account: account.profile,
        accessToken: account.grant.accessToken,
        since,
      };
      const search = await provider.reconcile({ ...request, content, prepared });
      if (standIn.evidence === 'duplicate') {
        expect(search).toEqual({ kind: 'unknown' });
        await isNamedByRefusal(content, account, prepared);
      } else {
        if (search.kind !== 'found') throw new Error(search.kind);
        expect(search.posts).toHaveLength(1);
      }
      const other = { ...content, text: `Never sent ${randomUUID()}` };
      expect((await provider.reconcile({ ...request, content: other, prepared: null })).kind).not.toBe(
        'found',
      );
      const away = await providerAt('http://127.0.0.1:1');
      expect((await away.reconcile({ ...request, content, prepared })).kind).toBe('unknown');
    });

    /** A repeat publishes nothing, and its refusal names the post. */
    const isNamedByRefusal = async (
      content: DeliveryContent,
      account: GrantedAccount,
      prepared: Prepared,
    ) => {
      const of = {
        account: account.profile,
        accessToken: account.grant.accessToken,
        ...CONNECTING,
        attemptId: randomUUID(),
      };
      const call = { ...of, content, files: standIn.files(), prepared, maySend: () => true };
      const again = await provider.commit(call);
      if (again.kind !== 'refused') throw new Error(again.kind);
      expect(again.refusal).toMatchObject({ duplicate: true, failure: { code: 'duplicate_content' } });
      expect(standIn.network.rules.isPostId(again.refusal.existing?.platformPostId ?? '')).toBe(true);
      expect(await texts(content.text)).toBe(1);
    };

    /** The answer to the call that follows the last step is lost. */
    const losing = (work: () => ReturnType<typeof publish>) => {
      const commit = provider.commit.bind(provider);
      provider.commit = async (call) => {
        await standIn.loseNextAnswer();
        return commit(call);
      };
      return work().finally(() => (provider.commit = commit));
    };

    /** What a commit makes of a network that answers so. */
    const answering = (status: number, body: string, account: GrantedAccount, type = JSON_TYPE) => {
      const content = { ...standIn.content('Odd'), mediaIds: [] };
      const call = {
        ...CONNECTING,
        account: account.profile,
        accessToken: account.grant.accessToken,
        attemptId: randomUUID(),
      };
      const { prepared = NOTHING, committedFiles = () => [] } = standIn;
      const sent = { ...call, content, files: committedFiles(), prepared, maySend: () => true };
      return answeringAll(status, body, type, async (odd) => ({ answer: await odd.commit(sent) }));
    };

    /** Work with a network that answers so to every call. */
    const answeringAll = async <Result>(
      status: number,
      body: string,
      type: string,
      work: (odd: PublishingProvider) => Promise<Result>,
    ): Promise<Result> => {
      const server = createServer((request, response) => {
        request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const odd = await providerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      try {
        return await work(odd);
      } finally {
        await subject.closeLatest();
        server.closeAllConnections();
        server.close();
      }
    };
  });
}

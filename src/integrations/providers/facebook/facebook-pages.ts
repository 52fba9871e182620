import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { AuthorizationFailed, NetworkIsUnavailable } from '../../domain/integration.errors.js';
import type { AccountFacts, Grant, GrantedAccount, RenewalResult } from '../../domain/provider-grants.js';
import { graphGet, graphIdIn, graphTokenIn } from '../graph/graph-wire.js';
import { networkCodeOf, readGraphError } from '../graph/graph-errors.js';
import { isTokenRefused } from '../graph/graph-refusals.js';
import { addressIn, memberOf, wordsIn } from '../values.js';
import { FACEBOOK_SCOPES } from './facebook-oauth.js';
import { FacebookConfig } from './facebook.config.js';

const FIELDS = 'id,name,username,access_token,tasks,picture{url}';
const PAGE_SIZE = '100';
/** 2 000 pages of one person. */
const MAX_LISTS = 20;
/** What a person must be allowed to do on a page (developers.facebook.com/docs/pages-api/overview). */
const TASK = 'CREATE_CONTENT';
/** UTF-16 units. */
const MAX_NAME = 200;

type Fields = Readonly<Record<string, string>>;

/** Pages of a person, each with its own token (developers.facebook.com/docs/graph-api/reference/user/accounts, read 2026-11-21). */
@Injectable()
export class FacebookPages {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: FacebookConfig,
  ) {}

  /** @throws AuthorizationFailed when the person allowed too little or may publish on no page, NetworkIsUnavailable */
  async of({ accessToken }: Grant): Promise<GrantedAccount[]> {
    const person = await this.read('/me', accessToken, { fields: 'id,permissions{permission,status}' });
    const consentId = graphIdIn(memberOf(person, 'id'));
    if (consentId === null) throw new NetworkIsUnavailable('Facebook');
    const scopes = grantedIn(person);
    if (!scopes.includes('pages_show_list') || !scopes.includes('pages_manage_posts'))
      throw new AuthorizationFailed(
        'Facebook may not show or publish to your pages. Start again and allow everything that is asked.',
      );
    const listed = await this.listed(accessToken);
    const pages = new Map(
      listed.filter(mayPublish).flatMap((page) => {
        const account = accountIn(page, consentId, scopes);
        return account ? [[account.profile.accountId, account] as const] : [];
      }),
    );
    if (pages.size === 0) throw new AuthorizationFailed(listed.length === 0 ? NO_PAGE : NO_TASK);
    return [...pages.values()];
  }

  async facts(pageId: string, accessToken: string): Promise<AccountFacts> {
    const page = await this.read(`/${pageId}`, accessToken, { fields: 'id,name' });
    if (graphIdIn(memberOf(page, 'id')) !== pageId) throw new NetworkIsUnavailable('Facebook');
    return factsIn(page);
  }

  /** Asks whether Facebook still accepts the token of a page, which has no expiry. */
  async renew(accessToken: string): Promise<RenewalResult> {
    const response = await this.http.send(graphGet(`${this.config.graph}/me`, accessToken, { fields: 'id' }));
    if (response.kind !== 'answered') return { kind: 'unavailable' };
    const { status, body } = response;
    if (status === 200 && graphIdIn(memberOf(body, 'id')) !== null)
      return { kind: 'granted', grant: { accessToken, refreshToken: null, expiresAt: null, scopes: [] } };
    const error = readGraphError(status, body);
    if (status === 200 || !isTokenRefused(error)) return { kind: 'unavailable' };
    return { kind: 'dead', networkCode: networkCodeOf(error) };
  }

  /** The address of the next list contains the token, so only its cursor is used. */
  private async listed(accessToken: string): Promise<unknown[]> {
    const pages: unknown[] = [];
    let after: string | null = null;
    for (let lists = 0; lists < MAX_LISTS; lists += 1) {
      const query: Fields = { fields: FIELDS, limit: PAGE_SIZE, ...(after !== null && { after }) };
      const list = await this.read('/me/accounts', accessToken, query);
      const data = memberOf(list, 'data');
      if (!Array.isArray(data)) throw new NetworkIsUnavailable('Facebook');
      pages.push(...(data as unknown[]));
      const paging = memberOf(list, 'paging');
      after = graphTokenIn(memberOf(paging, 'cursors', 'after'));
      if (after === null || memberOf(paging, 'next') === undefined) break;
    }
    return pages;
  }

  private async read(path: string, accessToken: string, fields: Fields): Promise<unknown> {
    const response = await this.http.send(graphGet(this.config.graph + path, accessToken, fields));
    if (response.kind !== 'answered' || response.status !== 200) throw new NetworkIsUnavailable('Facebook');
    return response.body;
  }
}

const NO_PAGE =
  'Facebook shows no page of yours to this service. Create a page or choose one in the dialog, then start again.';
const NO_TASK =
  'You may not create content on any of the pages that you chose. Ask an admin of the page for that task, then start again.';

function grantedIn(person: unknown): string[] {
  const listed = memberOf(person, 'permissions', 'data');
  if (!Array.isArray(listed)) return [];
  const granted = (listed as unknown[])
    .filter((each) => memberOf(each, 'status') === 'granted')
    .map((each) => memberOf(each, 'permission'));
  return FACEBOOK_SCOPES.filter((scope) => granted.includes(scope));
}

function mayPublish(page: unknown): boolean {
  const tasks = memberOf(page, 'tasks');
  return Array.isArray(tasks) && tasks.includes(TASK);
}

function accountIn(page: unknown, consentId: string, scopes: readonly string[]): GrantedAccount | null {
  const accountId = graphIdIn(memberOf(page, 'id'));
  const accessToken = graphTokenIn(memberOf(page, 'access_token'));
  if (accountId === null || accessToken === null) return null;
  const facts = factsIn(page);
  const username = wordsIn(memberOf(page, 'username'), MAX_NAME) ?? facts.name ?? accountId;
  return {
    profile: {
      accountId,
      username,
      displayName: facts.name ?? username,
      avatarUrl: addressIn(memberOf(page, 'picture', 'data', 'url')),
      facts,
    },
    grant: { accessToken, refreshToken: null, expiresAt: null, scopes },
    consentId,
  };
}

const factsIn = (page: unknown): { readonly name?: string } => {
  const name = wordsIn(memberOf(page, 'name'), MAX_NAME);
  return name === null ? {} : { name };
};

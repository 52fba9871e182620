import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import { type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { graphProblem, serverProblem, tokenProblem } from '../graph/graph-problems.js';
import { type NetworkRules, SocialNetwork } from '../kit/network.js';
import type { SandboxPost } from '../kit/state/accounts.js';
import type { IssuedTokens } from '../kit/state/grants.js';
import {
  amount,
  choice,
  listOf,
  oneOf,
  optional,
  setting,
  type SettingsOf,
  text,
} from '../kit/state/members.js';
import {
  type FacebookAccount,
  FacebookAccounts,
  type FacebookUpload,
  fileOf,
  partOf,
} from './facebook-records.js';

const SETTINGS = {
  /** `off` lets every call pass; the headers still state the usage. */
  rateLimits: choice('on', 'off'),
  /** Behind 100 percent. Facebook derives both from the number of people. */
  appCallsPerHour: amount(20_000, 1_000_000_000),
  pageCallsPerDay: amount(4_800, 1_000_000_000),
  /** How long the same text of one page is refused. Facebook does not publish the number. */
  duplicateWindowSeconds: amount(86_400),
  declinedScopes: setting<readonly string[]>([], listOf(text)),
  pagesPerList: amount(25, 100, 1),
  photoSeconds: amount(86_400),
  transferBytes: amount(4 * 1_048_576, 4 * 1_048_576, 1),
  /** What a part does that Facebook has already. Not documented. */
  repeatedTransfer: choice('accepted', 'refused'),
  videoProcessingSeconds: amount(1),
  /** The reason with which every processing ends; null: none. */
  videoProcessingError: optional(/^[\w .]{1,100}$/, '1 to 100 letters'),
};
type FacebookSettings = SettingsOf<typeof SETTINGS>;

const SHORT_SECONDS = 5_400;
export const LONG_SECONDS = 5_184_000;

export interface FacebookPost extends SandboxPost {
  readonly link: string | null;
  readonly title?: string;
}

const RULES: NetworkRules<FacebookAccount, FacebookSettings, FacebookUpload> = {
  network: 'facebook',
  displayName: 'Facebook',
  site: 'facebook.com',
  // Those of groups have been invalid since 2024-04-22.
  scopes: {
    public_profile: 'Receive your name',
    pages_show_list: 'See a list of the Pages you manage',
    pages_manage_posts: 'Create and manage content on your Page',
    pages_read_engagement: 'Read content posted on the Page',
  },
  settings: SETTINGS,
  accounts: {
    username: /^[A-Za-z0-9.]{3,50}$/,
    usernameInWords: '3 to 50 letters, digits or dots',
    members: { pages: listOf(text), kind: oneOf('person', 'page') },
    defaults: { kind: 'person', pages: [], tasks: {} },
    demo: [
      { username: 'nora.berg', name: 'Nora Berg', pages: ['northwindcoffee', 'harborbooks'] },
      { username: 'luca.marin', name: 'Luca Marin', pages: ['lumenstudio'] },
    ],
  },
  uploads: {
    kind: 'upload',
    filesOf: ({ id, parts = {} }) => [fileOf(id), ...Object.keys(parts).map((offset) => partOf(id, offset))],
  },
  grants: {
    lifetimes: () => ({ access: SHORT_SECONDS, refresh: null }),
    token: () => `EAA${randomBytes(90).toString('base64url').replaceAll(/[-_]/g, 'Z')}`,
  },
  codes: { seconds: 600 },
};

export class Facebook extends SocialNetwork<FacebookAccount, FacebookSettings, FacebookPost, FacebookUpload> {
  declare readonly accounts: FacebookAccounts;

  constructor(world: SandboxContext) {
    super(world, RULES, (...of) => new FacebookAccounts(...of));
  }

  /** Of a person, for 90 minutes or 60 days. */
  personToken(personId: string, scopes: readonly string[], lives: 'short' | 'long'): IssuedTokens {
    const access = lives === 'long' ? LONG_SECONDS : SHORT_SECONDS;
    const lifetimes = { access, refresh: null };
    return this.grants.issue({ accountId: personId, scopes, refreshable: false, lifetimes });
  }

  /** Of a page, for a person; it does not expire by time. */
  pageToken(pageId: string, personId: string, scopes: readonly string[]): IssuedTokens {
    const lifetimes = { access: null, refresh: null };
    const details = { person: personId };
    return this.grants.issue({ accountId: pageId, scopes, refreshable: false, lifetimes, details });
  }

  /** Every token of the person and of pages for the person. */
  endConsent(personId: string, reason: string): number {
    const ended = [...this.grants.all].filter(
      ({ accountId, details }) => accountId === personId || details?.person === personId,
    );
    for (const grant of ended) this.grants.revoke(grant, reason);
    return ended.length;
  }

  issue({ id, kind, tasks }: FacebookAccount, scopes: readonly string[]): IssuedTokens {
    return kind === 'person'
      ? this.personToken(id, scopes, 'long')
      : this.pageToken(id, Object.keys(tasks)[0] ?? '', scopes);
  }

  textOf(call: Call): string | undefined {
    return call.form.get('message') ?? call.form.get('description') ?? undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return withHeaders(graphProblem({ code: 32, message: '(#32) Page request limit reached' }), {
          'x-business-use-case-usage': businessUsage(100, Math.ceil(refusal.resetSeconds / 60)),
        });
      case 'usage-capped':
        return graphProblem({ code: 4, message: '(#4) Application request limit reached' });
      case 'unauthorized':
        return graphProblem(tokenProblem('password'));
      case 'forbidden':
        return graphProblem({ code: 200, message: '(#200) Permissions error', status: 403 });
      case 'server-error':
        return graphProblem(serverProblem(refusal.status));
    }
  }

  /** Upload hosts take `Authorization: OAuth`. */
  protected override tokenIn(call: Call): string | null {
    return /^OAuth (\S+)$/.exec(call.headers.authorization ?? '')?.[1] ?? super.tokenIn(call);
  }
}

/** @param minutes until calls are accepted again */
export const businessUsage = (percent: number, minutes = 0): string => {
  const shares = { call_count: percent, total_cputime: 1, total_time: 1 };
  return JSON.stringify({ '1': [{ type: 'pages', ...shares, estimated_time_to_regain_access: minutes }] });
};

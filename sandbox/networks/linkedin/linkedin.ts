import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { type NetworkRules, SocialNetwork } from '../kit/network.js';
import type { IssuedTokens } from '../kit/state/grants.js';
import {
  amount,
  choice,
  listOf,
  nullableText,
  oneOf,
  setting,
  type SettingsOf,
  text,
} from '../kit/state/members.js';
import {
  type LinkedInAccount,
  type LinkedInPost,
  type LinkedInUpload,
  partName,
} from './linkedin-records.js';
import { denied, serverError, tooMany, unauthorized } from './problems.js';

const SETTINGS = {
  /** Only approved partners get refresh tokens. */
  refreshTokens: choice('off', 'on'),
  /** Older versions are retired. */
  oldestVersion: setting<string | null>('202512', nullableText(/^\d{6}$/, 'a version such as 202608')),
  /** Posts of one account until midnight UTC. LinkedIn publishes no number. */
  postsPerDay: amount(150, 1_000_000),
  /** How long the same content of one account is refused. LinkedIn publishes no number. */
  duplicateWindowSeconds: amount(86_400),
  mediaProcessingSeconds: amount(1),
  /** Whether processing fails for every file. Files that cannot be decoded always fail. */
  mediaProcessing: choice('succeeds', 'fails'),
  uploadExpirySeconds: amount(86_400),
  partBytes: amount(4_194_304, 4_194_304, 1),
  /** Whether members may read the state of their files; clients report that they may not. */
  memberFiles: choice('hidden', 'readable'),
};
type LinkedInSettings = SettingsOf<typeof SETTINGS>;

/** Lifetimes in seconds: an access token 60 days, a refresh token a year. */
export const LIFETIMES = { access: 5_184_000, refresh: 31_536_000 };

const RULES: NetworkRules<LinkedInAccount, LinkedInSettings, LinkedInUpload> = {
  network: 'linkedin',
  displayName: 'LinkedIn',
  site: 'linkedin.com',
  scopes: {
    openid: 'Use your name and photo to sign you in.',
    profile: 'Use your name and photo.',
    email: 'Use the primary email address of your LinkedIn account.',
    w_member_social: 'Create, modify, and delete posts, comments, and reactions on your behalf.',
    r_basicprofile: 'Use your basic profile including your name, photo, headline, and public profile URL.',
    w_organization_social:
      "Create, modify, and delete posts, comments, and reactions on your organization's behalf.",
    r_organization_social:
      "Retrieve your organization's posts, comments, reactions, and other engagement data.",
    rw_organization_admin: 'Manage your organizations’ pages and retrieve reporting data.',
  },
  settings: SETTINGS,
  accounts: {
    username: /^[A-Za-z0-9-]{3,60}$/,
    usernameInWords: '3 to 60 letters, digits or hyphens',
    members: { kind: oneOf('member', 'organization'), roles: listOf(text) },
    defaults: { kind: 'member', roles: [] },
    demo: [
      { username: 'mara-lindt', name: 'Mara Lindt', description: 'Marketing at Northwind Coffee.' },
      {
        username: 'jonas-weber',
        name: 'Jonas Weber',
        description: 'Runs Lumen Studio, writes for Harbor Books.',
      },
      {
        username: 'northwind-coffee',
        name: 'Northwind Coffee',
        description: 'Coffee roasters.',
        kind: 'organization',
        roles: ['mara-lindt ADMINISTRATOR', 'jonas-weber ADMINISTRATOR REQUESTED'],
      },
      {
        username: 'harbor-books',
        name: 'Harbor Books',
        description: 'Bookshop.',
        kind: 'organization',
        roles: ['mara-lindt ANALYST', 'jonas-weber CONTENT_ADMINISTRATOR'],
      },
      {
        username: 'lumen-studio',
        name: 'Lumen Studio',
        description: 'Film and photography.',
        kind: 'organization',
        roles: ['jonas-weber ADMINISTRATOR'],
      },
    ],
  },
  uploads: {
    kind: 'upload',
    filesOf: ({ id, parts }) => [id, ...Object.keys(parts).map((part) => partName(id, Number(part)))],
  },
  grants: {
    lifetimes: () => LIFETIMES,
    token: () => `AQ${randomBytes(96).toString('base64url')}`,
  },
  codes: { seconds: 1_800 },
};

export class LinkedIn extends SocialNetwork<LinkedInAccount, LinkedInSettings, LinkedInPost, LinkedInUpload> {
  constructor(world: SandboxContext) {
    super(world, RULES);
  }

  issue({ id }: Pick<LinkedInAccount, 'id'>, scopes: readonly string[]): IssuedTokens {
    return this.grants.issue({ accountId: id, scopes, refreshable: this.settings.refreshTokens === 'on' });
  }

  /** Organizations and members by their URN. */
  byUrn(urn: string): LinkedInAccount | undefined {
    const [, type, id] = /^urn:li:(person|organization):(\w+)$/.exec(urn) ?? [];
    const account = id === undefined ? undefined : this.accounts.find(id);
    return account && (account.kind === 'member') === (type === 'person') ? account : undefined;
  }

  textOf(call: Call): string | undefined {
    const { commentary } = call.record;
    return typeof commentary === 'string' ? commentary : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
      case 'usage-capped':
        return tooMany('posts');
      case 'unauthorized':
        return unauthorized('unknown');
      case 'forbidden':
        return denied('partnerApiPosts.CREATE');
      case 'server-error':
        return serverError(refusal.status);
    }
  }
}

import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { graphProblem, permissionProblem, serverProblem, tokenProblem } from '../graph/graph-problems.js';
import { type Caller as CallerOf, SocialNetwork } from '../kit/network.js';
import type { SandboxAccount } from '../kit/state/accounts.js';
import type { IssuedTokens } from '../kit/state/grants.js';
import type { Container, ContainerDialect, ContainerPost, ContainerSettings } from './dialect.js';

export type ContainerAccount = SandboxAccount;
export type Caller = CallerOf<ContainerAccount>;

const HOUR_SECONDS = 3_600;
const DAY_MS = 86_400_000;

/** The rule for handles is the one of Instagram, which Threads shares. */
const ACCOUNTS = {
  username: /^[A-Za-z0-9._]{1,30}$/,
  usernameInWords: '1 to 30 letters, digits, dots or underscores',
  members: {},
  defaults: {},
  demo: [
    {
      username: 'northwind.coffee',
      name: 'Northwind Coffee',
      description: 'Roasted on Tuesdays. Gone by Friday.',
    },
    { username: 'harborbooks', name: 'Harbor Books', description: 'An independent bookshop by the water.' },
  ],
};

/** The state of a network that publishes containers: Instagram, Threads. Its uploads are containers. */
export class ContainerNetwork extends SocialNetwork<
  ContainerAccount,
  ContainerSettings,
  ContainerPost,
  Container
> {
  constructor(
    world: SandboxContext,
    readonly dialect: ContainerDialect,
  ) {
    const { network, displayName, site, scopes, settings, tokenPrefix } = dialect;
    super(world, {
      network,
      displayName,
      site,
      scopes,
      settings,
      accounts: ACCOUNTS,
      uploads: { kind: 'container', filesOf: ({ id }) => [`${network}-${id}`], capacity: world.capacity },
      // Of an hour, before it is exchanged for a long one.
      grants: {
        lifetimes: () => ({ access: HOUR_SECONDS, refresh: null }),
        token: () => tokenPrefix + randomBytes(60).toString('base64url'),
      },
      codes: { seconds: HOUR_SECONDS, newCode: () => `AQ${randomBytes(100).toString('base64url')}` },
    });
  }

  /** Of the container's bytes; all networks share one folder. */
  fileName(id: string): string {
    return `${this.network}-${id}`;
  }

  /** Posts of an account within the last 24 hours. */
  quotaUsage(accountId: string): number {
    const since = new Date(this.now - DAY_MS).toISOString();
    const posts = this.posts.by(accountId);
    const older = posts.findLastIndex(({ createdAt }) => createdAt <= since);
    return posts.slice(older + 1).filter(({ inReplyTo }) => inReplyTo === null).length;
  }

  /** Of a container, or of the container that a call publishes. */
  textOf(call: Call): string | undefined {
    const published = call.form.get('creation_id') ?? call.query.get('creation_id');
    if (published !== null) return this.uploads.find(published)?.text;
    return call.form.get(this.dialect.textField) ?? undefined;
  }

  /** A long token. */
  issue({ id }: Pick<ContainerAccount, 'id'>, scopes: readonly string[]): IssuedTokens {
    return this.grants.issue({
      accountId: id,
      scopes,
      refreshable: false,
      lifetimes: { access: this.settings.longTokenSeconds, refresh: null },
      details: { kind: 'long', issuedAt: String(this.now) },
    });
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return graphProblem({ message: '(#4) Application request limit reached', code: 4 });
      case 'usage-capped':
        return graphProblem(this.dialect.quotaProblem);
      case 'unauthorized':
        return graphProblem(tokenProblem('expired'));
      case 'forbidden':
        return graphProblem(
          refusal.reason === 'suspended' ? this.dialect.suspendedProblem : permissionProblem,
        );
      case 'server-error':
        return graphProblem(serverProblem(refusal.status));
    }
  }
}

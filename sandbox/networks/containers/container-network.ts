import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { graphProblem, permissionProblem, serverProblem, tokenProblem } from '../graph/graph-problems.js';
import { type Caller as CallerOf, SocialNetwork } from '../kit/network.js';
import { AuthorizationCodes } from '../kit/oauth/authorization-codes.js';
import type { AppClient } from '../kit/oauth/authorization-request.js';
import { Accounts, type SandboxAccount } from '../kit/state/accounts.js';
import { type GrantRules, Grants } from '../kit/state/grants.js';
import { Posts } from '../kit/state/posts.js';
import { Snowflakes } from '../kit/state/snowflakes.js';
import { Uploads } from '../kit/state/uploads.js';
import type { Container, ContainerPost } from './container.js';
import type { ContainerSettings } from './container-settings.js';
import type { ContainerDialect } from './dialect.js';

export type ContainerAccount = SandboxAccount;
export type Caller = CallerOf<ContainerAccount>;

const CODE_SECONDS = 3_600;
const SHORT_TOKEN_SECONDS = 3_600;
const DAY_MS = 86_400_000;
const DEMO = [
  {
    username: 'northwind.coffee',
    name: 'Northwind Coffee',
    description: 'Roasted on Tuesdays. Gone by Friday.',
  },
  { username: 'harborbooks', name: 'Harbor Books', description: 'An independent bookshop by the water.' },
];

/** The state of a network that publishes containers: Instagram, Threads. */
export class ContainerNetwork extends SocialNetwork<ContainerAccount, ContainerSettings, ContainerPost> {
  readonly network: string;
  readonly displayName: string;
  readonly site: string;
  readonly webPrefix: string;
  readonly ids: Snowflakes;
  readonly accounts: Accounts<ContainerAccount>;
  readonly posts: Posts<ContainerPost>;
  readonly containers: Uploads<Container>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  readonly persistent: SocialNetwork['persistent'];

  constructor(
    world: SandboxContext,
    client: AppClient,
    readonly dialect: ContainerDialect,
  ) {
    super(world, client, dialect.settings);
    const { clock, journal, files, capacity } = world;
    const { network } = dialect;
    this.network = network;
    this.displayName = dialect.displayName;
    this.site = dialect.site;
    this.webPrefix = `${network}-web`;
    const ids = (this.ids = new Snowflakes(clock));
    const passed = (id: string): void => ids.passed(id);
    const newId = (): string => ids.next();
    const ofAccounts = { kind: `${network}.account`, newId, passed, defaults: {}, demo: DEMO };
    this.accounts = new Accounts(journal, clock, ofAccounts);
    this.posts = new Posts(journal, `${network}.post`, { capacity, passed });
    this.containers = new Uploads(journal, files, `${network}.container`, {
      filesOf: ({ id }) => [this.fileName(id)],
      capacity,
      passed,
    });
    this.grants = new Grants(journal, clock, grantRules(dialect));
    this.codes = new AuthorizationCodes(clock, CODE_SECONDS, newCode);
    this.persistent = [this.accounts, this.posts, this.containers, this.grants];
  }

  /** Of the container's bytes; all networks share one folder. */
  fileName(id: string): string {
    return `${this.network}-${id}`;
  }

  get now(): number {
    return this.clock.now().getTime();
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
    if (published !== null) return this.containers.find(published)?.text;
    return call.form.get(this.dialect.textField) ?? undefined;
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

const newCode = (): string => `AQ${randomBytes(100).toString('base64url')}`;

const grantRules = ({ network, tokenPrefix }: ContainerDialect): GrantRules => ({
  kind: `${network}.grant`,
  lifetimes: () => ({ access: SHORT_TOKEN_SECONDS, refresh: null }),
  token: () => tokenPrefix + randomBytes(60).toString('base64url'),
});

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { unknownMedia } from '#libs/content';
import { type RunningService, startService } from '#libs/http';
import { freePort } from '../../local/ports.js';
import { NETWORKS, networkOf } from '../../src/integrations/networks.js';
import { PrepareRenditions } from '../../src/media/index.js';
import { apiService } from '../../src/api/service.js';
import type { Bench, BenchDatabase } from './bench.js';
import { Child } from './child.js';
import { type ConnectedAccount, insertConnections } from './connections.js';
import { createBrands, createPosts } from './content.js';
import { type NetworkAtScale, NETWORKS_AT_SCALE } from './networks-at-scale.js';
import { OutsideWorld } from './outside-world.js';
import { METADATA } from './raw-insert.js';
import { type BrandFile, renditionsMade, ScaleMedia } from './scale-media.js';

const ACCOUNTS_PER_BRAND = 4;
const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString('base64')}`;
const organizationId = METADATA.organizationId as string;

export interface WorkerAtScale {
  readonly process: Child;
  readonly managementUrl: string;
}

interface Planned {
  readonly account: ConnectedAccount;
  readonly network: NetworkAtScale;
  readonly kind: 'text' | 'picture' | 'video';
}

/** All networks, each a process of its own, the object store, the API that hosts files and refreshes tokens, and workers. */
export class ScaleWorld {
  readonly workers: WorkerAtScale[] = [];
  private readonly closing: (() => Promise<unknown>)[] = [];
  private readonly accounts: ConnectedAccount[] = [];
  private readonly files = new Map<string, BrandFile>();

  private constructor(
    readonly db: BenchDatabase,
    readonly networks: ReadonlyMap<string, OutsideWorld>,
    private readonly media: ScaleMedia,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** @param raised whether the limits of the networks are far above the run @param accounts of all networks together */
  static async open(bench: Bench, options: { raised: boolean; accounts: number }): Promise<ScaleWorld> {
    const db = await bench.database(10);
    const media = await ScaleMedia.start(bench.folder);
    const credentials = generatedCredentials();
    const networks = new Map<string, OutsideWorld>();
    const processes = new Map<string, OutsideWorld>();
    for (const { platform, sandbox, raised } of NETWORKS_AT_SCALE) {
      // Platforms of one network have the same addresses.
      const outside = processes.get(sandbox) ?? (await OutsideWorld.start(forSandbox(credentials)));
      processes.set(sandbox, outside);
      await outside.configure('x', { rateLimits: 'on' });
      if (options.raised) await outside.configure(sandbox, raised);
      networks.set(platform, outside);
    }
    const environment = await environmentOf(db, media, networks, { ...credentials, ...limitsOf(options) });
    const world = new ScaleWorld(db, networks, media, environment);
    world.closing.push(
      () => db.close(),
      () => media.store.stop(),
      ...[...processes.values()].map((outside) => () => outside.stop()),
    );
    await world.connect(options.accounts);
    return world;
  }

  async close(): Promise<void> {
    for (const { process } of this.workers) process.kill();
    for (const close of this.closing.toReversed()) await close();
  }

  /** The processes, each once. */
  get outsides(): readonly OutsideWorld[] {
    return [...new Set(this.networks.values())];
  }

  /** Uploads videos for YouTube, and identity, where the gateway looks up its callers. */
  async startGateway(): Promise<void> {
    const identity = await Child.start('src/platform/identity/main.js', {
      environment: this.environment,
      ready: 'listens on',
    });
    this.closing.push(() => identity.stop());
    const gateway = await Child.start('src/platform/gateway/main.js', {
      environment: this.environment,
      ready: 'listens on',
    });
    this.closing.push(() => gateway.stop());
  }

  /** Hosts files for networks that fetch them, and refreshes tokens. In the process of the benchmark. */
  async startApi(): Promise<RunningService> {
    const api = await startService(apiService, this.environment);
    this.closing.push(() => api.close());
    return api;
  }

  async startWorker(): Promise<WorkerAtScale> {
    const port = await freePort();
    const process = await Child.start('src/worker.js', {
      environment: { ...this.environment, WORKER_MANAGEMENT_PORT: String(port) },
      ready: 'listens on',
    });
    const worker = { process, managementUrl: `http://127.0.0.1:${port}` };
    this.workers.push(worker);
    return worker;
  }

  /** A post for each account in turn, so many of them with a video. Their files are ready as the networks need them. */
  async plan(posts: number, videos: number, api: RunningService): Promise<readonly Planned[]> {
    const turns = this.turns(posts);
    const usual = turns.filter(({ network }) => network.usual === 'video').length;
    const able = turns.flatMap(({ network }, index) =>
      network.hasVideo && network.usual !== 'video' ? [index] : [],
    );
    const more = Math.max(0, videos - usual);
    // A step that is no divisor of the cycle reaches every network.
    const step = Math.max(1, Math.floor(able.length / Math.max(1, more)) - 1);
    const chosen = new Set(able.filter((_, index) => index % step === 0).slice(0, more));
    const planned = turns.map(({ account, network }, index) => ({
      account,
      network,
      kind: chosen.has(index) ? ('video' as const) : network.usual,
    }));
    for (const post of planned) await this.prepare(post, api.app.get(CommandBus, { strict: false }));
    await renditionsMade(this.db.database);
    return planned;
  }

  /** @returns the ids, in order; a post's text is `Post <id>` */
  schedule(planned: readonly Planned[], dueAt: (index: number) => Date): Promise<string[]> {
    const posts = planned.map(({ account, network, kind }, index) => ({
      brandId: account.brandId,
      authorId: account.userId,
      platform: account.platform,
      options: network.options,
      title: network.hasTitle ? 'A film' : null,
      mediaIds: kind === 'text' ? [] : [this.fileOf(account.brandId, kind).id],
      scheduledAt: dueAt(index).toISOString(),
    }));
    return createPosts(this.db.database, posts);
  }

  /** By shares, the accounts of each network in turn. */
  private turns(posts: number) {
    const cycle = cycleOf(NETWORKS_AT_SCALE);
    const byPlatform = Map.groupBy(this.accounts, ({ platform }) => platform);
    const used = new Map<string, number>();
    return Array.from({ length: posts }, (_, index) => {
      const network = cycle[index % cycle.length] as NetworkAtScale;
      const accounts = byPlatform.get(network.platform) ?? [];
      const turn = used.get(network.platform) ?? 0;
      used.set(network.platform, turn + 1);
      return { network, account: accounts[turn % accounts.length] as ConnectedAccount };
    });
  }

  private async prepare({ account, network, kind }: Planned, commands: CommandBus): Promise<void> {
    if (kind === 'text') return;
    const { brandId, platform } = account;
    const key = `${brandId} ${kind}`;
    const file = this.files.get(key) ?? (await this.media.file(this.db.database, brandId, kind));
    this.files.set(key, file);
    if (this.files.has(`${key} ${platform}`)) return;
    this.files.set(`${key} ${platform}`, file);
    const media = [{ ...unknownMedia(file.id), ...file.facts, hasCredentials: null, isPublishable: null }];
    const rest = { text: 'Post', title: null, link: null, target: {}, account: null };
    const content = { ...rest, options: network.options ?? {}, media };
    const [spec = null] = networkOf(platform).rules.renditions(content);
    if (spec === null) throw new Error(`${platform} takes no ${kind}.`);
    await commands.execute(new PrepareRenditions({ files: [{ mediaId: file.id, spec }] }));
  }

  private fileOf(brandId: string, kind: 'picture' | 'video'): BrandFile {
    return this.files.get(`${brandId} ${kind}`) as BrandFile;
  }

  private async connect(count: number): Promise<void> {
    const each = Math.ceil(count / NETWORKS_AT_SCALE.length);
    for (const { platform } of NETWORKS_AT_SCALE) {
      const accounts = (await this.networks.get(platform)?.accounts(each, platform)) ?? [];
      for (const account of accounts) {
        const ids = { userId: randomUUIDv7(), connectionId: randomUUIDv7() };
        this.accounts.push({ brandId: '', ...ids, platform, account });
      }
    }
    const brandIds = Array.from({ length: Math.ceil(this.accounts.length / ACCOUNTS_PER_BRAND) }, () =>
      randomUUIDv7(),
    );
    // The accounts of one brand are on different networks.
    this.accounts.splice(
      0,
      this.accounts.length,
      ...this.accounts.map((account, index) => ({
        ...account,
        brandId: brandIds[index % brandIds.length] as string,
      })),
    );
    const { database } = this.db;
    await createBrands(
      database,
      brandIds.map((id) => ({ id, organizationId })),
    );
    await insertConnections(database, ENCRYPTION_KEYS, this.accounts);
  }
}

/** A hundred turns, the networks mixed by their shares. */
const cycleOf = (networks: readonly NetworkAtScale[]): NetworkAtScale[] =>
  networks
    .flatMap((network) =>
      Array.from({ length: network.share }, (_, index) => ({ network, at: (index + 0.5) / network.share })),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ network }) => network);

/** The client of this service at each network. */
function generatedCredentials(): Record<string, string> {
  const names = NETWORKS.flatMap(({ connector }) => connector?.sandbox.credentials ?? []);
  return Object.fromEntries(names.map((name) => [name, randomBytes(16).toString('hex')]));
}

const forSandbox = (credentials: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(credentials).map(([name, value]) => [`SANDBOX_${name}`, value]));

const limitsOf = ({ raised }: { raised: boolean }): Record<string, string> =>
  raised
    ? {
        NETWORK_LIMITS: NETWORKS_AT_SCALE.map(({ platform }) => `${platform}/*=1000000`).join(','),
        YOUTUBE_UPLOADS_PER_DAY: '1000000',
        YOUTUBE_UNITS_PER_DAY: '100000000',
      }
    : {};

async function environmentOf(
  db: BenchDatabase,
  media: ScaleMedia,
  networks: ReadonlyMap<string, OutsideWorld>,
  more: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const [api, management] = [await freePort(), await freePort()];
  const [gateway, identity] = [await freePort(), await freePort()];
  const token = randomBytes(32).toString('hex');
  const addresses = [...networks].map(([platform, outside]) => outside.addressesOf(platform));
  return {
    DATABASE_URL: db.url,
    ENCRYPTION_KEYS,
    MEDIA_ADDRESS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
    API_PORT: String(api),
    API_MANAGEMENT_PORT: String(management),
    PUBLIC_URL: `http://127.0.0.1:${api}`,
    MEDIA_PUBLIC_URL: `http://127.0.0.1:${api}`,
    API_INTERNAL_URL: `http://127.0.0.1:${management}`,
    IDENTITY_URL: `http://127.0.0.1:${identity}`,
    IDENTITY_PORT: String(identity),
    IDENTITY_MANAGEMENT_PORT: '0',
    IDENTITY_SERVICE_TOKEN: token,
    IDENTITY_SERVICE_TOKENS: `local:${token}`,
    IDENTITY_PEPPERS: `1:${randomBytes(32).toString('base64')}`,
    GATEWAY_URL: `http://127.0.0.1:${gateway}`,
    GATEWAY_PORT: String(gateway),
    GATEWAY_MANAGEMENT_PORT: '0',
    GATEWAY_SERVICE_TOKEN: token,
    GATEWAY_SERVICE_TOKENS: `social-publishing:${token}`,
    GATEWAY_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    ...media.store.environment,
    ...(Object.assign({}, ...addresses) as Record<string, string>),
    ...more,
  };
}

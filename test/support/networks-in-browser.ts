import type { Browser, Locator, Page } from 'playwright-core';
import { newPage } from './browser.js';
import type { EmbeddedWorld } from './embedded-world.js';
import { waitUntil } from './wait-until.js';

/** A post as a person writes it for one network. */
export interface PostOnNetwork {
  readonly kind: 'text' | 'picture' | 'video';
  readonly fields?: object;
}

export interface NetworkToShow {
  readonly platform: string;
  /** First segment of the addresses of its pages. */
  readonly web: string;
  readonly posts: readonly PostOnNetwork[];
}

export interface ShownPost {
  readonly kind: PostOnNetwork['kind'];
  /** As the API says. */
  readonly status: string;
  readonly failure: unknown;
  /** Whether the timeline shows the text or title. */
  readonly isThere: boolean;
  /** Whether the browser decoded the picture or played the video; null: it has none. */
  readonly isDecoded: boolean | null;
}

export interface Journey {
  readonly connected: { readonly title: string; readonly state: string };
  readonly posts: readonly ShownPost[];
  readonly reconnected: { readonly isSame: boolean; readonly state: string };
  /** Connections of the network after it was disconnected. */
  readonly left: number;
}

interface Connection {
  readonly id: string;
  readonly platform: string;
  readonly state: string;
  readonly account: { readonly username: string };
}

/** Longer than a request takes on a busy machine: a time in the past is refused. */
const SOON_MS = 4_000;
const PUBLISHED_MS = 240_000;
/** Consent, choice of a page, and whatever else a network asks. */
const MAX_CONSENT_PAGES = 4;

/** Connects, publishes, reconnects and disconnects as a person does who clicks through the pages of a network. */
export class NetworksInBrowser {
  constructor(
    private readonly world: EmbeddedWorld,
    private readonly browser: Browser,
    private readonly files: Readonly<Record<'picture' | 'video', string>>,
    /** Folder for pictures of the pages; undefined: none are taken. */
    private readonly screenshots?: string,
  ) {}

  async journey(network: NetworkToShow): Promise<Journey> {
    const page = await newPage(this.browser);
    try {
      const title = await this.connect(network.platform, page);
      const connection = await this.connectionOf(network.platform);
      const posts = await this.published(network, connection);
      const shown = await this.shown(network, connection, posts, page);
      await this.connect(network.platform, page);
      const again = await this.connectionOf(network.platform);
      const reconnected = { isSame: again.id === connection.id, state: again.state };
      // One consent can connect several pages.
      for (const { id } of await this.connections(network.platform))
        await this.world.call('DELETE', `/api/integrations/${id}`);
      const left = (await this.connections(network.platform)).length;
      return { connected: { title, state: connection.state }, posts: shown, reconnected, left };
    } finally {
      await page.close();
    }
  }

  /** @returns the title of the page at the end */
  private async connect(platform: string, page: Page): Promise<string> {
    const { brandId, api } = this.world;
    const path = `/api/integrations/${platform}/connect?brandId=${brandId}`;
    const { body, text } = await this.world.call('POST', path);
    if (!body.startUrl) throw new Error(`${platform} cannot be connected: ${text}`);
    await page.goto(body.startUrl);
    await this.picture(page, `${platform}-start`);
    await Promise.all([page.waitForURL((url) => !url.href.startsWith(api)), page.click('button.primary')]);
    for (let pages = 0; pages < MAX_CONSENT_PAGES && !page.url().startsWith(api); pages += 1) {
      await this.picture(page, `${platform}-consent-${pages}`);
      await Promise.all([page.waitForEvent('load'), page.click('button.primary')]);
    }
    return (await page.textContent('h1')) ?? '';
  }

  private async connections(platform: string): Promise<Connection[]> {
    const { body } = await this.world.call(
      'GET',
      `/api/integrations?brandId=${this.world.brandId}&limit=100`,
    );
    return (body.data as Connection[]).filter((each) => each.platform === platform);
  }

  private async connectionOf(platform: string): Promise<Connection> {
    const [connection] = await this.connections(platform);
    if (!connection) throw new Error(`${platform} is not connected.`);
    return connection;
  }

  /** Schedules all posts for soon. @returns them once each is settled */
  private async published({ platform, posts }: NetworkToShow, { id }: Connection) {
    const { brandId } = this.world;
    const created: string[] = [];
    for (const { kind, fields } of posts) {
      const mediaIds = kind === 'text' ? [] : [this.files[kind]];
      const scheduledAt = new Date(Date.now() + SOON_MS).toISOString();
      const shared = { brandId, platform, text: `A ${kind} on ${platform}`, mediaIds, scheduledAt };
      const post = { ...shared, target: { connectionId: id }, ...fields };
      const { status, body, text } = await this.world.call('POST', '/api/posts', post);
      if (status !== 201) throw new Error(`${platform}, ${kind}: ${text}`);
      created.push(body.id as string);
    }
    await waitUntil(async () => (await this.all(created)).every(isSettled), PUBLISHED_MS);
    return this.all(created);
  }

  private all(ids: readonly string[]): Promise<Post[]> {
    return Promise.all(
      ids.map(async (id) => (await this.world.call('GET', `/api/posts/${id}`)).body as Post),
    );
  }

  private async shown(
    { posts, web, platform }: NetworkToShow,
    { account }: Connection,
    stored: readonly Post[],
    page: Page,
  ): Promise<ShownPost[]> {
    await page.goto(`${this.world.sandbox}/${web}/${account.username}`);
    await this.picture(page, `${platform}-timeline`);
    const shown: ShownPost[] = [];
    for (const [index, { kind }] of posts.entries()) {
      const { text, title, status, failure } = stored[index] as Post;
      const article = page.locator('article', { hasText: title ?? text });
      const isThere = (await article.count()) === 1;
      const isDecoded = kind === 'text' ? null : isThere && (await decodes(article));
      shown.push({ kind, status, failure, isThere, isDecoded });
    }
    return shown;
  }

  private async picture(page: Page, name: string): Promise<void> {
    if (this.screenshots) await page.screenshot({ path: `${this.screenshots}/${name}.png`, fullPage: true });
  }
}

interface Post {
  readonly text: string;
  readonly title: string | null;
  readonly status: string;
  readonly failure: unknown;
}

const isSettled = ({ status }: Post): boolean => status === 'published' || status === 'failed';

/** What of an image or a video of a page is used here. */
interface FileOnPage {
  loading: string;
  readonly naturalWidth: number;
  readonly decode?: () => Promise<void>;
  muted: boolean;
  readonly currentTime: number;
  readonly play: () => Promise<void>;
  ontimeupdate: () => void;
  onerror: () => void;
}

/** Whether the file of a post can be seen: its picture has pixels, or its video moves on. */
const decodes = (article: Locator): Promise<boolean> =>
  article
    .locator('.media img, .media video')
    .first()
    .evaluate(async (element) => {
      const file = element as unknown as FileOnPage;
      const failed = () => false;
      if (file.decode) {
        file.loading = 'eager';
        return file.decode().then(() => file.naturalWidth > 0, failed);
      }
      file.muted = true;
      const moves = new Promise<boolean>((resolve) => {
        file.ontimeupdate = () => {
          if (file.currentTime > 0) resolve(true);
        };
        file.onerror = () => {
          resolve(false);
        };
      });
      return file.play().then(() => moves, failed);
    });

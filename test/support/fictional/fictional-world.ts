import { randomBytes } from 'node:crypto';
import type { Environment } from '#libs/config';
import type { Setting } from '#libs/config/testing';
import { registerNetwork } from '../../../src/integrations/networks.js';
import { BusinessApi } from '../business-api.js';
import type { Call } from '../call.js';
import { eventually } from '../eventually.js';
import { PublishingForTests } from '../publishing.js';
import { fictional } from './fictional.network.js';
import { FICTIONAL, pictureOf } from './fictional.provider.js';
import { FictionalServer } from './fictional-server.js';

const SHARED: Environment = {
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
  MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
  INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
  PUBLIC_URL: 'http://127.0.0.1:3000',
};

export interface Integration {
  readonly id: string;
  readonly account: { readonly id: string; readonly username: string };
  readonly pages: readonly { readonly id: string }[];
}

/** An API and workers with the fictional network, and a user. */
export class FictionalWorld {
  private people = 0;

  private constructor(
    readonly network: FictionalServer,
    readonly api: BusinessApi,
    readonly publishing: PublishingForTests,
    readonly userId: string,
    readonly person: Call,
    private readonly unregister: () => void,
  ) {}

  /** @param more environment of the workers */
  static async start(more: Environment = {}, settings?: readonly Setting[]): Promise<FictionalWorld> {
    const unregister = registerNetwork(fictional);
    const network = await FictionalServer.start();
    const shared = { ...SHARED, FICTIONAL_API_URL: network.url };
    const api = await BusinessApi.start(shared);
    const publishing = await PublishingForTests.start(
      {
        ...shared,
        API_INTERNAL_URL: api.service.managementUrl,
        NETWORK_TIMEOUT_MS: '500',
        PUBLISH_LEASE_MS: '1500',
        ...more,
      },
      { ...api.test, drop: () => Promise.resolve() },
      settings,
    );
    const { id, token } = api.person();
    return new FictionalWorld(network, api, publishing, id, api.as(token), unregister);
  }

  async stop(): Promise<void> {
    await this.publishing.stop();
    await this.api.stop();
    await this.network.stop();
    this.unregister();
  }

  /** A brand whose owner signed in once. */
  async connected() {
    const name = `person${(this.people += 1)}`;
    const brandId = (await this.person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    const page = await this.connect(brandId, name);
    return { brandId, name, page, accounts: await this.accountsOf(brandId) };
  }

  /** @param person who signs in at the network @returns the page at the end */
  async connect(brandId: string, person: string): Promise<string> {
    const path = `/api/integrations/fictional/connect?brandId=${brandId}`;
    const { body, headers } = await this.person('POST', path);
    const back = this.network.allow(body.authorizationUrl as string, person);
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    const page = await fetch(this.api.service.url + back, { headers: { cookie } });
    return page.text();
  }

  async accountsOf(brandId: string): Promise<Integration[]> {
    return (await this.person('GET', `/api/integrations?brandId=${brandId}`)).body.data;
  }

  /** Due at once. @param accountId by default the first account of the brand @returns its id */
  async aText(brandId: string, text: string, accountId?: string): Promise<string> {
    const target = await this.targetOf(brandId, accountId);
    return this.publishing.schedule({
      ...{ brandId, authorId: this.userId, platform: FICTIONAL, text, target, inMs: 1 },
    });
  }

  /**
   * Due at once; the file holds the picture of the text.
   * @param accountId by default the first account of the brand
   * @returns its id
   */
  async aPicture(brandId: string, text: string, accountId?: string): Promise<string> {
    const target = await this.targetOf(brandId, accountId);
    const picture = { platform: FICTIONAL, bytes: pictureOf(text) };
    const mediaIds = [await this.publishing.sendableFile(brandId, picture)];
    const post = { brandId, authorId: this.userId, platform: FICTIONAL, text, mediaIds, inMs: 1 };
    return this.publishing.schedule({ ...post, target });
  }

  private async targetOf(brandId: string, accountId?: string): Promise<{ accountId?: string }> {
    return { accountId: accountId ?? (await this.accountsOf(brandId))[0]?.account.id };
  }

  isPublished(postId: string): Promise<void> {
    return eventually(async () =>
      expect((await this.person('GET', `/api/posts/${postId}`)).body.status).toBe('published'),
    );
  }

  /** It has been put back once, at least. */
  isHeld(postId: string): Promise<void> {
    return eventually(async () => expect(await this.publishing.history(postId)).toContain('PostHeld'));
  }

  async preparationOf(postId: string) {
    const rows = await this.api.test.database.query<{ step: string | null; state: string | null }>(
      'SELECT step, state FROM integrations.publish_preparation WHERE post_id = $1',
      [postId],
    );
    return rows[0];
  }

  /** The posts at the network. */
  postsOf(text: string) {
    return this.network.posts.filter((post) => post.text === text);
  }
}

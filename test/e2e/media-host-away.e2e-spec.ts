import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { NetworkWorld } from '../support/network-world.js';
import { aPicture } from '../support/pictures.js';
import { waitUntil } from '../support/wait-until.js';

const LIMIT_MS = 60_000;

/** In front of the API's media route; it can be out of order. */
class FrontOfMediaHost {
  isAway = false;
  target = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FrontOfMediaHost> {
    const server = createServer(({ url = '', headers }, response) => {
      const range = headers.range === undefined ? {} : { range: headers.range };
      if (front.isAway) return response.writeHead(503).end();
      return void fetch(front.target + url, { headers: range }).then(async (found) => {
        response.writeHead(found.status, Object.fromEntries(found.headers));
        Readable.from([Buffer.from(await found.arrayBuffer())]).pipe(response);
      });
    });
    const front = new FrontOfMediaHost(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('posts whose files networks fetch, while the media host is out of order', () => {
  let front: FrontOfMediaHost;
  let world: NetworkWorld;

  beforeAll(async () => {
    front = await FrontOfMediaHost.start();
    world = await NetworkWorld.start({ DELIVERY_WAIT_SCALE: '0.1', MEDIA_PUBLIC_URL: front.url });
    front.target = world.api.service.url;
  });
  afterAll(async () => {
    await world.stop();
    await front.stop();
  });

  const read = async (id: unknown) => (await world.call('GET', `/api/posts/${id as string}`)).body;
  /** As if its minute had passed. */
  const endHold = (id: unknown) =>
    world.api.test.database.transaction(async (transaction) => {
      await transaction.query(`SELECT set_config('events.maintenance', 'on', true)`);
      await transaction.query(
        `UPDATE events.event SET data = data || jsonb_build_object('until', $2::text)
         WHERE stream = $1 AND type = 'PostHeld'`,
        [id, new Date().toISOString()],
      );
      await transaction.query(
        'UPDATE posts.publication SET due_at = now(), held_until = now() WHERE post_id = $1',
        [id],
      );
    });

  it.each([
    ['facebook', 'nora.berg', {}],
    ['tiktok', 'northwind.coffee', { privacy: 'public' }],
  ])('are held on %s, and published once afterwards', async (platform, username, options) => {
    await world.connect(platform, username);
    const mediaId = await world.upload(await aPicture(600, 800, { format: 'jpeg' }));
    const [text, target] = [`Away on ${platform}`, await targetOf(platform)];
    front.isAway = true;
    const { body, status } = await world.create({ platform, text, mediaIds: [mediaId], options, target });
    expect(status).toBe(201);
    await waitUntil(async () => {
      const post = await read(body.id);
      return post.holdReason === 'media_unreadable' || post.status === 'failed';
    }, LIMIT_MS);
    expect(await read(body.id)).toMatchObject({ status: 'scheduled', holdReason: 'media_unreadable' });
    front.isAway = false;
    await endHold(body.id);
    await waitUntil(async () => (await read(body.id)).status !== 'scheduled', LIMIT_MS);
    expect(await read(body.id)).toMatchObject({ status: 'published', failure: null });
    expect(await world.effects(text)).toHaveLength(1);
  });

  const targetOf = async (platform: string): Promise<object> => {
    if (platform !== 'facebook') return {};
    const [page] = await world.connections(platform);
    return { pageId: page?.account.id };
  };
});

import { NetworkWorld } from '../support/network-world.js';
import { aPicture } from '../support/pictures.js';
import { makeVideo } from '../support/video-files.js';

const VIDEO = { contentType: 'video/mp4', fileName: 'film.mp4' };

/** A video and photos, from the browser to the timeline. */
describe('posts on TikTok', () => {
  let world: NetworkWorld;

  beforeAll(async () => {
    world = await NetworkWorld.start({ DELIVERY_WAIT_SCALE: '0.1' });
    await world.connect('tiktok', 'northwind.coffee');
  });
  afterAll(() => world.stop());

  const published = (text: string, mediaId: string, options: object) =>
    world.published({ platform: 'tiktok', text, mediaIds: [mediaId], options });

  it('are decided by TikTok after the call, published once, and shown on the timeline', async () => {
    const video = await world.upload(await makeVideo({ soundFrom: null }), VIDEO);
    const photo = await world.upload(await aPicture(600, 800, { format: 'png' }), {
      contentType: 'image/png',
      fileName: 'cup.png',
    });
    const posts = await Promise.all([
      published('A video', video, { privacy: 'public', madeWithAi: true }),
      published('Only for me', photo, { privacy: 'private' }),
    ]);
    for (const post of posts) expect(post).toMatchObject({ status: 'published', failure: null });
    expect(posts[0].platformPostId).toMatch(/^\d{19}$/);
    expect(posts[1].platformPostId).toMatch(/^p_pub_url~/);
    for (const text of ['A video', 'Only for me']) expect(await world.effects(text)).toHaveLength(1);
    const timeline = (await world.sandbox.call('GET', '/tiktok-web/northwind.coffee')).body as string;
    for (const shown of ['A video', '<video', 'AI-generated', 'Only for me', 'only me'])
      expect(timeline).toContain(shown);
    expect((await fetch(posts[0].platformPostUrl as string)).status).toBe(200);
  });

  it('that TikTok fails after the call are failed with its reason', async () => {
    await world.sandbox.control('PUT', '/tiktok/settings', { failReason: 'frame_rate_check_failed' });
    const video = await world.upload(await makeVideo({ soundFrom: null, bytes: 600 }), VIDEO);
    const post = await published('Failed later', video, { privacy: 'public' });
    expect(post).toMatchObject({
      status: 'failed',
      failure: { code: 'media_refused', networkCode: 'frame_rate_check_failed' },
    });
    expect(await world.effects('Failed later')).toHaveLength(0);
  });
});

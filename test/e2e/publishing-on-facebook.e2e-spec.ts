import { NetworkWorld } from '../support/network-world.js';
import { aPicture } from '../support/pictures.js';
import { makeVideo, steadyPictures } from '../support/video-files.js';

/** Two pages of one person. */
describe('posts on pages of Facebook', () => {
  let world: NetworkWorld;
  let pages: Record<string, { connectionId: string; pageId: string }>;

  beforeAll(async () => {
    world = await NetworkWorld.start();
    await world.sandbox.control('PUT', '/facebook/settings', { transferBytes: 50_000 });
    await world.sandbox.account('ada', { pages: ['ada.bakery', 'ada.garden'] }, 'facebook');
    await connect();
    pages = Object.fromEntries(
      (await world.connections('facebook')).map(({ id, account }) => [
        account.username,
        { connectionId: id, pageId: account.id },
      ]),
    );
  });
  afterAll(() => world.stop());

  const connect = async () => expect(await world.connect('facebook', 'ada')).toContain('are connected');
  const published = (text: string, more: object) => world.published({ platform: 'facebook', text, ...more });
  const shown = async (post: Record<string, unknown>) => (await fetch(post.platformPostUrl as string)).text();

  it('are texts, links, photos, videos and reels, each once on the page that it names', async () => {
    const upright = { pictures: steadyPictures(0, 4), rotation: 90 } as const;
    const [first, second, video] = await Promise.all([
      world.upload(await aPicture(600, 400, { format: 'jpeg' }), { altText: 'A loaf' }),
      world.upload(await aPicture(400, 600, { format: 'jpeg', seed: 2 }), {}),
      world.upload(await makeVideo({ bytes: 2_000, ...upright }), {
        fileName: 'reel.mp4',
        contentType: 'video/mp4',
      }),
    ]);
    const on = (page: string) => ({ target: { pageId: pages[page]?.pageId } });
    const posts = await Promise.all([
      published('A text', { link: 'https://example.com/bread', ...on('ada.garden') }),
      published('Two photos', { mediaIds: [first, second], ...on('ada.bakery') }),
      published('A video', { mediaIds: [video], ...on('ada.garden') }),
      published('A reel', {
        mediaIds: [video],
        options: { format: 'reel', madeWithAi: true },
        ...on('ada.bakery'),
      }),
    ]);
    for (const post of posts) expect(post).toMatchObject({ status: 'published', failure: null });
    const [text, photos, film, reel] = await Promise.all(
      ['A text', 'Two photos', 'A video', 'A reel'].map((each) => world.effects(each)),
    );
    const accounts = [text, photos, film, reel].map((all) => all?.map(({ account }) => account.username));
    expect(accounts).toEqual([['ada.garden'], ['ada.bakery'], ['ada.garden'], ['ada.bakery']]);
    expect(photos?.[0]?.media?.map(({ altText }) => altText)).toEqual(['A loaf', undefined]);
    expect([film?.[0]?.media?.[0]?.category, reel?.[0]?.media?.[0]?.category]).toEqual(['video', 'reel']);
    const [textPage = '', photoPage = '', filmPage = '', reelPage = ''] = await Promise.all(posts.map(shown));
    expect(textPage).toContain('https://example.com/bread');
    expect(photoPage.match(/<img src="\/facebook-web\/i\/media/g)).toHaveLength(2);
    expect([filmPage.includes('<video'), reelPage.includes('AI info')]).toEqual([true, true]);
  });

  it('for a group are refused when they are created', async () => {
    const refused = await world.create({
      platform: 'facebook',
      text: 'For a group',
      target: { groupId: '1' },
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('no longer lets services publish to groups');
  });

  it('wait for a new connection after the person removed this service', async () => {
    const url = `${world.api.service.url}/api/integrations/facebook/deauthorize`;
    const sent = await world.sandbox.control('POST', '/facebook/accounts/ada/deauthorize', { url });
    expect(sent.body).toMatchObject({ status: 200 });
    const target = { pageId: pages['ada.bakery']?.pageId };
    expect(await published('After the end', { target })).toMatchObject({
      status: 'failed',
      failure: { class: 'auth', code: 'reconnect_needed' },
    });
    expect(await world.effects('After the end')).toEqual([]);
    await connect();
    expect(await published('Connected again', { target })).toMatchObject({ status: 'published' });
    const ids = (await world.connections('facebook')).map(({ id }) => id);
    expect(ids.sort()).toEqual(
      Object.values(pages)
        .map(({ connectionId }) => connectionId)
        .sort(),
    );
  });
});

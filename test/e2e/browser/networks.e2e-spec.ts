import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { NETWORKS } from '../../../src/integrations/networks.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { EmbeddedWorld } from '../../support/embedded-world.js';
import { type Journey, NetworksInBrowser, type NetworkToShow } from '../../support/networks-in-browser.js';
import { makePlayableVideo } from '../../support/playable-video.js';

const [TEXT, PICTURE, VIDEO] = [{ kind: 'text' }, { kind: 'picture' }, { kind: 'video' }] as const;
const FILM = {
  kind: 'video',
  fields: { title: 'A film', options: { privacy: 'unlisted', tags: ['coffee'], madeForKids: false } },
} as const;
const CLIP = { kind: 'video', fields: { options: { privacy: 'private' } } } as const;
const SLIDE = { kind: 'picture', fields: { options: { privacy: 'private' } } } as const;
const REEL = { kind: 'video', fields: { text: 'A reel', options: { format: 'reel' } } } as const;

/** What each network has; its posts have the options that it asks for. */
const networks: readonly NetworkToShow[] = [
  { platform: 'x', web: 'x-web', posts: [TEXT, PICTURE, VIDEO] },
  { platform: 'linkedin', web: 'linkedin-web', posts: [TEXT, PICTURE, VIDEO] },
  { platform: 'linkedin-company', web: 'linkedin-web', posts: [TEXT, PICTURE, VIDEO] },
  { platform: 'facebook', web: 'facebook-web', posts: [TEXT, PICTURE, VIDEO, REEL] },
  { platform: 'instagram', web: 'instagram-web', posts: [PICTURE, VIDEO] },
  { platform: 'threads', web: 'threads-web', posts: [TEXT, PICTURE, VIDEO] },
  { platform: 'youtube', web: 'youtube-web', posts: [FILM] },
  { platform: 'tiktok', web: 'tiktok-web', posts: [CLIP, SLIDE] },
];

const JOURNEYS_AT_ONCE = 2;

describeInBrowser('every network, in a browser', () => {
  let world: EmbeddedWorld;
  let browser: Browser;
  const journeys = new Map<string, Journey | Error>();

  beforeAll(async () => {
    [world, browser] = await Promise.all([EmbeddedWorld.start(), launchBrowser()]);
    const files = {
      picture: await world.upload('roast.jpg', 'image/jpeg', await aPicture(), 'A roast'),
      video: await world.upload('film.mp4', 'video/mp4', await aVideo(), 'A film'),
    };
    const visitor = new NetworksInBrowser(world, browser, files, process.env.SCREENSHOTS);
    const waiting = networks.values();
    const visit = async () => {
      for (const network of waiting)
        journeys.set(network.platform, await visitor.journey(network).catch((error: Error) => error));
    };
    await Promise.all(Array.from({ length: JOURNEYS_AT_ONCE }, visit));
  }, 900_000);
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('that can be connected is visited', () => {
    const connectable = NETWORKS.filter(({ connector }) => connector !== undefined);
    expect(networks.map(({ platform }) => platform)).toEqual(connectable.map(({ platform }) => platform));
  });

  it.each(networks)('$platform: connect, publish, see it, reconnect, disconnect', ({ platform, posts }) => {
    const journey = journeys.get(platform);
    if (!journey || journey instanceof Error) throw journey ?? new Error('Not visited.');
    expect(journey).toEqual({
      connected: { title: expect.stringContaining('connected'), state: 'active' },
      posts: posts.map(({ kind }) => ({
        ...{ kind, status: 'published', failure: null, isThere: true },
        isDecoded: kind === 'text' ? null : true,
      })),
      reconnected: { isSame: true, state: 'active' },
      left: 0,
    });
  });
});

const aPicture = () =>
  sharp({ create: { width: 1080, height: 1080, channels: 3, background: '#be5a28' } })
    .jpeg()
    .toBuffer();
const aVideo = () => makePlayableVideo({ width: 576, height: 1024, seconds: 5 });

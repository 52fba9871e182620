import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { markAsGenerated } from '../../src/media/marks/write-mark.js';
import { connectAccount } from '../support/connect-account.js';
import { EmbeddedWorld } from '../support/embedded-world.js';
import { makePlayableVideo } from '../support/playable-video.js';
import { SandboxForTests } from '../support/sandbox.js';
import { waitUntil } from '../support/wait-until.js';

const TERM = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const XMP_BOX = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const PUBLISHED_MS = 180_000;
/** Longer than these requests take together on a busy machine: a time in the past is refused. */
const SOON_MS = 10_000;

interface GeneratedPost {
  readonly platform: string;
  readonly file: 'picture' | 'video';
  readonly options?: object;
  /** Whether the network has a flag for such a post. */
  readonly isTold: boolean;
}

const ACCOUNTS = {
  x: 'northwind',
  linkedin: 'jonas-weber',
  facebook: 'luca.marin',
  instagram: 'northwind.coffee',
  threads: 'northwind.coffee',
  youtube: 'northwind',
  tiktok: 'northwind.coffee',
};

const POSTS: readonly GeneratedPost[] = [
  { platform: 'x', file: 'picture', isTold: true },
  { platform: 'linkedin', file: 'picture', isTold: false },
  { platform: 'facebook', file: 'picture', isTold: false },
  { platform: 'facebook', file: 'video', options: { format: 'reel' }, isTold: true },
  { platform: 'instagram', file: 'picture', isTold: true },
  { platform: 'threads', file: 'picture', isTold: false },
  { platform: 'youtube', file: 'video', options: { privacy: 'unlisted' }, isTold: true },
  { platform: 'tiktok', file: 'picture', options: { privacy: 'private' }, isTold: false },
  { platform: 'tiktok', file: 'video', options: { privacy: 'private' }, isTold: true },
];

const nameOf = ({ platform, file }: GeneratedPost) => `A ${file} by a model on ${platform}`;

interface Effect {
  readonly madeWithAi?: true;
  readonly media: readonly { readonly sha256: string }[];
}

/** From a prompt to the networks. Videos come from elsewhere, and say themselves that a model made them. */
describe('posts of what a model made', () => {
  let world: EmbeddedWorld;
  let sandbox: SandboxForTests;
  let files: Readonly<Record<'picture' | 'video', string>>;
  const published = new Map<string, { status: string; failure: unknown; platformPostUrl: string }>();
  const findings = new Map<string, string[]>();

  beforeAll(async () => {
    world = await EmbeddedWorld.start({ DELIVERY_WAIT_SCALE: '0.1' });
    sandbox = SandboxForTests.at(world.sandbox);
    const film = markAsGenerated(
      await makePlayableVideo({ width: 576, height: 1024, seconds: 4 }),
      'video/mp4',
    );
    const [picture, video] = await Promise.all([
      generated(),
      world.upload('film.mp4', 'video/mp4', film, ''),
    ]);
    files = { picture, video };
    for (const [platform, username] of Object.entries(ACCOUNTS)) await connect(platform, username);
    const ids = await Promise.all(POSTS.map(schedule));
    await waitUntil(async () => {
      for (const [index, id] of ids.entries())
        published.set(
          nameOf(POSTS[index] as GeneratedPost),
          (await world.call('GET', `/api/posts/${id}`)).body,
        );
      return [...published.values()].every(({ status }) => ['published', 'failed'].includes(status));
    }, PUBLISHED_MS);
  }, 600_000);
  afterAll(() => world.stop());

  const generated = async () => {
    const request = { brandId: world.brandId, prompt: 'A lighthouse at dawn' };
    const { status, body, text } = await world.call('POST', '/api/ai/generate-image', request);
    if (status !== 200) throw new Error(text);
    return world.ready(body.mediaId as string);
  };
  const connect = async (platform: string, username: string) => {
    const { brandId, call } = world;
    const services = { api: { service: { url: world.api } }, sandbox };
    const { text } = await connectAccount(services, { call, platform, brandId, username });
    if (!text.includes('connected')) throw new Error(`${platform}: ${text}`);
  };
  const schedule = async (post: GeneratedPost): Promise<string> => {
    const { platform, file, options = {} } = post;
    const text = nameOf(post);
    const title = platform === 'youtube' ? { title: text } : {};
    const content = { brandId: world.brandId, platform, text, mediaIds: [files[file]], options, ...title };
    const checked = await world.call('POST', '/api/posts/preflight', content);
    const found = checked.body.findings as { ruleId: string; severity: string }[];
    findings.set(
      text,
      found.map(({ ruleId, severity }) => `${severity} ${ruleId}`),
    );
    const scheduledAt = new Date(Date.now() + SOON_MS).toISOString();
    const {
      status,
      body,
      text: refusal,
    } = await world.call('POST', '/api/posts', { ...content, scheduledAt });
    if (status !== 201) throw new Error(`${text}: ${refusal}`);
    return body.id as string;
  };
  const effectsOf = async (text: string): Promise<Effect[]> => {
    const query = new URLSearchParams({ text, kind: 'post.created' });
    return (await sandbox.ledger(`?${query.toString()}`)) as Effect[];
  };
  /** The file of a post as the network shows it, on the page of the post or of the account. */
  const shownFile = async (page: string, text: string): Promise<Buffer> => {
    const html = await (await fetch(page)).text();
    const article = html.split('<article').find((part) => part.includes(text)) ?? '';
    const [path] = /\/[a-z-]+\/i\/media\/[\w.~-]+/.exec(article) ?? [];
    if (path === undefined) throw new Error(html);
    return Buffer.from(await (await fetch(world.sandbox + path)).arrayBuffer());
  };

  it('the library knows what a model made', async () => {
    for (const id of Object.values(files))
      expect((await world.call('GET', `/api/media/${id}`)).body).toMatchObject({ aiMark: 'generated' });
  });

  describe.each(POSTS.map((post) => ({ ...post, name: nameOf(post) })))(
    '$name',
    ({ name, platform, file, isTold }) => {
      it('is published, and the network is told or the author is warned', async () => {
        expect(published.get(name)).toMatchObject({ status: 'published', failure: null });
        const [effect, ...others] = await effectsOf(name);
        expect(others).toEqual([]);
        expect(effect?.madeWithAi).toBe(isTold ? true : undefined);
        const warning = `warning ${platform}.media.ai-unflagged`;
        expect(findings.get(name)?.includes(warning)).toBe(!isTold);
      });

      it('says so itself, in the bytes that the network has', async () => {
        const [effect] = await effectsOf(name);
        const bytes = await shownFile(published.get(name)?.platformPostUrl ?? '', name);
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(effect?.media[0]?.sha256);
        const packet =
          file === 'video' ? bytes.subarray(bytes.lastIndexOf(XMP_BOX)) : (await sharp(bytes).metadata()).xmp;
        expect(packet?.toString()).toContain(`DigitalSourceType>${TERM}<`);
      });
    },
  );
});

import { type Connected, NetworkWorld } from '../support/network-world.js';
import { aPicture } from '../support/pictures.js';

/** Of the sandbox: a member who may post for two organizations. */
const MEMBER = 'jonas-weber';

/** A member, and the two organizations of the same person. */
describe('posts on LinkedIn', () => {
  let world: NetworkWorld;

  beforeAll(async () => {
    world = await NetworkWorld.start({ DELIVERY_WAIT_SCALE: '0.1' });
    await world.sandbox.control('PUT', '/linkedin/settings', { refreshTokens: 'on' });
    await world.connect('linkedin', MEMBER);
    await world.connect('linkedin-company', MEMBER);
  });
  afterAll(() => world.stop());

  const organization = async (username: string): Promise<Connected> => {
    const found = (await world.connections('linkedin-company')).find(
      ({ account }) => account.username === username,
    );
    if (!found) throw new Error(`${username} is not connected.`);
    return found;
  };
  const published = (platform: string, text: string, more: object = {}) =>
    world.published({ platform, text, ...more });

  it('go to the member, or to the organization that they name', async () => {
    expect(
      (await world.connections('linkedin-company')).map(({ account }) => account.username).sort(),
    ).toEqual(['harbor-books', 'lumen-studio']);
    const mediaId = await world.upload(await aPicture(600, 400, { format: 'jpeg' }), {
      altText: 'A shelf',
    });
    const to = async (username: string) => ({
      target: { organizationId: (await organization(username)).account.id },
    });
    const posts = await Promise.all([
      published('linkedin', 'By myself (with a picture)', { mediaIds: [mediaId] }),
      published('linkedin-company', 'By the bookshop', await to('harbor-books')),
      published('linkedin-company', 'By the studio', { mediaIds: [mediaId], ...(await to('lumen-studio')) }),
    ]);
    for (const post of posts) expect(post).toMatchObject({ status: 'published', failure: null });
    const found = await Promise.all(
      ['By myself (with a picture)', 'By the bookshop', 'By the studio'].map((each) => world.effects(each)),
    );
    expect(found.map((all) => all.map(({ account }) => account.username))).toEqual([
      [MEMBER],
      ['harbor-books'],
      ['lumen-studio'],
    ]);
    expect(found[2]?.[0]?.media?.map(({ altText }) => altText)).toEqual(['A shelf']);
    const page = await (await fetch(posts[0].platformPostUrl as string)).text();
    expect(page).toContain('By myself (with a picture)');
  });

  it('whose answer is lost are never sent twice: found for a company, left to a person for a member', async () => {
    const fault = { kind: 'drop-after-effect', route: 'POST /rest/posts', times: 1 };
    await world.sandbox.fault({ ...fault, textContains: 'Lost by the company' });
    const { account } = await organization('harbor-books');
    const target = { organizationId: account.id };
    expect(await published('linkedin-company', 'Lost by the company', { target })).toMatchObject({
      status: 'published',
    });
    await world.sandbox.fault({ ...fault, textContains: 'Lost by the member' });
    expect(await published('linkedin', 'Lost by the member')).toMatchObject({
      status: 'failed',
      failure: { class: 'unconfirmed' },
    });
    for (const text of ['Lost by the company', 'Lost by the member'])
      expect(await world.effects(text)).toHaveLength(1);
  });

  it('are published after the tokens of both organizations were renewed with the same refresh token', async () => {
    await world.sandbox.control('POST', `/linkedin/accounts/${MEMBER}/expire-tokens`, { which: 'access' });
    for (const username of ['harbor-books', 'lumen-studio']) {
      const { account } = await organization(username);
      const text = `Renewed by ${username}`;
      const target = { organizationId: account.id };
      expect(await published('linkedin-company', text, { target })).toMatchObject({ status: 'published' });
      expect(await world.effects(text)).toHaveLength(1);
    }
  });

  it('of a company cannot be connected by a member without a role, and the page says why', async () => {
    await world.sandbox.account('eva-nobody', {}, 'linkedin');
    expect(await world.connect('linkedin-company', 'eva-nobody')).toContain('no role on a LinkedIn page');
    expect(await world.connections('linkedin-company')).toHaveLength(2);
  });

  it('go on for one organization when the other one is disconnected, and the consent ends with the last', async () => {
    const [books, studio] = [await organization('harbor-books'), await organization('lumen-studio')];
    expect((await world.call('DELETE', `/api/integrations/${books.id}`)).status).toBe(204);
    const target = { organizationId: studio.account.id };
    expect(await published('linkedin-company', 'Still here', { target })).toMatchObject({
      status: 'published',
    });
    const grants = async () =>
      (await world.sandbox.control('POST', `/linkedin/accounts/${MEMBER}/expire-tokens`, { which: 'access' }))
        .body.grants as number;
    const before = await grants();
    expect((await world.call('DELETE', `/api/integrations/${studio.id}`)).status).toBe(204);
    expect(before - (await grants())).toBe(1);
  });
});

import { jest } from '@jest/globals';
import { anEventMetadata } from '#libs/event-store/testing';
import type { RunningService } from '#libs/http';
import type { Target } from '../../src/posts/post.events.js';
import { PublishPlan } from '../../src/posts/publish-plan.worker.js';
import type { ConnectedBrand } from '../support/publishing.js';
import { PublishingForTests } from '../support/publishing.js';
import { until } from '../support/until.js';

const person = { type: 'user', id: '0198c0de-0000-7000-8000-000000000001' } as const;

describe('claiming due posts', () => {
  let world: PublishingForTests;
  let worker: RunningService;

  beforeAll(async () => {
    world = await PublishingForTests.start();
  });
  beforeEach(async () => {
    worker = await world.worker();
  });
  afterEach(() => world.stopWorkers());
  afterAll(() => world.stop());

  const settled = async (postId: string) => {
    await until(async () => (await world.post(postId)).status !== 'scheduled');
    return world.post(postId);
  };
  const accountsOf = async (postId: string) => {
    const effects = (await world.sandbox.ledger()) as { text: string; account: { id: string } }[];
    return effects.filter(({ text }) => text === `Post ${postId}`).map(({ account }) => account.id);
  };
  const disconnect = ({ connectionId }: ConnectedBrand) =>
    world.test.database.query(
      `UPDATE integrations.connection SET state = 'disconnected', access_token = NULL, refresh_token = NULL WHERE id = $1`,
      [connectionId],
    );

  describe('when things change between the plan and the claim', () => {
    /** Once, when a plan names the post, before anything is claimed. */
    const betweenPlanAndClaim = (change: (postId: string) => Promise<unknown>) => {
      const plan = worker.app.get(PublishPlan, { strict: false });
      const make = plan.make.bind(plan);
      let changed = false;
      jest.spyOn(plan, 'make').mockImplementation(async (limit) => {
        const planned = await make(limit);
        const [first] = planned;
        if (first && !changed) {
          changed = true;
          await change(first.postId);
        }
        return planned;
      });
    };

    const aim = (postId: string, target: Target) =>
      world.posts.change(
        postId,
        () => (post) => {
          if (post.status !== 'scheduled' || post.attempt) throw new Error('Too late.');
          const content = { ...post.content, target };
          const { brandId } = post;
          const data = { postId, brandId, content, changed: ['target' as const], blockers: [], by: person };
          return [{ type: 'PostEdited', data }];
        },
        anEventMetadata(),
      );

    it('sends a post to the account of its last edit, never to the one it was planned for', async () => {
      const first = await world.connectedBrand();
      const second = await world.connect(first.brandId, first.userId);
      betweenPlanAndClaim((id) => aim(id, { accountId: second.account.id }));
      const target = { accountId: first.account.id };
      const postId = await world.schedule({ brandId: first.brandId, target });
      expect((await settled(postId)).status).toBe('published');
      expect(await accountsOf(postId)).toEqual([second.account.id]);
    });

    it('does not fail a post for a target that was put right', async () => {
      const { brandId, account } = await world.connectedBrand();
      betweenPlanAndClaim((id) => aim(id, {}));
      const postId = await world.schedule({ brandId, target: { accountId: '404' } });
      expect((await settled(postId)).status).toBe('published');
      expect(await accountsOf(postId)).toEqual([account.id]);
    });

    it('does not fail a post for an account that is connected by now', async () => {
      const brandId = await world.brand();
      betweenPlanAndClaim(() => world.connect(brandId, person.id));
      expect((await settled(await world.schedule({ brandId }))).status).toBe('published');
    });

    it('sends a post by the account that took the place of another', async () => {
      const first = await world.connectedBrand();
      const others: string[] = [];
      betweenPlanAndClaim(async () => {
        await disconnect(first);
        others.push((await world.connect(first.brandId, first.userId)).account.id);
      });
      const postId = await world.schedule({ brandId: first.brandId });
      expect((await settled(postId)).status).toBe('published');
      expect(await accountsOf(postId)).toEqual(others);
    });
  });
});

import { jest } from '@jest/globals';
import type { Target } from '#libs/content';
import { anEventMetadata } from '#libs/event-store/testing';
import type { RunningService } from '#libs/http';
import { Posts } from '../../src/posts/posts.stream.js';
import { PublishClaims } from '../../src/posts/publishing/claims.js';
import { PublishPlan } from '../../src/posts/publishing/plan.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

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
    await waitUntil(async () => (await world.post(postId)).status !== 'scheduled');
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

  describe('when a post or account changes between the plan and the claim', () => {
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

    /** The accounts that the worker held while it sent, by their keys. */
    const heldBy = () => {
      const claims = worker.app.get(PublishClaims, { strict: false });
      const take = claims.take.bind(claims);
      const keys: string[] = [];
      jest.spyOn(claims, 'take').mockImplementation(async (limit) => {
        const claim = await take(limit);
        keys.push(...claim.claimed.map(({ lease }) => lease.key));
        return claim;
      });
      return keys;
    };

    it('sends a post to the account of its last edit, never to the one it was planned for', async () => {
      const first = await world.connectedBrand();
      const second = await world.connect(first.brandId, first.userId);
      const held = heldBy();
      betweenPlanAndClaim((id) => aim(id, { accountId: second.account.id }));
      const target = { accountId: first.account.id };
      const postId = await world.schedule({ brandId: first.brandId, target });
      expect((await settled(postId)).status).toBe('published');
      expect(await accountsOf(postId)).toEqual([second.account.id]);
      // Each account for itself: nobody else sends for it meanwhile.
      expect(held).toEqual([`account:x:${second.account.id}`]);
    });

    it('does not fail a post whose target was corrected', async () => {
      const { brandId, account } = await world.connectedBrand();
      betweenPlanAndClaim((id) => aim(id, {}));
      const postId = await world.schedule({ brandId, target: { accountId: '404' } });
      expect((await settled(postId)).status).toBe('published');
      expect(await accountsOf(postId)).toEqual([account.id]);
    });

    it('does not fail a post whose account was connected meanwhile', async () => {
      const brandId = await world.brand();
      betweenPlanAndClaim(() => world.connect(brandId, person.id));
      expect((await settled(await world.schedule({ brandId }))).status).toBe('published');
    });

    it('sends a post by the account that replaced another', async () => {
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

  describe('when one post can neither be sent nor settled', () => {
    /** The oldest of its destination, and one of each kind that ought not to wait for it. */
    const between = async (spoil: (postId: string) => Promise<unknown>) => {
      await world.stopWorkers();
      const [odd, plain] = [await world.connectedBrand(), await world.connectedBrand()];
      const postId = await world.schedule({ brandId: odd.brandId, authorId: person.id, inMs: 1 });
      await spoil(postId);
      const others = [
        await world.schedule({ brandId: odd.brandId, authorId: person.id, inMs: 2 }),
        await world.schedule({ brandId: plain.brandId, inMs: 2 }),
      ];
      worker = await world.worker();
      for (const other of others) expect((await settled(other)).status).toBe('published');
      return postId;
    };
    const triesAgain = async (postId: string) => {
      await world.stopWorkers();
      await world.worker();
      expect((await settled(postId)).status).toBe('published');
      expect(await accountsOf(postId)).toHaveLength(1);
    };

    it.each([
      ['has an event that this release does not know', `type = 'PostTold'`, `type = 'PostScheduled'`],
      ['has an event of a newer release', 'schema_version = 9', 'schema_version = 1'],
      ['has a history that does not fit together', `type = 'PostPublished'`, `type = 'PostScheduled'`],
    ])('that %s, publishes all others, and that post once it can', async (_, broken, mended) => {
      const postId = await between((id) => world.rewriteLast(id, broken));
      await world.rewriteLast(postId, mended);
      await triesAgain(postId);
    });

    it('because the database refuses its claim, publishes all others', async () => {
      const refuse = (id: string) =>
        world.test.database.query(
          `CREATE OR REPLACE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'refused by the test' USING ERRCODE = '22P05'; END $$;
           CREATE TRIGGER refuse_claim BEFORE INSERT ON events.event FOR EACH ROW
             WHEN (NEW.stream = '${id}' AND NEW.type = 'PublishAttemptStarted') EXECUTE FUNCTION refuse_claim()`,
        );
      const postId = await between(refuse);
      await world.test.database.query('DROP TRIGGER refuse_claim ON events.event');
      await triesAgain(postId);
    });
  });

  it('fails a claim that cannot be stored, so that the worker pauses before the next', async () => {
    const denied = Object.assign(new Error('permission denied'), { code: '42501' });
    jest.spyOn(worker.app.get(Posts, { strict: false }), 'changeMany').mockRejectedValueOnce(denied);
    const take = jest.spyOn(worker.app.get(PublishClaims, { strict: false }), 'take');
    const postId = await world.schedule({ brandId: (await world.connectedBrand()).brandId });
    expect((await settled(postId)).status).toBe('published');
    const claims = await Promise.allSettled(take.mock.results.map(({ value }) => value as Promise<unknown>));
    const failures = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason as Error] : []));
    expect(failures).toEqual([denied]);
  });

  it.each([
    ['lost', undefined],
    ['an error that says nothing', Object.assign(new Error('read EHOSTDOWN'), { code: 'EHOSTDOWN' })],
  ])('reschedules a post and sends it when the response to its claim was %s', async (_, error) => {
    world.loseAnswerToClaim(worker, error);
    const postId = await world.schedule({ brandId: (await world.connectedBrand()).brandId });
    expect((await settled(postId)).status).toBe('published');
    expect(await world.history(postId)).toEqual([
      ...['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostHeld'],
      ...['PublishAttemptStarted', 'PostPublished'],
    ]);
    expect(await accountsOf(postId)).toHaveLength(1);
  });

  describe('the outcome of a post, stored by a claim or after sending,', () => {
    const counted = async (): Promise<Record<string, number>> => {
      const page = await (await fetch(`${worker.managementUrl}/metrics`)).text();
      const lines = page.matchAll(/^publish_outcomes_total\{outcome="([a-z]+)"\} ([1-9]\d*)$/gm);
      return Object.fromEntries([...lines].map(([, outcome, times]) => [outcome, Number(times)]));
    };
    const connection = ({ connectionId }: ConnectedBrand, change: string) =>
      world.test.database.query(`UPDATE integrations.connection SET ${change} WHERE id = $1`, [connectionId]);
    /** For longer than the shortest late window. */
    const overdue = async (brandId: string) => {
      const postId = await world.schedule({ brandId, inMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      return postId;
    };

    it('is counted by how it ended', async () => {
      const [plain, ended, held] = [
        await world.connectedBrand(),
        await world.connectedBrand(),
        await world.connectedBrand(),
      ];
      await connection(ended, `state = 'reconnect-needed'`);
      await connection(held, `held_until = now() + interval '1 hour', hold_reason = 'rate_limited'`);
      expect(await counted()).toEqual({});
      await world.schedule({ brandId: plain.brandId, inMs: 1 });
      await world.schedule({ brandId: plain.brandId, text: 'long '.repeat(100), inMs: 1 });
      await world.schedule({ brandId: ended.brandId, inMs: 1 });
      await world.schedule({ brandId: held.brandId, inMs: 1 });
      await world.schedule({ brandId: await world.brand(), inMs: 1 });
      const sum = async () => Object.values(await counted()).reduce((a, b) => a + b, 0);
      await waitUntil(async () => (await sum()) >= 5);
      expect(await counted()).toEqual({ published: 1, permanent: 1, auth: 1, held: 1, configuration: 1 });
    });

    it('is counted for a missed post and for an abandoned attempt', async () => {
      await world.stopWorkers();
      const way = await world.connectedBrand();
      await world.abandonedAttempt(way);
      await overdue(way.brandId);
      const brief = { NETWORK_TIMEOUT_MS: '400', PUBLISH_LEASE_MS: '1000', PUBLISH_LATE_WINDOW_MS: '1000' };
      worker = await world.worker(brief);
      await waitUntil(async () => Object.keys(await counted()).length >= 2);
      expect(await counted()).toEqual({ missed: 1, unconfirmed: 1 });
    });
  });
});

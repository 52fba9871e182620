import { aPostBeingSent, attemptId, NOW } from '../../../test/support/post-histories.js';
import { evolve } from './evolve.js';
import { noPost, type Post } from './post.js';
import { scheduleCheck } from './undecided.js';

const HOUR = 3_600_000;
const after = (milliseconds: number) => new Date(Date.parse(NOW) + milliseconds).toISOString();
const sent = aPostBeingSent().reduce<Post>((post, event) => evolve(post, event, NOW), noPost);
const check = { attemptId, ids: {}, milliseconds: 30_000, now: NOW, budgetMs: 4 * HOUR };
const accepted = scheduleCheck(check)(sent).reduce<Post>((post, event) => evolve(post, event, NOW), sent);

describe('a post that its network has accepted', () => {
  it('is looked for when the network says, with the ids that it returned', () => {
    expect(scheduleCheck({ ...check, ids: { submission: 's-1' } })(sent)).toMatchObject([
      { type: 'PublishStepRecorded', data: { step: 'submission', networkId: 's-1' } },
      { type: 'PublishCheckScheduled', data: { attemptId, checkAt: after(30_000) } },
    ]);
  });

  it.each([
    [0, 0, 1_000],
    [HOUR, 1_000, HOUR / 10],
    [HOUR, 2 * HOUR, HOUR],
  ])('after %d ms is looked for less and less often', (waited, milliseconds, wait) => {
    expect(scheduleCheck({ ...check, milliseconds, now: after(waited) })(accepted)).toMatchObject([
      { data: { checkAt: after(waited + wait) } },
    ]);
  });

  it('is unconfirmed after its budget', () => {
    expect(scheduleCheck({ ...check, now: after(4 * HOUR) })(accepted)).toMatchObject([
      { type: 'PostPublishFailed', data: { attemptId, failure: { class: 'unconfirmed' } } },
    ]);
  });

  it('is recorded for its own attempt only', () => {
    expect(() => scheduleCheck({ ...check, attemptId: 'another' })(sent)).toThrow('is not the open attempt');
  });
});

import { AccountIsNamedTwice, BatchIsRefused, decideAll, duplicatesIn } from './batch.js';
import { ContentCannotBePublished, PostIsPublished, ScheduleIsInThePast } from './post.errors.js';
import { MediaIsNotReady } from './reference.errors.js';

const refuse = (error: Error) => (): never => {
  throw error;
};
const refusalOf = (...decisions: (() => number)[]): BatchIsRefused => {
  try {
    decideAll(decisions);
  } catch (error) {
    if (error instanceof BatchIsRefused) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
};

describe('the decisions of a batch', () => {
  it('return their results in order', () => {
    expect(decideAll([() => 1, () => 2])).toEqual([1, 2]);
  });

  it('are refused together, with pointers to each entry', () => {
    const blocker = { ruleId: 'x.text.too-long', message: 'Too long.', pointer: '#/text' };
    const refusal = refusalOf(
      () => 1,
      refuse(new ContentCannotBePublished([blocker, { ...blocker, pointer: '#/mediaIds/3' }])),
      refuse(new ScheduleIsInThePast('2020-01-01T00:00:00.000Z')),
      refuse(new AccountIsNamedTwice(0)),
    );
    expect(refusal.kind).toBe('invalid');
    expect(refusal.errors.map(({ pointer }) => pointer)).toEqual([
      '#/posts/1/text',
      '#/posts/1/mediaIds/3',
      '#/posts/2/scheduledAt',
      '#/posts/3/target',
    ]);
  });

  it('point to the entry when the refusal concerns no field', () => {
    expect(refusalOf(() => 1, refuse(new PostIsPublished())).errors).toEqual([
      { pointer: '#/posts/1', code: 'post_is_published', detail: new PostIsPublished().message },
    ]);
  });

  it('claim no more than is true of a preflight too: nothing is stored', () => {
    const { message } = refusalOf(refuse(new PostIsPublished()), () => 1);
    expect(message).toBe(
      '1 of 2 posts is refused, so nothing is stored. Correct the fields in errors, then send all of them again.',
    );
  });

  it('conflict only if every refusal does, so that the same request can succeed later', () => {
    const unready = refuse(new MediaIsNotReady([{ pointer: '#/mediaIds/0', rejection: null }]));
    expect(refusalOf(unready).kind).toBe('conflict');
    expect(refusalOf(unready, refuse(new AccountIsNamedTwice(0))).kind).toBe('invalid');
  });

  it('pass on errors of another kind', () => {
    expect(() => decideAll([refuse(new RangeError('broken'))])).toThrow(RangeError);
  });
});

describe('duplicates', () => {
  it('name the first of equal keys', () => {
    expect(duplicatesIn(['a', 'b', 'a', 'a'])).toEqual([null, null, 0, 0]);
  });
});

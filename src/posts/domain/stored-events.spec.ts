import { postAggregate } from './evolve.js';
import type { PostEvent } from './post.events.js';
import { exists, noPost, type Post } from './post.js';

/**
 * One event of every type as the log has held it since it was first released. A change of shape goes through an
 * upcaster; these samples are never edited, only added to.
 */
const ids = '"postId":"p","brandId":"b"';
const by = '{"type":"user","id":"u"}';
const content = '{"text":"Hello","title":null,"mediaIds":["m"],"link":null,"target":{"pageId":"1"}}';
const written = `${ids},"authorId":"u","platform":"x","content":${content},"thread":{"id":"t","position":2},"blockers":[]`;
const failure =
  '{"code":"network_refused","class":"unconfirmed","networkCode":"503","message":"M","nextStep":"N"}';

const stored: Record<PostEvent['type'], string> = {
  PostDrafted: `{${written}}`,
  PostSuggested: `{${written},"by":${by},"proposedTime":"2026-01-16T09:00:00.000Z"}`,
  PostEdited: `{${ids},"content":${content},"changed":["text"],"blockers":[{"ruleId":"r","message":"M","pointer":"#/text"}],"by":${by}}`,
  PostReturnedForApproval: `{${ids},"by":${by},"proposedTime":null}`,
  PostApprovalRenewed: `{${ids},"by":${by},"fingerprint":"f"}`,
  PostScheduled: `{${ids},"scheduledAt":"2026-01-16T09:00:00.000Z","by":${by}}`,
  PostRescheduled: `{${ids},"scheduledAt":"2026-01-17T09:00:00.000Z","previous":"2026-01-16T09:00:00.000Z","by":${by}}`,
  PostRevertedToDraft: `{${ids},"by":${by}}`,
  PostApproved: `{${ids},"by":${by},"reason":null,"fingerprint":"f"}`,
  PostRejected: `{${ids},"by":${by},"reason":"No."}`,
  PostRetried: `{${ids},"scheduledAt":"2026-01-16T10:00:00.000Z","by":${by},"reason":null}`,
  PostLatenessChosen: `{${ids},"ifLate":"fail","by":${by}}`,
  PostDeleted: `{${ids},"by":${by},"status":"draft"}`,
  PublishAttemptStarted: `{${ids},"attemptId":"a","connectionId":"c","fingerprint":"f"}`,
  PublishStepRecorded: `{${ids},"attemptId":"a","step":"container","networkId":"17"}`,
  PublishCheckScheduled: `{${ids},"attemptId":"a","checkAt":"2026-01-16T09:05:00.000Z"}`,
  PostHeld: `{${ids},"attemptId":"a","until":"2026-01-16T09:15:00.000Z","reason":"rate_limited"}`,
  PostPublished: `{${ids},"attemptId":"a","platformPostId":"99","platformPostUrl":"https://x.example/99"}`,
  PostPublishFailed: `{${ids},"attemptId":"a","failure":${failure}}`,
  DeliveryResolved: `{${ids},"delivered":true,"platformPostId":"99","platformPostUrl":null,"publishedAt":"2026-01-16T09:00:01.000Z","by":${by}}`,
};

const fold = (...types: PostEvent['type'][]): Post =>
  types.reduce<Post>((post, type) => {
    const event = { type, data: JSON.parse(stored[type]) as unknown } as PostEvent;
    return postAggregate.evolve(post, event, '2026-01-15T10:00:00.000Z');
  }, noPost);

describe('events as stored', () => {
  it.each<[PostEvent['type'][], object]>([
    [['PostDrafted'], { status: 'draft', thread: { id: 't', position: 2 }, authorId: 'u' }],
    [['PostSuggested'], { approval: { state: 'pending' }, proposedTime: '2026-01-16T09:00:00.000Z' }],
    [['PostSuggested', 'PostRejected'], { approval: { state: 'rejected', reason: 'No.' } }],
    [
      ['PostSuggested', 'PostRejected', 'PostEdited', 'PostReturnedForApproval'],
      { approval: { state: 'pending' } },
    ],
    [
      ['PostSuggested', 'PostApproved', 'PostScheduled'],
      { status: 'scheduled', approval: { fingerprint: 'f' } },
    ],
    [['PostSuggested', 'PostApproved', 'PostEdited', 'PostApprovalRenewed'], { blockers: [{ ruleId: 'r' }] }],
    [['PostDrafted', 'PostScheduled', 'PostRescheduled'], { scheduledAt: '2026-01-17T09:00:00.000Z' }],
    [['PostDrafted', 'PostScheduled', 'PostRevertedToDraft'], { status: 'draft' }],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PublishStepRecorded'],
      { attempt: { attemptId: 'a', maybeLiveSince: null, steps: { container: '17' } }, attempts: 1 },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostHeld'],
      { attempt: null, held: { until: '2026-01-16T09:15:00.000Z' } },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PublishCheckScheduled'],
      {
        status: 'scheduled',
        attempt: {
          attemptId: 'a',
          undecided: { since: '2026-01-15T10:00:00.000Z', checkAt: '2026-01-16T09:05:00.000Z' },
        },
      },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostHeld'],
      { held: { attemptId: 'a' }, retrying: null },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostPublished'],
      { status: 'published', platformPostId: '99', publishedAt: '2026-01-15T10:00:00.000Z' },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostPublishFailed'],
      { status: 'failed', failure: { class: 'unconfirmed', attemptId: 'a' } },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostPublishFailed', 'PostRetried'],
      { status: 'scheduled', isRetry: true },
    ],
    [
      ['PostDrafted', 'PostScheduled', 'PublishAttemptStarted', 'PostPublishFailed', 'DeliveryResolved'],
      { status: 'published', publishedAt: '2026-01-16T09:00:01.000Z' },
    ],
    [['PostDrafted', 'PostLatenessChosen', 'PostScheduled'], { status: 'scheduled', ifLate: 'fail' }],
    [['PostDrafted', 'PostDeleted'], { status: 'deleted' }],
  ])('%j can be read', (types, expected) => {
    const post = fold(...types);
    expect(post).toMatchObject(expected);
    if (exists(post)) expect(post.content.target).toEqual({ pageId: '1' });
  });

  it('with options can be read', () => {
    const options = '{"privacy":"private","tags":["coffee"],"madeWithAi":true}';
    const data = `{${written.replace('"target":{"pageId":"1"}', `"target":{},"options":${options}`)}}`;
    const event = { type: 'PostDrafted', data: JSON.parse(data) as unknown } as PostEvent;
    const post = postAggregate.evolve(noPost, event, '2026-01-15T10:00:00.000Z');
    expect(post).toMatchObject({
      content: { options: { privacy: 'private', tags: ['coffee'], madeWithAi: true } },
    });
  });
});

import { unknownMedia } from '#libs/content';
import { fold } from '#libs/event-store';
import {
  aContent,
  ada,
  aDeletedPost,
  aDraft,
  aPostBeingSent,
  aPublishedPost,
  brandId,
  NOW,
  postId,
} from '../../../test/support/post-histories.js';
import { changesMediaUses, mediaCountsOf, mediaUsesOf } from './media-uses.js';
import { postAggregate } from './evolve.js';
import type { PostEvent } from './post.events.js';

const FILES = ['a', 'b'];
const withFiles = (events: readonly PostEvent[], mediaIds: readonly string[] = FILES): PostEvent[] =>
  events.map((event) =>
    event.type === 'PostDrafted'
      ? { ...event, data: { ...event.data, content: aContent({ mediaIds }) } }
      : event,
  );
const after = (events: readonly PostEvent[]) =>
  fold(
    postAggregate,
    postAggregate.initial,
    events.map((event) => ({ ...event, at: NOW })),
  );
/** Whether the last event of a history changes the uses. */
const isChangedBy = (events: readonly PostEvent[]) =>
  changesMediaUses(after(events.slice(0, -1)), after(events), events.slice(-1));

describe('the uses of the files of a post', () => {
  it('are needed until it is published, and end with the post', () => {
    expect(mediaUsesOf(after(withFiles(aPostBeingSent())))).toEqual({ mediaIds: FILES, needed: true });
    expect(mediaUsesOf(after(withFiles(aPublishedPost())))).toEqual({ mediaIds: FILES, needed: false });
    expect(mediaUsesOf(after(withFiles(aDeletedPost())))).toEqual({ mediaIds: [], needed: false });
  });

  it('are written when a post with files is created, scheduled, published or deleted, not when it is sent', () => {
    const sent = withFiles(aPostBeingSent());
    expect([1, 2, 3].map((count) => isChangedBy(sent.slice(0, count)))).toEqual([true, true, false]);
    expect(isChangedBy(withFiles(aPublishedPost()))).toBe(true);
    expect(isChangedBy(withFiles(aDeletedPost()))).toBe(true);
  });

  it('are written when options of a post with files change, which can need other renditions', () => {
    const edited = (changed: 'text' | 'options'): PostEvent => ({
      type: 'PostEdited',
      data: {
        postId,
        brandId,
        content: aContent({ mediaIds: FILES }),
        changed: [changed],
        blockers: [],
        by: ada,
      },
    });
    expect(isChangedBy([...withFiles(aDraft()), edited('options')])).toBe(true);
    expect(isChangedBy([...withFiles(aDraft()), edited('text')])).toBe(false);
  });

  it('cost a post without files nothing', () => {
    for (const history of [aDraft(), aPostBeingSent(), aPublishedPost(), aDeletedPost()])
      for (let count = 1; count <= history.length; count += 1)
        expect(isChangedBy(history.slice(0, count))).toBe(false);
  });
});

describe('the counts of files by kind', () => {
  it('are absent without files and omit files that no longer exist', () => {
    expect(mediaCountsOf([])).toBeUndefined();
    const image = { ...unknownMedia('a'), kind: 'image' as const };
    expect(mediaCountsOf([image, image, { ...image, kind: 'video' }, unknownMedia('b')])).toEqual({
      image: 2,
      video: 1,
    });
  });
});

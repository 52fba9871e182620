import { aContent } from '../../../test/support/post-histories.js';
import { type Claimed, deliveryOf, preparedFor } from './attempt.js';

const claimed = (content: Claimed['content']) =>
  ({ postId: 'p', connectionId: 'c', content, replyTo: null }) as Claimed;

describe('what an attempt sends', () => {
  it('includes the options of the post, none for content without options', () => {
    const options = { privacy: 'private', tags: ['coffee'] } as const;
    expect(deliveryOf(claimed(aContent({ options }))).content.options).toEqual(options);
    expect(deliveryOf(claimed(aContent())).content.options).toEqual({});
  });

  it('has another fingerprint with other options, so that what was prepared is not reused', () => {
    const plain = preparedFor({ content: aContent(), replyTo: null });
    expect(preparedFor({ content: aContent({ options: { format: 'reel' } }), replyTo: null })).not.toBe(
      plain,
    );
    expect(preparedFor({ content: aContent({ options: {} }), replyTo: null })).toBe(plain);
  });
});

import { parseCreatePost } from './create-post.body.js';

describe('the body of a new post', () => {
  it.each([
    [{ text: 'a' }],
    [{ text: 'a', reply: { in_reply_to_tweet_id: '1', exclude_reply_user_ids: ['2'] } }],
    [{ media: { media_ids: ['1', '2'], tagged_user_ids: [] } }],
    [{ text: 'a', reply_settings: 'mentionedUsers', made_with_ai: true }],
  ])('%j is understood', (body) => {
    expect(parseCreatePost(body)).toEqual({ ...body, beyondAccess: [] });
  });

  it('names what the app has no access to', () => {
    const body = { text: 'a', quote_tweet_id: '1', nullcast: false, poll: { options: ['x', 'y'] } };
    expect(parseCreatePost(body).beyondAccess.toSorted()).toEqual(['poll', 'quote_tweet_id']);
  });

  it.each([
    [{ text: 'a', status: 'b' }, '$.status: is not defined in the schema'],
    [{ text: 'a', constructor: 'b' }, '$.constructor: is not defined in the schema'],
    [{ text: 5 }, '$.text: integer found, string expected'],
    [{ text: null }, '$.text: null found, string expected'],
    [{ text: 'a', reply: {} }, '$.reply.in_reply_to_tweet_id: is missing'],
    [{ text: 'a', reply: { in_reply_to_tweet_id: 12 } }, 'integer found, string expected'],
    [{ text: 'a', reply: { in_reply_to_tweet_id: 'x' } }, 'does not match the regex pattern'],
    [{ text: 'a', reply: { in_reply_to_tweet_id: '1', to: '2' } }, '$.reply.to: is not defined'],
    [{ media: { media_ids: [] } }, 'minimum of 1 items'],
    [{ media: { media_ids: ['1', '2', '3', '4', '5'] } }, 'maximum of 4 items'],
    [{ text: 'a', reply_settings: 'nobody' }, 'enumeration'],
    [[], '$: array found, object expected'],
    ['text', '$: string found, object expected'],
  ])('%j is refused', (body, message) => {
    expect(() => parseCreatePost(body)).toThrow(message);
  });
});

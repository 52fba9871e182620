import { DomainError } from './index.js';

class PostIsNotQueued extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_queued';
}

describe('a domain error', () => {
  it('has a title per kind of error, independent of its detail', () => {
    const error = new PostIsNotQueued('The post is a draft.');
    expect(error.title).toBe('Post is not queued');
    expect(error.message).toBe('The post is a draft.');
    expect(error.name).toBe('PostIsNotQueued');
  });

  it('has one title per code, for every class', () => {
    class PostStandsInNoQueue extends DomainError {
      readonly kind = 'conflict';
      readonly code = 'post_is_not_queued';
    }
    expect(new PostStandsInNoQueue('No.').title).toBe(new PostIsNotQueued('No.').title);
  });

  it('carries the fields that are wrong and when to ask again', () => {
    const fields = [{ pointer: '#/text', code: 'too_long', detail: 'must be shorter' }];
    const error = new PostIsNotQueued('No.', { errors: fields, retryAfterSeconds: 3 });
    expect(error.errors).toEqual(fields);
    expect(error.retryAfterSeconds).toBe(3);
  });
});

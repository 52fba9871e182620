import { DomainError, domainError } from './index.js';

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

describe('a declared error', () => {
  class NameIsTaken extends domainError('conflict', 'name_taken', 'The name is taken. Choose another one.') {}
  class NameIsTooLong extends domainError('invalid', 'name_too_long', (max: number) => ({
    detail: `A name has at most ${max} characters. Shorten it.`,
    errors: [{ pointer: '#/name', code: 'too_long', detail: `must have at most ${max} characters` }],
    isFinal: false,
  })) {}

  it('has its kind, code and text, and the name of its class', () => {
    const error = new NameIsTaken();
    expect(error).toBeInstanceOf(DomainError);
    expect(error).not.toBeInstanceOf(NameIsTooLong);
    expect(error).toMatchObject({ kind: 'conflict', code: 'name_taken', title: 'Name taken', isFinal: true });
    expect(String(error)).toBe('NameIsTaken: The name is taken. Choose another one.');
  });

  it('makes what callers see of the arguments of its constructor', () => {
    const error = new NameIsTooLong(3);
    expect(error.message).toBe('A name has at most 3 characters. Shorten it.');
    expect(error.errors).toMatchObject([{ detail: 'must have at most 3 characters' }]);
    expect(error.isFinal).toBe(false);
    // @ts-expect-error The arguments are those of the text.
    expect(() => new NameIsTooLong('three')).not.toThrow();
  });

  it('tells its kind and code without an occurrence', () => {
    expect([NameIsTaken.kind, NameIsTaken.code]).toEqual(['conflict', 'name_taken']);
  });
});

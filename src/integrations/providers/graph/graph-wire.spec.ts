import { graphGet, graphPost, graphIdIn, graphVersion } from './graph-wire.js';
import { formPost } from '../token-endpoint.js';

describe('a call to the Graph API', () => {
  it('has neither the token nor a secret in its address', () => {
    const calls = [
      graphGet('https://graph.example/v25.0/me', 'token', { fields: 'id' }),
      graphPost('https://graph.example/v25.0/1/feed', 'token', { message: 'a&b' }),
      formPost('https://graph.example/v25.0/oauth/access_token', { client_secret: 'secret' }),
    ];
    expect(calls.map(({ url }) => url)).toEqual([
      'https://graph.example/v25.0/me?fields=id',
      'https://graph.example/v25.0/1/feed',
      'https://graph.example/v25.0/oauth/access_token',
    ]);
    expect(calls.map(({ headers }) => headers?.authorization)).toEqual([
      'Bearer token',
      'Bearer token',
      undefined,
    ]);
    expect(calls.map(({ body }) => body)).toEqual([undefined, 'message=a%26b', 'client_secret=secret']);
  });
});

describe('an id of the Graph API', () => {
  it.each([
    ['17', '17'],
    ['102_77', '102_77'],
    [17, '17'],
    ['', null],
    ['1_2_3', null],
    ['../1', null],
    [1e30, null],
    [null, null],
  ])('%p is %p', (value, id) => expect(graphIdIn(value)).toBe(id));
});

describe('a version of the Graph API', () => {
  it('has the end that Meta announces, if any', () => {
    expect(graphVersion('v21.0')).toEqual({ name: 'v21.0', endsAt: '2027-01-21T00:00:00.000Z' });
    expect(graphVersion('v26.0').endsAt).toBeNull();
    expect(graphVersion('v99.0').endsAt).toBeNull();
  });
});

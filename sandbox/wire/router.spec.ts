import { json } from './response.js';
import { Router } from './router.js';

const route = (method: 'GET' | 'POST', path: string) => ({ method, path, handle: () => json(200, path) });

const router = new Router([
  route('GET', '/2/users/:id'),
  route('GET', '/2/users/me'),
  route('GET', '/2/users/:id/tweets'),
  route('POST', '/2/tweets'),
]);

describe('the router', () => {
  it.each([
    ['GET', '/2/users/me', '/2/users/me', {}],
    ['GET', '/2/users/12', '/2/users/:id', { id: '12' }],
    ['GET', '/2/users/a%2Fb/tweets', '/2/users/:id/tweets', { id: 'a/b' }],
    ['POST', '/2/tweets', '/2/tweets', {}],
  ])('%s %s goes to %s', (method, path, expected, params) => {
    const match = router.match(method, path);
    expect(match?.route.path).toBe(expected);
    expect(match?.params).toEqual(params);
  });

  it.each([
    ['PUT', '/2/tweets'],
    ['GET', '/2/users'],
    ['GET', '/2/users//tweets'],
    ['GET', '/2/users/%E0%A4%A/tweets'],
    ['GET', '/2/users/12/tweets/'],
    ['GET', '/__proto__'],
  ])('%s %s goes nowhere', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });
});

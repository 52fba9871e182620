import { cookieFor, cookieIn } from './connect-cookie.js';

const STATE = 'abcdefghijklmnop';

describe('the cookie of a sign-in at a network', () => {
  it('has the prefix __Host- under https, with the attributes that browsers require', () => {
    const { name, options } = cookieFor(STATE, 'v', 'https://app.example/base');
    expect(name).toBe('__Host-connect_abcdefghijkl');
    expect(options).toMatchObject({ secure: true, path: '/', httpOnly: true, sameSite: 'lax' });
    expect(options).not.toHaveProperty('domain');
  });

  it('is bound to the path of the routes where there is no https', () => {
    const { name, options } = cookieFor(STATE, 'v', 'http://127.0.0.1:3000/base/');
    expect([name, options.secure, options.path]).toEqual([
      'connect_abcdefghijkl',
      false,
      '/base/api/integrations',
    ]);
  });

  it('is read by its exact name: a cookie that another host may have set is ignored', () => {
    const header = 'connect_abcdefghijkl=forged; other=1; __Host-connect_abcdefghijkl=kept';
    expect(cookieIn(header, STATE, 'https://app.example')).toBe('kept');
    expect(cookieIn('connect_abcdefghijkl=forged', STATE, 'https://app.example')).toBeUndefined();
    expect(cookieIn(header, STATE, 'http://127.0.0.1')).toBe('forged');
    expect(cookieIn(undefined, STATE, 'http://127.0.0.1')).toBeUndefined();
  });
});

import { loadConfig } from '#libs/config';
import { HttpConfig } from './http.config.js';

describe('the secret of cursors', () => {
  const production = { NODE_ENV: 'production', TRUST_PROXY_HOPS: '0' };

  it('has a default, but not in production', () => {
    expect(loadConfig(HttpConfig, {}).cursorSecret).toHaveLength(31);
    expect(() => loadConfig(HttpConfig, production)).toThrow(/CURSOR_SECRET: must be set in production/);
  });

  it.each([{}, production])('has at least sixteen characters (%j)', (environment) => {
    const load = (CURSOR_SECRET: string) => loadConfig(HttpConfig, { ...environment, CURSOR_SECRET });
    expect(() => load('x'.repeat(15))).toThrow(/CURSOR_SECRET/);
    expect(load('x'.repeat(16)).cursorSecret).toHaveLength(16);
  });
});

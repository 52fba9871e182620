import { loadConfig } from '#libs/config';
import { TikTokConfig } from './tiktok.config.js';

describe('sandbox credentials of TikTok', () => {
  it.each(['local', 'staging'])('are accepted in %s', (deployment) => {
    const { isSandbox } = loadConfig(TikTokConfig, { TIKTOK_SANDBOX: 'true', DEPLOY_ENV: deployment });
    expect(isSandbox).toBe(true);
  });

  it.each([['production'], [undefined]])('stop the start in production (DEPLOY_ENV %s)', (deployment) => {
    const environment = { TIKTOK_SANDBOX: 'true', DEPLOY_ENV: deployment };
    expect(() => loadConfig(TikTokConfig, environment)).toThrow(/TIKTOK_SANDBOX/);
    expect(loadConfig(TikTokConfig, { DEPLOY_ENV: deployment }).isSandbox).toBe(false);
  });

  it('are refused for a kind of installation that does not exist', () => {
    expect(() => loadConfig(TikTokConfig, { DEPLOY_ENV: 'prod' })).toThrow(/DEPLOY_ENV/);
  });
});

import { ConfigIsInvalid, loadConfig } from '#libs/config';
import type { Platform } from '#libs/content';
import { PublishConfig } from './publish.config.js';

describe('how the worker publishes', () => {
  it('has defaults that leave a call time to end inside its lease', () => {
    const { leaseMs, callTimeoutMs } = loadConfig(PublishConfig, {});
    expect(leaseMs).toBeGreaterThan(2 * callTimeoutMs);
  });

  it.each([
    [{ PUBLISH_LEASE_MS: '3000', NETWORK_TIMEOUT_MS: '10000' }],
    [{ PUBLISH_LEASE_MS: '20000' }],
    [{ NETWORK_TIMEOUT_MS: '15000' }],
  ])('refuses %j, with which nothing would ever be sent', (environment) => {
    const load = () => loadConfig(PublishConfig, environment);
    expect(load).toThrow(ConfigIsInvalid);
    expect(load).toThrow('PUBLISH_LEASE_MS: must be more than twice NETWORK_TIMEOUT_MS');
  });

  it('has a budget of retries for each network', () => {
    const config = loadConfig(PublishConfig, { PUBLISH_RETRY_BUDGETS: 'x=600000,tiktok=0' });
    const budgets = ['x', 'tiktok', 'youtube'].map((platform) => config.budgetOf(platform as Platform));
    expect(budgets).toEqual([600_000, 0, 1_800_000]);
    expect(() => loadConfig(PublishConfig, { PUBLISH_RETRY_BUDGETS: 'x:5' })).toThrow(ConfigIsInvalid);
  });
});

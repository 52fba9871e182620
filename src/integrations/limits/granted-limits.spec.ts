import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Platform } from '#libs/content';
import type { NetworkLimit } from '../domain/network-limits.js';
import { containerLimits } from '../providers/containers/container-quota.js';
import { FACEBOOK_LIMITS } from '../providers/facebook/facebook-limits.js';
import { LINKEDIN_LIMITS } from '../providers/linkedin/linkedin-limits.js';
import { GrantedLimits } from './granted-limits.js';

const providers = [
  provider('facebook', FACEBOOK_LIMITS),
  provider('instagram', containerLimits({}, 100)),
  provider('linkedin', LINKEDIN_LIMITS),
] as const;

function provider(platform: string, limits: readonly NetworkLimit[]) {
  return { platform: platform as Platform, limits: () => limits };
}
const grantedBy = (granted: string) =>
  new GrantedLimits({ granted }, { connected: () => providers } as never);
const maximaOf = (granted: string) =>
  providers.map((each) =>
    grantedBy(granted)
      .of(each, { accountId: '7', username: 'acme', facts: {} })
      .map(({ max }) => max),
  );

describe('numbers that networks granted', () => {
  afterEach(() => jest.restoreAllMocks());

  it('replace the published ones, and never stand in place of percent', () => {
    expect(maximaOf('facebook/*=5000,instagram/*=50,linkedin/posts-per-day=80')).toEqual([
      [null, null],
      [50, null, null],
      [80, null],
    ]);
    expect(maximaOf('facebook/percent-of-app-calls=5000')[0]).toEqual([null, null]);
  });

  it('are named in the log where no limit takes them', () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    grantedBy('instagram/*=50,linkedin/*=80').onApplicationBootstrap();
    expect(warned).not.toHaveBeenCalled();
    grantedBy('facebook/*=5000,facebook/percent-of-app-calls=5,linkedin/post=1').onApplicationBootstrap();
    expect(warned).toHaveBeenCalledWith(
      expect.stringContaining('facebook/*, facebook/percent-of-app-calls, linkedin/post.'),
    );
  });
});

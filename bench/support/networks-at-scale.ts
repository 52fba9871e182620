import type { PostOptions } from '#libs/content';

/** How one network takes part in the run over all networks. */
export interface NetworkAtScale {
  readonly platform: string;
  /** In control routes of the sandbox. */
  readonly sandbox: string;
  /** Posts of a hundred. */
  readonly share: number;
  /** What most of its posts have. Some networks take no text alone. */
  readonly usual: 'text' | 'picture' | 'video';
  readonly hasVideo: boolean;
  readonly hasTitle?: true;
  readonly options?: PostOptions;
  /** Of the sandbox: limits far above the run, and media that are processed at once. */
  readonly raised: Readonly<Record<string, unknown>>;
}

const MANY = 1_000_000;
const CONTAINERS = { quotaTotal: MANY, inProgressAnswers: 0 };
const LINKEDIN = { postsPerDay: MANY, mediaProcessingSeconds: 0 };

export const NETWORKS_AT_SCALE: readonly NetworkAtScale[] = [
  {
    platform: 'x',
    sandbox: 'x',
    share: 35,
    usual: 'text',
    hasVideo: true,
    raised: { rateLimits: 'off', mediaProcessingSeconds: 0 },
  },
  { platform: 'linkedin', sandbox: 'linkedin', share: 12, usual: 'text', hasVideo: true, raised: LINKEDIN },
  {
    platform: 'linkedin-company',
    sandbox: 'linkedin',
    share: 12,
    usual: 'text',
    hasVideo: true,
    raised: LINKEDIN,
  },
  {
    platform: 'facebook',
    sandbox: 'facebook',
    share: 18,
    usual: 'text',
    hasVideo: true,
    raised: { appCallsPerHour: MANY, pageCallsPerDay: MANY, videoProcessingSeconds: 0 },
  },
  {
    platform: 'instagram',
    sandbox: 'instagram',
    share: 7,
    usual: 'picture',
    hasVideo: true,
    raised: CONTAINERS,
  },
  { platform: 'threads', sandbox: 'threads', share: 15, usual: 'text', hasVideo: true, raised: CONTAINERS },
  {
    platform: 'youtube',
    sandbox: 'youtube',
    share: 1,
    usual: 'video',
    hasVideo: true,
    hasTitle: true,
    raised: { uploadsPerDay: MANY, uploadsPerChannel: MANY },
  },
];

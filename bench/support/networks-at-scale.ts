import type { PostOptions } from '#libs/content';

/** How one network takes part in the run over all networks. */
export interface NetworkAtScale {
  readonly platform: string;
  /** In control routes of the sandbox. */
  readonly sandbox: string;
  /** Share of the posts. */
  readonly share: number;
  /** What most of its posts have. Some networks take no text alone. */
  readonly usual: 'text' | 'picture' | 'video';
  readonly hasVideo: boolean;
  readonly options?: PostOptions;
  /** Of the sandbox: limits far above the run, and media that are processed at once. */
  readonly raised: Readonly<Record<string, unknown>>;
}

const MANY = 1_000_000;
const CONTAINERS = { raised: { quotaTotal: MANY, inProgressAnswers: 0 } };

export const NETWORKS_AT_SCALE: readonly NetworkAtScale[] = [
  {
    platform: 'x',
    sandbox: 'x',
    share: 3,
    usual: 'text',
    hasVideo: true,
    raised: { rateLimits: 'off', mediaProcessingSeconds: 0 },
  },
  { platform: 'instagram', sandbox: 'instagram', share: 1, usual: 'picture', hasVideo: true, ...CONTAINERS },
  { platform: 'threads', sandbox: 'threads', share: 2, usual: 'text', hasVideo: true, ...CONTAINERS },
];

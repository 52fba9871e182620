/** On whose behalf a call is made. It is on every usage row. */
export interface Attribution {
  /** The registered identifier of the calling application at identity. */
  readonly applicationId: string;
  /** Its slug. */
  readonly application: string;
  readonly organizationId: string;
  /** The person that the application acts for; null: no person, for example a scheduled job. */
  readonly userId: string | null;
}

/** What an application can be allowed to use. */
export const CAPABILITIES = [
  'completions',
  'images',
  'transcriptions',
  'email',
  'payments',
  'video',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Those that are served by AI providers. */
export const AI_CAPABILITIES = ['completions', 'images', 'transcriptions'] as const;
export type AiCapability = (typeof AI_CAPABILITIES)[number];

import { domainError } from '#libs/errors';

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

class CapabilityIsUnknown extends domainError(
  'invalid',
  'capability_unknown',
  `There is no such capability. Use one of ${AI_CAPABILITIES.join(', ')}.`,
) {}

/** @throws CapabilityIsUnknown */
export function capabilityInPath(value: unknown): AiCapability {
  const capability = AI_CAPABILITIES.find((known) => known === value);
  if (!capability) throw new CapabilityIsUnknown();
  return capability;
}

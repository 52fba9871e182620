import { domainError } from '#libs/errors';
import { AI_CAPABILITIES, type AiCapability } from './attribution.js';

export class CapabilityIsUnknown extends domainError(
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

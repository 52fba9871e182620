import type { PipeTransform } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/errors';
import type { AiCapability } from '../../callers/attribution.js';
import { AI_CAPABILITIES } from '../../callers/attribution.js';

export class CapabilityNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'capability_not_found';

  constructor() {
    super(`There is no such capability. Use one of ${AI_CAPABILITIES.join(', ')}.`);
  }
}

/** The capability in a path. @throws CapabilityNotFound */
@Injectable()
export class CapabilityPipe implements PipeTransform<string, AiCapability> {
  transform(value: string): AiCapability {
    const capability = AI_CAPABILITIES.find((known) => known === value);
    if (!capability) throw new CapabilityNotFound();
    return capability;
  }
}

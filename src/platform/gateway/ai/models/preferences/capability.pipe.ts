import { Injectable, type PipeTransform } from '@nestjs/common';
import type { AiCapability } from '../../../access/attribution.js';
import { capabilityInPath } from '../../../access/capability-in-path.js';

/** The capability in a path. @throws CapabilityIsUnknown */
@Injectable()
export class CapabilityPipe implements PipeTransform<string, AiCapability> {
  transform(value: string): AiCapability {
    return capabilityInPath(value);
  }
}

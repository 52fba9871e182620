import { Injectable } from '@nestjs/common';

export type Phase = 'starting' | 'ready' | 'draining';

/** The name, version and phase of this service. */
@Injectable()
export class ServiceInfo {
  phase: Phase = 'starting';

  constructor(
    /** Short name as in logs and metrics, such as `api`. */
    readonly name: string,
    readonly version: string,
  ) {}
}

import { Injectable } from '@nestjs/common';

export type Phase = 'starting' | 'ready' | 'draining';

/** Who this service is and whether it takes requests. */
@Injectable()
export class ServiceInfo {
  phase: Phase = 'starting';

  constructor(
    /** Short name as in logs and metrics, such as `api`. */
    readonly name: string,
    readonly version: string,
  ) {}
}

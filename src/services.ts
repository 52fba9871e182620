import type { ServiceDeclaration } from '#libs/http';
import { apiService, workerService } from './api/service.js';
import { gatewayService } from './platform/gateway/service.js';
import { identityService } from './platform/identity/service.js';

/** The only list of services, as people read it. Each needs those after it, so one machine starts the last one first. */
export const SERVICES: readonly ServiceDeclaration[] = [
  apiService,
  workerService,
  identityService,
  gatewayService,
];

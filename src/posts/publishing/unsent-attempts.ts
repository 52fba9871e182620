import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { ShortMemory } from './short-memory.js';

/** The longest outage of the database after which they are still known; forgotten, they are taken over like any other. */
const KNOWN_MS = 3_600_000;

/**
 * Ids of attempts whose claim ended here without handing them over to be sent. Where the database stored one all the
 * same, as when a connection is lost at COMMIT, it is certain that nothing was sent. Only this process can know, and it
 * has to be first: PUBLISH_LEASE_MS and NETWORK_TIMEOUT_MS after its begin (40 s unless set otherwise), another worker
 * may take the attempt over too, as one in doubt.
 */
@Injectable()
export class UnsentAttempts extends ShortMemory {
  constructor(clock: Clock) {
    super(clock, KNOWN_MS);
  }
}

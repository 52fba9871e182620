import { Matches } from 'class-validator';
import { Env } from '#libs/config';

/** Platform, name of the limit or *, maximum. */
const LIMITS = /^([a-z-]+\/([a-z0-9-]+|\*)=\d{1,9}(,|$))*$/;

/** Limits that a network granted this installation in place of those that it publishes. */
export class NetworkLimitsConfig {
  @Env('NETWORK_LIMITS', {
    description:
      'Limits that networks granted this service in place of those that they publish, as platform/name=maximum, separated by commas; * is every limit of the network that is a number, not percent. Names: `limits` of GET /api/integrations. A maximum that a network states in its responses counts first.',
    default: '',
  })
  @Matches(LIMITS, { message: 'must be platform/name=maximum, separated by commas' })
  granted!: string;
}

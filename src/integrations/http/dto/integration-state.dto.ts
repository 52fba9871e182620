import { is, shape } from '#libs/http';
import { GRANT_STATES, type GrantHealth } from '../../domain/grant-health.js';

export class AccountWarningDto extends shape({
  code: is.text({
    description:
      '`grant_ends`, `grant_ended`: the account has to be connected again. `api_version_ends`, `api_version_ended`: an operator has to configure a newer version of the interface. `service_refused`: posts wait until an operator has repaired what the message names.',
    enum: ['grant_ends', 'grant_ended', 'api_version_ends', 'api_version_ended', 'service_refused'],
    example: 'grant_ends',
  }),
  message: is.text({
    example: 'The connection to LinkedIn ends on 2026-12-01. Connect the account again before.',
  }),
  at: is.instant({ description: 'When it ends, ended or began; null: not known.' }).orNull,
}) {}

export class TokenHealthDto extends shape({
  state: is.text<GrantHealth['state']>({
    enum: GRANT_STATES,
    description:
      '`healthy`; `ends-soon`: the owner has to connect the account again before `endsAt`; `ended`: nothing can be published.',
  }),
  endsAt: is.instant({
    description: 'When the access ends unless it is renewed before, or ended; null: the time is not known.',
  }).orNull,
  renewable: is.flag({ description: 'Whether the access is renewed without its owner.' }),
}) {}

export class LimitDto extends shape({
  name: is.text({ description: 'Stable name within the network.', example: 'posts-per-day' }),
  scope: is.text({
    enum: ['account', 'app'],
    description: '`app`: all accounts of this service at the network share it.',
  }),
  counts: is.text({ enum: ['posts', 'calls'], description: 'What is counted.' }),
  max: is.integer({
    description: 'Percent where the network states percent; null: the network states no number.',
    minimum: 0,
    example: 100,
  }).orNull,
  remaining: is.integer({
    description: 'What is left now; null: not known. At 0 posts wait until `resetsAt`.',
    minimum: 0,
    example: 97,
  }).orNull,
  resetsAt: is.instant({
    description: 'When used calls are given back, the first of them for a rolling limit; null: none is used.',
  }).orNull,
}) {}

import type { MigrationClass } from '#libs/database';
import { Video1790000000350 } from './1790000000350-video.js';
import { Credentials1790000000351 } from './1790000000351-credentials.js';
import { Audit1790000000352 } from './1790000000352-audit.js';
import { Spend1790000000354 } from './1790000000354-spend.js';
import { UsageRollups1790000000355 } from './1790000000355-usage-rollups.js';
import { Models1790000000357 } from './1790000000357-models.js';
import { StagesOfModels1790000000358 } from './1790000000358-stages-of-models.js';
import { InheritedChains1790000000359 } from './1790000000359-inherited-chains.js';
import { Breakers1790000000360 } from './1790000000360-breakers.js';
import { Email1790000000363 } from './1790000000363-email.js';
import { Payments1790000000367 } from './1790000000367-payments.js';
import { ObjectsByAccount1790000000368 } from './1790000000368-objects-by-account.js';
import { EmailLanes1790000000373 } from './1790000000373-email-lanes.js';
import { RefusedModels1790000000374 } from './1790000000374-refused-models.js';
import { ModelBreakers1790000000390 } from './1790000000390-model-breakers.js';
import { PaymentAccounts1790000000394 } from './1790000000394-payment-accounts.js';
import { PaymentOwners1790000000395 } from './1790000000395-payment-owners.js';
import { UsageSums1790000000398 } from './1790000000398-usage-sums.js';
import { ModelLifecycles1790000000405 } from './1790000000405-model-lifecycles.js';
import { ExclusivePaymentChanges1790000000410 } from './1790000000410-exclusive-payment-changes.js';
import { OldPaymentEvents1790000000411 } from './1790000000411-old-payment-events.js';
import { QueuedRecipients1790000000415 } from './1790000000415-queued-recipients.js';
import { EmailCredentialDigests1790000000416 } from './1790000000416-email-credential-digests.js';
import { PlatformLimitsOfOrganizations1790000000425 } from './1790000000425-platform-limits-of-organizations.js';
import { CompleteCounters1790000000426 } from './1790000000426-complete-counters.js';
import { ExclusivePaymentTargets1790000000430 } from './1790000000430-exclusive-payment-targets.js';
import { UndeliveredPaymentEvents1790000000431 } from './1790000000431-undelivered-payment-events.js';
import { ReopenedVideoQuota1790000000450 } from './1790000000450-reopened-video-quota.js';
import { AcceptedRequests1790000001400 } from './1790000001400-accepted-requests.js';
import { DoubtedUsage1790000002100 } from './1790000002100-doubted-usage.js';
import { UsageCorrections1790000002200 } from './1790000002200-usage-corrections.js';
import { PaymentEventTurns1790000002201 } from './1790000002201-payment-event-turns.js';

/** In the order they are to be applied; append only. */
export const gatewayMigrations: readonly MigrationClass[] = [
  Video1790000000350,
  Credentials1790000000351,
  Audit1790000000352,
  Spend1790000000354,
  UsageRollups1790000000355,
  Models1790000000357,
  StagesOfModels1790000000358,
  InheritedChains1790000000359,
  Breakers1790000000360,
  Email1790000000363,
  Payments1790000000367,
  ObjectsByAccount1790000000368,
  EmailLanes1790000000373,
  RefusedModels1790000000374,
  ModelBreakers1790000000390,
  PaymentAccounts1790000000394,
  PaymentOwners1790000000395,
  UsageSums1790000000398,
  ModelLifecycles1790000000405,
  ExclusivePaymentChanges1790000000410,
  OldPaymentEvents1790000000411,
  QueuedRecipients1790000000415,
  EmailCredentialDigests1790000000416,
  PlatformLimitsOfOrganizations1790000000425,
  CompleteCounters1790000000426,
  ExclusivePaymentTargets1790000000430,
  UndeliveredPaymentEvents1790000000431,
  ReopenedVideoQuota1790000000450,
  AcceptedRequests1790000001400,
  DoubtedUsage1790000002100,
  UsageCorrections1790000002200,
  PaymentEventTurns1790000002201,
];

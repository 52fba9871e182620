import type { MigrationClass } from '#libs/database';
import { Accounts1790000000300 } from './1790000000300-accounts.js';
import { Catalogs1790000000301 } from './1790000000301-catalogs.js';
import { Automations1790000000302 } from './1790000000302-automations.js';
import { Audit1790000000303 } from './1790000000303-audit.js';
import { SeedCatalogs1790000000304 } from './1790000000304-seed-catalogs.js';
import { FamiliarNetworks1790000000305 } from './1790000000305-familiar-networks.js';
import { OverrideVersions1790000000306 } from './1790000000306-override-versions.js';
import { SessionsInUse1790000000307 } from './1790000000307-sessions-in-use.js';
import { Invitations1790000000308 } from './1790000000308-invitations.js';
import { RefreshGrace1790000000309 } from './1790000000309-refresh-grace.js';
import { AuditOfPeople1790000000310 } from './1790000000310-audit-of-people.js';
import { RotatedKeys1790000000311 } from './1790000000311-rotated-keys.js';
import { PlatformAdministration1790000000312 } from './1790000000312-platform-administration.js';
import { KeptDenials1790000001800 } from './1790000001800-kept-denials.js';
import { ExpiredRows1790000002430 } from './1790000002430-expired-rows.js';
import { InternationalDomains1790000002600 } from './1790000002600-international-domains.js';

/** In the order they are to be applied; append only. */
export const identityMigrations: readonly MigrationClass[] = [
  Accounts1790000000300,
  Catalogs1790000000301,
  Automations1790000000302,
  Audit1790000000303,
  SeedCatalogs1790000000304,
  FamiliarNetworks1790000000305,
  OverrideVersions1790000000306,
  SessionsInUse1790000000307,
  Invitations1790000000308,
  RefreshGrace1790000000309,
  AuditOfPeople1790000000310,
  RotatedKeys1790000000311,
  PlatformAdministration1790000000312,
  KeptDenials1790000001800,
  ExpiredRows1790000002430,
  InternationalDomains1790000002600,
];

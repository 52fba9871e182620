import type { MigrationClass } from '#libs/database';
import { BrandView1790000000400 } from './1790000000400-brand-view.js';
import { BrandOwner1790000000401 } from './1790000000401-brand-owner.js';
import { OwnerChanges1790000002420 } from './1790000002420-owner-changes.js';

/** In the order of application; append only. */
export const brandsMigrations: readonly MigrationClass[] = [
  BrandView1790000000400,
  BrandOwner1790000000401,
  OwnerChanges1790000002420,
];

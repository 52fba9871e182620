import type { MigrationClass } from '#libs/database';
import { Contact1790000000800 } from './1790000000800-contact.js';
import { NotesAndAttachments1790000000801 } from './1790000000801-notes-and-attachments.js';
import { ContactImport1790000000802 } from './1790000000802-contact-import.js';
import { ContactSearch1790000000803 } from './1790000000803-contact-search.js';
import { ExportCells1790000000804 } from './1790000000804-export-cells.js';
import { RawImports1790000000805 } from './1790000000805-raw-imports.js';
import { ImportStaging1790000000806 } from './1790000000806-import-staging.js';
import { ContactDetails1790000000807 } from './1790000000807-contact-details.js';
import { AttachmentBytes1790000000810 } from './1790000000810-attachment-bytes.js';
import { ContactSearchForms1790000000820 } from './1790000000820-contact-search-forms.js';
import { ContactMatchKeys1790000000821 } from './1790000000821-contact-match-keys.js';
import { ContactNameForms1790000000822 } from './1790000000822-contact-name-forms.js';
import { ContactSummary1790000000830 } from './1790000000830-contact-summary.js';
import { ImportStatistics1790000001100 } from './1790000001100-import-statistics.js';
import { SearchPerOrganization1790000001101 } from './1790000001101-search-per-organization.js';
import { ContactsWithoutEmail1790000001102 } from './1790000001102-contacts-without-email.js';
import { ImportsToEraseFrom1790000002500 } from './1790000002500-imports-to-erase-from.js';
import { RepeatedRemoval1790000000831 } from './1790000000831-repeated-removal.js';

/** In the order they are to be applied; append only. */
export const contactsMigrations: readonly MigrationClass[] = [
  Contact1790000000800,
  NotesAndAttachments1790000000801,
  ContactImport1790000000802,
  ContactSearch1790000000803,
  ExportCells1790000000804,
  RawImports1790000000805,
  ImportStaging1790000000806,
  ContactDetails1790000000807,
  AttachmentBytes1790000000810,
  ContactSearchForms1790000000820,
  ContactMatchKeys1790000000821,
  ContactNameForms1790000000822,
  ContactSummary1790000000830,
  RepeatedRemoval1790000000831,
  ImportStatistics1790000001100,
  SearchPerOrganization1790000001101,
  ContactsWithoutEmail1790000001102,
  ImportsToEraseFrom1790000002500,
];

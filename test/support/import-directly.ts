import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Caller } from '#libs/auth';
import type { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import type { ValidatedCaller } from '#libs/platform-client';
import type { GivenMapping } from '../../src/contacts/csv/columns/map-columns.js';
import { ImportContacts, ImportContactsHandler } from '../../src/contacts/csv/import/import-contacts.js';
import { ImportLock } from '../../src/contacts/csv/import/import-lock.js';
import type { ImportRules } from '../../src/contacts/csv/dto/import-contacts.dto.js';
import type { ImportReportDto } from '../../src/contacts/csv/dto/import-report.dto.js';
import { Spool } from '#libs/uploads';

export async function onDisk<T>(text: string, work: (file: Spool) => Promise<T>): Promise<T> {
  const file = await Spool.open();
  try {
    await file.write(Readable.from([Buffer.from(text)]));
    return await work(file);
  } finally {
    await file.close();
  }
}

/** An import without HTTP, of a file with a header and commas. */
export function importDirectly(
  database: Database,
  text: string,
  {
    mapping,
    signal = new AbortController().signal,
    ...rules
  }: Partial<ImportRules> & { organizationId: string; mapping?: GivenMapping; signal?: AbortSignal },
  lock = new ImportLock(database),
): Promise<ImportReportDto> {
  const principal = { id: randomUUID(), type: 'user' as const, name: 'Jana', email: null };
  const caller = Caller.of(
    { principal, user: { principalType: 'user' }, organizations: [] } as unknown as ValidatedCaller,
    'bearer',
  );
  const handler = new ImportContactsHandler(lock, new EventStore(database));
  return onDisk(text, (file) =>
    handler.execute(
      new ImportContacts({
        caller,
        mapping,
        upload: { file, name: 'a.csv', signal },
        rules: {
          dryRun: false,
          duplicates: 'update',
          lists: 'add',
          key: 'email',
          onDeletedMatch: 'restore',
          onError: 'continue',
          raw: false,
          ...rules,
        },
        hints: { hasHeader: true, delimiter: ',' },
        storeAnswer: () => Promise.resolve(),
      }),
    ),
  );
}

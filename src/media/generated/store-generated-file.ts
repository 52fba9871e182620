import { createHash, randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { BrandNotFound } from '#libs/auth';
import {
  Database,
  type Executor,
  isTransient,
  statement,
  StatementTookTooLong,
  type Transaction,
} from '#libs/database';
import { cleanFileName, StorageQuota, UploadsAreBusy } from '#libs/uploads';
import { GetBrand } from '../../brands/index.js';
import type { Generation } from '../domain/generation.js';
import { GeneratedFileIsNotUsable } from '../domain/media.errors.js';
import { BytesToStore } from './bytes-to-store.js';
import { GeneratedFileCheck } from './generated-file.check.js';
import { manifestsIn } from '../marks/manifests.js';
import { CannotBeMarked, markAsGenerated } from '../marks/write-mark.js';
import { WaitingBytes } from './waiting-bytes.store.js';
import {
  MEDIA_FILE_COLUMNS,
  type MediaFileRow,
  type MediaSummary,
  mediaSummaryOf,
} from '../views/media-file.view.js';

export interface GeneratedFile {
  readonly brandId: string;
  /** That was charged. It must own the brand still. */
  readonly organizationId: string;
  readonly bytes: Buffer;
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** As in an upload; cleaned. */
  readonly fileName: string;
  readonly generation: Generation;
  readonly createdBy: Pick<MediaFileRow, 'created_by_type' | 'created_by'>;
  readonly alongside: (executor: Executor, file: MediaSummary) => Promise<void>;
}

/**
 * Adds a file that a model made to the library of a brand. It is decoded, and marked unless it is signed, first. Its bytes are committed with its row, so that what was
 * paid for is kept whatever the object store does; they are moved there at once, or later by a worker, which also inspects the file
 * like an upload. The quota of the organization does not refuse it: that is asked before the payment. docs/design/generated-pictures.md
 * @returns the file in state `inspecting`
 * @throws GeneratedFileIsNotUsable, BrandNotFound; UploadsAreBusy and outages of the database after a minute
 */
export class StoreGeneratedFile extends Command<MediaSummary> {
  constructor(readonly file: GeneratedFile) {
    super();
  }
}

/** Without a time of inspection and an ETag until the object store has it. There is no address that could write its object. */
const INSERT = statement(
  'insert_generated_media',
  `INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, sha256, object_key, upload_expires_at,
     created_by_type, created_by, ai_mark)
   VALUES ($1, $2, 'inspecting', 'image', $3, $4, $5, $6, $7, now(), $8, $9, 'generated')
   RETURNING ${MEDIA_FILE_COLUMNS}`,
);

const DESCRIBE = statement(
  'insert_media_generation',
  `INSERT INTO media.generation (media_id, prompt, revised_prompt, model, cost, attempts, request_id, requested_model)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const FIND = statement('find_generated_media', `SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE id = $1`);

/** The file is paid for: an outage of the database that ends within this time does not lose it. */
const COMMIT_WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** Of the caller, who waits for the object store no longer; a worker goes on then. */
const MOVE_WITHIN_MS = 5_000;

interface FileToInsert extends GeneratedFile {
  readonly id: string;
  /** Hexadecimal, of `bytes`. */
  readonly sha256: string;
}

@CommandHandler(StoreGeneratedFile)
export class StoreGeneratedFileHandler implements ICommandHandler<StoreGeneratedFile> {
  private readonly logger = new Logger(StoreGeneratedFileHandler.name);

  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly quota: StorageQuota,
    private readonly check: GeneratedFileCheck,
    private readonly waiting: WaitingBytes,
    private readonly toStore: BytesToStore,
  ) {}

  async execute({ file }: StoreGeneratedFile): Promise<MediaSummary> {
    const { contentType } = file;
    await this.check.assertUsable(file.bytes, contentType);
    const bytes = marked(file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const id = randomUUIDv7();
    const stored = await this.commit({ ...file, bytes, id, sha256 });
    await this.move({ mediaId: id, bytes, contentType, sha256, attempts: 1 });
    return stored;
  }

  /** Again after an outage or a long wait, unless only the answer to the commit was lost. */
  private async commit(file: FileToInsert): Promise<MediaSummary> {
    const until = performance.now() + COMMIT_WITHIN_MS;
    for (let tried = 1; ; tried += 1) {
      try {
        const stored = tried > 1 ? await this.find(file.id) : null;
        return stored ?? (await this.quota.inTurn(file.organizationId, () => this.insert(file)));
      } catch (error) {
        if (!canPass(error) || performance.now() >= until) throw error;
        await sleep(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tried - 1)));
      }
    }
  }

  private async find(id: string): Promise<MediaSummary | null> {
    const [row] = await this.database.query<MediaFileRow>(FIND, [id]);
    return row ? mediaSummaryOf(row) : null;
  }

  private insert(file: FileToInsert): Promise<MediaSummary> {
    return this.database.transaction(async (transaction) => {
      const { organizationId } = await this.queries.execute(
        new GetBrand({ brandId: file.brandId, held: true }),
      );
      if (organizationId !== file.organizationId) throw new BrandNotFound();
      const summary = await insertFile(transaction, file);
      await this.waiting.insert(transaction, file.id, file.bytes);
      await file.alongside(transaction, summary);
      return summary;
    });
  }

  /** Never throws: a worker goes on with what is left. */
  private async move(claimed: Parameters<BytesToStore['move']>[0]): Promise<void> {
    try {
      await this.toStore.move(claimed, AbortSignal.timeout(MOVE_WITHIN_MS));
    } catch (error) {
      this.logger.warn(error, `Generated file ${claimed.mediaId} waits for the object store.`);
      await this.waiting.release(claimed).catch((failure: unknown) => {
        this.logger.warn(failure, 'A claim of waiting bytes ends with its lease.');
      });
    }
  }
}

/** Whether another try may store it: the state of the database or other uploads of the organization were in the way. */
const canPass = (error: unknown): boolean =>
  isTransient(error) || error instanceof StatementTookTooLong || error instanceof UploadsAreBusy;

async function insertFile(transaction: Transaction, file: FileToInsert): Promise<MediaSummary> {
  const { id, brandId, contentType, bytes, sha256, createdBy, generation } = file;
  const name = cleanFileName(file.fileName);
  const values = [id, brandId, name, contentType, bytes.length, sha256, `media/${id}/original`];
  const by = [createdBy.created_by_type, createdBy.created_by];
  const [row] = await transaction.query<MediaFileRow>(INSERT, [...values, ...by]);
  if (!row) throw new BrandNotFound();
  const { prompt, revisedPrompt, model, requestedModel, cost, attempts, requestId } = generation;
  const described = [storable(prompt), revisedPrompt && storable(revisedPrompt), model, cost];
  const asked = [JSON.stringify(attempts), requestId, requestedModel];
  await transaction.query(DESCRIBE, [id, ...described, ...asked]);
  return mediaSummaryOf(row);
}

/**
 * Credentials are signed: bytes that have some stay as they are. The row has the mark in any case.
 * @throws GeneratedFileIsNotUsable: the library has no other picture of a model without its mark
 */
function marked({ bytes, contentType }: GeneratedFile): Buffer {
  if (manifestsIn(bytes, contentType)?.length) return bytes;
  try {
    return markAsGenerated(bytes, contentType);
  } catch (error) {
    if (error instanceof CannotBeMarked) throw new GeneratedFileIsNotUsable('media_not_readable');
    throw error;
  }
}

/** PostgreSQL stores no NUL and no lone surrogate. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Injectable, Logger } from '@nestjs/common';
import { GeneratedFileIsNotUsable } from '../domain/media.errors.js';
import type { RejectionCode } from '../inspection/domain/inspection.types.js';
import { INSPECT, inspectionBudget } from '../inspection/inspect-in-process.js';
import { MediaProcesses } from '../isolation/media-processes.js';
import { withTemporaryFolder } from '../isolation/temporary-folder.js';

/** Decodes a generated file as the inspection of uploads does, before it is stored. */
@Injectable()
export class GeneratedFileCheck {
  private readonly logger = new Logger(GeneratedFileCheck.name);

  constructor(private readonly processes: MediaProcesses) {}

  /** A fault of this machine refuses no file: it is paid for, and its inspection by the worker follows. */
  async assertUsable(bytes: Uint8Array, contentType: string): Promise<void> {
    const code = await this.rejectionOf(bytes, contentType).catch((error: unknown) => {
      this.logger.warn(error, 'A generated file could not be decoded here. Its inspection decides.');
      return null;
    });
    if (code !== null) throw new GeneratedFileIsNotUsable(code);
  }

  /** @returns null: it is usable, or its process ended, which the inspection repeats */
  private rejectionOf(bytes: Uint8Array, contentType: string): Promise<RejectionCode | null> {
    return withTemporaryFolder(async (folder) => {
      const path = join(folder, 'generated');
      await writeFile(path, bytes);
      const outcome = await this.processes.run(INSPECT, {
        input: { contentType, isPoster: false },
        source: { url: pathToFileURL(path).href, etag: null, bytes: bytes.length },
        budget: inspectionBudget(contentType, bytes.length),
        folder,
      });
      if (outcome.kind === 'failed') return outcome.reason === 'error' ? 'media_not_readable' : null;
      return outcome.output.kind === 'rejected' ? outcome.output.code : null;
    });
  }
}

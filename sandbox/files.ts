import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that clients upload to the networks: in the data folder, or in a temporary one that is removed at the end. */
export class SandboxFiles {
  private folder?: string;

  constructor(
    /** Without a folder, files do not outlive the sandbox. */
    private readonly data: string | undefined,
  ) {}

  path(name: string): string {
    return join(this.directory, name);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await writeFile(this.path(name), bytes, { mode: 0o600 });
  }

  /** Joins the parts in their order. */
  async join(name: string, parts: readonly string[]): Promise<void> {
    await this.write(name, new Uint8Array());
    for (const part of parts) {
      const target = createWriteStream(this.path(name), { flags: 'a' });
      await pipeline(createReadStream(this.path(part)), target);
    }
  }

  /** Appends the bytes `start` ≤ i < `end` of another file of the same folder. */
  async append(name: string, path: string, start: number, end: number): Promise<void> {
    const target = createWriteStream(this.path(name), { flags: 'a', mode: 0o600 });
    await pipeline(createReadStream(path, { start, end: end - 1 }), target);
  }

  /** Moves a file of the same folder, such as the body of a call. */
  async take(path: string, name: string): Promise<void> {
    await rename(path, this.path(name));
  }

  remove(...names: readonly string[]): void {
    for (const name of names) rmSync(this.path(name), { force: true });
  }

  clear(): void {
    if (this.folder === undefined && this.data === undefined) return;
    this.remove(...readdirSync(this.directory));
  }

  close(): void {
    if (this.folder === undefined || this.data !== undefined) return;
    // A body of a call that was cut may still be written.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private get directory(): string {
    if (this.folder !== undefined) return this.folder;
    this.folder =
      this.data === undefined ? mkdtempSync(join(tmpdir(), 'sandbox-')) : join(this.data, 'files');
    mkdirSync(this.folder, { recursive: true });
    return this.folder;
  }
}

import { randomUUID } from 'node:crypto';
import type { SandboxFiles } from '../../files.js';
import type { PictureFormat } from './drawing.js';

export interface Picture {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly prompt: string;
  readonly at: string;
  readonly format: PictureFormat;
  readonly bytes: number;
}

const KEPT = 24;

const fileName = (id: string): string => `ai-${id}`;

/** The last pictures that were drawn, for people who look at the sandbox. Empty after a restart. */
export class Gallery {
  private pictures: Picture[] = [];

  constructor(private readonly files: SandboxFiles) {}

  get all(): readonly Picture[] {
    return this.pictures.toReversed();
  }

  find(id: string): (Picture & { readonly path: string }) | undefined {
    const picture = this.pictures.find((each) => each.id === id);
    return picture && { ...picture, path: this.files.path(fileName(id)) };
  }

  async add(picture: Omit<Picture, 'id' | 'bytes'>, content: Buffer): Promise<void> {
    const id = randomUUID();
    await this.files.write(fileName(id), content);
    this.pictures.push({ ...picture, id, bytes: content.length });
    for (const { id: dropped } of this.pictures.splice(0, Math.max(0, this.pictures.length - KEPT)))
      this.files.remove(fileName(dropped));
  }

  clear(): void {
    for (const { id } of this.pictures) this.files.remove(fileName(id));
    this.pictures = [];
  }
}

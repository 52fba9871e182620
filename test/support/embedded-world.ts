import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Machine } from './boot-embedded.js';
import { ask, type Call, callOf } from './call.js';
import { waitUntil } from './wait-until.js';

const READY_MS = 240_000;

/** Everything on one machine, as `npm start` brings it up, and the person who is signed in. */
export class EmbeddedWorld {
  private constructor(
    private readonly machine: Machine,
    readonly call: Call,
    readonly brandId: string,
  ) {}

  /** @param more of its environment */
  static async start(more: Readonly<Record<string, string>> = {}): Promise<EmbeddedWorld> {
    const machine = await Machine.make();
    try {
      await machine.start([], more).ready();
      const { API_PORT, IDENTITY_PORT } = machine.ports;
      const demo = await readFile(join(machine.folder, '.data/demo.json'), 'utf8');
      const { email, password } = JSON.parse(demo) as Record<string, string>;
      const identity = callOf(`http://127.0.0.1:${IDENTITY_PORT}`, {});
      const { accessToken } = (await identity('POST', '/api/auth/login', { email, password })).body;
      const call = callOf(`http://127.0.0.1:${API_PORT}`, { authorization: `Bearer ${accessToken}` });
      const { id } = (await call('POST', '/api/brands', { name: 'Seven networks' })).body;
      return new EmbeddedWorld(machine, call, id);
    } catch (error) {
      await machine.tearDown();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.machine.tearDown();
  }

  get api(): string {
    return this.at('API_PORT');
  }

  get sandbox(): string {
    return this.at('SANDBOX_PORT');
  }

  /** Addresses that a person opens without a path. */
  get homes(): readonly string[] {
    return (
      ['API_PORT', 'IDENTITY_PORT', 'GATEWAY_PORT', 'SANDBOX_PORT', 'SANDBOX_PAYMENTS_PORT'] as const
    ).map((port) => this.at(port));
  }

  private at(port: keyof Machine['ports']): string {
    return `http://127.0.0.1:${this.machine.ports[port]}`;
  }

  /** @returns the id of the file, once it can be used */
  async upload(fileName: string, contentType: string, bytes: Uint8Array, altText: string): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { brandId: this.brandId, fileName, contentType, bytes: bytes.length, sha256, altText };
    const { media, upload } = (await this.call('POST', '/api/media/upload', file)).body;
    const sent = await ask(upload.url, { method: 'PUT', headers: upload.headers, body: Buffer.from(bytes) });
    if (sent.status !== 200) throw new Error(`The store answered ${sent.status}: ${sent.text}`);
    await this.call('POST', `/api/media/${media.id}/complete`);
    return this.ready(media.id as string);
  }

  /** @returns the id of the file, once it can be used */
  async ready(mediaId: string): Promise<string> {
    await waitUntil(async () => {
      const { status, rejection } = (await this.call('GET', `/api/media/${mediaId}`)).body;
      if (status === 'rejected') throw new Error(`${mediaId}: ${JSON.stringify(rejection)}`);
      return status === 'ready';
    }, READY_MS);
    return mediaId;
  }
}

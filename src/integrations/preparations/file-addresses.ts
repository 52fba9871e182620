import { Injectable } from '@nestjs/common';
import type { DeliveryFile } from '#libs/content';
import { OutboundHttp } from '#libs/outbound-http';

@Injectable()
export class FileAddresses {
  constructor(private readonly http: OutboundHttp) {}

  /** Whether each file can be fetched now: its first byte is read. Never rejects. */
  async areReadable(files: readonly DeliveryFile[]): Promise<boolean> {
    const read = await Promise.all(files.map((file) => this.isReadable(file)));
    return read.every(Boolean);
  }

  private async isReadable(file: DeliveryFile): Promise<boolean> {
    const headers = { range: 'bytes=0-0' };
    const response = await this.http.stream({ method: 'GET', url: file.address(), headers });
    if (response.kind !== 'answered') return false;
    try {
      for await (const chunk of response.body) return response.status < 300 && chunk.length > 0;
      return false;
    } catch {
      return false;
    }
  }
}

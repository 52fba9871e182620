import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '#libs/http';
import { WaitingBytes } from './waiting-bytes.store.js';

/** Generated files fill the database while the object store is down. */
@Injectable()
export class WaitingBytesMetrics {
  constructor(metrics: Metrics, waiting: WaitingBytes) {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [metrics.registry] });
    const files = gauge(
      'media_waiting_files',
      'Generated files in the database that the object store does not have yet.',
    );
    const bytes = gauge('media_waiting_bytes', 'Bytes of these files.');
    const oldest = gauge(
      'media_oldest_waiting_seconds',
      'Time since the oldest of these files was made; 0 without any.',
    );
    metrics.collect('waiting_bytes', [files, bytes, oldest], async () => {
      const counts = await waiting.counts();
      files.set(counts.files);
      bytes.set(counts.bytes);
      oldest.set(counts.oldestSeconds);
    });
  }
}

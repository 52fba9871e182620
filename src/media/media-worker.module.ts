import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { StoreWaitingBytes } from './generated/store-waiting-bytes.worker.js';
import { WaitingBytesMetrics } from './generated/waiting-bytes.metrics.js';
import { MediaAddressesModule } from './host/media-host.module.js';
import { inspectionWorkers } from './inspection/inspection.providers.js';
import { MediaIsolationConfig } from './isolation/isolation.config.js';
import { MediaProcesses } from './isolation/media-processes.js';
import { sharedProviders } from './media.providers.js';
import { renditionWorkers } from './renditions/renditions.providers.js';
import { ExpiredFilesSweep } from './sweeps/expired-files.sweep.js';
import { MediaObjectsSweep, UnknownUploadsSweep } from './sweeps/media-objects.sweep.js';
import { TransferredStorageSweep } from './sweeps/transferred-storage.sweep.js';

/** The worker's part: the messages of other features, inspection, renditions and sweeps. */
@Module({
  imports: [CqrsModule, MediaAddressesModule],
  providers: [
    ...sharedProviders,
    MediaObjectsSweep,
    ExpiredFilesSweep,
    TransferredStorageSweep,
    UnknownUploadsSweep,
    { provide: Clock, useClass: SystemClock },
    provideConfig(MediaIsolationConfig),
    MediaProcesses,
    StoreWaitingBytes,
    WaitingBytesMetrics,
    ...inspectionWorkers,
    ...renditionWorkers,
  ],
})
export class MediaWorkerModule {}

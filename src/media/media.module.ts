import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { provideConfig } from '#libs/config';
import { AbortUploadHandler } from './commands/abort-upload.js';
import { BeginUploadHandler } from './commands/begin-upload.js';
import { CompleteUploadHandler } from './commands/complete-upload.js';
import { DeleteMediaHandler, UpdateMediaHandler } from './commands/change-media.js';
import { SignPartsHandler } from './commands/sign-parts.js';
import { StoreGeneratedFileHandler } from './generated/store-generated-file.js';
import { GeneratedFileCheck } from './generated/generated-file.check.js';
import { MediaAddressesModule, MediaHostModule } from './host/media-host.module.js';
import { MediaController } from './http/media.controller.js';
import { MediaUploadController } from './http/media-upload.controller.js';
import { MediaIsolationConfig } from './isolation/isolation.config.js';
import { MediaProcesses } from './isolation/media-processes.js';
import { sharedProviders } from './media.providers.js';
import { MediaFiles } from './media.store.js';
import { AuthorizeMediaHandler } from './queries/find-media.js';
import { GetMediaHandler } from './queries/get-media.js';
import { ListMediaHandler } from './queries/list-media.js';
import { MediaAccess } from './queries/media.access.js';
import { MatchingMedia } from './queries/media.matches.js';
import { MediaSearch } from './queries/media.search.js';

@Module({
  imports: [CqrsModule, MediaAddressesModule, MediaHostModule],
  controllers: [MediaUploadController, MediaController],
  providers: [
    ...sharedProviders,
    MediaAccess,
    MediaFiles,
    MediaSearch,
    MatchingMedia,
    BeginUploadHandler,
    SignPartsHandler,
    CompleteUploadHandler,
    AbortUploadHandler,
    UpdateMediaHandler,
    DeleteMediaHandler,
    GetMediaHandler,
    AuthorizeMediaHandler,
    ListMediaHandler,
    provideConfig(MediaIsolationConfig),
    MediaProcesses,
    GeneratedFileCheck,
    StoreGeneratedFileHandler,
  ],
})
export class MediaModule {}

import { EndMediaUsesHandler, UseMediaHandler } from './commands/use-media.js';
import { RecordInspectionHandler } from './commands/record-inspection.js';
import { BytesToStore } from './generated/bytes-to-store.js';
import { WaitingBytes } from './generated/waiting-bytes.store.js';
import { MediaLog } from './media.stream.js';
import { MediaObjects } from './media-objects.store.js';
import { FindMediaHandler } from './queries/find-media.js';
import { renditionMessages } from './renditions/renditions.providers.js';

export const sharedProviders = [
  MediaLog,
  MediaObjects,
  WaitingBytes,
  BytesToStore,
  FindMediaHandler,
  UseMediaHandler,
  EndMediaUsesHandler,
  RecordInspectionHandler,
  ...renditionMessages,
];

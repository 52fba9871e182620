import { provideConfig } from '#libs/config';
import { ServiceSlugConfig } from '#libs/platform-client';
import { GenerateImageHandler } from './commands/generate-image.js';
import { DrawImage } from './draw-image.js';
import { FinishImages } from './finish-images.worker.js';
import { GeneratedImages } from './http/generated-images.js';
import { ImageMemory } from './image-memory.js';
import { ImageMetrics } from './image.metrics.js';
import { ImageSlots } from './image-slots.js';
import { ImagesConfig } from './images.config.js';
import { KeyedImages } from './keyed-images.js';
import { KeyedImagesStore } from './keyed-images.store.js';
import { OwnRegistration } from './own-registration.js';

export const imagesProviders = [
  provideConfig(ImagesConfig),
  provideConfig(ServiceSlugConfig),
  ImageSlots,
  ImageMemory,
  ImageMetrics,
  DrawImage,
  KeyedImagesStore,
  KeyedImages,
  FinishImages,
  OwnRegistration,
  GeneratedImages,
  GenerateImageHandler,
];

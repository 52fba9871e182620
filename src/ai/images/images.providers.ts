import { provideConfig } from '#libs/config';
import { GenerateImageHandler } from './commands/generate-image.js';
import { DrawImage } from './drawing/draw-image.js';
import { FinishImages } from './finish-images.worker.js';
import { GeneratedImages } from './http/images.controller.js';
import { ImageMemory, ImageSlots } from './drawing/image-limits.js';
import { ImageMetrics } from './drawing/image.metrics.js';
import { ImagesConfig } from './images.config.js';
import { KeyedImages } from './drawing/keyed-images.js';
import { KeyedImagesStore } from './keyed-images.store.js';
import { OwnRegistration } from './http/internal-images.controller.js';

export const imagesProviders = [
  provideConfig(ImagesConfig),
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

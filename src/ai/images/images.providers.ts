import { provideConfig } from '#libs/config';
import { ServiceSlugConfig } from '#libs/platform-client';
import { GenerateImageHandler } from './commands/generate-image.js';
import { GeneratedImages } from './http/generated-images.js';
import { ImageMetrics } from './image.metrics.js';
import { ImageSlots } from './image-slots.js';
import { ImagesConfig } from './images.config.js';
import { OwnRegistration } from './own-registration.js';

export const imagesProviders = [
  provideConfig(ImagesConfig),
  provideConfig(ServiceSlugConfig),
  ImageSlots,
  ImageMetrics,
  OwnRegistration,
  GeneratedImages,
  GenerateImageHandler,
];

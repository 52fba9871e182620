import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GatewayClientModule } from '#libs/platform-client';
import { ImagesController } from './images/http/images.controller.js';
import { InternalImagesController } from './images/http/internal-images.controller.js';
import { imagesProviders } from './images/images.providers.js';
import { TrendsController } from './trends/http/trends.controller.js';
import { trendsProviders } from './trends/trends.providers.js';

/** The routes of the API. */
@Module({
  imports: [CqrsModule, GatewayClientModule],
  controllers: [ImagesController, InternalImagesController, TrendsController],
  providers: [...imagesProviders, ...trendsProviders],
})
export class AiModule {}

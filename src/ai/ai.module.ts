import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GatewayClientModule } from '#libs/platform-client';
import { TrendsController } from './trends/http/trends.controller.js';
import { trendsProviders } from './trends/trends.providers.js';

/** The routes of the API. */
@Module({
  imports: [CqrsModule, GatewayClientModule],
  controllers: [TrendsController],
  providers: [...trendsProviders],
})
export class AiModule {}

import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock, SystemClock } from '#libs/clock';
import { WidgetController } from './widget.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [WidgetController],
  providers: [{ provide: Clock, useClass: SystemClock }],
})
export class WidgetModule {}

import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { KeyedImagesStore } from './images/keyed-images.store.js';
import { EndedKeysSweep } from './images/ended-keys.sweep.js';
import { AsksStore } from './trends/asks.store.js';
import { OldTrendsSweep } from './trends/old-trends.sweep.js';
import { TrendsStore } from './trends/trends.store.js';

@Module({
  imports: [CqrsModule],
  providers: [TrendsStore, AsksStore, OldTrendsSweep, KeyedImagesStore, EndedKeysSweep],
})
export class AiWorkerModule {}

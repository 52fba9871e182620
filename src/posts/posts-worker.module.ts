import { Module } from '@nestjs/common';
import { Posts } from './posts.stream.js';

/** The posts' stream without routes or commands: what the publisher decides on. */
@Module({ providers: [Posts], exports: [Posts] })
export class PostsWorkerModule {}

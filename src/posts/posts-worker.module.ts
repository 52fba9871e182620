import { Module } from '@nestjs/common';
import { Posts } from './posts.stream.js';

/** The stream without routes and commands, for the publisher. */
@Module({ providers: [Posts], exports: [Posts] })
export class PostsWorkerModule {}

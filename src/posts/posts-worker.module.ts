import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MediaFollowUp } from './media/media-follow-up.js';
import { PostFiles } from './media/post-files.js';
import { PostRenditions } from './media/post-renditions.js';
import { Posts } from './posts.stream.js';

/** The stream and the files of posts without routes and commands, for the publisher. */
@Module({
  imports: [CqrsModule],
  providers: [PostFiles, PostRenditions, MediaFollowUp, Posts],
  exports: [PostFiles, PostRenditions, Posts],
})
export class PostsWorkerModule {}

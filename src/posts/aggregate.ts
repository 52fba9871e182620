import type { Aggregate } from '#libs/event-store';
import { evolve } from './evolve.js';
import type { PostEvent } from './post.events.js';
import type { Post } from './post.js';
import { noPost } from './post.js';

export const postAggregate: Aggregate<Post, PostEvent> = { streamType: 'post', initial: noPost, evolve };

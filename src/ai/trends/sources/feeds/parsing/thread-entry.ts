import { serveThread } from '#libs/concurrency';
import { readFeed } from './read-feed.js';

serveThread(readFeed);

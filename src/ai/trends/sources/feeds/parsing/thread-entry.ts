import { parentPort, workerData } from 'node:worker_threads';
import type { FeedDocument } from './read-feed.js';
import { readFeed } from './read-feed.js';

parentPort?.postMessage(readFeed(workerData as FeedDocument));

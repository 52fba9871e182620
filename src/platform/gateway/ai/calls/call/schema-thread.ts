import { serveThread } from '#libs/concurrency';
import { fitsSchema } from './response-schema.js';

serveThread(fitsSchema);

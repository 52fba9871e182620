import { fetchingContract } from '../support/fetching-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfThreads } from '../support/stand-in-of-threads.js';

providerContract('Threads', standInOfThreads);
fetchingContract('Threads', standInOfThreads);

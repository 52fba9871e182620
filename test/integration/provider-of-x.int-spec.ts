import { mediaContract } from '../support/media-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfX } from '../support/stand-in-of-x.js';

providerContract('X', standInOfX);
mediaContract('X', standInOfX);

import { mediaContract } from '../support/media-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfLinkedIn } from '../support/stand-in-of-linkedin.js';

const start = () => standInOfLinkedIn('linkedin');

providerContract('LinkedIn', start);
mediaContract('LinkedIn', start);

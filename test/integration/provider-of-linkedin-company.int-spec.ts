import { mediaContract } from '../support/media-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfLinkedIn } from '../support/stand-in-of-linkedin.js';

const start = () => standInOfLinkedIn('linkedin-company');

providerContract('LinkedIn for companies', start);
mediaContract('LinkedIn for companies', start);

import { mediaContract } from '../support/media-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfYoutube } from '../support/stand-in-of-youtube.js';

providerContract('YouTube', standInOfYoutube);
mediaContract('YouTube', standInOfYoutube);

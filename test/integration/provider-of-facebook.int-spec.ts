import { fetchingContract } from '../support/fetching-contract.js';
import { mediaContract } from '../support/media-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfFacebook, standInOfFacebookVideos } from '../support/stand-in-of-facebook.js';

providerContract('Facebook', standInOfFacebook);
fetchingContract('Facebook', standInOfFacebook);
mediaContract('Facebook', standInOfFacebookVideos);

import { mediaContract } from '../support/media-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfTikTok } from '../support/stand-in-of-tiktok.js';

providerContract('TikTok', standInOfTikTok);
mediaContract('TikTok', standInOfTikTok);

import { fetchingContract } from '../support/fetching-contract.js';
import { providerContract } from '../support/provider-contract.js';
import { standInOfInstagram } from '../support/stand-in-of-instagram.js';

providerContract('Instagram', standInOfInstagram);
fetchingContract('Instagram', standInOfInstagram);

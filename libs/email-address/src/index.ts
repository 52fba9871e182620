export { emailKey, isEmailKey, unicodeDomain } from './email-address.js';

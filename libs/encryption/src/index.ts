export { SECRET_KEYS, SecretBox, SecretIsUnreadable } from './secret-box.js';

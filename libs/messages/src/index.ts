export { RequestCommand, RequestQuery } from './messages.js';

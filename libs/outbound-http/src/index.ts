export { OutboundHttp } from './outbound-http.js';
export type { OutboundRequest, OutboundResponse } from './outbound-http.js';
export { OutboundHttpConfig } from './outbound-http.config.js';
export type { StreamedBody } from './streamed-body.js';

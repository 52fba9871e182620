export { OutboundHttp } from './outbound-http.js';
export type { OutboundHeaders, OutboundRequest, OutboundResponse, OutboundStream } from './outbound-http.js';
export { OutboundHttpConfig } from './outbound-http.config.js';
export { multipartBody } from './multipart-body.js';
export { ResponseBody, ResponseIsTooLong } from './response-body.js';
export type { StreamedBody } from './streamed-body.js';
export { isPublicAddress } from './public-address.js';

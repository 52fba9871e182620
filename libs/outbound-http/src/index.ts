export {
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from './outbound-http.js';
export { exactJson, hasLongNumber } from './parsed-json.js';
export type { OutboundHeaders } from './outbound-headers.js';
export { OutboundHttpConfig } from './outbound-http.config.js';
export { multipartBody } from './multipart-body.js';
export { retryAfterIn } from './retry-after.js';
export { ResponseBody, ResponseIsTooLong } from './response-body.js';
export type { StreamedBody } from './streamed-body.js';
export { isPublicAddress, namesOtherNetwork } from './public/public-address.js';
export { publicAddressesOf } from './public/public-addresses.js';
export { PublicFetch, type PublicFetchResult } from './public/public-fetch.js';
export { PublicFetchConfig } from './public/public-fetch.config.js';

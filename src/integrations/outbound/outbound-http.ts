export { OutboundHttp } from '#libs/outbound-http';
export type { OutboundRequest, OutboundResponse } from '#libs/outbound-http';

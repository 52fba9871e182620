/** Codes, statuses and default messages as in the error table of the S3 API reference. */
const ERRORS = {
  AccessDenied: [403, 'Access Denied.'],
  AccessForbidden: [
    403,
    'This CORS request is not allowed. Check the configured origin, method and headers.',
  ],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the signature are malformed.'],
  BadDigest: [400, 'The checksum you sent does not match the content that was received.'],
  EntityTooLarge: [400, 'The object is larger than 5368709120 bytes. Send it as a multipart upload.'],
  EntityTooSmall: [400, 'A part that is not the last one is smaller than 5242880 bytes.'],
  IncompleteBody: [400, 'The body does not have the announced number of bytes.'],
  InternalError: [500, 'The request could not be completed. Send it again.'],
  InvalidAccessKeyId: [403, 'The access key is not known.'],
  InvalidArgument: [400, 'An argument is not valid.'],
  InvalidDigest: [400, 'Content-MD5 is not a valid MD5 digest.'],
  InvalidPart: [400, 'A listed part was not uploaded, or its ETag or checksum is another one.'],
  InvalidPartOrder: [400, 'The list of parts is not in ascending order.'],
  InvalidRange: [416, 'The requested range is not satisfiable.'],
  InvalidRequest: [400, 'The request is not valid.'],
  InvalidToken: [400, 'The security token is not valid.'],
  InvalidURI: [400, 'The address could not be parsed.'],
  KeyTooLongError: [400, 'The key is longer than 1024 bytes.'],
  MalformedXML: [400, 'The XML is not well-formed or does not follow the schema.'],
  MaxMessageLengthExceeded: [400, 'The body is too long.'],
  MetadataTooLarge: [400, 'The metadata is larger than 2048 bytes.'],
  MethodNotAllowed: [405, 'The method is not allowed for this resource.'],
  MissingContentLength: [411, 'Send the Content-Length header.'],
  NoSuchBucket: [404, 'The bucket does not exist.'],
  NoSuchKey: [404, 'The key does not exist.'],
  NoSuchUpload: [404, 'The upload does not exist. It may have been aborted or completed.'],
  NotImplemented: [501, 'This server does not implement what the request asks for.'],
  PreconditionFailed: [412, 'At least one precondition does not hold.'],
  RequestTimeTooSkewed: [403, 'The time of the request differs too much from the time of the server.'],
  SignatureDoesNotMatch: [403, 'The signature does not match. Check the key and the signing method.'],
  XAmzContentSHA256Mismatch: [400, 'X-Amz-Content-SHA256 does not match the content that was received.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3ErrorCode = keyof typeof ERRORS;

export class S3Error extends Error {
  readonly status: number;

  constructor(
    readonly code: S3ErrorCode,
    message?: string,
    cause?: unknown,
  ) {
    super(message ?? ERRORS[code][1], { cause });
    this.status = ERRORS[code][0];
  }
}

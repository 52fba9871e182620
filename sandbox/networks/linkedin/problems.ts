import { json, type SandboxResponse } from '../../wire/response.js';

interface InputError {
  readonly code: string;
  readonly description: string;
}

const plain = (status: number, code: string, message: string, serviceErrorCode?: number): SandboxResponse =>
  json(status, { status, ...(serviceErrorCode !== undefined && { serviceErrorCode }), code, message });

const detailed = (status: number, message: string, inputErrors: readonly InputError[]): SandboxResponse =>
  json(status, {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message,
    errorDetails: { inputErrors: inputErrors.map((error) => ({ ...error, input: {} })) },
    status,
  });

const TOKEN_ERRORS = {
  unknown: [65600, 'INVALID_ACCESS_TOKEN', 'Invalid access token'],
  revoked: [65601, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user'],
  expired: [65602, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired'],
} as const;

export function unauthorized(end: string): SandboxResponse {
  const reason = end === 'expired' ? 'expired' : end === 'unknown' ? 'unknown' : 'revoked';
  const [serviceErrorCode, code, message] = TOKEN_ERRORS[reason];
  return plain(401, code, message, serviceErrorCode);
}

export const denied = (resource: string): SandboxResponse =>
  plain(403, 'ACCESS_DENIED', `Not enough permissions to access: ${resource}`, 100);

export const versionMissing = (): SandboxResponse =>
  plain(
    400,
    'VERSION_MISSING',
    'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
  );

export const versionRetired = (version: string): SandboxResponse =>
  plain(426, 'NONEXISTENT_VERSION', `Requested version ${version}01 is not active`);

export const tooMany = (resource: string): SandboxResponse =>
  plain(
    429,
    'TOO_MANY_REQUESTS',
    `Resource level throttle APPLICATION_AND_MEMBER DAY limit for calls to this resource is reached: ${resource}`,
    101,
  );

export const notFound = (what: string): SandboxResponse =>
  plain(404, 'NOT_FOUND', `${what} could not be found`);

export const invalid = (message: string): SandboxResponse => plain(400, 'ILLEGAL_ARGUMENT', message);

export const invalidField = (field: string, code: string, description: string): SandboxResponse =>
  detailed(400, `${field} :: ${description}`, [{ code, description }]);

export const duplicateOf = (urn: string): SandboxResponse =>
  detailed(
    422,
    `com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of ${urn}`,
    [{ code: 'DUPLICATE_POST', description: 'Duplicate post is detected' }],
  );

export const tooLarge = (): SandboxResponse => plain(413, 'PAYLOAD_TOO_LARGE', 'Request entity too large');

export const serverError = (status: number): SandboxResponse =>
  plain(status, 'INTERNAL_SERVER_ERROR', 'Internal Server Error');

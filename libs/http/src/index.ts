export { BODY_LIMIT_BYTES } from './boundary/body.middleware.js';
export {
  cleanJson,
  isStreamSafe,
  MAX_MARKS,
  normalized,
  RESERVED_NAMES,
  storable,
  streamSafe,
} from './boundary/clean-json.js';
export { abortOnDisconnect, rawBodyOf, sendStream } from './boundary/send-stream.js';
export { jsonBytesOf, largeJsonOf, parseJson, receiveLargeJson } from './boundary/parse-json.js';
export { addressOf, principalOf, setPrincipal } from './context/principal.js';
export {
  ALTERNATIVE_CREDENTIAL,
  AlternativeCredential,
  hasAlternative,
  IS_PUBLIC,
  Public,
} from './context/public-route.js';
export {
  actsOn,
  concerns,
  currentContext,
  requestContext,
  runInContext,
  ServiceInfo,
} from './context/request-context.js';
export { IfMatch, matchesEtag } from './etag/etag.js';
export { ReturnsEtag } from './etag/returns-etag.js';
export { eraseStoredResponses } from './idempotency/erase-responses.js';
export { canonical, idempotencyKey, scopedKey } from './idempotency/idempotency-key.js';
export {
  IdempotencyKeyIsTaken,
  IdempotentRequestIsRunning,
  setKeptHeader,
} from './idempotency/stored-response.js';
export { Idempotent, IdempotentLongWork } from './idempotency/idempotent.js';
export { type ResponseSaver, SaveResponse } from './idempotency/long-work.interceptor.js';
export { ReturnsPage } from './lists/link.interceptor.js';
export {
  CursorParameter,
  DEFAULT_LIMIT,
  LimitParameter,
  ListQuery,
  MAX_LIMIT,
  PageParameter,
} from './lists/list-query.js';
export { warnOfParameter } from './lists/list-warnings.js';
export { WarnsOfParameters } from './lists/list-warnings.interceptor.js';
export {
  AmongFilter,
  FilterOf,
  FlagFilter,
  IdFilter,
  InstantFilter,
  lastText,
  Parameter,
  WordsFilter,
} from './lists/parameters.js';
export { counted, type Counted, ListWarningsDto, MAX_TOTAL, type Page, PageDto } from './lists/page.js';
export type { CursorKey } from './lists/cursor-codec.js';
export { type CountedRows, Pages } from './lists/pages.js';
export { Metrics } from './service/metrics.js';
export { httpMigrations } from './migrations/index.js';
export {
  API_KEY_AUTH,
  type ApiDescription,
  ApiDocument,
  BEARER_AUTH,
  SERVICE_TOKEN_AUTH,
} from './openapi/api-description.js';
export type { FormValues } from './openapi/forms.js';
export { is, shape } from './validation/shape.js';
export { prefersPage, rootFrom, sendPage } from './pages/send-page.js';
export { problemBodyOf, problemOf } from './problems/problem-of.js';
export { CONTENT_DISPOSITION, problemResponse, problemResponses } from './problems/problem-responses.js';
export { isLimitReached, LimitsOfHandler, RateLimits } from './rate-limits/rate-limits.js';
export { CountsAs, RateLimit, Unlimited } from './rate-limits/rate-limit.js';
export { bootstrapHttpService } from './service/bootstrap-http-service.js';
export { baseUrlOf, type RunningService } from './service/running-service.js';
export { databaseOf, processConfigOf } from './service/process-config.js';
export {
  inSentence,
  isSelfExplanatory,
  loadService,
  runEntry,
  runService,
  startService,
} from './service/start-service.js';
export type { DescribeParts, ServiceDeclaration } from './service/service-declaration.js';
export { HttpConfig } from './context/http.config.js';
export { type DescribedService, startHttpService } from './service/start-http-service.js';
export {
  IsBase64,
  isLonger,
  IsName,
  isText,
  MAX_NAME,
  NAME,
  OptionalString,
  Text,
  Texts,
  tidyList,
  tidyText,
  trimmed,
  VISIBLE,
  WhenSent,
  WhenSentOrNull,
} from './validation/text-fields.js';
export { instantOf, IsInstant } from './validation/is-instant.js';
export { isUuid, ParseIdPipe } from './validation/parse-id.pipe.js';
export { RequestIsNotValid } from './validation/request-validation.pipe.js';

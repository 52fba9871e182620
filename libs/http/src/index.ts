export { BODY_LIMIT_BYTES } from './boundary/body.middleware.js';
export { cleanJson, RESERVED_NAMES, storable } from './boundary/clean-json.js';
export { abortOnDisconnect } from './boundary/client-disconnect.js';
export { jsonBytesOf, largeJsonOf, receiveLargeJson } from './boundary/large-json.js';
export { parseJson } from './boundary/parse-json.js';
export { rawBodyOf } from './boundary/raw-body.js';
export { sendStream } from './boundary/send-stream.js';
export { isStreamSafe, MAX_MARKS, normalized, streamSafe } from './boundary/normalized.js';
export { addressOf, principalOf, setPrincipal } from './context/principal.js';
export {
  ALTERNATIVE_CREDENTIAL,
  AlternativeCredential,
  hasAlternative,
  IS_PUBLIC,
  Public,
} from './context/public-route.js';
export { actsOn, concerns, currentContext, requestContext, runInContext } from './context/request-context.js';
export { matchesEtag } from './etag/etag.js';
export { IfMatch } from './etag/if-match.js';
export { ReturnsEtag } from './etag/returns-etag.js';
export { eraseStoredResponses } from './idempotency/erase-responses.js';
export { canonical, idempotencyKey, scopedKey } from './idempotency/idempotency-key.js';
export { IdempotencyKeyIsTaken, IdempotentRequestIsRunning } from './idempotency/idempotency.errors.js';
export { Idempotent, IdempotentLongWork } from './idempotency/idempotent.js';
export { setKeptHeader } from './idempotency/kept-headers.js';
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
export { ListWarningsDto, type Page, PageDto } from './lists/page.js';
export type { CursorKey } from './lists/cursor-codec.js';
export { counted, type Counted, MAX_TOTAL } from './lists/counted.js';
export { type CountedRows, Pages } from './lists/pages.js';
export { Metrics } from './metrics/metrics.js';
export { httpMigrations } from './migrations/index.js';
export {
  API_KEY_AUTH,
  type ApiDescription,
  BEARER_AUTH,
  SERVICE_TOKEN_AUTH,
} from './openapi/api-description.js';
export { ApiDocument } from './openapi/api-document.js';
export type { FormValues } from './openapi/forms.js';
export { prefersPage, rootFrom, sendPage } from './pages/send-page.js';
export { problemBodyOf, problemOf } from './problems/problem-of.js';
export { CONTENT_DISPOSITION, problemResponse, problemResponses } from './problems/problem-responses.js';
export { isLimitReached, LimitsOfHandler } from './rate-limits/limits-of-handler.js';
export { CountsAs, RateLimit, Unlimited } from './rate-limits/rate-limit.js';
export { RateLimits } from './rate-limits/rate-limits.js';
export { bootstrapHttpService } from './service/bootstrap-http-service.js';
export { baseUrlOf } from './service/servers.js';
export { databaseOf, processConfigOf } from './service/process-config.js';
export { runEntry } from './service/run-entry.js';
export type { DescribeParts, ServiceDeclaration } from './service/service-declaration.js';
export { inSentence, loadService, runService, startService } from './service/start-service.js';
export { HttpConfig } from './context/http.config.js';
export type { RunningService } from './service/running-service.js';
export { type DescribedService, startHttpService } from './service/start-http-service.js';
export { ServiceInfo } from './context/service-info.js';
export { IsBase64 } from './validation/is-base64.js';
export { instantOf, IsInstant } from './validation/is-instant.js';
export { IsName, MAX_NAME, NAME, trimmed, VISIBLE } from './validation/is-name.js';
export { isLonger } from './validation/max-characters.js';
export { isText, Text, Texts } from './validation/text-fields.js';
export { tidyList, tidyText } from './validation/tidy.js';
export { WhenSent, WhenSentOrNull } from './validation/when-sent.js';
export { isUuid, ParseIdPipe } from './validation/parse-id.pipe.js';
export { RequestIsNotValid } from './validation/validation-failed.js';

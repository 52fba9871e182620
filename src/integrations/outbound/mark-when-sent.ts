import type { Dispatcher } from 'undici';

/** Travels with one request and remembers whether any of it can have reached the other side. */
export interface SendMark {
  sent: boolean;
  withheld: boolean;
  readonly maySend: () => boolean;
}

/**
 * undici calls `onRequestStart` once a connection is there and right before it writes: whatever fails earlier
 * (queue, DNS, TCP, TLS) was not sent, and aborting there keeps the request from being written.
 */
export const markWhenSent: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const mark = (options as { opaque?: SendMark }).opaque;
  if (!mark) return dispatch(options, handler);
  return dispatch(options, {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context);
      if (controller.aborted) return;
      if (mark.maySend()) {
        mark.sent = true;
      } else {
        mark.withheld = true;
        controller.abort(new Error('The request was withheld.'));
      }
    },
    onRequestUpgrade: (...values) => handler.onRequestUpgrade?.(...values),
    onResponseStart: (...values) => handler.onResponseStart?.(...values),
    onResponseData: (...values) => handler.onResponseData?.(...values),
    onResponseEnd: (...values) => handler.onResponseEnd?.(...values),
    onResponseError: (...values) => handler.onResponseError?.(...values),
  });
};

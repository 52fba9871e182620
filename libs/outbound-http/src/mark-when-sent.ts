import type { Dispatcher } from 'undici';

/** Whether any part of one request can have reached the server. */
export interface SendMark {
  sent: boolean;
  withheld: boolean;
  readonly maySend: () => boolean;
}

/**
 * undici calls `onRequestStart` when a connection is there and right before it writes: a failure before that
 * (queue, DNS, TCP, TLS) was not sent, and aborting there keeps the request from being written. Called once more for the
 * same request, it is about to repeat what was written before: it may not.
 */
export const markWhenSent: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const mark = (options as { opaque?: SendMark }).opaque;
  if (!mark) return dispatch(options, handler);
  return dispatch(options, {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context);
      if (controller.aborted) return;
      if (!mark.sent && mark.maySend()) {
        mark.sent = true;
      } else {
        mark.withheld = !mark.sent;
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

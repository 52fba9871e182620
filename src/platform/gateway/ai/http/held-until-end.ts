import type { Response } from 'express';
import { finalize, type Observable } from 'rxjs';

/** @param held disposed when both the handler has ended and the response is closed: one can go on without the other */
export function heldUntilEnd<T>(handled: Observable<T>, response: Response, held: Disposable): Observable<T> {
  const freeAfterBoth = afterBoth(() => held[Symbol.dispose]());
  if (response.closed) freeAfterBoth();
  else response.once('close', freeAfterBoth);
  return handled.pipe(finalize(freeAfterBoth));
}

/** Called by each of two ends. */
function afterBoth(free: () => void): () => void {
  let missing = 2;
  return () => {
    missing -= 1;
    if (missing === 0) free();
  };
}

import { writeGuard } from './conditions.js';
import { answer, type Handler } from './operation.js';

/** 204 too when there is no such object. */
export const deleteObject: Handler = async (operation) => {
  const { request, bucket } = operation;
  await bucket.objects.delete(request.key, writeGuard(request));
  answer(operation, 204);
};

import { S3Error } from '../wire/s3-error.js';
import { answer, type Handler } from './operation.js';

/** AbortMultipartUpload. A part that is still being sent is refused when it is complete. */
export const abortUpload: Handler = async (operation) => {
  const { request, bucket } = operation;
  const { id } = await bucket.uploads.get(request.key, request.query.get('uploadId') ?? '');
  const wasThere = await bucket.uploads.inTurn(id, () => bucket.uploads.remove(id));
  if (!wasThere) throw new S3Error('NoSuchUpload');
  answer(operation, 204);
};

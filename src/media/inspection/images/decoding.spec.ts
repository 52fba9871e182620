import { TaskTookTooLong } from '../../isolation/isolation.errors.js';
import { FileIsRejected } from '../domain/inspection.types.js';
import { decoding } from './inspect-image.js';

const failing = (message: string) => () => Promise.reject(new Error(message));
const FILE = import.meta.filename;

describe('a decoder that fails', () => {
  it('after its time limit says nothing about the file', async () => {
    const result = decoding(FILE, failing('timeout: 42% complete'));
    await expect(result).rejects.toThrow(TaskTookTooLong);
  });

  it('while the file was removed is a fault of the machine', async () => {
    const result = decoding(`${FILE}-gone`, failing('Input file is missing'));
    await expect(result).rejects.toMatchObject({ code: 'ENOENT', syscall: 'access' });
  });

  it('otherwise rejects the file', async () => {
    await expect(decoding(FILE, failing('VipsJpeg: premature end'))).rejects.toThrow(FileIsRejected);
  });
});

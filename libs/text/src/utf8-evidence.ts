/** Signs of encodings whose text can be well-formed UTF-8 by its bytes: UTF-16, and ISO-2022-JP, which switches with an escape. */
const SIGNS = [0x00, 0x1b];

/** Whether bytes that are well-formed UTF-8 can also be text of another encoding. */
export const mayBeOtherThanUtf8 = (bytes: Uint8Array): boolean => SIGNS.some((sign) => bytes.includes(sign));

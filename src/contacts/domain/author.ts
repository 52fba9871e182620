/** Who wrote a note or uploaded a file. An id only, because names must be erasable. */
export interface Author {
  readonly type: 'user' | 'service' | 'api_key';
  readonly id: string;
}

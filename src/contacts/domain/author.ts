/** Who wrote something, by id: a name must be forgettable. */
export interface Author {
  readonly type: 'user' | 'service' | 'api_key';
  readonly id: string;
}

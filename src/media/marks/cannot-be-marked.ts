/** The bytes are not of the type, are damaged, or the type has no place for a mark. */
export class CannotBeMarked extends Error {
  constructor(contentType: string) {
    super(`The bytes cannot be marked as ${contentType}.`);
    this.name = 'CannotBeMarked';
  }
}

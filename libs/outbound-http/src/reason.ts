/** The system's or undici's code, such as ECONNREFUSED or UND_ERR_HEADERS_TIMEOUT; never the address. */
export function reasonOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown');
}

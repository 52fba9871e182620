import 'pg';

/** What pg 8.23 has and its types leave out (pg/lib/query.js, pg/lib/client.js). */
declare module 'pg' {
  interface WireConnection {
    readonly submittedNamedStatements: Record<string, string>;
    parse(message: { text: string; name?: string; types?: number[] }): void;
    bind(message: { portal: string; statement: string; values: unknown[] }): void;
    execute(message: { portal: string; rows?: number }): void;
  }

  interface Query {
    name: string | undefined;
    queryMode: string | undefined;
    prepare(connection: WireConnection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: WireConnection): void;
    handleError(error: unknown, connection: WireConnection): void;
  }

  interface ClientBase {
    /** Process id that the server, or the pooler in its place, announced for this connection. */
    readonly processID: number | null;
  }
}

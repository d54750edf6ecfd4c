/** Parameters for statements that functions of `*.sql.ts` files write: `path name` → one list for each shape that matters. */
export const statementExamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  'core/exchange/exporting/exporting.sql.ts csvItems': [['0, 1', 'i.taken > ?']],
}

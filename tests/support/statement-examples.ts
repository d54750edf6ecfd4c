/** Parameters for statements that functions of `*.sql.ts` files write: `path name` → one list for each shape that matters. */
export const statementExamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {}

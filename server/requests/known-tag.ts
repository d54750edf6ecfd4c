/** Whether the client already has the response. */

/** If-None-Match compares weakly: RFC 9110, 13.1.2. */
export function hasTag({ headers }: Request, tag: string | undefined): boolean {
  const known = headers.get('if-none-match')
  if (known === null || tag === undefined) return false
  return known.trim() === '*' || known.split(',').some(one => one.trim().replace(/^W\//, '') === tag)
}

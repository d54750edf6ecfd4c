/** Pieces of SQL that carry their values, so that statements are put together without a value ever becoming text. */

export type SqlValue = string | number | null

export interface Fragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

function isFragment(part: Fragment | SqlValue): part is Fragment {
  return typeof part === 'object' && part !== null
}

/** A piece of SQL: what is put between is either another piece, or a value that is bound. */
export function sql(strings: TemplateStringsArray, ...parts: (Fragment | SqlValue)[]): Fragment {
  let text = strings[0] ?? ''
  const values: SqlValue[] = []
  for (const [n, part] of parts.entries()) {
    if (isFragment(part)) {
      text += part.text
      values.push(...part.values)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[n + 1] ?? ''
  }
  return { text, values }
}

/** Text of ours as SQL: names of tables, columns and indexes. Never anything that came from outside. */
export function raw(text: string): Fragment {
  return { text, values: [] }
}

export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    text: fragments.map(fragment => fragment.text).join(separator),
    values: fragments.flatMap(fragment => fragment.values),
  }
}

/** A list of ids as one value, so that statements are the same for any number of them. */
export function idsIn(ids: readonly number[]): Fragment {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

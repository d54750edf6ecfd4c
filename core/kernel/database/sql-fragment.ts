/** SQL fragments with their values, which compose statements without putting values into the text. */

export type SqlValue = string | number | null

export interface Fragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

function isFragment(part: Fragment | SqlValue): part is Fragment {
  return typeof part === 'object' && part !== null
}

/** A SQL fragment: interpolations are other fragments, or bound values. */
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

/** Trusted text as SQL: names of tables, columns and indexes. Never input. */
export function raw(text: string): Fragment {
  return { text, values: [] }
}

export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    text: fragments.map(fragment => fragment.text).join(separator),
    values: fragments.flatMap(fragment => fragment.values),
  }
}

/** A list of ids as one value, so that the statement is the same for any number. */
export function idsIn(ids: readonly number[]): Fragment {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

/** Pages of a long list, loaded as they are looked at. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useStage } from './stage.ts'

const pageLength = 200
/** Pages that are kept; others are loaded again. */
const most = 10

/** `load` answers a page (from 1) of `pageLength` rows and how many rows there are in all. A new `key` begins anew. */
export function usePages<T>(
  load: (page: number, length: number) => Promise<{ rows: readonly T[]; total: number }>,
  key: string,
) {
  const stage = useStage()
  const pages = useRef(new Map<number, readonly T[]>())
  const asked = useRef(new Set<number>())
  // Anew with each page: the same total with other rows is something to draw, too.
  const [known, setKnown] = useState<{ total: number } | null>(null)
  const latest = useRef({ load, key })
  latest.current = { load, key }

  const see = useCallback(
    (first: number, count: number) => {
      for (let page = Math.floor(first / pageLength); page * pageLength < first + Math.max(1, count); page++) {
        if (pages.current.has(page) || asked.current.has(page)) continue
        asked.current.add(page)
        const { key: of } = latest.current
        stage.run(async () => {
          try {
            const found = await latest.current.load(page + 1, pageLength)
            if (latest.current.key !== of) return
            pages.current.set(page, found.rows)
            const [oldest] = pages.current.keys()
            if (pages.current.size > most && oldest !== undefined) pages.current.delete(oldest)
            setKnown({ total: found.total })
            asked.current.delete(page)
          } catch (error) {
            // It stays asked for: whoever only looks on must not ask again and again.
            if (latest.current.key === of) throw error
          }
        })
      }
    },
    [stage],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is what begins anew
  useEffect(() => {
    pages.current.clear()
    asked.current.clear()
    see(0, 1)
  }, [key, see])

  return {
    /** Null: nothing is known yet. */
    total: known?.total ?? null,
    rowAt: (index: number): T | undefined => pages.current.get(Math.floor(index / pageLength))?.[index % pageLength],
    see,
  }
}

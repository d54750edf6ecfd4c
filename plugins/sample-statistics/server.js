/** Methods of the sample plugin: years at once, cameras as a job. `docs/plugins.md` describes the host. */
import { createHmac } from 'node:crypto'

/** Pictures asked for at once. */
const pageSize = 500

/** Number of pictures by year, as whoever asks sees them. */
export async function years(_data, host) {
  const { title, years: wanted } = host.options()
  const { months } = await host.library.items.timeline({ params: { collectionId: 0 }, query: {} })
  const counts = new Map()
  for (const { year, count } of months) counts.set(year, (counts.get(year) ?? 0) + count)
  const known = [...counts.keys()]
  if (wanted.empty && known.length > 0) {
    for (let year = Math.min(...known); year < Math.max(...known); year++) counts.set(year, counts.get(year) ?? 0)
  }
  const list = [...counts].map(([year, count]) => ({ year, count })).sort((a, b) => a.year - b.year)
  return { title, years: wanted.order === 'oldest first' ? list : list.reverse() }
}

/** Number of pictures by camera, of the newest ones. Takes a while: every picture is opened by itself. */
export async function cameras(data, host) {
  const { cameras: wanted } = host.options()
  const collectionId = data?.collection ?? 0
  if (!Number.isInteger(collectionId) || collectionId < 0) host.fail('The collection is a number.')
  const counts = new Map()
  let done = 0
  let cursor
  while (done < wanted.most) {
    const limit = Math.min(pageSize, wanted.most - done)
    const page = await host.library.items.list({ params: { collectionId }, query: { limit, cursor } })
    const total = Math.min(wanted.most, page._meta.total_records)
    for (const { id } of page.items) {
      host.signal.throwIfAborted()
      const { camera } = await host.library.items.get({ params: { id }, query: {} })
      const name = [camera.make, camera.model].filter(part => part !== undefined).join(' ') || 'unknown'
      counts.set(name, (counts.get(name) ?? 0) + 1)
      host.progress({ done: ++done, total, message: 'Looking at cameras' })
    }
    const next = page._links.next === null ? null : new URL(page._links.next, 'http://localhost').searchParams
    cursor = next?.get('cursor') ?? undefined
    if (cursor === undefined) break
  }
  const list = [...counts].map(([camera, count]) => ({ camera, count })).sort((a, b) => b.count - a.count)
  const signature =
    wanted.key === undefined ? null : createHmac('sha256', wanted.key).update(JSON.stringify(list)).digest('hex')
  return { pictures: done, cameras: list, signature }
}

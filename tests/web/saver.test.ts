import { describe, expect, test } from 'bun:test'
import { createSaverQueue } from '../../web/saver/saver-queue.ts'
import { saverText } from '../../web/saver/saver-text.ts'

const picture = (id: number) => ({ id, type: 'image' as const, problem: null })
const film = (id: number) => ({ id, type: 'video' as const, problem: null })
const canShow = (item: { type: string; problem: string | null }) => item.type === 'image' && item.problem === null

/** A server that returns these batches one after the other, then empty ones. */
function server(...batches: ({ id: number; type: 'image' | 'video'; problem: string | null }[] | Error)[]) {
  let requests = 0
  return {
    requests: () => requests,
    async fetch() {
      const batch = batches[requests++] ?? []
      if (batch instanceof Error) throw batch
      return batch
    },
  }
}

describe('what is shown next', () => {
  test('follows the server, and includes films only when they are allowed', async () => {
    const { fetch } = server([picture(1), film(2), picture(3)])
    const queue = createSaverQueue({ fetch, canShow })
    expect([(await queue.next())?.id, (await queue.next())?.id]).toEqual([1, 3])
    const all = createSaverQueue({ ...server([picture(1), film(2)]), canShow: () => true })
    expect([(await all.next())?.id, (await all.next())?.id]).toEqual([1, 2])
  })

  test('is null after three batches without a suitable item', async () => {
    const source = server([film(1)], [{ ...picture(2), problem: 'damaged' }], [film(3)], [picture(4)])
    const queue = createSaverQueue({ fetch: source.fetch, canShow })
    expect(await queue.next()).toBeNull()
    expect(source.requests()).toBeGreaterThanOrEqual(3)
  })

  test('continues with loaded items while the server is unreachable', async () => {
    const offline = new TypeError('Failed to fetch')
    const queue = createSaverQueue({
      ...server([picture(1), picture(2)], offline, offline, offline, [picture(3)]),
      canShow,
    })
    expect((await queue.next())?.id).toBe(1)
    expect((await queue.next())?.id).toBe(2)
    await expect(queue.next()).rejects.toThrow('Failed to fetch')
  })

  test('starts with an item that was put back', async () => {
    const queue = createSaverQueue({ ...server([picture(1), picture(2)]), canShow })
    const item = await queue.next()
    if (item !== null) queue.putBack(item)
    expect([(await queue.next())?.id, (await queue.next())?.id]).toEqual([1, 2])
  })

  test('is known in advance, with each item of a batch once', async () => {
    const queue = createSaverQueue({ ...server([picture(1), picture(2), film(3), picture(4), picture(4)]), canShow })
    await queue.next()
    expect(queue.peek(5).map(({ id }) => id)).toEqual([2, 4])
  })
})

test('describes the filter of a screen saver in words', () => {
  const nameOf = (id: number) => (id === 3 ? 'Family' : null)
  expect(saverText({}, nameOf)).toBe('Everything')
  expect(
    saverText(
      {
        collectionId: 3,
        startMonth: 8,
        filtergroups: JSON.stringify([
          [
            { type: 'Keyword', mode: 0, id: 0, text: 'sea' },
            { type: 'Keyword', mode: 1, id: 0, text: 'rain' },
          ],
          [{ type: 'Person', mode: 0, id: 7, text: 'Ada' }],
        ]),
        onthisdayTz: 'Europe/Madrid',
      },
      nameOf,
    ),
  ).toBe('Family, August, with sea, not rain or Ada, on this day')
  expect(saverText({ startMonth: 5, calendar: 'persian' }, nameOf)).toBe('Mordad')
  expect(saverText({ collectionId: 9, filtergroups: 'broken' }, nameOf)).toBe('a collection that you do not see')
})

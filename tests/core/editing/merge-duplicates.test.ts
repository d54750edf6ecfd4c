import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { planMerge } from '../../../core/editing/merge-duplicates-job.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'

const refused = (code: string) => expect.objectContaining({ code })

function library() {
  const made = openEditingLibrary()
  const merge = async (groups: Parameters<typeof planMerge>[2]) =>
    made.runJob(terminalViewer, 'merge-duplicates', await planMerge(made.items, terminalViewer, groups))
  const words = (id: number, name: 'Keywords' | 'Category' = 'Keywords') =>
    (made.get(id).tags[name]?.data ?? []).map(({ content }) => content)
  return { ...made, merge, words }
}

describe('merging duplicates', () => {
  test('joins lists, fills empty values, recycles the other items, and is undone as one step', async () => {
    const { make, merge, words, get, dump, undo, lastStep, expectCountersRight, db } = library()
    const keep = await make.item({ keywords: ['Sea', 'Old'], rating: 2, people: ['Ben'] })
    const other = await make.item({
      keywords: ['old', 'Sand'],
      category: ['Travel'],
      description: 'At the sea',
      rating: 5,
      place: { latitude: 1, longitude: 2, placeName: 'Here' },
      boxes: [
        { person: 'Ben', x: 10, y: 10, width: 50, height: 50 },
        { person: 'Anna', x: 100, y: 100, width: 50, height: 50 },
        { object: 'Boat', x: 200, y: 200, width: 50, height: 50 },
      ],
    })
    const third = await make.item({ keywords: ['Wind'], description: 'Another one' })
    const before = dump()
    const done = await merge([{ keep, recycle: [other, third] }])
    expect(done).toMatchObject({ state: 'done', counts: { merged: 1, recycled: 2, skipped: 0 } })
    expect(words(keep)).toEqual(['Sea', 'Old', 'Sand', 'Wind'])
    expect(words(keep, 'Category')).toEqual(['Travel'])
    const kept = get(keep)
    // Values of the kept item take precedence.
    expect(kept.rating).toBe(2)
    expect(kept.tags.Description?.data).toBe('At the sea')
    expect(kept.tags.Locations?.data).toMatchObject({ latitude: 1, longitude: 2, placeName: 'Here' })
    expect(kept.tags.People?.data.map(({ name }) => name)).toEqual(['Ben', 'Anna'])
    expect(kept.tags.Object?.data.map(({ name }) => name)).toEqual(['Boat'])
    expect(db.all('SELECT id FROM items WHERE deleted IS NOT NULL ORDER BY id')).toEqual([{ id: other }, { id: third }])
    expectCountersRight()

    expect(lastStep()).toMatchObject({ operation: 'item.duplicates', items: 3, undoable: true })
    await undo(terminalViewer, lastStep()?.step ?? '')
    expect(dump()).toEqual(before)
    expectCountersRight()
  })

  test('skips a group whose item to keep has been recycled', async () => {
    const { make, merge, recycle, items, db } = library()
    const [keep, other, fine, rest] = [await make.item(), await make.item(), await make.item(), await make.item()]
    const planned = await planMerge(items, terminalViewer, [{ keep, recycle: [other] }])
    await recycle.remove(terminalViewer, keep)
    expect(await merge([...planned.groups, { keep: fine, recycle: [rest] }])).toMatchObject({
      counts: { merged: 0, recycled: 1, skipped: 1 },
    })
    expect(db.all('SELECT id FROM items WHERE deleted IS NOT NULL ORDER BY id')).toEqual([{ id: keep }, { id: rest }])
  })

  test('refuses repeated and unknown items', async () => {
    const { make, items } = library()
    const [a, b] = [await make.item(), await make.item()]
    const plan = (groups: Parameters<typeof planMerge>[2]) => planMerge(items, terminalViewer, groups)
    expect(plan([{ keep: a, recycle: [a] }])).rejects.toEqual(refused('invalid'))
    expect(
      plan([
        { keep: a, recycle: [b] },
        { keep: b, recycle: [a] },
      ]),
    ).rejects.toEqual(refused('invalid'))
    expect(plan([{ keep: a, recycle: [987_654] }])).rejects.toEqual(refused('notFound'))
  })
})

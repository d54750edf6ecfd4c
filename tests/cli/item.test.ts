import { beforeAll, describe, expect, test } from 'bun:test'
import type { CommandResult } from '../support/command.ts'
import { openFullShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
const ids: Record<string, number> = {}
const keepsake = (line: string): Promise<CommandResult> => workspace.sh(`keepsake ${line}`)
const pathsOf = (ran: CommandResult) =>
  ran.objects.filter(({ type }) => type === 'item').map(({ path }) => String(path))
const keywordsOf = async (name: string) => {
  const { objects } = await keepsake(`item list file:${name} --fields keywords --json`)
  return objects[0]?.keywords
}

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('scan ~/Pictures --quiet')
  for (const { id, name } of (await keepsake('item list --json')).objects) ids[String(name)] = Number(id)
}, 60_000)

describe('item list, item show and explain', () => {
  test('list finds items by the filter language, newest first, as objects with a summary', async () => {
    const ran = await keepsake("item list 'year:2019 OR year:2021' --json")
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(pathsOf(ran)).toEqual(
      ['2021/hills.jpg', '2019/sea.jpg', '2019/beach.jpg'].map(path => workspace.at(`Pictures/${path}`)),
    )
    expect(ran.objects[0]).toMatchObject({ type: 'item', kind: 'image', taken_at: '2021-05-06 07:08:09' })
    expect(ran.objects.at(-1)).toEqual({ type: 'summary', schema: 1, state: 'done', items: 3, total: 3 })
  })

  test('list takes --limit, --sort, --collection and --fields', async () => {
    const ran = await keepsake('item list --collection Pictures --sort name --limit 2 --fields name,people,keywords')
    expect(ran.out).toBe('beach.jpg\tAnna; Ben\tHoliday\nhills.jpg\t\t\n')
    expect(ran.err).toBe('2 of 3 items.\n')
    const objects = await keepsake('item list keyword:holiday --fields id,people --json')
    expect(objects.objects[0]).toEqual({ type: 'item', id: ids['beach.jpg'], people: ['Anna', 'Ben'] })
  })

  test('list points at the mistake in a query', async () => {
    const ran = await keepsake("item list 'beach (year:2o19'")
    expect(ran.code).toBe(2)
    const [said = '', shown = '', caret = ''] = ran.err.split('\n')
    expect(said).toMatch(/^keepsake: year takes .* \(at character 13\)$/)
    expect(shown).toBe('beach (year:2o19')
    expect(caret).toBe(`${' '.repeat(12)}^`)
    // The message counts characters as users do; the caret stands at a column of the terminal.
    for (const [query, character, column] of [
      ['日本 (', 4, 6],
      ['👍👍 (', 4, 6],
      ['e\u0301e\u0301 (', 4, 4],
    ] as const) {
      const [text = '', , mark = ''] = (await keepsake(`item list '${query}'`)).err.split('\n')
      expect({ query, character: Number(/at character (\d+)/.exec(text)?.[1]) - 1, column: mark.indexOf('^') }).toEqual(
        {
          query,
          character,
          column,
        },
      )
    }
    expect((await keepsake('item list --fields id,colour')).err).toContain("'colour' is not one of")
  })

  test('help explains quotation marks within quotes', async () => {
    for (const line of ['item list', 'explain'])
      expect((await keepsake(`${line} --help`)).out).toContain('a quotation mark within quotes: keyword:="12"" film"')
  })

  test('explain prints how a query is understood, in full', async () => {
    const ran = await keepsake("explain 'beach (year:2019 OR rating:>=4) -type:video'")
    expect(ran.code).toBe(0)
    expect(ran.out.split('\n').slice(0, 4)).toEqual([
      'all of',
      '  a word that begins with "beach" in keywords, category, people, description, place, file',
      '  any of',
      '    taken on or after 2019-01-01 before 2020-01-01',
    ])
    const [explained, summary] = (await keepsake('explain beach year:2019 --json')).objects
    expect(explained).toMatchObject({
      type: 'query',
      query: 'beach year:2019',
      printed: '(beach date:2019-01-01..2019-12-31)',
    })
    expect(summary).toMatchObject({ type: 'summary', items: 1 })
    expect((await keepsake("explain 'keywrd:x'")).err).toContain("Did you mean 'keyword'?")
  })

  test('show prints everything, and exits with 4 for a missing item', async () => {
    const ran = await keepsake(`item show ${ids['beach.jpg']}`)
    expect(ran.out).toMatch(/people +Anna; Ben/)
    expect((await keepsake(`item show ${ids['beach.jpg']} --json`)).objects[0]).toMatchObject({
      type: 'item',
      name: 'beach.jpg',
    })
    expect(await keepsake('item show 987654')).toMatchObject({ code: 4, err: 'keepsake: There is no item 987654.\n' })
    expect((await keepsake('item show beach')).code).toBe(2)
  })
})

describe('changing items', () => {
  test('is one step of the history, from a query or standard input, and can be undone', async () => {
    const dry = await keepsake("item tag add keywords 'Sun; Holiday' --query year:2019 --dry-run --json")
    expect(dry.objects.at(-1)).toMatchObject({ dryRun: true, items: 2 })
    expect(dry.objects[1]).toMatchObject({ type: 'change', before: 'Holiday', after: 'Holiday; Sun' })
    expect(await keywordsOf('beach')).toEqual(['Holiday'])

    const done = await keepsake("item tag add keywords 'Sun; Holiday' --query year:2019 --json")
    expect(done.objects.at(-1)).toMatchObject({ type: 'summary', state: 'done', changed: 2, step: expect.any(String) })
    expect(await keywordsOf('beach')).toEqual(['Holiday', 'Sun'])
    const words = await workspace.sh('keepsake item list year:2019 --json | keepsake item tag remove keywords Sun')
    const [, step = ''] = /Undo: keepsake history undo (\S+)/.exec(words.err) ?? []
    expect(await keywordsOf('sea')).toEqual(['Seaside', 'Holiday'])
    expect((await keepsake(`history undo ${step.slice(0, 8)}`)).code).toBe(0)
    expect(await keywordsOf('sea')).toContain('Sun')
    const [newest] = (await keepsake('history --limit 1 --json')).objects
    expect(newest).toMatchObject({ type: 'step', items: 2 })
  }, 120_000)

  test('sets rating, description, date and place, and people by name', async () => {
    const id = ids['hills.jpg']
    for (const [tag, value] of [
      ['rating', '4'],
      ['description', 'Green hills'],
      ['date', '2021-05-07 08:00:00'],
      ['place', '48.1,11.6,Munich'],
      ['people', 'Ben'],
    ])
      expect(await keepsake(`item tag set ${tag} '${value}' ${id}`)).toMatchObject({ code: 0 })
    const fields = 'rating,description,taken_at,place,people'
    expect((await keepsake(`item list file:hills --fields ${fields}`)).out).toBe(
      '4\tGreen hills\t2021-05-07 08:00:00\tMunich\tBen\n',
    )
    expect(await keepsake(`item tag set people Nobody ${id}`)).toMatchObject({ code: 4 })
    expect(await keepsake(`item tag add rating 4 ${id}`)).toMatchObject({ code: 2 })
    expect((await keepsake(`item tag set colour red ${id}`)).err).toContain('Tags: DateTimeOriginal')
    expect(await keepsake(`item tag set rating 9 ${id}`)).toMatchObject({ code: 2 })
  }, 120_000)

  test('rotate, recycle and restore take several items as one step', async () => {
    const [one, two] = [ids['beach.jpg'], ids['sea.jpg']]
    expect((await keepsake(`item rotate ${one} ${two} --dry-run`)).out).toContain('0° -> 90°')
    expect((await keepsake(`item rotate ${one} ${two} --json`)).objects.at(-1)).toMatchObject({ changed: 2 })
    expect((await keepsake('item list year:2019 --fields rotation')).out).toBe('90\n90\n')
    expect((await keepsake(`item recycle ${one} ${two} --json`)).objects).toMatchObject([{ state: 'done', items: 2 }])
    expect((await keepsake('item list --recycled --fields name --sort name')).out).toBe('beach.jpg\nsea.jpg\n')
    const back = await workspace.sh('keepsake item list --recycled | keepsake item restore')
    expect(back.err).toContain('2 items restored.')
    expect((await keepsake('item list --json')).objects.at(-1)).toMatchObject({ items: 3 })
    expect((await keepsake('history undo last')).code).toBe(0)
    expect((await keepsake('item list --json')).objects.at(-1)).toMatchObject({ items: 1 })
    // The next undo takes back the recycling of both items, not the undo that was just made.
    expect((await keepsake('history undo last --dry-run')).err).toContain('Would undo: Deleted 2 items (This machine,')
    expect((await keepsake('history undo last')).code).toBe(0)
    expect((await keepsake('item list --json')).objects.at(-1)).toMatchObject({ items: 3 })
  }, 120_000)

  test('queries find and restore items in the recycle bin', async () => {
    const [one, two, other] = [ids['beach.jpg'], ids['sea.jpg'], ids['hills.jpg']]
    await keepsake(`item recycle ${one} ${two} ${other}`)
    const found = async (query: string) =>
      (await keepsake(`item list --recycled --fields name --sort name ${query}`)).out.trimEnd().split('\n')
    expect(await found('year:2019')).toEqual(['beach.jpg', 'sea.jpg'])
    expect(await found("person:ann 'file:sea OR file:beach'")).toEqual(['beach.jpg', 'sea.jpg'])
    expect(await found('-- -year:2019')).toEqual(['hills.jpg'])
    expect((await keepsake("item list --recycled 'yaer:2019'")).code).toBe(2)
    expect((await keepsake('item list --missing year:2019 --json')).objects).toMatchObject([{ items: 0 }])
    const dry = await keepsake('item restore --query year:2019 --dry-run --json')
    expect(dry.objects.at(-1)).toMatchObject({ dryRun: true, items: 2, unchanged: 0 })
    const done = await keepsake('item restore --query year:2019 --json')
    expect(done.objects.at(-1)).toMatchObject({ state: 'done', items: 2, step: expect.any(String) })
    // Nothing of that year is in the bin any more: items in the gallery do not count.
    expect((await keepsake('item restore --query year:2019')).code).toBe(4)
    expect((await keepsake(`item restore ${other}`)).code).toBe(0)
  }, 120_000)

  test('a change without effect is reported, and adds no step to the history', async () => {
    const [id, other] = [ids['beach.jpg'], ids['sea.jpg']]
    await keepsake(`item recycle ${id}`)
    const before = (await keepsake('history --json')).out
    const again = await keepsake(`item recycle ${id} --json`)
    expect(again.objects).toEqual([{ type: 'summary', schema: 1, state: 'done', items: 0, unchanged: 1 }])
    expect(await keepsake(`item recycle ${id}`)).toMatchObject({ code: 0, err: '0 items recycled, 1 unchanged.\n' })
    expect((await keepsake(`item restore ${other} --json`)).objects.at(-1)).toMatchObject({ items: 0, unchanged: 1 })
    expect((await keepsake(`item restore ${other}`)).err).toBe('0 items restored, 1 not in the recycle bin.\n')
    for (const line of [`item recycle ${id}`, `item restore ${other}`])
      expect((await keepsake(`${line} --dry-run --json`)).objects).toMatchObject([{ items: 0, unchanged: 1 }])
    for (const line of [`item tag add keywords '' ${other}`, `item tag remove keywords Nope ${other}`]) {
      expect((await keepsake(line)).err).not.toContain('Undo')
      expect((await keepsake(`${line} --json`)).objects.at(-1)).not.toHaveProperty('step')
    }
    expect((await keepsake('history --json')).out).toBe(before)
    expect((await keepsake(`item restore ${id} ${other} --json`)).objects.at(-1)).toMatchObject({
      items: 1,
      unchanged: 1,
      step: expect.any(String),
    })
  }, 120_000)

  test('an empty value clears any tag set, also a rating', async () => {
    const id = ids['hills.jpg']
    for (const [tag, value, field] of [
      ['rating', '3', 'rating'],
      ['description', 'Green', 'description'],
      ['keywords', 'Green', 'keywords'],
      ['place', 'Munich', 'place'],
    ]) {
      await keepsake(`item tag set ${tag} ${value} ${id}`)
      expect(await keepsake(`item list file:hills --fields ${field}`)).toMatchObject({ out: `${value}\n` })
      expect(await keepsake(`item tag set ${tag} '' ${id}`)).toMatchObject({ code: 0 })
      expect(await keepsake(`item list file:hills --fields ${field}`)).toMatchObject({ out: '\n' })
    }
  }, 120_000)

  test.each([
    ['item rotate 1 x', 2, "'x' (on the command line) is not an item id"],
    ['item rotate 1 --query beach', 2, 'Give only one of'],
    ['item rotate', 2, 'Give item ids'],
    ['item list nothing --json | keepsake item tag set rating 5', 4, 'No items available'],
    ['item rotate - < /dev/null', 4, 'No items available'],
    ['item recycle 987654', 4, 'There is no item 987654'],
    ['item restore --query keyword:nothing', 4, 'No items available'],
    ['history undo abcd', 4, "There is no step 'abcd'"],
    ['history undo nonsense!', 2, 'is not a step'],
  ])('%s exits with %d', async (line, code, says) => {
    const ran = await keepsake(line)
    expect(ran.err).toContain(says)
    expect(ran.code).toBe(code)
  })
})

describe('people and keystrings', () => {
  test('people are named over time, renamed and merged; keystrings are merged, renamed and hidden', async () => {
    expect((await keepsake("people name Anna 'Anna Lind' --from 2010-01-01 --json")).objects[0]).toMatchObject({
      names: [{ name: 'Anna' }, { name: 'Anna Lind', active_from: 1_262_304_000 }],
    })
    expect((await keepsake('people name Anna X --from yesterday')).code).toBe(2)
    expect((await keepsake("people rename 'Anna Lind' 'Anna Berg'")).code).toBe(0)
    expect((await keepsake('people merge Anna Annie --dry-run')).err).toContain('Nothing was changed')
    expect((await keepsake('people merge Anna Annie')).code).toBe(0)
    expect((await keepsake('item list person:anna --fields name')).out.split('\n')).toContain('sea.jpg')
    expect((await keepsake('people merge Anna Nobody')).code).toBe(4)
    const json = await keepsake('people export')
    expect(JSON.parse(json.out)).toBeArray()
    expect((await keepsake('keystring merge Holiday Seaside --dry-run')).code).toBe(0)
    expect((await keepsake('keystring merge Holiday Seaside')).code).toBe(0)
    expect((await keepsake('keystring rename Holiday Vacation --json')).objects[0]).toMatchObject({
      content: 'Vacation',
    })
    expect((await keepsake('keystring hide Vacation --items')).code).toBe(0)
    expect(
      (await keepsake('keystring list --json')).objects.find(({ content }) => content === 'Vacation'),
    ).toMatchObject({
      isAssociatedItemsHidden: true,
    })
    expect((await keepsake('keystring show Vacation')).code).toBe(0)
    expect((await keepsake('keystring show Nothing')).code).toBe(4)
    // Repeated undo goes back step by step, and undoing an undo redoes its change.
    const vacation = async () => {
      const found = (await keepsake('keystring list --json')).objects.find(({ id }) => id === vacationId)
      return [found?.content, found?.isAssociatedItemsHidden]
    }
    const words = (await keepsake('keystring list --json')).objects
    const vacationId = words.find(({ content }) => content === 'Vacation')?.id
    for (const before of [
      ['Vacation', true],
      ['Vacation', false],
      ['Holiday', false],
    ]) {
      expect((await keepsake('history undo last')).code).toBe(0)
      expect(await vacation()).toEqual(before)
    }
    const list = await keepsake('history --limit 2')
    expect(list.out).toMatch(/undo of keystring.update.*\n.*undo of keystring.update/)
    const [, newest = ''] = /\n(\w{8}) .*undo of/.exec(list.out) ?? []
    expect((await keepsake(`history undo ${newest}`)).code).toBe(0)
    expect(await vacation()).toEqual(['Vacation', false])
  }, 180_000)

  test('after a merge is undone and a person renamed, undoing the last change does not merge again', async () => {
    const names = async () => {
      const rows: { names: { name: string }[] }[] = JSON.parse((await keepsake('people export')).out)
      return rows.flatMap(person => person.names.map(({ name }) => name)).sort()
    }
    const before = await names()
    expect(before).toContain('Ben')
    expect((await keepsake('people merge Anna Ben')).code).toBe(0)
    expect((await keepsake('history undo last')).code).toBe(0)
    expect(await names()).toEqual(before)
    expect((await keepsake('people rename Ben Benjamin')).code).toBe(0)
    const renamed = before.map(name => (name === 'Ben' ? 'Benjamin' : name)).sort()
    const ran = await keepsake('history undo last')
    // Either the rename is undone, or nothing is.
    expect(await names()).toEqual(ran.code === 0 ? before : renamed)
    expect((await keepsake('item list person:ben --fields name')).out).not.toBe('')
    if (ran.code !== 0) expect(ran.err).toContain('The last change (person.names) cannot be undone')
  }, 180_000)
})

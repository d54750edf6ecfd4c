import { afterEach, describe, expect, test } from 'bun:test'
import type { FileListing, FileNode } from '../../../schema/api/file-manager.ts'
import { createDesk, type Desk } from '../../../web/file-manager/desk.ts'
import { type Driver, FileRefused, NoAnswer } from '../../../web/file-manager/driver.ts'
import { createHttpDriver, messageIn } from '../../../web/file-manager/http-driver.ts'

const file = (path: string): FileNode => ({
  type: 'file',
  path,
  basename: path.slice(path.lastIndexOf('/') + 1),
  dir: path.slice(0, path.lastIndexOf('/')) || '/',
  extension: 'txt',
  mime_type: 'text/plain',
  file_size: 1,
  last_modified: 1,
})

const folder = (dirname: string, ...names: string[]): FileListing => ({
  dirname,
  files: names.map(name => file(`${dirname === '/' ? '' : dirname}/${name}`)),
})

interface Asked {
  what: string
  signal: AbortSignal | undefined
  answer: (listing: FileListing) => void
  refuse: (error: Error) => void
}

/** A driver with the test's responses. */
function slowDriver() {
  const asked: Asked[] = []
  const wait = (what: string, signal?: AbortSignal) =>
    new Promise<FileListing>((answer, refuse) => {
      asked.push({ what, signal, answer, refuse })
      signal?.addEventListener('abort', () => refuse(new DOMException('Aborted', 'AbortError')))
    })
  const other = async () => null
  const driver: Driver = {
    onlyFolders: false,
    index: (path, signal) => wait(`index ${path}`, signal),
    search: (path, filter, signal) => wait(`search ${path} ${filter}`, signal),
    newFolder: other,
    newFile: other,
    rename: other,
    remove: other,
    archive: other,
    unarchive: other,
    move: other,
    read: async () => ({ bytes: new ArrayBuffer(0), version: '' }),
    save: async () => {},
    replace: async () => {},
    previewAddress: path => path,
    requirePreview: async () => {},
    requireDownload: async () => {},
    downloadAddress: path => path,
    uploadTarget: () => ({ address: '', fields: {} }),
    ready: async () => {},
    session: () => '',
    signedOut: async () => {},
  }
  return { driver, asked }
}

/** One that reports changes of its folders. */
function followed() {
  const { driver, asked } = slowDriver()
  const told = { changed: () => {}, isOver: false }
  const follow = (changed: () => void) => {
    told.changed = changed
    return () => {
      told.isOver = true
    }
  }
  return { driver: { ...driver, follow }, asked, told }
}

const settled = () => new Promise(done => setTimeout(done))

let desks: Desk[] = []
function deskWith(driver: Driver, more: { startPath?: string; fixedTop?: boolean } = {}): Desk {
  const desk = createDesk({ url: '/x', id: 'test', ...more }, driver)
  desks.push(desk)
  return desk
}
afterEach(() => {
  for (const desk of desks) desk.end()
  desks = []
})

describe('a folder that another user changes', () => {
  test('is asked for again, and what is chosen in it stays chosen', async () => {
    const { driver, asked, told } = followed()
    const desk = deskWith(driver)
    void desk.begin()
    asked[0]?.answer(folder('/', 'b', 'c', 'd', 'e'))
    await settled()
    desk.choice.value = { selected: new Set([1, 2]), active: 2, anchor: 1 }
    told.changed()
    expect([asked[1]?.what, desk.loading.value]).toEqual(['index /', false])
    asked[1]?.answer(folder('/', 'a', 'b', 'd', 'e'))
    await settled()
    expect(desk.nodes.value.map(({ basename }) => basename)).toEqual(['a', 'b', 'd', 'e'])
    expect(desk.choice.value).toEqual({ selected: new Set([2]), active: 2, anchor: 1 })
    desk.end()
    expect(told.isOver).toBe(true)
  })

  test('is the same list where nothing is different, and stays where nobody answers', async () => {
    for (const [answer, fault] of [
      [(call: Asked | undefined) => call?.answer(folder('/', 'b')), ''],
      [(call: Asked | undefined) => call?.refuse(new NoAnswer('Nobody is there.')), ''],
    ] as const) {
      const { driver, asked, told } = followed()
      const desk = deskWith(driver)
      void desk.begin()
      asked[0]?.answer(folder('/', 'b'))
      await settled()
      const before = desk.listing.value
      told.changed()
      answer(asked[1])
      await settled()
      expect([desk.listing.value === before, desk.fault.value, desk.isReady.value]).toEqual([true, fault, fault === ''])
    }
  })

  test('is said to be gone when that is heard twice, and is shown when it is back', async () => {
    const { driver, asked, told } = followed()
    const desk = deskWith(driver)
    void desk.begin()
    asked[0]?.answer(folder('/', 'b'))
    await settled()
    told.changed()
    asked[1]?.refuse(new FileRefused('It is gone.'))
    await settled()
    expect([desk.fault.value, desk.isReady.value]).toEqual(['', true])
    const asking = async (n: number) => {
      while (asked.length < n) await settled()
    }
    await asking(3)
    asked[2]?.refuse(new FileRefused('It is gone.'))
    await settled()
    expect([desk.fault.value, desk.isReady.value]).toEqual(['It is gone.', false])
    told.changed()
    await asking(4)
    asked[3]?.answer(folder('/', 'b', 'c'))
    await settled()
    expect([desk.fault.value, desk.nodes.value.length]).toEqual(['', 2])
  })

  test('is not taken for what has been opened meanwhile, nor for what was done here', async () => {
    const { driver, asked, told } = followed()
    const desk = deskWith(driver)
    void desk.begin()
    asked[0]?.answer(folder('/', 'b'))
    await settled()
    told.changed()
    void desk.changed(folder('/', 'b', 'mine'))
    asked[1]?.answer(folder('/', 'b'))
    await settled()
    expect(desk.nodes.value.map(({ basename }) => basename)).toEqual(['b', 'mine'])

    const other = followed()
    const second = deskWith(other.driver)
    void second.begin()
    other.asked[0]?.answer(folder('/', 'b'))
    await settled()
    other.told.changed()
    void second.open('/b')
    other.asked[1]?.answer(folder('/', 'x'))
    await settled()
    expect([second.listing.value?.files.length, second.elsewhere.value]).toEqual([1, true])
    other.asked[2]?.answer(folder('/b', 'in b'))
    await settled()
    expect(second.nodes.value.map(({ basename }) => basename)).toEqual(['in b'])
  })

  test('closes the menu of what is gone, and of nothing else', async () => {
    const { driver, asked, told } = followed()
    const desk = deskWith(driver)
    void desk.begin()
    asked[0]?.answer(folder('/', 'a', 'b'))
    await settled()
    const asking = async (n: number) => {
      while (asked.length < n) await settled()
    }
    const renewed = async (n: number, listing: FileListing) => {
      told.changed()
      await asking(n)
      asked[n - 1]?.answer(listing)
      await settled()
      return desk.menu.value?.items.map(({ basename }) => basename) ?? null
    }
    const open = (...names: string[]) => {
      desk.menu.value = { x: 1, y: 1, items: names.map(name => file(`/${name}`)) }
    }
    open('b')
    expect(await renewed(2, folder('/', 'b', 'c'))).toEqual(['b'])
    open('b', 'c')
    expect(await renewed(3, folder('/', 'b'))).toBeNull()
    // The folder's own.
    open()
    expect(await renewed(4, folder('/', 'd'))).toEqual([])
    // What was done here meanwhile.
    open('d')
    void desk.changed(folder('/', 'e'))
    expect(desk.menu.value).toBeNull()
    open('e')
    void desk.changed({ dirname: '/', files: [{ ...file('/e'), type: 'dir' }] })
    expect(desk.menu.value).toBeNull()
  })

  test('is left alone while a box is drawn over it', async () => {
    const { driver, asked, told } = followed()
    const desk = deskWith(driver)
    void desk.begin()
    asked[0]?.answer(folder('/', 'b'))
    await settled()
    desk.drawing.value = true
    told.changed()
    await settled()
    expect(asked.length).toBe(1)
  })
})

describe('the folder that is open', () => {
  test('starts at / and is loading until the response is here', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.begin()
    expect([asked[0]?.what, desk.loading.value]).toEqual(['index /', true])
    asked[0]?.answer(folder('/', 'a'))
    await settled()
    expect([desk.loading.value, desk.nodes.value.length]).toEqual([false, 1])
  })

  test('a new fetch ends the one before, whose response counts no more', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.open('/one')
    void desk.open('/two')
    expect(asked[0]?.signal?.aborted).toBe(true)
    asked[0]?.answer(folder('/one', 'a'))
    asked[1]?.answer(folder('/two', 'b', 'c'))
    await settled()
    expect([desk.path.value, desk.nodes.value.length, desk.fault.value]).toEqual(['/two', 2, ''])
  })

  test('cancel ends a fetch; what was shown stays', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.open('/one')
    asked[0]?.answer(folder('/one', 'a'))
    await settled()
    void desk.open('/two')
    desk.cancel()
    await settled()
    expect([desk.loading.value, desk.path.value, desk.nodes.value.length]).toEqual([false, '/one', 1])
  })

  /** A desk that shows /one with both entries selected, and the driver's calls. */
  async function deskOnOne() {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.open('/one')
    asked[0]?.answer(folder('/one', 'a', 'b'))
    await settled()
    desk.selectAll()
    return { desk, asked }
  }
  const chosen = (desk: Desk) => desk.selected.value.map(({ path }) => path)

  test('while another folder is awaited nothing of the one that is shown can be acted on', async () => {
    const { desk, asked } = await deskOnOne()
    const items = desk.selected.value
    desk.menu.value = { x: 0, y: 0, items }
    void desk.open('/two')
    const refused = () => {
      desk.selectAll()
      for (const kind of ['delete', 'archive'] as const) desk.openDialog({ kind, items })
      desk.openDialog({ kind: 'move', items, target: '/one' })
      desk.openDialog({ kind: 'new-folder' })
      if (items[0] !== undefined) desk.enter(items[0])
      return [desk.isReady.value, chosen(desk), desk.dialog.value, desk.menu.value]
    }
    expect(refused()).toEqual([false, [], null, null])
    asked[1]?.refuse(new FileRefused('It is away.'))
    await settled()
    expect([desk.fault.value, desk.path.value, ...refused()]).toEqual(['It is away.', '/two', false, [], null, null])
    // Retrying leads there, and the previous selection does not come back.
    void desk.refresh()
    expect(asked[2]?.what).toBe('index /two')
    asked[2]?.answer(folder('/two', 'a', 'c'))
    await settled()
    expect([desk.isReady.value, chosen(desk), desk.fault.value]).toEqual([true, [], ''])
  })

  test('a refresh keeps the selection meanwhile, one that fails does not', async () => {
    const { desk, asked } = await deskOnOne()
    void desk.refresh()
    expect([desk.isReady.value, chosen(desk)]).toEqual([true, ['/one/a', '/one/b']])
    asked[1]?.refuse(new FileRefused('It is away.'))
    await settled()
    expect([desk.isReady.value, chosen(desk)]).toEqual([false, []])
  })

  test('cancel brings the selection back', async () => {
    const { desk } = await deskOnOne()
    void desk.open('/two')
    desk.cancel()
    await settled()
    expect([desk.isReady.value, desk.path.value, chosen(desk)]).toEqual([true, '/one', ['/one/a', '/one/b']])
  })

  test('a folder that is asked for twice is the one that the path says', async () => {
    for (const again of [(desk: Desk) => desk.open('/two'), (desk: Desk) => desk.refresh()]) {
      const { desk, asked } = await deskOnOne()
      void desk.open('/two')
      void again(desk)
      await settled()
      asked[2]?.answer(folder('/two', 'c'))
      await settled()
      expect([desk.path.value, desk.listing.value?.dirname, desk.isReady.value]).toEqual(['/two', '/two', true])
    }
  })

  test('a search that is cancelled leaves no words for the next change', async () => {
    const { desk, asked } = await deskOnOne()
    desk.search('zz')
    await new Promise(done => setTimeout(done, 450))
    expect([asked[1]?.what, desk.isReady.value]).toEqual(['search /one zz', false])
    desk.cancel()
    await settled()
    expect([desk.query.value, desk.found.value, chosen(desk)]).toEqual(['', '', ['/one/a', '/one/b']])
    await desk.changed(folder('/one', 'a', 'b', 'new'), '/one/new')
    expect([asked.length, chosen(desk)]).toEqual([2, ['/one/new']])
  })

  test('a refusal is kept for whoever looks', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.open('/one')
    asked[0]?.refuse(new FileRefused('There is no /one. Refresh the folder.'))
    await settled()
    expect(desk.fault.value).toBe('There is no /one. Refresh the folder.')
  })

  test('a search waits 400 ms for the last letter; an empty one shows the folder again', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    desk.search('a')
    desk.search('ab')
    expect(asked).toEqual([])
    await new Promise(done => setTimeout(done, 450))
    expect(asked.map(({ what }) => what)).toEqual(['search / ab'])
    desk.search('')
    expect(asked.map(({ what }) => what)).toEqual(['search / ab', 'index /'])
    expect(asked[0]?.signal?.aborted).toBe(true)
  })

  test('after a change the selection stays, or what was made is selected', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.open('/one')
    asked[0]?.answer(folder('/one', 'a', 'b'))
    await settled()
    desk.selectAll()
    await desk.changed(folder('/one', 'b', 'c'))
    expect(desk.selected.value.map(({ basename }) => basename)).toEqual(['b'])
    await desk.changed(folder('/one', 'b', 'c', 'd'), '/one/d')
    expect(desk.selected.value.map(({ basename }) => basename)).toEqual(['d'])
    desk.sortBy('basename')
    desk.sortBy('basename')
    expect(desk.nodes.value.map(({ basename }) => basename)).toEqual(['d', 'c', 'b'])
    expect(desk.selected.value.map(({ basename }) => basename)).toEqual(['d'])
    // A server that responds with something else is asked.
    void desk.changed(null)
    expect(asked.at(-1)?.what).toBe('index /one')
  })

  test('what is given cannot be changed, nor anything be made beside it; what a search finds below it can', () => {
    const desk = deskWith(slowDriver().driver, { fixedTop: true })
    const [given, found] = [file('/Photos'), file('/Photos/sub/a.txt')]
    expect([desk.isFixed.value, desk.isGiven('/'), desk.isGiven('/Photos')]).toEqual([true, true, false])
    expect([[given], [found], [given, found], []].map(items => desk.mayChange(items))).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect(desk.placeFor(found)).toBe('/Photos/sub')
    void desk.open('/Photos')
    expect([desk.isFixed.value, desk.placeFor(found)]).toEqual([false, '/Photos'])
    const free = deskWith(slowDriver().driver)
    expect([free.isFixed.value, free.mayChange([given]), free.placeFor(found)]).toEqual([false, true, '/'])
  })

  test('at most 10,000 are asked about', async () => {
    const { driver, asked } = slowDriver()
    const desk = deskWith(driver)
    void desk.begin()
    asked[0]?.answer(folder('/', 'a'))
    await settled()
    const most = Array.from({ length: 10_000 }, (_, at) => file(`/a/${at}.txt`))
    for (const kind of ['delete', 'archive'] as const) {
      desk.openDialog({ kind, items: most })
      expect(desk.dialog.value).toEqual({ kind, items: most })
      desk.openDialog({ kind, items: [...most, file('/a/one.txt')] })
      expect(desk.dialog.value).toMatchObject({
        kind: 'message',
        text: expect.stringMatching(/^At most 10.000 files and folders at once\.$/),
      })
    }
  })

  test('a toast goes when it is clicked', () => {
    const desk = deskWith(slowDriver().driver)
    desk.say('Files moved.')
    expect(desk.toasts.list.value.map(({ text }) => text)).toEqual(['Files moved.'])
    desk.toasts.close(desk.toasts.list.value[0]?.id ?? 0)
    expect(desk.toasts.list.value).toEqual([])
  })
})

describe('the protocol', () => {
  test('messages are read from refusals', () => {
    expect(messageIn('{"message":"No.","status":false}')).toBe('No.')
    expect(messageIn('<html>')).toBe('Unknown server error')
  })

  async function sentBy(
    act: (driver: Driver) => Promise<unknown>,
    answer = new Response('{"dirname":"/","files":[]}'),
  ) {
    const requests: { url: URL; method: string; body: string; credentials: string }[] = []
    const before = globalThis.fetch
    globalThis.fetch = Object.assign(async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      const { url, method } = request
      requests.push({ url: new URL(url), method, body: await request.text(), credentials: init?.credentials ?? '' })
      return answer.clone()
    }, before)
    try {
      await act(createHttpDriver({ url: 'http://there/files', postData: () => ({ _csrf: 'x y', extra: '1' }) }))
    } finally {
      globalThis.fetch = before
    }
    expect(requests.filter(({ credentials }) => credentials !== 'include')).toEqual([])
    return requests.map(({ url, method, body }) => ({ method, said: Object.fromEntries(url.searchParams), body }))
  }

  test('every request is sent with credentials', async () => {
    // `sentBy` demands it of each: these are the ways in which there are requests.
    const acts: ((driver: Driver) => Promise<unknown>)[] = [
      driver => driver.index('/'),
      driver => driver.rename('/', '/a', 'b'),
      driver => driver.save('/a', 'new', ''),
      driver => driver.read('/a'),
      driver => driver.replace('/a', 'a', new Blob([]), ''),
      driver => driver.requirePreview('/a'),
      driver => driver.requireDownload('/a'),
    ]
    for (const act of acts) expect((await sentBy(act)).length).toBe(1)
  })

  test('reads and the plain changes are GET, with the shared parameters', async () => {
    const shared = { _csrf: 'x y', extra: '1' }
    expect(await sentBy(driver => driver.index('/a b'))).toEqual([
      { method: 'GET', said: { ...shared, q: 'index', path: '/a b' }, body: '' },
    ])
    expect(await sentBy(driver => driver.search('/', 'ü&?'))).toMatchObject([{ said: { q: 'search', filter: 'ü&?' } }])
    expect(await sentBy(driver => driver.newFolder('/a', 'n'))).toMatchObject([
      { method: 'GET', said: { q: 'newfolder', path: '/a', name: 'n' } },
    ])
    expect(await sentBy(driver => driver.remove('/a', [{ path: '/a/b', type: 'file' }]))).toMatchObject([
      { method: 'GET', said: { q: 'delete', path: '/a', items: '[{"path":"/a/b","type":"file"}]' } },
    ])
  })

  test('long lists and the other changes are POST', async () => {
    const items = Array.from({ length: 200 }, (_, at) => ({ path: `/a/${'x'.repeat(20)}${at}`, type: 'file' as const }))
    const [long] = await sentBy(driver => driver.remove('/a', items))
    expect([long?.method, long?.said]).toEqual(['POST', { q: 'delete' }])
    expect(new URLSearchParams(long?.body).get('_csrf')).toBe('x y')
    const [moved] = await sentBy(driver => driver.move('/a', [{ path: '/a/b', type: 'dir' }], '/c'))
    expect([moved?.method, new URLSearchParams(moved?.body).get('item')]).toEqual(['POST', '/c'])
    for (const [act, said] of [
      [d => d.rename('/a', '/a/b', 'c'), { q: 'rename', path: '/a', item: '/a/b', name: 'c' }],
      [d => d.unarchive('/a', '/a/b.zip'), { q: 'unarchive', path: '/a', item: '/a/b.zip' }],
      [
        d => d.archive('/a', [{ path: '/a/b', type: 'file' }], ''),
        { q: 'archive', path: '/a', items: '[{"path":"/a/b","type":"file"}]', name: '' },
      ],
    ] satisfies [(driver: Driver) => Promise<unknown>, Record<string, string>][]) {
      const [sent] = await sentBy(act)
      const words: Record<string, string> = Object.fromEntries(new URLSearchParams(sent?.body))
      const all: Record<string, string> = { ...sent?.said, ...words }
      expect(sent?.method).toBe('POST')
      expect(all).toEqual({ ...said, _csrf: 'x y', extra: '1' })
    }
    const [saved] = await sentBy(driver => driver.save('/a/t', 'new', '"1-2"'), new Response('new'))
    const body = new URLSearchParams(saved?.body)
    expect([saved?.method, body.get('content'), body.get('version')]).toEqual(['POST', 'new', '"1-2"'])
  })

  test('a cropped picture comes after its words', async () => {
    const [sent] = await sentBy(driver => driver.replace('/a/p.jpg', 'p.jpg', new Blob(['bytes']), ''))
    const at = (text: string) => sent?.body.indexOf(text) ?? -1
    expect(at('name="path"')).toBeGreaterThan(0)
    expect(at('name="_csrf"')).toBeLessThan(at('name="file"'))
    expect(at('name="name"')).toBeLessThan(at('name="file"'))
  })

  test('a refusal is reported, a server that is away too', async () => {
    const refused = new Response('{"message":"Not you.","status":false}', { status: 403 })
    await expect(sentBy(driver => driver.index('/'), refused)).rejects.toThrow('Not you.')
    const driver = createHttpDriver({ url: 'http://127.0.0.1:1/files', postData: () => ({}) })
    await expect(driver.index('/')).rejects.toThrow('The server cannot be reached. Try again.')
  })
})

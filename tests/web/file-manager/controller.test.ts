import { afterEach, describe, expect, test } from 'bun:test'
import type { FileListing, FileNode } from '../../../schema/api/file-manager.ts'
import { type Controller, createController } from '../../../web/file-manager/controller.ts'
import { type Driver, FileRefused, NoResponse } from '../../../web/file-manager/driver.ts'
import { createHttpDriver, messageOrDefault } from '../../../web/file-manager/http-driver.ts'

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

interface PendingRequest {
  what: string
  signal: AbortSignal | undefined
  respond: (listing: FileListing) => void
  refuse: (error: Error) => void
}

/** A driver whose requests wait until the test responds. */
function slowDriver() {
  const requests: PendingRequest[] = []
  const wait = (what: string, signal?: AbortSignal) =>
    new Promise<FileListing>((respond, refuse) => {
      requests.push({ what, signal, respond, refuse })
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
    signInAgain: async () => {},
  }
  return { driver, requests }
}

/** A driver that reports changes of its folders. */
function followedDriver() {
  const { driver, requests } = slowDriver()
  const watcher = { changed: () => {}, isOver: false }
  const subscribe = (changed: () => void) => {
    watcher.changed = changed
    return () => {
      watcher.isOver = true
    }
  }
  return { driver: { ...driver, subscribe }, requests, watcher }
}

const settled = () => new Promise(done => setTimeout(done))

let desks: Controller[] = []
function controllerWith(driver: Driver, more: { startPath?: string; fixedTop?: boolean } = {}): Controller {
  const controller = createController({ url: '/x', id: 'test', ...more }, driver)
  desks.push(controller)
  return controller
}
afterEach(() => {
  for (const controller of desks) controller.end()
  desks = []
})

describe('a folder that changes on the server', () => {
  test('is requested again, and its selection is kept', async () => {
    const { driver, requests, watcher } = followedDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    requests[0]?.respond(folder('/', 'b', 'c', 'd', 'e'))
    await settled()
    controller.choice.value = { selected: new Set([1, 2]), active: 2, anchor: 1 }
    watcher.changed()
    expect([requests[1]?.what, controller.loading.value]).toEqual(['index /', false])
    requests[1]?.respond(folder('/', 'a', 'b', 'd', 'e'))
    await settled()
    expect(controller.nodes.value.map(({ basename }) => basename)).toEqual(['a', 'b', 'd', 'e'])
    expect(controller.choice.value).toEqual({ selected: new Set([2]), active: 2, anchor: 1 })
    controller.end()
    expect(watcher.isOver).toBe(true)
  })

  test('keeps its list when nothing changed or the server does not respond', async () => {
    for (const [respond, fault] of [
      [(call: PendingRequest | undefined) => call?.respond(folder('/', 'b')), ''],
      [(call: PendingRequest | undefined) => call?.refuse(new NoResponse('Nobody is there.')), ''],
    ] as const) {
      const { driver, requests, watcher } = followedDriver()
      const controller = controllerWith(driver)
      void controller.begin()
      requests[0]?.respond(folder('/', 'b'))
      await settled()
      const before = controller.listing.value
      watcher.changed()
      respond(requests[1])
      await settled()
      expect([controller.listing.value === before, controller.fault.value, controller.isReady.value]).toEqual([
        true,
        fault,
        fault === '',
      ])
    }
  })

  test('is reported as gone after two refusals, and shown again when it is back', async () => {
    const { driver, requests, watcher } = followedDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    requests[0]?.respond(folder('/', 'b'))
    await settled()
    watcher.changed()
    requests[1]?.refuse(new FileRefused('It is gone.'))
    await settled()
    expect([controller.fault.value, controller.isReady.value]).toEqual(['', true])
    const untilRequests = async (n: number) => {
      while (requests.length < n) await settled()
    }
    await untilRequests(3)
    requests[2]?.refuse(new FileRefused('It is gone.'))
    await settled()
    expect([controller.fault.value, controller.isReady.value]).toEqual(['It is gone.', false])
    watcher.changed()
    await untilRequests(4)
    requests[3]?.respond(folder('/', 'b', 'c'))
    await settled()
    expect([controller.fault.value, controller.nodes.value.length]).toEqual(['', 2])
  })

  test('does not replace a folder opened meanwhile or a change made here', async () => {
    const { driver, requests, watcher } = followedDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    requests[0]?.respond(folder('/', 'b'))
    await settled()
    watcher.changed()
    void controller.changed(folder('/', 'b', 'mine'))
    requests[1]?.respond(folder('/', 'b'))
    await settled()
    expect(controller.nodes.value.map(({ basename }) => basename)).toEqual(['b', 'mine'])

    const other = followedDriver()
    const second = controllerWith(other.driver)
    void second.begin()
    other.requests[0]?.respond(folder('/', 'b'))
    await settled()
    other.watcher.changed()
    void second.open('/b')
    other.requests[1]?.respond(folder('/', 'x'))
    await settled()
    expect([second.listing.value?.files.length, second.isElsewhere.value]).toEqual([1, true])
    other.requests[2]?.respond(folder('/b', 'in b'))
    await settled()
    expect(second.nodes.value.map(({ basename }) => basename)).toEqual(['in b'])
  })

  test('closes the menu of removed entries, and no other menu', async () => {
    const { driver, requests, watcher } = followedDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    requests[0]?.respond(folder('/', 'a', 'b'))
    await settled()
    const untilRequests = async (n: number) => {
      while (requests.length < n) await settled()
    }
    const renewed = async (n: number, listing: FileListing) => {
      watcher.changed()
      await untilRequests(n)
      requests[n - 1]?.respond(listing)
      await settled()
      return controller.menu.value?.items.map(({ basename }) => basename) ?? null
    }
    const open = (...names: string[]) => {
      controller.menu.value = { x: 1, y: 1, items: names.map(name => file(`/${name}`)) }
    }
    open('b')
    expect(await renewed(2, folder('/', 'b', 'c'))).toEqual(['b'])
    open('b', 'c')
    expect(await renewed(3, folder('/', 'b'))).toBeNull()
    // The menu of the folder itself stays open.
    open()
    expect(await renewed(4, folder('/', 'd'))).toEqual([])
    // A change made here closes the menu of its entry too.
    open('d')
    void controller.changed(folder('/', 'e'))
    expect(controller.menu.value).toBeNull()
    open('e')
    void controller.changed({ dirname: '/', files: [{ ...file('/e'), type: 'dir' }] })
    expect(controller.menu.value).toBeNull()
  })

  test('is not requested while a selection box is drawn', async () => {
    const { driver, requests, watcher } = followedDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    requests[0]?.respond(folder('/', 'b'))
    await settled()
    controller.isDrawingBox.value = true
    watcher.changed()
    await settled()
    expect(requests.length).toBe(1)
  })
})

describe('the open folder', () => {
  test('starts at / and is loading until the response arrives', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    expect([requests[0]?.what, controller.loading.value]).toEqual(['index /', true])
    requests[0]?.respond(folder('/', 'a'))
    await settled()
    expect([controller.loading.value, controller.nodes.value.length]).toEqual([false, 1])
  })

  test('a new request aborts the one before, whose response is ignored', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.open('/one')
    void controller.open('/two')
    expect(requests[0]?.signal?.aborted).toBe(true)
    requests[0]?.respond(folder('/one', 'a'))
    requests[1]?.respond(folder('/two', 'b', 'c'))
    await settled()
    expect([controller.path.value, controller.nodes.value.length, controller.fault.value]).toEqual(['/two', 2, ''])
  })

  test('cancel aborts a request and keeps the shown folder', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.open('/one')
    requests[0]?.respond(folder('/one', 'a'))
    await settled()
    void controller.open('/two')
    controller.cancel()
    await settled()
    expect([controller.loading.value, controller.path.value, controller.nodes.value.length]).toEqual([false, '/one', 1])
  })

  /** A controller that shows /one with both entries selected, and the requests to the driver. */
  async function controllerOnOne() {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.open('/one')
    requests[0]?.respond(folder('/one', 'a', 'b'))
    await settled()
    controller.selectAll()
    return { controller, requests }
  }
  const chosen = (controller: Controller) => controller.selected.value.map(({ path }) => path)

  test('while another folder loads, no action works on the shown one', async () => {
    const { controller, requests } = await controllerOnOne()
    const items = controller.selected.value
    controller.menu.value = { x: 0, y: 0, items }
    void controller.open('/two')
    const refused = () => {
      controller.selectAll()
      for (const kind of ['delete', 'archive'] as const) controller.openDialog({ kind, items })
      controller.openDialog({ kind: 'move', items, target: '/one' })
      controller.openDialog({ kind: 'new-folder' })
      if (items[0] !== undefined) controller.enter(items[0])
      return [controller.isReady.value, chosen(controller), controller.dialog.value, controller.menu.value]
    }
    expect(refused()).toEqual([false, [], null, null])
    requests[1]?.refuse(new FileRefused('It is away.'))
    await settled()
    expect([controller.fault.value, controller.path.value, ...refused()]).toEqual([
      'It is away.',
      '/two',
      false,
      [],
      null,
      null,
    ])
    // A retry opens that folder without the previous selection.
    void controller.refresh()
    expect(requests[2]?.what).toBe('index /two')
    requests[2]?.respond(folder('/two', 'a', 'c'))
    await settled()
    expect([controller.isReady.value, chosen(controller), controller.fault.value]).toEqual([true, [], ''])
  })

  test('a refresh keeps the selection while it loads, and drops it when it fails', async () => {
    const { controller, requests } = await controllerOnOne()
    void controller.refresh()
    expect([controller.isReady.value, chosen(controller)]).toEqual([true, ['/one/a', '/one/b']])
    requests[1]?.refuse(new FileRefused('It is away.'))
    await settled()
    expect([controller.isReady.value, chosen(controller)]).toEqual([false, []])
  })

  test('cancel restores the selection', async () => {
    const { controller } = await controllerOnOne()
    void controller.open('/two')
    controller.cancel()
    await settled()
    expect([controller.isReady.value, controller.path.value, chosen(controller)]).toEqual([
      true,
      '/one',
      ['/one/a', '/one/b'],
    ])
  })

  test('a folder that is requested twice is shown with its path', async () => {
    for (const again of [
      (controller: Controller) => controller.open('/two'),
      (controller: Controller) => controller.refresh(),
    ]) {
      const { controller, requests } = await controllerOnOne()
      void controller.open('/two')
      void again(controller)
      await settled()
      requests[2]?.respond(folder('/two', 'c'))
      await settled()
      expect([controller.path.value, controller.listing.value?.dirname, controller.isReady.value]).toEqual([
        '/two',
        '/two',
        true,
      ])
    }
  })

  test('a cancelled search does not affect the next change', async () => {
    const { controller, requests } = await controllerOnOne()
    controller.search('zz')
    await new Promise(done => setTimeout(done, 450))
    expect([requests[1]?.what, controller.isReady.value]).toEqual(['search /one zz', false])
    controller.cancel()
    await settled()
    expect([controller.query.value, controller.shownSearch.value, chosen(controller)]).toEqual([
      '',
      '',
      ['/one/a', '/one/b'],
    ])
    await controller.changed(folder('/one', 'a', 'b', 'new'), '/one/new')
    expect([requests.length, chosen(controller)]).toEqual([2, ['/one/new']])
  })

  test('a refusal is kept as the fault of the folder', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.open('/one')
    requests[0]?.refuse(new FileRefused('There is no /one. Refresh the folder.'))
    await settled()
    expect(controller.fault.value).toBe('There is no /one. Refresh the folder.')
  })

  test('a search waits 400 ms for the last letter; an empty one shows the folder again', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    controller.search('a')
    controller.search('ab')
    expect(requests).toEqual([])
    await new Promise(done => setTimeout(done, 450))
    expect(requests.map(({ what }) => what)).toEqual(['search / ab'])
    controller.search('')
    expect(requests.map(({ what }) => what)).toEqual(['search / ab', 'index /'])
    expect(requests[0]?.signal?.aborted).toBe(true)
  })

  test('after a change the selection stays, or the created entry is selected', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.open('/one')
    requests[0]?.respond(folder('/one', 'a', 'b'))
    await settled()
    controller.selectAll()
    await controller.changed(folder('/one', 'b', 'c'))
    expect(controller.selected.value.map(({ basename }) => basename)).toEqual(['b'])
    await controller.changed(folder('/one', 'b', 'c', 'd'), '/one/d')
    expect(controller.selected.value.map(({ basename }) => basename)).toEqual(['d'])
    controller.sortBy('basename')
    controller.sortBy('basename')
    expect(controller.nodes.value.map(({ basename }) => basename)).toEqual(['d', 'c', 'b'])
    expect(controller.selected.value.map(({ basename }) => basename)).toEqual(['d'])
    // When the server returns no listing, the folder is requested.
    void controller.changed(null)
    expect(requests.at(-1)?.what).toBe('index /one')
  })

  test('fixed roots cannot be changed or added to, but search results below them can', () => {
    const controller = controllerWith(slowDriver().driver, { fixedTop: true })
    const [given, found] = [file('/Photos'), file('/Photos/sub/a.txt')]
    expect([controller.isFixed.value, controller.isFixedFolder('/'), controller.isFixedFolder('/Photos')]).toEqual([
      true,
      true,
      false,
    ])
    expect([[given], [found], [given, found], []].map(items => controller.mayChange(items))).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect(controller.targetFolderFor(found)).toBe('/Photos/sub')
    void controller.open('/Photos')
    expect([controller.isFixed.value, controller.targetFolderFor(found)]).toEqual([false, '/Photos'])
    const free = controllerWith(slowDriver().driver)
    expect([free.isFixed.value, free.mayChange([given]), free.targetFolderFor(found)]).toEqual([false, true, '/'])
  })

  test('a dialog accepts at most 10,000 entries', async () => {
    const { driver, requests } = slowDriver()
    const controller = controllerWith(driver)
    void controller.begin()
    requests[0]?.respond(folder('/', 'a'))
    await settled()
    const most = Array.from({ length: 10_000 }, (_, at) => file(`/a/${at}.txt`))
    for (const kind of ['delete', 'archive'] as const) {
      controller.openDialog({ kind, items: most })
      expect(controller.dialog.value).toEqual({ kind, items: most })
      controller.openDialog({ kind, items: [...most, file('/a/one.txt')] })
      expect(controller.dialog.value).toMatchObject({
        kind: 'message',
        text: expect.stringMatching(/^At most 10.000 files and folders at once\.$/),
      })
    }
  })

  test('a toast can be closed', () => {
    const controller = controllerWith(slowDriver().driver)
    controller.showToast('Files moved.')
    expect(controller.toasts.list.value.map(({ text }) => text)).toEqual(['Files moved.'])
    controller.toasts.close(controller.toasts.list.value[0]?.id ?? 0)
    expect(controller.toasts.list.value).toEqual([])
  })
})

describe('the protocol', () => {
  test('reads messages from refusals', () => {
    expect(messageOrDefault('{"message":"No.","status":false}')).toBe('No.')
    expect(messageOrDefault('<html>')).toBe('Unknown server error')
  })

  async function sentBy(
    act: (driver: Driver) => Promise<unknown>,
    response = new Response('{"dirname":"/","files":[]}'),
  ) {
    const requests: { url: URL; method: string; body: string; credentials: string }[] = []
    const before = globalThis.fetch
    globalThis.fetch = Object.assign(async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      const { url, method } = request
      requests.push({ url: new URL(url), method, body: await request.text(), credentials: init?.credentials ?? '' })
      return response.clone()
    }, before)
    try {
      await act(createHttpDriver({ url: 'http://there/files', postData: () => ({ _csrf: 'x y', extra: '1' }) }))
    } finally {
      globalThis.fetch = before
    }
    expect(requests.filter(({ credentials }) => credentials !== 'include')).toEqual([])
    return requests.map(({ url, method, body }) => ({ method, query: Object.fromEntries(url.searchParams), body }))
  }

  test('every request is sent with credentials', async () => {
    // `sentBy` checks this for each request; these calls send all kinds of requests.
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

  test('sends reads and simple changes as GET with the shared parameters', async () => {
    const shared = { _csrf: 'x y', extra: '1' }
    expect(await sentBy(driver => driver.index('/a b'))).toEqual([
      { method: 'GET', query: { ...shared, q: 'index', path: '/a b' }, body: '' },
    ])
    expect(await sentBy(driver => driver.search('/', 'ü&?'))).toMatchObject([{ query: { q: 'search', filter: 'ü&?' } }])
    expect(await sentBy(driver => driver.newFolder('/a', 'n'))).toMatchObject([
      { method: 'GET', query: { q: 'newfolder', path: '/a', name: 'n' } },
    ])
    expect(await sentBy(driver => driver.remove('/a', [{ path: '/a/b', type: 'file' }]))).toMatchObject([
      { method: 'GET', query: { q: 'delete', path: '/a', items: '[{"path":"/a/b","type":"file"}]' } },
    ])
  })

  test('sends long lists and the other changes as POST', async () => {
    const items = Array.from({ length: 200 }, (_, at) => ({ path: `/a/${'x'.repeat(20)}${at}`, type: 'file' as const }))
    const [long] = await sentBy(driver => driver.remove('/a', items))
    expect([long?.method, long?.query]).toEqual(['POST', { q: 'delete' }])
    expect(new URLSearchParams(long?.body).get('_csrf')).toBe('x y')
    const [moved] = await sentBy(driver => driver.move('/a', [{ path: '/a/b', type: 'dir' }], '/c'))
    expect([moved?.method, new URLSearchParams(moved?.body).get('item')]).toEqual(['POST', '/c'])
    for (const [act, query] of [
      [d => d.rename('/a', '/a/b', 'c'), { q: 'rename', path: '/a', item: '/a/b', name: 'c' }],
      [d => d.unarchive('/a', '/a/b.zip'), { q: 'unarchive', path: '/a', item: '/a/b.zip' }],
      [
        d => d.archive('/a', [{ path: '/a/b', type: 'file' }], ''),
        { q: 'archive', path: '/a', items: '[{"path":"/a/b","type":"file"}]', name: '' },
      ],
    ] satisfies [(driver: Driver) => Promise<unknown>, Record<string, string>][]) {
      const [sent] = await sentBy(act)
      const words: Record<string, string> = Object.fromEntries(new URLSearchParams(sent?.body))
      const all: Record<string, string> = { ...sent?.query, ...words }
      expect(sent?.method).toBe('POST')
      expect(all).toEqual({ ...query, _csrf: 'x y', extra: '1' })
    }
    const [saved] = await sentBy(driver => driver.save('/a/t', 'new', '"1-2"'), new Response('new'))
    const body = new URLSearchParams(saved?.body)
    expect([saved?.method, body.get('content'), body.get('version')]).toEqual(['POST', 'new', '"1-2"'])
  })

  test('sends a cropped picture after its parameters', async () => {
    const [sent] = await sentBy(driver => driver.replace('/a/p.jpg', 'p.jpg', new Blob(['bytes']), ''))
    const at = (text: string) => sent?.body.indexOf(text) ?? -1
    expect(at('name="path"')).toBeGreaterThan(0)
    expect(at('name="_csrf"')).toBeLessThan(at('name="file"'))
    expect(at('name="name"')).toBeLessThan(at('name="file"'))
  })

  test('reports a refusal and an unreachable server', async () => {
    const refused = new Response('{"message":"Not you.","status":false}', { status: 403 })
    await expect(sentBy(driver => driver.index('/'), refused)).rejects.toThrow('Not you.')
    const driver = createHttpDriver({ url: 'http://127.0.0.1:1/files', postData: () => ({}) })
    await expect(driver.index('/')).rejects.toThrow('The server cannot be reached. Try again.')
  })
})

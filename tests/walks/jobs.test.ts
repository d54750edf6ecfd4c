import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { jobsTexts } from '../../web/texts/jobs.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** The files of a plugin whose job runs until it is stopped. */
const waitingPlugin = {
  'plugin.json': JSON.stringify({
    name: 'Patience',
    version: '1',
    elements: [{ name: 'page', files: ['page.js'] }],
    server: 'server.js',
    methods: { wait: { long: true } },
  }),
  'page.js': `export function register(host) {
    host.items.add({ label: 'Wait', act: () => void host.start('wait') })
  }`,
  'server.js': `export async function wait(data, host) {
    host.progress({ done: 3, total: 10, message: 'Waiting' })
    await new Promise(done => host.signal.addEventListener('abort', done))
    host.signal.throwIfAborted()
  }`,
}

describeWalks('jobs', () => {
  let server: RunningServer
  let token = ''
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const [data, root] = [join(directory, 'data'), join(directory, 'Family')]
    mkdirSync(root)
    for (let n = 1; n <= 3; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    }
    writeFileSync(join(root, 'broken.jpg'), Buffer.from('ffd8ffe000104a46494600', 'hex'))
    const folder = join(data, 'plugins', 'patience')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(waitingPlugin)) writeFileSync(join(folder, name), text)
    server = await startServer(data, [root])
    token = await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  async function requestJson(method: string, path: string, body?: unknown) {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return JSON.parse(await response.text())
  }

  test('are listed while they run and afterwards, with their problems', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('button', { name: 'All, 4 items' }).waitFor()
    await page.getByRole('button', { name: baseTexts.admin }).click()
    await page.getByRole('link', { name: baseTexts.jobs }).click()
    const table = page.getByRole('table', { name: baseTexts.jobs })
    const scan = table.getByRole('row', { name: /Scan of Family/ })
    await scan.getByText(baseTexts.done).waitFor()
    await scan.getByRole('button', { name: /^\d+ problems?$/ }).click()
    await page.getByRole('table', { name: jobsTexts.problems }).getByText('broken.jpg').first().waitFor()
    expect(page.url()).toContain('tab=problems')
    await saveScreenshot(page, 'problems')

    // A running job shows its progress, and stops on request.
    const [found] = await requestJson('GET', '/v1/plugin/list')
    await requestJson('POST', `/v1/plugin/${found.id}/toggle`, { active: true })
    await page.getByRole('link', { name: baseTexts.home, exact: true }).click()
    const card = page.getByRole('list', { name: baseTexts.items }).getByRole('link').first()
    await waitUntil(async () => {
      await card.click({ button: 'right' })
      const entry = page.getByRole('menuitem', { name: 'Wait' })
      if ((await entry.count()) === 0) {
        await page.keyboard.press('Escape')
        return null
      }
      await entry.click()
      return true
    })
    await page.goto(`${server.address}/admin/jobs`)
    const work = table.getByRole('row', { name: /Plugin work/ })
    await work.getByText('Running').waitFor()
    await table.getByText('of 10 steps').waitFor()
    await saveScreenshot(page, 'jobs')
    await work.getByRole('button', { name: 'Stop Plugin work' }).click()
    await work.getByText('Cancelled').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('are beside the history of the library, whose steps can be undone', async () => {
    const { page, errors } = await openPage(`${server.address}/admin/jobs?tab=history`, { user: 'ines' })
    const table = page.getByRole('table', { name: jobsTexts.history })
    await table.getByText('Created a collection').waitFor()
    await table.getByText(managementTexts.thisMachine).waitFor()

    // Changes by others appear without a reload.
    const { items }: { items: { id: number }[] } = await requestJson('GET', '/v1/item/list/0')
    const ids = items.map(({ id }) => id)
    await requestJson('PUT', '/v1/item/tags', {
      items: ids,
      changes: [{ tagName: 'Keywords', mode: 'add', data: ['Sea'] }],
    })
    const row = table.getByRole('row', { name: /Changed tags of 4 items/ })
    await row.getByText('ines').waitFor()
    await row.getByRole('button', { name: 'Undo: Changed tags of 4 items' }).click()
    await row.getByText(baseTexts.undone).waitFor()
    await table.getByRole('row', { name: /Undid a change of 4 items/ }).waitFor()
    await saveScreenshot(page, 'history')
    const now = await requestJson('GET', `/v1/item/${ids[0]}`)
    expect(now.tags.Keywords).toBeUndefined()
    expect(errors).toEqual([])
    await page.context().close()

    // On a phone, the history is reached from the menu, and its steps can be undone too.
    const small = await openPage(server.address, { viewport: phone, user: 'ines' })
    await small.page.getByRole('button', { name: baseTexts.more }).first().click()
    await small.page.getByRole('menuitem', { name: baseTexts.admin }).click()
    await small.page.getByRole('menuitem', { name: baseTexts.jobs }).click()
    await small.page.getByRole('tab', { name: jobsTexts.history }).click()
    const list = small.page.getByRole('list', { name: jobsTexts.history })
    await list.getByRole('button', { name: 'Undo: Undid a change of 4 items' }).click()
    await list
      .getByRole('listitem')
      .filter({ hasText: 'Undid a change of 4 items' })
      .getByText(baseTexts.undone)
      .waitFor()
    await saveScreenshot(small.page, 'history-phone')
    expect((await requestJson('GET', `/v1/item/${ids[0]}`)).tags.Keywords.data[0].content).toBe('Sea')
    expect(small.errors).toEqual([])
    await small.page.context().close()
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { z } from 'zod'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, saveScreenshot } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { button, dialog, dragHandle, fileEntry, openFileManager } from '../support/files-page.ts'
import { picture } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const count = 120
const nameOf = (n: number) => `f${String(n).padStart(4, '0')}.txt`

describeWalks('two browsers with the same folder open', () => {
  let server: RunningServer
  let [data, root] = ['', '']

  beforeAll(async () => {
    const directory = temporaryDirectory()
    data = join(directory, 'data')
    root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 0; n < count; n++) writeFileSync(join(root, nameOf(n)), `text ${n}`)
    server = await startServer(data, [root])
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  async function createFolder(page: Page, name: string) {
    await button(page, 'New folder').click()
    await dialog(page).getByRole('textbox').fill(name)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
  }

  test('changes by one browser and by a scan appear in the other, which keeps its position', async () => {
    const [mine, other] = [
      await openFileManager(server, { first: nameOf(0) }),
      await openFileManager(server, { first: nameOf(0) }),
    ]
    const { page } = mine
    await button(page, 'List view').click()
    await page.evaluate(`document.querySelector('.fm-scroll').scrollTop = 1_915`)
    await dragHandle(page, nameOf(60)).click()
    await dragHandle(page, nameOf(62)).click({ modifiers: ['Control'] })
    await page.getByText('2 item(s) selected.').waitFor()
    const boxOfEntry = async () => JSON.stringify(await fileEntry(page, nameOf(60)).boundingBox())
    const before = await boxOfEntry()

    await createFolder(other.page, '00 new')
    await page.getByText(`${count + 1} items found.`).waitFor()
    await waitUntil(async () => ((await boxOfEntry()) === before ? true : null))
    await page.getByText('2 item(s) selected.').waitFor()
    await page.locator('[role="listbox"]:focus').waitFor()
    await saveScreenshot(page, 'file-manager-followed')
    // The keyboard continues from the same entry.
    await page.keyboard.press('ArrowDown')
    await page.locator(`[aria-selected="true"][data-name="${nameOf(63)}"]`).waitFor()

    // An edited text stays open while its folder changes.
    await page.keyboard.press('Enter')
    await button(dialog(page), 'Edit').click()
    await dialog(page).getByRole('textbox').fill('being written')
    await dragHandle(other.page, nameOf(1)).click()
    await other.page.keyboard.press('Delete')
    await button(dialog(other.page), 'Yes, Delete!').click()
    await page.getByText(`${count} items found.`).waitFor({ state: 'attached' })
    expect(await page.locator('textarea:focus').inputValue()).toBe('being written')
    await button(dialog(page), 'Save').click()
    await page.locator('.fm-toast').getByText('Updated.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[role="listbox"]:focus').waitFor()

    // A scan finds a file that was added outside of Keepsake.
    writeFileSync(join(root, '00 scanned.jpg'), await picture({ seed: 9 }))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    await page.getByText(`${count + 1} items found.`).waitFor()
    await fileEntry(other.page, '00 scanned.jpg').waitFor()
    expect(readdirSync(root)).not.toContain(nameOf(1))

    // When the first visible row and five above it are removed, the next row takes its place. Right after a
    // scroll, the list may still have no rows.
    await page.evaluate(`document.querySelector('.fm-scroll').scrollTop = 700`)
    const visibleRows = async () =>
      z.array(z.string()).parse(
        await page.evaluate(`(() => {
          const list = document.querySelector('.fm-scroll')
          const { top, bottom } = list.getBoundingClientRect()
          return [...list.querySelectorAll('[data-name]')]
            .filter(row => {
              const box = row.getBoundingClientRect()
              return box.bottom > top + 1 && box.top < bottom
            })
            .map(row => row.dataset.name)
        })()`),
      )
    const [top = '', next] = await waitUntil(async () => {
      const visible = await visibleRows()
      return visible.length > 1 ? visible : null
    })
    const topNumber = Number(/\d+/.exec(top)?.[0])
    for (let n = topNumber - 5; n <= topNumber; n++) rmSync(join(root, nameOf(n)))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    await page.getByText(`${count - 5} items found.`).waitFor()
    await waitUntil(async () => ((await visibleRows())[0] === next ? true : null))
    expect([...mine.errors, ...other.errors]).toEqual([])
  })

  test('lists files of hidden items only while the session is unlocked', async () => {
    writeFileSync(join(root, '00 secret.jpg'), await picture({ seed: 10 }))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    const found = await runCommand(['--data', data, 'item', 'list', 'file:secret', '--json'])
    const id = String(found.objects[0]?.id)
    const tagged = await runCommand(['--data', data, 'item', 'tag', 'add', 'keywords', 'Locked', id])
    expect({ code: tagged.code, err: tagged.err }).toMatchObject({ code: 0 })
    const hideResult = await runCommand(['--data', data, 'keystring', 'hide', 'Locked', '--items'])
    expect({ code: hideResult.code, err: hideResult.err }).toMatchObject({ code: 0 })

    const { page, errors } = await openFileManager(server, { first: nameOf(0) })
    expect(await fileEntry(page, '00 secret.jpg').count()).toBe(0)
    await page.getByRole('button', { name: baseTexts.options }).click()
    const hidden = page.getByRole('switch', { name: baseTexts.showHiddenItems })
    await hidden.click()
    await page.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await fileEntry(page, '00 secret.jpg').waitFor()
    await saveScreenshot(page, 'file-manager-unlocked')
    await hidden.click()
    await fileEntry(page, '00 secret.jpg').waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })
})

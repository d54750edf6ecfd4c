import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { describeWalks, laptop, phone, saveScreenshot, waitForHistory } from '../support/browser.ts'
import {
  button,
  dialog,
  dragHandle,
  holdRequests,
  openFileManager,
  pressUntil,
  waitForDialogStep,
} from '../support/files-page.ts'
import { longTest } from '../support/long.ts'
import { picture } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitForScans } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

describeWalks('the file manager with unsaved changes', () => {
  let server: RunningServer
  let root = ''
  /** One page for the tests that need no page of their own; each closes what it opened. */
  let page: Page
  let errors: string[] = []
  const inRoot = (name: string) => join(root, name)
  const text = (name: string) => readFileSync(inRoot(name), 'utf8')

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(root)
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) writeFileSync(inRoot(name), `text ${name}`)
    for (const name of ['one.jpg', 'two.jpg', 'three.jpg'])
      writeFileSync(inRoot(name), await picture({ seed: name.length, width: 1200, height: 800 }))
    server = await startServer(join(directory, 'data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
    ;({ page, errors } = await enter())
  })
  afterAll(() => server.stop())

  const enter = (viewport = laptop) => openFileManager(server, { first: 'a.txt', viewport })
  const closeDialog = async (page: Page) => {
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    // Messages are closed too, so that they are not taken for those of the next test.
    const toasts = await page.locator('.fm-toast').all()
    for (const toast of toasts.reverse()) await toast.click()
  }
  const waitForAlert = (page: Page, words: string) => dialog(page).getByRole('alert').getByText(words).waitFor()
  const waitForNoAlert = (page: Page) => dialog(page).getByRole('alert').waitFor({ state: 'detached' })
  const waitForUpdate = (page: Page) => page.locator('.fm-toast').getByText('Updated.').first().waitFor()

  async function editText(page: Page, name: string, words: string) {
    await dragHandle(page, name).dblclick()
    await button(dialog(page), 'Edit').click()
    await dialog(page).getByRole('textbox').fill(words)
  }

  async function startCrop(page: Page, name: string) {
    await dragHandle(page, name).dblclick()
    await button(dialog(page), 'Edit').click()
    await button(dialog(page), 'Crop').and(page.locator(':enabled')).waitFor()
  }

  const pressInFooterUntil = (page: Page, name: string, isDone: () => Promise<boolean>) =>
    pressUntil(dialog(page).locator('footer').getByRole('button', { name, exact: true }), isDone)

  test('a text whose save got no response can be saved again, even after further input', async () => {
    await editText(page, 'a.txt', 'first')
    for (const words of ['first', 'first, and more']) {
      const away = await holdRequests(page, 'save')
      await dialog(page).getByRole('textbox').fill(words)
      await button(dialog(page), 'Save').click()
      const route = await away.request()
      await route.fetch()
      await route.abort()
      await away.release()
      await waitForAlert(page, 'cannot be reached')
      expect(text('a.txt')).toBe(words)
    }
    await button(dialog(page), 'Save').click()
    await waitForUpdate(page)
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    expect(text('a.txt')).toBe('first, and more')

    // The server has saved the first try, but not received the second one.
    await button(dialog(page), 'Edit').click()
    for (const words of ['one', 'two']) {
      const away = await holdRequests(page, 'save')
      await dialog(page).getByRole('textbox').fill(words)
      await button(dialog(page), 'Save').click()
      const route = await away.request()
      if (words === 'one') await route.fetch()
      await route.abort()
      await away.release()
      await waitForAlert(page, 'cannot be reached')
    }
    expect(text('a.txt')).toBe('one')
    await dialog(page).getByRole('textbox').fill('three')
    await button(dialog(page), 'Save').click()
    await button(dialog(page), 'Edit').waitFor()
    expect(text('a.txt')).toBe('three')

    // The text was saved, but could not be read afterwards.
    await button(dialog(page), 'Edit').click()
    await dialog(page).getByRole('textbox').fill('second')
    const unread = await holdRequests(page, 'preview')
    await button(dialog(page), 'Save').click()
    await (await unread.request()).abort()
    await unread.release()
    await waitForAlert(page, 'cannot be reached')
    await dialog(page).getByRole('textbox').fill('second, and more')
    await button(dialog(page), 'Save').click()
    await button(dialog(page), 'Edit').waitFor()
    expect(text('a.txt')).toBe('second, and more')

    // A change by another user after a lost response is not overwritten.
    await button(dialog(page), 'Edit').click()
    await dialog(page).getByRole('textbox').fill('third')
    const lost = await holdRequests(page, 'save')
    await button(dialog(page), 'Save').click()
    const route = await lost.request()
    await route.fetch()
    writeFileSync(inRoot('a.txt'), 'by somebody else')
    await route.abort()
    await lost.release()
    await waitForAlert(page, 'cannot be reached')
    await button(dialog(page), 'Save').click()
    await waitForAlert(page, 'was changed by another user meanwhile')
    expect(text('a.txt')).toBe('by somebody else')
    await pressInFooterUntil(page, 'Cancel', async () => (await button(dialog(page), 'Edit').count()) === 1)
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  test('a picture replaced by another user while it was cropped is kept', async () => {
    await startCrop(page, 'one.jpg')
    const newer = await picture({ seed: 9, width: 640, height: 480 })
    writeFileSync(inRoot('one.jpg'), newer)
    await button(dialog(page), 'Crop').click()
    await waitForAlert(page, 'was changed by another user meanwhile')
    expect(readFileSync(inRoot('one.jpg')).equals(newer)).toBe(true)
    // Once Edit is pressed again, the new picture is cropped.
    await button(dialog(page), 'Cancel').click()
    await button(dialog(page), 'Edit').click()
    await button(dialog(page), 'Crop').and(page.locator(':enabled')).click()
    await waitForUpdate(page)
    const { width, height } = await sharp(inRoot('one.jpg')).metadata()
    expect([width, height]).toEqual([795, 341])
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  longTest('a crop that got no response can be repeated', async () => {
    await startCrop(page, 'two.jpg')
    const away = await holdRequests(page, 'upload')
    await button(dialog(page), 'Crop').click()
    const route = await away.request()
    await route.fetch()
    await route.abort()
    await away.release()
    await waitForAlert(page, 'cannot be reached')
    await button(dialog(page), 'Crop').click()
    await waitForUpdate(page)
    expect((await sharp(inRoot('two.jpg')).metadata()).width).toBe(795)
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  test('a text keeps its line ends; a warning reports mixed line ends before a save unifies them', async () => {
    writeFileSync(inRoot('c.txt'), 'a\r\nWindows\r\ntext')
    writeFileSync(inRoot('d.txt'), 'a\r\nb\nc\rd')
    const warning = dialog(page).getByText('Its lines end in different ways')
    await editText(page, 'c.txt', 'a\nWindows\ntext!')
    expect(await warning.count()).toBe(0)
    await button(dialog(page), 'Save').click()
    await button(dialog(page), 'Edit').waitFor()
    expect(text('c.txt')).toBe('a\r\nWindows\r\ntext!')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await editText(page, 'd.txt', 'a\nb\nc\nd!')
    await warning.waitFor()
    await saveScreenshot(page, 'file-manager-mixed-lines')
    await button(dialog(page), 'Save').click()
    await button(dialog(page), 'Edit').waitFor()
    expect(text('d.txt')).toBe('a\r\nb\r\nc\r\nd!')
    writeFileSync(inRoot('c.txt'), 'text c.txt')
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  const closing = 'The changes are not saved. Press Close once more to discard them.'
  const cancelling = 'The changes are not saved. Press Cancel once more to discard them.'

  test('Escape, Back and a press outside warn about an unsaved text, and do not close it', async () => {
    await editText(page, 'b.txt', 'written here')
    const waysToLeave = [
      () => page.keyboard.press('Escape'),
      () => page.goBack(),
      () => page.mouse.click(5, 5),
      () => page.goBack(),
    ]
    for (const [n, tryToLeave] of waysToLeave.entries()) {
      await tryToLeave()
      await waitForAlert(page, closing)
      await waitForDialogStep(page)
      await tryToLeave()
      await waitForDialogStep(page)
      expect(await dialog(page).getByRole('textbox').inputValue()).toBe(`written here${'!'.repeat(n)}`)
      await dialog(page).getByRole('textbox').press('End')
      await page.keyboard.type('!')
      await waitForNoAlert(page)
    }
    await page.keyboard.press('Escape')
    await waitForAlert(page, closing)
    await saveScreenshot(page, 'file-manager-escape')
    await pressInFooterUntil(page, 'Close', async () => (await dialog(page).count()) === 0)
    expect(text('b.txt')).toBe('text b.txt')
    expect(errors).toEqual([])
  })

  /** Tries every way to leave during a save or crop: there is no warning, and the dialog stays open. */
  async function tryAllWaysToLeave(page: Page) {
    const footer = dialog(page).locator('footer')
    await footer.getByRole('status').getByText('Saving').waitFor()
    for (const tryToLeave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5), () => page.goBack()]) {
      await tryToLeave()
      // Waits until the history step is restored and the page is drawn.
      await waitForDialogStep(page)
      await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      expect(await dialog(page).getByRole('alert').count()).toBe(0)
      expect(await footer.getByRole('status').count()).toBe(1)
    }
    for (const name of ['Close', 'Cancel'])
      expect(await footer.getByRole('button', { name, exact: true }).isDisabled()).toBe(true)
    await dialog(page).locator('header').getByRole('button', { name: 'Close' }).click()
  }

  for (const viewport of [laptop, phone]) {
    const device = viewport === phone ? 'a phone' : 'a laptop'
    longTest(`on ${device} a dialog that is saving cannot be closed and shows no warning`, async () => {
      const fileName = (extension: string) => `${viewport === phone ? 'phone' : 'laptop'}.${extension}`
      writeFileSync(inRoot(fileName('txt')), 'before')
      writeFileSync(inRoot(fileName('jpg')), await picture({ seed: 5, width: 1200, height: 800 }))
      const { page, errors } = await enter(viewport)
      const open = (name: string) =>
        viewport === phone ? dragHandle(page, name).tap() : dragHandle(page, name).dblclick()

      await open(fileName('txt'))
      await button(dialog(page), 'Edit').click()
      await dialog(page).getByRole('textbox').fill('after')
      const saving = await holdRequests(page, 'save')
      await button(dialog(page), 'Save').click()
      const lost = await saving.request(0)
      await tryAllWaysToLeave(page)
      await saveScreenshot(page, `file-manager-saving-${viewport === phone ? 'phone' : 'laptop'}`)
      // After an error, the typed text is still there.
      await lost.abort()
      await waitForAlert(page, 'cannot be reached')
      expect(await dialog(page).getByRole('textbox').inputValue()).toBe('after')
      await button(dialog(page), 'Save').click()
      const saved = await saving.request(1)
      await tryAllWaysToLeave(page)
      await saved.continue()
      await saving.release()
      await waitForUpdate(page)
      await button(dialog(page), 'Edit').waitFor()
      expect(text(fileName('txt'))).toBe('after')
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await waitForHistory(page)

      await open(fileName('jpg'))
      await button(dialog(page), 'Edit').and(page.locator(':enabled')).waitFor()
      const reading = await holdRequests(page, 'preview')
      await button(dialog(page), 'Edit').click()
      const read = await reading.request()
      await dialog(page).getByRole('status').getByText('Loading').waitFor()
      await saveScreenshot(page, `file-manager-edit-loading-${viewport === phone ? 'phone' : 'laptop'}`)
      await read.continue()
      await reading.release()
      await button(dialog(page), 'Crop').and(page.locator(':enabled')).waitFor()
      await dialog(page).getByRole('status').waitFor({ state: 'detached' })
      const cropping = await holdRequests(page, 'upload')
      await button(dialog(page), 'Crop').click()
      const cropped = await cropping.request()
      await tryAllWaysToLeave(page)
      await saveScreenshot(page, `file-manager-cropping-${viewport === phone ? 'phone' : 'laptop'}`)
      await cropped.continue()
      await cropping.release()
      await waitForUpdate(page)
      await button(dialog(page), 'Edit').waitFor()
      expect((await sharp(inRoot(fileName('jpg'))).metadata()).width).toBe(795)
      expect(errors).toEqual([])
      await page.context().close()
    })
  }

  test('Cancel warns like Close, and the warning disappears when nothing is unsaved any more', async () => {
    await editText(page, 'c.txt', 'written here')
    await button(dialog(page), 'Cancel').dblclick()
    await waitForAlert(page, cancelling)
    expect(await dialog(page).getByRole('textbox').inputValue()).toBe('written here')
    await dialog(page).locator('footer').getByRole('button', { name: 'Close' }).click()
    await waitForAlert(page, closing)
    await button(dialog(page), 'Cancel').click()
    await waitForAlert(page, cancelling)
    await pressInFooterUntil(page, 'Cancel', async () => (await button(dialog(page), 'Edit').count()) === 1)
    expect(await dialog(page).getByRole('textbox').inputValue()).toBe('text c.txt')
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    // Without changes, Cancel leaves the edit mode at once.
    await button(dialog(page), 'Edit').click()
    await button(dialog(page), 'Cancel').click()
    await button(dialog(page), 'Edit').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  test('does not warn about an unmoved frame, and warns about a moved one each time', async () => {
    await startCrop(page, 'three.jpg')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await startCrop(page, 'three.jpg')
    const close = dialog(page).locator('footer').getByRole('button', { name: 'Close' })
    for (const _ of ['moved', 'and moved again']) {
      await page.locator('.fm-crop').press('ArrowLeft')
      await close.click()
      await waitForAlert(page, closing)
      await page.locator('.fm-crop').press('ArrowRight')
      await waitForNoAlert(page)
    }
    await button(dialog(page), 'Cancel').click()
    await waitForAlert(page, cancelling)
    await pressInFooterUntil(page, 'Cancel', async () => (await button(dialog(page), 'Edit').count()) === 1)
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })
})

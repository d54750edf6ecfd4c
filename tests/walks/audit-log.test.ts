import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { systemClock } from '../../core/kernel/clock.ts'
import { type LibraryDatabase, openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { type AuditOptions, addAuditRows } from '../support/audit-rows.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { changeTheme } from '../support/open-scene.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const rows = (page: Page) => page.getByRole('table', { name: managementTexts.log }).locator('tr[data-row]')

describeWalks('the log', () => {
  let server: RunningServer
  let db: LibraryDatabase
  let userId = 0
  const now = Math.floor(Date.now() / 1000)
  beforeAll(async () => {
    const data = join(temporaryDirectory(), 'data')
    mkdirSync(data, { recursive: true })
    server = await startServer(data)
    await registerAndSignIn(server)
    db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock })
    userId = db.get<{ id: number }>('SELECT id FROM users')?.id ?? 0
  })
  afterAll(async () => {
    db.close()
    await server.stop()
  })
  async function replaceEntries(entries: readonly AuditOptions[]) {
    await db.transact({ userId: null }, tx => tx.run('DELETE FROM audit_log'))
    await addAuditRows(db, entries)
  }

  async function open(options: { viewport?: { width: number; height: number } } = {}) {
    const opened = await openPage(server.address, { ...options, user: 'ines' })
    return { ...opened, show: () => opened.page.goto(`${server.address}/admin/manage?tab=log`) }
  }

  const sampleEntries = (): AuditOptions[] => [
    {
      action: 'group.add',
      user: userId,
      address: '192.168.1.24',
      detail: { name: 'Editors', username: 'vera' },
      at: now - 400_000,
    },
    { action: 'token.issue', user: userId, address: '192.168.1.24', detail: { name: 'backup' }, at: now - 90_000 },
    { action: 'login', user: userId, address: '2001:db8:9c40:1122:3344:5566:7788:99aa', at: now - 3000 },
    { action: 'user.disable', actor: 'terminal', detail: { username: 'kenji' }, at: now - 2000 },
    { action: 'login.failed', actor: 'anonymous', user: userId, address: '45.155.205.9', count: 5, at: now - 1000 },
    {
      action: 'refused',
      user: userId,
      address: '192.168.1.31',
      detail: { method: 'PUT', path: '/v1/users/:id/disabled', status: 403 },
      at: now - 900,
    },
    {
      action: 'download',
      user: userId,
      address: '192.168.1.31',
      detail: { what: 'items', items: 1204, bytes: 3.4e9 },
      at: now - 60,
    },
  ]

  test('lists who did what by day, filters and searches it, and shows new entries', async () => {
    const { page, errors, show } = await open()
    await replaceEntries(sampleEntries())
    await show()
    await page.getByText('Kept for 400 days').waitFor()
    await waitUntil(async () => ((await rows(page).count()) === 7 ? true : null))
    const texts = await rows(page).allTextContents()
    expect(texts[0]).toContain('ines')
    expect(texts[0]).toContain('Downloaded')
    expect(texts[0]).toContain('1,204 items, 3.4 GB')
    expect(texts[2]).toContain('Visitor')
    expect(texts[2]).toContain('Could not sign in')
    expect(texts[2]).toContain('ines, 5 times')
    expect(texts[3]).toContain('This machine')
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(1)
    await saveScreenshot(page, 'audit-log-laptop-dark')

    await page.getByLabel(managementTexts.what, { exact: true }).selectOption('Failures and refusals')
    await waitUntil(async () => ((await rows(page).count()) === 2 ? true : null))
    await page.getByLabel(managementTexts.who, { exact: true }).selectOption('Visitors')
    await waitUntil(async () => ((await rows(page).count()) === 1 ? true : null))
    await page.getByLabel(managementTexts.who, { exact: true }).selectOption('Everybody')
    await page.getByLabel(managementTexts.what, { exact: true }).selectOption('Everything')
    await page.getByLabel(managementTexts.searchTheLog).fill('45.155')
    await waitUntil(async () => ((await rows(page).count()) === 1 ? true : null))
    await page.getByLabel(managementTexts.searchTheLog).fill('nothing of the kind')
    await page.getByText(managementTexts.noMatchingEntries).waitFor()
    await page.getByLabel(managementTexts.searchTheLog).fill('')
    await page.getByLabel(adminTexts.when).selectOption('Last 24 hours')
    await waitUntil(async () => ((await rows(page).count()) === 5 ? true : null))

    await db.transact({ userId }, tx => tx.audit('logout', {}))
    await page.getByText('Signed out').waitFor()
    expect(await rows(page).count()).toBe(6)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('loads older entries while scrolling', async () => {
    const { page, errors, show } = await open()
    await replaceEntries(
      Array.from({ length: 260 }, (_, n): AuditOptions => ({ action: 'login', user: userId, at: now - 260 + n })),
    )
    await show()
    await waitUntil(async () => ((await rows(page).count()) >= 100 ? true : null))
    while ((await rows(page).count()) < 260) await rows(page).last().scrollIntoViewIfNeeded()
    expect(await rows(page).count()).toBe(260)
    await page.getByRole('button', { name: managementTexts.showOlderEntries }).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('reports that it is empty, or that it could not be loaded', async () => {
    const { page, show } = await open()
    await replaceEntries([])
    await show()
    await page.getByText(managementTexts.nothingWasRecorded).waitFor()
    await page.route('**/v1/audit*', route => route.abort())
    await page.getByLabel(managementTexts.what, { exact: true }).selectOption('Logins')
    await page.getByRole('button', { name: baseTexts.tryAgain }).waitFor()
    await page.unroute('**/v1/audit*')
    await replaceEntries(sampleEntries())
    await waitUntil(async () => ((await rows(page).count()) === 2 ? true : null))
    await page.context().close()
  })

  test('has two lines per entry and a visible tab on a phone', async () => {
    const { page, errors, show } = await open({ viewport: phone })
    await replaceEntries(sampleEntries())
    await show()
    const entries = page.getByRole('list', { name: managementTexts.log }).locator('li[data-row]')
    await waitUntil(async () => ((await entries.count()) === 7 ? true : null))
    expect(await entries.nth(2).textContent()).toContain('Visitor · ines, 5 times · 45.155.205.9')
    const place = await page.getByRole('tab', { name: managementTexts.log }).boundingBox()
    expect((place?.x ?? 999) + (place?.width ?? 0)).toBeLessThanOrEqual(phone.width)
    await saveScreenshot(page, 'audit-log-phone-dark')
    await changeTheme(page, 'light')
    await saveScreenshot(page, 'audit-log-phone-light')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('hides columns in narrow windows, but still shows the user', async () => {
    const { page, show } = await open({ viewport: { width: 800, height: 700 } })
    await replaceEntries(sampleEntries())
    await show()
    await waitUntil(async () => ((await rows(page).count()) === 7 ? true : null))
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Time', 'What', 'Target', 'Actions'])
    expect(await rows(page).first().textContent()).toContain('ines')
    await changeTheme(page, 'light')
    await saveScreenshot(page, 'audit-log-narrow-light')
    await page.setViewportSize({ width: 1440, height: 900 })
    await saveScreenshot(page, 'audit-log-laptop-light')
    await page.context().close()
  })
})

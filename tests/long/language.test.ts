/** Run by `languages.test.ts` with TESTED_LANGUAGE; skipped in English, which has more thorough tests. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { axeFaults } from '../support/axe.ts'
import { describeWalks } from '../support/browser.ts'
import { layoutFaults } from '../support/layout-faults.ts'
import { openScene } from '../support/open-scene.ts'
import { englishOnly } from '../support/page-language.ts'
import { type SceneServers, startSceneServers } from '../support/scene-servers.ts'
import { scenes } from '../support/scenes.ts'

/** English texts on the page, in what is seen and in what is read aloud. */
async function untranslatedTexts(page: Page): Promise<string[]> {
  const found: string[] = await page.evaluate(`[...document.querySelectorAll('body, body *')].flatMap(one => [
    one.ariaLabel ?? '', one.title ?? '', one.placeholder ?? '',
    ...[...one.childNodes].map(node => node.nodeType === 3 && one.closest('.font-mono') === null ? node.data.trim() : ''),
  ])`)
  return [...new Set(found.filter(text => englishOnly.has(text)))]
}

/** Layouts that depend on measured sizes follow within some frames. */
async function settledFaults(page: Page): Promise<string[]> {
  let faults = await layoutFaults(page)
  for (let tries = 0; faults.length > 0 && tries < 20; tries++) {
    await Bun.sleep(50)
    faults = await layoutFaults(page)
  }
  return faults
}

const tablet = { width: 768, height: 1024 }

const minute = 60_000

describeWalks('every screen', () => {
  let sceneServers: SceneServers
  beforeAll(async () => {
    sceneServers = await startSceneServers()
  }, 5 * minute)
  afterAll(() => sceneServers.stop())

  for (const scene of scenes) {
    test.skipIf(englishOnly.size === 0)(
      `${scene.name}: at 390, 768 and 1440, all is translated, nothing is cut off, covered or outside, axe finds nothing`,
      async () => {
        const found: string[] = []
        for (const device of ['laptop', 'phone'] as const) {
          if (scene.only !== undefined && scene.only !== device) continue
          const { page } = await openScene(sceneServers, scene, { device, theme: 'dark' })
          try {
            const note = (faults: string[], where: string = device) =>
              found.push(...faults.map(fault => `${where}: ${fault}`))
            note(await axeFaults(page))
            // Plugins have their own texts.
            if (!scene.name.includes('plugin')) note((await untranslatedTexts(page)).map(text => `is English: ${text}`))
            note(await settledFaults(page))
            const isFullScreen = await page.evaluate('document.fullscreenElement !== null')
            if (device === 'phone' || isFullScreen) continue
            await page.setViewportSize(tablet)
            note(await settledFaults(page), 'tablet')
          } finally {
            // A page that stays open keeps drawing, which slows all later tests.
            await page.context().close()
          }
        }
        expect(found).toEqual([])
      },
      2 * minute,
    )
  }
})
